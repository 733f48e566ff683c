//! Everything that the screen shows and remembers. How it changes is in [`update`](crate::screen::update),
//! how it is painted in [`view`](crate::screen::view).

use ratatui::layout::Size;
use touchmove_game::Timestamp;

use crate::opponents::Customs;
use crate::screen::action::Keys;
use crate::screen::appearance::Look;
use crate::screen::game_list::Contents;
use crate::screen::game_screen::Table;
use crate::screen::new_game_form::Form;
use crate::screen::start_screen::Start;

/// The state of the screen.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The window in columns and rows.
    pub size: Size,
    /// How everything looks.
    pub look: Look,
    /// Which key does what.
    pub keys: Keys,
    /// Whether boards turn with every move.
    pub auto_flip: bool,
    /// What a new game's form begins with.
    pub form: Form,
    /// What is on the screen.
    pub scene: Scene,
    /// Whether the help page lies over it, and how far it is scrolled.
    pub help: Option<u16>,
    /// The latest moment, on the screen's own time line.
    pub now: Timestamp,
    /// Today's date as PGN writes it.
    pub today: String,
    /// A number that nobody knows beforehand, for drawing lots.
    pub luck: u64,
    /// Whether this program serves the table on the network.
    pub hosts: bool,
    /// What was agreed on about computers and help.
    pub customs: Customs,
    /// How the players are called when something happens.
    pub call: Call,
    /// Until when the screen flashes.
    pub flash: Option<Timestamp>,
    /// Games that are kept nowhere, as PGN, to be shown when the players leave.
    pub parting: Vec<String>,
}

/// How the players are called when the opponent has moved, time is short, or the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The terminal rings.
    pub bell: bool,
    /// The title flashes.
    pub flash: bool,
}

impl Call {
    /// Nobody is called.
    pub const NOT_AT_ALL: Call = Call {
        bell: false,
        flash: false,
    };
}

impl Default for Call {
    fn default() -> Call {
        Call {
            bell: true,
            flash: true,
        }
    }
}

/// What is on the screen.
#[derive(Clone, PartialEq, Debug)]
pub enum Scene {
    /// The start screen.
    Start(Box<Start>),
    /// A game.
    Table(Box<Table>),
    /// The games of a file.
    Contents(Box<Contents>),
}

impl Model {
    /// A screen of this size that shows a scene.
    #[must_use]
    pub fn new(size: Size, scene: Scene) -> Model {
        Model {
            size,
            look: Look::default(),
            keys: Keys::default(),
            auto_flip: false,
            form: Form::default(),
            scene,
            help: None,
            now: Timestamp::default(),
            today: "????.??.??".to_owned(),
            luck: 0,
            hosts: false,
            customs: Customs::default(),
            call: Call::NOT_AT_ALL,
            flash: None,
            parting: Vec::new(),
        }
    }

    /// The game on the screen.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        match &self.scene {
            Scene::Table(table) => Some(table),
            Scene::Start(_) | Scene::Contents(_) => None,
        }
    }

    /// The next moment at which the screen looks different by itself.
    #[must_use]
    pub fn wake(&self) -> Option<Timestamp> {
        let table = self.table().and_then(|table| table.wake(self.now));
        table.into_iter().chain(self.flash).min()
    }

    /// A lot: yes or no.
    pub fn draw_lot(&mut self) -> bool {
        self.number_by_lot() >> 31 == 1
    }

    /// A lot: a number of 32 bits.
    pub fn number_by_lot(&mut self) -> u64 {
        self.luck = self
            .luck
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.luck >> 32
    }
}
