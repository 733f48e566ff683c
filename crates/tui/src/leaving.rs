//! What is asked before a game that is not over is left, on the full screen and in lines: it says whether the
//! game is kept. Whether it is, is found out elsewhere.

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
    pub(crate) const fn question(self, is_kept: bool) -> &'static str {
        match (self, is_kept) {
            (_, false) => "Leave the game? It is NOT kept; it is shown as PGN on the way out.",
            (Leaving::Quit, true) => "Leave the game? It is kept and can be resumed.",
            (Leaving::Another, true) => "Begin another game? This one is kept and can be resumed.",
            (Leaving::Rematch, true) => "Begin a rematch? This game is kept and can be resumed.",
        }
    }
}
