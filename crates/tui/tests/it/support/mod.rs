//! Helpers of the tests: a simulated screen with its players, and readers of what it shows. Contains no tests.

pub mod image_decoder;
pub mod screen_player;
pub mod screenshot;
