//! The chat of a network game, below the moves where there is room.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::screen::game_screen::GameScreen;
use crate::screen::layout::Layout;
use crate::screen::model::Model;
use crate::screen::view::wrapped;

/// The most rows of the chat.
const MAX_CHAT_ROWS: u16 = 5;
/// The fewest rows left to the moves.
const MIN_MOVE_ROWS: u16 = 4;

/// The layout with room for the chat below the moves, and that area, which may be empty.
pub(in crate::screen) fn make_room(table: &GameScreen, layout: &Layout) -> (Layout, Rect) {
    let moves = layout.moves;
    let has_talk = table
        .live
        .as_ref()
        .is_some_and(|live| !live.remarks.is_empty());
    let rows = match has_talk {
        true => MAX_CHAT_ROWS.min(moves.height.saturating_sub(MIN_MOVE_ROWS + 1)),
        false => 0,
    };
    if rows < 2 {
        return (*layout, Rect::ZERO);
    }
    let talk = Rect {
        y: moves.bottom() - rows,
        height: rows,
        ..moves
    };
    let mut layout = *layout;
    layout.moves.height -= rows + 1;
    (layout, talk)
}

/// Draws the latest chat messages.
pub(super) fn draw(model: &Model, table: &GameScreen, area: Rect, frame: &mut Frame<'_>) {
    let Some(live) = table.live.as_ref().filter(|_| !area.is_empty()) else {
        return;
    };
    let rows = live.remarks.iter().flat_map(|remark| {
        let text = format!("{}: {}", remark.name, remark.text);
        wrapped(&text, area.width)
    });
    let rows: Vec<String> = rows.collect();
    let first = rows.len().saturating_sub(usize::from(area.height));
    for (y, row) in (area.y..area.bottom()).zip(&rows[first..]) {
        let place = Rect {
            y,
            height: 1,
            ..area
        };
        frame.render_widget(Line::styled(row.as_str(), model.look.muted()), place);
    }
}
