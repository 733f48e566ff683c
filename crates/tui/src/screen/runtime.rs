//! The one place that knows the terminal, the time and the disk: it feeds messages to the update,
//! carries out effects, and paints when something has changed. It decides nothing.

use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    self, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::Size;
use ratatui::{Terminal, prelude::CrosstermBackend};
use touchmove_game::{Game, Timestamp, journal};

use super::clipboard;
use super::collection::{Collection, Contents, WayBack};
use super::message::{Effect, Message};
use super::model::{Model, Scene};
use super::start::{Resumable, Start};
use super::table::{Table, Tone};
use super::{update, view};
use crate::autosave::{Journal, Shelf};
use crate::config::Config;
use crate::longer_look::LongerLook;
use crate::signals::{self, Signal};

/// What the screen begins with.
#[derive(Clone, PartialEq, Debug)]
pub enum Opening {
    /// The start screen.
    StartScreen,
    /// This game, in which moves may have been made already.
    Game(Box<Game>),
}

/// Something for the loop.
enum Input {
    Message(Message),
    Leave(Option<Signal>),
}

/// Plays on the full screen until the players leave, or a signal comes.
///
/// # Errors
/// If the terminal cannot be used.
pub fn run(opening: Opening, config: Config, shelf: Option<Shelf>) -> io::Result<Farewell> {
    let mut session = Session::new(shelf);
    let scene = session.open(opening, &config);
    session.show(scene, config)
}

/// How the players left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Farewell {
    /// What there is to say on the plain terminal.
    pub words: Option<String>,
    /// The signal that made them leave, if it was one.
    pub signal: Option<Signal>,
}

/// Why the games of a file cannot be looked through.
#[derive(Debug, thiserror::Error)]
pub enum LookThroughError {
    /// There is no such game, or it cannot be set up; the sentence says which.
    #[error("{0}")]
    NoGame(String),
    /// The terminal cannot be used.
    #[error(transparent)]
    Terminal(#[from] io::Error),
}

/// Looks through the games of a file on the full screen: from the game with this number, counted from
/// 0, or from the list of all.
///
/// # Errors
/// If there is no such game, if it cannot be set up, or if the terminal cannot be used.
pub fn look_through(
    collection: Collection,
    game: Option<usize>,
    config: Config,
) -> Result<Farewell, LookThroughError> {
    let count = collection.list().len();
    if game.unwrap_or(0) >= count {
        let sentence = format!("{} has {count} games.", collection.name());
        return Err(LookThroughError::NoGame(sentence));
    }
    let mut contents = Contents::new(collection, WayBack::Out);
    contents.choose(game.unwrap_or(0));
    let scene = match game {
        None if count > 1 => Scene::Contents(Box::new(contents)),
        _ => {
            let (game, study) = contents.open().map_err(LookThroughError::NoGame)?;
            Scene::Table(Box::new(Table::for_study(
                game,
                study,
                Timestamp::default(),
            )))
        }
    };
    Ok(Session::new(None).show(scene, config)?)
}

/// What is said on the plain terminal after the screen is gone.
fn last_words(model: &Model) -> Option<String> {
    let table = model.table().filter(|table| table.study.is_none())?;
    Some(match table.game.ending() {
        Some(ending) => format!("{} {}", table.standing(), ending.result()),
        None => "The game is kept: touchmove goes on with it.".to_owned(),
    })
}

/// The terminal while it belongs to the game; it is given back when this is dropped, and when the
/// program panics.
struct Screen;

impl Screen {
    fn take() -> io::Result<Screen> {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            report(panic);
        }));
        enable_raw_mode()?;
        execute!(
            stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste
        )?;
        Ok(Screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back as it was. What fails here cannot be told to anybody.
fn give_back() {
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// A run of the program: its time line, and its files.
struct Session {
    began: Instant,
    shelf: Option<Shelf>,
    journal: Option<Journal>,
    /// The journal of the game that the start screen offers to go on with.
    offered: Option<Journal>,
    warning: Option<String>,
    /// Everything that happens.
    inputs: Receiver<Input>,
    sender: Sender<Input>,
    longer_look: LongerLook,
}

impl Session {
    fn new(shelf: Option<Shelf>) -> Session {
        let (sender, inputs) = mpsc::channel();
        let to_loop = sender.clone();
        let longer_look = LongerLook::begin(move |finding| {
            let message = Message::LookedInto(Box::new(finding));
            // The loop may be gone already.
            let _ = to_loop.send(Input::Message(message));
        });
        Session {
            inputs,
            sender,
            longer_look,
            began: Instant::now(),
            shelf,
            journal: None,
            offered: None,
            warning: None,
        }
    }

    fn now(&self) -> Timestamp {
        let passed = self.began.elapsed().as_millis();
        Timestamp(u64::try_from(passed).unwrap_or(u64::MAX))
    }

    /// Shows a scene and what follows from it, until the players leave.
    fn show(&mut self, scene: Scene, config: Config) -> io::Result<Farewell> {
        let (columns, rows) = terminal::size()?;
        let mut model = self.model(scene, config, Size::new(columns, rows));
        let guard = Screen::take()?;
        let result = self.play(&mut model);
        drop(guard);
        Ok(Farewell {
            signal: result?,
            words: last_words(&model),
        })
    }

    /// The scene that the program begins with.
    fn open(&mut self, opening: Opening, config: &Config) -> Scene {
        match opening {
            Opening::StartScreen => {
                let resumable = self.look_for_game();
                let mut start = Start::new(config.form.clone(), resumable);
                start.notice = self.warning.take();
                Scene::Start(Box::new(start))
            }
            Opening::Game(game) => {
                let lines = journal::retell(&game);
                let mut table = Table::new(*game, self.now());
                table.auto_flip = config.auto_flip;
                if let Err(sentence) = self.begin(&lines) {
                    table.say(Tone::Alarm, sentence);
                }
                Scene::Table(Box::new(table))
            }
        }
    }

    /// The model that the program begins with.
    fn model(&self, scene: Scene, config: Config, size: Size) -> Model {
        let since_1970 = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Model {
            look: config.look,
            keys: config.keys,
            auto_flip: config.auto_flip,
            form: config.form,
            today: Timestamp(since_1970.as_secs().saturating_mul(1_000)).date(),
            luck: since_1970.as_nanos() as u64 ^ (u64::from(std::process::id()) << 32),
            ..Model::new(size, scene)
        }
    }

    fn look_for_game(&mut self) -> Option<Resumable> {
        match self.shelf.as_ref()?.unfinished() {
            Ok(Some(unfinished)) => {
                self.offered = Some(unfinished.journal);
                self.warning = unfinished.warning;
                Some(Resumable {
                    game: unfinished.game,
                })
            }
            Ok(None) => None,
            Err(error) => {
                self.warning = Some(error.to_string());
                None
            }
        }
    }

    fn play(&mut self, model: &mut Model) -> io::Result<Option<Signal>> {
        let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        terminal.draw(|frame| view(model, frame))?;
        listen(&self.sender)?;
        let mut pending = vec![Input::Message(Message::Time)];
        loop {
            let mut is_changed = false;
            for input in pending {
                let mut messages = match input {
                    Input::Message(message) => vec![message],
                    Input::Leave(signal) => return Ok(signal),
                };
                while let Some(message) = messages.pop() {
                    for effect in update(model, self.now(), message) {
                        match effect {
                            Effect::Draw => is_changed = true,
                            Effect::Quit => return Ok(None),
                            effect => messages.extend(self.carry_out(effect)?),
                        }
                    }
                }
            }
            if is_changed {
                terminal.draw(|frame| view(model, frame))?;
            }
            pending = match self.wait(model) {
                Some(input) => vec![input],
                None => return Ok(None),
            };
            pending.extend(self.inputs.try_iter());
        }
    }

    /// The next thing that happens; time passing is one. `None` if nothing ever will.
    fn wait(&self, model: &Model) -> Option<Input> {
        let Some(wake) = model.wake() else {
            return self.inputs.recv().ok();
        };
        match self
            .inputs
            .recv_timeout(Duration::from_millis(wake.since(self.now()).0))
        {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => Some(Input::Message(Message::Time)),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Carries out an effect; what comes of it is a message.
    fn carry_out(&mut self, effect: Effect) -> io::Result<Option<Message>> {
        let outcome = match effect {
            Effect::Draw | Effect::Quit => Ok(None),
            Effect::Begin(line) => self.begin(&line).map(|()| None),
            Effect::Resume => {
                self.journal = self.offered.take();
                Ok(None)
            }
            Effect::LookLonger(question) => {
                self.longer_look.look(*question);
                Ok(None)
            }
            Effect::Record(lines) => self.record(&lines).map(|()| None),
            Effect::Copy(text) => {
                write!(stdout(), "{}", clipboard::put(&text))?;
                stdout().flush()?;
                Ok(None)
            }
            Effect::Save { name, pgn } => match &self.shelf {
                None => Err("There is no folder to save to: set HOME or XDG_DATA_HOME.".to_owned()),
                Some(shelf) => match shelf.save(&name, &pgn) {
                    Ok(path) => Ok(Some(Message::Saved(path))),
                    Err(error) => Err(format!("The game could not be saved: {error}.")),
                },
            },
            Effect::Open(path) => match std::fs::read(at_home(&path)) {
                Ok(bytes) => Ok(Some(Message::Opened(path, bytes))),
                Err(error) => Err(format!("{}: {error}.", path.display())),
            },
            Effect::OpenSaved => self.saved_games().map(Some),
            Effect::Seek => {
                self.journal = None;
                Ok(self.look_for_game().map(Box::new).map(Message::Found))
            }
        };
        Ok(outcome.unwrap_or_else(|sentence| Some(Message::Failed(sentence))))
    }

    fn saved_games(&self) -> Result<Message, String> {
        let Some(shelf) = &self.shelf else {
            return Err("No games are saved: set HOME or XDG_DATA_HOME.".to_owned());
        };
        let read = shelf.saved();
        let text = read.map_err(|error| format!("The saved games cannot be read: {error}."))?;
        Ok(Message::Opened(shelf.folder().to_owned(), text))
    }

    fn begin(&mut self, lines: &str) -> Result<(), String> {
        self.journal = None;
        let Some(shelf) = &self.shelf else {
            return Err("The game is not autosaved: set HOME or XDG_DATA_HOME.".to_owned());
        };
        let millis = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        match shelf.begin(&format!("{millis:014}"), lines) {
            Ok(journal) => {
                self.journal = Some(journal);
                Ok(())
            }
            Err(error) => Err(format!("The game is not autosaved: {error}.")),
        }
    }

    fn record(&mut self, lines: &str) -> Result<(), String> {
        match &mut self.journal {
            None => Ok(()),
            Some(journal) => journal.append(lines).map_err(|error| {
                format!("{} cannot be written: {error}.", journal.path().display())
            }),
        }
    }
}

/// A path as a shell would read it: `~` is the player's own folder.
fn at_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// Listens to the terminal and to signals, each in a thread of its own.
fn listen(sender: &Sender<Input>) -> io::Result<()> {
    let to_loop = sender.clone();
    signals::listen(move |signal| {
        // The loop may be gone already.
        let _ = to_loop.send(Input::Leave(Some(signal)));
    })?;
    let sender = sender.clone();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            let message = match event {
                event::Event::Key(key) => Message::Key(key),
                event::Event::Mouse(mouse) => Message::Mouse(mouse),
                event::Event::Paste(text) => Message::Paste(text),
                event::Event::Resize(columns, rows) => Message::Resize(columns, rows),
                event::Event::FocusGained | event::Event::FocusLost => continue,
            };
            if sender.send(Input::Message(message)).is_err() {
                return;
            }
        }
        // The terminal is gone.
        let _ = sender.send(Input::Leave(None));
    });
    Ok(())
}
