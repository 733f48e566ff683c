//! The move list: beside the board a row for each move, below it as running text. The ply on the board is
//! highlighted and always visible.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use crate::screen::appearance::Appearance;
use crate::screen::game_screen::GameScreen;
use crate::screen::layout::Layout;
use crate::screen::model::Model;
use crate::screen::view::cut;
use touchmove_game::move_text as record;

/// An entry of the move list.
struct MoveListCell {
    /// Its row, counted from the top of the whole list.
    row: usize,
    column: u16,
    width: u16,
    text: String,
    /// Its ply, counted from 1; numbers and exploded pieces have none.
    ply: Option<usize>,
}

/// Draws the move list.
pub(super) fn draw(model: &Model, table: &GameScreen, layout: &Layout, frame: &mut Frame<'_>) {
    let look = &model.look;
    let area = layout.moves;
    if table.game.plies().is_empty() && table.study.is_none() {
        crate::screen::view::banner::draw(look, area, frame);
    }
    let entries = entries(table, layout, look);
    let first = first_row(&entries, table, area);
    for entry in &entries {
        let Some(place) = place(entry, first, area) else {
            continue;
        };
        let style = match entry.ply {
            Some(ply) if ply == table.plies_shown() => {
                look.accent().add_modifier(Modifier::REVERSED)
            }
            Some(_) => Style::new(),
            None => look.muted(),
        };
        frame.render_widget(Span::styled(entry.text.as_str(), style), place);
    }
}

/// How many plies the board shows after a click on this cell.
pub(in crate::screen) fn ply_at(
    table: &GameScreen,
    layout: &Layout,
    cell: Position,
) -> Option<usize> {
    let area = layout.moves;
    let entries = entries(table, layout, &Appearance::default());
    let first = first_row(&entries, table, area);
    let hit = entries.iter().find(|entry| {
        place(entry, first, area).is_some_and(|place| entry.ply.is_some() && place.contains(cell))
    });
    hit?.ply
}

fn place(entry: &MoveListCell, first: usize, area: Rect) -> Option<Rect> {
    let row = u16::try_from(entry.row.checked_sub(first)?).ok()?;
    let fits = row < area.height && entry.column + entry.width <= area.width;
    fits.then(|| Rect::new(area.x + entry.column, area.y + row, entry.width, 1))
}

/// The first visible row: keeps the ply on the board visible, at the bottom while the game goes on and in the
/// middle while stepping through it.
fn first_row(entries: &[MoveListCell], table: &GameScreen, area: Rect) -> usize {
    let shown = entries
        .iter()
        .find(|entry| entry.ply == Some(table.plies_shown()));
    let row = shown.map_or(0, |entry| entry.row);
    let last = entries.last().map_or(0, |entry| entry.row);
    let height = usize::from(area.height);
    let lowest = (last + 1).saturating_sub(height);
    match table.shown {
        None => lowest,
        Some(_) => row.saturating_sub(height / 2).min(lowest),
    }
}

fn entries(table: &GameScreen, layout: &Layout, look: &Appearance) -> Vec<MoveListCell> {
    let is_beside = layout.moves.x > 0;
    if is_beside {
        columns(table, layout.moves.width, look)
    } else {
        text(table, layout.moves.width)
    }
}

/// The number of the first move, and whether Black plays it.
fn opening(table: &GameScreen) -> (usize, usize) {
    let start = table.game.terms().start;
    let number = usize::try_from(start.fullmoves()).unwrap_or(1);
    (number, usize::from(!start.turn().is_white()))
}

/// A ply in notation, with its annotation glyphs.
fn score(table: &GameScreen, at: usize) -> String {
    let san = table.game.plies().get(at).map_or("", |ply| &ply.san);
    let note = table.study.as_ref().and_then(|study| study.note(at + 1));
    format!("{san}{}", note.map_or("", |note| &note.signs))
}

/// A row for each move: number, White, Black; below it the exploded pieces.
fn columns(table: &GameScreen, width: u16, look: &Appearance) -> Vec<MoveListCell> {
    const NUMBER_WIDTH: u16 = 5;
    let half = (width - NUMBER_WIDTH) / 2;
    let (number, offset) = opening(table);
    let mut entries = Vec::new();
    let mut row = 0;
    // Whether the last row lists exploded pieces.
    let mut is_dirge = false;
    for (at, ply) in table.game.plies().iter().enumerate() {
        let place = at + offset;
        let is_black = place % 2 == 1;
        if !is_black || at == 0 || is_dirge {
            row += usize::from(at > 0);
            let text = format!(
                "{:>3}.{}",
                number + place / 2,
                if is_black { "." } else { "" }
            );
            entries.push(MoveListCell {
                row,
                column: 0,
                width: NUMBER_WIDTH,
                text,
                ply: None,
            });
        }
        let column = NUMBER_WIDTH + if is_black { half } else { 0 };
        let text = cut(&score(table, at), half, "");
        entries.push(MoveListCell {
            row,
            column,
            width: half,
            text,
            ply: Some(at + 1),
        });
        if let Some(before) = table.game.position_after(at)
            && let Some(dead) = record::exploded_text(before, ply.mv)
        {
            let room = width - NUMBER_WIDTH;
            let star = look.glyph("✶", "*");
            let text = cut(&format!("{star} {dead}"), room, look.glyph("…", "~"));
            row += 1;
            entries.push(MoveListCell {
                row,
                column: NUMBER_WIDTH,
                width: room,
                text,
                ply: None,
            });
            is_dirge = true;
        } else {
            is_dirge = false;
        }
    }
    entries
}

/// Running text: `1. e4 e5 2. Nf3`.
fn text(table: &GameScreen, width: u16) -> Vec<MoveListCell> {
    let (number, offset) = opening(table);
    let mut entries = Vec::new();
    let (mut row, mut column) = (0, 0);
    for at in 0..table.game.plies().len() {
        let place = at + offset;
        let is_black = place % 2 == 1;
        let lead = match (is_black, at) {
            (false, _) => format!("{}. ", number + place / 2),
            (true, 0) => format!("{}... ", number + place / 2),
            (true, _) => String::new(),
        };
        let text = score(table, at);
        let lengths = [&lead, &text].map(|text| Span::raw(text.as_str()).width() as u16);
        if column > 0 && column + lengths[0] + lengths[1] > width {
            (row, column) = (row + 1, 0);
        }
        if !lead.is_empty() {
            entries.push(MoveListCell {
                row,
                column,
                width: lengths[0],
                text: lead,
                ply: None,
            });
        }
        column += lengths[0];
        entries.push(MoveListCell {
            row,
            column,
            width: lengths[1],
            text,
            ply: Some(at + 1),
        });
        column += lengths[1] + 1;
    }
    entries
}
