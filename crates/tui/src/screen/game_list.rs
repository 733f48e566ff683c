//! A collection of games: who played, when and with what result, and each game when it is opened. The view draws
//! it; the audit in the pgn crate finds faults.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use touchmove_game::Game;
use touchmove_pgn::{Document, GameResult, Tag, VisitControl, Visitor};

use crate::screen::study::Study;

/// A list of games; each is parsed in full only when it is opened.
///
/// ```
/// use touchmove_tui::screen::GameCollection;
///
/// let text = b"[White \"Anna\"]\n\n1. e4 e5 1-0\n\n[White \"Ben\"]\n\n1. d4 *\n";
/// let games = GameCollection::read("games.pgn", text.to_vec());
/// assert_eq!(games.list().len(), 2);
/// assert_eq!((games.list()[0].white.as_str(), games.list()[0].result), ("Anna", "1-0"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameCollection {
    name: String,
    text: Vec<u8>,
    list: Vec<GameListEntry>,
    is_library: bool,
}

/// A row of the list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct GameListEntry {
    pub white: String,
    pub black: String,
    pub event: String,
    pub date: String,
    pub result: &'static str,
    /// The variant as in the file; empty for chess.
    pub variant: String,
    /// How the game ended, if the file says so.
    pub ending: String,
    /// The file it is in, if the collection has several.
    pub file: Option<PathBuf>,
    /// Other files with the same game.
    pub copies: Vec<PathBuf>,
    place: Range<usize>,
}

impl GameListEntry {
    /// Further details: event, variant, ending.
    #[must_use]
    pub fn remark(&self) -> String {
        let known = [&self.event, &self.variant, &self.ending];
        let known: Vec<&str> = known.into_iter().map(String::as_str).collect();
        let known = known.into_iter().filter(|words| !words.is_empty());
        known.collect::<Vec<_>>().join(", ")
    }

    /// Whether the game is over: it has a result, or an ending without one.
    fn is_over(&self) -> bool {
        let has_result = self.result != GameResult::Unknown.as_str();
        has_result || !matches!(self.ending.as_str(), "" | "unterminated")
    }

    /// Whether every word occurs in a name, the event, the date, the variant, the ending or the result. Ignores
    /// case.
    #[must_use]
    pub fn has(&self, wanted: &str) -> bool {
        let fields = [
            &self.white,
            &self.black,
            &self.event,
            &self.date,
            &self.variant,
            &self.ending,
        ];
        let fields = fields.map(|field| field.to_lowercase());
        let has =
            |word: &str| self.result == word || fields.iter().any(|field| field.contains(word));
        fields.iter().any(|field| field.contains(wanted)) || wanted.split_whitespace().all(has)
    }
}

impl GameCollection {
    /// Lists the games of a text.
    #[must_use]
    pub fn read(name: impl Into<String>, text: Vec<u8>) -> GameCollection {
        let mut lister = GameListBuilder::default();
        touchmove_pgn::read(&text, &mut lister);
        GameCollection {
            name: name.into(),
            text,
            list: lister.list,
            is_library: false,
        }
    }

    /// Lists the games of several files: the library of this machine. A finished game is listed once, however many
    /// copies there are; unfinished games are left out.
    ///
    /// ```
    /// use touchmove_tui::screen::GameCollection;
    ///
    /// let file = |name: &str, text: &str| (name.into(), text.into());
    /// let files = vec![file("a.pgn", "1. e4 *"), file("b.pgn", "1. e4 1-0"), file("c.pgn", "1. e4 1-0")];
    /// let games = GameCollection::of_files("the library", files);
    /// assert_eq!(games.list().len(), 1);
    /// assert_eq!(games.list()[0].copies.len(), 1);
    /// ```
    #[must_use]
    pub fn of_files(name: impl Into<String>, files: Vec<(PathBuf, Vec<u8>)>) -> GameCollection {
        let mut collection = GameCollection::read(name, Vec::new());
        collection.is_library = true;
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        for (path, text) in files {
            let base = collection.text.len();
            let mut lister = GameListBuilder::default();
            touchmove_pgn::read(&text, &mut lister);
            for mut listed in lister.list.into_iter().filter(GameListEntry::is_over) {
                let game = text.get(listed.place.clone()).unwrap_or_default();
                match known.entry(game.trim_ascii().to_owned()) {
                    Entry::Occupied(same) => {
                        collection.list[*same.get()].copies.push(path.clone());
                    }
                    Entry::Vacant(new) => {
                        new.insert(collection.list.len());
                        listed.place = base + listed.place.start..base + listed.place.end;
                        listed.file = Some(path.clone());
                        collection.list.push(listed);
                    }
                }
            }
            collection.text.extend(text);
            collection.text.push(b'\n');
        }
        collection
    }

    /// Whether this is the library.
    #[must_use]
    pub const fn is_library(&self) -> bool {
        self.is_library
    }

    /// The text of several games, as in their files.
    #[must_use]
    pub fn text_of(&self, games: impl IntoIterator<Item = usize>) -> Vec<u8> {
        let mut text = Vec::new();
        for number in games {
            text.extend(self.pgn(number).unwrap_or_default().trim_ascii());
            text.extend(b"\n\n");
        }
        text
    }

    /// The name of the collection: its file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The games, in the order of the file.
    #[must_use]
    pub fn list(&self) -> &[GameListEntry] {
        &self.list
    }

    /// The text of a game, as in the file.
    #[must_use]
    pub fn pgn(&self, number: usize) -> Option<&[u8]> {
        self.text.get(self.list.get(number)?.place.clone())
    }

    /// A parsed game with all comments and variations.
    fn document(&self, number: usize) -> Option<Document> {
        Document::read_all(self.pgn(number)?).into_iter().next()
    }

    /// Marks the collection as read from a file that can be changed.
    #[must_use]
    pub fn in_file(mut self, path: PathBuf) -> GameCollection {
        for listed in &mut self.list {
            listed.file = Some(path.clone());
        }
        self
    }

    /// Replaces the text of a game.
    fn put(&mut self, number: usize, text: &[u8]) {
        let Some(place) = self.list.get(number).map(|listed| listed.place.clone()) else {
            return;
        };
        self.text.splice(place.clone(), text.iter().copied());
        let shift = |at: usize| at + text.len() - place.len();
        for listed in &mut self.list {
            if listed.place.start > place.start {
                listed.place = shift(listed.place.start)..shift(listed.place.end);
            }
        }
        self.list[number].place = place.start..place.start + text.len();
    }
}

/// Collects the byte range and the tags of each game.
#[derive(Default)]
struct GameListBuilder {
    list: Vec<GameListEntry>,
}

fn place(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

impl Visitor for GameListBuilder {
    fn begin_game(&mut self, offset: u64) {
        self.list.push(GameListEntry {
            white: "?".to_owned(),
            black: "?".to_owned(),
            result: GameResult::Unknown.as_str(),
            place: place(offset)..place(offset),
            ..GameListEntry::default()
        });
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        let Some(listed) = self.list.last_mut() else {
            return;
        };
        let known = || {
            let value = Some(tag.value()).filter(|value| !value.starts_with('?'));
            value.unwrap_or_default().trim().to_owned()
        };
        match &*tag.name() {
            "White" => listed.white = tag.value().into_owned(),
            "Black" => listed.black = tag.value().into_owned(),
            "Event" => listed.event = known(),
            "Date" => listed.date = known(),
            "Variant" => listed.variant = known(),
            "Ending" => listed.ending = known(),
            "Termination" if listed.ending.is_empty() => {
                listed.ending = Some(known())
                    .filter(|words| words != "normal" && words != "Normal")
                    .unwrap_or_default();
            }
            "Result" => {
                listed.result = GameResult::from_lenient(&tag.value())
                    .unwrap_or_default()
                    .as_str();
            }
            _ => {}
        }
    }

    fn begin_variation(&mut self) -> VisitControl {
        VisitControl::Skip
    }

    fn result(&mut self, result: GameResult, _: u64) {
        if let Some(listed) = self.list.last_mut()
            && result != GameResult::Unknown
        {
            listed.result = result.as_str();
        }
    }

    fn end_game(&mut self, offset: u64) {
        if let Some(listed) = self.list.last_mut() {
            listed.place.end = place(offset);
        }
    }
}

/// Where closing a collection leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReturnTo {
    /// To the start screen.
    Start,
    /// Out of the program.
    Out,
}

/// The game list: a collection with the selection and a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameList {
    collection: Arc<GameCollection>,
    wanted: String,
    /// The games that match the search.
    found: Vec<usize>,
    /// The index of the selected game among them.
    at: usize,
    /// An error message.
    pub notice: Option<String>,
    /// Where closing the list leads.
    pub way_back: ReturnTo,
    /// The game to be deleted once that is confirmed.
    pub doomed: Option<usize>,
    /// The path of the export while it is typed.
    pub export: Option<String>,
    /// The scroll offset of the statistics page, if it is open.
    pub statistics: Option<u16>,
}

impl GameList {
    /// The list of a collection, with its first game selected.
    #[must_use]
    pub fn new(collection: GameCollection, way_back: ReturnTo) -> GameList {
        GameList {
            found: (0..collection.list.len()).collect(),
            collection: Arc::new(collection),
            wanted: String::new(),
            at: 0,
            notice: None,
            way_back,
            doomed: None,
            export: None,
            statistics: None,
        }
    }

    /// The collection.
    #[must_use]
    pub fn collection(&self) -> &GameCollection {
        &self.collection
    }

    /// The search text.
    #[must_use]
    pub fn wanted(&self) -> &str {
        &self.wanted
    }

    /// The games that match the search, with their numbers counted from 0.
    pub fn found(&self) -> impl ExactSizeIterator<Item = (usize, &GameListEntry)> {
        let list = &self.collection.list;
        self.found
            .iter()
            .map(move |&number| (number, &list[number]))
    }

    /// The index of the selected game among those shown.
    #[must_use]
    pub fn place(&self) -> usize {
        self.at
    }

    /// The selected game with its number counted from 0, if any is shown.
    #[must_use]
    pub fn chosen(&self) -> Option<(usize, &GameListEntry)> {
        let number = *self.found.get(self.at)?;
        Some((number, &self.collection.list[number]))
    }

    /// Searches for a text: shows only games that match it.
    pub fn look_for(&mut self, wanted: &str) {
        let before = self.chosen().map(|(number, _)| number);
        let lower = wanted.to_lowercase();
        let list = &self.collection.list;
        self.found = (0..list.len())
            .filter(|&number| list[number].has(&lower) || lower.is_empty())
            .collect();
        wanted.clone_into(&mut self.wanted);
        let same = self.found.iter().position(|&number| Some(number) == before);
        self.at = same.unwrap_or(0);
    }

    /// Moves the selection by so many games, within the list; returns whether it changed.
    pub fn go(&mut self, on: isize) -> bool {
        let before = self.at;
        let last = self.found.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(on).min(last);
        self.at != before
    }

    /// Selects a game by its number, counted from 0, if it exists.
    pub fn choose(&mut self, number: usize) {
        if let Some(at) = self.found.iter().position(|&found| found == number) {
            self.at = at;
        }
    }

    /// Replaces the text of the selected game.
    pub fn put(&mut self, text: &[u8]) {
        if let Some((number, _)) = self.chosen() {
            Arc::make_mut(&mut self.collection).put(number, text);
        }
    }

    /// Opens the selected game to step through it.
    ///
    /// # Errors
    /// A sentence about why it cannot be set up.
    pub fn open(&self) -> Result<(Game, Study), String> {
        let (number, _) = self.chosen().ok_or("There is no game to open.")?;
        let document = self.collection.document(number);
        let document = document.ok_or("There is no game to open.")?;
        if !document.is_whole() {
            return Err(format!("Game {} is too long to be opened.", number + 1));
        }
        let contents = GameList {
            notice: None,
            ..self.clone()
        };
        Study::new(contents, document)
            .map_err(|error| format!("Game {} cannot be set up: {error}.", number + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::Millis;
    use touchmove_rules::Color;

    const TWO_GAMES: &[u8] = b"[Event \"Club\"]\n[Date \"2026.11.15\"]\n[White \"Anna\"]\n\
        [Black \"Ben\"]\n[Result \"0-1\"]\n\n{A trap.} 1. f3 $6 {[%clk 0:04:58] Weak. [%eval -1]} \
        e5 (1... d5 1-0) {[%clk 0:05:01]} 2. g4 $4 Qh4# 0-1\n\n\
        [White \"Zo\xc3\xab\"]\n\n1. e4 e5 2. Ke3 *\n";

    fn contents() -> GameList {
        let collection = GameCollection::read("two.pgn", TWO_GAMES.to_vec());
        GameList::new(collection, ReturnTo::Start)
    }

    #[test]
    fn games_are_listed_with_names_date_and_result() {
        let contents = contents();
        let list = contents.collection().list();
        let [first, second] = list else {
            panic!("{list:?}");
        };
        assert_eq!(
            (first.white.as_str(), first.date.as_str()),
            ("Anna", "2026.11.15")
        );
        assert_eq!((first.result, second.result), ("0-1", "*"));
        assert_eq!((second.white.as_str(), second.date.as_str()), ("Zoë", ""));
    }

    #[test]
    fn a_game_is_opened_with_its_notes_and_clocks() {
        let (game, study) = contents().open().unwrap();
        assert_eq!((game.plies().len(), study.result()), (4, "0-1"));
        let note = |plies| study.note(plies).unwrap();
        assert_eq!(note(0).comment, "A trap.");
        assert_eq!(
            (note(1).signs.as_str(), note(1).comment.as_str()),
            ("?!", "Weak.")
        );
        assert_eq!(
            study.clock(Color::White, Color::White, 3),
            Some(Millis(298_000))
        );
        assert_eq!(study.clock(Color::White, Color::Black, 1), None);
        assert_eq!(study.title(), "Anna - Ben, Club, 2026.11.15: 0-1");
    }

    #[test]
    fn a_game_is_opened_as_far_as_its_moves_are_legal() {
        let mut contents = contents();
        assert!(contents.go(1));
        let (game, study) = contents.open().unwrap();
        assert_eq!(game.plies().len(), 2);
        let comment = &study.note(2).unwrap().comment;
        assert!(
            comment.starts_with("The file goes on with Ke3: "),
            "{comment}"
        );
    }

    #[test]
    fn games_are_looked_for_by_name_and_date() {
        let mut contents = contents();
        for (wanted, found) in [("ANN", 1), ("zoë", 1), ("2026", 1), ("", 2), ("x", 0)] {
            contents.look_for(wanted);
            assert_eq!(contents.found().len(), found, "{wanted}");
        }
        assert_eq!(contents.open().unwrap_err(), "There is no game to open.");
    }

    #[test]
    fn a_game_that_cannot_be_set_up_says_why() {
        let text = b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n".to_vec();
        let contents = GameList::new(GameCollection::read("no.pgn", text), ReturnTo::Out);
        let why = contents.open().unwrap_err();
        assert!(why.starts_with("Game 1 cannot be set up: "), "{why}");
    }
}
