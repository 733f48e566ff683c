//! Open questions: the box beside or over the board, what is asked in it, and its answers.

use ratatui::Frame;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Clear;
use touchmove_game::{Claim, Ending};
use touchmove_rules::Role;

use super::{border, centred, wrapped};
use crate::screen::layout::Layout;
use crate::screen::look::Look;
use crate::screen::model::Model;
use crate::screen::table::{Dialog, Table};
use crate::screen::update::{Answer, answers};

/// The question, in a sentence or two.
fn question(table: &Table, dialog: Dialog) -> String {
    let asked = table.asked();
    let hosts = table.live.as_ref().map(|live| live.hosts);
    match dialog {
        Dialog::Promotion { attempt, .. } => format!("The pawn on {} becomes", attempt.from),
        Dialog::Resign { by } => format!("Does {by} resign?"),
        Dialog::Draw { by } => format!("Does {by} offer a draw?"),
        Dialog::Which { accepts: true } => "Which offer is accepted?".to_owned(),
        Dialog::Which { accepts: false } => "Which offer is declined?".to_owned(),
        Dialog::Claim => {
            let grounds: Vec<&str> = table.game.claims().into_iter().map(Claim::rule).collect();
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
        Dialog::Quit | Dialog::Leave { .. } if table.unkept.is_some() => {
            "Leave the game? It is NOT kept; it is shown as PGN on the way out.".to_owned()
        }
        Dialog::Quit => "Leave the game? It is kept and can be resumed.".to_owned(),
        Dialog::Leave { rematch: false } => {
            "Begin another game? This one is kept and can be resumed.".to_owned()
        }
        Dialog::Leave { rematch: true } => {
            "Begin a rematch? This game is kept and can be resumed.".to_owned()
        }
        Dialog::Over { .. } => table.standing(),
    }
}

/// Where everything of a question stands.
struct Arrangement {
    outer: Rect,
    /// Rows that "Game Over" takes, with the empty one below it.
    heading: u16,
    question: Vec<String>,
    /// The first row of answers.
    answers: u16,
    /// Answers stand side by side in so many columns.
    columns: u16,
}

/// Arranges a question: beside the board where there is room, else above the footer. What does not
/// fit is left out of the question; the status line has it all.
fn arrange(table: &Table, layout: &Layout, dialog: Dialog) -> Arrangement {
    let area = layout.moves;
    let room = match area.x {
        0 => Rect::new(0, 1, area.width, layout.footer.y - 1),
        _ => Rect {
            y: layout.far.bottom(),
            height: layout.near.y - layout.far.bottom(),
            ..area
        },
    };
    let is_over = matches!(dialog, Dialog::Over { .. });
    let width = area.width.min(46);
    let mut question = wrapped(&question(table, dialog), width.saturating_sub(4));
    let columns = if is_over { 2 } else { 1 };
    let rows = (answers(dialog).len() as u16).div_ceil(columns);
    let text = question.len() as u16;
    // Two borders, and an empty row before the answers.
    let least = text + 1 + rows + 2;
    let heading = match (is_over, least + 2 <= room.height) {
        (true, true) => 2,
        (true, false) => 1,
        (false, _) => 0,
    };
    let height = (heading + least).min(room.height);
    question.truncate(usize::from(height.saturating_sub(heading + 1 + rows + 2)));
    let middle = centred(room, Size::new(width, height));
    let outer = match area.x {
        0 => Rect {
            y: room.bottom() - height,
            ..middle
        },
        _ => middle,
    };
    Arrangement {
        outer,
        heading,
        question,
        answers: outer.bottom().saturating_sub(1 + rows),
        columns,
    }
}

/// Where each answer stands.
fn places(
    table: &Table,
    layout: &Layout,
    dialog: Dialog,
) -> Vec<(Rect, char, &'static str, Answer)> {
    let Arrangement {
        outer,
        answers: top,
        columns,
        ..
    } = arrange(table, layout, dialog);
    let width = outer.width.saturating_sub(4) / columns;
    (0..)
        .zip(answers(dialog))
        .map(|(at, (key, words, answer))| {
            let (x, y) = (outer.x + 2 + at % columns * width, top + at / columns);
            (Rect::new(x, y, width, 1), key, words, answer)
        })
        .collect()
}

/// Paints an open question.
pub(super) fn draw(
    model: &Model,
    table: &Table,
    layout: &Layout,
    dialog: Dialog,
    frame: &mut Frame<'_>,
) {
    let look = &model.look;
    let Arrangement {
        outer,
        heading,
        question,
        ..
    } = arrange(table, layout, dialog);
    frame.render_widget(Clear, outer);
    frame.render_widget(border(model), outer);
    let inner = Rect::new(outer.x + 2, outer.y + 1, outer.width - 4, outer.height - 2);
    if let (Dialog::Over { .. }, Some(ending)) = (dialog, table.game.ending()) {
        draw_heading(look, ending, inner, frame);
    }
    let below = Rect {
        y: inner.y + heading,
        height: inner.height.saturating_sub(heading),
        ..inner
    };
    frame.render_widget(Text::from_iter(question), below);
    for (at, (place, key, words, answer)) in places(table, layout, dialog).into_iter().enumerate() {
        let is_chosen = matches!(dialog, Dialog::Promotion { choice, .. } if choice == at);
        let style = match is_chosen {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        let man = match answer {
            Answer::Promote(role) if !look.ascii => figurine(table, role),
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

/// "Game Over" and the result. The red is the seed documents' wish [004-5].
fn draw_heading(look: &Look, ending: Ending, inner: Rect, frame: &mut Frame<'_>) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let over = match look.is_colored() {
        true => bold.fg(ratatui::style::Color::Red),
        false => bold,
    };
    let words = vec![
        Span::styled("Game Over", over),
        Span::raw("  "),
        Span::styled(ending.result(), bold),
    ];
    frame.render_widget(Line::from(words), Rect { height: 1, ..inner });
}

fn figurine(table: &Table, role: Role) -> String {
    format!("{} ", role.of(table.game.turn()).figurine())
}

/// The answer under a cell.
pub(in crate::screen) fn answer_at(
    model: &Model,
    layout: &Layout,
    dialog: Dialog,
    cell: Position,
) -> Option<Answer> {
    let table = model.table()?;
    let places = places(table, layout, dialog);
    places
        .into_iter()
        .find(|(place, ..)| place.contains(cell))
        .map(|(.., answer)| answer)
}
