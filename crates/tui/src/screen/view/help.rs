//! The help page: how to play, and every key binding. It scrolls in low windows, and wraps in narrow ones.

use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use touchmove_rules::Variant;
use touchmove_rules::law::Ruleset;

use crate::screen::key_bindings::Action;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::view::{border, centred, clear_rows, wrapped};

/// The help on playing, between how moves are typed and the key bindings.
const HELP_TEXT: [(&str, &str); 7] = [
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
    ("c", "claims a draw, when there is one to claim"),
    ("marks", "[ ] in hand, dot may go, x may take, * would die,"),
];

/// The help on games of a file.
const STUDY_HELP_TEXT: [(&str, &str); 5] = [
    ("c", "a comment on the move before the position"),
    ("g", "the next of ! ? !! ?? !? ?! on that move"),
    (
        "a",
        "adds a typed move as a variation; clicks on the board do, too",
    ),
    ("u", "takes a change back"),
    (
        "s",
        "saves: the game in its place, the rest of the file as it was",
    ),
];

/// The help on the library's list.
const LIBRARY_HELP_TEXT: [(&str, &str); 3] = [
    ("F2", "adds the games up by player, variant and ending"),
    ("^S", "exports the games that are shown into one file"),
    ("Del", "takes a game out; asked twice"),
];

/// The help for the active screen only.
fn here(model: &Model) -> &'static [(&'static str, &'static str)] {
    match &model.scene {
        ActiveScreen::Table(table) if table.study.is_some() => &STUDY_HELP_TEXT,
        ActiveScreen::Contents(contents) if contents.collection().is_library() => {
            &LIBRARY_HELP_TEXT
        }
        _ => &[],
    }
}

/// The help on typing moves and on marks, for moves that the variant has.
fn moves_and_marks(rules: &Ruleset) -> [(&'static str, &'static str); 2] {
    let moves = match (rules.has_castling(), rules.promotion) {
        (true, true) => "Nf3, exd5, e2e4, e2 e4, 0-0, e8=Q, then Enter",
        _ => "Nf3, exd5, e2e4, e2 e4, then Enter",
    };
    let marks = match rules.check {
        true => "! in check, > < gives check, » « the arbiter's reason",
        false => "» « the arbiter's reason",
    };
    [("type a move", moves), ("", marks)]
}

/// The rules of the game on the screen, or of the variant selected in the form.
fn rules(model: &Model) -> Ruleset {
    let variant = match &model.scene {
        ActiveScreen::Table(table) => table.game.terms().variant(),
        ActiveScreen::Start(start) => start.form.variant,
        ActiveScreen::Contents(_) => Variant::default(),
    };
    Ruleset::of(variant)
}

/// The largest width of the page.
const MAX_PAGE_WIDTH: u16 = 76;
/// The width of the column of keys and words.
const KEY_COLUMN_WIDTH: u16 = 16;

/// Every line of the page, for a width between its borders.
fn lines(model: &Model, width: u16) -> Vec<Line<'static>> {
    let [moves, marks] = moves_and_marks(&rules(model));
    let here = here(model).iter().copied();
    let usual = here
        .chain([moves])
        .chain(HELP_TEXT)
        .chain([marks, ("", "")]);
    let usual = usual.map(|(what, how)| {
        let how = match model.look.ascii {
            true => how.replace(['»', '«'], "?"),
            false => how.to_owned(),
        };
        (what.to_owned(), how)
    });
    let actions = Action::ALL.map(|action| {
        let key = model.keys.key(action).to_string();
        let what = format!("{key:<4} {}", action.word());
        (what, action.help().to_owned())
    });
    let mut lines = Vec::new();
    for (what, how) in usual.chain(actions) {
        let rows = wrapped(&how, width.saturating_sub(KEY_COLUMN_WIDTH));
        let first = rows.first().cloned().unwrap_or_default();
        lines.push(Line::from(vec![
            Span::styled(format!(" {what:<14} "), model.look.accent()),
            Span::raw(first),
        ]));
        let indent = " ".repeat(usize::from(KEY_COLUMN_WIDTH));
        let rest = rows.into_iter().skip(1);
        lines.extend(rest.map(|row| Line::raw(format!("{indent}{row}"))));
    }
    lines
}

/// The area of the page, and how far it can be scrolled.
fn area(model: &Model, window: Rect) -> (Rect, u16) {
    let width = MAX_PAGE_WIDTH.min(window.width);
    let lines = lines(model, width.saturating_sub(2)).len();
    let height = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(2);
    let outer = centred(window, Size::new(width, height));
    (outer, height.saturating_sub(outer.height))
}

/// How far the page can be scrolled.
pub(in crate::screen) fn max_scroll(model: &Model) -> u16 {
    let window = Rect::new(0, 0, model.size.width, model.size.height);
    area(model, window).1
}

/// Draws the help page.
pub(super) fn draw(model: &Model, scrolled: u16, frame: &mut Frame<'_>) {
    let (outer, farthest) = area(model, frame.area());
    let foot = match (farthest, outer.width < MAX_PAGE_WIDTH) {
        (0, _) => " any key closes ",
        (_, true) => " up, down; any key closes ",
        (_, false) => " up and down scroll, any other key closes ",
    };
    let title = match &model.scene {
        ActiveScreen::Start(_) | ActiveScreen::Contents(_) => " Help ",
        ActiveScreen::Table(_) => " Keys ",
    };
    clear_rows(outer, frame);
    let page = Paragraph::new(lines(model, outer.width.saturating_sub(2)))
        .block(border(model).title(title).title_bottom(foot))
        .scroll((scrolled.min(farthest), 0));
    frame.render_widget(page, outer);
}
