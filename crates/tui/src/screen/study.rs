//! A game of a file that is stepped through and annotated: its moves as far as they are legal, its variations, its
//! comments, and changes to it.

use touchmove_game::{Game, Millis, Opening, Players, Terms, Timestamp};
use touchmove_pgn::{
    Document, GameResult, MoveId, MoveNode, Nag, StartError, WalkStep, clock, commands, decode,
};
use touchmove_rules::Color;

use crate::screen::game_list::GameList;

/// The annotations of a game in a file, and the changes to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Study {
    /// The list that it was opened from.
    pub contents: GameList,
    document: Document,
    /// The current line: the main line, or a variation with the moves that lead to it.
    line: Vec<MoveId>,
    notes: MoveNotes,
    /// The undo stack: the document before each change.
    before: Vec<Document>,
    /// Whether there are unsaved changes.
    pub is_changed: bool,
    /// Whether the players were warned of unsaved changes.
    pub is_warned: bool,
}

impl Study {
    /// Opens the selected game of a list; also returns the game as far as its moves are legal.
    ///
    /// # Errors
    /// If its start cannot be set up.
    pub(super) fn new(contents: GameList, document: Document) -> Result<(Game, Study), StartError> {
        let mut study = Study {
            contents,
            line: document.main_line().collect(),
            document,
            notes: MoveNotes::new(),
            before: Vec::new(),
            is_changed: false,
            is_warned: false,
        };
        let game = study.replay()?;
        Ok((game, study))
    }

    /// The annotation of the position after this many plies.
    #[must_use]
    pub fn note(&self, plies: usize) -> Option<&MoveNote> {
        self.notes.get(plies)
    }

    /// A player's clock after this many plies, as recorded; `first` is the player who began.
    #[must_use]
    pub fn clock(&self, first: Color, player: Color, plies: usize) -> Option<Millis> {
        let mover = |ply: usize| if ply % 2 == 1 { first } else { !first };
        let own = (1..=plies).rev().filter(|&ply| mover(ply) == player);
        own.filter_map(|ply| self.notes.get(ply)?.clock).next()
    }

    /// The result in the file.
    #[must_use]
    pub fn result(&self) -> &'static str {
        self.contents
            .chosen()
            .map_or(GameResult::Unknown.as_str(), |(_, listed)| listed.result)
    }

    /// The PGN of the game, with its changes.
    #[must_use]
    pub fn pgn(&self) -> String {
        match self.is_changed {
            true => self.document.to_string(),
            false => decode(&self.in_file()).trim().to_owned() + "\n",
        }
    }

    /// The bytes of the game in its file.
    #[must_use]
    pub fn in_file(&self) -> Vec<u8> {
        let chosen = self.contents.chosen();
        let text = chosen.and_then(|(number, _)| self.contents.collection().pgn(number));
        text.unwrap_or_default().to_vec()
    }

    /// The players, event, date and result in a line.
    #[must_use]
    pub fn title(&self) -> String {
        let Some((_, listed)) = self.contents.chosen() else {
            return String::new();
        };
        let names = format!("{} - {}", listed.white, listed.black);
        let known = [names, listed.event.clone(), listed.date.clone()]
            .into_iter()
            .filter(|part| !part.is_empty());
        format!(
            "{}: {}",
            known.collect::<Vec<_>>().join(", "),
            listed.result
        )
    }

    /// Whether the current line is a variation.
    #[must_use]
    pub fn is_aside(&self) -> bool {
        self.common() < self.line.len()
    }

    /// How many plies the current line has in common with the main line.
    #[must_use]
    pub fn common(&self) -> usize {
        let pairs = self.document.main_line().zip(&self.line);
        pairs.take_while(|(main, own)| main == *own).count()
    }

    /// The moves recorded after this many plies of the line, the main one first.
    fn choices(&self, plies: usize) -> Vec<MoveId> {
        let main = match plies.checked_sub(1) {
            None => self.document.first(),
            Some(at) => self
                .line
                .get(at)
                .and_then(|&id| self.document.node(id).next()),
        };
        let mut choices: Vec<MoveId> = main.into_iter().collect();
        let mut at = 0;
        while let Some(&id) = choices.get(at) {
            choices.extend(self.document.node(id).variations());
            at += 1;
        }
        choices
    }

    /// The alternative moves recorded after this many plies, in a sentence.
    #[must_use]
    pub fn others(&self, plies: usize) -> Option<String> {
        let own = self.line.get(plies);
        let others: Vec<&str> = self
            .choices(plies)
            .into_iter()
            .filter(|id| Some(id) != own)
            .map(|id| self.document.node(id).san())
            .collect();
        (!others.is_empty()).then(|| format!("Variations: {} (v).", others.join(", ")))
    }

    /// Switches to the next of the moves recorded after this many plies; `None` if there is only one.
    pub fn next_variation(&mut self, plies: usize) -> Option<Game> {
        let choices = self.choices(plies);
        let own = self.line.get(plies);
        let at = choices.iter().position(|id| Some(id) == own)?;
        let next = choices[(at + 1) % choices.len()];
        (choices.len() > 1).then(|| self.turn_to(next))?
    }

    /// Switches back to the main line.
    pub fn to_main_line(&mut self) -> Option<Game> {
        self.line = self.document.main_line().collect();
        self.replay().ok()
    }

    /// Switches to the line through a move, to its end.
    fn turn_to(&mut self, id: MoveId) -> Option<Game> {
        let back = std::iter::successors(Some(id), |&id| self.document.node(id).previous());
        let mut line: Vec<MoveId> = back.collect();
        line.reverse();
        let on = std::iter::successors(self.document.node(id).next(), |&id| {
            self.document.node(id).next()
        });
        line.extend(on);
        self.line = line;
        self.replay().ok()
    }

    /// Replays the moves of the line as far as they are legal, past any draw that would have ended a game played
    /// here, and collects the annotations.
    fn replay(&mut self) -> Result<Game, StartError> {
        let document = &self.document;
        let players = match self.contents.chosen() {
            Some((_, listed)) => Players {
                white: listed.white.clone(),
                black: listed.black.clone(),
            },
            None => Players::default(),
        };
        let terms = Terms::from(document.start()?);
        let mut game = Game::open(Opening::of(terms, players, Timestamp::default()));
        let mut notes = vec![MoveNote::of(document.comments_before_first_move())];
        for &id in &self.line {
            let written = document.node(id);
            match game.position().read_san(written.san()) {
                Ok(mv) => game.play_on(mv),
                Err(error) => {
                    if let Some(last) = notes.last_mut() {
                        let words = format!("The file goes on with {}: {error}.", written.san());
                        last.comment = format!("{} {words}", last.comment).trim().to_owned();
                    }
                    break;
                }
            }
            notes.push(MoveNote::on(written));
        }
        self.line.truncate(game.plies().len());
        self.notes = notes;
        Ok(game)
    }

    /// Pushes the document onto the undo stack before a change.
    fn change(&mut self) {
        self.before.push(self.document.clone());
        self.is_changed = true;
        self.is_warned = false;
    }

    /// Adds a move after this many plies, or switches to it if the file has it.
    pub fn add(&mut self, plies: usize, san: &str) -> Option<Game> {
        let has = |id: &MoveId| self.document.node(*id).san() == san;
        if let Some(id) = self.choices(plies).into_iter().find(has) {
            return self.turn_to(id);
        }
        self.change();
        let after = plies
            .checked_sub(1)
            .and_then(|at| self.line.get(at).copied());
        let id = self.document.play(after, san).ok()?;
        self.turn_to(id)
    }

    /// Replaces the comment on the position after this many plies. Its `[%...]` commands stay.
    pub fn comment(&mut self, plies: usize, words: &str) -> Option<Game> {
        self.change();
        let id = plies
            .checked_sub(1)
            .and_then(|at| self.line.get(at).copied());
        let old = match id {
            Some(id) => self.document.node(id).comments(),
            None => self.document.comments_before_first_move(),
        };
        let mut texts: Vec<String> = old.iter().map(|text| only_commands(text)).collect();
        texts.push(words.trim().to_owned());
        match id {
            Some(id) => self.document.set_comments(id, &texts),
            None => self.document.set_intro(&texts),
        }
        self.replay().ok()
    }

    /// Cycles the annotation glyph of the last of so many plies: `!`, `?`, `!!`, `??`, `!?`, `?!`, none.
    pub fn sign(&mut self, plies: usize) -> Option<Game> {
        const SIGN_COUNT: u8 = 6;
        let id = *self.line.get(plies.checked_sub(1)?)?;
        self.change();
        let is_sign = |nag: &&Nag| (1..=SIGN_COUNT).contains(&nag.0);
        let nags = self.document.node(id).nags();
        let next = nags.iter().find(is_sign).map_or(1, |nag| nag.0 + 1);
        let mut others: Vec<Nag> = nags.iter().filter(|nag| !is_sign(nag)).copied().collect();
        if next <= SIGN_COUNT {
            others.insert(0, Nag(next));
        }
        self.document.set_nags(id, &others);
        self.replay().ok()
    }

    /// Undoes the last change.
    pub fn undo(&mut self) -> Option<Game> {
        self.document = self.before.pop()?;
        self.is_changed = !self.before.is_empty();
        let known = self.document.len();
        match self
            .line
            .last()
            .copied()
            .filter(|_| self.line.len() <= known)
        {
            Some(last) if self.has(last) => self.turn_to(last),
            _ => self.to_main_line(),
        }
    }

    /// Whether the current document contains a move.
    fn has(&self, id: MoveId) -> bool {
        self.document.walk().any(|step| step == WalkStep::Move(id))
    }

    /// Marks the current state as saved.
    pub fn saved(&mut self, text: &str) {
        self.before.clear();
        self.is_changed = false;
        self.contents.put(text.as_bytes());
    }
}

/// The `[%...]` commands of a comment.
fn only_commands(comment: &str) -> String {
    let mut kept = Vec::new();
    let mut rest = comment;
    while let Some(at) = rest.find("[%") {
        let end = rest[at..].find(']').map_or(rest.len(), |end| at + end + 1);
        kept.push(&rest[at..end]);
        rest = &rest[end..];
    }
    kept.join(" ")
}

/// The annotations of a line: before the first move, and after each ply.
pub(super) type MoveNotes = Vec<MoveNote>;

/// The annotation of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct MoveNote {
    /// Annotation glyphs of the move before it: `!?`.
    pub signs: String,
    pub comment: String,
    /// The mover's clock.
    pub clock: Option<Millis>,
}

impl MoveNote {
    fn on(move_made: &MoveNode) -> MoveNote {
        let signs = move_made.nags().iter().filter_map(|nag| nag.glyph());
        let before = MoveNote::of(move_made.comments_before()).comment;
        let after = MoveNote::of(move_made.comments());
        MoveNote {
            signs: signs.collect(),
            comment: format!("{before} {}", after.comment).trim().to_owned(),
            ..after
        }
    }

    fn of(comments: &[String]) -> MoveNote {
        let words: Vec<String> = comments.iter().map(|text| without_commands(text)).collect();
        let shown = comments
            .iter()
            .flat_map(|text| commands(text.as_bytes()))
            .filter(|command| command.name == b"clk")
            .find_map(|command| clock(command.value));
        MoveNote {
            signs: String::new(),
            comment: words.join(" ").trim().to_owned(),
            clock: shown.map(|time| Millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))),
        }
    }
}

/// The text of a comment without its `[%...]` commands.
fn without_commands(comment: &str) -> String {
    let mut words = String::new();
    let mut rest = comment;
    while let Some((before, behind)) = rest.split_once("[%") {
        words += before;
        rest = behind.split_once(']').map_or("", |(_, behind)| behind);
    }
    words += rest;
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
