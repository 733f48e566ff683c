//! The full-screen game. What a game is and how it ends is the game's business, not the screen's.
