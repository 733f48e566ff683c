//! The start screen: its lines, and how each is filled in and explained. What comes of the form is
//! the [form](super::form)'s business.

use touchmove_game::{DeadLaw, Draws, FlagLaw, Game};
use touchmove_rules::{Color, Variant};

use super::form::Form;
use crate::sparring::{Contestant, Program};
use touchmove_game::words;

/// An unfinished game that can be gone on with.
#[derive(Clone, PartialEq, Debug)]
pub struct Resumable {
    /// The game as far as it went.
    pub game: Game,
}

impl Resumable {
    /// The game in a few words: "Anna – Ben, move 14".
    #[must_use]
    pub fn title(&self) -> String {
        let [white, black] = Color::ALL.map(|color| words::name(&self.game, color));
        let number = self.game.position().fullmoves();
        let variant = self.game.terms().variant().title();
        format!("{white} – {black}, {variant}, move {number}")
    }
}

/// A line of the start screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Item {
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
    Host,
    Join,
    Open,
    Help,
    Quit,
}

impl Item {
    /// The words at its left.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Item::Play => "Play",
            Item::Resume => "Resume",
            Item::Variant => "Variant",
            Item::Time => "Clock",
            Item::White => "White",
            Item::Black => "Black",
            Item::Colors => "Colours",
            Item::Draws => "Draws",
            Item::Flag => "Flag",
            Item::Dead => "Dead",
            Item::Takebacks => "Takebacks",
            Item::Position => "Position",
            Item::Host => "Host a game",
            Item::Join => "Join by link",
            Item::Open => "Open PGN",
            Item::Help => "Help",
            Item::Quit => "Quit",
        }
    }

    /// Whether left and right lead to another value under a variant.
    #[must_use]
    pub const fn can_turn(self, variant: Variant) -> bool {
        match self {
            Item::Play | Item::Resume | Item::Host | Item::Help | Item::Quit => false,
            Item::Position => matches!(variant, Variant::Chess960),
            Item::Time | Item::White | Item::Black => true,
            _ => !self.is_text(),
        }
    }

    /// Whether it is filled in by typing.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(
            self,
            Item::Time | Item::White | Item::Black | Item::Position | Item::Join | Item::Open
        )
    }
}

/// The clocks that the arrow keys lead through; any other can be typed.
const CLOCKS: [&str; 8] = [
    "",
    "1",
    "3+2",
    "5+3",
    "10",
    "15+10",
    "40/90+30,30+30",
    "5d3",
];

/// The start screen.
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// What is filled in.
    pub form: Form,
    /// The link of the table to join.
    pub link: String,
    /// The file to open.
    pub path: String,
    /// The game that can be gone on with.
    pub resumable: Option<Resumable>,
    /// The item under the cursor.
    pub item: Item,
    /// What is wrong, or was done.
    pub notice: Option<String>,
    /// The programs that can be played against.
    pub engines: Vec<Program>,
}

impl Start {
    /// A start screen with this form.
    #[must_use]
    pub fn new(form: Form, resumable: Option<Resumable>) -> Start {
        let item = match resumable {
            Some(_) => Item::Resume,
            None => Item::Play,
        };
        Start {
            form,
            link: String::new(),
            path: String::new(),
            resumable,
            item,
            notice: None,
            engines: Vec::new(),
        }
    }

    /// The items that are there, from above.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        const BELOW: [Item; 15] = [
            Item::Variant,
            Item::Time,
            Item::White,
            Item::Black,
            Item::Colors,
            Item::Draws,
            Item::Flag,
            Item::Dead,
            Item::Takebacks,
            Item::Position,
            Item::Host,
            Item::Join,
            Item::Open,
            Item::Help,
            Item::Quit,
        ];
        let resume = self.resumable.as_ref().map(|_| Item::Resume);
        resume
            .into_iter()
            .chain([Item::Play])
            .chain(BELOW)
            .collect()
    }

    /// What an item is set to.
    #[must_use]
    pub fn value(&self, item: Item) -> String {
        let form = &self.form;
        let or = |text: &str, usual: &str| match text.is_empty() {
            true => usual.to_owned(),
            false => text.to_owned(),
        };
        match item {
            Item::Play => {
                let clock = or(&form.time, "no clock");
                let computer = [&form.white, &form.black]
                    .into_iter()
                    .find(|name| self.is_computer(name));
                let against = match computer {
                    Some(name) => format!(", with {name}"),
                    None => String::new(),
                };
                format!("{}, {clock}{against}", form.variant.title())
            }
            Item::Resume => self
                .resumable
                .as_ref()
                .map(Resumable::title)
                .unwrap_or_default(),
            Item::Variant => form.variant.title().to_owned(),
            Item::Time => or(&form.time, "none"),
            Item::White => or(&form.white, "White"),
            Item::Black => or(&form.black, "Black"),
            Item::Colors => match form.random_colors {
                true => "drawn by lot".to_owned(),
                false => "as named".to_owned(),
            },
            Item::Draws => match form.draws {
                Draws::Auto => "by themselves".to_owned(),
                Draws::Claim => "when claimed".to_owned(),
            },
            Item::Flag => match form.flag {
                FlagLaw::Fide => "loses, or draws".to_owned(),
                FlagLaw::Loses => "always loses".to_owned(),
            },
            Item::Dead => match form.dead {
                DeadLaw::Exact => "positions are drawn".to_owned(),
                DeadLaw::Material => "material is drawn".to_owned(),
                DeadLaw::Off => "positions go on".to_owned(),
            },
            Item::Takebacks => match form.takebacks {
                true => "with consent".to_owned(),
                false => "none".to_owned(),
            },
            Item::Position => match form.variant {
                Variant::Chess960 => or(&form.position, "drawn by lot"),
                _ => or(&form.position, "the usual start"),
            },
            Item::Host => "on this network".to_owned(),
            Item::Join => or(&self.link, "http://..."),
            Item::Open => or(&self.path, "the saved games"),
            Item::Help => "the keys".to_owned(),
            Item::Quit => String::new(),
        }
    }

    /// What the item under the cursor means as it is set, or what can be done with it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self.item {
            Item::Play => "Enter begins. Up and down go through the terms; ? is help.",
            Item::Resume => "Enter goes on with the game where it was left.",
            Item::Variant => match self.form.variant {
                Variant::Chess => "Chess as FIDE has it.",
                Variant::Chess960 => "Chess from a start drawn by lot, or by its number.",
                Variant::Atomic => "A capture blows up everything around it but pawns.",
                Variant::SimpleAtomic => "Atomic without check, castling, en passant, promotion.",
            },
            Item::Time => "Left and right, or type: 5+3, 5d3, 0:30, 40/90+30,30+30.",
            Item::White | Item::Black => "Type a name, or left and right for the computer.",
            Item::Colors => match self.form.random_colors {
                true => "Who has White is drawn by lot.",
                false => "Everybody has the colour of the line with the name.",
            },
            Item::Draws => match self.form.draws {
                Draws::Auto => "Threefold repetition and fifty quiet moves end the game.",
                Draws::Claim => "Repetition and fifty moves are claimed (FIDE 9.2, 9.3).",
            },
            Item::Flag => match self.form.flag {
                FlagLaw::Fide => "A fallen flag is a draw if the other cannot win (FIDE 6.9).",
                FlagLaw::Loses => "A fallen flag loses, whatever the other has left.",
            },
            Item::Dead => match self.form.dead {
                DeadLaw::Exact => "A position that nobody can win ends the game (FIDE 5.2.2).",
                DeadLaw::Material => "Too little material for a mate ends the game.",
                DeadLaw::Off => "Nothing is a draw because nobody can win.",
            },
            Item::Takebacks => match self.form.takebacks {
                true => "A move is taken back if the opponent agrees.",
                false => "A move that is made stands.",
            },
            Item::Position => match self.form.variant {
                Variant::Chess960 => {
                    "Left and right draw a start by lot; or type its number, or a FEN."
                }
                _ => "Paste or type a FEN, or the number of a Chess960 start.",
            },
            Item::Host => "Enter opens a table; you are White, or what the lot says.",
            Item::Join => "Paste or type a link; Enter goes there, under White's name.",
            Item::Open => "Enter lists the saved games; or type or paste a path.",
            Item::Help => "Enter shows all keys.",
            Item::Quit => "Enter leaves.",
        }
    }

    /// The text of an item that is typed, as far as it is.
    #[must_use]
    pub fn text(&self, item: Item) -> Option<&str> {
        match item {
            Item::Time => Some(&self.form.time),
            Item::White => Some(&self.form.white),
            Item::Black => Some(&self.form.black),
            Item::Position => Some(&self.form.position),
            Item::Join => Some(&self.link),
            Item::Open => Some(&self.path),
            _ => None,
        }
    }

    /// The text of the item under the cursor, if it is typed.
    pub fn text_mut(&mut self) -> Option<&mut String> {
        match self.item {
            Item::Time => Some(&mut self.form.time),
            Item::White => Some(&mut self.form.white),
            Item::Black => Some(&mut self.form.black),
            Item::Position => Some(&mut self.form.position),
            Item::Join => Some(&mut self.link),
            Item::Open => Some(&mut self.path),
            _ => None,
        }
    }

    /// Whether this is the name of a computer.
    #[must_use]
    pub fn is_computer(&self, name: &str) -> bool {
        Contestant::in_seat(name, &self.engines).is_some()
    }

    /// Takes a computer out of the seat under the cursor, so that a name can be typed.
    pub fn unseat_computer(&mut self) {
        let engines = self.engines.clone();
        if let Some(name) = self.text_mut()
            && Contestant::in_seat(name, &engines).is_some()
        {
            name.clear();
        }
    }

    /// Goes this many items down, round the ends.
    pub fn go(&mut self, down: isize) {
        let items = self.items();
        let count = items.len() as isize;
        let at = items
            .iter()
            .position(|&item| item == self.item)
            .unwrap_or(0) as isize;
        self.item = items[(at + down).rem_euclid(count) as usize];
    }

    /// The value after (or before) the one that the item has; where lots are drawn, as `luck` has it.
    pub fn turn(&mut self, forward: bool, luck: u64) {
        let form = &mut self.form;
        match self.item {
            Item::Variant => form.variant = neighbour(&Variant::ALL, form.variant, forward),
            Item::Time => {
                let at = CLOCKS
                    .into_iter()
                    .find(|&clock| clock == form.time)
                    .unwrap_or("");
                form.time = neighbour(&CLOCKS, at, forward).to_owned();
            }
            Item::White => form.white = other_player(&form.white, &self.engines, forward),
            Item::Black => form.black = other_player(&form.black, &self.engines, forward),
            Item::Colors => form.random_colors = !form.random_colors,
            Item::Draws => form.draws = neighbour(Draws::ALL, form.draws, forward),
            Item::Flag => form.flag = neighbour(FlagLaw::ALL, form.flag, forward),
            Item::Dead => form.dead = neighbour(DeadLaw::ALL, form.dead, forward),
            Item::Takebacks => form.takebacks = !form.takebacks,
            Item::Position => form.redraw(luck),
            _ => {}
        }
    }
}

/// The computer after (or before) the one who has this name; between the last and the first is a person.
fn other_player(name: &str, engines: &[Program], forward: bool) -> String {
    let computers = Contestant::all(engines);
    let names = computers.iter().map(ToString::to_string);
    let all: Vec<String> = [String::new()].into_iter().chain(names).collect();
    let at = all.iter().position(|other| other == name).unwrap_or(0);
    let step = if forward { 1 } else { all.len() - 1 };
    all[(at + step) % all.len()].clone()
}

fn neighbour<T: Copy + PartialEq>(all: &[T], one: T, forward: bool) -> T {
    let at = all.iter().position(|&other| other == one).unwrap_or(0);
    let step = if forward { 1 } else { all.len() - 1 };
    all[(at + step) % all.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_can_be_gone_to_and_turned() {
        let mut start = Start::new(Form::default(), None);
        let items = start.items();
        for _ in &items {
            start.turn(true, 7);
            start.turn(false, 7);
            start.go(1);
        }
        assert_eq!(start.item, Item::Play);
        assert_eq!(start.form, Form::default());
    }

    #[test]
    fn the_start_of_chess960_is_drawn_by_lot_and_redrawn_where_it_is_shown() {
        let form = Form {
            variant: Variant::Chess960,
            ..Form::default()
        };
        let mut start = Start::new(form, None);
        start.item = Item::Position;
        assert_eq!(start.value(Item::Position), "drawn by lot");
        start.turn(true, 518);
        assert_eq!(start.value(Item::Position), "518");
        start.turn(false, 960 + 7);
        assert_eq!(start.value(Item::Position), "7");
        assert!(Item::Position.can_turn(Variant::Chess960));
        assert!(!Item::Position.can_turn(Variant::Chess));
    }
}
