//! Plain mode: a game as lines in and lines out, made for pipes, screen readers and slow terminals.
//! [`PlainSession`] is pure; only [`run`] does input and output.

mod computer;
mod info_commands;
mod line_command;
mod network;
mod network_run;
mod new_game;
mod resume_prompt;
mod run;
mod style;
mod text;

use touchmove_client::{ClientCommand, TableLink};
use touchmove_game::move_text::sentence;
use touchmove_game::{
    AnalysisResult, Budget, Event, EventKind, Game, Intent, Refusal, SubmitResult, Timestamp,
    Verdict, explain, journal,
};
use touchmove_rules::{Color, MoveInputError, UciMove};

use crate::opponents::{CoachQuestion, ComputerOptions, ComputerSeats};
use crate::pgn_export;
use crate::quit_prompt::{NOTHING_PLAYED_TEXT, is_unplayed};
use line_command::LineCommand;
use network::NetworkSeat;
pub use network_run::run_network_game;
pub use run::{PlainStart, run};
pub use style::{BoardDisplay, PlainStyle};
pub use text::RED_GAME_OVER;

/// The output of a session, and its side effects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// The lines to print.
    pub text: String,
    /// A file to write.
    pub save: Option<SaveRequest>,
    /// A command for the server of the network game.
    pub say: Option<ClientCommand>,
    /// Another table to join.
    pub join: Option<TableLink>,
    /// Whether another game has begun at this table.
    pub begins: bool,
    /// Whether the session is over.
    pub quit: bool,
}

/// A file to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaveRequest {
    /// The path.
    pub path: String,
    /// The contents.
    pub contents: String,
}

/// A question that the next line answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PendingQuestion {
    Resignation(Color),
    Promotion(UciMove),
    /// Start another game, with colours swapped or not, while this one is not over?
    Another {
        swapped: bool,
    },
}

/// A game in plain mode.
///
/// ```
/// use touchmove_game::{Game, Players, Terms, Timestamp};
/// use touchmove_rules::Variant;
/// use touchmove_tui::plain::{PlainSession, PlainStyle};
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let (mut session, _) = PlainSession::open(game, PlainStyle::default());
/// let said = session.line(Timestamp(1_000), "e4").text;
/// assert!(said.starts_with("White played e4: the pawn from e2 to e4. Black to move.\n"));
/// assert!(said.contains("4 |_|#|_|#|♙|#|_|#|"));
/// ```
#[derive(Clone, Debug)]
pub struct PlainSession {
    game: Game,
    style: PlainStyle,
    flipped: bool,
    pending: Option<PendingQuestion>,
    record_shown: bool,
    /// Today's date in PGN's form.
    date: String,
    /// Events that are not in the journal yet.
    unwritten: String,
    /// Whether the game is saved, so that it can be resumed.
    is_kept: bool,
    /// The seat or view at a table, if the game is played on the network.
    place: Option<NetworkSeat>,
    /// The computers in the game.
    rivals: ComputerSeats,
    /// Options of computers and hints.
    customs: ComputerOptions,
    /// The random number from which seeds of further games are derived.
    luck: u64,
}

impl PlainSession {
    /// Opens a session for a new or resumed game, with the introduction: players, variant and terms.
    #[must_use]
    pub fn open(game: Game, style: PlainStyle) -> (PlainSession, Output) {
        let mut session = PlainSession::new(game, style);
        let opening = session.opening();
        (session, opening)
    }

    /// The same without the introduction.
    #[must_use]
    pub fn new(game: Game, style: PlainStyle) -> PlainSession {
        PlainSession {
            game,
            style,
            flipped: false,
            pending: None,
            record_shown: false,
            date: "????.??.??".to_owned(),
            unwritten: String::new(),
            is_kept: false,
            place: None,
            rivals: ComputerSeats::default(),
            customs: ComputerOptions::default(),
            luck: 0,
        }
    }

    /// The introduction: players, variant and terms.
    pub fn opening(&mut self) -> Output {
        let mut text = String::new();
        if self.style.interactive && self.style.banner {
            text += text::BANNER_TEXT;
        }
        text += &self.introduction(self.game.latest());
        Output {
            text,
            ..Output::default()
        }
    }

    /// The players, the variant, the terms, the board, and how to begin.
    fn introduction(&mut self, now: Timestamp) -> String {
        let mut text = text::opening(&self.game);
        text += &self.shown_board();
        text += &self.state_of_play(now);
        text += &text::offers(&self.game);
        if self.game.ending().is_none() && !self.is_computers_turn() {
            text += &text::how_to_begin(&self.game);
        }
        text
    }

    /// Sets the date for the records of its games.
    #[must_use]
    pub fn dated(mut self, date: &str) -> PlainSession {
        date.clone_into(&mut self.date);
        self
    }

    /// Takes the journal lines that are not written yet.
    pub fn unwritten(&mut self) -> String {
        std::mem::take(&mut self.unwritten)
    }

    /// Sets whether the game is saved: players who leave are told, and a game that is not saved is printed.
    pub const fn set_saved(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Handles a line received at `now`.
    pub fn line(&mut self, now: Timestamp, line: &str) -> Output {
        let fallen = self.tick(now);
        let mut output = match self.pending.take() {
            Some(pending) if fallen.is_none() => self.answer(now, pending, line),
            _ => match line_command::read(line) {
                Ok(request) => self.grant(now, request),
                Err(wrong) => say(sentence(&wrong)),
            },
        };
        output.text.insert_str(0, &fallen.unwrap_or_default());
        output
    }

    /// Answers a line that could not be read; `why` is the reason.
    pub(crate) fn unreadable(&mut self, now: Timestamp, why: &str) -> Output {
        let fallen = self.tick(now).unwrap_or_default();
        say(format!("{fallen}{why}"))
    }

    /// The time at which a flag falls if nobody moves.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        self.game.deadline()
    }

    /// Advances the clock; returns a message if a flag has fallen. Analyses at once what that means: the game is
    /// stopped, and nobody has to wait.
    pub fn tick(&mut self, now: Timestamp) -> Option<String> {
        if self.place.is_some() {
            // On the network the server decides about flags.
            return None;
        }
        let events = self.game.tick(now);
        self.game.evolve_all(&events);
        let means = self.game.settle_flag(Budget::default());
        self.write_down(&events);
        self.write_down(&means);
        match events.is_empty() && means.is_empty() {
            true => None,
            false => Some(self.stopped()),
        }
    }

    /// Applies the result of an analysis: ends the game if it proves that, and says so if it was undecided. Ignored
    /// if the game has gone on since.
    pub fn on_analysis(&mut self, now: Timestamp, finding: &AnalysisResult) -> Option<String> {
        let is_about_this = self.game.pending_analysis() == Some(finding.question);
        let events = self.game.conclude(now, finding);
        self.game.evolve_all(&events);
        self.write_down(&events);
        match events.is_empty() {
            true => {
                let left_open = finding.left_open().filter(|_| is_about_this)?;
                Some(format!("{left_open}\n"))
            }
            false => Some(self.stopped()),
        }
    }

    fn write_down(&mut self, events: &[Event]) {
        self.unwritten.extend(events.iter().map(journal::line));
    }

    fn stopped(&mut self) -> String {
        self.pending = None;
        self.game_over()
    }

    /// The output at the end of input: what must not be lost.
    pub fn end(&mut self, now: Timestamp) -> Output {
        let mut text = self.tick(now).unwrap_or_default();
        if !self.record_shown {
            text += &self.unfinished();
        }
        self.record_shown = true;
        Output {
            text,
            quit: true,
            ..Output::default()
        }
    }

    /// The output on leaving when everything is saved: the record need not be printed.
    pub fn quit(&mut self, now: Timestamp) -> Output {
        let mut text = self.tick(now).unwrap_or_default();
        if is_unplayed(&self.game) {
            text += NOTHING_PLAYED_TEXT;
            text.push('\n');
        } else if self.game.ending().is_none() {
            text += "The game is kept: touchmove play --plain --resume goes on with it.\n";
        }
        Output {
            text,
            quit: true,
            ..Output::default()
        }
    }

    /// The record of an unfinished game.
    fn unfinished(&self) -> String {
        format!("The game is unfinished.\n\n{}", self.record())
    }

    /// The prompt on a terminal.
    #[must_use]
    pub fn prompt(&self) -> String {
        match (self.pending, self.game.ending()) {
            (Some(_), _) => "? ".to_owned(),
            (None, None) if self.place.is_some() => self.place_prompt(),
            (None, None) if self.is_computers_turn() => "The computer is thinking. ".to_owned(),
            (None, Some(_)) => "rematch, new or quit> ".to_owned(),
            (None, None) => format!("{}> ", text::player(&self.game, self.game.turn())),
        }
    }

    fn grant(&mut self, now: Timestamp, request: LineCommand) -> Output {
        match request {
            LineCommand::Nothing => Output::default(),
            LineCommand::Move(text) => self.move_typed(now, &text),
            LineCommand::Help => say(text::help(&self.game) + self.more_help()),
            LineCommand::Board => say(self.board()),
            LineCommand::Flip => {
                self.flipped = !self.flipped;
                say(match self.style.boards {
                    BoardDisplay::Never => "The board is turned around.".to_owned(),
                    _ => self.board(),
                })
            }
            LineCommand::Moves(square) => say(info_commands::moves(&self.game, square)),
            LineCommand::Explain(text) => say(info_commands::explain(&self.game, &text)),
            LineCommand::History => say(text::history(&self.game)),
            LineCommand::Fen => say(self.game.position().fen().to_string()),
            LineCommand::Pgn => say(self.record()),
            LineCommand::Clock => say(text::clocks(&self.game, now)
                .unwrap_or_else(|| "This game is played without clocks.".to_owned())),
            LineCommand::Draw(by) => self.wish(now, Intent::OfferDraw, by),
            LineCommand::Takeback(by) => self.wish(now, Intent::Takeback, by),
            LineCommand::Decline(None) if self.is_asked_for_rematch() => {
                said(ClientCommand::NoRematch)
            }
            LineCommand::Accept(None) if self.is_asked_for_rematch() => {
                said(ClientCommand::Rematch)
            }
            LineCommand::Accept(offer) => self.wish(now, Intent::Accept(offer), None),
            LineCommand::Decline(offer) => self.wish(now, Intent::Decline(offer), None),
            LineCommand::Claim(text) => self.claim(now, text.as_deref()),
            LineCommand::Say(text) => self.send_chat(text),
            LineCommand::Rematch if self.place.is_none() => self.another(now, true),
            LineCommand::Rematch => self.rematch(),
            LineCommand::New => self.another(now, false),
            LineCommand::Gone => self.claim_absence(),
            LineCommand::Resign(by) => self.resign(now, by.unwrap_or(self.asked())),
            LineCommand::Give(time) => self.wish(now, Intent::Give(time), None),
            LineCommand::Abort => self.wish(now, Intent::Abort, None),
            LineCommand::Save(path) => {
                let contents = self.record();
                Output {
                    save: Some(SaveRequest { path, contents }),
                    ..Output::default()
                }
            }
            LineCommand::Hint => self.ask_coach(CoachQuestion::Hint),
            LineCommand::Threat => self.ask_coach(CoachQuestion::Threat),
            LineCommand::Last => say(info_commands::last(&self.game)),
            LineCommand::Where(color, role) => {
                say(info_commands::whereabouts(&self.game, color, role))
            }
            LineCommand::Rank(rank) => say(info_commands::rank(&self.game, rank)),
            LineCommand::File(file) => say(info_commands::file(&self.game, file)),
            LineCommand::Quit => self.end(now),
        }
    }

    fn answer(&mut self, now: Timestamp, pending: PendingQuestion, line: &str) -> Output {
        let word = line.trim().to_ascii_lowercase();
        match pending {
            PendingQuestion::Another { swapped } => match word.as_str() {
                "yes" | "y" => self.begin_another(now, swapped),
                _ => say("The game goes on."),
            },
            PendingQuestion::Resignation(by) => match word.as_str() {
                "yes" | "y" => self.wish(now, Intent::Resign, Some(by)),
                _ => say(format!("{by} plays on.")),
            },
            PendingQuestion::Promotion(attempt) => {
                let role = text::promotion(&word);
                match role {
                    Some(role) => self.wish(now, Intent::Move(attempt.promoting(role)), None),
                    None if matches!(word.as_str(), "" | "no" | "n") => {
                        say("The pawn stays where it is.")
                    }
                    // Not an answer: a new command.
                    None => self.line(now, line),
                }
            }
        }
    }

    fn move_typed(&mut self, now: Timestamp, text: &str) -> Output {
        if let Some(ending) = self.game.ending() {
            return say(sentence(&Refusal::GameOver(ending).to_string()));
        }
        if self.is_computers_turn() {
            return say("It is the computer's turn.");
        }
        match self.game.read_move(text) {
            Ok(mv) => self.wish(now, Intent::Move(self.game.position().uci(mv)), None),
            Err(MoveInputError::PromotionMissing { attempt, .. }) => {
                self.pending = Some(PendingQuestion::Promotion(attempt));
                say(
                    "What does the pawn become: queen, rook, bishop or knight? q, r, b or n will do.",
                )
            }
            Err(misread) => say(info_commands::misread(&self.game, text, &misread)),
        }
    }

    fn claim(&mut self, now: Timestamp, text: Option<&str>) -> Output {
        match text.map(|text| self.game.read_move(text)).transpose() {
            Ok(announced) => {
                let announced = announced.map(|mv| self.game.position().uci(mv));
                self.wish(now, Intent::ClaimDraw(announced), None)
            }
            Err(misread) => say(sentence(&misread.to_string())),
        }
    }

    fn resign(&mut self, now: Timestamp, by: Color) -> Output {
        if let Some(why) = self.rivals.check_allowed(&self.game, by) {
            return say(sentence(&why));
        }
        if self.style.interactive && self.game.ending().is_none() {
            self.pending = Some(PendingQuestion::Resignation(by));
            say(format!("Does {by} resign? yes or no"))
        } else {
            self.wish(now, Intent::Resign, Some(by))
        }
    }

    /// Submits an intent and describes what follows.
    fn wish(&mut self, now: Timestamp, wish: Intent, by: Option<Color>) -> Output {
        if self.place.is_some() {
            return self.send_intent(wish);
        }
        let Ok((who, command)) = wish.command(&self.game, self.person(by)) else {
            return say("A draw and a takeback are offered: say which, as in accept draw.");
        };
        if let Some(why) = self.rivals.check_allowed(&self.game, who) {
            return say(sentence(&why));
        }
        let SubmitResult { events, refusal } = self.game.submit(now, who, command);
        let mut output = Output::default();
        if let Some(refusal) = refusal {
            output.text = sentence(&refusal.to_string());
            output.text.push('\n');
        }
        output.text += &self.describe_events(now, events);
        output
    }

    fn board(&self) -> String {
        if self.style.boards == BoardDisplay::Never {
            return "The board is never shown here: where, rank, file and moves tell it.\n"
                .to_owned();
        }
        let side = if self.flipped {
            Color::Black
        } else {
            Color::White
        };
        text::board(&self.game, side, self.style.men)
    }

    /// The board, if it is shown unasked.
    fn shown_board(&self) -> String {
        match self.style.boards {
            BoardDisplay::Always => self.board(),
            BoardDisplay::Asked | BoardDisplay::Never => String::new(),
        }
    }

    /// The player to move with the clocks, or that the game is over.
    fn state_of_play(&mut self, now: Timestamp) -> String {
        if self.game.ending().is_some() {
            self.game_over()
        } else {
            text::standing(&self.game, now)
        }
    }

    fn game_over(&mut self) -> String {
        self.record_shown = true;
        let why = explain::sentence(&self.game);
        let mut text = text::game_over(&self.game, &why, self.style.color);
        if !self.style.interactive {
            text += &format!("\n{}", self.record());
        }
        text
    }

    fn record(&self) -> String {
        pgn_export::pgn_text(&self.game, &self.date)
    }
}

const fn changes_board(event: &Event) -> bool {
    matches!(
        event.deed,
        EventKind::Moved { .. } | EventKind::TakenBack { .. }
    )
}

/// The "Game Over" of a game whose start position is illegal, with the reason [004-1].
#[must_use]
pub fn illegal_start(verdict: &Verdict, color: bool) -> String {
    let why = verdict.faults.join("; ");
    format!(
        "{}: illegal position ({why}).\nResult: *\n",
        text::game_over_title(color)
    )
}

/// A text with "Game Over" in red, where colours are shown [004-5].
#[must_use]
pub fn redden(text: &str, color: bool) -> String {
    text.replace(text::game_over_title(false), text::game_over_title(color))
}

fn said(say: ClientCommand) -> Output {
    Output {
        say: Some(say),
        ..Output::default()
    }
}

fn say(text: impl Into<String>) -> Output {
    let mut text = text.into();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Output {
        text,
        ..Output::default()
    }
}
