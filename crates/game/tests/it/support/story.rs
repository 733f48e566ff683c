//! The `*.story` format: timed scripts of commands with the events and refusals that must follow.
//! It reads and checks stories; the stories themselves are data.
//!
//! ```text
//! story a flag falls at its deadline            # what the story shows
//! terms time=0:10 flag=fide                     # optional: variant, time, draws, flag, dead, takebacks,
//!                                               # clock_start, lag, gifts, no_show, absence, open, settle
//! start 4k3/8/8/8/8/8/8/4K2R w - - 0 1          # optional
//! play e4 e5                                    # moves nobody doubts, at the moment reached
//! 0:04 white Nf3 -> moved Nf3                   # who asks for what, and what comes of it
//! 0:12 - -> nothing                             # nobody does anything; time passes
//! 0:13 arbiter hold fire -> clocks_held         # what the arbiter does
//! 0:14 white Nc3 id=a seen=3 -> moved Nc3       # also lag=0:00.200, away=0:05
//! repeat 20 0:15 white give 0:15 -> time_given black 0:15.000
//! = clock black 0:02.000                        # what must be true now
//! ```

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use touchmove_game::journal;
use touchmove_game::{
    ArbiterAction, Budget, Command, Decision, Event, EventKind, Game, LagCompensation, Millis,
    Opening, Players, Refusal, Seat, Snapshot, Submission, SubmitResult, Terms, Timestamp, explain,
};
use touchmove_rules::{AnyPosition, Color, UciMove, Variant};

/// What a set of stories has covered.
#[derive(Default)]
pub struct Coverage {
    pub stories: usize,
    pub refusals: BTreeSet<&'static str>,
    pub endings: BTreeSet<&'static str>,
    pub events: BTreeSet<String>,
    /// Each story's file and title with its journal and game.
    pub journals: Vec<(String, String, Game)>,
}

/// Checks every story of a file. A failed story does not stop the others. Returns how many were checked.
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

/// A story while it runs.
struct Told {
    title: String,
    place: String,
    variant: Variant,
    terms: Vec<(String, String)>,
    start: Option<String>,
    running: Option<Running>,
    now: Timestamp,
    /// Whether analysis questions are answered at once, as at a terminal; otherwise by `settle`.
    settles: bool,
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
            settles: true,
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
                let command = Command::from(self.attempt(text));
                let answer = self.submit(&Submission::new(self.now, who, command), coverage);
                if let Some(refusal) = answer.refusal {
                    self.fail::<()>(&format!("{text}: {refusal}"));
                }
            }
        } else if let Some(fact) = line.strip_prefix("= ") {
            self.check_fact(fact);
        } else if let Some(repeated) = line.strip_prefix("repeat ") {
            let (times, step) = repeated.split_once(' ').unwrap_or_default();
            for _ in 0..times.parse().unwrap_or_else(|_| self.fail(line)) {
                self.step(step, coverage);
            }
        } else {
            self.step(line, coverage);
        }
    }

    fn fail<T>(&self, what: &str) -> T {
        panic!("{}: {what}", self.place)
    }

    fn begin(&mut self) -> Opening {
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
        let mut open = None;
        let mut settles = true;
        for (key, value) in &self.terms {
            let on = value == "on";
            let bad = |error: &dyn std::fmt::Display| self.fail::<()>(&format!("{key}: {error}"));
            let span = || match moment(value) {
                Some(span) => Some(Millis(span)),
                None => self.fail(value),
            };
            match key.as_str() {
                "variant" => {}
                "time" => match value.replace('_', " ").parse() {
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
                "clock_start" => value
                    .parse()
                    .map_or_else(|e| bad(&e), |start| terms.clock_start = start),
                "lag" => {
                    let (per_move, per_game) = value.split_once('/').unwrap_or_default();
                    let time = |text| Millis(moment(text).unwrap_or_else(|| self.fail(text)));
                    terms.lag = LagCompensation {
                        per_move: time(per_move),
                        per_game: time(per_game),
                    };
                }
                "takebacks" => terms.takebacks = on,
                "gifts" => terms.gifts = on,
                "no_show" => terms.no_show = span(),
                "absence" => terms.absence = span(),
                "open" => open = Some(value.clone()),
                "settle" => settles = on,
                _ => bad(&"no such term"),
            }
        }
        self.settles = settles;
        let players = Players {
            white: "Anna".to_owned(),
            black: "Ben".to_owned(),
        };
        let mut opening = Opening::of(terms, players, Timestamp(0));
        for color in Color::ALL {
            let named = |seats: String| seats == "both" || seats == lower(color);
            if open.clone().is_some_and(named) {
                opening.seats[color] = Seat::Open;
            }
        }
        opening
    }

    fn running(&mut self) -> &mut Running {
        if self.running.is_none() {
            let opening = self.begin();
            let (game, events) = Game::start(
                opening.clone(),
                touchmove_game::position_status::MOVE_ANALYSIS_BUDGET,
            );
            let mut states = vec![Game::open(opening.clone())];
            states.extend(events.iter().map(|_| game.clone()));
            self.running = Some(Running {
                states,
                journal: journal::write(&opening, &events),
                events,
            });
        }
        self.running.as_mut().expect("it has begun")
    }

    fn game(&mut self) -> &Game {
        self.running().states.last().expect("it has begun")
    }

    fn attempt(&mut self, text: &str) -> UciMove {
        if let Ok(attempt) = text.parse::<UciMove>() {
            return attempt;
        }
        match self.game().position().read_san(text) {
            Ok(mv) => self.game().position().uci(mv),
            Err(error) => self.fail(&format!("{text}: {error}")),
        }
    }

    fn submit(&mut self, request: &Submission, coverage: &mut Coverage) -> SubmitResult {
        let mut game = self.game().clone();
        let answer = game.submit_full(request);
        self.record(&answer.events, coverage);
        let evolved = self.game().clone();
        assert_eq!(
            evolved, game,
            "{}: submit is tick, decide and evolve",
            self.place
        );
        self.note(answer.refusal.as_ref(), coverage);
        answer
    }

    fn note(&self, refusal: Option<&Refusal>, coverage: &mut Coverage) {
        coverage
            .refusals
            .extend(refusal.map(|refusal| match refusal {
                Refusal::Illegal(_) => "illegal",
                other => other.code(),
            }));
    }

    fn record(&mut self, events: &[Event], coverage: &mut Coverage) {
        for event in events {
            let mut after = self.game().clone();
            coverage.events.insert(event.deed.name().to_owned());
            if let EventKind::Ended(conclusion) = &event.deed {
                coverage.endings.insert(conclusion.ending.status());
            }
            if let Err(impossible) = after.evolve(event) {
                self.fail::<()>(&impossible.to_string());
            }
            let running = self.running();
            running.journal.push_str(&journal::line(event));
            running.events.push(event.clone());
            running.states.push(after);
        }
    }

    /// Answers what a fallen flag means, as a search finds it.
    fn settle(&mut self, coverage: &mut Coverage) -> Vec<Event> {
        let game = self.game().clone();
        let events = match game.pending_analysis().filter(|_| game.flag().is_some()) {
            Some(question) => game.conclude(self.now, &question.answer(Budget::default())),
            None => Vec::new(),
        };
        self.record(&events, coverage);
        events
    }

    /// `TIME WHO COMMAND -> OUTCOME`
    fn step(&mut self, line: &str, coverage: &mut Coverage) {
        let (asked, expected) = line
            .split_once("->")
            .unwrap_or_else(|| self.fail("no `->`"));
        let mut words = asked.split_whitespace();
        let time = words.next().unwrap_or_default();
        self.now = Timestamp(moment(time).unwrap_or_else(|| self.fail(time)));
        self.game();
        let who = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let (mut events, refusal) = match who {
            "settle" => (self.settle(coverage), None),
            "-" => {
                let now = self.now;
                let events = self.game().tick(now);
                self.record(&events, coverage);
                (events, None)
            }
            "arbiter" => self.ordered(&words, coverage),
            who => {
                let who: Color = who
                    .parse()
                    .unwrap_or_else(|error| self.fail(&format!("{error}")));
                let request = self.request(who, &words);
                if let Ok(Decision::Repeated { seq }) = self.game().decide(&request) {
                    assert_eq!(format!("repeated {seq}"), expected.trim(), "{}", self.place);
                    return;
                }
                let answer = self.submit(&request, coverage);
                (answer.events, answer.refusal)
            }
        };
        if self.settles {
            events.extend(self.settle(coverage));
        }
        let found = outcome(&events, refusal.as_ref());
        assert_eq!(found, expected.trim(), "{}", self.place);
    }

    fn ordered(
        &mut self,
        words: &[&str],
        coverage: &mut Coverage,
    ) -> (Vec<Event>, Option<Refusal>) {
        let color = |text: &str| text.parse::<Color>().unwrap_or_else(|_| self.fail(text));
        let time = |text: &str| moment(text).unwrap_or_else(|| self.fail(text));
        let order = match words {
            ["hold", reason @ ..] => ArbiterAction::Hold {
                reason: reason.join(" "),
            },
            ["release"] => ArbiterAction::Release,
            ["give", to, span] => ArbiterAction::GiveTime {
                to: color(to),
                time: Millis(time(span)),
            },
            ["forfeit", player, reason @ ..] => ArbiterAction::Forfeit {
                player: color(player),
                reason: reason.join(" "),
            },
            ["abort", reason @ ..] => ArbiterAction::Abort {
                reason: reason.join(" "),
            },
            ["outage", from, until] => {
                let (from, until) = (Timestamp(time(from)), Timestamp(time(until)));
                let events = self.game().outage(from, until, "the house was away");
                self.record(&events, coverage);
                return (events, None);
            }
            _ => self.fail("no such order"),
        };
        let now = self.now;
        match self.game().order(now, &order) {
            Ok(events) => {
                self.record(&events, coverage);
                (events, None)
            }
            Err(refusal) => {
                self.note(Some(&refusal), coverage);
                (Vec::new(), Some(refusal))
            }
        }
    }

    fn request(&mut self, who: Color, words: &[&str]) -> Submission {
        let (facts, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| {
            let facts = ["id=", "seen=", "lag=", "away="];
            facts.iter().any(|fact| word.starts_with(fact))
        });
        let command = self.command(&words);
        let mut request = Submission::new(self.now, who, command);
        for fact in facts {
            let (name, value) = fact.split_once('=').unwrap_or_default();
            let time = || moment(value).unwrap_or_else(|| self.fail(value));
            match name {
                "id" => request.id = value.parse().ok(),
                "seen" => request.seen = value.parse().ok(),
                "lag" => request.lag = Millis(time()),
                _ => request.opponent_away = Some(Timestamp(time())),
            }
        }
        request
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
            ["give", span] => Command::GiveTime {
                time: Millis(moment(span).unwrap_or_else(|| self.fail(span))),
            },
            ["noshow"] => Command::ClaimNoShow,
            ["absence"] => Command::ClaimAbsence { draw: false },
            ["absence", "draw"] => Command::ClaimAbsence { draw: true },
            ["sit", name] => Command::Sit {
                name: (*name).to_owned(),
            },
            [text] => Command::from(self.attempt(text)),
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
                    "flag" => name(game.flag()),
                    "held" => game.held().unwrap_or("no").to_owned(),
                    "seq" => game.seq().to_string(),
                    "by" => {
                        let event = self.running().events.last().expect("something happened");
                        format!("{:?}", event.by).to_lowercase()
                    }
                    "names" => {
                        let players = game.players();
                        format!("{} {}", players.white, players.black)
                    }
                    "proved" => game
                        .conclusion()
                        .is_some_and(|conclusion| conclusion.is_proved())
                        .to_string(),
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

    /// Invariants of every story: the fold law, and that the journal gives the same game.
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
            game.evolve_all(&events[skipped..]);
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
        let snapshot = serde_json::to_string(&Snapshot::of(&replayed)).expect("it is written");
        let snapshot: Snapshot = serde_json::from_str(&snapshot).expect("it is read");
        assert_eq!(
            snapshot.restore().as_ref().ok(),
            states.last(),
            "{place}: the snapshot shows another game"
        );
        coverage
            .journals
            .push((place.clone(), journal.clone(), replayed.clone()));
        let opening = replayed.opening();
        let objections = journal::audit(opening, events, Budget::default()).objections;
        assert!(objections.is_empty(), "{place}: {objections:?}");
    }
}

/// The events in words, then the refusal. A flag that ends the game is not mentioned.
fn outcome(events: &[Event], refusal: Option<&Refusal>) -> String {
    let mut said = Vec::new();
    let ends = matches!(events.last(), Some(event) if matches!(event.deed, EventKind::Ended(_)));
    for event in events {
        let by = format!("{:?}", event.by).to_lowercase();
        let moment = precise(Some(Millis(event.at.0)));
        said.push(match &event.deed {
            EventKind::Seated { name } => format!("seated {by} {name}"),
            EventKind::Moved { san, lag, .. } => match *lag {
                Millis::ZERO => format!("moved {san}"),
                lag => format!("moved {san} lag {}", precise(Some(lag))),
            },
            EventKind::DrawClaimed { claim, announced } => {
                let with = announced.map(|mv| format!(" {mv}")).unwrap_or_default();
                format!("draw_claimed {by} {}{with}", claim.status())
            }
            EventKind::TakenBack { plies } => format!("taken_back {plies}"),
            EventKind::TimeGiven { to, time } => {
                format!("time_given {} {}", lower(*to), precise(Some(*time)))
            }
            EventKind::ClocksHeld { .. } => "clocks_held".to_owned(),
            EventKind::ClocksReleased => "clocks_released".to_owned(),
            EventKind::FlagFell { .. } if ends => continue,
            EventKind::FlagFell { player } => format!("flag_fell {} at {moment}", lower(*player)),
            EventKind::AbsenceClaimed { since } => {
                format!("absence_claimed {}", precise(Some(Millis(since.0))))
            }
            EventKind::Ended(conclusion) => {
                let ending = conclusion.ending;
                format!("ended {} {} at {moment}", ending.status(), ending.result())
            }
            deed => format!("{} {by}", deed.name()),
        });
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
