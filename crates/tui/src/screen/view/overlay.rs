//! What lies over the board: open questions and the help page.

use ratatui::Frame;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};
use touchmove_game::Claim;
use touchmove_rules::Role;

use super::{centred, wrapped};
use crate::screen::action::Action;
use crate::screen::layout::Layout;
use crate::screen::model::{Model, Scene};
use crate::screen::table::{Dialog, Table};
use crate::screen::update::{Answer, answers};

/// Borders that the terminal can show.
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

/// The question, in a sentence or two.
fn question(table: &Table, dialog: Dialog) -> String {
    let turn = table.game.turn();
    match dialog {
        Dialog::Promotion { attempt, .. } => format!("The pawn on {} becomes", attempt.from),
        Dialog::Resign => format!("Does {turn} resign?"),
        Dialog::Claim => {
            let grounds: Vec<&str> = table.game.claims().into_iter().map(rule).collect();
            format!(
                "Does {turn} claim a draw by {}? A move can still be typed on: c4.",
                grounds.join(" and ")
            )
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

/// The rule that a claim rests on.
const fn rule(claim: Claim) -> &'static str {
    match claim {
        Claim::ThreefoldRepetition => "threefold repetition",
        Claim::FiftyMoves => "the fifty-move rule",
    }
}

/// The width of the box of a question, and its rows of question and answers.
fn measures(layout: &Layout, table: &Table, dialog: Dialog) -> (u16, u16, u16) {
    let width = layout.moves.width.min(46);
    let lines = wrapped(&question(table, dialog), width.saturating_sub(4)).len();
    let lines = u16::try_from(lines).unwrap_or(u16::MAX);
    (
        width,
        lines,
        u16::try_from(answers(dialog).len()).unwrap_or(0),
    )
}

/// The box of a question: beside the board where there is room, else above the footer.
fn frame_of(table: &Table, layout: &Layout, dialog: Dialog) -> Rect {
    let (width, question, answers) = measures(layout, table, dialog);
    let heading = if matches!(dialog, Dialog::Over { .. }) {
        2
    } else {
        0
    };
    let height = heading + question + 1 + answers + 2;
    let area = layout.moves;
    match area.x {
        0 => {
            let above = Rect::new(0, 1, area.width, layout.footer.y - 1);
            let low = above.bottom().saturating_sub(height).max(above.y);
            Rect {
                y: low,
                ..centred(above, Size::new(width, height))
            }
        }
        _ => {
            let beside = Rect {
                y: layout.far.bottom(),
                height: layout.near.y - layout.far.bottom(),
                ..area
            };
            centred(beside, Size::new(width, height))
        }
    }
}

/// Where each answer stands.
fn places(
    table: &Table,
    layout: &Layout,
    dialog: Dialog,
) -> Vec<(Rect, char, &'static str, Answer)> {
    let outer = frame_of(table, layout, dialog);
    let answers = answers(dialog);
    let first = outer.bottom().saturating_sub(1 + answers.len() as u16);
    (first..)
        .zip(answers)
        .map(|(y, (key, words, answer))| {
            let place = Rect::new(outer.x + 2, y, outer.width.saturating_sub(4), 1);
            (place, key, words, answer)
        })
        .collect()
}

/// Paints an open question.
pub(super) fn draw_dialog(
    model: &Model,
    table: &Table,
    layout: &Layout,
    dialog: Dialog,
    frame: &mut Frame<'_>,
) {
    let look = &model.look;
    let outer = frame_of(table, layout, dialog);
    frame.render_widget(Clear, outer);
    frame.render_widget(border(model), outer);
    let mut inner = Rect::new(outer.x + 2, outer.y + 1, outer.width - 4, outer.height - 2);
    if let (Dialog::Over { .. }, Some(ending)) = (dialog, table.game.ending()) {
        // The red of "Game Over" is the seed documents' wish [004-5].
        let over = Style::new().add_modifier(Modifier::BOLD);
        let over = match look.is_colored() {
            true => over.fg(ratatui::style::Color::Red),
            false => over,
        };
        let heading = Line::from(vec![
            Span::styled("Game Over", over),
            Span::raw("  "),
            Span::styled(ending.result(), Style::new().add_modifier(Modifier::BOLD)),
        ]);
        frame.render_widget(heading, Rect { height: 1, ..inner });
        inner.y += 2;
        inner.height = inner.height.saturating_sub(2);
    }
    let question = wrapped(&question(table, dialog), inner.width);
    frame.render_widget(Text::from_iter(question), inner);
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

/// What the help page says before it lists the keys.
const HELP: [(&str, &str); 9] = [
    (
        "type a move",
        "Nf3, exd5, e2e4, e2 e4, 0-0, e8=Q, then Enter",
    ),
    (
        "type a word",
        "draw, resign, flip ... or its beginning, then Enter",
    ),
    (
        "arrows, hjkl",
        "move the cursor; Enter or Space takes a man and puts it",
    ),
    (
        "Tab",
        "the next man that can move; Shift-Tab the one before",
    ),
    (
        "mouse",
        "click and click, or drag; the wheel goes through the game",
    ),
    ("Esc", "undoes what is typed or in hand"),
    ("marks", "[ ] in hand, dot may go, x may take, * would die"),
    (
        "",
        "! king in check, > < gives check, » « the arbiter's reason",
    ),
    ("", ""),
];

/// Paints the help page.
pub(super) fn draw_help(model: &Model, scrolled: u16, frame: &mut Frame<'_>) {
    let look = &model.look;
    let mut lines: Vec<Line<'_>> = HELP
        .iter()
        .map(|(what, how)| {
            help_line(
                model,
                (*what).to_owned(),
                look.glyph(how, &ascii_marks(how)).to_owned(),
            )
        })
        .collect();
    lines.extend(Action::ALL.into_iter().map(|action| {
        let what = format!(
            "{:<4} {}",
            model.keys.key(action).to_string(),
            action.word()
        );
        help_line(model, what, action.help().to_owned())
    }));
    let height = u16::try_from(lines.len())
        .unwrap_or(u16::MAX)
        .saturating_add(2);
    let outer = centred(frame.area(), Size::new(76, height));
    let most = height.saturating_sub(outer.height);
    let foot = match most {
        0 => " any key closes ",
        _ => " up and down scroll, any other key closes ",
    };
    let title = match &model.scene {
        Scene::Start(_) | Scene::Contents(_) => " Help ",
        Scene::Table(_) => " Keys ",
    };
    frame.render_widget(Clear, outer);
    let page = Paragraph::new(lines)
        .block(border(model).title(title).title_bottom(foot))
        .scroll((scrolled.min(most), 0));
    frame.render_widget(page, outer);
}

fn ascii_marks(how: &str) -> String {
    how.replace(['»', '«'], "?")
}

fn help_line(model: &Model, what: String, how: String) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!(" {what:<14} "), model.look.accent()),
        Span::raw(how),
    ])
}
