//! The board in sixteen colours. They cannot be mixed, so squares and marks have colours of their own: those of the
//! sixteen, with their usual values, to which white and black pieces both have a contrast of three to one.

use ratatui::style::Color;

use crate::screen::board::marks::Mark;

/// The colour of the dots and crosses on a piece's target squares.
pub(super) const TARGET_COLOR: Color = Color::Black;

/// The colour of a square.
pub(super) const fn square_color(mark: Option<Mark>, is_light: bool) -> Color {
    match (mark, is_light) {
        (None | Some(Mark::Capture), true) => Color::Green,
        (None | Some(Mark::Capture), false) => Color::LightBlue,
        (Some(Mark::LastMove | Mark::Evidence), _) => Color::Magenta,
        (Some(Mark::Selected), _) => Color::Yellow,
        (Some(Mark::Check | Mark::Checker | Mark::Blast), _) => Color::LightRed,
    }
}
