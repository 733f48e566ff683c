//! The tags about the moves: variant, starting position, result, ply count, clock. Names and sites are
//! ignored.

use crate::diagnostic::FindingCode;
use crate::result::GameResult;
use crate::tag::Tag;
use crate::tags::ROSTER;
use crate::time_control::TimeControl;

/// A tag's value and its offset.
pub(super) type TagAt<T> = Option<(T, u64)>;

/// What the tags of one game say.
#[derive(Default)]
pub(super) struct Header {
    seen: u32,
    pub(super) variant: TagAt<String>,
    pub(super) fen: TagAt<String>,
    pub(super) set_up: TagAt<String>,
    /// `None` inside: the value is not a result.
    pub(super) result: TagAt<Option<GameResult>>,
    pub(super) ply_count: TagAt<Option<u32>>,
    pub(super) control: Option<TimeControl>,
    /// Whether the game was played before July 2014, when fivefold repetition and the 75-move rule came.
    pub(super) is_before_automatic_draws: bool,
    pub(super) termination: Termination,
}

/// The value of the `Termination` tag, where it adds to what the moves say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Termination {
    #[default]
    Normal,
    /// Time ran out.
    Time,
    /// A player left.
    Abandoned,
    /// A player broke the rules.
    Infraction,
}

impl Termination {
    /// Parses the words of the PGN standard, and those of web sites (`won on time`).
    fn read(value: &str) -> Termination {
        let value = value.to_ascii_lowercase();
        let words = [
            ("time", Termination::Time),
            ("abandon", Termination::Abandoned),
            ("infraction", Termination::Infraction),
        ];
        let found = words.into_iter().find(|(word, _)| value.contains(word));
        found.map_or(Termination::Normal, |(_, termination)| termination)
    }
}

/// The tag occurred before.
pub(super) struct Duplicate;

impl Header {
    /// Reads a tag.
    pub(super) fn take(&mut self, tag: &Tag<'_>) -> Option<Duplicate> {
        let known: &[u8] = tag.name;
        let bit = match known {
            b"Event" => 0,
            b"Site" => 1,
            b"Date" => {
                self.is_before_automatic_draws = is_before_july_2014(tag.raw_value);
                2
            }
            b"Round" => 3,
            b"White" => 4,
            b"Black" => 5,
            b"Result" => {
                let result = GameResult::from_lenient(tag.value().trim());
                self.result = Some((result, tag.offset));
                6
            }
            b"FEN" => {
                self.fen = Some((tag.value().into_owned(), tag.offset));
                7
            }
            b"SetUp" => {
                self.set_up = Some((tag.value().into_owned(), tag.offset));
                8
            }
            b"Variant" => {
                self.variant = Some((tag.value().into_owned(), tag.offset));
                9
            }
            b"PlyCount" => {
                self.ply_count = Some((tag.value().trim().parse().ok(), tag.offset));
                10
            }
            b"TimeControl" => {
                self.control = TimeControl::from_pgn(&tag.value()).unwrap_or_default();
                11
            }
            b"Termination" => {
                self.termination = Termination::read(&tag.value());
                12
            }
            _ => return None,
        };
        let is_known = self.seen & (1 << bit) != 0;
        self.seen |= 1 << bit;
        is_known.then_some(Duplicate)
    }

    /// Whether the game has any tag of the roster.
    pub(super) fn has_roster(&self) -> bool {
        self.seen & 0x7f != 0
    }

    /// The names of the roster that are missing.
    pub(super) fn missing(&self) -> impl Iterator<Item = &'static str> + '_ {
        let names = ROSTER.iter().enumerate();
        names
            .filter(|(bit, _)| self.seen & (1 << bit) == 0)
            .map(|(_, (name, _))| *name)
    }

    /// A contradiction between the tags about the starting position.
    pub(super) fn contradictions(
        &self,
        is_chess960: bool,
    ) -> Option<(FindingCode, u64, &'static str)> {
        match (&self.fen, &self.set_up) {
            (Some((_, at)), None) if !is_chess960 => Some((
                FindingCode::FenWithoutSetUp,
                *at,
                "a FEN should come with SetUp \"1\"",
            )),
            (Some(_), Some((value, at))) if value.trim() != "1" => Some((
                FindingCode::SetUpContradiction,
                *at,
                "SetUp says that the game starts as usual, but there is a FEN; the FEN is used",
            )),
            (None, Some((value, at))) if value.trim() == "1" => Some((
                FindingCode::SetUpWithoutFen,
                *at,
                "SetUp announces a FEN, but there is none",
            )),
            _ => None,
        }
    }
}

fn is_before_july_2014(date: &[u8]) -> bool {
    let field = |from: usize, to: usize| {
        let digits = date
            .get(from..to)
            .and_then(|part| std::str::from_utf8(part).ok());
        digits.and_then(|digits| digits.parse::<u32>().ok())
    };
    match (field(0, 4), field(5, 7)) {
        (Some(year), Some(month)) => (year, month) < (2014, 7),
        (Some(year), None) => year < 2014,
        _ => false,
    }
}
