//! Games between two UCI engines under touchmove's rules, with both colours of every opening and a fixed
//! number of nodes for each move. Clocks are left out on purpose: a busy machine must not decide games.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, bail};
use touchmove_engine::{Engine, Limits, Score, Table, Unwatched};
use touchmove_rules::{AnyPosition, Color, Variant, counted, material, with_position};

#[derive(clap::Args)]
pub struct Arguments {
    /// The engine whose score is printed, as a command with its arguments
    first: String,
    /// Its opponent
    second: String,
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// Games, two for each opening
    #[arg(long, default_value_t = 40)]
    games: u32,
    /// What the first engine is told to go with
    #[arg(long, default_value = "nodes 5000")]
    first_go: String,
    /// What the second engine is told to go with
    #[arg(long, default_value = "nodes 5000")]
    second_go: String,
    /// An option of the first engine, as name=value
    #[arg(long)]
    first_option: Vec<String>,
    /// An option of the second engine, as name=value
    #[arg(long)]
    second_option: Vec<String>,
    /// Random plies at the beginning
    #[arg(long, default_value_t = 6)]
    plies: u32,
    /// How far an opening may be from even, in hundredths of a pawn
    #[arg(long, default_value_t = 100)]
    margin: i32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    fastrand::seed(arguments.seed);
    let variant = arguments.variant;
    let mut first = Player::start(&arguments.first, &arguments.first_option, variant)?;
    let mut second = Player::start(&arguments.second, &arguments.second_option, variant)?;
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    let mut opening = Vec::new();
    for game in 0..arguments.games {
        let is_white = game % 2 == 0;
        if is_white {
            opening = draw_opening(arguments);
        }
        let gos = (arguments.first_go.as_str(), arguments.second_go.as_str());
        let winner = if is_white {
            play(variant, &opening, [&mut first, &mut second], [gos.0, gos.1])?
        } else {
            play(variant, &opening, [&mut second, &mut first], [gos.1, gos.0])?
        };
        match winner {
            None => draws += 1,
            Some(winner) if winner.is_white() == is_white => wins += 1,
            Some(_) => losses += 1,
        }
        println!("{}", summary(wins, draws, losses));
    }
    Ok(ExitCode::SUCCESS)
}

/// The score so far, and the difference in Elo with the bounds of two standard errors.
fn summary(wins: u32, draws: u32, losses: u32) -> String {
    let count = f64::from(wins + draws + losses);
    let mean = (f64::from(wins) + f64::from(draws) / 2.0) / count;
    let spread = |result: f64, times: u32| f64::from(times) * (result - mean).powi(2);
    let variance = (spread(1.0, wins) + spread(0.5, draws) + spread(0.0, losses)) / count;
    let error = 2.0 * (variance / count).sqrt();
    let elo = |score: f64| {
        let score = score.clamp(0.001, 0.999);
        400.0 * (score / (1.0 - score)).log10()
    };
    format!(
        "+{wins} ={draws} -{losses}  {:.1} %  Elo {:+.0} ({:+.0} to {:+.0})",
        100.0 * mean,
        elo(mean),
        elo(mean - error),
        elo(mean + error)
    )
}

/// Random moves after which neither side is much better.
fn draw_opening(arguments: &Arguments) -> Vec<String> {
    let (mut engine, table) = (Engine::new(), Table::with_megabytes(1));
    let limits = Limits {
        nodes: Some(5000),
        ..Limits::default()
    };
    loop {
        let mut position = AnyPosition::start(arguments.variant);
        let mut moves = Vec::new();
        for _ in 0..arguments.plies {
            let legal = position.legal_moves();
            if position.outcome().is_some() {
                break;
            }
            let mv = legal[fastrand::usize(..legal.len())];
            moves.push(position.uci(mv).to_string());
            position.play(mv);
        }
        let found = engine.search_any(&position, &[], &limits, &table, &mut Unwatched);
        let score = found.lines.first().map(|line| line.score);
        if matches!(score, Some(Score::Centipawns(value)) if value.abs() <= arguments.margin) {
            return moves;
        }
    }
}

/// One game; who has won. An engine that makes no legal move has lost.
fn play(
    variant: Variant,
    opening: &[String],
    mut players: [&mut Player; 2],
    gos: [&str; 2],
) -> Result<Option<Color>> {
    let mut position = AnyPosition::start(variant);
    let mut keys = Vec::new();
    let mut moves: Vec<String> = Vec::new();
    for player in &mut players {
        player.send("ucinewgame")?;
        player.wait_until_ready()?;
    }
    let mut opening = opening.iter();
    while keys.len() < 600 {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.winner());
        }
        keys.push(position.key());
        let seen = keys.iter().filter(|&key| Some(key) == keys.last()).count();
        let is_dead = with_position!(&position, position => material::is_dead(position));
        if is_dead || counted::claims(seen, position.halfmoves()).next().is_some() {
            return Ok(None);
        }
        let us = position.turn();
        let text = match opening.next() {
            Some(text) => text.clone(),
            None => {
                let player = &mut players[us as usize];
                player.send(&format!("position startpos moves {}", moves.join(" ")))?;
                player.send(&format!("go {}", gos[us as usize]))?;
                player.best_move()?
            }
        };
        let Ok(mv) = position.read_uci(&text) else {
            println!("{text:?} is not legal in {}", position.fen());
            return Ok(Some(!us));
        };
        moves.push(text);
        position.play(mv);
    }
    Ok(None)
}

/// A running engine.
struct Player {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start(command: &str, options: &[String], variant: Variant) -> Result<Player> {
        let mut words = command.split_whitespace();
        let program = words.next().context("an engine is a command")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{program} does not start"))?;
        let input = child.stdin.take().context("an engine reads")?;
        let output = BufReader::new(child.stdout.take().context("an engine writes")?);
        let mut player = Player {
            child,
            input,
            output,
        };
        player.send("uci")?;
        player.read_to("uciok")?;
        match variant {
            Variant::Chess => {}
            Variant::Chess960 => player.send("setoption name UCI_Chess960 value true")?,
            other => player.send(&format!("setoption name UCI_Variant value {other}"))?,
        }
        for option in options {
            let (name, value) = option.split_once('=').context("an option is name=value")?;
            player.send(&format!("setoption name {name} value {value}"))?;
        }
        player.wait_until_ready()?;
        Ok(player)
    }

    fn send(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        self.send("isready")?;
        self.read_to("readyok").map(drop)
    }

    fn best_move(&mut self) -> Result<String> {
        let line = self.read_to("bestmove")?;
        Ok(line
            .split_whitespace()
            .nth(1)
            .unwrap_or_default()
            .to_owned())
    }

    /// The first line that begins so.
    fn read_to(&mut self, start: &str) -> Result<String> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.output.read_until(b'\n', &mut line)? == 0 {
                bail!("an engine has left instead of saying {start}");
            }
            let text = String::from_utf8_lossy(&line);
            if text.starts_with(start) {
                return Ok(text.trim().to_owned());
            }
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // Whoever does not leave by itself is made to; there is nothing to do if that fails.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
