//! Writes a survey of locked pieces into a certificate.

use std::fmt::Write as _;

use crate::proof::structure::{ExplosionReach, ReachSurvey};
use touchmove_rules::{Bitboard, Color, Position, Rules};

/// Writes the proof that the locked pieces give. Returns whether they give one.
pub(crate) fn write<R: Rules>(position: &Position<R>, side: Color, text: &mut String) -> bool {
    let lines = match R::CAPTURES_EXPLODE {
        true => ExplosionReach::new(position)
            .filter(|tinder| tinder.prove(side).is_some())
            .map(|tinder| tinder.written()),
        false => ReachSurvey::new(position)
            .filter(|survey| survey.prove(side).is_some())
            .map(|survey| survey.written()),
    };
    let Some(lines) = lines else {
        return false;
    };
    let _ = write!(text, "structure\n{lines}end\n");
    true
}

impl ReachSurvey {
    /// One line for each piece.
    fn written(&self) -> String {
        let mut text = String::new();
        for man in &self.men[..self.count] {
            let flags = [
                ("loose", man.loose),
                ("taken", man.taken),
                ("strays", man.strays),
            ];
            write_man(&mut text, man.start, man.reach, man.promoted, flags);
        }
        text
    }
}

/// Writes one piece, which stood on `start` at first.
pub(crate) fn write_man<const N: usize>(
    text: &mut String,
    start: u64,
    reach: u64,
    promoted: u64,
    flags: [(&str, bool); N],
) {
    for start in Bitboard(start) {
        let _ = write!(text, "man {start} {reach:016x}");
    }
    if promoted != 0 {
        let _ = write!(text, " promoted {promoted:016x}");
    }
    for (flag, _) in flags.iter().filter(|(_, holds)| *holds) {
        text.push(' ');
        text.push_str(flag);
    }
    text.push('\n');
}
