//! The `*.story` format: timed scripts of commands with the events and refusals that must follow.
//! It reads and checks stories; the stories themselves are data.
//!
//! ```text
//! story a flag falls at its deadline            # what the story shows
//! terms time=0:10 flag=fide                     # optional: variant, time, draws, flag, dead, takebacks
//! start 4k3/8/8/8/8/8/8/4K2R w - - 0 1          # optional
//! play e4 e5                                    # moves nobody doubts, at the moment reached
//! 0:04 white Nf3 -> moved Nf3                   # who asks for what, and what comes of it
//! 0:12 - -> nothing                             # nobody does anything; time passes
//! = clock black 0:02.000                        # what must be true now
//! ```

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use touchmove_game::journal::{self, Record};
use touchmove_game::{
    Answer, Command, Deed, Event, Game, Millis, Players, Refusal, Terms, Timestamp, explain,
};
use touchmove_rules::{AnyPosition, Attempt, Color, Variant};

/// What a set of stories has brought about.
#[derive(Default)]
pub struct Coverage {
    pub stories: usize,
    pub refusals: BTreeSet<&'static str>,
    pub endings: BTreeSet<&'static str>,
    pub events: BTreeSet<String>,
}

/// Checks every story of a file; a story that comes out wrong does not keep the others from being
/// told. Returns how many did.
pub fn check(name: &str, text: &str, coverage: &mut Coverage) -> usize {
    let mut stories: Vec<Vec<(usize, &str)>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split(" # ").next().unwrap_or_default().trim();
        if line.starts_with("story ") {
            stories.push(Vec::new());
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let lines = stories
            .last_mut()
            .unwrap_or_else(|| panic!("{name}:{}: no story", index + 1));
        lines.push((index + 1, line));
    }
    let wrong = stories
        .iter()
        .filter(|lines| catch_unwind(AssertUnwindSafe(|| tell(name, lines, coverage))).is_err());
    wrong.count()
}

fn tell(name: &str, lines: &[(usize, &str)], coverage: &mut Coverage) {
    let (_, first) = lines[0];
    let mut told = Told::new(first.trim_start_matches("story "));
    for (number, line) in &lines[1..] {
        told.place = format!("{name}:{number} ({})", told.title);
        told.line(line, coverage);
    }
    told.finish(coverage);
}

/// A story as far as it has been told.
struct Told {
    title: String,
    place: String,
    variant: Variant,
    terms: Vec<(String, String)>,
    start: Option<String>,
    running: Option<Running>,
    now: Timestamp,
}

struct Running {
    /// The game after each event, the beginning first.
    states: Vec<Game>,
    events: Vec<Event>,
    journal: String,
}

impl Told {
    fn new(title: &str) -> Told {
        Told {
            title: title.to_owned(),
            place: title.to_owned(),
            variant: Variant::Chess,
            terms: Vec::new(),
            start: None,
            running: None,
            now: Timestamp(0),
        }
    }

    fn line(&mut self, line: &str, coverage: &mut Coverage) {
        if let Some(terms) = line.strip_prefix("terms ") {
            for term in terms.split_whitespace() {
                let (key, value) = term.split_once('=').unwrap_or_else(|| self.fail(term));
                self.terms.push((key.to_owned(), value.to_owned()));
            }
        } else if let Some(fen) = line.strip_prefix("start ") {
            self.start = Some(fen.trim().to_owned());
        } else if let Some(moves) = line.strip_prefix("play ") {
            for text in moves.split_whitespace() {
                let game = self.game();
                let who = game.turn();
                let command = Command::Move(self.attempt(text));
                let answer = self.submit(who, command, coverage);
                if let Some(refusal) = answer.refusal {
                    self.fail::<()>(&format!("{text}: {refusal}"));
                }
            }
        } else if let Some(fact) = line.strip_prefix("= ") {
            self.check_fact(fact);
        } else {
            self.step(line, coverage);
        }
    }

    fn fail<T>(&self, what: &str) -> T {
        panic!("{}: {what}", self.place)
    }

    fn begin(&self) -> Game {
        let mut variant = self.variant;
        for (key, value) in &self.terms {
            if key == "variant" {
                variant = value
                    .parse()
                    .unwrap_or_else(|error| self.fail(&format!("{error}")));
            }
        }
        let start = match &self.start {
            None => AnyPosition::start(variant),
            Some(fen) => AnyPosition::from_fen(fen, variant)
                .unwrap_or_else(|error| self.fail(&format!("{error}"))),
        };
        let mut terms = Terms::from(start);
        for (key, value) in &self.terms {
            let bad = |error: &dyn std::fmt::Display| self.fail::<()>(&format!("{key}: {error}"));
            match key.as_str() {
                "variant" => {}
                "time" => match value.parse() {
                    Ok(time) => terms.time = Some(time),
                    Err(error) => bad(&error),
                },
                "draws" => value
                    .parse()
                    .map_or_else(|e| bad(&e), |draws| terms.draws = draws),
                "flag" => value
                    .parse()
                    .map_or_else(|e| bad(&e), |flag| terms.flag = flag),
                "dead" => value
                    .parse()
                    .map_or_else(|e| bad(&e), |dead| terms.dead = dead),
                "takebacks" => terms.takebacks = value == "on",
                _ => bad(&"no such term"),
            }
        }
        let players = Players {
            white: "Anna".to_owned(),
            black: "Ben".to_owned(),
        };
        Game::begin(terms, players, Timestamp(0))
    }

    fn running(&mut self) -> &mut Running {
        if self.running.is_none() {
            let game = self.begin();
            let journal = Record::opening(&game).line();
            self.running = Some(Running {
                states: vec![game],
                events: Vec::new(),
                journal,
            });
        }
        self.running.as_mut().expect("it has begun")
    }

    fn game(&mut self) -> &Game {
        self.running().states.last().expect("it has begun")
    }

    fn attempt(&mut self, text: &str) -> Attempt {
        if let Ok(attempt) = text.parse::<Attempt>() {
            return attempt;
        }
        match self.game().position().read_san(text) {
            Ok(mv) => self.game().position().uci(mv),
            Err(error) => self.fail(&format!("{text}: {error}")),
        }
    }

    fn submit(&mut self, who: Color, command: Command, coverage: &mut Coverage) -> Answer {
        let now = self.now;
        let mut game = self.game().clone();
        let answer = game.submit(now, who, command);
        self.record(&answer.events, coverage);
        let evolved = self.game().clone();
        assert_eq!(
            evolved, game,
            "{}: submit is tick, decide and evolve",
            self.place
        );
        if let Some(refusal) = &answer.refusal {
            coverage.refusals.insert(match refusal {
                Refusal::Illegal(_) => "illegal",
                other => other.code(),
            });
        }
        answer
    }

    fn record(&mut self, events: &[Event], coverage: &mut Coverage) {
        for event in events {
            let before = self.game().clone();
            let record = Record::of(&before, event);
            coverage.events.insert(record.name().to_owned());
            if let Deed::Ended(ending) = event.deed {
                coverage.endings.insert(ending.status());
            }
            let mut after = before;
            after.evolve(event);
            let running = self.running();
            running.journal.push_str(&record.line());
            running.events.push(*event);
            running.states.push(after);
        }
    }

    /// `TIME WHO COMMAND -> OUTCOME`
    fn step(&mut self, line: &str, coverage: &mut Coverage) {
        let (asked, expected) = line
            .split_once("->")
            .unwrap_or_else(|| self.fail("no `->`"));
        let mut words = asked.split_whitespace();
        let time = words.next().unwrap_or_default();
        self.now = Timestamp(moment(time).unwrap_or_else(|| self.fail(time)));
        let who = words.next().unwrap_or_default();
        let outcome = if who == "-" {
            let tick = self.game().clone().tick(self.now);
            let before = self.game().clone();
            self.record(tick.as_slice(), coverage);
            outcome(&before, tick.as_slice(), None)
        } else {
            let who: Color = who
                .parse()
                .unwrap_or_else(|error| self.fail(&format!("{error}")));
            let words: Vec<&str> = words.collect();
            let command = self.command(&words);
            let before = self.game().clone();
            let answer = self.submit(who, command, coverage);
            outcome(&before, &answer.events, answer.refusal.as_ref())
        };
        assert_eq!(outcome, expected.trim(), "{}", self.place);
    }

    fn command(&mut self, words: &[&str]) -> Command {
        match words {
            ["draw"] => Command::OfferDraw,
            ["accept"] => Command::AcceptDraw,
            ["decline"] => Command::DeclineDraw,
            ["claim"] => Command::ClaimDraw { announced: None },
            ["claim", text] => Command::ClaimDraw {
                announced: Some(self.attempt(text)),
            },
            ["resign"] => Command::Resign,
            ["takeback"] => Command::OfferTakeback,
            ["allow"] => Command::AcceptTakeback,
            ["deny"] => Command::DeclineTakeback,
            ["abort"] => Command::Abort,
            [text] => Command::Move(self.attempt(text)),
            _ => self.fail("no such command"),
        }
    }

    fn check_fact(&mut self, fact: &str) {
        let now = self.now;
        let game = self.game().clone();
        let (what, expected) = fact.split_once(' ').unwrap_or((fact, ""));
        let name = |side: Option<Color>| match side {
            Some(color) => color.to_string().to_lowercase(),
            None => "none".to_owned(),
        };
        let (found, expected) = match what {
            "clock" => {
                let (player, time) = expected.split_once(' ').unwrap_or_else(|| self.fail(fact));
                let player = player.parse().unwrap_or_else(|_| self.fail(fact));
                (precise(game.time_left(player, now)), time.to_owned())
            }
            "deadline" => (
                precise(game.deadline().map(|at| Millis(at.0))),
                expected.to_owned(),
            ),
            "says" => {
                let text = explain::sentence(&game);
                let holds = text.contains(expected);
                (
                    if holds { expected.to_owned() } else { text },
                    expected.to_owned(),
                )
            }
            _ => {
                let found = match what {
                    "status" => game
                        .ending()
                        .map_or("ongoing", |ending| ending.status())
                        .to_owned(),
                    "result" => game
                        .ending()
                        .map_or("*", |ending| ending.result())
                        .to_owned(),
                    "winner" => name(game.ending().and_then(|ending| ending.winner())),
                    "fen" => game.position().fen().to_string(),
                    "turn" => name(Some(game.turn())),
                    "draw_offer" => name(game.draw_offer()),
                    "takeback_offer" => name(game.takeback_offer()),
                    "repetitions" => game.repetitions().to_string(),
                    "claims" => {
                        let claims: Vec<_> = game.claims().iter().map(|c| c.status()).collect();
                        claims.join(" ")
                    }
                    "moves" => {
                        let moves: Vec<_> = game.plies().iter().map(|p| p.san.as_str()).collect();
                        moves.join(" ")
                    }
                    _ => self.fail(&format!("nothing is called {what:?}")),
                };
                (found, expected.to_owned())
            }
        };
        assert_eq!(found, expected, "{}", self.place);
    }

    /// The laws that every story keeps: the fold law, and that the journal tells the same game.
    fn finish(mut self, coverage: &mut Coverage) {
        coverage.stories += 1;
        let place = self.place.clone();
        let Running {
            states,
            events,
            journal,
        } = self.running();
        for (skipped, state) in states.iter().enumerate() {
            let mut game = state.clone();
            for event in &events[skipped..] {
                game.evolve(event);
            }
            assert_eq!(
                Some(&game),
                states.last(),
                "{place}: fold from event {skipped} on"
            );
        }
        let replayed = journal::replay(journal).unwrap_or_else(|fault| panic!("{place}: {fault}"));
        assert_eq!(
            Some(&replayed),
            states.last(),
            "{place}: the journal tells another game"
        );
    }
}

/// The events in words, then the refusal.
fn outcome(before: &Game, events: &[Event], refusal: Option<&Refusal>) -> String {
    let mut game = before.clone();
    let mut said = Vec::new();
    for event in events {
        said.push(match event.deed {
            Deed::Moved(mv) => format!("moved {}", game.position().san(mv)),
            Deed::DrawOffered { by } => format!("draw_offered {}", lower(by)),
            Deed::DrawDeclined { by } => format!("draw_declined {}", lower(by)),
            Deed::DrawClaimed {
                by,
                claim,
                announced,
            } => {
                let with = announced.map(|mv| format!(" {}", game.position().san(mv)));
                let with = with.unwrap_or_default();
                format!("draw_claimed {} {}{with}", lower(by), claim.status())
            }
            Deed::TakebackOffered { by } => format!("takeback_offered {}", lower(by)),
            Deed::TakebackDeclined { by } => format!("takeback_declined {}", lower(by)),
            Deed::TakebackWithdrawn { by } => format!("takeback_withdrawn {}", lower(by)),
            Deed::TakenBack { plies } => format!("taken_back {plies}"),
            Deed::Ended(ending) => {
                let moment = precise(Some(Millis(event.at.0)));
                format!("ended {} {} at {moment}", ending.status(), ending.result())
            }
        });
        game.evolve(event);
    }
    said.extend(refusal.map(|refusal| format!("refused {}", refusal.code())));
    if said.is_empty() {
        "nothing".to_owned()
    } else {
        said.join(", ")
    }
}

fn lower(color: Color) -> String {
    color.to_string().to_lowercase()
}

/// `m:ss.mmm`, or `none`.
fn precise(time: Option<Millis>) -> String {
    match time {
        None => "none".to_owned(),
        Some(Millis(ms)) => format!("{}:{:02}.{:03}", ms / 60_000, ms / 1000 % 60, ms % 1000),
    }
}

/// Reads `m:ss` or `m:ss.mmm`.
fn moment(text: &str) -> Option<u64> {
    let (minutes, seconds) = text.split_once(':')?;
    let (seconds, millis) = seconds.split_once('.').unwrap_or((seconds, "000"));
    let [minutes, seconds, millis] =
        [minutes, seconds, millis].map(|part| part.parse::<u64>().ok());
    Some((minutes? * 60 + seconds?) * 1000 + millis?)
}
