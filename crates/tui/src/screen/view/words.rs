//! The words around the board: the title, what is said to the players, the line they type in, and
//! the keys.

use ratatui::Frame;
use ratatui::layout::{Alignment, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::cut;
use crate::screen::action::Action;
use crate::screen::feedback;
use crate::screen::layout::Layout;
use crate::screen::model::{Model, Scene};
use crate::screen::table::{Notice, Table, Tone};

/// Paints title, status, line and footer.
pub(super) fn draw(model: &Model, table: &Table, layout: &Layout, frame: &mut Frame<'_>) {
    draw_title(model, table, layout.title, frame);
    draw_status(model, table, layout.status, frame);
    draw_line(model, table, layout.line, frame);
    for (action, place) in footer(model, table, layout) {
        let words = Line::from(vec![
            Span::styled(model.keys.key(action).to_string(), model.look.accent()),
            Span::styled(format!(" {}", label(table, action)), model.look.quiet()),
        ]);
        frame.render_widget(words, place);
    }
}

fn draw_title(model: &Model, table: &Table, area: Rect, frame: &mut Frame<'_>) {
    let terms = table.game.terms();
    let dot = model.look.glyph(" · ", " - ");
    let mut words = vec![terms.variant().title().to_owned()];
    words.extend(terms.time.as_ref().map(ToString::to_string));
    let position = table.position();
    words.push(format!("move {}", position.fullmoves()));
    let state = match (table.game.ending(), table.shown) {
        (_, Some(plies)) => format!("ply {plies} of {}", table.game.plies().len()),
        (Some(ending), None) => ending.result().to_owned(),
        (None, None) => format!("{} to move", position.turn()),
    };
    words.push(state);
    let title = words.join(dot);
    let brand = "touchmove";
    if brand.len() + 2 + Line::from(title.as_str()).width() <= usize::from(area.width) {
        frame.render_widget(Span::styled(brand, model.look.accent()), area);
    }
    let title = cut(&title, area.width, model.look.glyph("…", "~"));
    frame.render_widget(Line::raw(title).alignment(Alignment::Right), area);
}

fn tone(model: &Model, tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Good => model.look.good(),
        Tone::Alarm => model.look.alarm(),
    }
}

/// The most urgent thing there is to say.
fn status(model: &Model, table: &Table) -> Notice {
    let keys = &model.keys;
    let plain = |text: String| Notice {
        tone: Tone::Plain,
        text,
    };
    if let Some(notice) = &table.notice {
        return notice.clone();
    }
    if let Some(plies) = table.shown.filter(|_| table.study.is_none()) {
        let back = keys.key(Action::Last);
        return plain(format!(
            "The board as it stood after {plies} plies; {back} goes back to the game."
        ));
    }
    let [accept, decline, claim] =
        [Action::Accept, Action::Decline, Action::Claim].map(|action| keys.key(action));
    let answer = format!("accepts with y or {accept}, declines with {decline} or by playing on");
    if let Some(by) = table.game.draw_offer() {
        return plain(format!("{by} offers a draw; {} {answer}.", !by));
    }
    if let Some(by) = table.game.takeback_offer() {
        return plain(format!("{by} asks to take back; {} {answer}.", !by));
    }
    let claims = match table.game.claims().is_empty() {
        true => String::new(),
        false => format!(" Press {claim} to claim it."),
    };
    let alarming = table.game.ending().is_some() || table.position().is_check();
    Notice {
        tone: if alarming { Tone::Alarm } else { Tone::Plain },
        text: table.standing() + &claims,
    }
}

fn draw_status(model: &Model, table: &Table, area: Rect, frame: &mut Frame<'_>) {
    let status = status(model, table);
    let words = Paragraph::new(status.text)
        .style(tone(model, status.tone))
        .wrap(Wrap { trim: true });
    frame.render_widget(words, area);
}

/// How many columns stand before the typed text.
const PROMPT: u16 = 2;

/// Where the caret stands behind the typed text.
pub(super) fn caret(table: &Table, layout: &Layout) -> Position {
    let typed = u16::try_from(Line::from(table.line.text()).width()).unwrap_or(u16::MAX);
    let last = layout.line.right() - 1;
    Position::new(
        (layout.line.x + PROMPT).saturating_add(typed).min(last),
        layout.line.y,
    )
}

fn draw_line(model: &Model, table: &Table, area: Rect, frame: &mut Frame<'_>) {
    let look = &model.look;
    let prompt = Span::styled(look.glyph("› ", "> "), look.accent());
    let ellipsis = look.glyph("…", "~");
    let typed = table.line.text();
    let room = area
        .width
        .saturating_sub(PROMPT + 2 + Line::from(typed).width() as u16);
    let words = match feedback::on(table) {
        Some(notice) => vec![
            prompt,
            Span::styled(typed.to_owned(), Style::new().add_modifier(Modifier::BOLD)),
            Span::raw("  "),
            Span::styled(cut(&notice.text, room, ellipsis), tone(model, notice.tone)),
        ],
        None => vec![
            prompt,
            Span::styled(cut(hint(table), room, ellipsis), look.quiet()),
        ],
    };
    frame.render_widget(Line::from(words), area);
}

/// What can be done with nothing typed.
const fn hint(table: &Table) -> &'static str {
    match (
        table.hand,
        table.study.is_some() || table.game.ending().is_some(),
    ) {
        (_, true) => "PgUp and PgDn or the wheel go through the game",
        (Some(_), false) => "Enter on a marked square moves there; Esc puts the man down",
        (None, false) => "Type a move (Nf3, e2e4), or arrows and Enter, Tab, or the mouse",
    }
}

/// The keys at the bottom, as many as fit, the most needed first.
fn footer(model: &Model, table: &Table, layout: &Layout) -> Vec<(Action, Rect)> {
    let area = layout.footer;
    let mut x = area.x;
    let mut items = Vec::new();
    for action in needed(table) {
        let width =
            model.keys.key(action).to_string().chars().count() + 1 + label(table, action).len();
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        if x.saturating_add(width) > area.right() {
            break;
        }
        items.push((action, Rect::new(x, area.y, width, 1)));
        x += width + 2;
    }
    items
}

/// The actions that make sense now, the most needed first.
fn needed(table: &Table) -> Vec<Action> {
    let mut actions = vec![Action::Help];
    if table.game.ending().is_some() || table.study.is_some() {
        actions.extend([Action::Rematch, Action::New, Action::Back, Action::Forward]);
    } else {
        if table.shown.is_some() {
            actions.extend([Action::Last, Action::Back, Action::Forward]);
        }
        if table
            .game
            .draw_offer()
            .or(table.game.takeback_offer())
            .is_some()
        {
            actions.extend([Action::Accept, Action::Decline]);
        }
        if !table.game.claims().is_empty() {
            actions.push(Action::Claim);
        }
        actions.extend([Action::Draw, Action::Takeback, Action::Resign]);
    }
    actions.extend([
        Action::Quit,
        Action::Flip,
        Action::Save,
        Action::Theme,
        Action::CopyFen,
    ]);
    if table.study.is_some() {
        actions.retain(|&action| action != Action::Rematch);
    }
    actions
}

fn label(table: &Table, action: Action) -> &'static str {
    match action {
        Action::Draw if table.game.draw_offer().is_some() => "agree",
        Action::CopyFen => "copy FEN",
        Action::Last => "game",
        action => action.word(),
    }
}

/// The action whose key in the footer is under a cell.
pub(in crate::screen) fn footer_at(
    model: &Model,
    layout: &Layout,
    cell: Position,
) -> Option<Action> {
    let Scene::Table(table) = &model.scene else {
        return None;
    };
    let items = footer(model, table, layout);
    items
        .into_iter()
        .find(|(_, place)| place.contains(cell))
        .map(|(action, _)| action)
}
