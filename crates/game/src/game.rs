//! [`Game`]: the state that its events add up to, and its getters. [`evolve`](Game::evolve) applies events;
//! [`decide`](Game::decide) creates them.

use touchmove_rules::{AnyPosition, Color, Move, MoveInputError};

use crate::command_log::CommandLog;
use crate::offers::OfferCounts;
use crate::position_status;
use crate::position_status::Occurrence;
use crate::{
    Budget, Clocks, Conclusion, DrawClaim, Draws, Ending, Event, Millis, Opening, Players, Seats,
    Terms, Timestamp, explain,
};

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
    /// The lag compensation that was granted for it.
    pub lag: Millis,
}

/// A draw claim that was right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrantedDrawClaim {
    /// The player who claimed.
    pub by: Color,
    /// The reason.
    pub claim: DrawClaim,
    /// The move that the player announced and did not play.
    pub announced: Option<Move>,
}

/// An offer that is waiting for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PendingOffer {
    pub(crate) by: Color,
    /// The event that made it.
    pub(crate) seq: u64,
}

/// A game between two players.
///
/// ```
/// use touchmove_game::{Command, Game, Players, Terms, Timestamp};
/// use touchmove_rules::{UciMove, Color, Square, Variant};
///
/// let mut game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let e4 = Command::from(UciMove::new(Square::E2, Square::E4));
/// assert!(game.submit(Timestamp(1_000), Color::White, e4.clone()).accepted());
/// assert_eq!(game.turn(), Color::Black);
/// assert!(!game.submit(Timestamp(2_000), Color::White, e4).accepted());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub(crate) opening: Opening,
    pub(crate) seats: Seats,
    pub(crate) seq: u64,
    pub(crate) now: Timestamp,
    pub(crate) plies: Vec<Ply>,
    /// The last event that changed the board.
    pub(crate) board_seq: u64,
    /// Since when the player on move has been keeping the other waiting.
    pub(crate) waits_since: Timestamp,
    pub(crate) clocks: Option<Clocks>,
    pub(crate) held: Option<String>,
    pub(crate) draw_offer: Option<PendingOffer>,
    pub(crate) takeback_offer: Option<PendingOffer>,
    /// Whether there was a takeback. It takes both players, so both have come.
    pub(crate) taken_back: bool,
    pub(crate) claimed: Option<GrantedDrawClaim>,
    pub(crate) flag: Option<Color>,
    pub(crate) conclusion: Option<Conclusion>,
    pub(crate) done: CommandLog,
    /// How often the players have made offers and gifts.
    pub(crate) offers: OfferCounts,
    pub(crate) analysis_budget: Budget,
}

impl Game {
    /// A game between two seated players that begins at `now`. It is over at once if the starting position is
    /// already decided; [`Game::start`] also returns the events to record.
    #[must_use]
    pub fn begin(terms: Terms, players: Players, now: Timestamp) -> Game {
        Game::start(
            Opening::of(terms, players, now),
            position_status::MOVE_ANALYSIS_BUDGET,
        )
        .0
    }

    /// Starts a game and returns the events that follow from its start: usually none, or its end if the
    /// starting position is already decided. The budget is for proving positions dead, now and later.
    #[must_use]
    pub fn start(opening: Opening, patience: Budget) -> (Game, Vec<Event>) {
        let mut game = Game::open(opening).with_analysis_budget(patience);
        let events = game.decide_start();
        game.evolve_all(&events);
        (game, events)
    }

    /// A game with this opening and no events: where a fold begins.
    #[must_use]
    pub fn open(opening: Opening) -> Game {
        let (terms, at) = (&opening.terms, opening.at);
        let turn = terms.start.turn();
        let clocks = terms.time.as_ref().map(|times| Clocks::set(times, turn));
        let mut game = Game {
            seats: opening.seats.clone(),
            seq: 0,
            now: at,
            plies: Vec::new(),
            board_seq: 0,
            waits_since: at,
            clocks,
            held: None,
            draw_offer: None,
            takeback_offer: None,
            taken_back: false,
            claimed: None,
            flag: None,
            conclusion: None,
            done: CommandLog::default(),
            offers: OfferCounts::default(),
            analysis_budget: position_status::MOVE_ANALYSIS_BUDGET,
            opening,
        };
        game.start_clock(at);
        game
    }

    /// The same game with another budget for proving positions dead. The default never keeps players waiting;
    /// programs may want a larger one.
    #[must_use]
    pub const fn with_analysis_budget(mut self, patience: Budget) -> Game {
        self.analysis_budget = patience;
        self
    }

    /// The number of the latest event; 0 if nothing has happened since the opening.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// The opening: how the game began.
    #[must_use]
    pub const fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The seats.
    #[must_use]
    pub const fn seats(&self) -> &Seats {
        &self.seats
    }

    /// The budget for proving positions dead.
    #[must_use]
    pub const fn analysis_budget(&self) -> Budget {
        self.analysis_budget
    }

    /// What the players agreed on.
    #[must_use]
    pub const fn terms(&self) -> &Terms {
        &self.opening.terms
    }

    /// The players' names; empty for an open seat or a player without a name.
    #[must_use]
    pub fn players(&self) -> Players {
        self.seats.clone().map(|seat| seat.name().to_owned())
    }

    /// The moment the game began.
    #[must_use]
    pub const fn started(&self) -> Timestamp {
        self.opening.at
    }

    /// The time of the latest event. A resumed game goes on from here.
    #[must_use]
    pub const fn latest(&self) -> Timestamp {
        self.now
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        self.plies
            .last()
            .map_or(&self.opening.terms.start, |ply| &ply.position)
    }

    /// The position after the first `plies` plies.
    #[must_use]
    pub fn position_after(&self, plies: usize) -> Option<&AnyPosition> {
        match plies.checked_sub(1) {
            None => Some(&self.opening.terms.start),
            Some(last) => self.plies.get(last).map(|ply| &ply.position),
        }
    }

    /// The player on move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// The plies that have been played and not taken back.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves that have been played and not taken back.
    #[must_use]
    pub fn moves_played(&self) -> Vec<Move> {
        self.plies.iter().map(|ply| ply.mv).collect()
    }

    /// Reads a typed move in the current position.
    ///
    /// ```
    /// use touchmove_game::{Game, Players, Terms, Timestamp};
    /// use touchmove_rules::Variant;
    ///
    /// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    /// assert_eq!(game.read_move("e2-e4"), game.read_move("e4"));
    /// assert!(game.read_move("e9").is_err());
    /// ```
    ///
    /// # Errors
    /// If the text is not a move, the move is illegal, several moves fit, or a promotion lacks its
    /// piece.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveInputError> {
        // Fast path: UCI. The tolerant parser would give the same answer.
        match self.position().read_uci(text) {
            Ok(mv) => Ok(mv),
            Err(_) => self.position().read_input_after(&self.moves_played(), text),
        }
    }

    /// How the game ended, if it is over.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.conclusion.as_ref().map(|conclusion| conclusion.ending)
    }

    /// How the game ended and why, if it is over.
    #[must_use]
    pub const fn conclusion(&self) -> Option<&Conclusion> {
        self.conclusion.as_ref()
    }

    /// The player whose flag has fallen. The game is stopped, and over as soon as it is known [what that
    /// means](Game::pending_analysis).
    #[must_use]
    pub const fn flag(&self) -> Option<Color> {
        self.flag
    }

    /// Why the arbiter holds the clocks, if they are held.
    #[must_use]
    pub fn held(&self) -> Option<&str> {
        self.held.as_deref()
    }

    /// The draw claim that ended the game, if one did.
    #[must_use]
    pub const fn claimed(&self) -> Option<GrantedDrawClaim> {
        self.claimed
    }

    /// The player whose draw offer is open.
    #[must_use]
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer.map(|offer| offer.by)
    }

    /// The player who asks for a takeback.
    #[must_use]
    pub fn takeback_offer(&self) -> Option<Color> {
        self.takeback_offer.map(|offer| offer.by)
    }

    /// How many plies a takeback by `who` would undo: the player's last move and what came after it. `None`
    /// if the player has not moved.
    #[must_use]
    pub fn takeback_plies(&self, who: Color) -> Option<usize> {
        let plies = if who == self.turn() { 2 } else { 1 };
        (self.plies.len() >= plies).then_some(plies)
    }

    /// The time `player` has left at `now`; `None` without clocks. The clocks of a finished game stand still.
    #[must_use]
    pub fn time_left(&self, player: Color, now: Timestamp) -> Option<Millis> {
        let now = match self.conclusion.is_some() || self.undecided().is_err() {
            true => self.now,
            false => now.max(self.now),
        };
        Some(self.clocks?.left(self.terms().time.as_ref()?, player, now))
    }

    /// The moment the flag of the player on move falls, if the game goes on and a clock is running.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        match (&self.conclusion, self.undecided()) {
            (None, Ok(())) => self.clocks?.deadline(self.terms().time.as_ref()?),
            _ => None,
        }
    }

    /// The clocks, if the game has any.
    #[must_use]
    pub const fn clocks(&self) -> Option<Clocks> {
        self.clocks
    }

    /// The sentence that says how the game stands or why it has ended.
    #[must_use]
    pub fn sentence(&self) -> String {
        explain::sentence(self)
    }

    /// How often the position on the board has occurred, this time included (FIDE 9.2.3).
    #[must_use]
    pub fn repetitions(&self) -> usize {
        1 + self.earlier_occurrences(self.position(), self.plies.len())
    }

    /// The position on the board with its repetitions.
    #[must_use]
    pub fn occurrence(&self) -> Occurrence<'_> {
        Occurrence {
            position: self.position(),
            repetitions: self.repetitions(),
        }
    }

    /// How often `position` occurred among the first `plies` positions of the game. Only positions since the
    /// last capture or pawn move can be equal.
    pub(crate) fn earlier_occurrences(&self, position: &AnyPosition, plies: usize) -> usize {
        let quiet = position.halfmoves() as usize;
        (0..plies)
            .rev()
            .take(quiet)
            .filter(|&ply| self.position_after(ply) == Some(position))
            .count()
    }

    /// The draws that the player on move may claim now.
    #[must_use]
    pub fn claims(&self) -> Vec<DrawClaim> {
        let goes_on = self.conclusion.is_none() && self.undecided().is_ok();
        match self.terms().draws {
            Draws::Claim if goes_on => self.occurrence().supported_claims().collect(),
            _ => Vec::new(),
        }
    }
}
