//! The model: all state of the screen. [`update`](crate::screen::update) changes it, [`view`](crate::screen::view)
//! draws it.

use ratatui::layout::Size;
use touchmove_game::Timestamp;

use crate::opponents::ComputerOptions;
use crate::screen::appearance::Appearance;
use crate::screen::game_list::GameList;
use crate::screen::game_screen::GameScreen;
use crate::screen::key_bindings::KeyBindings;
use crate::screen::new_game_form::NewGameForm;
use crate::screen::start_screen::StartScreen;

/// The state of the screen.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The size of the window in columns and rows.
    pub size: Size,
    /// The appearance.
    pub look: Appearance,
    /// The key bindings.
    pub keys: KeyBindings,
    /// Whether boards flip with every move.
    pub auto_flip: bool,
    /// The initial values of the new-game form.
    pub form: NewGameForm,
    /// The active screen.
    pub scene: ActiveScreen,
    /// The scroll offset of the help page, if it is open.
    pub help: Option<u16>,
    /// The current time, on the screen's time line.
    pub now: Timestamp,
    /// Today's date in PGN's form.
    pub today: String,
    /// The random seed, for random colours and start positions.
    pub luck: u64,
    /// Whether this program hosts the table on the network.
    pub hosts: bool,
    /// Options of computers and hints.
    pub customs: ComputerOptions,
    /// How players are alerted.
    pub call: Alerts,
    /// When the flash ends.
    pub flash: Option<Timestamp>,
    /// PGN of games that are saved nowhere, printed on quitting.
    pub parting: Vec<String>,
}

/// How players are alerted when the opponent has moved, time is low, or the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alerts {
    /// Ring the terminal's bell.
    pub bell: bool,
    /// Flash the title.
    pub flash: bool,
}

impl Alerts {
    /// No alerts.
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

/// The active screen.
#[derive(Clone, PartialEq, Debug)]
pub enum ActiveScreen {
    /// The start screen.
    Start(Box<StartScreen>),
    /// A game.
    Table(Box<GameScreen>),
    /// The game list of a file or of the library.
    Contents(Box<GameList>),
}

impl Model {
    /// A model for a window of this size, with this screen.
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

    /// The game screen, if it is active.
    #[must_use]
    pub fn table(&self) -> Option<&GameScreen> {
        match &self.scene {
            ActiveScreen::Table(table) => Some(table),
            ActiveScreen::Start(_) | ActiveScreen::Contents(_) => None,
        }
    }

    /// The next time at which the screen changes by itself.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Timestamp> {
        let table = self.table().and_then(|table| table.next_wakeup(self.now));
        table.into_iter().chain(self.flash).min()
    }

    /// A random boolean.
    pub fn random_bool(&mut self) -> bool {
        self.random_u32() >> 31 == 1
    }

    /// A random 32-bit number.
    pub fn random_u32(&mut self) -> u64 {
        self.luck = self
            .luck
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.luck >> 32
    }
}
