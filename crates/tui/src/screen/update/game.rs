//! Commands of the players: submitted to the game, which decides; the screen follows.

use touchmove_game::move_text;
use touchmove_game::move_text::sentence;
use touchmove_game::{
    Command, Event, EventKind, Game, Intent, Millis, OfferKind, Submission, Timestamp,
};
use touchmove_rules::Color;

use crate::opponents::CoachQuestion;
use crate::pgn_export;
use crate::screen::game_screen::{Dialog, ExplosionAnimation, GameScreen, Tone};
use crate::screen::key_bindings::Action;
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::{annotate, coach, network, saving};

/// How long keys are ignored when a game ends while somebody is typing, in milliseconds.
const KEY_IGNORE_MILLIS: u64 = 2_000;

/// The refusal to continue a game of a file.
pub(super) const STUDY_ONLY_TEXT: &str =
    "This game is only looked through; begin a new one to play.";

/// Submits an intent and follows the game's decision; a refusal is shown with its evidence.
pub(super) fn submit(
    table: &mut GameScreen,
    now: Timestamp,
    animation: bool,
    wish: Intent,
) -> Vec<Effect> {
    submit_as(table, now, animation, wish, None)
}

/// The same for this player; on the network only for the user.
pub(super) fn submit_as(
    table: &mut GameScreen,
    now: Timestamp,
    animation: bool,
    wish: Intent,
    by: Option<Color>,
) -> Vec<Effect> {
    if table.study.is_some() {
        table.set_notice(Tone::Plain, STUDY_ONLY_TEXT);
        return vec![Effect::Draw];
    }
    if let Some(live) = &table.live {
        if let (Some(you), Some(by)) = (live.you, by)
            && you != by
        {
            table.set_notice(Tone::Plain, format!("You play {you}, not {by}."));
            return vec![Effect::Draw];
        }
        return network::send_intent(table, wish);
    }
    let (who, command) = match wish.command(&table.game, by.or(table.rivals.only_human())) {
        Ok(meant) => meant,
        Err(two) => {
            table.set_notice(Tone::Alarm, sentence(&two.to_string()));
            return vec![Effect::Draw];
        }
    };
    if let Some(why) = table.rivals.check_allowed(&table.game, who) {
        table.set_notice(Tone::Plain, sentence(&why));
        return vec![Effect::Draw];
    }
    table.clear_transient();
    let request = Submission::new(table.game_time(now), who, command);
    match table.game.decide(&request) {
        Ok(decision) => {
            let events = decision.events();
            apply_events(table, &events, now, animation);
            saving::record(table, &events)
        }
        Err(refusal) => {
            table.evidence = refusal.squares();
            table.set_notice(Tone::Alarm, sentence(&refusal.to_string()));
            vec![Effect::Draw]
        }
    }
}

/// Applies events to the game and to the screen.
pub(super) fn apply_events(
    table: &mut GameScreen,
    events: &[Event],
    now: Timestamp,
    animation: bool,
) {
    for event in events {
        table.game.evolve_all(std::slice::from_ref(event));
        let by = event.by.player();
        match event.deed {
            EventKind::Moved { .. } => {
                let plies = table.game.plies();
                let Some(ply) = plies.last() else { continue };
                let (mv, to) = (ply.mv, ply.mv.to());
                let before = table.game.position_after(plies.len() - 1);
                table.calls |= table
                    .live
                    .as_ref()
                    .is_some_and(|live| live.you.is_some() && live.you != by);
                let explodes = before.is_some_and(|before| before.exploded_squares(mv).any());
                if explodes && animation {
                    table.blast = Some(ExplosionAnimation {
                        centre: to,
                        began: now,
                    });
                }
                table.cursor = to;
                table.hover = None;
                table.shown = None;
                // Text typed while the opponent moves is kept.
                if table.live.is_none() {
                    table.line.clear();
                }
                if let Some(toll) =
                    move_text::explosion_losses(&table.game, table.game.plies().len())
                {
                    table.set_notice(Tone::Plain, toll);
                }
            }
            EventKind::DrawDeclined => {
                if let Some(by) = by {
                    table.set_notice(Tone::Plain, format!("{by} declines the draw."));
                }
            }
            EventKind::TakebackDeclined => {
                if let Some(by) = by {
                    table.set_notice(Tone::Plain, format!("{by} lets the move stand."));
                }
            }
            EventKind::FlagFell { .. } => {
                table.clear_transient();
                table.line.clear();
                table.shown = None;
            }
            EventKind::TakenBack { plies } => {
                table.shown = None;
                let what = match plies {
                    1 => "The last move is".to_owned(),
                    plies => format!("The last {plies} moves are"),
                };
                table.set_notice(Tone::Good, format!("{what} taken back."));
            }
            EventKind::Ended(_) => {
                table.calls = true;
                let was_typing = !table.line.is_empty() || table.hand.is_some();
                let rest = Millis(if was_typing { KEY_IGNORE_MILLIS } else { 0 });
                table.clear_transient();
                table.line.clear();
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

/// Runs an action.
pub(super) fn run_action(model: &mut Model, action: Action) -> Vec<Effect> {
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
            crate::screen::update::say(
                model,
                Tone::Plain,
                format!("Theme {}: {}.", theme.name, theme.suits),
            );
            return vec![Effect::Draw];
        }
        _ => {}
    }
    let ActiveScreen::Table(table) = &mut model.scene else {
        return match action {
            Action::Quit => vec![Effect::Quit],
            _ => Vec::new(),
        };
    };
    let runs = table.game.ending().is_none() && table.is_played();
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
            table.set_notice(Tone::Plain, format!("The board {state}."));
        }
        Action::Takeback => return submit(table, now, animation, Intent::Takeback),
        Action::Draw => return offer_draw(table, now, animation),
        Action::Accept => {
            let answered = network::answer_rematch(table, true);
            return answered.unwrap_or_else(|| answer_offer(table, now, animation, true));
        }
        Action::Decline => {
            let answered = network::answer_rematch(table, false);
            return answered.unwrap_or_else(|| answer_offer(table, now, animation, false));
        }
        Action::Say if table.live.is_some() => table.line.begin("say "),
        Action::Say => table.set_notice(Tone::Plain, network::NO_CHAT_TEXT),
        Action::Invite => return network::invite(table),
        Action::Gone => return network::claim_absence(table),
        Action::Rematch if table.live.is_some() => return network::rematch(table),
        Action::Hint => return coach::ask(table, CoachQuestion::Hint),
        Action::Threat => return coach::ask(table, CoachQuestion::Threat),
        Action::Review => return coach::ask(table, CoachQuestion::Review),
        Action::Claim => return submit(table, now, animation, Intent::ClaimDraw(None)),
        Action::Resign if runs => {
            let by = table.asked();
            return ask_whether_resigns(table, by);
        }
        Action::Resign => return submit(table, now, animation, Intent::Resign),
        Action::Abort => return submit(table, now, animation, Intent::Abort),
        Action::Back => look_at(table, table.plies_shown().saturating_sub(1)),
        Action::Forward => look_at(table, table.plies_shown() + 1),
        Action::First => look_at(table, 0),
        Action::Last => look_at(table, usize::MAX),
        Action::CopyFen => {
            let fen = table.position().fen().to_string();
            table.set_notice(Tone::Good, "The position is on the clipboard as FEN.");
            return vec![Effect::Copy(fen), Effect::Draw];
        }
        Action::CopyPgn => {
            let pgn = pgn(table, &today);
            table.set_notice(Tone::Good, "The game is on the clipboard as PGN.");
            return vec![Effect::Copy(pgn), Effect::Draw];
        }
        Action::Save if table.study.is_some() => return annotate::save(model),
        Action::Save => return save(model),
        Action::Quit | Action::New if !annotate::may_leave(table) => {}
        Action::New if runs => table.dialog = Some(Dialog::Leave { rematch: false }),
        Action::Rematch if runs => table.dialog = Some(Dialog::Leave { rematch: true }),
        Action::New => return crate::screen::update::to_start(model),
        Action::Rematch if table.study.is_some() => table.set_notice(Tone::Plain, STUDY_ONLY_TEXT),
        Action::Rematch => return rematch(model),
        Action::Quit if runs => table.dialog = Some(Dialog::Quit),
        Action::Quit => return vec![Effect::Quit],
    }
    vec![Effect::Draw]
}

/// Asks whether a player really resigns, if a person plays that colour.
pub(super) fn ask_whether_resigns(table: &mut GameScreen, by: Color) -> Vec<Effect> {
    match table.rivals.check_allowed(&table.game, by) {
        Some(why) => table.set_notice(Tone::Plain, sentence(&why)),
        None => table.dialog = Some(Dialog::Resign { by }),
    }
    vec![Effect::Draw]
}

/// The intent that answers an offer.
pub(super) const fn answer(offer: OfferKind, accepts: bool) -> Intent {
    match accepts {
        true => Intent::Accept(Some(offer)),
        false => Intent::Decline(Some(offer)),
    }
}

/// Answers the open offer; if there are two, asks which.
fn answer_offer(
    table: &mut GameScreen,
    now: Timestamp,
    animation: bool,
    accepts: bool,
) -> Vec<Effect> {
    let is_mine = |by: Option<Color>| match (&table.live, by) {
        (_, None) => false,
        (Some(live), Some(by)) => live.you == Some(!by),
        (None, Some(_)) => true,
    };
    let is_both = is_mine(table.game.draw_offer()) && is_mine(table.game.takeback_offer());
    if is_both && table.game.ending().is_none() {
        table.clear_transient();
        table.dialog = Some(Dialog::Which { accepts });
        return vec![Effect::Draw];
    }
    let wish = match accepts {
        true => Intent::Accept(None),
        false => Intent::Decline(None),
    };
    submit(table, now, animation, wish)
}

/// Offers a draw for the player who may; where both may, asks who does: by FIDE 9.1.2.1 it is the player who has
/// just moved. Accepts a draw offer that is open.
fn offer_draw(table: &mut GameScreen, now: Timestamp, animation: bool) -> Vec<Effect> {
    if table.live.is_some() || table.study.is_some() {
        return submit(table, now, animation, Intent::OfferDraw);
    }
    if table.game.draw_offer().is_some() {
        return submit(table, now, animation, Intent::Accept(Some(OfferKind::Draw)));
    }
    let at = table.game_time(now);
    let may = |by: &Color| {
        let request = Submission::new(at, *by, Command::OfferDraw);
        !table.rivals.has(*by) && table.game.decide(&request).is_ok()
    };
    if let Some(you) = table.rivals.only_human() {
        return submit_as(table, now, animation, Intent::OfferDraw, Some(you));
    }
    let moved = !table.game.turn();
    let offerers: Vec<Color> = [moved, !moved].into_iter().filter(may).collect();
    match offerers[..] {
        [by, _] => {
            table.clear_transient();
            table.dialog = Some(Dialog::Draw { by });
            vec![Effect::Draw]
        }
        [by] => submit_as(table, now, animation, Intent::OfferDraw, Some(by)),
        _ => submit(table, now, animation, Intent::OfferDraw),
    }
}

/// Saves the game into the library.
pub(super) fn save(model: &Model) -> Vec<Effect> {
    let Some(table) = model.table() else {
        return Vec::new();
    };
    vec![Effect::Save {
        name: pgn_export::file_name(&table.game, &model.today),
        pgn: pgn(table, &model.today),
    }]
}

/// Saves the game to a path.
pub(super) fn save_as(model: &Model, path: &str) -> Vec<Effect> {
    let Some(table) = model.table() else {
        return Vec::new();
    };
    vec![Effect::SaveAs {
        path: path.to_owned(),
        pgn: pgn(table, &model.today),
    }]
}

/// The game as PGN: the record of a game played here, or the annotated game of a file.
pub(super) fn pgn(table: &GameScreen, today: &str) -> String {
    match &table.study {
        Some(study) => study.pgn(),
        None => pgn_export::pgn_text(&table.game, today),
    }
}

/// Shows the position after this many plies.
pub(super) fn look_at(table: &mut GameScreen, plies: usize) {
    let all = table.game.plies().len();
    table.clear_transient();
    table.blast = None;
    table.dialog = table
        .dialog
        .filter(|dialog| !matches!(dialog, Dialog::Over { .. }));
    table.shown = match plies {
        plies if plies >= all && table.study.is_none() => None,
        plies => Some(plies.min(all)),
    };
}

/// Starts a rematch: the same terms, with colours swapped.
pub(super) fn rematch(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let mut players = table.game.players();
    std::mem::swap(&mut players.white, &mut players.black);
    let mut next = GameScreen::new(Game::begin(table.game.terms().clone(), players, now), now);
    next.auto_flip = table.auto_flip;
    crate::screen::update::begin(model, next)
}
