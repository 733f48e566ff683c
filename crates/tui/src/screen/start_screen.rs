//! The start screen: its items, how each is filled in, and its hints. The [form](crate::screen::new_game_form)
//! computes the terms.

use std::path::PathBuf;

use touchmove_client::TableLink;
use touchmove_game::{DeadLaw, Draws, FlagLaw, Game, TimeControls};
use touchmove_rules::{Color, Variant};

use crate::opponents::{ComputerSpec, EngineProgram};
use crate::screen::new_game_form::NewGameForm;
use touchmove_game::move_text;

/// An unfinished game that can be resumed.
#[derive(Clone, PartialEq, Debug)]
pub struct ResumableGame {
    /// The game as far as it was played.
    pub game: Game,
    /// The path of its journal.
    pub path: PathBuf,
    /// The date on which it began, in PGN's form.
    pub date: String,
}

impl ResumableGame {
    /// The game in a few words: "Anna – Ben, Chess, move 14, 2026.11.17".
    #[must_use]
    pub fn title(&self) -> String {
        let [white, black] = Color::ALL.map(|color| short(move_text::name(&self.game, color)));
        let number = self.game.position().fullmoves();
        let variant = self.game.terms().variant().title();
        format!("{white} – {black}, {variant}, move {number}, {}", self.date)
    }
}

/// A name, shortened to leave room for what follows it.
fn short(name: String) -> String {
    const MAX_NAME_CHARS: usize = 16;
    match name.chars().count() <= MAX_NAME_CHARS {
        true => name,
        false => name.chars().take(MAX_NAME_CHARS - 1).chain(['…']).collect(),
    }
}

/// An item of the start screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum StartItem {
    Play,
    Resume,
    Variant,
    Time,
    White,
    Black,
    Colors,
    Draws,
    Flag,
    Dead,
    Takebacks,
    Position,
    Theme,
    Pieces,
    Host,
    Join,
    Open,
    Help,
    Quit,
}

impl StartItem {
    /// Its label.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            StartItem::Play => "Play",
            StartItem::Resume => "Resume",
            StartItem::Variant => "Variant",
            StartItem::Time => "Clock",
            StartItem::White => "White",
            StartItem::Black => "Black",
            StartItem::Colors => "Colours",
            StartItem::Draws => "Draws",
            StartItem::Flag => "Flag",
            StartItem::Dead => "Dead draw",
            StartItem::Takebacks => "Takebacks",
            StartItem::Position => "Position",
            StartItem::Theme => "Theme",
            StartItem::Pieces => "Pieces",
            StartItem::Host => "Host a game",
            StartItem::Join => "Join by link",
            StartItem::Open => "Open PGN",
            StartItem::Help => "Help",
            StartItem::Quit => "Quit",
        }
    }

    /// Whether the left and right keys change its value in a variant.
    #[must_use]
    pub const fn can_turn(self, variant: Variant) -> bool {
        match self {
            StartItem::Play
            | StartItem::Resume
            | StartItem::Host
            | StartItem::Help
            | StartItem::Quit => false,
            StartItem::Position => matches!(variant, Variant::Chess960),
            StartItem::Time | StartItem::White | StartItem::Black => true,
            _ => !self.is_text(),
        }
    }

    /// Whether it is typed.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(
            self,
            StartItem::Time
                | StartItem::White
                | StartItem::Black
                | StartItem::Position
                | StartItem::Join
                | StartItem::Open
        )
    }
}

/// The time controls that the arrow keys step through; any other can be typed.
const CLOCK_PRESETS: [&str; 8] = [
    "",
    "1",
    "3+2",
    "5+3",
    "10",
    "15+10",
    "40/90+30,30+30",
    "5d3",
];

/// The state of the start screen.
#[derive(Clone, PartialEq, Debug)]
pub struct StartScreen {
    /// The form.
    pub form: NewGameForm,
    /// The link of the table to join.
    pub link: String,
    /// The file to open.
    pub path: String,
    /// The games that can be resumed, newest first.
    pub waiting: Vec<ResumableGame>,
    /// Which of them is selected.
    pub offered: usize,
    /// The journal of the game to be deleted once that is confirmed.
    pub discards: Option<PathBuf>,
    /// The selected item.
    pub item: StartItem,
    /// Whether the selected text is unedited: the next letter replaces it.
    pub is_fresh: bool,
    /// An error or success message.
    pub notice: Option<String>,
    /// Configuration faults, one sentence each.
    pub faults: Vec<String>,
    /// The UCI engines in the configuration.
    pub engines: Vec<EngineProgram>,
}

impl StartScreen {
    /// A start screen with this form.
    #[must_use]
    pub fn new(form: NewGameForm, waiting: impl IntoIterator<Item = ResumableGame>) -> StartScreen {
        let mut start = StartScreen {
            form,
            link: String::new(),
            path: String::new(),
            waiting: Vec::new(),
            offered: 0,
            discards: None,
            item: StartItem::Play,
            is_fresh: true,
            notice: None,
            faults: Vec::new(),
            engines: Vec::new(),
        };
        start.offer(waiting.into_iter().collect());
        start
    }

    /// Offers games to resume.
    pub fn offer(&mut self, waiting: Vec<ResumableGame>) {
        self.waiting = waiting;
        self.offered = 0;
        self.discards = None;
        match (self.item, self.waiting.is_empty()) {
            (StartItem::Play, false) => self.item = StartItem::Resume,
            (StartItem::Resume, true) => self.item = StartItem::Play,
            _ => {}
        }
    }

    /// The selected game to resume.
    #[must_use]
    pub fn resumable(&self) -> Option<&ResumableGame> {
        self.waiting.get(self.offered)
    }

    /// The visible items, from the top.
    #[must_use]
    pub fn items(&self) -> Vec<StartItem> {
        const ITEMS_BELOW: [StartItem; 17] = [
            StartItem::Variant,
            StartItem::Time,
            StartItem::White,
            StartItem::Black,
            StartItem::Colors,
            StartItem::Draws,
            StartItem::Flag,
            StartItem::Dead,
            StartItem::Takebacks,
            StartItem::Position,
            StartItem::Theme,
            StartItem::Pieces,
            StartItem::Host,
            StartItem::Join,
            StartItem::Open,
            StartItem::Help,
            StartItem::Quit,
        ];
        let resume = self.resumable().map(|_| StartItem::Resume);
        resume
            .into_iter()
            .chain([StartItem::Play])
            .chain(ITEMS_BELOW)
            .collect()
    }

    /// The value of an item.
    #[must_use]
    pub fn value(&self, item: StartItem) -> String {
        let form = &self.form;
        let or = |text: &str, usual: &str| match text.is_empty() {
            true => usual.to_owned(),
            false => text.to_owned(),
        };
        match item {
            StartItem::Play => {
                let clock = match form.time.is_empty() {
                    true => "no clock".to_owned(),
                    false => in_units(&form.time),
                };
                let computer = [&form.white, &form.black]
                    .into_iter()
                    .find(|name| self.is_computer(name));
                let against = match computer {
                    Some(name) => format!(", with {name}"),
                    None => String::new(),
                };
                format!("{}, {clock}{against}", form.variant.title())
            }
            StartItem::Resume => {
                let title = self.resumable().map(ResumableGame::title);
                let title = title.unwrap_or_default();
                match self.waiting.len() {
                    0 | 1 => title,
                    count => format!("{} of {count}: {title}", self.offered + 1),
                }
            }
            StartItem::Variant => form.variant.title().to_owned(),
            StartItem::Time => or(&in_units(&form.time), "none"),
            StartItem::White => or(&self.seat(&form.white), "White"),
            StartItem::Black => or(&self.seat(&form.black), "Black"),
            StartItem::Colors => match form.random_colors {
                true => "drawn by lot".to_owned(),
                false => "as named".to_owned(),
            },
            StartItem::Draws => match form.draws {
                Draws::Auto => "automatic".to_owned(),
                Draws::Claim => "must be claimed".to_owned(),
            },
            StartItem::Flag => match form.flag {
                FlagLaw::Fide => "loses if it can".to_owned(),
                FlagLaw::Loses => "always loses".to_owned(),
            },
            StartItem::Dead => match form.dead {
                DeadLaw::Exact => "is drawn".to_owned(),
                DeadLaw::Material => "by material only".to_owned(),
                DeadLaw::Off => "goes on".to_owned(),
            },
            StartItem::Takebacks => match form.takebacks {
                true => "with consent".to_owned(),
                false => "none".to_owned(),
            },
            StartItem::Position => match form.variant {
                Variant::Chess960 => match form.position.parse::<u16>() {
                    Ok(number) => format!("number {number}"),
                    Err(_) => or(&form.position, "drawn by lot"),
                },
                _ => or(&form.position, "the usual start"),
            },
            StartItem::Host => "on this network".to_owned(),
            StartItem::Join => or(&self.link, "http://..."),
            StartItem::Open => or(&self.path, "the library"),
            StartItem::Help => "the keys".to_owned(),
            StartItem::Theme | StartItem::Pieces | StartItem::Quit => String::new(),
        }
    }

    /// The fault in the selected text, as far as it is typed.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let typed = self.text(self.item)?.trim();
        if typed.is_empty() {
            return None;
        }
        let fault = match self.item {
            StartItem::Time => typed.parse::<TimeControls>().err()?.to_string(),
            StartItem::Position => self.form.terms(0).err()?,
            StartItem::Join => typed.parse::<TableLink>().err()?.to_string(),
            _ => return None,
        };
        Some(move_text::sentence(&fault))
    }

    /// A hint for the selected item.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self.item {
            StartItem::Play => "Enter begins. Up and down go through the terms; ? is help.",
            StartItem::Resume => match self.waiting.len() {
                0 | 1 => "Enter goes on with the game where it was left; Del throws it away.",
                _ => "Left and right: other games; Enter goes on, Del throws it away.",
            },
            StartItem::Variant => match self.form.variant {
                Variant::Chess => "Chess as FIDE has it.",
                Variant::Chess960 => "Chess from a start drawn by lot, or by its number.",
                Variant::Atomic => "A capture blows up everything around it but pawns.",
                Variant::SimpleAtomic => "Atomic without check, castling, en passant, promotion.",
            },
            StartItem::Time => {
                "How long each player may think. 5+3 is five minutes and three seconds more for each \
                 move; also 5d3 (delay), 0:30, 40/90+30,30+30."
            }
            StartItem::White | StartItem::Black => {
                "Who plays these men: type a name, or left and right for the computer."
            }
            StartItem::Colors => match self.form.random_colors {
                true => "Who has White is drawn by lot.",
                false => "Everybody has the colour of the line with the name.",
            },
            StartItem::Draws => match self.form.draws {
                Draws::Auto => {
                    "A draw by repetition: automatic. The third time that a position stands, or fifty \
                     moves without a capture or a pawn's move, end the game."
                }
                Draws::Claim => {
                    "A draw by repetition: must be claimed. A player says so, at the third time or after \
                     fifty quiet moves (FIDE 9.2, 9.3)."
                }
            },
            StartItem::Flag => match self.form.flag {
                FlagLaw::Fide => {
                    "Who runs out of time loses; but it is a draw if the other could not mate by any \
                     legal moves (FIDE 6.9)."
                }
                FlagLaw::Loses => "Who runs out of time loses, whatever the other has left.",
            },
            StartItem::Dead => match self.form.dead {
                DeadLaw::Exact => {
                    "A dead position, one that nobody can ever win, ends the game as a draw (FIDE 5.2.2)."
                }
                DeadLaw::Material => "Too few men left for any mate: that alone ends the game.",
                DeadLaw::Off => "The game goes on even if nobody can win any more.",
            },
            StartItem::Takebacks => match self.form.takebacks {
                true => "A move is taken back if the opponent agrees.",
                false => "A move that is made stands.",
            },
            StartItem::Position => match self.form.variant {
                Variant::Chess960 => {
                    "Left and right draw a start by lot; or type its number, or a FEN."
                }
                _ => "Paste or type a FEN, or the number of a Chess960 start.",
            },
            StartItem::Theme => {
                "The colours. By itself: wood, or paper where the background is light."
            }
            StartItem::Pieces => {
                "How men are drawn. auto: as pictures if this terminal shows any, else as blocks."
            }
            StartItem::Host => "Enter opens a table; you are White, or what the lot says.",
            StartItem::Join => "Paste or type a link; Enter goes there, under White's name.",
            StartItem::Open => {
                "Enter opens the library of finished games; or type or paste a path."
            }
            StartItem::Help => "Enter shows all keys.",
            StartItem::Quit => "Enter leaves.",
        }
    }

    /// The text of an item that is typed.
    #[must_use]
    pub fn text(&self, item: StartItem) -> Option<&str> {
        match item {
            StartItem::Time => Some(&self.form.time),
            StartItem::White => Some(&self.form.white),
            StartItem::Black => Some(&self.form.black),
            StartItem::Position => Some(&self.form.position),
            StartItem::Join => Some(&self.link),
            StartItem::Open => Some(&self.path),
            _ => None,
        }
    }

    /// The text of the selected item, if it is typed.
    pub fn text_mut(&mut self) -> Option<&mut String> {
        match self.item {
            StartItem::Time => Some(&mut self.form.time),
            StartItem::White => Some(&mut self.form.white),
            StartItem::Black => Some(&mut self.form.black),
            StartItem::Position => Some(&mut self.form.position),
            StartItem::Join => Some(&mut self.link),
            StartItem::Open => Some(&mut self.path),
            _ => None,
        }
    }

    /// The player of a seat, in few words; a computer without the prefix of its seat name.
    fn seat(&self, name: &str) -> String {
        match ComputerSpec::from_seat_name(name, &self.engines) {
            Some(ComputerSpec::Level(level)) => format!("level {}", level.title()),
            Some(ComputerSpec::EngineProgram(program)) => format!("engine {}", program.name),
            None => name.to_owned(),
        }
    }

    /// Whether this is the name of a computer.
    #[must_use]
    pub fn is_computer(&self, name: &str) -> bool {
        ComputerSpec::from_seat_name(name, &self.engines).is_some()
    }

    /// Removes a computer from the selected seat, so that a name can be typed.
    pub fn unseat_computer(&mut self) {
        let engines = self.engines.clone();
        if let Some(name) = self.text_mut()
            && ComputerSpec::from_seat_name(name, &engines).is_some()
        {
            name.clear();
        }
    }

    /// Whether the left and right keys change the value of an item.
    #[must_use]
    pub fn can_turn(&self, item: StartItem) -> bool {
        match item {
            StartItem::Resume => self.waiting.len() > 1,
            item => item.can_turn(self.form.variant),
        }
    }

    /// Moves the selection down by so many items, wrapping around.
    pub fn go(&mut self, down: isize) {
        let items = self.items();
        let count = items.len() as isize;
        let at = items
            .iter()
            .position(|&item| item == self.item)
            .unwrap_or(0) as isize;
        self.go_to(items[(at + down).rem_euclid(count) as usize]);
    }

    /// Selects an item.
    pub fn go_to(&mut self, item: StartItem) {
        self.item = item;
        self.is_fresh = true;
    }

    /// Changes the selected item to its next or previous value; `luck` is used for random choices.
    pub fn turn(&mut self, forward: bool, luck: u64) {
        self.is_fresh = true;
        let form = &mut self.form;
        match self.item {
            StartItem::Resume => {
                let count = self.waiting.len().max(1);
                let step = if forward { 1 } else { count - 1 };
                self.offered = (self.offered + step) % count;
            }
            StartItem::Variant => {
                form.variant = neighbour(&Variant::ALL, form.variant, forward);
                let is_number = form.position.parse::<u16>().is_ok();
                match form.variant {
                    // Drawn at once, so that its number is visible.
                    Variant::Chess960 if form.position.is_empty() => form.redraw(luck),
                    Variant::Chess960 => {}
                    _ if is_number => form.position.clear(),
                    _ => {}
                }
            }
            StartItem::Time => {
                let at = CLOCK_PRESETS
                    .into_iter()
                    .find(|&clock| clock == form.time)
                    .unwrap_or("");
                form.time = neighbour(&CLOCK_PRESETS, at, forward).to_owned();
            }
            StartItem::White => form.white = other_player(&form.white, &self.engines, forward),
            StartItem::Black => form.black = other_player(&form.black, &self.engines, forward),
            StartItem::Colors => form.random_colors = !form.random_colors,
            StartItem::Draws => form.draws = neighbour(Draws::ALL, form.draws, forward),
            StartItem::Flag => form.flag = neighbour(FlagLaw::ALL, form.flag, forward),
            StartItem::Dead => form.dead = neighbour(DeadLaw::ALL, form.dead, forward),
            StartItem::Takebacks => form.takebacks = !form.takebacks,
            StartItem::Position => form.redraw(luck),
            _ => {}
        }
    }
}

/// The next or previous computer after this name; a person comes between the last and the first.
fn other_player(name: &str, engines: &[EngineProgram], forward: bool) -> String {
    let computers = ComputerSpec::all(engines);
    let names = computers.iter().map(ToString::to_string);
    let all: Vec<String> = [String::new()].into_iter().chain(names).collect();
    let at = all.iter().position(|other| other == name).unwrap_or(0);
    let step = if forward { 1 } else { all.len() - 1 };
    all[(at + step) % all.len()].clone()
}

/// A time control with its units, if it is a short one: `5+3` is 5 min + 3 s a move.
fn in_units(time: &str) -> String {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match time.split_once('+') {
        None if is_number(time) => format!("{time} min"),
        Some((minutes, seconds)) if is_number(minutes) && is_number(seconds) => {
            format!("{minutes} min + {seconds} s a move")
        }
        _ => time.to_owned(),
    }
}

/// The next or previous value, wrapping around.
pub(super) fn neighbour<T: Copy + PartialEq>(all: &[T], one: T, forward: bool) -> T {
    let at = all.iter().position(|&other| other == one).unwrap_or(0);
    let step = if forward { 1 } else { all.len() - 1 };
    all[(at + step) % all.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_can_be_gone_to_and_turned() {
        let mut start = StartScreen::new(NewGameForm::default(), None);
        let items = start.items();
        for _ in &items {
            start.turn(true, 7);
            start.turn(false, 7);
            start.go(1);
        }
        assert_eq!(start.item, StartItem::Play);
        assert_eq!(start.form, NewGameForm::default());
    }

    #[test]
    fn a_clock_says_its_units_and_what_is_wrong_while_it_is_typed() {
        let mut start = StartScreen::new(NewGameForm::default(), None);
        start.go_to(StartItem::Time);
        for (time, shown, is_wrong) in [
            ("", "none", false),
            ("10", "10 min", false),
            ("5+3", "5 min + 3 s a move", false),
            ("5+x", "5+x", true),
            ("40/90+30,30+30", "40/90+30,30+30", false),
        ] {
            time.clone_into(&mut start.form.time);
            assert_eq!(start.value(StartItem::Time), shown);
            assert_eq!(start.fault().is_some(), is_wrong, "{time}");
        }
    }

    #[test]
    fn chess960_has_a_number_as_soon_as_it_is_chosen() {
        let mut start = StartScreen::new(NewGameForm::default(), None);
        start.go_to(StartItem::Variant);
        start.turn(true, 518);
        assert_eq!(start.value(StartItem::Position), "number 518");
        start.turn(false, 1);
        assert_eq!(start.value(StartItem::Position), "the usual start");
    }

    #[test]
    fn the_start_of_chess960_is_drawn_by_lot_and_redrawn_where_it_is_shown() {
        let form = NewGameForm {
            variant: Variant::Chess960,
            ..NewGameForm::default()
        };
        let mut start = StartScreen::new(form, None);
        start.item = StartItem::Position;
        assert_eq!(start.value(StartItem::Position), "drawn by lot");
        start.turn(true, 518);
        assert_eq!(start.value(StartItem::Position), "number 518");
        start.turn(false, 960 + 7);
        assert_eq!(start.value(StartItem::Position), "number 7");
        assert!(StartItem::Position.can_turn(Variant::Chess960));
        assert!(!StartItem::Position.can_turn(Variant::Chess));
    }
}
