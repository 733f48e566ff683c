//! The answers: [`Winnability`], and the [`Proof`] behind an unwinnable one. The other modules find them.

use std::fmt;

use touchmove_rules::{Move, Outcome};

/// Whether a side can still win.
///
/// ```
/// use touchmove_rules::{AnyPosition, Color, Variant};
/// use touchmove_winnability::{Budget, Winnability, winnable};
///
/// let mate_in_one = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
/// let position = AnyPosition::from_fen(mate_in_one, Variant::Chess).unwrap();
/// match winnable(&position, Color::White, Budget::default()) {
///     Winnability::Winnable(line) => assert!(!line.is_empty()),
///     other => panic!("{}", other.name()),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Winnability {
    /// The side can win: these legal moves of both sides, played from the position, end with its win. Empty if the side
    /// has won already.
    Winnable(Vec<Move>),
    /// The side cannot win, whatever both sides play.
    Unwinnable(Proof),
    /// Nothing was proved either way.
    Undecided {
        /// How many different positions were visited.
        visited: u64,
        /// Why there is no answer.
        reason: UndecidedReason,
    },
}

impl Winnability {
    /// Whether the side is proved able to win.
    #[must_use]
    pub const fn is_winnable(&self) -> bool {
        matches!(self, Winnability::Winnable(_))
    }

    /// Whether the side is proved unable to win.
    #[must_use]
    pub const fn is_unwinnable(&self) -> bool {
        matches!(self, Winnability::Unwinnable(_))
    }

    /// The answer in one word: `winnable`, `unwinnable`, `undecided`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Winnability::Winnable(_) => "winnable",
            Winnability::Unwinnable(_) => "unwinnable",
            Winnability::Undecided { .. } => "undecided",
        }
    }
}

/// Why a question was left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndecidedReason {
    /// The budget was spent, or the search was interrupted.
    OutOfBudget,
    /// A position cannot be [packed](touchmove_rules::Packed), so that no table can hold it. That happens only where a
    /// king is gone, where the game is over and the result plain; if any other position were like that, the answer
    /// would be this, and not a proof from an empty table.
    Unpackable,
}

impl fmt::Display for UndecidedReason {
    /// One sentence without its full stop: "undecided: …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UndecidedReason::OutOfBudget => "the budget is spent",
            UndecidedReason::Unpackable => "a position came up that no table of positions can hold",
        })
    }
}

/// Why a side cannot win.
///
/// ```
/// use touchmove_rules::{AnyPosition, Color, Variant};
/// use touchmove_winnability::{Budget, Proof, Winnability, winnable};
///
/// let position = AnyPosition::from_fen("8/8/8/3k4/8/3K4/8/2B5 w - - 0 1", Variant::Chess).unwrap();
/// let verdict = winnable(&position, Color::White, Budget::default());
/// assert_eq!(verdict, Winnability::Unwinnable(Proof::Material), "a lone bishop");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The game is over, and the side has not won it.
    Over(Outcome),
    /// No arrangement of the pieces that can come about is a win for the side.
    Material,
    /// Every move on the way is forced, and leads to a position with a proof of its own.
    Forced {
        /// How many plies.
        plies: usize,
        /// Why the position there is unwinnable.
        then: Box<Proof>,
    },
    /// However the pieces that can still move are placed, there is no checkmate.
    Structure {
        /// How many pieces can neither move nor be captured ever again.
        locked: usize,
        /// On how many squares the king that would be mated can ever stand.
        refuge: usize,
    },
    /// Every line of play of some pieces was followed, with the others anywhere in their reach.
    Outlines {
        /// How many pieces are among those others.
        roaming: usize,
        /// How many different outlines there are.
        outlines: u64,
    },
    /// Every position that legal moves lead to was visited, except those behind a position with one of the proofs
    /// above.
    Visited {
        /// How many different positions were visited.
        positions: u64,
    },
}

impl Proof {
    /// How many positions the proof had to visit.
    #[must_use]
    pub fn visited(&self) -> u64 {
        match self {
            Proof::Forced { plies, then } => *plies as u64 + then.visited(),
            Proof::Visited { positions } => *positions,
            Proof::Outlines { outlines, .. } => *outlines,
            _ => 1,
        }
    }
}

impl fmt::Display for Proof {
    /// One sentence without its full stop: "no series of legal moves wins: …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Over(Outcome::Checkmate { winner }) => {
                write!(f, "{winner} has given checkmate")
            }
            Proof::Over(Outcome::KingExploded { winner }) => {
                write!(f, "{winner} has won by explosion")
            }
            Proof::Over(Outcome::Stalemate) => f.write_str("it is stalemate"),
            Proof::Material => f.write_str("the men on the board cannot make a mate"),
            Proof::Forced { plies: 1, then } => {
                write!(f, "the only legal move leads there: {then}")
            }
            Proof::Forced { plies, then } => {
                write!(f, "the next {plies} plies are forced, and then {then}")
            }
            Proof::Structure { locked: 0, refuge } => {
                let squares = if *refuge == 1 { "square" } else { "squares" };
                write!(
                    f,
                    "wherever the men can get, there is no win on the {refuge} {squares} the king can reach"
                )
            }
            Proof::Structure { locked, refuge } => {
                let men = if *locked == 1 { "man is" } else { "men are" };
                let squares = if *refuge == 1 { "square" } else { "squares" };
                write!(
                    f,
                    "{locked} {men} locked for good, and on the {refuge} {squares} the king can \
                     reach there is no mate"
                )
            }
            Proof::Outlines { roaming, outlines } => {
                let men = match roaming {
                    1 => "the roaming man stands",
                    _ => "the roaming men stand",
                };
                write!(
                    f,
                    "wherever {men}, no play of the others leads to a mate; {} arrangements visited",
                    ThousandsText(*outlines)
                )
            }
            Proof::Visited { positions: 1 } => {
                f.write_str("no move leads anywhere; 1 position visited")
            }
            Proof::Visited { positions } => write!(
                f,
                "every line of play was followed; {} positions visited",
                ThousandsText(*positions)
            ),
        }
    }
}

/// A number with a thousands separator: `298,240`.
struct ThousandsText(u64);

impl fmt::Display for ThousandsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}
