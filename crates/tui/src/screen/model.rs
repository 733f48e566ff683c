//! Everything that the screen shows and remembers. How it changes is in [`update`](crate::screen::update),
//! how it is painted in [`view`](crate::screen::view).

use ratatui::layout::Size;
use touchmove_game::Timestamp;

use crate::opponents::ComputerOptions;
use crate::screen::action::KeyBindings;
use crate::screen::appearance::Appearance;
use crate::screen::game_list::GameList;
use crate::screen::game_screen::GameScreen;
use crate::screen::new_game_form::NewGameForm;
use crate::screen::start_screen::StartScreen;

/// The state of the screen.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The window in columns and rows.
    pub size: Size,
    /// How everything looks.
    pub look: Appearance,
    /// Which key does what.
    pub keys: KeyBindings,
    /// Whether boards turn with every move.
    pub auto_flip: bool,
    /// What a new game's form begins with.
    pub form: NewGameForm,
    /// What is on the screen.
    pub scene: ActiveScreen,
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
    pub customs: ComputerOptions,
    /// How the players are called when something happens.
    pub call: Alerts,
    /// Until when the screen flashes.
    pub flash: Option<Timestamp>,
    /// Games that are kept nowhere, as PGN, to be shown when the players leave.
    pub parting: Vec<String>,
}

/// How the players are called when the opponent has moved, time is short, or the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alerts {
    /// The terminal rings.
    pub bell: bool,
    /// The title flashes.
    pub flash: bool,
}

impl Alerts {
    /// Nobody is called.
    pub const NO_ALERTS: Alerts = Alerts {
        bell: false,
        flash: false,
    };
}

impl Default for Alerts {
    fn default() -> Alerts {
        Alerts {
            bell: true,
            flash: true,
        }
    }
}

/// What is on the screen.
#[derive(Clone, PartialEq, Debug)]
pub enum ActiveScreen {
    /// The start screen.
    Start(Box<StartScreen>),
    /// A game.
    Table(Box<GameScreen>),
    /// The games of a file.
    Contents(Box<GameList>),
}

impl Model {
    /// A screen of this size that shows a scene.
    #[must_use]
    pub fn new(size: Size, scene: ActiveScreen) -> Model {
        Model {
            size,
            look: Appearance::default(),
            keys: KeyBindings::default(),
            auto_flip: false,
            form: NewGameForm::default(),
            scene,
            help: None,
            now: Timestamp::default(),
            today: "????.??.??".to_owned(),
            luck: 0,
            hosts: false,
            customs: ComputerOptions::default(),
            call: Alerts::NO_ALERTS,
            flash: None,
            parting: Vec::new(),
        }
    }

    /// The game on the screen.
    #[must_use]
    pub fn table(&self) -> Option<&GameScreen> {
        match &self.scene {
            ActiveScreen::Table(table) => Some(table),
            ActiveScreen::Start(_) | ActiveScreen::Contents(_) => None,
        }
    }

    /// The next moment at which the screen looks different by itself.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        let table = self.table().and_then(|table| table.next_wakeup(self.now));
        table.into_iter().chain(self.flash).min()
    }

    /// A lot: yes or no.
    pub fn random_bool(&mut self) -> bool {
        self.random_u32() >> 31 == 1
    }

    /// A lot: a number of 32 bits.
    pub fn random_u32(&mut self) -> u64 {
        self.luck = self
            .luck
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.luck >> 32
    }
}
