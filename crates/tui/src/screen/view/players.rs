//! The players beside the board: name, clock, and captured material.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use touchmove_game::{Draw, Ending, Millis, Victory};
use touchmove_rules::{Color, Role};

use crate::screen::game_screen::GameScreen;
use crate::screen::layout::Layout;
use crate::screen::model::Model;
use crate::screen::view::cut;
use touchmove_game::move_text;

/// Below this a clock shows tenths and a warning colour.
const LOW_TIME_MILLIS: Millis = Millis::seconds(10);

/// Draws both players.
pub(super) fn draw(model: &Model, table: &GameScreen, layout: &Layout, frame: &mut Frame<'_>) {
    draw_player(model, table, !table.near, layout.far, frame);
    draw_player(model, table, table.near, layout.near, frame);
}

fn draw_player(model: &Model, table: &GameScreen, color: Color, area: Rect, frame: &mut Frame<'_>) {
    let look = &model.look;
    let is_on_move = table.position().turn() == color && table.game.ending().is_none();
    let clock = clock(model, table, color);
    let pointer = match is_on_move {
        true => look.glyph("▶ ", "> "),
        false => "  ",
    };
    // White on white would be invisible.
    let is_filled = look.is_colored() && !look.theme.is_light();
    let man = match (look.ascii, is_filled) {
        (true, _) => "",
        (false, true) => "● ",
        (false, false) if color.is_white() => "○ ",
        (false, false) => "● ",
    };
    let man_ink = look.ink(match color {
        Color::White if is_filled => look.theme.white_man,
        _ => look.theme.quiet,
    });
    let room = area.width.saturating_sub(5 + clock.width() as u16);
    let name = match &table.live {
        Some(live) => live.name(&table.game, color),
        None => move_text::name(&table.game, color),
    };
    let name = cut(&name, room, look.glyph("…", "~"));
    let name_style = match is_on_move {
        true => Style::new().add_modifier(Modifier::BOLD),
        false => Style::new(),
    };
    let mut words = vec![
        Span::styled(pointer, look.accent()),
        Span::styled(man, man_ink),
        Span::styled(name, name_style),
    ];
    let gains = gains(model, table, color);
    if area.height == 1 {
        words.push(Span::raw("  "));
        words.push(Span::styled(gains, look.muted()));
    } else {
        let below = Rect {
            x: area.x + 2,
            y: area.y + 1,
            width: area.width - 2,
            height: 1,
        };
        frame.render_widget(Line::styled(gains, look.muted()), below);
    }
    let first = Rect { height: 1, ..area };
    frame.render_widget(Line::from(words), first);
    frame.render_widget(Line::from(clock).alignment(Alignment::Right), first);
}

/// The clock: running ones are highlighted, low ones have a warning colour, fallen ones show a flag.
fn clock(model: &Model, table: &GameScreen, color: Color) -> Span<'static> {
    let look = &model.look;
    let now = table.game_time(model.now);
    let left = match (&table.study, table.shown) {
        (Some(study), _) => {
            study.clock(table.game.terms().start.turn(), color, table.plies_shown())
        }
        // A running clock shows its current value, whatever the board shows.
        (None, Some(plies)) if table.game.ending().is_some() => clock_then(table, color, plies),
        (None, _) => table.game.time_left(color, now),
    };
    let Some(left) = left else {
        return Span::raw("");
    };
    let has_fallen = match table.game.ending() {
        Some(Ending::Win {
            winner,
            by: Victory::FlagFall,
        }) => winner != color,
        Some(Ending::Draw(Draw::FlagFall { flagged })) => flagged == color,
        _ => false,
    };
    let goes_on = table.game.ending().is_none() && table.study.is_none();
    let runs = goes_on && table.game.turn() == color;
    let style = match (runs, left < LOW_TIME_MILLIS) {
        (_, true) => look.alarm(),
        (true, false) => look.accent(),
        (false, false) => Style::new(),
    };
    let style = if runs {
        style.add_modifier(Modifier::REVERSED)
    } else {
        style
    };
    let flag = if has_fallen {
        look.glyph("⚑ ", "flag ")
    } else {
        ""
    };
    Span::styled(format!(" {flag}{left} "), style)
}

/// A clock's value after an earlier ply.
fn clock_then(table: &GameScreen, color: Color, plies: usize) -> Option<Millis> {
    let control = table.game.terms().time.as_ref()?;
    match plies
        .checked_sub(1)
        .and_then(|at| table.game.plies().get(at))
    {
        Some(ply) => Some(ply.clocks?.left(control, color, ply.at)),
        None => Some(control.base(color)),
    }
}

/// The opponent's pieces that are gone, and the player's material advantage.
fn gains(model: &Model, table: &GameScreen, color: Color) -> String {
    let look = &model.look;
    let losses = move_text::losses(&table.game, table.plies_shown());
    let symbol = |role: Role| match look.ascii {
        true => role.of(!color).char(),
        false => role.of(!color).figurine(),
    };
    let mut gains: String = losses[!color].iter().map(|&role| symbol(role)).collect();
    let balance = move_text::balance(table.position().board());
    let ahead = if color.is_white() { balance } else { -balance };
    if ahead > 0 {
        gains += &format!(" +{ahead}");
    }
    gains.trim_start().to_owned()
}
