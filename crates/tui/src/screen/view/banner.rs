//! The banner "CHESS" in large letters [000-1]: on the start screen, and beside the board until the first move.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

use crate::screen::appearance::Appearance;

const BANNER_LINES: [&str; BANNER_ROWS as usize] = [
    " #### #   # #####  ####  ####",
    "#     #   # #     #     #    ",
    "#     ##### ####   ###   ### ",
    "#     #   # #         #     #",
    " #### #   # ##### ####  #### ",
];

/// Its height in rows.
pub(super) const BANNER_ROWS: u16 = 5;
/// Its width in columns.
const BANNER_COLUMNS: u16 = 29;

/// Draws the banner, if there is room for it.
pub(super) fn draw(look: &Appearance, area: Rect, frame: &mut Frame<'_>) {
    if area.height < BANNER_ROWS || area.width < BANNER_COLUMNS || !look.banner {
        return;
    }
    let lines: Vec<Line<'_>> = BANNER_LINES
        .iter()
        .map(|row| Line::raw(row.replace('#', look.glyph("█", "#"))))
        .collect();
    let picture = Paragraph::new(lines)
        .style(look.accent())
        .alignment(Alignment::Center);
    frame.render_widget(picture, area);
}
