//! The checker: what the players of a game know against what the server has kept of it.

mod clocks;

use std::collections::HashMap;

use serde_json::Value;

use crate::record::{AcceptedCommand, Record, Side, id, mark};

/// How far times may be apart, in milliseconds.
pub const TOLERANCE_MILLIS: u64 = 100;

/// What is held against the record.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The clocks: what each player has at first and gets for each move, in milliseconds.
    pub clock: Clock,
    /// Whether moments of moves are held against the clock on the wall.
    pub on_the_wall: bool,
    /// How far the time between two moves may be from what the players saw, in milliseconds.
    pub between: u64,
}

/// A time control without stages.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// What a player has at first.
    pub base: u64,
    /// What he gets for each move.
    pub increment: u64,
}

/// A stretch in which the arbiter held the clocks, on the wall.
#[derive(Clone, Copy, Debug)]
pub struct ClockHold {
    /// From when.
    pub from: u64,
    /// Until when.
    pub until: u64,
}

/// A journal that was read.
pub struct Journal {
    lines: Vec<Line>,
}

struct Line {
    value: Value,
    mark: u64,
}

impl Line {
    fn number(&self, key: &str) -> Option<u64> {
        self.value.get(key)?.as_u64()
    }

    fn word(&self, key: &str) -> Option<&str> {
        self.value.get(key)?.as_str()
    }

    fn by(&self) -> Option<Side> {
        let by = self.word("by")?;
        Side::BOTH.into_iter().find(|side| side.name() == by)
    }
}

impl Journal {
    /// Reads a journal.
    pub fn read(text: &str) -> Result<Journal, String> {
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let value: Value = serde_json::from_str(line)
                .map_err(|error| format!("line {number} of the journal is unreadable: {error}"))?;
            let mark = mark(line.as_bytes());
            lines.push(Line { value, mark });
        }
        Ok(Journal { lines })
    }

    /// How many moves it has.
    pub fn moves(&self) -> usize {
        let moved = |line: &&Line| line.word("event") == Some("moved");
        self.lines.iter().filter(moved).count()
    }

    /// When the first and the last move were made.
    pub fn played(&self) -> Option<(u64, u64)> {
        let moved = |line: &&Line| line.word("event") == Some("moved");
        let mut moments = self.lines.iter().filter(moved);
        let first = moments.next()?.number("at")?;
        let last = moments.next_back()?.number("at")?;
        Some((first, last))
    }

    /// How the game ended, if it did.
    pub fn ending(&self) -> Option<&str> {
        let last = self.lines.last()?;
        match last.word("event") {
            Some("ended") => last.word("status"),
            _ => None,
        }
    }

    /// Whether a flag fell.
    pub fn has_flag(&self) -> bool {
        let fell = |line: &Line| line.word("event") == Some("flag_fell");
        self.lines.iter().any(fell)
    }

    /// When the clocks were held.
    pub fn held(&self) -> Vec<ClockHold> {
        let mut stretches = Vec::new();
        let mut from = None;
        for line in &self.lines {
            match (line.word("event"), line.number("at")) {
                (Some("clocks_held"), at) => from = at,
                (Some("clocks_released"), Some(until)) => {
                    stretches.extend(from.take().map(|from| ClockHold { from, until }));
                }
                _ => {}
            }
        }
        stretches
    }

    /// Everything that is wrong with it, by itself and against what the players know. Each sentence names
    /// the game.
    pub fn check(&self, record: &Record, rules: &Rules) -> Vec<String> {
        let mut wrong = Vec::new();
        self.check_order(&mut wrong);
        self.check_commands(record, rules, &mut wrong);
        self.check_told(record, &mut wrong);
        self.check_between(record, rules, &mut wrong);
        wrong.extend(clocks::check(&self.lines, rules.clock));
        let game = &record.game;
        wrong
            .iter()
            .map(|wrong| format!("game {game}: {wrong}"))
            .collect()
    }

    /// Numbers without gaps, times that do not run back, moves in turns, nothing after the end.
    fn check_order(&self, wrong: &mut Vec<String>) {
        let mut at = 0;
        let mut mover = None;
        for (index, line) in self.lines.iter().enumerate() {
            let (seq, event) = (line.number("seq"), line.word("event").unwrap_or_default());
            if seq != Some(index as u64) {
                wrong.push(format!(
                    "line {index} of the journal has the number {seq:?}"
                ));
            }
            if (index == 0) != (event == "started") {
                wrong.push(format!("line {index} of the journal is {event:?}"));
            }
            let now = line.number("at").unwrap_or(0);
            if now < at {
                wrong.push(format!(
                    "event {index} is {} ms before the one before",
                    at - now
                ));
            }
            at = now;
            if event == "moved" {
                let by = line.by();
                if by.is_none() || by == mover {
                    wrong.push(format!("event {index} is a move out of turn by {by:?}"));
                }
                mover = by;
            }
            if event == "ended" && index + 1 != self.lines.len() {
                wrong.push(format!("the game went on after its end at event {index}"));
            }
        }
    }

    /// What was granted is there once, where the answer said; what was refused is not; nobody else moved.
    fn check_commands(&self, record: &Record, rules: &Rules, wrong: &mut Vec<String>) {
        let mut named: HashMap<(usize, &str), usize> = HashMap::new();
        for line in &self.lines {
            if let (Some(by), Some(name)) = (line.by(), line.word("id")) {
                *named.entry((by.index(), name)).or_default() += 1;
            }
        }
        for ((side, name), times) in &named {
            if *times > 1 {
                wrong.push(format!("command {name} happened {times} times"));
            }
            let side = Side::BOTH[*side];
            let number = name.get(1..).and_then(|number| number.parse::<u64>().ok());
            let was_sent = number.is_some_and(|number| {
                *name == id(side, number) && number < record.sent[side.index()]
            });
            if !was_sent {
                wrong.push(format!("command {name} of {side} was never sent by {side}"));
            }
        }
        for granted in &record.granted {
            let name = id(granted.by, granted.number);
            let line = usize::try_from(granted.seq).ok();
            let Some(line) = line.and_then(|index| self.lines.get(index)) else {
                wrong.push(format!(
                    "{name} was granted as event {}, which is missing",
                    granted.seq
                ));
                continue;
            };
            let is_it = line.word("id") == Some(&name)
                && line.by() == Some(granted.by)
                && granted
                    .uci
                    .as_deref()
                    .is_none_or(|uci| line.word("move") == Some(uci));
            if !is_it {
                let (seq, there) = (granted.seq, &line.value);
                wrong.push(format!(
                    "{name} was granted as event {seq}, where there is {there}"
                ));
            }
            let at = line.number("at").unwrap_or(0);
            let is_timely =
                at + TOLERANCE_MILLIS >= granted.sent && at <= granted.answered + TOLERANCE_MILLIS;
            if rules.on_the_wall && !is_timely {
                let (sent, answered) = (granted.sent, granted.answered);
                wrong.push(format!(
                    "{name} was sent at {sent} and answered at {answered}, but happened at {at}"
                ));
            }
        }
        if record.is_called_over && self.ending().is_none() && !self.has_flag() {
            wrong.push("a player was told that it is over, and it is not".to_owned());
        }
        for refused in &record.refused {
            let name = id(refused.by, refused.number);
            if named.contains_key(&(refused.by.index(), name.as_str())) {
                wrong.push(format!("command {name} was refused, and happened"));
            }
        }
    }

    /// Between two moves there is as much time in the journal as there was for the players.
    fn check_between(&self, record: &Record, rules: &Rules, wrong: &mut Vec<String>) {
        let at = |granted: &AcceptedCommand| {
            let index = usize::try_from(granted.seq).ok()?;
            self.lines.get(index)?.number("at")
        };
        let mut granted: Vec<&AcceptedCommand> = record.granted.iter().collect();
        granted.sort_unstable_by_key(|granted| granted.seq);
        for pair in granted.windows(2) {
            let (Some(before), Some(after)) = (at(pair[0]), at(pair[1])) else {
                continue;
            };
            let least = pair[1].sent.saturating_sub(pair[0].answered);
            let most = pair[1].answered.saturating_sub(pair[0].sent);
            let between = after.saturating_sub(before);
            if between + rules.between < least || between > most + rules.between {
                let seq = pair[1].seq;
                wrong.push(format!(
                    "{between} ms passed before event {seq}, for the players {least} to {most}"
                ));
            }
        }
    }

    /// What players were told is what happened.
    fn check_told(&self, record: &Record, wrong: &mut Vec<String>) {
        let [white, black] = &record.told;
        let readers = [
            ("white", white),
            ("black", black),
            ("a spectator", &record.watched),
        ];
        for (reader, told) in readers {
            for told in told {
                let index = usize::try_from(told.seq).unwrap_or(usize::MAX);
                match self.lines.get(index) {
                    Some(line) if line.mark == told.mark => {}
                    Some(_) => wrong.push(format!("{reader} was told another event {index}")),
                    None => {
                        wrong.push(format!("{reader} was told event {index}, which is missing"));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ReceivedEvent, RefusedCommand};

    const RULES: Rules = Rules {
        clock: Clock {
            base: 300_000,
            increment: 3_000,
        },
        on_the_wall: true,
        between: TOLERANCE_MILLIS,
    };

    /// A short game, and what its players know of it.
    fn game() -> (Vec<String>, Record) {
        let lines = [
            r#"{"v":1,"seq":0,"at":1000,"event":"started"}"#,
            r#"{"v":1,"seq":1,"at":1100,"by":"black","event":"seated","name":"B"}"#,
            r#"{"v":1,"seq":2,"at":2000,"by":"white","id":"w0","event":"moved","move":"e2e4","clock":300000}"#,
            r#"{"v":1,"seq":3,"at":5000,"by":"black","id":"b0","event":"moved","move":"e7e5","clock":300000}"#,
            r#"{"v":1,"seq":4,"at":6000,"by":"arbiter","event":"clocks_held","reason":"away"}"#,
            r#"{"v":1,"seq":5,"at":16000,"by":"arbiter","event":"clocks_released"}"#,
            r#"{"v":1,"seq":6,"at":17000,"by":"white","id":"w1","event":"moved","move":"g1f3","lag":50,"clock":301050}"#,
        ];
        let granted = |by, number, seq, uci: &str, at: u64| AcceptedCommand {
            by,
            number,
            seq,
            uci: Some(uci.to_owned()),
            sent: at - 20,
            answered: at + 20,
        };
        let told = |seq: usize| ReceivedEvent {
            seq: seq as u64,
            mark: mark(lines[seq].as_bytes()),
        };
        let record = Record {
            game: "test".to_owned(),
            granted: vec![
                granted(Side::White, 0, 2, "e2e4", 2_000),
                granted(Side::Black, 0, 3, "e7e5", 5_000),
                granted(Side::White, 1, 6, "g1f3", 17_000),
            ],
            told: [vec![told(2), told(3)], vec![told(2), told(6)]],
            sent: [2, 1],
            ..Record::default()
        };
        (lines.map(str::to_owned).to_vec(), record)
    }

    fn wrong(lines: &[String], record: &Record) -> Vec<String> {
        let journal = Journal::read(&lines.join("\n")).unwrap();
        journal.check(record, &RULES)
    }

    #[test]
    fn a_right_journal_is_right() {
        let (lines, record) = game();
        assert_eq!(wrong(&lines, &record), Vec::<String>::new());
        let journal = Journal::read(&lines.join("\n")).unwrap();
        let held = journal.held();
        assert_eq!(
            (held.len(), held[0].from, held[0].until),
            (1, 6_000, 16_000)
        );
        assert_eq!(journal.moves(), 3);
    }

    #[test]
    fn a_lost_move_is_found() {
        let (mut lines, record) = game();
        lines.pop();
        let wrong = wrong(&lines, &record);
        assert!(
            wrong
                .iter()
                .any(|text| text.contains("w1 was granted as event 6")),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_move_that_happened_twice_is_found() {
        let (mut lines, record) = game();
        lines.push(lines[6].replace("\"seq\":6", "\"seq\":7"));
        let wrong = wrong(&lines, &record);
        assert!(
            wrong
                .iter()
                .any(|text| text.contains("w1 happened 2 times")),
            "{wrong:?}"
        );
        assert!(
            wrong.iter().any(|text| text.contains("out of turn")),
            "{wrong:?}"
        );
    }

    #[test]
    fn another_order_is_found() {
        let (mut lines, record) = game();
        lines.swap(2, 3);
        assert!(!wrong(&lines, &record).is_empty());
    }

    #[test]
    fn a_changed_event_is_found() {
        let (mut lines, record) = game();
        lines[3] = lines[3].replace("e7e5", "e7e6");
        let wrong = wrong(&lines, &record);
        assert!(
            wrong
                .iter()
                .any(|text| text.contains("told another event 3")),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_spectator_who_was_told_otherwise_is_found() {
        let (lines, mut record) = game();
        record.watched = record.told[0].clone();
        assert_eq!(wrong(&lines, &record), Vec::<String>::new());
        record.watched[0].mark ^= 1;
        let wrong = wrong(&lines, &record);
        assert!(
            wrong
                .iter()
                .any(|text| text.contains("a spectator was told another event 2")),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_flag_that_falls_too_early_or_too_late_is_found() {
        for (at, is_right) in [
            (5_000 + 300_000, true),
            (5_000 + 299_000, false),
            (5_000 + 301_000, false),
        ] {
            let (mut lines, mut record) = game();
            lines.truncate(4);
            record.granted.truncate(2);
            record.told = Default::default();
            lines.push(format!(
                r#"{{"v":1,"seq":4,"at":{at},"by":"arbiter","event":"flag_fell","player":"white"}}"#
            ));
            let wrong = wrong(&lines, &record);
            assert_eq!(wrong.is_empty(), is_right, "{wrong:?}");
        }
    }

    #[test]
    fn a_game_that_is_decided_twice_is_found() {
        let (mut lines, record) = game();
        for seq in [7, 8] {
            lines.push(format!(
                r#"{{"v":1,"seq":{seq},"at":18000,"by":"arbiter","event":"ended","status":"draw"}}"#
            ));
        }
        let wrong = wrong(&lines, &record);
        assert!(
            wrong
                .iter()
                .any(|text| text.contains("went on after its end")),
            "{wrong:?}"
        );
    }

    #[test]
    fn what_was_refused_must_not_have_happened() {
        let (lines, mut record) = game();
        record.granted.remove(1);
        let (by, number) = (Side::Black, 0);
        record.refused.push(RefusedCommand { by, number });
        assert!(!wrong(&lines, &record).is_empty());
    }

    #[test]
    fn a_command_that_nobody_sent_is_found() {
        let (lines, mut record) = game();
        record.sent = [1, 1];
        let wrong = wrong(&lines, &record);
        assert!(
            wrong.iter().any(|text| text.contains("never sent")),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_wrong_clock_is_found() {
        let (mut lines, record) = game();
        lines[6] = lines[6].replace("301050", "291050");
        let wrong = wrong(&lines, &record);
        assert!(wrong.iter().any(|text| text.contains("clock")), "{wrong:?}");
    }

    #[test]
    fn time_that_nobody_saw_is_found() {
        let (lines, mut record) = game();
        let later = &mut record.granted[2];
        (later.sent, later.answered) = (later.sent + 5_000, later.answered + 5_000);
        let wrong = wrong(&lines, &record);
        assert!(
            wrong.iter().any(|text| text.contains("12000 ms passed")),
            "{wrong:?}"
        );
    }

    #[test]
    fn a_move_at_another_time_is_found() {
        let (lines, mut record) = game();
        record.granted[1].answered = 4_800;
        let wrong = wrong(&lines, &record);
        assert!(
            wrong.iter().any(|text| text.contains("happened at")),
            "{wrong:?}"
        );
    }
}
