//! What is asked before a game that is not over is left, on the full screen and in lines: it says whether the
//! game is kept. Whether it is, is found out elsewhere.

use touchmove_game::Game;

/// Said of a game in which nothing has happened: its journal goes when it is left.
pub(crate) const NOTHING_PLAYED: &str = "No move was played: nothing is kept.";

/// Whether nothing has happened in a game since it began.
pub(crate) fn is_untouched(game: &Game) -> bool {
    game.seq() == 0 && game.plies().is_empty() && game.ending().is_none()
}

/// What the game is left for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaving {
    /// For nothing else.
    Quit,
    /// For another game.
    Another,
    /// For another game with colours swapped.
    Rematch,
}

impl Leaving {
    /// The question.
    pub(crate) fn question(self, game: &Game, is_kept: bool) -> String {
        let asked = match self {
            Leaving::Quit => "Leave the game?",
            Leaving::Another => "Begin another game?",
            Leaving::Rematch => "Begin a rematch?",
        };
        let which = match self {
            Leaving::Quit => "It",
            Leaving::Another => "This one",
            Leaving::Rematch => "This game",
        };
        match is_kept {
            _ if is_untouched(game) => format!("{asked} {NOTHING_PLAYED}"),
            true => format!("{asked} {which} is kept and can be resumed."),
            false => {
                "Leave the game? It is NOT kept; it is shown as PGN on the way out.".to_owned()
            }
        }
    }
}
