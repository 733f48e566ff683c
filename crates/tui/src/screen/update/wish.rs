//! What the players want done, brought before the game: it decides, and the table follows.

use touchmove_game::{Deed, Event, Game, Millis, Refusal, Timestamp, journal::Record};
use touchmove_rules::SquareSet;

use crate::hot_seat::Wish;
use crate::score;
use crate::screen::action::Action;
use crate::screen::message::Effect;
use crate::screen::model::{Model, Scene};
use crate::screen::table::{Blast, Dialog, Table, Tone};
use crate::sentence::sentence;

/// How long keys are not taken for answers when a game ends while somebody types, in milliseconds.
const DEAF: u64 = 2_000;

/// Said to whoever would play on in a game of a file.
pub(super) const LOOKED_THROUGH: &str =
    "This game is only looked through; begin a new one to play.";

/// Asks the game for something and follows what it decides; a refusal is said and pointed at.
pub(super) fn ask(table: &mut Table, now: Timestamp, animation: bool, wish: Wish) -> Vec<Effect> {
    if table.study.is_some() {
        table.say(Tone::Plain, LOOKED_THROUGH);
        return vec![Effect::Draw];
    }
    let (who, command) = match wish.command(&table.game, None) {
        Ok(meant) => meant,
        Err(_) => {
            table.say(
                Tone::Alarm,
                "A draw and a takeback are both offered: type draw or takeback.",
            );
            return vec![Effect::Draw];
        }
    };
    table.tidy();
    match table.game.decide(table.game_time(now), who, command) {
        Ok(events) => {
            let mut game = table.game.clone();
            let lines = events
                .iter()
                .map(|event| record(&mut game, event))
                .collect();
            follow(table, &events, now, animation);
            vec![Effect::Record(lines), Effect::Draw]
        }
        Err(refusal) => {
            table.evidence = evidence(&refusal);
            table.say(Tone::Alarm, sentence(&refusal.to_string()));
            vec![Effect::Draw]
        }
    }
}

fn record(game: &mut Game, event: &Event) -> String {
    let line = Record::of(game, event).line();
    game.evolve(event);
    line
}

/// The squares that a refusal is about.
fn evidence(refusal: &Refusal) -> SquareSet {
    match refusal {
        Refusal::Illegal(illegal) => illegal.squares(),
        _ => SquareSet::EMPTY,
    }
}

/// Makes events part of the game and of what the players see.
pub(super) fn follow(table: &mut Table, events: &[Event], now: Timestamp, animation: bool) {
    for event in events {
        if let Deed::Moved(mv) = event.deed {
            let casualties = table.game.position().casualties(mv);
            if casualties.any() && animation {
                table.blast = Some(Blast {
                    centre: mv.to(),
                    began: now,
                });
            }
        }
        table.game.evolve(event);
        match event.deed {
            Deed::Moved(mv) => {
                table.cursor = mv.to();
                table.hover = None;
                table.shown = None;
                table.line.clear();
                if let Some(toll) = score::toll(&table.game, table.game.plies().len()) {
                    table.say(Tone::Plain, toll);
                }
            }
            Deed::DrawDeclined { by } => table.say(Tone::Plain, format!("{by} declines the draw.")),
            Deed::TakebackDeclined { by } => {
                table.say(Tone::Plain, format!("{by} lets the move stand."));
            }
            Deed::TakenBack { plies } => {
                table.shown = None;
                let what = match plies {
                    1 => "The last move is".to_owned(),
                    plies => format!("The last {plies} moves are"),
                };
                table.say(Tone::Good, format!("{what} taken back."));
            }
            Deed::Ended(_) => {
                let was_typing = !table.line.is_empty() || table.hand.is_some();
                let rest = Millis(if was_typing { DEAF } else { 0 });
                table.tidy();
                table.line.clear();
                table.explain_the_end();
                table.dialog = Some(Dialog::Over {
                    deaf_until: now + rest,
                });
            }
            _ => {}
        }
    }
    if table.auto_flip && table.game.ending().is_none() {
        table.near = table.game.turn();
    }
}

/// Does what an action asks for.
pub(super) fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let (now, animation, today) = (model.now, model.look.animation, model.today.clone());
    match action {
        Action::Help => {
            model.help = match model.help {
                Some(_) => None,
                None => Some(0),
            };
            return vec![Effect::Draw];
        }
        Action::Theme => {
            model.look.theme = model.look.theme.next();
            let theme = model.look.theme;
            super::say(
                model,
                Tone::Plain,
                format!("Theme {}: {}.", theme.name, theme.suits),
            );
            return vec![Effect::Draw];
        }
        _ => {}
    }
    let Scene::Table(table) = &mut model.scene else {
        return match action {
            Action::Quit => vec![Effect::Quit],
            _ => Vec::new(),
        };
    };
    let runs = table.game.ending().is_none() && table.study.is_none();
    match action {
        Action::Help | Action::Theme => {}
        Action::Flip => table.near = !table.near,
        Action::AutoFlip => {
            table.auto_flip = !table.auto_flip;
            let state = if table.auto_flip {
                "turns with every move"
            } else {
                "stays as it is"
            };
            table.say(Tone::Plain, format!("The board {state}."));
        }
        Action::Takeback => return ask(table, now, animation, Wish::Takeback),
        Action::Draw => return ask(table, now, animation, Wish::OfferDraw),
        Action::Accept => return ask(table, now, animation, Wish::Accept(None)),
        Action::Decline => return ask(table, now, animation, Wish::Decline(None)),
        Action::Claim => return ask(table, now, animation, Wish::ClaimDraw(None)),
        Action::Resign if runs => table.dialog = Some(Dialog::Resign),
        Action::Resign => return ask(table, now, animation, Wish::Resign),
        Action::Abort => return ask(table, now, animation, Wish::Abort),
        Action::Back => look_at(table, table.plies_shown().saturating_sub(1)),
        Action::Forward => look_at(table, table.plies_shown() + 1),
        Action::First => look_at(table, 0),
        Action::Last => look_at(table, usize::MAX),
        Action::CopyFen => {
            let fen = table.position().fen().to_string();
            table.say(Tone::Good, "The position is on the clipboard as FEN.");
            return vec![Effect::Copy(fen), Effect::Draw];
        }
        Action::CopyPgn => {
            let pgn = pgn(table, &today);
            table.say(Tone::Good, "The game is on the clipboard as PGN.");
            return vec![Effect::Copy(pgn), Effect::Draw];
        }
        Action::Save => {
            let name = score::file_name(&table.game, &today);
            let pgn = pgn(table, &today);
            return vec![Effect::Save { name, pgn }];
        }
        Action::New if runs => table.dialog = Some(Dialog::Leave { rematch: false }),
        Action::Rematch if runs => table.dialog = Some(Dialog::Leave { rematch: true }),
        Action::New => return super::to_start(model),
        Action::Rematch if table.study.is_some() => table.say(Tone::Plain, LOOKED_THROUGH),
        Action::Rematch => return rematch(model),
        Action::Quit if runs => table.dialog = Some(Dialog::Quit),
        Action::Quit => return vec![Effect::Quit],
    }
    vec![Effect::Draw]
}

/// The game as PGN: as it is written down here, or as it stands in its file.
fn pgn(table: &Table, today: &str) -> String {
    match &table.study {
        Some(study) => study.pgn(),
        None => score::pgn(&table.game, table.last_words(), today),
    }
}

/// Shows the game as it was after this many plies.
pub(super) fn look_at(table: &mut Table, plies: usize) {
    let all = table.game.plies().len();
    table.tidy();
    table.blast = None;
    table.dialog = table
        .dialog
        .filter(|dialog| !matches!(dialog, Dialog::Over { .. }));
    table.shown = match plies {
        plies if plies >= all && table.study.is_none() => None,
        plies => Some(plies.min(all)),
    };
}

/// The same terms again, with colours swapped.
pub(super) fn rematch(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let Scene::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let mut players = table.game.players().clone();
    std::mem::swap(&mut players.white, &mut players.black);
    let mut next = Table::new(Game::begin(table.game.terms().clone(), players, now), now);
    next.auto_flip = table.auto_flip;
    super::begin(model, next)
}
