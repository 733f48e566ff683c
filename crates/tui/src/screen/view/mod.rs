//! The view: draws a model. It changes nothing and decides nothing.

mod ascii;
mod banner;
mod chat;
mod dialog;
mod game_list;
mod help;
mod moves;
mod players;
mod review;
mod start;
mod status;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Wrap};
use touchmove_text::{REPLACEMENT, is_clean_line, sanitize_line};

pub(super) use chat::make_room;
pub(super) use dialog::answer_at;
pub(super) use game_list::{game_at, games_shown};
pub(super) use help::max_scroll as farthest_help;
pub(super) use moves::ply_at;
pub(super) use start::item_at;
pub(super) use status::footer_at;

use crate::screen::board::{BoardImage, BoardView, Marks};
use crate::screen::game_screen::{Dialog, GameScreen};
use crate::screen::layout::{Layout, MIN_WINDOW_SIZE};
use crate::screen::model::{ActiveScreen, Model};

/// Draws a model.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let window = frame.area();
    let Some(layout) = Layout::of(window.as_size()) else {
        return too_small(window, frame);
    };
    match &model.scene {
        ActiveScreen::Start(form) => start::draw(model, form, frame),
        ActiveScreen::Table(table) => draw_table(model, table, &layout, frame),
        ActiveScreen::Contents(list) => game_list::draw(model, list, frame),
    }
    if let Some(scrolled) = model.help {
        help::draw(model, scrolled, frame);
    }
    sanitize_cells(frame.buffer_mut());
    if model.look.ascii {
        ascii::to_ascii(frame.buffer_mut());
    }
}

/// Removes escape sequences and bidirectional controls from all cells, wherever the text came from.
fn sanitize_cells(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if is_clean_line(symbol) {
            continue;
        }
        // A replacement character beside a letter would need a cell of its own.
        let mut clean = sanitize_line(symbol).replace(REPLACEMENT, "");
        if clean.is_empty() {
            clean.push(REPLACEMENT);
        }
        cell.set_symbol(&clean);
    }
}

/// The model's board as images, where it is shown as such.
#[must_use]
pub fn picture(model: &Model) -> Option<BoardImage> {
    let table = model.table().filter(|_| model.look.is_pictured())?;
    let layout = Layout::of(model.size)?;
    let marks = table.marks(model.now);
    Some(board(model, table, &marks, &layout).picture())
}

fn board<'a>(
    model: &Model,
    table: &'a GameScreen,
    marks: &'a Marks,
    layout: &Layout,
) -> BoardView<'a> {
    BoardView {
        board: table.position().board(),
        marks,
        geometry: layout.board(table.near),
        look: model.look,
    }
}

fn draw_table(model: &Model, table: &GameScreen, layout: &Layout, frame: &mut Frame<'_>) {
    let geometry = layout.board(table.near);
    let marks = table.marks(model.now);
    let board = board(model, table, &marks, layout);
    frame.render_widget(board, geometry.area());
    // First the explosion, then the dialog.
    let dialog = table.dialog.filter(|_| marks.explosion.is_none());
    let roomy = dialog::make_way(model, table, layout, dialog);
    players::draw(model, table, &roomy, frame);
    let (beside_talk, talk) = make_room(table, &roomy);
    moves::draw(model, table, &beside_talk, frame);
    chat::draw(model, table, talk, frame);
    status::draw_title(model, table, layout.title, frame);
    if !matches!(dialog, Some(Dialog::Over { .. })) {
        status::draw(model, table, layout, frame);
    }
    if model.help.is_some() {
        return;
    }
    if table.coaching.is_open {
        return review::draw(model, table, frame);
    }
    match dialog {
        Some(dialog) => dialog::draw(model, table, layout, dialog, frame),
        None if table.dialog.is_some() => {}
        None if table.line.is_empty() => frame.set_cursor_position(geometry.middle(table.focus())),
        None => frame.set_cursor_position(status::caret(table, layout)),
    }
}

fn too_small(window: Rect, frame: &mut Frame<'_>) {
    let Size { width, height } = MIN_WINDOW_SIZE;
    let text = match window.area() > 120 {
        true => format!(
            "touchmove needs a window of {width} columns and {height} rows; this one has {} and {}.",
            window.width, window.height
        ),
        false => format!("needs {width}x{height}"),
    };
    let notice = Paragraph::new(text)
        .wrap(Wrap { trim: true })
        .alignment(Alignment::Center);
    frame.render_widget(notice, window);
}

/// A rectangle of this size, centred in another and clipped to it.
fn centred(outer: Rect, size: Size) -> Rect {
    let (width, height) = (size.width.min(outer.width), size.height.min(outer.height));
    Rect::new(
        outer.x + (outer.width - width) / 2,
        outer.y + (outer.height - height) / 2,
        width,
        height,
    )
}

/// Clears the rows of a page over the full width, because only cut words would be left beside it.
fn clear_rows(page: Rect, frame: &mut Frame<'_>) {
    let Rect { x, width, .. } = frame.area();
    frame.render_widget(Clear, Rect { x, width, ..page });
}

/// A line cut to a width, with an ellipsis if something was cut.
fn cut(line: &str, width: u16, ellipsis: &str) -> String {
    let width = usize::from(width);
    if Line::from(line).width() <= width {
        return line.to_owned();
    }
    let mut short = String::new();
    for letter in line.chars() {
        let next = format!("{short}{letter}");
        if Line::from(next.as_str()).width() + ellipsis.chars().count() > width {
            break;
        }
        short = next;
    }
    short + ellipsis
}

/// The end of a line, cut to a width: the file name of a path, the last letters of typed text.
fn end_of(line: &str, width: u16, ellipsis: &str) -> String {
    let backwards = |text: &str| text.chars().rev().collect::<String>();
    backwards(&cut(&backwards(line), width, ellipsis))
}

/// A time control for a title; bare minutes get their unit.
fn clock_title(time: &str) -> String {
    match time.bytes().all(|letter| letter.is_ascii_digit()) {
        true => format!("{time} min"),
        false => time.to_owned(),
    }
}

/// The first of these texts, sorted from long to short, that fits into a width; else the last.
fn longest_fitting<const N: usize>(texts: [&'static str; N], width: u16) -> &'static str {
    let fits = |text: &&str| Line::from(*text).width() <= usize::from(width);
    let last = texts.last().copied().unwrap_or_default();
    texts.into_iter().find(fits).unwrap_or(last)
}

/// Wraps a text to lines of at most this width, between words; longer words are broken too, behind a slash if
/// possible.
fn wrapped(text: &str, width: u16) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().flat_map(|word| broken(word, width)) {
        match lines.last_mut() {
            Some(line) if Line::from(format!("{line} {word}")).width() <= usize::from(width) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Breaks a word into parts of at most this width.
fn broken(word: &str, width: u16) -> Vec<&str> {
    let width = usize::from(width.max(1));
    let mut parts = Vec::new();
    let mut rest = word;
    while Line::from(rest).width() > width {
        let end = rest
            .char_indices()
            .nth(width)
            .map_or(rest.len(), |(at, _)| at);
        let slash = rest[..end].rfind('/').map(|at| at + 1);
        let (part, after) = rest.split_at(slash.unwrap_or(end));
        parts.push(part);
        if after.is_empty() {
            return parts;
        }
        rest = after;
    }
    parts.push(rest);
    parts
}

/// Areas for items of these widths, one after another and row by row, as many as fit.
fn flowing(widths: impl Iterator<Item = usize>, area: Rect) -> Vec<Rect> {
    const PANEL_GAP: u16 = 2;
    let (mut x, mut y) = (area.x, area.y);
    let mut places = Vec::new();
    for width in widths {
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        if x > area.x && x.saturating_add(width) > area.right() {
            (x, y) = (area.x, y + 1);
        }
        if y >= area.bottom() || x.saturating_add(width) > area.right() {
            break;
        }
        places.push(Rect::new(x, y, width, 1));
        x += width + PANEL_GAP;
    }
    places
}

/// A border in characters that the terminal can show.
fn border(model: &Model) -> Block<'static> {
    let block = Block::bordered().border_style(model.look.accent());
    match model.look.ascii {
        true => block.border_set(ratatui::symbols::border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        }),
        false => block.border_type(BorderType::Rounded),
    }
}
