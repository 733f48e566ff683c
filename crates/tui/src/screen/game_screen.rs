//! The table at which a game is played: the game itself, and what the players have in hand, typed
//! and before their eyes. How it changes is in [`update`](crate::screen::update).

use touchmove_game::{AnalysisQuestion, Game, Millis, Timestamp, explain};
use touchmove_rules::{AnyPosition, Bitboard, Color, Move, MoveInputError, Role, Square, UciMove};

use crate::opponents::ComputerSeats;
use crate::screen::board::{Explosion, Marks};
use crate::screen::coach_state::CoachState;
use crate::screen::input_field::InputField;
use crate::screen::network_table::NetworkTable;
use crate::screen::study::Study;

/// How long one step of an explosion shows, in milliseconds.
const EXPLOSION_STEP_MILLIS: u64 = 110;

/// So many milliseconds on a clock are short.
const LOW_TIME_MILLIS: u64 = 10_000;

/// The tone of a notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Just said.
    Plain,
    /// Something worked.
    Good,
    /// Something did not.
    Alarm,
}

/// A sentence for the players.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Notice {
    pub tone: Tone,
    pub text: String,
}

/// A question that must be answered before anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialog {
    /// What a pawn becomes.
    Promotion {
        /// The move without its choice.
        attempt: UciMove,
        /// The choice under the cursor, as an index into [`Role::PROMOTIONS`].
        choice: usize,
    },
    /// Whether a player really resigns.
    Resign {
        /// Which one.
        by: Color,
    },
    /// Whether a player really offers a draw.
    Draw {
        /// Which one.
        by: Color,
    },
    /// A draw and a takeback are offered: which of them is answered?
    Which {
        /// Whether it is accepted.
        accepts: bool,
    },
    /// Whether the player on move claims a draw, and does not type a move that begins with c.
    Claim,
    /// Whether to leave a game that is not over.
    Quit,
    /// Whether to begin another game while this one is not over.
    Leave {
        /// With the same terms and colours swapped.
        rematch: bool,
    },
    /// The game is over: what next?
    Over {
        /// Until then keys are not answers: somebody may be typing a move while the flag falls.
        deaf_until: Timestamp,
    },
}

impl Dialog {
    /// The question that comes with the end of a game.
    pub const GAME_OVER_DIALOG: Dialog = Dialog::Over {
        deaf_until: Timestamp(0),
    };
}

/// A blast that is being shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplosionAnimation {
    /// The square of the capture.
    pub centre: Square,
    /// When it began, on the screen's own time line.
    pub began: Timestamp,
}

impl ExplosionAnimation {
    /// What it looks like at a moment; `None` when it is over.
    #[must_use]
    pub fn at(self, now: Timestamp) -> Option<Explosion> {
        let step = now.since(self.began).0 / EXPLOSION_STEP_MILLIS;
        let step = u8::try_from(step)
            .ok()
            .filter(|&step| step < Explosion::EXPLOSION_STEPS)?;
        Some(Explosion {
            centre: self.centre,
            step,
        })
    }

    /// When it next looks different.
    #[must_use]
    pub const fn next(self, now: Timestamp) -> Timestamp {
        let steps = now.since(self.began).0 / EXPLOSION_STEP_MILLIS + 1;
        Timestamp(self.began.0 + steps * EXPLOSION_STEP_MILLIS)
    }
}

/// A game on the screen.
#[derive(Clone, PartialEq, Debug)]
pub struct GameScreen {
    /// The game.
    pub game: Game,
    /// The player at the lower edge.
    pub near: Color,
    /// Whether the board turns with every move.
    pub auto_flip: bool,
    /// The square that the keyboard is at.
    pub cursor: Square,
    /// The man in hand.
    pub hand: Option<Square>,
    /// The square that the mouse is over, if it was the mouse that moved last.
    pub hover: Option<Square>,
    /// The square where the mouse was pressed and is still held.
    pub dragged: Option<Square>,
    /// What is typed.
    pub line: InputField,
    /// How many plies of the game the board shows, if not all.
    pub shown: Option<usize>,
    /// What was last said to the players.
    pub notice: Option<Notice>,
    /// What the arbiter points at.
    pub evidence: Bitboard,
    /// The question that is open.
    pub dialog: Option<Dialog>,
    /// The blast that is being shown.
    pub blast: Option<ExplosionAnimation>,
    /// What a file says about the game, if it is looked through and not played.
    pub study: Option<Box<Study>>,
    /// The network, if the game is played there.
    pub live: Option<Box<NetworkTable>>,
    /// The computers at the table.
    pub rivals: ComputerSeats,
    /// Whether it was looked who sits here.
    pub has_met: bool,
    /// The coach.
    pub coaching: CoachState,
    /// Whether something has happened for which the players are called.
    pub calls: bool,
    /// Whose clock was last seen to be short, and whose not.
    pub short: [Option<bool>; 2],
    /// Why the game is not kept, if it is not.
    pub unkept: Option<String>,
    /// The last event of the game when it was last saved where the players said.
    pub saved: Option<u64>,
    /// What was last looked into for longer.
    pub doubted: Option<AnalysisQuestion>,
    /// A moment of the screen's time line, and the moment of the game's that it is.
    anchor: (Timestamp, Timestamp),
}

impl GameScreen {
    /// A table for a game that is played on from `now`; nobody's clock ran while it was away.
    #[must_use]
    pub fn new(game: Game, now: Timestamp) -> GameScreen {
        let near = Color::White;
        let anchor = (now, game.latest());
        let cursor = game.position().board().king_of(near).unwrap_or(Square::E1);
        let mut table = GameScreen {
            game,
            near,
            auto_flip: false,
            cursor,
            hand: None,
            hover: None,
            dragged: None,
            line: InputField::default(),
            shown: None,
            notice: None,
            evidence: Bitboard::EMPTY,
            dialog: None,
            blast: None,
            study: None,
            live: None,
            rivals: ComputerSeats::default(),
            has_met: false,
            coaching: CoachState::default(),
            calls: false,
            short: [None; 2],
            unkept: None,
            saved: None,
            doubted: None,
            anchor,
        };
        if table.game.ending().is_some() {
            table.dialog = Some(Dialog::GAME_OVER_DIALOG);
        } else if table.game.plies().is_empty() {
            table.warn();
        }
        table
    }

    /// Says if no game can lead to the position that this one begins with [004-7].
    fn warn(&mut self) {
        let start = self.game.terms().start;
        let faults = start.setup().faults(start.variant());
        if !faults.is_empty() {
            self.set_notice(
                Tone::Alarm,
                format!("No game can lead to this position: {faults}."),
            );
        }
    }

    /// A table at which a game of a file is looked through, from its start.
    #[must_use]
    pub fn for_study(game: Game, study: Study, now: Timestamp) -> GameScreen {
        GameScreen {
            shown: Some(0),
            study: Some(Box::new(study)),
            dialog: None,
            ..GameScreen::new(game, now)
        }
    }

    /// A table on the network, as somebody who has just come to it sees it.
    #[must_use]
    pub fn on_network(game: Game, at: Timestamp, live: NetworkTable, now: Timestamp) -> GameScreen {
        let near = live.you.unwrap_or(Color::White);
        let mut table = GameScreen::new(game, now);
        let king = table.game.position().board().king_of(near);
        table.cursor = king.unwrap_or(table.cursor);
        table.near = near;
        table.anchor = (now, at);
        table.live = Some(Box::new(live));
        table
    }

    /// Sets the time of the game, as the house of the game tells it.
    pub fn set_time(&mut self, now: Timestamp, at: Timestamp) {
        self.anchor = (now, at);
    }

    /// Whether the board shows a game that goes on as it stands.
    #[must_use]
    pub fn is_current(&self) -> bool {
        let goes_on = self.game.ending().is_none() && self.game.flag().is_none();
        self.shown.is_none() && goes_on && self.study.is_none()
    }

    /// Whether somebody plays here, and does not only watch or look through a game.
    #[must_use]
    pub fn is_played(&self) -> bool {
        let has_seat = self.live.as_ref().is_none_or(|live| live.you.is_some());
        self.study.is_none() && has_seat
    }

    /// The player who is asked, when it is not said who: on the network the one who sits here.
    #[must_use]
    pub fn asked(&self) -> Color {
        let you = self.live.as_ref().and_then(|live| live.you);
        you.or(self.rivals.only_human()).unwrap_or(self.game.turn())
    }

    /// The moment of the game at this moment of the screen.
    #[must_use]
    pub fn game_time(&self, now: Timestamp) -> Timestamp {
        self.anchor.1 + now.since(self.anchor.0)
    }

    /// How many plies the board shows.
    #[must_use]
    pub fn plies_shown(&self) -> usize {
        self.shown.unwrap_or(self.game.plies().len())
    }

    /// The position that the board shows.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        let shown = self.game.position_after(self.plies_shown());
        shown.unwrap_or_else(|| self.game.position())
    }

    /// Whether moves can be made on the board: the game goes on, the board shows it as it stands, and on
    /// the network it is the turn of whoever sits here.
    #[must_use]
    pub fn is_playable(&self) -> bool {
        let may_move = self
            .live
            .as_ref()
            .is_none_or(|live| live.may_move(&self.game));
        self.is_current() && may_move && !self.is_computer(self.game.turn())
    }

    /// Whether whoever sits here may claim a draw now.
    #[must_use]
    pub fn can_claim(&self) -> bool {
        let is_asked = self.is_played() && self.asked() == self.game.turn();
        is_asked && !self.game.claims().is_empty()
    }

    /// Whether something is offered to whoever sits here.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        match &self.live {
            Some(live) => live.is_offered(&self.game),
            None => {
                let offer = self.game.draw_offer().or(self.game.takeback_offer());
                offer.is_some_and(|by| !self.is_computer(!by))
            }
        }
    }

    /// The square before the player's eyes: under the mouse, or under the cursor.
    #[must_use]
    pub fn focus(&self) -> Square {
        self.hover.unwrap_or(self.cursor)
    }

    /// Says something to the players.
    pub fn set_notice(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice {
            tone,
            text: text.into(),
        });
    }

    /// Looks whether the clock that runs has become short; the players are called when it has.
    pub fn look_at_clock(&mut self, now: Timestamp) {
        if self.study.is_some() || self.game.ending().is_some() {
            return;
        }
        let turn = self.game.turn();
        let is_mine = self.live.as_ref().is_none_or(|live| live.you == Some(turn));
        let Some(left) = self.game.time_left(turn, self.game_time(now)) else {
            return;
        };
        let is_short = left.0 <= LOW_TIME_MILLIS;
        let before = self.short[turn as usize].replace(is_short);
        self.calls |= is_mine && is_short && before == Some(false);
    }

    /// Forgets what was said and pointed at, and puts down the man in hand.
    pub fn clear_transient(&mut self) {
        self.notice = None;
        self.evidence = Bitboard::EMPTY;
        self.hand = None;
        self.dragged = None;
    }

    /// The squares of the men that can move.
    #[must_use]
    pub fn movable(&self) -> Bitboard {
        match self.is_playable() {
            true => self
                .game
                .position()
                .legal_moves()
                .iter()
                .map(|mv| mv.from())
                .collect(),
            false => Bitboard::EMPTY,
        }
    }

    /// The move that a typed text means in the game as it stands.
    ///
    /// # Errors
    /// If it is not a legal move, or not one alone.
    pub fn read(&self, text: &str) -> Result<Move, MoveInputError> {
        let past: Vec<Move> = self.game.plies().iter().map(|ply| ply.mv).collect();
        self.game.position().read_input_after(&past, text)
    }

    /// The move that would be made if it were confirmed now: typed, or with the man in hand over
    /// its target.
    #[must_use]
    pub fn previewed_move(&self) -> Option<Move> {
        let position = self.game.position();
        if !self.is_playable() {
            return None;
        }
        if !self.line.is_empty() {
            return self.read(self.line.text()).ok();
        }
        if let Some(Dialog::Promotion { attempt, choice }) = self.dialog {
            return position.find_uci(attempt.promoting(Role::PROMOTIONS[choice]));
        }
        let attempt = UciMove::new(self.hand?, self.focus());
        position
            .find_uci(attempt)
            .or_else(|| position.find_uci(attempt.promoting(Role::Queen)))
    }

    /// What is marked on the board now.
    #[must_use]
    pub fn marks(&self, now: Timestamp) -> Marks {
        let position = self.position();
        let board = position.board();
        let mut marks = Marks {
            evidence: self.evidence,
            ..Marks::default()
        };
        if let Some(ply) = self
            .plies_shown()
            .checked_sub(1)
            .and_then(|at| self.game.plies().get(at))
        {
            marks.last_move = ply.mv.from().set() | ply.mv.to().set();
        }
        marks.checkers = position.checkers();
        if marks.checkers.any() {
            marks.check = board.king_of(position.turn());
        }
        // What is typed goes before the man in hand.
        let hand = self.hand.filter(|_| self.line.is_empty());
        if let Some(hand) = hand.filter(|_| self.is_playable() || self.study.is_some()) {
            marks.selected = Some(hand);
            for mv in &position.moves_from(hand) {
                match mv.captured_square() {
                    Some(_) => marks.captures.insert(mv.to()),
                    None => marks.targets.insert(mv.to()),
                }
            }
        }
        if let Some(mv) = self.previewed_move() {
            if marks.selected.is_none() {
                marks.selected = Some(mv.from());
                match mv.is_capture() {
                    true => marks.captures.insert(mv.to()),
                    false => marks.targets.insert(mv.to()),
                }
            }
            marks.blast = position.exploded_squares(mv);
        }
        marks.explosion = self.blast.and_then(|blast| blast.at(now));
        marks
    }

    /// How the game stands, in a sentence.
    #[must_use]
    pub fn standing(&self) -> String {
        match &self.study {
            Some(study) => study.title(),
            None => explain::sentence(&self.game),
        }
    }

    /// The next moment at which the screen looks different by itself.
    #[must_use]
    pub fn next_wakeup(&self, now: Timestamp) -> Option<Timestamp> {
        let blast = self.blast.map(|blast| blast.next(now));
        [blast, self.next_clock_face(now)]
            .into_iter()
            .flatten()
            .min()
    }

    /// When the running clock next shows something else.
    fn next_clock_face(&self, now: Timestamp) -> Option<Timestamp> {
        if self.game.deadline().is_none() || self.study.is_some() {
            return None;
        }
        let left = self.game.time_left(self.game.turn(), self.game_time(now))?;
        if left == Millis::ZERO {
            // The house of the game says when a flag has fallen.
            return None;
        }
        let face = if left.0 <= 10_000 { 100 } else { 1_000 };
        Some(Timestamp(now.0 + left.0 % face + 1))
    }
}
