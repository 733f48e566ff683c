//! The texts of plain mode: the board, the state of play, events and records as lines. It only describes what the
//! game knows.

use std::fmt::Write as _;

use touchmove_diagram::{Diagram, PieceStyle, TextStyle};
use touchmove_game::{Ending, Event, EventKind, Game, Timestamp, explain};
use touchmove_rules::law::Ruleset;
use touchmove_rules::{Color, Move, Role, Variant};

use crate::plain::{info_commands, line_command};

/// Shown when an interactive game starts [000-1].
pub(super) const BANNER_TEXT: &str = r"
  _____  _   _  _____  _____  _____
 /  __ \| | | ||  ___|/  ___|/  ___|
 | /  \/| |_| || |__  \ `--. \ `--.
 | |    |  _  ||  __|  `--. \ `--. \
 | \__/\| | | || |___ /\__/ //\__/ /
  \____/\_| |_/\____/ \____/ \____/

";

/// The players, the variant and the terms.
pub(super) fn opening(game: &Game) -> String {
    let terms = game.terms();
    let name = |color: Color| player(game, color);
    let time = match &terms.time {
        None => "no clocks".to_owned(),
        Some(time) => format!("time {time}"),
    };
    let takebacks = if terms.takebacks {
        "takebacks allowed"
    } else {
        "no takebacks"
    };
    // In Chess960 the players may want to play the same start position again.
    let numbered = terms.variant() == Variant::Chess960;
    let start = match terms.start.chess960_number().filter(|_| numbered) {
        Some(number) => format!(", start {number}"),
        None => String::new(),
    };
    format!(
        "{}{start}: {} against {}\nTerms: {time}; draws {}; flag {}; dead positions {}; {takebacks}\n\n",
        terms.variant().title(),
        name(Color::White),
        name(Color::Black),
        terms.draws,
        terms.flag,
        terms.dead,
    )
}

/// The board as in the seed documents [000-11..13], followed by an empty line.
pub(super) fn board(game: &Game, seen_from: Color, men: PieceStyle) -> String {
    let diagram = Diagram::new(game.position().board()).seen_from(seen_from);
    let style = TextStyle {
        men,
        legend: game.plies().is_empty(),
    };
    format!("{}\n\n", diagram.text(style).trim_end())
}

/// More about the position, and the clocks.
pub(super) fn standing(game: &Game, now: Timestamp) -> String {
    let mut text = explain::standing(game);
    text.push('\n');
    if let Some(clocks) = clocks(game, now) {
        text += &clocks;
        text.push('\n');
    }
    text
}

/// A player's name and colour.
pub(super) fn player(game: &Game, color: Color) -> String {
    match game.seats()[color].name() {
        "" => color.to_string(),
        name => format!("{name} ({color})"),
    }
}

/// Whose move it is, and how to type a move, with a legal one as the example.
pub(super) fn how_to_begin(game: &Game) -> String {
    let position = game.position();
    let moves = position.legal_moves();
    let is_usual = |mv: &&Move| position.uci(**mv).to_string() == "e2e4";
    let Some(example) = moves.iter().find(is_usual).or(moves.iter().next()) else {
        return String::new();
    };
    format!(
        "{} to move. Type a move like {}, or help.\n",
        player(game, game.turn()),
        position.uci(*example)
    )
}

/// Both clocks, if there are any.
pub(super) fn clocks(game: &Game, now: Timestamp) -> Option<String> {
    let white = game.time_left(Color::White, now)?;
    let black = game.time_left(Color::Black, now)?;
    Some(format!("Clocks: White {white}, Black {black}."))
}

/// The open offers, in lines.
pub(super) fn offers(game: &Game) -> String {
    if game.ending().is_some() {
        return String::new();
    }
    let draw = game.draw_offer().map(draw_offered);
    let takeback = game.takeback_offer().map(takeback_offered);
    draw.into_iter().chain(takeback).collect()
}

fn draw_offered(by: Color) -> String {
    let asked = !by;
    format!("{by} offers a draw. {asked}: accept or decline; a move declines it.\n")
}

fn takeback_offered(by: Color) -> String {
    let asked = !by;
    format!("{by} asks to take back. {asked}: accept or decline; a move declines it.\n")
}

/// An event in a line; the end of the game has lines of its own.
pub(super) fn event(game: &Game, event: &Event) -> String {
    let by = event.by.player().unwrap_or(game.turn());
    match &event.deed {
        EventKind::Seated { name } => format!("{name} sits down as {by}.\n"),
        EventKind::Moved { .. } => moved(game),
        EventKind::DrawOffered => draw_offered(by),
        EventKind::DrawDeclined => format!("{by} declines the draw.\n"),
        EventKind::DrawClaimed { claim, .. } => {
            format!("{by} claims a draw by {}.\n", claim.rule())
        }
        EventKind::TakebackOffered => takeback_offered(by),
        EventKind::TakebackDeclined => format!("{by} declines the takeback.\n"),
        EventKind::TakebackWithdrawn => format!("{by} plays on instead of taking back.\n"),
        EventKind::TakenBack { plies: 1 } => "The last move is taken back.\n".to_owned(),
        EventKind::TakenBack { plies } => format!("The last {plies} moves are taken back.\n"),
        EventKind::TimeGiven { to, time } => format!("{to} is given {time}.\n"),
        EventKind::ClocksHeld { reason } => format!("The arbiter holds the clocks: {reason}.\n"),
        EventKind::ClocksReleased => "The clocks run on.\n".to_owned(),
        EventKind::FlagFell { player } => format!("{player}'s flag has fallen.\n"),
        EventKind::AbsenceClaimed { .. } => format!("{by} claims that {} has left.\n", !by),
        EventKind::Ended(_) => String::new(),
    }
}

/// The last move in a sentence, the pieces that the explosion removes, and who is to move.
fn moved(game: &Game) -> String {
    let Some(before) = game.position_after(game.plies().len().saturating_sub(1)) else {
        return String::new();
    };
    let mut text = info_commands::last(game);
    if let Some(ply) = game.plies().last() {
        let casualties: Vec<String> = before
            .exploded_squares(ply.mv)
            .into_iter()
            .filter_map(|square| Some((square, before.board().piece_at(square)?)))
            .map(|(square, piece)| format!("{piece} {square}"))
            .collect();
        if !casualties.is_empty() {
            let _ = write!(text, " The blast removes {}.", casualties.join(", "));
        }
    }
    if game.ending().is_none() {
        let _ = write!(text, " {} to move.", game.turn());
    }
    text + "\n\n"
}

/// The moves so far, numbered.
pub(super) fn history(game: &Game) -> String {
    if game.plies().is_empty() {
        return "No move has been played.".to_owned();
    }
    let mut text = String::new();
    for (index, ply) in game.plies().iter().enumerate() {
        let before = game.position_after(index).unwrap_or(game.position());
        if before.turn().is_white() {
            let _ = write!(text, "{}. ", before.fullmoves());
        } else if index == 0 {
            let _ = write!(text, "{}... ", before.fullmoves());
        }
        text += &ply.san;
        text.push(' ');
    }
    text.trim_end().to_owned()
}

/// "Game Over" in red [004-5]: the only text of plain mode with escape sequences.
pub const RED_GAME_OVER: &str = "\x1b[31mGame Over\x1b[0m";

/// "Game Over", in red where colours are shown [004-5].
pub(super) const fn game_over_title(color: bool) -> &'static str {
    if color { RED_GAME_OVER } else { "Game Over" }
}

/// "Game Over" [004-5], the reason, and the result.
pub(super) fn game_over(game: &Game, why: &str, color: bool) -> String {
    let title = game_over_title(color);
    let result = game.ending().map_or("*", Ending::result);
    format!("{title}\n{why}\nResult: {result}\n")
}

/// Every command with its description, the variant's moves first.
pub(super) fn help(game: &Game) -> String {
    let moves = Ruleset::of(game.terms().variant()).examples().join(", ");
    // Leaves out commands that this game does not have.
    let terms = game.terms();
    let is_there = |command: &str| match command.split(' ').next() {
        Some("clock" | "give") => terms.time.is_some(),
        Some("takeback") => terms.takebacks,
        _ => true,
    };
    let commands = line_command::COMMAND_HELP
        .into_iter()
        .filter(|(command, _)| is_there(command));
    let lines = [(moves.as_str(), "play a move")]
        .into_iter()
        .chain(commands);
    let width = lines
        .clone()
        .map(|(command, _)| command.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (command, does) in lines {
        let _ = writeln!(text, "{command:<width$}  {does}");
    }
    text
}

/// The piece that an answer to the promotion question names.
pub(super) fn promotion(word: &str) -> Option<Role> {
    let letter = match word {
        "knight" => 'n',
        word => word.chars().next()?,
    };
    Role::from_char(letter)
        .filter(|role| Role::PROMOTIONS.contains(role) && (word.len() == 1 || word == role.name()))
}
