//! The start screen: the banner, and the form to fill in.

use ratatui::Frame;
use ratatui::layout::{Alignment, Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::{centred, cut, end_of};
use crate::screen::model::Model;
use crate::screen::start::{Item, Start};

/// "CHESS" in large letters [000-1].
const BANNER: [&str; 5] = [
    " ####  #   #  #####   ####   #### ",
    "#      #   #  #      #      #     ",
    "#      #####  ####    ###    ###  ",
    "#      #   #  #          #      # ",
    " ####  #   #  #####  ####   ####  ",
];

/// Rows below the form: an empty one, and a hint; what is wrong may take more.
const BELOW: u16 = 2;
const BELOW_WITH_NOTICE: u16 = 4;
/// The widest form that looks well.
const WIDEST: u16 = 64;

/// Where the form is: below the banner if that fits.
fn form_area(start: &Start, window: Size) -> (Option<Rect>, Rect) {
    let items = u16::try_from(start.items().len()).unwrap_or(u16::MAX);
    let below = match start.notice {
        Some(_) => BELOW_WITH_NOTICE,
        None => BELOW,
    };
    let whole = Rect::new(0, 0, window.width, window.height);
    // An empty row below the banner, if there is room.
    let room = window.height.saturating_sub(items + below);
    let banner = room.min(BANNER.len() as u16 + 1);
    let has_banner = usize::from(banner) >= BANNER.len();
    let height = items + below + if has_banner { banner } else { 0 };
    let block = centred(whole, Size::new(WIDEST.min(window.width - 2), height));
    match has_banner {
        true => {
            let top = Rect {
                height: banner,
                ..block
            };
            let form = Rect {
                y: block.y + banner,
                height: block.height - banner,
                ..block
            };
            (Some(top), form)
        }
        false => (None, block),
    }
}

/// Paints the start screen.
pub(super) fn draw(model: &Model, start: &Start, frame: &mut Frame<'_>) {
    let look = &model.look;
    let (banner, form) = form_area(start, frame.area().as_size());
    if let Some(area) = banner {
        let lines: Vec<Line<'_>> = BANNER
            .iter()
            .map(|row| Line::raw(row.replace('#', look.glyph("█", "#"))))
            .collect();
        let picture = Paragraph::new(lines)
            .style(look.accent())
            .alignment(Alignment::Center);
        frame.render_widget(picture, area);
    }
    for (y, item) in (form.y..).zip(start.items()) {
        let row = Rect {
            y,
            height: 1,
            ..form
        }
        .intersection(frame.area());
        draw_item(model, start, item, row, frame);
    }
    let below = form.y + u16::try_from(start.items().len()).unwrap_or(0);
    let rest = frame.area().bottom().saturating_sub(below + 1);
    let notice = Rect {
        y: below + 1,
        height: rest,
        ..form
    }
    .intersection(frame.area());
    let words = match &start.notice {
        Some(notice) => Paragraph::new(notice.as_str()).style(look.alarm()),
        None => Paragraph::new(start.hint()).style(look.quiet()),
    };
    frame.render_widget(words.wrap(Wrap { trim: true }), notice);
}

fn draw_item(model: &Model, start: &Start, item: Item, row: Rect, frame: &mut Frame<'_>) {
    if row.is_empty() {
        return;
    }
    let look = &model.look;
    let is_chosen = start.item == item;
    let pointer = match is_chosen {
        true => look.glyph("▶ ", "> "),
        false => "  ",
    };
    let is_main = matches!(item, Item::Play | Item::Resume);
    let label = match is_main {
        true => Style::new().add_modifier(Modifier::BOLD),
        false => Style::new(),
    };
    let (room, ellipsis) = (row.width.saturating_sub(19), look.glyph("…", "~"));
    let value = start.value(item);
    let value = match is_chosen && item.is_text() {
        // Whoever types sees the end.
        true => end_of(&value, room, ellipsis),
        false => cut(&value, room, ellipsis),
    };
    let value_style = match is_chosen {
        true => look.accent(),
        false => look.quiet(),
    };
    let can_turn = is_chosen && start.can_turn(item);
    let [left, right] = match can_turn {
        true => [look.glyph("◂ ", "< "), look.glyph(" ▸", " >")],
        false => ["  ", ""],
    };
    let words = Line::from(vec![
        Span::styled(pointer, look.accent()),
        Span::styled(format!("{:<12} ", item.label()), label),
        Span::styled(left, look.quiet()),
        Span::styled(value.clone(), value_style),
        Span::styled(right, look.quiet()),
    ]);
    frame.render_widget(words, row);
    if is_chosen {
        let typed = match start.text(item) {
            Some("") | None => 0,
            Some(_) => Line::from(value.as_str()).width() as u16,
        };
        frame.set_cursor_position(Position::new(
            (row.x + 17 + typed).min(row.right() - 1),
            row.y,
        ));
    }
}

/// The item under a cell.
pub(in crate::screen) fn item_at(start: &Start, window: Size, cell: Position) -> Option<Item> {
    let (_, form) = form_area(start, window);
    let row = cell.y.checked_sub(form.y)?;
    let is_inside = cell.x >= form.x && cell.x < form.right();
    start
        .items()
        .get(usize::from(row))
        .copied()
        .filter(|_| is_inside)
}
