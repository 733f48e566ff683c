//! The review page: its progress, and its result.

use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Text};
use ratatui::widgets::Paragraph;
use touchmove_game::move_text;
use touchmove_rules::ByColor;

use crate::opponents::review_text;
use crate::screen::coach_state::ReviewState;
use crate::screen::game_screen::GameScreen;
use crate::screen::model::Model;
use crate::screen::view::{border, centred, clear_rows, wrapped};

/// The largest width of the page.
const MAX_PAGE_WIDTH: u16 = 76;

/// Draws the page.
pub(super) fn draw(model: &Model, table: &GameScreen, frame: &mut Frame<'_>) {
    let window = frame.area();
    let width = MAX_PAGE_WIDTH.min(window.width);
    let inside = width.saturating_sub(4);
    let (lines, foot) = match &table.coaching.review {
        Some(ReviewState::Busy(done, all)) => {
            (vec![bar(model, *done, *all, inside)], " Esc breaks it off ")
        }
        Some(ReviewState::Done(review, _)) => {
            let names = ByColor::with(|color| move_text::name(&table.game, color));
            let told = review_text(review, &names, usize::from(inside), model.look.ascii);
            let foot = match review.turnings.len() {
                0 => " any key closes ",
                1 => " 1 shows the turning point, any other key closes ",
                2 => " 1 and 2 show the turning points, any other key closes ",
                _ => " 1 to 3 show the turning points, any other key closes ",
            };
            (told, foot)
        }
        None => return,
    };
    let fits = |line: &str| Line::from(line).width() <= usize::from(inside);
    let lines: Vec<String> = lines
        .into_iter()
        .flat_map(|line| match fits(&line) {
            true => vec![line],
            false => wrapped(&line, inside),
        })
        .collect();
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let outer = centred(window, Size::new(width, height));
    let foot = Line::from(foot);
    let inner = Rect {
        x: outer.x + 2,
        y: outer.y + 1,
        width: inside,
        height: outer.height.saturating_sub(2),
    };
    clear_rows(outer, frame);
    frame.render_widget(border(model).title(" Review ").title_bottom(foot), outer);
    frame.render_widget(Paragraph::new(Text::from_iter(lines)), inner);
}

/// The progress bar of the review.
fn bar(model: &Model, done: usize, all: usize, width: u16) -> String {
    let room = usize::from(width.saturating_sub(7));
    let full = room * done.min(all) / all.max(1);
    let [block, dot] = [model.look.glyph("█", "#"), model.look.glyph("░", ".")];
    let percent = 100 * done.min(all) / all.max(1);
    format!(
        "{}{} {percent:>3} %",
        block.repeat(full),
        dot.repeat(room - full)
    )
}
