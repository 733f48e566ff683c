//! Plain mode on standard input and output: reads lines, passes them with the time to the session, prints its
//! output and writes its files. Decides nothing.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use touchmove_game::{AnalysisResult, Game, Timestamp, journal};
use touchmove_text::{SafeWriter, TextForm, display_path};

use crate::autosave::SaveDir;
use crate::background_analysis::BackgroundAnalysis;
use crate::game_saver::{GameSaver, SaveStatus};
use crate::input::{self, InputLine};
use crate::opponents::{
    ComputerAnswer, ComputerOptions, ComputerReply, ENGINE_TIMEOUTS, OpponentThread,
};
use crate::plain::{Output, PlainSession, PlainStyle, resume_prompt};
use crate::signals::{self, Signal};
use crate::wall_clock::{game_time, today};

/// What a plain session begins with.
#[derive(Debug)]
pub enum PlainStart {
    /// This game; in interactive use, unfinished games are offered first.
    Game(Box<Game>),
    /// This game, without an offer of others.
    OnlyGame(Box<Game>),
    /// An unfinished game, by its journal.
    Resume(PathBuf),
}

/// Plays games in plain mode until the input ends, somebody quits or a signal comes. A game that is not saved is
/// printed at the end; without a save directory nothing is saved. Notices are printed after the first board.
/// Returns the signal, if there was one.
///
/// # Errors
/// If the input cannot be read or the output cannot be written. A closed pipe is no error.
pub fn run(
    beginning: PlainStart,
    customs: &ComputerOptions,
    style: PlainStyle,
    keeping: Option<Option<SaveDir>>,
    notices: &[String],
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<Option<Signal>> {
    let keeps = keeping.is_some();
    let desk = PlainRunner {
        keeper: GameSaver::new(keeping.flatten()),
        keeps,
        style,
    };
    match desk.play(beginning, customs, notices, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        result => result,
    }
}

/// The plain mode's style and files.
struct PlainRunner {
    keeper: GameSaver,
    keeps: bool,
    style: PlainStyle,
}

impl PlainRunner {
    fn play(
        mut self,
        beginning: PlainStart,
        customs: &ComputerOptions,
        notices: &[String],
        mut input: impl BufRead + Send + 'static,
        output: &mut impl Write,
    ) -> io::Result<Option<Signal>> {
        let (game, about) = self.begin(beginning, &mut input, output)?;
        let now = game_time(game.latest());
        let session = PlainSession::new(game, self.style).dated(&today());
        let mut session = session.with_computer_options(customs, customs.seed_or_random());
        print(&session.opening(), output)?;
        // After the board, which would scroll them out of a small window.
        for notice in notices {
            writeln!(output, "{notice}")?;
        }
        self.report_save_status(about, output)?;
        self.archive(&session, output)?;
        // Declared before the channel: the receiver is dropped first, so that waiting for the thread cannot block.
        let mut sparring;
        let (sender, heard) = mpsc::sync_channel(1);
        listen(input, sender.clone());
        let to_loop = sender.clone();
        signals::listen(move |signal| {
            // Fails only after the session has ended.
            let _ = to_loop.send(PlainInput::Signal(signal));
        })?;
        let to_loop = sender.clone();
        signals::listen_to_waking(move || {
            // Fails only after the session has ended.
            let _ = to_loop.send(PlainInput::Woken);
        })?;
        // A program that writes into a pipe does not see when it is on move: its lines wait until then.
        let (answer, answers) = mpsc::channel();
        let (to_loop, is_interactive) = (sender.clone(), self.style.interactive);
        sparring = OpponentThread::begin(Duration::ZERO, ENGINE_TIMEOUTS, move |reply| {
            // Fails only after the session has ended.
            let _ = match is_interactive {
                true => to_loop.send(PlainInput::Answered(reply)).is_ok(),
                false => answer.send(reply).is_ok(),
            };
        });
        let longer_look = BackgroundAnalysis::begin(move |finding| {
            // Fails only after the session has ended.
            let _ = sender.send(PlainInput::Found(finding));
        });
        let mut signal = None;
        let mut doubted = None;
        let mut has_prompt = false;
        let mut is_thinking = false;
        // Input received while a computer thinks, held until it answers.
        let mut held = None;
        loop {
            let (due, task) = session.next_computer_task(now());
            self.record(&mut session, &due, output)?;
            print(&due, output)?;
            has_prompt &= due.text.is_empty();
            if let Some(task) = task {
                is_thinking = true;
                sparring.ask(task);
            }
            if self.style.interactive {
                let question = session.game().pending_analysis();
                if let Some(question) = question.filter(|_| question != doubted) {
                    longer_look.submit(question);
                }
                doubted = question;
                if !has_prompt {
                    write!(output, "{}", session.prompt())?;
                }
                has_prompt = true;
            }
            output.flush()?;
            let next = match (is_thinking && !is_interactive, held.take()) {
                (true, next) => {
                    held = next;
                    await_answer(&answers, &heard, &mut held)
                }
                (false, Some(next)) => next,
                (false, None) => next_input(&heard, &session, now()),
            };
            has_prompt &= !matches!(next, PlainInput::Line(_));
            let said = match next {
                PlainInput::Line(line) => match line?.text() {
                    Ok(text) => {
                        session.set_saved(self.keeps && self.keeper.is_saved());
                        let said = session.line(now(), text);
                        match said.quit && self.needs_no_record(&session) {
                            true => session.quit(now()),
                            false => said,
                        }
                    }
                    Err(why) => session.unreadable(now(), why),
                },
                PlainInput::Woken => Output {
                    text: "\n".to_owned(),
                    ..Output::default()
                },
                PlainInput::Answered(reply) => {
                    is_thinking = matches!(reply.said, ComputerAnswer::Note(_));
                    let said = session.on_computer_reply(now(), &reply);
                    match is_interactive && !said.text.is_empty() {
                        true => unasked(Some(said.text)),
                        false => said,
                    }
                }
                PlainInput::Nothing => unasked(session.tick(now())),
                PlainInput::Found(finding) => unasked(session.on_analysis(now(), &finding)),
                PlainInput::End => self.leave(&mut session, now()),
                PlainInput::Signal(heard) => {
                    signal = Some(heard);
                    let said = self.leave(&mut session, now());
                    Output {
                        text: format!("\n{}", said.text),
                        ..said
                    }
                }
            };
            if said.begins {
                // The question was about another game.
                sparring.cancel();
            }
            has_prompt &= said.text.is_empty();
            self.record(&mut session, &said, output)?;
            print(&said, output)?;
            self.save(&said, output)?;
            self.archive(&session, output)?;
            if said.quit {
                output.flush()?;
                self.keeper.close_journal();
                return Ok(signal);
            }
        }
    }

    /// The first game: the one that was named, or an unfinished one chosen by the user; with a message about
    /// saving.
    fn begin(
        &mut self,
        beginning: PlainStart,
        input: &mut impl BufRead,
        output: &mut impl Write,
    ) -> io::Result<(Game, Option<String>)> {
        let (game, chosen) = match beginning {
            PlainStart::OnlyGame(game) => (game, None),
            PlainStart::Game(game) => (game, self.ask_which(input, output)?),
            PlainStart::Resume(path) => return self.keeper.resume(&path).map_err(io::Error::other),
        };
        let mut about = None;
        if let Some(path) = chosen {
            match self.keeper.resume(&path) {
                Ok(taken) => return Ok(taken),
                Err(why) => about = Some(why),
            }
        }
        if self.keeps {
            about = words(self.keeper.begin(&journal::rewrite(&game))).or(about);
        }
        Ok((*game, about))
    }

    /// Asks which unfinished game to resume, if there is one and the use is interactive.
    fn ask_which(
        &mut self,
        input: &mut impl BufRead,
        output: &mut impl Write,
    ) -> io::Result<Option<PathBuf>> {
        if !self.style.interactive || !self.keeps {
            return Ok(None);
        }
        let survey = self.keeper.scan_journals();
        for warning in survey.warnings {
            writeln!(output, "{warning}")?;
        }
        let mut games = survey.waiting;
        if games.is_empty() {
            return Ok(None);
        }
        write!(output, "{}", resume_prompt::question(&games))?;
        loop {
            write!(output, "? ")?;
            output.flush()?;
            let Some(line) = input::next(input)? else {
                return Ok(None);
            };
            match resume_prompt::answer(line.text().unwrap_or_default(), games.len()) {
                Ok(None) => return Ok(None),
                Ok(Some(number)) => return Ok(Some(games.swap_remove(number).path)),
                Err(why) => writeln!(output, "{why}")?,
            }
        }
    }

    /// Saves events before they are printed.
    fn record(
        &mut self,
        session: &mut PlainSession,
        said: &Output,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let lines = session.unwritten();
        if !self.keeps {
            return Ok(());
        }
        let keeping = match said.begins {
            true => self.keeper.begin(&journal::rewrite(session.game())),
            false if lines.is_empty() => None,
            false => self.keeper.record(&lines),
        };
        self.report_save_status(words(keeping), output)
    }

    /// Adds a game that is over to the library, once.
    fn archive(&mut self, session: &PlainSession, output: &mut impl Write) -> io::Result<()> {
        if session.game().ending().is_none() || !self.keeper.has_game() {
            return Ok(());
        }
        match self.keeper.archive(session.game()) {
            Ok(Some(path)) if self.style.interactive => {
                let path = display_path(&path);
                writeln!(
                    output,
                    "In the library: {path}. The word pgn shows the record."
                )
            }
            Ok(_) => Ok(()),
            Err(why) => {
                if self.style.interactive {
                    writeln!(output, "\n{}", session.record())?;
                }
                self.report_save_status(Some(why), output)
            }
        }
    }

    /// The output on leaving: the record, unless the game is saved or in the library.
    fn leave(&self, session: &mut PlainSession, now: Timestamp) -> Output {
        match self.needs_no_record(session) {
            true => session.quit(now),
            false => session.end(now),
        }
    }

    /// Whether an interactive user can find the game again without its printed record.
    fn needs_no_record(&self, session: &PlainSession) -> bool {
        let game = session.game();
        let is_kept = match game.ending() {
            Some(_) => !self.keeper.has_game(),
            None => self.keeper.can_resume(game),
        };
        self.style.interactive && self.keeps && is_kept
    }

    /// Writes the file that the session asked for.
    fn save(&mut self, said: &Output, output: &mut impl Write) -> io::Result<()> {
        save(&mut self.keeper, said, output)
    }

    /// Reports about saving: on standard output in interactive use, else on standard error.
    fn report_save_status(&self, words: Option<String>, output: &mut impl Write) -> io::Result<()> {
        match words {
            None => Ok(()),
            Some(words) if self.style.interactive => writeln!(output, "{words}"),
            Some(words) => {
                let mut err = SafeWriter::new(io::stderr(), TextForm::Lines);
                writeln!(err, "touchmove: {words}")
            }
        }
    }
}

/// The message for a change in saving.
fn words(keeping: Option<SaveStatus>) -> Option<String> {
    Some(match keeping? {
        SaveStatus::Lost(why) => {
            format!("{why} Save it elsewhere: save FILE; or see it on leaving.")
        }
        SaveStatus::Again => "The game is kept again.".to_owned(),
    })
}

/// How long a computer may think after the end of input: as long as the longest move. An engine that does not
/// answer would be restarted again and again.
const LAST_ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the loop that waits for a computer looks for the end of input.
const GLANCE: Duration = Duration::from_millis(50);

/// An input event, or its absence.
enum PlainInput {
    Line(io::Result<InputLine>),
    /// The deadline passed.
    Nothing,
    /// The program was suspended and is resumed.
    Woken,
    /// The result of an analysis.
    Found(AnalysisResult),
    /// A computer's answer.
    Answered(ComputerReply),
    /// A signal to leave.
    Signal(Signal),
    End,
}

/// Reads lines on a thread of its own, so that a flag can fall while nobody types.
fn listen(mut input: impl BufRead + Send + 'static, sender: SyncSender<PlainInput>) {
    thread::spawn(move || {
        while let Some(line) = input::next(&mut input).transpose() {
            let failed = line.is_err();
            if sender.send(PlainInput::Line(line)).is_err() || failed {
                return;
            }
        }
        // Fails only after the session has ended.
        let _ = sender.send(PlainInput::End);
    });
}

/// Waits for a computer's answer. Typed lines wait too; a signal does not, and the end of input sets a timeout.
fn await_answer(
    answers: &Receiver<ComputerReply>,
    heard: &Receiver<PlainInput>,
    held: &mut Option<PlainInput>,
) -> PlainInput {
    let mut leaves_by = None;
    loop {
        match answers.recv_timeout(GLANCE) {
            Ok(reply) => return PlainInput::Answered(reply),
            Err(RecvTimeoutError::Disconnected) => return PlainInput::End,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if held.is_none() {
            *held = heard.try_recv().ok();
        }
        match held {
            Some(PlainInput::Signal(signal)) => return PlainInput::Signal(*signal),
            Some(PlainInput::End) => {
                let by = *leaves_by.get_or_insert_with(|| Instant::now() + LAST_ANSWER_TIMEOUT);
                if Instant::now() >= by {
                    return PlainInput::End;
                }
            }
            _ => {}
        }
    }
}

fn next_input(heard: &Receiver<PlainInput>, session: &PlainSession, now: Timestamp) -> PlainInput {
    let received = match session.deadline() {
        None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(deadline) => heard.recv_timeout(Duration::from_millis(deadline.since(now).0)),
    };
    received.unwrap_or_else(|error| match error {
        RecvTimeoutError::Timeout => PlainInput::Nothing,
        RecvTimeoutError::Disconnected => PlainInput::End,
    })
}

/// Puts unprompted output on a line of its own, after the prompt.
fn unasked(text: Option<String>) -> Output {
    Output {
        text: text.map(|text| format!("\n{text}")).unwrap_or_default(),
        ..Output::default()
    }
}

/// Writes a file that the session asked for, and reports it.
pub(super) fn save(
    keeper: &mut GameSaver,
    said: &Output,
    output: &mut impl Write,
) -> io::Result<()> {
    let Some(save) = &said.save else {
        return Ok(());
    };
    match keeper.save_as(&save.path, &save.contents) {
        Ok(path) => writeln!(output, "Saved to {}.", display_path(&path)),
        Err(why) => writeln!(output, "Not saved: {why}"),
    }
}

pub(super) fn print(said: &Output, output: &mut impl Write) -> io::Result<()> {
    output.write_all(said.text.as_bytes())
}
