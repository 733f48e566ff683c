//! The layout: where everything is on the screen, from the size of the window alone. The view draws it.

use ratatui::layout::{Position, Rect, Size};
use touchmove_rules::Color;

use crate::screen::board::{Geometry, SquareSize};

/// The smallest window for a game.
pub const MIN_WINDOW_SIZE: Size = Size::new(40, 20);

/// The smallest width of a panel beside the board.
const MIN_PANEL_WIDTH: u16 = 26;
/// The largest width of a panel.
const MAX_PANEL_WIDTH: u16 = 52;

/// The areas of the game screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The title line.
    pub title: Rect,
    /// The upper left corner of the board with its labels.
    board: Position,
    /// The size of a square.
    pub square: SquareSize,
    /// Whether the board has the whole height, with file letters inside.
    is_tall: bool,
    /// The far player's name, clock and captured material.
    pub far: Rect,
    /// The near player's.
    pub near: Rect,
    /// The move list.
    pub moves: Rect,
    /// The status message.
    pub status: Rect,
    /// The input line.
    pub line: Rect,
    /// The key hints.
    pub footer: Rect,
}

impl Layout {
    /// The layout of a window, if a game fits into it.
    #[must_use]
    pub fn of(window: Size) -> Option<Layout> {
        if window.width < MIN_WINDOW_SIZE.width || window.height < MIN_WINDOW_SIZE.height {
            return None;
        }
        let beside = Layout::beside(window);
        match beside {
            Some(layout) if layout.square.takes_labels() => Some(layout),
            _ => Layout::tall(window)
                .or(beside)
                .or_else(|| Layout::stacked(window)),
        }
    }

    /// The area of a status message with so many lines: it grows upwards as far as there is room.
    #[must_use]
    pub fn status_of(&self, lines: usize) -> Rect {
        let above = [self.board(Color::White).area(), self.moves, self.near];
        let free = above.map(|part| self.status.y.saturating_sub(part.bottom()));
        let free = free.into_iter().min().unwrap_or(0);
        let lines = u16::try_from(lines).unwrap_or(u16::MAX);
        let more = lines.saturating_sub(self.status.height).min(free);
        Rect {
            y: self.status.y - more,
            height: self.status.height + more,
            ..self.status
        }
    }

    /// The same with `rows` more for the status message, taken from the move list above it, which keeps at least
    /// one row.
    #[must_use]
    pub fn with_more_said(&self, rows: usize) -> Layout {
        let mut layout = *self;
        let is_between = layout.near.y >= layout.moves.bottom();
        let above = match is_between {
            true => layout.near.bottom(),
            false => layout.moves.bottom(),
        };
        if above == layout.status.y {
            let rows = u16::try_from(rows).unwrap_or(u16::MAX);
            let rows = rows.min(layout.moves.height.saturating_sub(1));
            layout.moves.height -= rows;
            layout.near.y -= if is_between { rows } else { 0 };
            layout.status.y -= rows;
            layout.status.height += rows;
        }
        layout
    }

    /// Whether the board has the whole height, with everything else beside it.
    #[must_use]
    pub const fn is_tall(&self) -> bool {
        self.is_tall
    }

    /// The board as seen by a player at its lower edge.
    #[must_use]
    pub const fn board(&self, near: Color) -> Geometry {
        Geometry {
            origin: self.board,
            size: self.square,
            near,
            labels_inside: self.is_tall,
        }
    }

    /// With the panel to the right of the board. A larger board goes before a wider panel.
    fn beside(window: Size) -> Option<Layout> {
        // Title, status in two rows, input line, footer.
        let rows = window.height.checked_sub(5)?;
        let square = SquareSize::fitting(window.width.checked_sub(MIN_PANEL_WIDTH + 3)?, rows)?;
        let (wide, high) = square.board();
        let panel = (window.width - wide - 3).min(MAX_PANEL_WIDTH);
        let left = (window.width - wide - 3 - panel) / 2;
        let spare = rows - high;
        let top = 1 + spare / 2;
        let bottom = top + high;
        let x = left + wide + 3;
        let side = |y, rows| Rect::new(x, y, panel - 1, rows);
        let whole = |y, rows| Rect::new(left, y, window.width - 2 * left, rows);
        Some(Layout {
            title: whole(0, 1),
            board: Position::new(left, top),
            square,
            is_tall: false,
            far: side(top, 2),
            near: side(bottom - 3, 2),
            moves: side(top + 3, high.saturating_sub(7)),
            status: whole(bottom + spare.div_ceil(2), 2),
            line: whole(window.height - 2, 1),
            footer: whole(window.height - 1, 1),
        })
        .filter(|layout| layout.moves.height > 0)
        .filter(|_| square.rows > 1)
    }

    /// With a board of the whole height and everything else to the right of it, where pieces would otherwise be too
    /// small to tell apart.
    fn tall(window: Size) -> Option<Layout> {
        const PANEL_GAP: u16 = 1;
        let square = SquareSize::smallest_with_labels();
        let (wide, high) = square.board();
        let high = high - 1;
        let panel = window.width.checked_sub(wide + PANEL_GAP)?;
        if panel < MIN_PANEL_WIDTH || window.height < high {
            return None;
        }
        let panel = panel.min(MAX_PANEL_WIDTH);
        let left = (window.width - wide - PANEL_GAP - panel) / 2;
        let side = |y, rows| Rect::new(left + wide + PANEL_GAP, y, panel, rows);
        // Title and far player; near player, status, input line and footer.
        let (above, below) = (4, 12);
        let moves = window.height - above - below;
        let bottom = above + moves;
        Some(Layout {
            title: side(0, 2),
            board: Position::new(left, (window.height - high) / 2),
            square,
            is_tall: true,
            far: side(2, 2),
            moves: side(above, moves),
            near: side(bottom, 2),
            status: side(bottom + 2, 7),
            line: side(window.height - 3, 1),
            footer: side(window.height - 2, 2),
        })
    }

    /// With everything above and below the board.
    fn stacked(window: Size) -> Option<Layout> {
        // Title, two players, at least one row of moves, status in two rows, input line, footer.
        let rows = window.height.checked_sub(8)?;
        let square = SquareSize::fitting(window.width, rows)?;
        let (wide, high) = square.board();
        let left = (window.width - wide) / 2;
        let whole = |y, rows| Rect::new(0, y, window.width, rows);
        let spare = rows - high;
        Some(Layout {
            title: whole(0, 1),
            far: whole(1, 1),
            board: Position::new(left, 2),
            square,
            is_tall: false,
            near: whole(2 + high, 1),
            moves: whole(3 + high, 1 + spare),
            status: whole(4 + high + spare, 2),
            line: whole(window.height - 2, 1),
            footer: whole(window.height - 1, 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(layout: &Layout) -> [Rect; 8] {
        [
            layout.title,
            layout.board(Color::White).area(),
            layout.far,
            layout.near,
            layout.moves,
            layout.status,
            layout.line,
            layout.footer,
        ]
    }

    #[test]
    fn nothing_overlaps_or_leaves_the_window_at_any_size() {
        for width in 40..220 {
            for height in 20..80 {
                let window = Rect::new(0, 0, width, height);
                let layout = Layout::of(window.as_size()).expect("a layout");
                let parts = parts(&layout);
                for (at, part) in parts.iter().enumerate() {
                    assert_eq!(
                        part.intersection(window),
                        *part,
                        "{width}x{height}: {layout:?}"
                    );
                    assert!(part.area() > 0, "{width}x{height}: {layout:?}");
                    for other in &parts[..at] {
                        assert!(!part.intersects(*other), "{width}x{height}: {part} {other}");
                    }
                }
                let roomy = layout.with_more_said(9);
                for other in [roomy.near, roomy.moves] {
                    assert!(!roomy.status.intersects(other) && other.area() > 0);
                }
                let status = layout.status_of(9);
                for other in parts.iter().filter(|part| **part != layout.status) {
                    assert!(
                        !status.intersects(*other),
                        "{width}x{height}: {status} {other}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_window_that_is_too_small_has_no_layout() {
        assert_eq!(Layout::of(Size::new(39, 20)), None);
        assert_eq!(Layout::of(Size::new(40, 19)), None);
        assert_eq!(Layout::of(Size::new(0, 0)), None);
    }

    #[test]
    fn usual_windows_have_the_boards_that_they_can_hold() {
        for (width, height, columns, rows) in [
            (40, 20, 3, 1),
            (80, 24, 6, 3),
            (78, 24, 6, 3),
            (76, 24, 4, 2),
            (80, 23, 4, 2),
            (100, 30, 6, 3),
            (120, 40, 8, 4),
            (200, 60, 12, 6),
            (220, 70, 16, 8),
        ] {
            let layout = Layout::of(Size::new(width, height)).unwrap();
            assert_eq!(
                layout.square,
                SquareSize { columns, rows },
                "{width}x{height}"
            );
        }
    }
}
