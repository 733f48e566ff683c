//! Draws the start screen: the name of the program, the banner, and the form.

use ratatui::Frame;
use ratatui::layout::{Alignment, Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};

use crate::screen::appearance::Appearance;
use crate::screen::config_warnings;
use crate::screen::model::Model;
use crate::screen::start_screen::{StartItem, StartScreen};
use crate::screen::view::banner;
use crate::screen::view::banner::BANNER_ROWS;
use crate::screen::view::{centred, cut, end_of, wrapped};

/// Rows below the form: an empty one, and two for messages.
const FOOTER_ROWS: u16 = 3;
/// The largest width of a form of one column, and of two.
const MAX_FORM_WIDTHS: [u16; 2] = [64, 78];
/// The width to the left of an item's value: pointer, label, and the arrow that changes it.
const LABEL_WIDTH: u16 = 17;

/// The layout of the start screen.
struct StartLayout {
    name: Option<Rect>,
    banner: Option<Rect>,
    items: Vec<(StartItem, Rect)>,
    words: Rect,
}

/// Computes the layout: one column if the banner fits above it, else two if they fit, else one without what does
/// not fit.
fn plan(start: &StartScreen, window: Size) -> StartLayout {
    let items = start.items();
    let count = u16::try_from(items.len()).unwrap_or(u16::MAX);
    let is_wide = window.width >= MAX_FORM_WIDTHS[1];
    // The name, the banner, and an empty row after each.
    let full = 2 + BANNER_ROWS + 1;
    let columns = match count + FOOTER_ROWS + full > window.height && is_wide {
        true => 2,
        false => 1,
    };
    // Items that start a game have the full width.
    let heads = items.iter().take_while(|item| is_main(**item)).count();
    let heads = u16::try_from(heads).unwrap_or(0);
    let below_heads = (count - heads).div_ceil(columns);
    let rows = heads + below_heads;
    let spare = window.height.saturating_sub(rows + FOOTER_ROWS);
    let above = [full, full - 2, 2, 0]
        .into_iter()
        .find(|&above| above <= spare);
    let above = above.unwrap_or(0);
    let widest = MAX_FORM_WIDTHS[usize::from(columns - 1)];
    let size = Size::new(widest.min(window.width - 2), above + rows + FOOTER_ROWS);
    let block = centred(Rect::new(0, 0, window.width, window.height), size);
    let row = |y: u16, height: u16| Rect { y, height, ..block };
    let has_name = above == full || above == 2;
    let has_banner = above >= full - 2;
    let banner_y = block.y + if has_name { 2 } else { 0 };
    let top = block.y + above;
    let width = block.width / columns;
    let heading = (0..heads).map(|at| row(top + at, 1));
    let others = (0..count - heads).map(|at| {
        let (column, down) = (at / below_heads, at % below_heads);
        Rect::new(block.x + column * width, top + heads + down, width, 1)
    });
    let places = heading.chain(others);
    StartLayout {
        name: has_name.then(|| row(block.y, 1)),
        banner: has_banner.then(|| row(banner_y, BANNER_ROWS)),
        items: items.into_iter().zip(places).collect(),
        words: row(top + rows + 1, window.height.saturating_sub(top + rows + 1)),
    }
}

/// Draws the start screen.
pub(super) fn draw(model: &Model, start: &StartScreen, frame: &mut Frame<'_>) {
    let look = &model.look;
    let plan = plan(start, frame.area().as_size());
    if let Some(area) = plan.name {
        let dot = look.glyph(" · ", " - ");
        let name = Line::from(vec![
            Span::styled("touchmove", look.accent()),
            Span::styled(
                format!("{dot}chess, and an arbiter who explains"),
                look.muted(),
            ),
        ]);
        frame.render_widget(name.alignment(Alignment::Center), area);
    }
    if let Some(area) = plan.banner {
        banner::draw(look, area, frame);
    }
    for (item, row) in plan.items {
        draw_item(model, start, item, row.intersection(frame.area()), frame);
    }
    let area = plan.words.intersection(frame.area());
    let (words, style) = match (said(start, area), start.fault()) {
        (Some(said), _) => (said, look.alarm()),
        (None, Some(fault)) => (fault, look.alarm()),
        (None, None) => (start.hint().to_owned(), look.muted()),
    };
    let mut lines = wrapped(&words, area.width);
    if lines.len() > usize::from(area.height) {
        let rest = lines.split_off(usize::from(area.height).saturating_sub(1));
        lines.push(cut(&rest.join(" "), area.width, look.glyph("…", "~")));
    }
    frame.render_widget(Text::from_iter(lines).style(style), area);
}

/// The message, and as many configuration faults as there is room for.
fn said(start: &StartScreen, area: Rect) -> Option<String> {
    let with = |notice: &str, faults: &str| format!("{notice} {faults}").trim().to_owned();
    let notice = start.notice.clone().unwrap_or_default();
    let fits = |faults: &str| {
        let lines = wrapped(&with(&notice, faults), area.width);
        lines.len() <= usize::from(area.height)
    };
    let faults = config_warnings::limited(&start.faults, fits);
    let said = with(&notice, &faults.unwrap_or_default());
    (!said.is_empty()).then_some(said)
}

/// Whether the item starts a game.
const fn is_main(item: StartItem) -> bool {
    matches!(item, StartItem::Play | StartItem::Resume)
}

/// The value of an item; those of the appearance are not in the form.
fn value(look: &Appearance, start: &StartScreen, item: StartItem) -> String {
    match item {
        StartItem::Theme => match look.auto_theme {
            true => format!("{} (by itself)", look.theme.name),
            false => look.theme.name.to_owned(),
        },
        StartItem::Pieces => look.pieces.word().to_owned(),
        _ => start.value(item),
    }
}

fn draw_item(
    model: &Model,
    start: &StartScreen,
    item: StartItem,
    row: Rect,
    frame: &mut Frame<'_>,
) {
    if row.is_empty() {
        return;
    }
    let look = &model.look;
    let is_chosen = start.item == item;
    let pointer = match is_chosen {
        true => look.glyph("▶ ", "> "),
        false => "  ",
    };
    let label = match is_main(item) {
        true => Style::new().add_modifier(Modifier::BOLD),
        false => Style::new(),
    };
    let room = row.width.saturating_sub(LABEL_WIDTH + 2);
    let ellipsis = look.glyph("…", "~");
    let value = value(look, start, item);
    let typed = start
        .text(item)
        .filter(|text| is_chosen && !text.is_empty());
    let value = match typed {
        // While typing, the end stays visible.
        Some(text) if !start.is_fresh => end_of(text, room, ellipsis),
        _ => cut(&value, room, ellipsis),
    };
    let value_style = match (is_chosen, typed.is_some() && start.is_fresh) {
        // The next letter replaces it.
        (true, true) => look.accent().add_modifier(Modifier::UNDERLINED),
        (true, false) => look.accent(),
        (false, _) => look.muted(),
    };
    let can_turn = is_chosen && start.can_turn(item);
    let [left, right] = match can_turn {
        true => [look.glyph("◂ ", "< "), look.glyph(" ▸", " >")],
        false => ["  ", ""],
    };
    let words = Line::from(vec![
        Span::styled(pointer, look.accent()),
        Span::styled(format!("{:<12} ", item.label()), label),
        Span::styled(left, look.muted()),
        Span::styled(value.clone(), value_style),
        Span::styled(right, look.muted()),
    ]);
    frame.render_widget(words, row);
    if is_chosen {
        let typed = match typed {
            None => 0,
            Some(_) => Line::from(value.as_str()).width() as u16,
        };
        let x = (row.x + LABEL_WIDTH + typed).min(row.right() - 1);
        frame.set_cursor_position(Position::new(x, row.y));
    }
}

/// The item at a cell.
pub(in crate::screen) fn item_at(
    start: &StartScreen,
    window: Size,
    cell: Position,
) -> Option<StartItem> {
    let items = plan(start, window).items;
    items
        .into_iter()
        .find(|(_, row)| row.contains(cell))
        .map(|(item, _)| item)
}
