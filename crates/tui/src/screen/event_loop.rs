//! The one place that knows the terminal, the time and the disk: it feeds messages to the update,
//! carries out effects, and paints when something has changed. It decides nothing.

use std::any::Any;
use std::io::{self, Write, stdout};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ratatui::crossterm::{event, terminal};
use ratatui::layout::Size;
use touchmove_client::{Link, Proposal, Told, Visit};
use touchmove_game::{Game, Timestamp, journal};
use touchmove_text::display_path;

use crate::autosave::{Shelf, Waiting};
use crate::background_analysis::LongerLook;
use crate::bounded_file::{self, MAX_FILE_BYTES};
use crate::config::Config;
use crate::game_saver::{Keeper, Keeping, NO_PLACE, at_home};
use crate::library;
use crate::network_input::{MAX_QUEUED, VisitError};
use crate::opponents::{Coach, PATIENCE, Sparring};
use crate::screen::clipboard;
use crate::screen::config_warnings;
use crate::screen::exit_message::last_words;
use crate::screen::game_list::{Collection, Contents, WayBack};
use crate::screen::game_screen::{Table, Tone};
use crate::screen::late_reply_filter::Straggler;
use crate::screen::message::{Effect, Message};
use crate::screen::model::{Model, Scene};
use crate::screen::network::{Hosted, Network, Visiting};
use crate::screen::renderer::Stage;
use crate::screen::start_screen::{Resumable, Start};
use crate::screen::terminal::{Screen, retake, suspend};
use crate::screen::update;
use crate::signals::{self, Job, Signal};

/// How long a computer takes at least, so that people see what happens.
const PAUSE: Duration = Duration::from_millis(400);

/// How much can be said at a table about the settings, beside what else there is to say.
const ROOM: usize = 150;

/// What the screen begins with.
#[derive(Clone, PartialEq, Debug)]
pub enum Opening {
    /// The start screen.
    StartScreen,
    /// This game, in which moves may have been made already.
    Game(Box<Game>),
    /// The unfinished game of this journal.
    Resume(PathBuf),
    /// The library.
    Library,
}

/// Something for the loop.
enum Input {
    Message(Message),
    /// A table tells something; the number says which visit it is about.
    Told(u64, Told),
    /// A table is served, or why not.
    Hosted(Result<Hosted, String>),
    Leave(Option<Signal>),
    /// The shell wants its terminal, or gives it back.
    Job(Job),
}

/// Plays on the full screen until the players leave, or a signal comes.
///
/// # Errors
/// If the terminal cannot be used.
pub fn run(
    opening: Opening,
    config: Config,
    shelf: Option<Shelf>,
    network: Network,
) -> io::Result<Farewell> {
    let mut session = Session::new(shelf, network);
    session.keeper.wants(config.keeps);
    let scene = session.open(opening, &config);
    session.show(scene, config)
}

/// Plays or watches at a table on the network, on the full screen, until the player leaves or a signal
/// comes. A server that is handed over is the table's own, and ends with the visit.
///
/// # Errors
/// If there is no way to the table, or the terminal cannot be used.
pub fn visit(
    visit: Visit,
    server: Option<Box<dyn Any + Send>>,
    config: Config,
    shelf: Option<Shelf>,
    network: Network,
) -> Result<Farewell, VisitError> {
    let mut session = Session::new(shelf, network);
    let hosts = server.is_some();
    session.server = server;
    session.visit(visit);
    let told = loop {
        match session.inputs.recv() {
            Ok(Input::Told(_, Told::Over(why))) => return Err(VisitError::NoTable(why)),
            Ok(Input::Told(_, told @ Told::Arrived(_))) => break told,
            Ok(_) => {}
            Err(_) => return Err(VisitError::NoTable("nothing is heard of the table".into())),
        }
    };
    let start = Start::new(config.form.clone(), None);
    let mut model = session.model(Scene::Start(Box::new(start)), config, Size::default());
    model.hosts = hosts;
    update(&mut model, session.now(), Message::Told(Box::new(told)));
    Ok(session.show_model(model)?)
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
    Ok(Session::new(None, Network::default()).show(scene, config)?)
}

/// A run of the program: its time line, and its files.
struct Session {
    began: Instant,
    keeper: Keeper,
    /// Everything that happens.
    inputs: Receiver<Input>,
    sender: SyncSender<Input>,
    longer_look: LongerLook,
    sparring: Sparring,
    coach: Coach,
    network: Network,
    visiting: Option<Visiting>,
    /// How many tables were visited.
    visits: u64,
    /// The server of the table that is visited, if this program serves it.
    server: Option<Box<dyn Any + Send>>,
}

impl Session {
    fn new(shelf: Option<Shelf>, network: Network) -> Session {
        let (sender, inputs) = mpsc::sync_channel(MAX_QUEUED);
        let to_loop = sender.clone();
        let longer_look = LongerLook::begin(move |finding| {
            let message = Message::LookedInto(Box::new(finding));
            // The loop may be gone already.
            let _ = to_loop.send(Input::Message(message));
        });
        let to_loop = sender.clone();
        let sparring = Sparring::begin(PAUSE, PATIENCE, move |reply| {
            // The loop may be gone already.
            let _ = to_loop.send(Input::Message(Message::Answered(Box::new(reply))));
        });
        let to_loop = sender.clone();
        let coach = Coach::begin(move |said| {
            // The loop may be gone already.
            let _ = to_loop.send(Input::Message(Message::Advised(Box::new(said))));
        });
        Session {
            sparring,
            coach,
            inputs,
            sender,
            longer_look,
            began: Instant::now(),
            keeper: Keeper::new(shelf),
            network,
            visiting: None,
            visits: 0,
            server: None,
        }
    }

    /// Comes to a table, and leaves the one before.
    fn visit(&mut self, visit: Visit) {
        self.visits += 1;
        let (number, to_loop) = (self.visits, self.sender.clone());
        self.visiting = Some(Visiting::begin(visit, move |told| {
            // The loop may be gone already.
            let _ = to_loop.send(Input::Told(number, told));
        }));
    }

    /// Comes to the table of a link: at the same server as whoever he is there.
    fn join(&mut self, link: Link, name: &str) -> Result<(), String> {
        let visit = match self.visiting.take() {
            Some(before) if before.is_at(&link) => before.next(link),
            _ => Visit {
                name: name.to_owned(),
                ..Visit::of(link.clone(), self.network.guest(&link, name)?)
            },
        };
        self.visit(visit);
        Ok(())
    }

    /// Serves a table, on a thread of its own until it is there.
    fn host(&self, proposal: Box<Proposal>) -> Result<(), String> {
        let Some(host) = self.network.host.clone() else {
            return Err("No table can be served here.".to_owned());
        };
        let to_loop = self.sender.clone();
        thread::spawn(move || {
            // The loop may be gone already.
            let _ = to_loop.send(Input::Hosted(host(&proposal)));
        });
        Ok(())
    }

    /// The messages that an input amounts to; nothing to leave.
    fn messages(&mut self, input: Input) -> Result<Vec<Message>, Option<Signal>> {
        Ok(match input {
            Input::Message(message) => vec![message],
            Input::Told(number, told) if number == self.visits && self.visiting.is_some() => {
                vec![Message::Told(Box::new(told))]
            }
            Input::Told(..) => Vec::new(),
            Input::Hosted(Ok(hosted)) => {
                self.server = Some(hosted.server);
                self.visit(hosted.visit);
                vec![Message::Hosting]
            }
            Input::Hosted(Err(sentence)) => vec![Message::Failed(sentence)],
            Input::Leave(signal) => return Err(signal),
            Input::Job(_) => Vec::new(),
        })
    }

    fn now(&self) -> Timestamp {
        let passed = self.began.elapsed().as_millis();
        Timestamp(u64::try_from(passed).unwrap_or(u64::MAX))
    }

    /// Shows a scene and what follows from it, until the players leave.
    fn show(&mut self, scene: Scene, config: Config) -> io::Result<Farewell> {
        let model = self.model(scene, config, Size::default());
        self.show_model(model)
    }

    fn show_model(&mut self, mut model: Model) -> io::Result<Farewell> {
        let (columns, rows) = terminal::size()?;
        model.size = Size::new(columns, rows);
        let guard = Screen::take()?;
        let result = self.play(&mut model);
        drop(guard);
        let signal = result?;
        let words = last_words(&model, &self.keeper);
        self.keeper.put_away();
        Ok(Farewell { words, signal })
    }

    /// The scene that the program begins with.
    fn open(&mut self, opening: Opening, config: &Config) -> Scene {
        match opening {
            Opening::StartScreen => {
                let (waiting, warnings) = self.look_for_games();
                let mut start = Start::new(config.form.clone(), waiting);
                let said: Vec<String> = config.encoding.iter().cloned().chain(warnings).collect();
                start.notice = (!said.is_empty()).then(|| said.join(" "));
                start.faults.clone_from(&config.faults);
                Scene::Start(Box::new(start))
            }
            Opening::Game(game) => {
                let lines = journal::retell(&game);
                let mut table = Table::new(*game, self.now());
                table.auto_flip = config.auto_flip;
                let mut said: Vec<String> = config.encoding.iter().cloned().collect();
                said.extend(config_warnings::told(&config.faults, |text| {
                    text.len() <= ROOM
                }));
                if let Some(Keeping::Lost(why)) = self.keeper.begin(&lines) {
                    // It stays said when the others have been read.
                    said.push(why.clone());
                    table.unkept = Some(why);
                }
                if !said.is_empty() {
                    table.say(Tone::Alarm, said.join(" "));
                }
                Scene::Table(Box::new(table))
            }
            Opening::Resume(path) => match self.keeper.take(&path) {
                Ok((game, warning)) => {
                    let mut table = Table::new(game, self.now());
                    table.auto_flip = config.auto_flip;
                    if let Some(warning) = warning {
                        table.say(Tone::Alarm, warning);
                    }
                    Scene::Table(Box::new(table))
                }
                Err(why) => {
                    let mut start = Start::new(config.form.clone(), None);
                    start.notice = Some(why);
                    Scene::Start(Box::new(start))
                }
            },
            Opening::Library => {
                let (files, fault) = match self.library() {
                    Ok(files) => (files, None),
                    Err(why) => (Vec::new(), Some(why)),
                };
                let games = Collection::of_files(library::NAME, files);
                let mut contents = Contents::new(games, WayBack::Out);
                contents.notice = fault;
                Scene::Contents(Box::new(contents))
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
            call: config.call,
            form: config.form,
            customs: config.customs,
            today: Timestamp(since_1970.as_secs().saturating_mul(1_000)).date(),
            luck: since_1970.as_nanos() as u64 ^ (u64::from(std::process::id()) << 32),
            ..Model::new(size, scene)
        }
    }

    /// The games that wait to be gone on with, and what is to be said about journals.
    fn look_for_games(&self) -> (Vec<Resumable>, Vec<String>) {
        let survey = self.keeper.survey();
        let waits = |Waiting { game, path, date }| Resumable { game, path, date };
        let waiting = survey.waiting.into_iter().map(waits).collect();
        (waiting, survey.warnings)
    }

    fn play(&mut self, model: &mut Model) -> io::Result<Option<Signal>> {
        let mut stage = Stage::new(model)?;
        stage.draw(model)?;
        // Keys come to the listener only when the terminal has said what it can.
        let keys = stage.hear(model)?;
        stage.draw(model)?;
        listen(&self.sender, model.size)?;
        let mut pending = vec![Input::Message(Message::Time)];
        pending.extend(keys.into_iter().map(Message::Key).map(Input::Message));
        loop {
            let mut is_changed = false;
            for input in pending {
                if let Input::Job(job) = input {
                    match job {
                        Job::Stop => suspend(&mut stage)?,
                        Job::Wake => retake(&mut stage)?,
                    }
                    let (columns, rows) = terminal::size()?;
                    update(model, self.now(), Message::Resize(columns, rows));
                    is_changed = true;
                    continue;
                }
                let mut messages = match self.messages(input) {
                    Ok(messages) => messages,
                    Err(signal) => return Ok(signal),
                };
                while let Some(message) = messages.pop() {
                    for effect in update(model, self.now(), message) {
                        match effect {
                            Effect::Draw => is_changed = true,
                            Effect::Quit => return Ok(None),
                            Effect::Suspend => {
                                suspend(&mut stage)?;
                                is_changed = true;
                            }
                            effect => messages.extend(self.carry_out(effect)?),
                        }
                    }
                }
            }
            if is_changed {
                stage.draw(model)?;
            }
            pending = match self.wait(model) {
                Some(input) => vec![input],
                None => return Ok(None),
            };
            // No more at once than may wait: a server that never stops talking must not keep the keys waiting.
            pending.extend(self.inputs.try_iter().take(MAX_QUEUED));
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
            Effect::Draw | Effect::Quit | Effect::Suspend => Ok(None),
            Effect::Begin(lines) => Ok(tell(self.keeper.begin(&lines))),
            Effect::Resume(path) => self
                .keeper
                .take(&path)
                .map(|(game, warning)| Some(Message::Resumed(Box::new(game), warning))),
            Effect::Discard(path) => match self.keeper.shelf().map(|shelf| shelf.discard(&path)) {
                Some(Err(error)) => Err(format!("{}: {error}.", display_path(&path))),
                _ => Ok(None),
            },
            Effect::Shelve(game) => match self.keeper.shelve(&game) {
                Ok(path) => Ok(path.map(Message::Shelved)),
                Err(why) => Ok(Some(Message::Unkept(why))),
            },
            Effect::PutIn(game) => self
                .keeper
                .put_in(&game)
                .map(|path| path.map(Message::Shelved)),
            Effect::LookLonger(question) => {
                self.longer_look.look(*question);
                Ok(None)
            }
            Effect::Think(task) => {
                self.sparring.ask(*task);
                Ok(None)
            }
            Effect::Coach(wanted) => {
                self.coach.ask(*wanted);
                Ok(None)
            }
            Effect::HushCoach => {
                self.coach.hush();
                Ok(None)
            }
            Effect::Record(lines) => Ok(tell(self.keeper.record(&lines))),
            Effect::SaveAs { path, pgn } => Ok(Some(match self.keeper.save_as(&path, &pgn) {
                Ok(path) => Message::Saved(path),
                Err(why) => Message::Unsaved { path, why },
            })),
            Effect::Ring => {
                write!(stdout(), "\x07")?;
                stdout().flush()?;
                Ok(None)
            }
            Effect::Copy(text) => {
                write!(stdout(), "{}", clipboard::put(&text))?;
                stdout().flush()?;
                Ok(None)
            }
            Effect::Save { name, pgn } => match self.keeper.shelf() {
                None => Err(format!("{NO_PLACE} Or type save and a path.")),
                Some(shelf) => match shelf.save(&name, &pgn) {
                    Ok(path) => Ok(Some(Message::Saved(path))),
                    Err(error) => Err(format!(
                        "The game is not saved: {}: {error}. Type save and a path.",
                        display_path(shelf.folder())
                    )),
                },
            },
            Effect::Open(path) => {
                let path = at_home(&path);
                match bounded_file::read(&path, MAX_FILE_BYTES) {
                    Ok(bytes) => Ok(Some(Message::Opened(path, bytes))),
                    Err(error) => Err(format!("{}: {error}.", display_path(&path))),
                }
            }
            Effect::Join { link, name } => self.join(link, &name).map(|()| None),
            Effect::Host(proposal) => self.host(proposal).map(|()| None),
            Effect::Say { say, seen } => {
                if let Some(visiting) = &self.visiting {
                    visiting.connection().say(say, seen);
                }
                Ok(None)
            }
            Effect::Part => {
                self.visiting = None;
                self.server = None;
                Ok(None)
            }
            Effect::OpenSaved => self.library().map(|files| Some(Message::Library(files))),
            Effect::Change { path, game, text } => {
                match library::change(&path, &game, text.as_deref()) {
                    Ok(()) => Ok(Some(Message::Changed(path))),
                    Err(error) => Err(format!("{}: {error}.", display_path(&path))),
                }
            }
            Effect::Seek => {
                self.keeper.put_away();
                Ok(Some(Message::Found(self.look_for_games().0)))
            }
        };
        Ok(outcome.unwrap_or_else(|sentence| Some(Message::Failed(sentence))))
    }

    fn library(&self) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
        let Some(shelf) = self.keeper.shelf() else {
            return Err("There is no library: set HOME or XDG_DATA_HOME.".to_owned());
        };
        library::files(shelf).map_err(|error| format!("{}: {error}.", display_path(shelf.folder())))
    }
}

/// What there is to tell about the keeping of a game.
fn tell(keeping: Option<Keeping>) -> Option<Message> {
    Some(match keeping? {
        Keeping::Lost(why) => Message::Unkept(why),
        Keeping::Again => Message::Kept,
    })
}

/// Listens to the terminal and to signals, each in a thread of its own. A window that is no longer of the
/// size that was painted has changed before anybody listened.
fn listen(sender: &SyncSender<Input>, painted: Size) -> io::Result<()> {
    let to_loop = sender.clone();
    signals::listen(move |signal| {
        // The loop may be gone already.
        let _ = to_loop.send(Input::Leave(Some(signal)));
    })?;
    let to_loop = sender.clone();
    signals::listen_to_shell(move |job| {
        // The loop may be gone already.
        let _ = to_loop.send(Input::Job(job));
    })?;
    let sender = sender.clone();
    thread::spawn(move || {
        // From here on it is heard when the size changes.
        let _ = event::poll(Duration::ZERO);
        if let Ok((columns, rows)) = terminal::size()
            && painted != Size::new(columns, rows)
        {
            // The loop may be gone already.
            let _ = sender.send(Input::Message(Message::Resize(columns, rows)));
        }
        let mut straggler = Straggler::default();
        while let Ok(event) = event::read() {
            let message = match event {
                event::Event::Key(key) if straggler.has(&key, Instant::now()) => continue,
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

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::{Players, Terms};
    use touchmove_rules::Variant;

    #[test]
    fn a_game_that_is_not_kept_says_so_and_why_only_ascii_is_written() {
        let game = Game::begin(
            Terms::of(Variant::Chess),
            Players::default(),
            Timestamp::default(),
        );
        let config = Config {
            encoding: Some("Only ASCII is written.".to_owned()),
            keeps: false,
            ..Config::default()
        };
        let mut session = Session::new(None, Network::default());
        session.keeper.wants(config.keeps);
        let Scene::Table(table) = session.open(Opening::Game(Box::new(game)), &config) else {
            panic!("a game");
        };
        let said = table.notice.expect("something to say").text;
        assert!(said.contains("Only ASCII is written."), "{said}");
        assert!(said.contains("not kept"), "{said}");
    }
}
