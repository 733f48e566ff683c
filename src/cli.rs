//! The command line: the subcommands, and the exit codes of their answers. Each subcommand has a file of its own.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use touchmove_rules::Processor;
use touchmove_text::is_clean_line;
use touchmove_tui::Signal;

use crate::{
    accounts, backup, bench, completions, config, engine_match, explain, host, join, judge,
    library, moves, output, perft, pgn, play, review, rules, serve, show, terminal_ui, uci,
    winnable,
};

/// Chess for two with an arbiter that knows every rule: chess, Chess960, Atomic and simple Atomic.
#[derive(Parser)]
#[command(name = "touchmove", version, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Use machine code for this kind of processor at most (for tests and measurements).
    #[arg(long, global = true, hide = true, env = "TOUCHMOVE_CPU", value_parser = processor)]
    cpu: Option<Processor>,
}

const EXAMPLES: &str = "\
Examples:
  touchmove                                the start screen, one Enter from a game
  touchmove play --time 5+3                a game for two at one keyboard
  touchmove play --black engine:casual     a game against the computer
  touchmove review game.pgn                where a game turned, and what was better
  touchmove judge --moves \"f3 e5 g4 Qh4\"  is it over, who won, and why
  touchmove show --moves \"e4 e5 Nf3\"       the board after three plies
  touchmove moves --variant atomic         the legal moves of Atomic's start
  touchmove explain O-O                    why castling is not legal yet
  touchmove perft 6                        count the 119060324 six-ply games
  touchmove pgn check games.pgn            what is wrong with these games
  touchmove library                        the games that were finished here
  touchmove winnable --file games.fen      who can still win?
  touchmove host --time 5+3                a game with somebody on the same network
  touchmove join http://host:8000/Ab3dE6gH a seat at a table on the network
  touchmove serve                          tables for people who are not at one keyboard
  touchmove accounts add Anna              an account on the server of this machine
  touchmove uci                            an engine for programs that speak UCI
  touchmove match engine stockfish         a match between engines, and what it is worth

Exit codes: 0 yes or done, 1 the answer is no, 2 could not be answered.";

#[derive(Subcommand)]
enum Command {
    Play(Box<play::Args>),
    Judge(judge::Args),
    Show(show::Args),
    Moves(moves::Args),
    Explain(explain::Args),
    Rules(rules::Args),
    Perft(perft::Args),
    Pgn(pgn::Args),
    Review(review::Args),
    Library(library::Args),
    Winnable(winnable::Args),
    Host(Box<host::Args>),
    Join(Box<join::Args>),
    Serve(serve::Args),
    Uci(uci::Args),
    #[command(alias = "arena")]
    Match(Box<engine_match::Args>),
    #[command(visible_alias = "people")]
    Accounts(accounts::Args),
    Backup(backup::Args),
    Bench(bench::Args),
    Config(config::Args),
    Completions(completions::CompletionsArgs),
    Man(completions::ManArgs),
}

/// The exit status of an answer.
pub enum AnswerStatus {
    /// Yes, or done: exit code 0.
    Yes,
    /// No: exit code 1.
    No,
    /// Unanswered, because the limits did not suffice: exit code 2.
    Unanswered,
    /// A signal has ended a game: the exit code that shells use for it.
    Left(Signal),
}

/// The combined status of many answers: no if one of them is no, else unanswered if one of them is.
#[derive(Default)]
pub struct AnswerStatuses {
    is_no: bool,
    is_unanswered: bool,
}

impl AnswerStatuses {
    /// Adds the status of one answer.
    pub fn add(&mut self, answer: AnswerStatus) {
        match answer {
            AnswerStatus::Yes | AnswerStatus::Left(_) => {}
            AnswerStatus::No => self.is_no = true,
            AnswerStatus::Unanswered => self.is_unanswered = true,
        }
    }

    /// The combined status.
    pub fn all(&self) -> AnswerStatus {
        match self {
            AnswerStatuses { is_no: true, .. } => AnswerStatus::No,
            AnswerStatuses {
                is_unanswered: true,
                ..
            } => AnswerStatus::Unanswered,
            _ => AnswerStatus::Yes,
        }
    }
}

/// An answer "no" with a sentence for standard error: an illegal position, an illegal move.
#[derive(Debug)]
pub struct NegativeAnswer(pub String);

impl std::fmt::Display for NegativeAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NegativeAnswer {}

/// Parses the arguments, runs the subcommand and returns the exit code.
pub fn run() -> ExitCode {
    let json = std::env::args_os().any(|argument| argument == "--json");
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if json && error.use_stderr() {
                print_error(&usage_sentence(&error));
            }
            // Help that was asked for must arrive; a failure to print an error cannot be reported.
            let printed = print_usage(&error).and_then(|()| io::stdout().flush());
            return match printed {
                Err(failed) if !error.use_stderr() => outcome(Err(failed.into()), json),
                _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
            };
        }
    };
    if let Some(processor) = cli.cpu {
        Processor::choose(processor);
    }
    let result = match &cli.command {
        None => play_at_once(),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Judge(args)) => judge::run(args),
        Some(Command::Show(args)) => show::run(args),
        Some(Command::Moves(args)) => moves::run(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Pgn(args)) => pgn::run(args),
        Some(Command::Library(args)) => library::run(args),
        Some(Command::Explain(args)) => explain::run(args),
        Some(Command::Rules(args)) => rules::run(args),
        Some(Command::Review(args)) => review::run(args),
        Some(Command::Winnable(args)) => winnable::run(args),
        Some(Command::Host(args)) => host::run(args),
        Some(Command::Join(args)) => join::run(args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Uci(args)) => uci::run(args),
        Some(Command::Match(args)) => engine_match::run(args),
        Some(Command::Accounts(args)) => accounts::run(args),
        Some(Command::Backup(args)) => backup::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Config(_)) => config::run(),
        Some(Command::Completions(args)) => completions::completions(args, Cli::command()),
        Some(Command::Man(args)) => completions::man(args, Cli::command()),
    };
    let result = result.and_then(|answer| Ok(io::stdout().flush().map(|()| answer)?));
    outcome(result, json)
}

/// Prints the error, if there is one, and returns the exit code.
fn outcome(result: anyhow::Result<AnswerStatus>, json: bool) -> ExitCode {
    match result {
        Ok(AnswerStatus::Yes) => ExitCode::SUCCESS,
        Ok(AnswerStatus::No) => ExitCode::from(1),
        Ok(AnswerStatus::Unanswered) => ExitCode::from(2),
        Ok(AnswerStatus::Left(signal)) => ExitCode::from(signal.exit_code()),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if json {
                print_error(&format!("{error:#}"));
            }
            output::complain(&format!("{error:#}"));
            ExitCode::from(if error.is::<NegativeAnswer>() { 1 } else { 2 })
        }
    }
}

/// Prints an error for programs that read JSON: an object on standard output, like every answer.
fn print_error(sentence: &str) {
    let object = serde_json::json!({ "error": sentence });
    let _ = writeln!(output::json(), "{object}");
}

/// Prints help or a usage error. A usage error quotes arguments and environment variables: unless all of these are
/// harmless, it is reduced to one plain line.
fn print_usage(error: &clap::Error) -> io::Result<()> {
    let is_ours = |name: &std::ffi::OsString| name.to_string_lossy().starts_with("TOUCHMOVE_");
    let settings = std::env::vars_os().filter(|(name, _)| is_ours(name));
    let mut input = std::env::args_os().chain(settings.map(|(_, value)| value));
    let is_clean = input.all(|text| is_clean_line(&text.to_string_lossy()));
    match (is_clean, error.use_stderr()) {
        (true, _) => error.print(),
        (false, true) => {
            output::complain(&usage_sentence(error));
            Ok(())
        }
        // Help shows the values of environment variables.
        (false, false) => write!(output::lines(), "{error}"),
    }
}

/// The usage error without clap's hints below it.
fn usage_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

/// Without a subcommand: the start screen, or without a terminal a game in plain mode.
fn play_at_once() -> anyhow::Result<AnswerStatus> {
    match Cli::parse_from(["touchmove", "play"]).command {
        Some(Command::Play(args)) if !terminal_ui::is_available() => play::run(&args),
        _ => terminal_ui::start(),
    }
}

/// Whether the reader of our output has closed the pipe, as `head` does; that is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}

fn processor(name: &str) -> Result<Processor, String> {
    Processor::ALL
        .into_iter()
        .find(|processor| processor.name() == name)
        .ok_or_else(|| "it is plain, popcnt or pext".into())
}
