//! The game screen: the game itself, and the state of selection, typing and messages.
//! [`update`](crate::screen::update) changes it.

use touchmove_game::{AnalysisQuestion, Game, Millis, Timestamp, explain};
use touchmove_rules::{AnyPosition, Bitboard, Color, Move, MoveInputError, Role, Square, UciMove};

use crate::opponents::ComputerSeats;
use crate::screen::board::{Explosion, Marks};
use crate::screen::coach_state::CoachState;
use crate::screen::input_field::InputField;
use crate::screen::network_table::NetworkTable;
use crate::screen::study::Study;

/// The duration of one step of the explosion animation, in milliseconds.
const EXPLOSION_STEP_MILLIS: u64 = 110;

/// Below this a clock is low on time, in milliseconds.
const LOW_TIME_MILLIS: u64 = 10_000;

/// The tone of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Neutral.
    Plain,
    /// Success.
    Good,
    /// Failure.
    Alarm,
}

/// A message for the players.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Notice {
    pub tone: Tone,
    pub text: String,
}

/// A question that must be answered first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialog {
    /// The piece that a pawn promotes to.
    Promotion {
        /// The move without the promotion.
        attempt: UciMove,
        /// The selected choice, as an index into [`Role::PROMOTIONS`].
        choice: usize,
    },
    /// Whether a player really resigns.
    Resign {
        /// The player.
        by: Color,
    },
    /// Whether a player really offers a draw.
    Draw {
        /// The player.
        by: Color,
    },
    /// Which offer to answer, when both a draw and a takeback are offered.
    Which {
        /// Whether it is accepted.
        accepts: bool,
    },
    /// Whether the player on move claims a draw, or is typing a move that begins with c.
    Claim,
    /// Whether to quit during a game.
    Quit,
    /// Whether to begin another game during this one.
    Leave {
        /// On the same terms, with colours swapped.
        rematch: bool,
    },
    /// The game is over: what next?
    Over {
        /// Keys are ignored until then: somebody may be typing a move when the flag falls.
        deaf_until: Timestamp,
    },
}

impl Dialog {
    /// The dialog at the end of a game.
    pub const GAME_OVER_DIALOG: Dialog = Dialog::Over {
        deaf_until: Timestamp(0),
    };
}

/// A running explosion animation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplosionAnimation {
    /// The square of the capture.
    pub centre: Square,
    /// When it began, on the screen's time line.
    pub began: Timestamp,
}

impl ExplosionAnimation {
    /// Its state at a time; `None` when it is over.
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

    /// When its next step begins.
    #[must_use]
    pub const fn next(self, now: Timestamp) -> Timestamp {
        let steps = now.since(self.began).0 / EXPLOSION_STEP_MILLIS + 1;
        Timestamp(self.began.0 + steps * EXPLOSION_STEP_MILLIS)
    }
}

/// The state of the game screen.
#[derive(Clone, PartialEq, Debug)]
pub struct GameScreen {
    /// The game.
    pub game: Game,
    /// The player at the lower edge.
    pub near: Color,
    /// Whether the board flips with every move.
    pub auto_flip: bool,
    /// The square of the keyboard cursor.
    pub cursor: Square,
    /// The selected piece.
    pub hand: Option<Square>,
    /// The square under the mouse, if the mouse moved last.
    pub hover: Option<Square>,
    /// The square where the mouse button was pressed and is still held.
    pub dragged: Option<Square>,
    /// The typed text.
    pub line: InputField,
    /// The number of plies that the board shows, if not all.
    pub shown: Option<usize>,
    /// The last message to the players.
    pub notice: Option<Notice>,
    /// The squares that the arbiter cites.
    pub evidence: Bitboard,
    /// The open question.
    pub dialog: Option<Dialog>,
    /// The running explosion animation.
    pub blast: Option<ExplosionAnimation>,
    /// The annotated game, if a file is stepped through instead of a game played.
    pub study: Option<Box<Study>>,
    /// The state of the table, if the game is played on the network.
    pub live: Option<Box<NetworkTable>>,
    /// The computers in the game.
    pub rivals: ComputerSeats,
    /// Whether the computers were assigned to their seats.
    pub has_met: bool,
    /// The state of the coach.
    pub coaching: CoachState,
    /// Whether to alert the players.
    pub calls: bool,
    /// For each player, whether their clock was low on time when last looked at.
    pub short: [Option<bool>; 2],
    /// Why the game is not saved, if it is not.
    pub unkept: Option<String>,
    /// The last event in the game when it was last saved to a path.
    pub saved: Option<u64>,
    /// The last question that was analysed.
    pub doubted: Option<AnalysisQuestion>,
    /// A point on the screen's time line, and the same point on the game's.
    anchor: (Timestamp, Timestamp),
}

impl GameScreen {
    /// The screen of a game that continues at `now`; no clock ran in between.
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

    /// Warns if no game can reach the start position [004-7].
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

    /// The screen for stepping through a game of a file, at its start.
    #[must_use]
    pub fn for_study(game: Game, study: Study, now: Timestamp) -> GameScreen {
        GameScreen {
            shown: Some(0),
            study: Some(Box::new(study)),
            dialog: None,
            ..GameScreen::new(game, now)
        }
    }

    /// The screen of a game on the network, as of joining it.
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

    /// Sets the game's time, as the server gives it.
    pub fn set_time(&mut self, now: Timestamp, at: Timestamp) {
        self.anchor = (now, at);
    }

    /// Whether the board shows the current position of a game that goes on.
    #[must_use]
    pub fn is_current(&self) -> bool {
        let goes_on = self.game.ending().is_none() && self.game.flag().is_none();
        self.shown.is_none() && goes_on && self.study.is_none()
    }

    /// Whether the user plays here, rather than watching or stepping through a game.
    #[must_use]
    pub fn is_played(&self) -> bool {
        let has_seat = self.live.as_ref().is_none_or(|live| live.you.is_some());
        self.study.is_none() && has_seat
    }

    /// The player a question is about when none is named: on the network the user's colour.
    #[must_use]
    pub fn asked(&self) -> Color {
        let you = self.live.as_ref().and_then(|live| live.you);
        you.or(self.rivals.only_human()).unwrap_or(self.game.turn())
    }

    /// The game's time at this point of the screen's.
    #[must_use]
    pub fn game_time(&self, now: Timestamp) -> Timestamp {
        self.anchor.1 + now.since(self.anchor.0)
    }

    /// The number of plies that the board shows.
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

    /// Whether moves can be made on the board: the game goes on, the board shows the current position, and on the
    /// network it is the user's turn.
    #[must_use]
    pub fn is_playable(&self) -> bool {
        let may_move = self
            .live
            .as_ref()
            .is_none_or(|live| live.may_move(&self.game));
        self.is_current() && may_move && !self.is_computer(self.game.turn())
    }

    /// Whether the user may claim a draw now.
    #[must_use]
    pub fn can_claim(&self) -> bool {
        let is_asked = self.is_played() && self.asked() == self.game.turn();
        is_asked && !self.game.claims().is_empty()
    }

    /// Whether there is an offer for the user to answer.
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

    /// The focused square: under the mouse, or under the cursor.
    #[must_use]
    pub fn focus(&self) -> Square {
        self.hover.unwrap_or(self.cursor)
    }

    /// Shows a message to the players.
    pub fn set_notice(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice {
            tone,
            text: text.into(),
        });
    }

    /// Alerts the players when the running clock gets low on time.
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

    /// Clears the message and the evidence, and deselects the piece.
    pub fn clear_transient(&mut self) {
        self.notice = None;
        self.evidence = Bitboard::EMPTY;
        self.hand = None;
        self.dragged = None;
    }

    /// The squares of the pieces that can move.
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

    /// Parses a typed move in the current position.
    ///
    /// # Errors
    /// If it is not a legal move, or not one alone.
    pub fn read(&self, text: &str) -> Result<Move, MoveInputError> {
        let past: Vec<Move> = self.game.plies().iter().map(|ply| ply.mv).collect();
        self.game.position().read_input_after(&past, text)
    }

    /// The move that Enter or a click would make now: typed, or with the selected piece to the focused square.
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

    /// The current marks on the board.
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
        // Typed text goes before a selected piece.
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

    /// The state of the game, in a sentence.
    #[must_use]
    pub fn standing(&self) -> String {
        match &self.study {
            Some(study) => study.title(),
            None => explain::sentence(&self.game),
        }
    }

    /// The next time at which the screen changes by itself.
    #[must_use]
    pub fn next_wakeup(&self, now: Timestamp) -> Option<Timestamp> {
        let blast = self.blast.map(|blast| blast.next(now));
        [blast, self.next_clock_face(now)]
            .into_iter()
            .flatten()
            .min()
    }

    /// When the running clock shows its next value.
    fn next_clock_face(&self, now: Timestamp) -> Option<Timestamp> {
        if self.game.deadline().is_none() || self.study.is_some() {
            return None;
        }
        let left = self.game.time_left(self.game.turn(), self.game_time(now))?;
        if left == Millis::ZERO {
            // On the network the server decides about flags.
            return None;
        }
        let face = if left.0 <= 10_000 { 100 } else { 1_000 };
        Some(Timestamp(now.0 + left.0 % face + 1))
    }
}
