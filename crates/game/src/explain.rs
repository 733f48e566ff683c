//! The arbiter's sentence about how a game stands or why it has ended, naming pieces and squares. Nothing is
//! decided here.

use touchmove_rules::law::Ruleset;
use touchmove_rules::{AnyPosition, Bitboard, Board, Color, Role};

use crate::analysis::AnalysisAnswer;
use crate::position_status::DeadProof;
use crate::seat::open_seat;
use crate::{Conclusion, Draw, DrawClaim, Ending, Game, GrantedDrawClaim, NoResult, Victory};

/// How the game stands, or why it has ended.
///
/// ```
/// use touchmove_game::{Game, Players, Terms, Timestamp, explain};
/// use touchmove_rules::Variant;
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// assert_eq!(explain::sentence(&game), "White is to move and has 20 legal moves.");
/// ```
#[must_use]
pub fn sentence(game: &Game) -> String {
    match game.conclusion() {
        Some(conclusion) => conclusion.text.clone(),
        None => standing(game),
    }
}

/// Who is to move, in check from what, with how many moves, and what may be claimed.
#[must_use]
pub fn standing(game: &Game) -> String {
    let position = game.position();
    let turn = game.turn();
    if let Some(flagged) = game.flag() {
        let winner = !flagged;
        return format!(
            "{flagged}'s flag has fallen; whether {winner} can still win is being looked into."
        );
    }
    if let Some(open) = open_seat(game.seats()) {
        return format!("{open}'s seat is still open: the game waits for a second player.");
    }
    if let Some(reason) = game.held() {
        return format!("The arbiter holds the clocks: {reason}.");
    }
    let checkers = position.checkers();
    let check = match checkers.any() {
        true => format!(
            ", in check from {},",
            pieces_text(position.board(), checkers)
        ),
        false => String::new(),
    };
    let moves = match position.legal_move_count() {
        1 => "1 legal move".to_owned(),
        count => format!("{count} legal moves"),
    };
    let claims: Vec<&str> = game.claims().into_iter().map(DrawClaim::rule).collect();
    let claims = match claims.is_empty() {
        true => String::new(),
        false => format!(", and may claim a draw by {}", claims.join(" or ")),
    };
    format!("{turn} is to move{check} and has {moves}{claims}.")
}

/// Why the game has ended, as far as the board shows it. Endings that rest on a proof have their own
/// sentences.
#[must_use]
pub(crate) fn ended(game: &Game, ending: Ending) -> Conclusion {
    let text = match ending {
        Ending::Win { winner, by } => {
            let why = victory(game, !winner, by);
            format!("{why}; {winner} wins.")
        }
        Ending::Draw(draw) => format!("{}; the game is drawn.", drawn(game, draw)),
        Ending::NoResult(NoResult::Aborted) => {
            "The game was aborted before both sides had moved; there is no result.".to_owned()
        }
        Ending::NoResult(NoResult::IllegalPosition) => {
            let fen = game.position().fen();
            format!("The position {fen} cannot be played; there is no result.")
        }
    };
    Conclusion::new(ending, text)
}

fn victory(game: &Game, loser: Color, by: Victory) -> String {
    let position = game.position();
    match by {
        Victory::Checkmate => {
            let checkers = pieces_text(position.board(), position.checkers());
            let king = match position.board().king_of(loser) {
                Some(square) => format!("the {} on {square}", Role::King.of(loser)),
                None => format!("{loser}'s king"),
            };
            format!("Checkmate: {king} is attacked by {checkers}, and {loser} has no legal move")
        }
        Victory::KingExploded => match game.plies().last() {
            Some(ply) => format!("{} has blown up {loser}'s king", ply.san),
            None => format!("{loser}'s king has been blown up"),
        },
        Victory::Resignation => format!("{loser} has resigned"),
        Victory::FlagFall => format!("{loser}'s time has run out"),
        Victory::NoShow => format!("{loser} has not come to the board in time"),
        Victory::Abandonment => format!("{loser} has left the game"),
        Victory::Forfeit => format!("{loser} has forfeited the game"),
    }
}

fn drawn(game: &Game, draw: Draw) -> String {
    let position = game.position();
    let turn = game.turn();
    match draw {
        Draw::Stalemate => {
            let calm = match Ruleset::of(position.variant()).check {
                true => " and is not in check",
                false => "",
            };
            format!("Stalemate: {turn} has no legal move{calm}")
        }
        Draw::DeadPosition => {
            "Dead position: no series of legal moves lets either side win".to_owned()
        }
        Draw::Agreement => "The players have agreed to a draw".to_owned(),
        Draw::ThreefoldRepetition | Draw::FivefoldRepetition => {
            format!("The position has come {} times", game.repetitions())
        }
        Draw::FiftyMoves | Draw::SeventyFiveMoves => quiet(position.halfmoves()),
        Draw::FlagFall { flagged } => format!(
            "{flagged}'s time has run out, but no series of legal moves lets {} win",
            !flagged
        ),
        Draw::Abandonment { gone } => {
            format!("{gone} has left the game, and {} asked for a draw", !gone)
        }
    }
}

/// Why a game that was proved dead has ended.
#[must_use]
pub(crate) fn dead(position: &AnyPosition, proof: &DeadProof) -> String {
    match proof {
        DeadProof::Winnability(proof) => format!(
            "Dead position: no series of legal moves lets either side win: {proof}; the game is \
             drawn."
        ),
        DeadProof::List => format!(
            "Dead position: by the list of material, {} is drawn.",
            armies(position)
        ),
        DeadProof::Material => format!(
            "Dead position: with {}, no series of legal moves lets either side win; the game is \
             drawn.",
            armies(position)
        ),
    }
}

/// The sentence if the game goes on because it was not decided whether the position is dead.
pub(crate) const DEADNESS_UNKNOWN_TEXT: &str = "Whether the position is dead was not decided in time: the \
                                         game goes on as long as it is not.";

/// The sentence about what a fallen flag means.
#[must_use]
pub(crate) fn flag(position: &AnyPosition, flagged: Color, answer: &AnalysisAnswer) -> String {
    let winner = !flagged;
    let why = match answer {
        AnalysisAnswer::Winnable(_) => {
            return format!("{flagged}'s time has run out; {winner} wins.");
        }
        AnalysisAnswer::Undecided { .. } => {
            return format!(
                "{flagged}'s flag has fallen; whether {winner} could still win was not decided in \
                 time: {winner} wins as long as it is not."
            );
        }
        AnalysisAnswer::Unwinnable(DeadProof::Winnability(proof)) => format!(": {proof}"),
        AnalysisAnswer::Unwinnable(DeadProof::Material | DeadProof::List) => {
            format!(" with {}", armies(position))
        }
    };
    format!(
        "{flagged}'s time has run out, but no series of legal moves lets {winner} win{why}; the \
         game is drawn."
    )
}

/// The sentence about a right draw claim: for the position on the board, or for the one after the announced
/// move.
#[must_use]
pub(crate) fn claimed(position: &AnyPosition, claimed: GrantedDrawClaim) -> Conclusion {
    let GrantedDrawClaim {
        by,
        claim,
        announced,
    } = claimed;
    let with = announced.map(|mv| format!(" with the move {}", position.san(mv)));
    let text = format!(
        "{by} has claimed a draw by {}{}, rightly; the game is drawn.",
        claim.rule(),
        with.unwrap_or_default()
    );
    Conclusion::new(Ending::Draw(claim.draw()), text)
}

fn quiet(plies: u32) -> String {
    format!(
        "{} moves by each side have passed without a capture or a pawn's move",
        plies / 2
    )
}

/// The pieces on these squares: "the rook on e1 and the bishop on b4".
pub(crate) fn pieces_text(board: &Board, squares: Bitboard) -> String {
    let men = squares.into_iter().filter_map(|square| {
        board
            .role_at(square)
            .map(|role| format!("the {role} on {square}"))
    });
    listed(men.collect())
}

/// Both armies: "king and knight against king".
fn armies(position: &AnyPosition) -> String {
    let board = position.board();
    let (white, black) = (army(board, Color::White), army(board, Color::Black));
    let [stronger, weaker] =
        match board.by_color(Color::Black).len() > board.by_color(Color::White).len() {
            true => [black, white],
            false => [white, black],
        };
    format!("{stronger} against {weaker}")
}

fn army(board: &Board, color: Color) -> String {
    let words = Role::ALL.into_iter().rev().filter_map(|role| {
        match board.by_color_and_role(role.of(color)).len() {
            0 => None,
            1 => Some(role.to_string()),
            count => Some(format!("{count} {role}s")),
        }
    });
    listed(words.collect())
}

pub(crate) fn listed(mut words: Vec<String>) -> String {
    match words.pop() {
        None => "nothing".to_owned(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}
