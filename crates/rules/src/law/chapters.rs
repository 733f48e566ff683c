//! The law book beyond single moves: the starting position, the terms, check, how a game ends, and
//! what a variant adds. These are laws in words with their sources; `judge` and the generator implement them.

use crate::law::ruleset::Ruleset;
use crate::variant::CastlingMode;

/// Laws about one matter.
///
/// ```
/// use touchmove_rules::{Variant, law::{Ruleset, chapters}};
///
/// let laws = |variant| chapters::SETUP.laws(&Ruleset::of(variant)).count();
/// assert!(laws(Variant::Chess) > 0 && laws(Variant::Chess960) > 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// What they are about.
    pub title: &'static str,
    laws: &'static [Law],
}

/// One law in words.
///
/// ```
/// use touchmove_rules::{Variant, law::{Ruleset, chapters}};
///
/// for law in chapters::SETUP.laws(&Ruleset::of(Variant::Chess)) {
///     assert!(!law.source.is_empty(), "{}", law.text);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// What it says.
    pub text: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    holds: fn(&Ruleset) -> bool,
}

impl Chapter {
    /// The laws of the chapter that hold under these rules.
    pub fn laws(&self, rules: &Ruleset) -> impl Iterator<Item = &'static Law> {
        let rules = *rules;
        self.laws.iter().filter(move |law| (law.holds)(&rules))
    }
}

const ALWAYS: fn(&Ruleset) -> bool = |_| true;
const WITH_CHECK: fn(&Ruleset) -> bool = |rules| rules.check;
const IN_ATOMIC: fn(&Ruleset) -> bool = |rules| rules.blast && rules.check;
const IN_SIMPLE_ATOMIC: fn(&Ruleset) -> bool = |rules| rules.blast && !rules.check;
const SHUFFLED: fn(&Ruleset) -> bool =
    |rules| !rules.blast && matches!(rules.castling, CastlingMode::Anywhere);
const UNSHUFFLED: fn(&Ruleset) -> bool = |rules| !SHUFFLED(rules);
const WITHOUT_BLAST: fn(&Ruleset) -> bool = |rules| !rules.blast;
const WITHOUT_CHECK: fn(&Ruleset) -> bool = |rules| !rules.check;
const WITH_CASTLING: fn(&Ruleset) -> bool = |rules| rules.has_castling();
const WITHOUT_CASTLING: fn(&Ruleset) -> bool = |rules| !rules.has_castling();
const WITH_EN_PASSANT: fn(&Ruleset) -> bool = |rules| rules.en_passant;
const WITH_PROMOTION: fn(&Ruleset) -> bool = |rules| rules.promotion;

const fn law(holds: fn(&Ruleset) -> bool, source: &'static str, text: &'static str) -> Law {
    Law {
        text,
        source,
        holds,
    }
}

/// Where the pieces stand at the start, and who begins.
pub const SETUP: Chapter = Chapter {
    title: "Setup",
    laws: &[
        law(
            ALWAYS,
            "FIDE 1.2",
            "Two players move in turn, one move each; White begins.",
        ),
        law(
            ALWAYS,
            "FIDE 2.1",
            "The board has eight ranks, 1 to 8, and eight files, a to h; a1 is a dark square.",
        ),
        law(
            UNSHUFFLED,
            "FIDE 2.3",
            "On the first rank stand, from a to h: rook, knight, bishop, queen, king, bishop, knight, \
             rook; the queens stand on squares of their own colour.",
        ),
        law(
            SHUFFLED,
            "FIDE Guidelines II.2",
            "The pieces of the first rank are shuffled, the same for both sides: the king between its \
             rooks, the bishops on squares of different colours.",
        ),
        law(
            SHUFFLED,
            "Scharnagl's numbers",
            "Lots are drawn for the array. The 960 arrays have numbers, 0 to 959: the bishop on the light \
             squares stands on the b-, d-, f- or h-file by the remainder of the number by 4, the one on \
             the dark squares on the a-, c-, e- or g-file by the remainder of the quotient; the queen and \
             then the knights take their places among the squares left free. Number 518 is the array of \
             chess, 0 is BBQNNRKR and 959 is RKRNNQBB.",
        ),
        law(
            ALWAYS,
            "FIDE 2.3",
            "On the rank before them stand eight pawns.",
        ),
    ],
};

/// Which positions that were set up can be played.
pub const START_POSITIONS: Chapter = Chapter {
    title: "Positions that are set up",
    laws: &[
        law(
            ALWAYS,
            "004-6",
            "A game begins only with one king of each colour on the board. Otherwise it is Game Over at \
             once: illegal position, with no winner and the result *.",
        ),
        law(
            WITHOUT_BLAST,
            "004-7",
            "No game begins with kings that touch.",
        ),
        law(
            WITH_CHECK,
            "004-7",
            "No game begins with the player in check who has just moved.",
        ),
        law(
            WITHOUT_BLAST,
            "004-7",
            "No game begins with a king in check from more than two men.",
        ),
        law(
            WITH_PROMOTION,
            "004-7",
            "No game begins with a pawn on the first or the last rank.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "004-7",
            "No game begins with a pawn on the first rank of its own side.",
        ),
        law(
            WITH_CASTLING,
            "004-7",
            "No game begins with a right to castle without the king and the rook for it in place, nor \
             with a capture en passant without the pawn that has just made its two steps.",
        ),
        law(
            IN_ATOMIC,
            "004-6, Atomic A2",
            "A king that a blast has removed ends a game, so that it can be judged but not begun with. Only \
             the player on move can have lost it so: no capture may blow up the mover's own king.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "004-6, Simple Atomic 002-9",
            "A king that a blast has removed ends a game, so that it can be judged but not begun with. It \
             may be the king of either player, but not both.",
        ),
        law(
            WITH_PROMOTION,
            "004-7",
            "A position that no game can lead to, but in which every move is clear, is taken with a \
             warning: more than sixteen men or eight pawns of a side, or more promoted pieces than the \
             missing pawns allow.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "004-7",
            "A position that no game can lead to, but in which every move is clear, is taken with a \
             warning: more men, pawns or pieces of a side than it begins with.",
        ),
        law(
            WITH_CHECK,
            "004-7",
            "Another check that no move can have given is taken with a warning too.",
        ),
    ],
};

/// What the words of the conditions mean.
pub const TERM_DEFINITIONS: Chapter = Chapter {
    title: "Terms",
    laws: &[
        law(
            ALWAYS,
            "001-2",
            "Square has nothing: the square the piece goes to is empty.",
        ),
        law(
            ALWAYS,
            "001-3",
            "Square has own piece: one of the mover's own pieces stands there.",
        ),
        law(
            ALWAYS,
            "001-4",
            "Square has opponent's piece: one of the opponent's pieces stands there.",
        ),
        law(
            ALWAYS,
            "001-5",
            "Sees square: every square on the way, the last one not counted, is empty.",
        ),
        law(
            WITH_CASTLING,
            "001-6",
            "Has not moved: since the start of the game; in a position that was set up, a pawn on its \
             second rank, and a king or rook with the right to castle.",
        ),
        law(
            WITHOUT_CASTLING,
            "001-6",
            "Has not moved: since the start of the game; in a position that was set up, a pawn on its \
             second rank.",
        ),
        law(
            ALWAYS,
            "001-7",
            "White piece: the piece that moves is one of White's. Black piece: it is one of Black's. Pawns \
             and kings are pieces in this sense.",
        ),
        law(
            ALWAYS,
            "001-8",
            "Rank is: the rank the piece stands on before the move.",
        ),
        law(
            WITH_CASTLING,
            "001-9",
            "(x, y): x squares to the right and y squares ahead of the piece that moves. Left, right and \
             ahead are seen from the mover's chair, so Black's left castling is on the king's side.",
        ),
        law(
            WITHOUT_CASTLING,
            "001-9",
            "Ahead is seen from the mover's chair.",
        ),
        law(
            WITH_EN_PASSANT,
            "001-10",
            "Opponent's move was: the last move, made by the opponent, was of that kind.",
        ),
        law(
            WITHOUT_BLAST,
            "FIDE 3.1.2, 3.1.3",
            "A piece attacks a square if it could capture there; it does so even if it is pinned and \
             could not really go. A pawn attacks only diagonally.",
        ),
        law(
            IN_ATOMIC,
            "FIDE 3.1.2, 3.1.3, Atomic A2, A4",
            "A piece attacks a square if it could capture there; it does so even if it is pinned and \
             could not really go. A pawn attacks only diagonally, and a king attacks nothing.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "FIDE 3.1.2, Simple Atomic 002-15",
            "A piece attacks a square if it could capture there. A pawn attacks only diagonally, and a \
             king attacks nothing.",
        ),
    ],
};

/// Check.
pub const CHECK: Chapter = Chapter {
    title: "Check",
    laws: &[
        law(
            WITH_CHECK,
            "FIDE 3.9.1",
            "A king is in check when at least one of the opponent's pieces attacks it.",
        ),
        law(
            WITH_CHECK,
            "FIDE 3.9.2",
            "No move may put or leave the mover's own king in check.",
        ),
        law(
            WITH_CHECK,
            "FIDE 3.9.2",
            "There are three ways out of check: move the king, capture the checking piece, or put a \
             piece between. Against check from two pieces at once only the king can move.",
        ),
        law(
            IN_ATOMIC,
            "Atomic A3",
            "A capture that blows up the opponent's king and not one's own is legal whatever check there \
             is, and wins at once.",
        ),
        law(
            IN_ATOMIC,
            "Atomic A4",
            "While the kings touch, neither is in check, and a king may step next to the other.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "Simple Atomic 002-4",
            "There is no check: a king may stay where it is attacked, go there, and be captured.",
        ),
    ],
};

/// How a game is won.
pub const WINS: Chapter = Chapter {
    title: "End of the game",
    laws: &[
        law(
            WITH_CHECK,
            "FIDE 5.1.1",
            "Checkmate: a player in check with no legal move has lost, and the game ends.",
        ),
        law(
            IN_ATOMIC,
            "Atomic A3",
            "A player whose king is blown up has lost, and the game ends.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "Simple Atomic 002-9",
            "A player whose king is captured or blown up has lost, and the game ends; also if it was \
             blown up by a capture of the player's own.",
        ),
        law(
            ALWAYS,
            "FIDE 5.1.2",
            "Resignation: a player who resigns has lost; either may at any time.",
        ),
        law(
            ALWAYS,
            "FIDE 6.9",
            "Time: a player whose clock runs out has lost, unless no series of legal moves lets the \
             opponent win; then the game is drawn.",
        ),
    ],
};

/// How a game is drawn.
pub const DRAWS: Chapter = Chapter {
    title: "Draws",
    laws: &[
        law(
            WITH_CHECK,
            "FIDE 5.2.1",
            "Stalemate: the player on move is not in check and has no legal move.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "FIDE 5.2.1",
            "Stalemate: the player on move has no legal move.",
        ),
        law(
            ALWAYS,
            "FIDE 5.2.2",
            "Dead position: no series of legal moves lets either player win.",
        ),
        law(
            ALWAYS,
            "FIDE 5.2.3",
            "Agreement: one player offers a draw and the other accepts.",
        ),
        law(
            ALWAYS,
            "FIDE 9.2",
            "Threefold repetition: the same men stand on the same squares for the third time, with the \
             same player on move and the same moves possible.",
        ),
        law(
            WITH_CHECK,
            "FIDE 9.3",
            "Fifty moves: fifty moves by each side without a pawn's move and without a capture; a \
             checkmate on the last of them stands.",
        ),
        law(
            WITHOUT_CHECK,
            "FIDE 9.3",
            "Fifty moves: fifty moves by each side without a pawn's move and without a capture.",
        ),
        law(
            ALWAYS,
            "003-19, 003-21; FIDE 9.2, 9.3",
            "Threefold repetition and fifty moves end the game by themselves; where the players have agreed \
             on FIDE's way, the player on move has to claim them, also with an announced move that brings \
             them about.",
        ),
        law(
            WITH_CHECK,
            "004-24",
            "An announced move that gives checkmate wins; no draw can be claimed with it.",
        ),
        law(
            ALWAYS,
            "FIDE 9.6.1",
            "Fivefold repetition: the same position for the fifth time is a draw without any claim.",
        ),
        law(
            WITH_CHECK,
            "FIDE 9.6.2",
            "Seventy-five moves: seventy-five moves by each side without a pawn's move and without a \
             capture are a draw without any claim; a checkmate on the last of them stands.",
        ),
        law(
            WITHOUT_CHECK,
            "FIDE 9.6.2",
            "Seventy-five moves: seventy-five moves by each side without a pawn's move and without a \
             capture are a draw without any claim.",
        ),
    ],
};

/// What a variant adds or leaves out.
pub const OWN_RULES: Chapter = Chapter {
    title: "The variant's own rules",
    laws: &[
        law(
            SHUFFLED,
            "FIDE Guidelines II.3",
            "Castling brings king and rook to the squares they have after castling in chess, wherever \
             they start: the king to g1 or c1 with the rook beside it on f1 or d1, and so for Black. \
             Every square that one of them crosses or reaches must be empty but for the two.",
        ),
        law(
            IN_ATOMIC,
            "Atomic A1",
            "A capture explodes on the square it goes to, also en passant: the captor, the captive and \
             every man but pawns on the eight squares around vanish. Blasts set off no others.",
        ),
        law(
            IN_ATOMIC,
            "Atomic A2",
            "A capture whose blast would reach the mover's own king is illegal. So a king never \
             captures, and both kings never go together.",
        ),
        law(
            IN_ATOMIC,
            "Atomic A6",
            "Castling: squares that touch the opponent's king count as safe.",
        ),
        law(
            IN_ATOMIC,
            "Atomic A7",
            "The right to castle is lost with the rook, and every right with the king.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "Simple Atomic 002-11 to 002-14",
            "A capture explodes: the captor, the captive and every man but pawns on the eight squares \
             around vanish. A pawn dies only as captor or captive.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "Simple Atomic 002-15",
            "A king never captures.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "Simple Atomic 002-16",
            "A capture that would blow up both kings is illegal; one that blows up only the mover's own \
             king is legal, and loses.",
        ),
        law(
            IN_SIMPLE_ATOMIC,
            "Simple Atomic 002-5 to 002-7",
            "There is no castling, no capture en passant and no promotion: a pawn on the last rank stays \
             a pawn and stays there.",
        ),
        law(IN_SIMPLE_ATOMIC, "Simple Atomic 002-4", "Kings may touch."),
    ],
};

/// The chapters that come before the moves, in order.
pub const BEFORE_MOVES: [Chapter; 4] = [SETUP, START_POSITIONS, OWN_RULES, TERM_DEFINITIONS];

/// The chapters that come after the moves, in order.
pub const AFTER_MOVES: [Chapter; 3] = [CHECK, WINS, DRAWS];
