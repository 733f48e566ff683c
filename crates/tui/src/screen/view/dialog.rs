//! Dialogs: the box beside or over the board, its question and its answers.

use ratatui::Frame;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Clear;
use touchmove_game::{DrawClaim, explain};
use touchmove_rules::Role;

use crate::quit_prompt::QuitReason;
use crate::screen::appearance::Appearance;
use crate::screen::game_screen::{Dialog, GameScreen};
use crate::screen::layout::Layout;
use crate::screen::model::Model;
use crate::screen::update::{DialogAnswer, answers};
use crate::screen::view::status::status;
use crate::screen::view::{border, centred, cut, flowing, wrapped};

/// The title of every game's end.
const GAME_OVER_TITLE: &str = "Game Over";

/// The question, in a sentence or two.
fn question(model: &Model, table: &GameScreen, layout: &Layout, dialog: Dialog) -> String {
    let asked = table.asked();
    let hosts = table.live.as_ref().map(|live| live.hosts);
    let is_kept = table.unkept.is_none();
    match dialog {
        Dialog::Promotion { attempt, .. } => format!(
            "The pawn on {} becomes: type a letter, or Enter for the lit one",
            attempt.from
        ),
        Dialog::Resign { by } => format!("Does {by} resign?"),
        Dialog::Draw { by } => format!("Does {by} offer a draw?"),
        Dialog::Which { accepts: true } => "Which offer is accepted?".to_owned(),
        Dialog::Which { accepts: false } => "Which offer is declined?".to_owned(),
        Dialog::Claim => {
            let grounds: Vec<&str> = table
                .game
                .claims()
                .into_iter()
                .map(DrawClaim::rule)
                .collect();
            format!(
                "Does {asked} claim a draw by {}? A move can still be typed on: c4.",
                grounds.join(" and ")
            )
        }
        Dialog::Quit | Dialog::Leave { .. } if hosts == Some(true) => {
            "Leave, and end the server? The game is kept.".to_owned()
        }
        Dialog::Quit | Dialog::Leave { .. } if hosts.is_some() => {
            "Leave the table? The game goes on there, and its clocks; the link leads back."
                .to_owned()
        }
        Dialog::Quit => QuitReason::Quit.question(&table.game, is_kept),
        Dialog::Leave { rematch: false } => QuitReason::Another.question(&table.game, is_kept),
        Dialog::Leave { rematch: true } => QuitReason::Rematch.question(&table.game, is_kept),
        Dialog::Over { .. } => {
            let result = table.game.ending().map_or("", |ending| ending.result());
            let why = explain::sentence(&table.game);
            // Later messages, of a saved game or a rematch, follow it.
            let news = status(model, table, layout).text;
            match news.contains(&why) || why.contains(&news) {
                true => format!("{GAME_OVER_TITLE} {result} {news}"),
                false => format!("{GAME_OVER_TITLE} {result} {why} {news}"),
            }
        }
    }
}

/// The layout of a dialog.
struct DialogLayout {
    outer: Rect,
    question: Vec<String>,
    /// The area of each answer.
    answers: Vec<Rect>,
}

/// The answers of the game-over dialog and their areas: at the bottom, in as few rows as they need.
fn answers_over(table: &GameScreen, layout: &Layout, dialog: Dialog) -> Vec<Rect> {
    let widths = answers(table, dialog)
        .into_iter()
        .map(|(_, words, _)| words.len() + 4);
    let widths: Vec<usize> = widths.collect();
    let bottom = layout.footer.bottom();
    let places = |height: u16| {
        let rows = Rect {
            y: bottom - height,
            height,
            ..layout.status
        };
        flowing(widths.iter().copied(), rows)
    };
    let whole = bottom - layout.status.y;
    let fitting = (1..whole).map(places);
    let fitting = fitting.filter(|places| places.len() == widths.len());
    fitting
        .into_iter()
        .next()
        .unwrap_or_else(|| places(whole - 1))
}

/// The layout with room for the game-over dialog, as far as the move list can give way.
pub(super) fn make_way(
    model: &Model,
    table: &GameScreen,
    layout: &Layout,
    dialog: Option<Dialog>,
) -> Layout {
    let Some(dialog @ Dialog::Over { .. }) = dialog else {
        return *layout;
    };
    let said = wrapped(&question(model, table, layout, dialog), layout.status.width);
    let answers = answers_over(table, layout, dialog);
    let top = answers.first().map_or(layout.line.y, |first| first.y);
    let free = usize::from(top - layout.status.y);
    layout.with_more_said(said.len().saturating_sub(free))
}

/// Arranges the game-over dialog: the status, the input line and the key hints move, so that neither the board nor
/// a move is hidden.
fn arrange_over(
    model: &Model,
    table: &GameScreen,
    layout: &Layout,
    dialog: Dialog,
) -> DialogLayout {
    let layout = &make_way(model, table, layout, Some(dialog));
    let answers = answers_over(table, layout, dialog);
    let bottom = layout.footer.bottom();
    let top = answers.first().map_or(layout.line.y, |first| first.y);
    let mut question = wrapped(&question(model, table, layout, dialog), layout.status.width);
    let extra = layout.status_of(question.len() + usize::from(bottom - top));
    let outer = Rect {
        y: extra.y,
        height: bottom - extra.y,
        ..layout.status
    };
    let room = usize::from(top - outer.y);
    if question.len() > room {
        let rest = question.split_off(room.saturating_sub(1)).join(" ");
        question.push(cut(&rest, outer.width, model.look.glyph("…", "~")));
    }
    DialogLayout {
        outer,
        question,
        answers,
    }
}

/// Arranges a dialog: beside the board where there is room, else above the footer. A question that does not fit is
/// cut; the status message has all of it.
fn arrange(model: &Model, table: &GameScreen, layout: &Layout, dialog: Dialog) -> DialogLayout {
    if matches!(dialog, Dialog::Over { .. }) {
        return arrange_over(model, table, layout, dialog);
    }
    let area = layout.moves;
    let room = match area.x {
        0 => Rect::new(0, 1, area.width, layout.footer.y - 1),
        // The lines below are not needed while a dialog is open.
        _ if layout.is_tall() => Rect {
            y: layout.far.bottom(),
            height: layout.line.y - layout.far.bottom(),
            ..area
        },
        _ => Rect {
            y: layout.far.bottom(),
            height: layout.near.y - layout.far.bottom(),
            ..area
        },
    };
    let width = area.width.min(46);
    let mut question = wrapped(
        &question(model, table, layout, dialog),
        width.saturating_sub(4),
    );
    let rows = answers(table, dialog).len() as u16;
    let text = question.len() as u16;
    // Two borders, and an empty row before the answers.
    let height = (text + 1 + rows + 2).min(room.height);
    question.truncate(usize::from(height.saturating_sub(1 + rows + 2)));
    let middle = centred(room, Size::new(width, height));
    let outer = match area.x {
        0 => Rect {
            y: room.bottom() - height,
            ..middle
        },
        _ if layout.is_tall() => Rect {
            y: room.y,
            ..middle
        },
        _ => middle,
    };
    let top = outer.bottom().saturating_sub(1 + rows);
    let width = outer.width.saturating_sub(4);
    DialogLayout {
        outer,
        question,
        answers: (top..top + rows)
            .map(|y| Rect::new(outer.x + 2, y, width, 1))
            .collect(),
    }
}

/// The answers with their areas.
fn places(
    arrangement: &DialogLayout,
    table: &GameScreen,
    dialog: Dialog,
) -> Vec<(Rect, char, &'static str, DialogAnswer)> {
    let places = arrangement.answers.iter().zip(answers(table, dialog));
    places
        .map(|(&place, (key, words, answer))| (place, key, words, answer))
        .collect()
}

/// Draws the open dialog.
pub(super) fn draw(
    model: &Model,
    table: &GameScreen,
    layout: &Layout,
    dialog: Dialog,
    frame: &mut Frame<'_>,
) {
    let look = &model.look;
    let arrangement = arrange(model, table, layout, dialog);
    let DialogLayout {
        outer, question, ..
    } = &arrangement;
    frame.render_widget(Clear, *outer);
    if matches!(dialog, Dialog::Over { .. }) {
        let lines = question.iter().enumerate();
        let lines = lines.map(|(row, line)| match row {
            0 => heading(look, table, line),
            _ => Line::raw(line.as_str()),
        });
        frame.render_widget(Text::from_iter(lines), *outer);
    } else {
        frame.render_widget(border(model), *outer);
        let inner = Rect::new(outer.x + 2, outer.y + 1, outer.width - 4, outer.height - 2);
        frame.render_widget(Text::from_iter(question.iter().map(String::as_str)), inner);
    }
    for (at, (place, key, words, answer)) in
        places(&arrangement, table, dialog).into_iter().enumerate()
    {
        let is_chosen = matches!(dialog, Dialog::Promotion { choice, .. } if choice == at);
        let style = match is_chosen {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        let man = match answer {
            DialogAnswer::Promote(role) if !look.ascii => figurine(table, role),
            _ => String::new(),
        };
        let line = Line::from(vec![
            Span::styled(format!(" {key} "), look.accent()),
            Span::styled(format!(" {man}{words} "), style),
        ]);
        frame.render_widget(line, place.intersection(frame.area()));
        if is_chosen {
            frame.set_cursor_position(Position::new(place.x + 1, place.y));
        }
    }
}

/// The first line of the game-over dialog: "Game Over" and the result stand out. The seed documents ask for red
/// [004-5].
fn heading<'a>(look: &Appearance, table: &GameScreen, line: &'a str) -> Line<'a> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let over = match look.is_colored() {
        true => bold.fg(ratatui::style::Color::Red),
        false => bold,
    };
    let result = table.game.ending().map_or("", |ending| ending.result());
    match line.split_at_checked(GAME_OVER_TITLE.len() + 1 + result.len()) {
        Some((_, rest)) if line.starts_with(GAME_OVER_TITLE) => Line::from(vec![
            Span::styled(GAME_OVER_TITLE, over),
            Span::raw(" "),
            Span::styled(result, bold),
            Span::raw(rest),
        ]),
        _ => Line::raw(line),
    }
}

fn figurine(table: &GameScreen, role: Role) -> String {
    format!("{} ", role.of(table.game.turn()).figurine())
}

/// The answer at a cell.
pub(in crate::screen) fn answer_at(
    model: &Model,
    layout: &Layout,
    dialog: Dialog,
    cell: Position,
) -> Option<DialogAnswer> {
    let table = model.table()?;
    let arrangement = arrange(model, table, layout, dialog);
    places(&arrangement, table, dialog)
        .into_iter()
        .find(|(place, ..)| place.contains(cell))
        .map(|(.., answer)| answer)
}
