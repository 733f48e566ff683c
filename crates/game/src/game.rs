//! A game as the fold of its events: the state that they add up to, and how each one changes it.
//! Which events happen is decided in [`decide`](Game::decide), not here.

use touchmove_rules::{AnyPosition, Color, Misread, Move};

use crate::arbiter::{self, Occurrence};
use crate::{Budget, Claim, Clocks, Deed, Draws, Ending, Event, Millis, Players, Terms, Timestamp};

/// A ply that was played and has not been taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The position after it.
    pub position: AnyPosition,
    /// The clocks after it.
    pub clocks: Option<Clocks>,
    /// The moment it was played.
    pub at: Timestamp,
}

/// A draw that was claimed, rightly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// The player who claimed.
    pub by: Color,
    /// The reason.
    pub claim: Claim,
    /// The move that the player announced, and did not play.
    pub announced: Option<Move>,
}

/// A game between two players.
///
/// ```
/// use touchmove_game::{Command, Game, Players, Terms, Timestamp};
/// use touchmove_rules::{Attempt, Color, Square, Variant};
///
/// let mut game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let e4 = Command::Move(Attempt::new(Square::E2, Square::E4));
/// assert!(game.submit(Timestamp(1_000), Color::White, e4).accepted());
/// assert_eq!(game.turn(), Color::Black);
/// assert!(!game.submit(Timestamp(2_000), Color::White, e4).accepted());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    terms: Terms,
    players: Players,
    started: Timestamp,
    plies: Vec<Ply>,
    clocks: Option<Clocks>,
    draw_offer: Option<Color>,
    takeback_offer: Option<Color>,
    claimed: Option<Claimed>,
    ending: Option<Ending>,
    now: Timestamp,
    patience: Budget,
}

impl Game {
    /// A game that begins at `now`. If the starting position is already decided, it is over.
    #[must_use]
    pub fn begin(terms: Terms, players: Players, now: Timestamp) -> Game {
        let turn = terms.start.turn();
        let clocks = terms
            .time
            .as_ref()
            .map(|control| Clocks::start(control, turn, now));
        let game = Game {
            terms,
            players,
            started: now,
            plies: Vec::new(),
            clocks,
            draw_offer: None,
            takeback_offer: None,
            claimed: None,
            ending: None,
            now,
            patience: arbiter::AT_THE_TABLE,
        };
        game.with_patience(arbiter::AT_THE_TABLE)
    }

    /// The same game with another budget for proving positions dead. The usual one never keeps
    /// players waiting; programs may have more patience.
    #[must_use]
    pub fn with_patience(mut self, patience: Budget) -> Game {
        self.patience = patience;
        self.ending = self
            .ending
            .or_else(|| self.occurrence().ending(&self.terms, patience));
        self
    }

    /// The clocks, where there are any.
    #[must_use]
    pub(crate) const fn clocks(&self) -> Option<Clocks> {
        self.clocks
    }

    /// The budget for proving positions dead.
    #[must_use]
    pub(crate) const fn patience(&self) -> Budget {
        self.patience
    }

    /// Makes an event part of the game.
    pub fn evolve(&mut self, event: &Event) {
        self.now = self.now.max(event.at);
        match event.deed {
            Deed::Moved(mv) => self.play(mv, event.at),
            Deed::DrawOffered { by } => self.draw_offer = Some(by),
            Deed::DrawDeclined { .. } => self.draw_offer = None,
            Deed::DrawClaimed {
                by,
                claim,
                announced,
            } => {
                self.claimed = Some(Claimed {
                    by,
                    claim,
                    announced,
                });
            }
            Deed::TakebackOffered { by } => self.takeback_offer = Some(by),
            Deed::TakebackDeclined { .. } | Deed::TakebackWithdrawn { .. } => {
                self.takeback_offer = None;
            }
            Deed::TakenBack { plies } => self.take_back(plies, event.at),
            Deed::Ended(ending) => self.end(ending, event.at),
        }
    }

    /// A move that is not legal here changes nothing: it is no event of this game.
    fn play(&mut self, mv: Move, at: Timestamp) {
        if !self.position().is_legal(mv) {
            return;
        }
        let san = self.position().san(mv).to_string();
        let position = self.position().after(mv);
        if let (Some(clocks), Some(control)) = (&mut self.clocks, &self.terms.time) {
            clocks.press(control, at);
        }
        self.plies.push(Ply {
            mv,
            san,
            position,
            clocks: self.clocks,
            at,
        });
    }

    fn take_back(&mut self, plies: usize, at: Timestamp) {
        self.plies.truncate(self.plies.len().saturating_sub(plies));
        let clocks = match self.plies.last() {
            Some(ply) => ply.clocks,
            None => self.starting_clocks(),
        };
        self.clocks = clocks.map(|clocks| clocks.restarted(at));
        self.draw_offer = None;
        self.takeback_offer = None;
    }

    fn end(&mut self, ending: Ending, at: Timestamp) {
        self.draw_offer = None;
        self.takeback_offer = None;
        self.ending = Some(ending);
        self.now = at;
    }

    fn starting_clocks(&self) -> Option<Clocks> {
        let control = self.terms.time.as_ref()?;
        Some(Clocks::start(
            control,
            self.terms.start.turn(),
            self.started,
        ))
    }

    /// What the players agreed on.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The players' names.
    #[must_use]
    pub const fn players(&self) -> &Players {
        &self.players
    }

    /// The moment the game began.
    #[must_use]
    pub const fn started(&self) -> Timestamp {
        self.started
    }

    /// The moment of the latest event. A game that is resumed goes on from here.
    #[must_use]
    pub const fn latest(&self) -> Timestamp {
        self.now
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        self.plies
            .last()
            .map_or(&self.terms.start, |ply| &ply.position)
    }

    /// The position after the first `plies` plies.
    #[must_use]
    pub fn position_after(&self, plies: usize) -> Option<&AnyPosition> {
        match plies.checked_sub(1) {
            None => Some(&self.terms.start),
            Some(last) => self.plies.get(last).map(|ply| &ply.position),
        }
    }

    /// The player on move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// The plies that were played and not taken back.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves that were played and not taken back.
    #[must_use]
    pub fn past(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.mv).collect()
    }

    /// The move that a typed text means now.
    ///
    /// ```
    /// use touchmove_game::{Game, Players, Terms, Timestamp};
    /// use touchmove_rules::Variant;
    ///
    /// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    /// assert_eq!(game.read("e2-e4"), game.read("e4"));
    /// assert!(game.read("e9").is_err());
    /// ```
    ///
    /// # Errors
    /// If the text is not a move, the move is illegal, several moves fit, or a promotion lacks its
    /// piece.
    pub fn read(&self, text: &str) -> Result<Move, Misread> {
        self.position().read_typed_after(&self.past(), text)
    }

    /// How the game ended, if it did.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The claim that ended the game, if one did.
    #[must_use]
    pub const fn claimed(&self) -> Option<Claimed> {
        self.claimed
    }

    /// The player whose draw offer stands.
    #[must_use]
    pub const fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// The player who asks to take back.
    #[must_use]
    pub const fn takeback_offer(&self) -> Option<Color> {
        self.takeback_offer
    }

    /// How many plies a takeback by `who` would undo: that player's last move and what came after
    /// it. `None` if there is no such move.
    #[must_use]
    pub fn takeback_plies(&self, who: Color) -> Option<usize> {
        let plies = if who == self.turn() { 2 } else { 1 };
        (self.plies.len() >= plies).then_some(plies)
    }

    /// What `player` has left at `now`; `None` without clocks. The clocks of a finished game stand.
    #[must_use]
    pub fn time_left(&self, player: Color, now: Timestamp) -> Option<Millis> {
        let now = if self.ending.is_some() {
            self.now
        } else {
            now.max(self.now)
        };
        Some(self.clocks?.left(self.terms.time.as_ref()?, player, now))
    }

    /// The moment the flag of the player on move falls, if the game goes on with a clock.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        match self.ending {
            Some(_) => None,
            None => Some(self.clocks?.deadline(self.terms.time.as_ref()?)),
        }
    }

    /// How often the position on the board has come, this time included (FIDE 9.2.3).
    #[must_use]
    pub fn repetitions(&self) -> usize {
        1 + self.earlier_occurrences(self.position(), self.plies.len())
    }

    /// The position on the board as it came about.
    #[must_use]
    pub fn occurrence(&self) -> Occurrence<'_> {
        Occurrence {
            position: self.position(),
            repetitions: self.repetitions(),
        }
    }

    /// How often `position` came among the first `plies` positions of the game. Only those since
    /// the last capture or pawn's move can be the same.
    pub(crate) fn earlier_occurrences(&self, position: &AnyPosition, plies: usize) -> usize {
        let quiet = position.halfmoves() as usize;
        (0..plies)
            .rev()
            .take(quiet)
            .filter(|&ply| self.position_after(ply) == Some(position))
            .count()
    }

    /// The draws that the player on move may claim as the position stands.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        match (self.ending, self.terms.draws) {
            (None, Draws::Claim) => self.occurrence().grounds().collect(),
            _ => Vec::new(),
        }
    }
}
