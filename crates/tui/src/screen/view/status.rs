//! The text around the board: the title, the status message, the input line, and the key hints.

use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Alignment, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};

use crate::screen::feedback;
use crate::screen::game_screen::{GameScreen, Notice, Tone};
use crate::screen::key_bindings::{Action, KeyChord};
use crate::screen::layout::Layout;
use crate::screen::model::Model;
use crate::screen::view::{clock_title, cut, end_of, flowing, longest_fitting, wrapped};
use touchmove_rules::{Color, Variant};

/// Draws the status message, the input line and the footer.
pub(super) fn draw(model: &Model, table: &GameScreen, layout: &Layout, frame: &mut Frame<'_>) {
    draw_status(model, table, layout, frame);
    draw_line(model, table, layout, frame);
    for (key, label, place) in footer(model, table, layout) {
        let words = Line::from(vec![
            Span::styled(key.to_string(), model.look.accent()),
            Span::styled(format!(" {label}"), model.look.muted()),
        ]);
        frame.render_widget(words, place);
    }
}

/// Draws the title.
pub(super) fn draw_title(model: &Model, table: &GameScreen, area: Rect, frame: &mut Frame<'_>) {
    let terms = table.game.terms();
    let dot = model.look.glyph(" · ", " - ");
    let mut words = vec![match (terms.variant(), terms.start.chess960_number()) {
        (variant @ Variant::Chess960, Some(number)) => format!("{} {number}", variant.title()),
        (variant, _) => variant.title().to_owned(),
    }];
    words.extend(
        terms
            .time
            .as_ref()
            .map(|time| clock_title(&time.to_string())),
    );
    let position = table.position();
    words.push(match table.study.as_ref().map(|study| &study.contents) {
        Some(contents) => {
            let number = contents.chosen().map_or(0, |(number, _)| number + 1);
            let count = contents.collection().list().len();
            match table.study.as_ref().is_some_and(|study| study.is_aside()) {
                true => format!("game {number} of {count}, variation"),
                false => format!("game {number} of {count}"),
            }
        }
        None => format!("move {}", position.fullmoves()),
    });
    let state = match (table.game.ending(), table.shown) {
        (_, Some(plies)) => format!("ply {plies} of {}", table.game.plies().len()),
        (Some(ending), None) => ending.result().to_owned(),
        (None, None) => format!("{} to move", position.turn()),
    };
    words.push(state);
    let watching = table
        .live
        .as_ref()
        .map_or(0, |live| live.attendance.watching);
    if watching > 0 {
        words.push(format!("{watching} watching"));
    }
    let (brand, style) = match table.unkept {
        Some(_) => ("NOT KEPT", model.look.alarm()),
        None => ("touchmove", model.look.accent()),
    };
    let ellipsis = model.look.glyph("…", "~");
    if area.height > 1 {
        // In two rows, the state of the game goes into the second.
        let at = words
            .iter()
            .position(|word| word.starts_with("move ") || word.starts_with("game "));
        let mut stands = words.split_off(at.unwrap_or(words.len() - 1));
        if watching > 0 {
            words.extend(stands.pop());
        }
        let [first, second] = [0, 1].map(|row| Rect::new(area.x, area.y + row, area.width, 1));
        let game = words.join(dot);
        let has_room =
            brand.len() + 1 + Line::from(game.as_str()).width() <= usize::from(area.width);
        let room = match has_room || table.unkept.is_some() {
            true => area.width.saturating_sub(brand.len() as u16 + 1),
            false => area.width,
        };
        if room < area.width {
            frame.render_widget(Span::styled(brand, style), first);
        }
        let game = cut(&game, room, ellipsis);
        frame.render_widget(Line::raw(game).alignment(Alignment::Right), first);
        let stands = cut(&stands.join(dot), area.width, ellipsis);
        frame.render_widget(Line::raw(stands).alignment(Alignment::Right), second);
        draw_flash(model, area, frame);
        return;
    }
    let title = words.join(dot);
    if brand.len() + 2 + Line::from(title.as_str()).width() <= usize::from(area.width) {
        frame.render_widget(Span::styled(brand, style), area);
    }
    let title = cut(&title, area.width, ellipsis);
    frame.render_widget(Line::raw(title).alignment(Alignment::Right), area);
    draw_flash(model, area, frame);
}

/// Inverts the title for a moment, as an alert.
fn draw_flash(model: &Model, area: Rect, frame: &mut Frame<'_>) {
    if model.flash.is_some() {
        let flash = Style::new().add_modifier(Modifier::REVERSED);
        frame.buffer_mut().set_style(area, flash);
    }
}

fn tone(model: &Model, tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Good => model.look.good(),
        Tone::Alarm => model.look.alarm(),
    }
}

/// The most urgent message.
pub(super) fn status(model: &Model, table: &GameScreen, layout: &Layout) -> Notice {
    let keys = &model.keys;
    let plain = |text: String| Notice {
        tone: Tone::Plain,
        text,
    };
    if let Some(notice) =
        feedback::feedback_for(table).filter(|notice| !fits(table, notice, layout))
    {
        return feedback::spoken_feedback(table, notice);
    }
    let lost = table.live.as_ref().and_then(|live| live.lost.as_ref());
    if let Some(sentence) = lost {
        return Notice {
            tone: Tone::Alarm,
            text: sentence.clone(),
        };
    }
    if let Some(notice) = &table.notice {
        return notice.clone();
    }
    if let Some(live) = &table.live
        && let Some(words) = live
            .sending(&table.game)
            .or(live.rematch_words(&table.game))
    {
        return plain(words);
    }
    if let Some(study) = &table.study {
        let note = study.note(table.plies_shown());
        let comment = note.map_or("", |note| note.comment.as_str());
        let others = study.others(table.plies_shown()).unwrap_or_default();
        return plain(match (comment, others.as_str()) {
            ("", "") => study.title(),
            ("", others) => others.to_owned(),
            (comment, others) => format!("{comment} {others}").trim_end().to_owned(),
        });
    }
    if let Some(plies) = table.shown {
        let back = keys.key(Action::Last);
        let plies = match plies {
            0 => "at the start".to_owned(),
            1 => "after one ply".to_owned(),
            plies => format!("after {plies} plies"),
        };
        return plain(format!(
            "The board as it stood {plies}; {back} goes back to the game."
        ));
    }
    let [accept, decline] = [Action::Accept, Action::Decline].map(|action| keys.key(action));
    let answer = match table.live.is_some() && !table.is_offered() {
        true => "has not answered".to_owned(),
        false => format!("accepts with y or {accept}, declines with {decline} or by playing on"),
    };
    if let (Some(draw), Some(back)) = (table.game.draw_offer(), table.game.takeback_offer())
        && table.is_offered()
    {
        return plain(format!(
            "{draw} offers a draw, and {back} asks to take back. y or {accept} accepts, {decline} \
             declines, and asks which."
        ));
    }
    if let Some(by) = table.game.draw_offer() {
        return plain(format!("{by} offers a draw; {} {answer}.", !by));
    }
    if let Some(by) = table.game.takeback_offer() {
        return plain(format!("{by} asks to take back; {} {answer}.", !by));
    }
    let claims = match table.can_claim() {
        false => String::new(),
        true => " Press c to claim it.".to_owned(),
    };
    let open = Color::ALL
        .into_iter()
        .any(|color| table.game.seats()[color].is_open());
    if let Some(live) = table
        .live
        .as_ref()
        .filter(|_| open && table.game.ending().is_none())
    {
        return plain(format!("A seat is open. Send this link: {}", live.link));
    }
    if let Some(why) = &table.unkept {
        return Notice {
            tone: Tone::Alarm,
            text: format!("{why} Type save and a path, or see it on leaving."),
        };
    }
    let alarming = table.game.ending().is_some() || table.position().is_check();
    Notice {
        tone: if alarming { Tone::Alarm } else { Tone::Plain },
        text: table.standing() + &claims,
    }
}

fn draw_status(model: &Model, table: &GameScreen, layout: &Layout, frame: &mut Frame<'_>) {
    let status = status(model, table, layout);
    let mut lines = wrapped(&status.text, layout.status.width);
    let area = layout.status_of(lines.len());
    if lines.len() > usize::from(area.height) {
        let rest = lines.split_off(usize::from(area.height) - 1).join(" ");
        lines.push(cut(&rest, area.width, model.look.glyph("…", "~")));
    }
    let words = Text::from_iter(lines).style(tone(model, status.tone));
    frame.render_widget(words, area);
}

/// Whether the feedback on the typed text fits beside it; otherwise it is shown above.
fn fits(table: &GameScreen, notice: &Notice, layout: &Layout) -> bool {
    let [typed, said] = [table.line.text(), &notice.text].map(|text| Line::from(text).width());
    usize::from(PROMPT_COLUMNS) + typed + 2 + said <= usize::from(layout.line.width)
}

/// The columns before the typed text.
const PROMPT_COLUMNS: u16 = 2;

/// The position of the caret behind the typed text.
pub(super) fn caret(table: &GameScreen, layout: &Layout) -> Position {
    let typed = u16::try_from(Line::from(table.line.text()).width()).unwrap_or(u16::MAX);
    let last = layout.line.right() - 1;
    Position::new(
        (layout.line.x + PROMPT_COLUMNS)
            .saturating_add(typed)
            .min(last),
        layout.line.y,
    )
}

fn draw_line(model: &Model, table: &GameScreen, layout: &Layout, frame: &mut Frame<'_>) {
    let look = &model.look;
    let area = layout.line;
    let prompt = Span::styled(look.glyph("› ", "> "), look.accent());
    let mut words = vec![prompt];
    match feedback::feedback_for(table) {
        Some(notice) => {
            let bold = Style::new().add_modifier(Modifier::BOLD);
            let room = area.width - PROMPT_COLUMNS - 1;
            let typed = end_of(table.line.text(), room, look.glyph("…", "~"));
            words.push(Span::styled(typed, bold));
            if fits(table, &notice, layout) {
                words.push(Span::raw("  "));
                words.push(Span::styled(notice.text, tone(model, notice.tone)));
            }
        }
        None => {
            let hint = longest_fitting(hints(table), area.width - PROMPT_COLUMNS);
            words.push(Span::styled(hint, look.muted()));
        }
    }
    frame.render_widget(Line::from(words), area);
}

/// The hints while nothing is typed, from many words to few.
fn hints(table: &GameScreen) -> [&'static str; 3] {
    if table.is_current() && table.rivals.is_thinking(&table.game) {
        return [
            "The computer is thinking; a move can be typed already",
            "The computer is thinking",
            "It is thinking",
        ];
    }
    if table.is_current() && table.is_played() && !table.is_playable() {
        return [
            "It is not your turn; a move can be typed already, or: say good luck",
            "Not your turn yet; or: say good luck",
            "Not your turn yet",
        ];
    }
    match (table.hand, table.is_playable()) {
        (_, false) => [
            "Left and right step through the game, up and down go to its ends",
            "Left, right: one ply; up, down: ends",
            "Arrows step through it",
        ],
        (Some(_), true) => [
            "Enter on a marked square moves there; Esc puts the man down",
            "Enter moves there; Esc puts it down",
            "Enter moves, Esc puts down",
        ],
        (None, true) => [
            "Type a move (Nf3, e2e4), or arrows and Enter, Tab, or the mouse",
            "Type a move; or arrows, Tab, mouse",
            "Type a move, like Nf3",
        ],
    }
}

/// The key hints at the bottom, as many as fit, the most useful first.
fn footer(
    model: &Model,
    table: &GameScreen,
    layout: &Layout,
) -> Vec<(KeyChord, &'static str, Rect)> {
    let keys = needed(model, table);
    let widths = keys
        .iter()
        .map(|(key, label)| key.to_string().chars().count() + 1 + label.len());
    let places = flowing(widths, layout.footer);
    let items = keys.into_iter().zip(places);
    items
        .map(|((key, label), place)| (key, label, place))
        .collect()
}

/// The key bindings that make sense now, the most useful first.
fn needed(model: &Model, table: &GameScreen) -> Vec<(KeyChord, &'static str)> {
    let letter = |letter| KeyChord::plain(KeyCode::Char(letter));
    let mut keys = vec![(model.keys.key(Action::Help), "help")];
    let mut actions = Vec::new();
    if let Some(study) = &table.study {
        let collection = study.contents.collection();
        let is_alone = collection.list().len() == 1 && !collection.is_library();
        if !is_alone {
            keys.extend([(letter('n'), "next game"), (letter('p'), "previous")]);
        }
        keys.push((letter('q'), if is_alone { "back" } else { "list" }));
        if study.is_aside() {
            keys.push((letter('m'), "main line"));
        }
        if study.is_changed {
            keys.extend([(letter('s'), "save"), (letter('u'), "undo")]);
        }
        keys.push((letter('c'), "comment"));
        keys.extend([(letter('a'), "add move"), (letter('g'), "sign")]);
        keys.push((letter('f'), "flip"));
        actions.extend([Action::Theme, Action::CopyFen, Action::CopyPgn]);
    } else if table.game.ending().is_some() {
        actions.extend([Action::Rematch, Action::New, Action::Save, Action::Review]);
        actions.push(Action::Quit);
        actions.extend([Action::Flip, Action::Theme, Action::CopyFen]);
    } else {
        if table.shown.is_some() {
            actions.push(Action::Last);
        }
        if table.is_offered() {
            actions.extend([Action::Accept, Action::Decline]);
        }
        if table.can_claim() {
            keys.push((letter('c'), "claim"));
        }
        if !table.is_played() {
            actions.extend([Action::Quit, Action::Flip, Action::Say, Action::Save]);
            return named(model, keys, actions);
        }
        if table.game.draw_offer().is_none() {
            actions.push(Action::Draw);
        }
        actions.extend([Action::Takeback, Action::Resign]);
        if table.rivals.only_human().is_some() || table.coaching.is_agreed {
            actions.extend([Action::Hint, Action::Threat]);
        }
        if table.live.is_some() {
            actions.extend([Action::Say, Action::Invite]);
        }
        actions.extend([Action::Quit, Action::Flip]);
        actions.extend([Action::Save, Action::Theme, Action::CopyFen]);
    }
    named(model, keys, actions)
}

/// Fixed keys, followed by the keys of actions.
fn named(
    model: &Model,
    mut keys: Vec<(KeyChord, &'static str)>,
    actions: Vec<Action>,
) -> Vec<(KeyChord, &'static str)> {
    let named = |action| (model.keys.key(action), label(action));
    keys.extend(actions.into_iter().map(named));
    keys
}

const fn label(action: Action) -> &'static str {
    match action {
        Action::CopyFen => "copy FEN",
        Action::CopyPgn => "copy PGN",
        Action::Last => "game",
        action => action.word(),
    }
}

/// The key whose hint in the footer is at a cell.
pub(in crate::screen) fn footer_at(
    model: &Model,
    layout: &Layout,
    cell: Position,
) -> Option<KeyChord> {
    let items = footer(model, model.table()?, layout);
    items
        .into_iter()
        .find(|(.., place)| place.contains(cell))
        .map(|(key, ..)| key)
}
