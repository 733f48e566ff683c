//! What the tests share: a player at the screen, and readers of what it shows. No test is here.

pub mod image_decoder;
pub mod screen_player;
pub mod screenshot;
