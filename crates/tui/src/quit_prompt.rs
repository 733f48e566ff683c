//! The question before leaving an unfinished game, in full-screen and plain mode: it says whether the game is
//! saved. The caller finds that out.

use touchmove_game::Game;

/// Said of a game without any move: its journal is deleted on leaving.
pub(crate) const NOTHING_PLAYED_TEXT: &str = "No move was played: nothing is kept.";

/// Whether nothing has happened in a game since it began.
pub(crate) fn is_unplayed(game: &Game) -> bool {
    game.seq() == 0 && game.plies().is_empty() && game.ending().is_none()
}

/// Why the game is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QuitReason {
    /// To quit.
    Quit,
    /// For another game.
    Another,
    /// For another game with colours swapped.
    Rematch,
}

impl QuitReason {
    /// The question.
    pub(crate) fn question(self, game: &Game, is_kept: bool) -> String {
        let asked = match self {
            QuitReason::Quit => "Leave the game?",
            QuitReason::Another => "Begin another game?",
            QuitReason::Rematch => "Begin a rematch?",
        };
        let which = match self {
            QuitReason::Quit => "It",
            QuitReason::Another => "This one",
            QuitReason::Rematch => "This game",
        };
        match is_kept {
            _ if is_unplayed(game) => format!("{asked} {NOTHING_PLAYED_TEXT}"),
            true => format!("{asked} {which} is kept and can be resumed."),
            false => {
                "Leave the game? It is NOT kept; it is shown as PGN on the way out.".to_owned()
            }
        }
    }
}
