//! The event loop of the full screen, the only place that knows the terminal, the time and the disk. It passes
//! messages to the update, carries out effects, and draws when something has changed. Decides nothing.

use std::any::Any;
use std::io::{self, Write, stdout};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ratatui::crossterm::{event, terminal};
use ratatui::layout::Size;
use touchmove_client::{ConnectOptions, NewTable, ServerEvent, TableLink};
use touchmove_game::{Game, Timestamp, journal};
use touchmove_text::display_path;

use crate::autosave::{SaveDir, UnfinishedGame};
use crate::background_analysis::BackgroundAnalysis;
use crate::bounded_file::{self, MAX_FILE_BYTES};
use crate::config::Config;
use crate::game_saver::{GameSaver, NO_FOLDER_TEXT, SaveStatus, shorten_home};
use crate::library;
use crate::network_input::{MAX_QUEUED, NetworkGameError};
use crate::opponents::{CoachThread, ENGINE_TIMEOUTS, OpponentThread};
use crate::screen::clipboard;
use crate::screen::config_warnings;
use crate::screen::exit_message::exit_message;
use crate::screen::game_list::{GameCollection, GameList, ReturnTo};
use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::late_reply_filter::LateReplyFilter;
use crate::screen::message::{Effect, Message};
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::network::{ActiveConnection, HostedTable, Network};
use crate::screen::renderer::Renderer;
use crate::screen::start_screen::{ResumableGame, StartScreen};
use crate::screen::terminal::{TerminalGuard, retake, suspend};
use crate::screen::update;
use crate::signals::{self, JobSignal, Signal};

/// The shortest time for a computer's answer, so that people can follow.
const MIN_COMPUTER_DELAY: Duration = Duration::from_millis(400);

/// The longest configuration warning on the game screen, in bytes.
const MAX_CONFIG_WARNINGS: usize = 150;

/// The screen to start with.
#[derive(Clone, PartialEq, Debug)]
pub enum InitialScreen {
    /// The start screen.
    StartScreen,
    /// This game, possibly with moves made already.
    Game(Box<Game>),
    /// The unfinished game in this journal.
    Resume(PathBuf),
    /// The library.
    Library,
}

/// An input event of the loop.
enum LoopEvent {
    Message(Message),
    /// A server event; the number says which connection it belongs to.
    Told(u64, ServerEvent),
    /// The result of hosting a table.
    Hosted(Result<HostedTable, String>),
    Leave(Option<Signal>),
    /// The shell stops the program, or continues it.
    Job(JobSignal),
}

/// Runs the full screen until the players quit or a signal comes.
///
/// # Errors
/// If the terminal cannot be used.
pub fn run(
    opening: InitialScreen,
    config: Config,
    shelf: Option<SaveDir>,
    network: Network,
) -> io::Result<ExitSummary> {
    let mut session = EventLoop::new(shelf, network);
    session.keeper.set_enabled(config.keeps);
    let scene = session.open(opening, &config);
    session.show(scene, config)
}

/// Plays or watches at a table on the network, on the full screen, until the player quits or a signal comes. A
/// `server` that is passed in serves this table, and stops when it is left.
///
/// # Errors
/// If the table cannot be reached, or the terminal cannot be used.
pub fn run_network_game(
    visit: ConnectOptions,
    server: Option<Box<dyn Any + Send>>,
    config: Config,
    shelf: Option<SaveDir>,
    network: Network,
) -> Result<ExitSummary, NetworkGameError> {
    let mut session = EventLoop::new(shelf, network);
    let hosts = server.is_some();
    session.server = server;
    session.run_network_game(visit);
    let told = loop {
        match session.inputs.recv() {
            Ok(LoopEvent::Told(_, ServerEvent::Over(why))) => {
                return Err(NetworkGameError::NoTable(why));
            }
            Ok(LoopEvent::Told(_, told @ ServerEvent::Arrived(_))) => break told,
            Ok(_) => {}
            Err(_) => {
                return Err(NetworkGameError::NoTable(
                    "nothing is heard of the table".into(),
                ));
            }
        }
    };
    let start = StartScreen::new(config.form.clone(), None);
    let mut model = session.model(
        ActiveScreen::Start(Box::new(start)),
        config,
        Size::default(),
    );
    model.hosts = hosts;
    update(&mut model, session.now(), Message::Told(Box::new(told)));
    Ok(session.show_model(model)?)
}

/// The result of a run of the full screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitSummary {
    /// The text to print after the full screen is closed.
    pub words: Option<String>,
    /// The signal that ended the run, if there was one.
    pub signal: Option<Signal>,
}

/// Why a file of games cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenFileError {
    /// There is no such game, or its start cannot be set up; the sentence says which.
    #[error("{0}")]
    NoGame(String),
    /// The terminal cannot be used.
    #[error(transparent)]
    Terminal(#[from] io::Error),
}

/// Opens a file of games on the full screen, at the game with this number, counted from 0, or at the list of all.
///
/// # Errors
/// If there is no such game, if it cannot be set up, or if the terminal cannot be used.
pub fn open_file(
    collection: GameCollection,
    game: Option<usize>,
    config: Config,
) -> Result<ExitSummary, OpenFileError> {
    let count = collection.list().len();
    if game.unwrap_or(0) >= count {
        let sentence = format!("{} has {count} games.", collection.name());
        return Err(OpenFileError::NoGame(sentence));
    }
    let mut contents = GameList::new(collection, ReturnTo::Out);
    contents.choose(game.unwrap_or(0));
    let scene = match game {
        None if count > 1 => ActiveScreen::Contents(Box::new(contents)),
        _ => {
            let (game, study) = contents.open().map_err(OpenFileError::NoGame)?;
            ActiveScreen::Table(Box::new(GameScreen::for_study(
                game,
                study,
                Timestamp::default(),
            )))
        }
    };
    Ok(EventLoop::new(None, Network::default()).show(scene, config)?)
}

/// The state of a run: its clock, and its files.
struct EventLoop {
    began: Instant,
    keeper: GameSaver,
    /// All input events.
    inputs: Receiver<LoopEvent>,
    sender: SyncSender<LoopEvent>,
    longer_look: BackgroundAnalysis,
    sparring: OpponentThread,
    coach: CoachThread,
    network: Network,
    visiting: Option<ActiveConnection>,
    /// The number of connections so far.
    visits: u64,
    /// The server of the current table, if this program hosts it.
    server: Option<Box<dyn Any + Send>>,
}

impl EventLoop {
    fn new(shelf: Option<SaveDir>, network: Network) -> EventLoop {
        let (sender, inputs) = mpsc::sync_channel(MAX_QUEUED);
        let to_loop = sender.clone();
        let longer_look = BackgroundAnalysis::begin(move |finding| {
            let message = Message::LookedInto(Box::new(finding));
            // Fails only after the loop has ended.
            let _ = to_loop.send(LoopEvent::Message(message));
        });
        let to_loop = sender.clone();
        let sparring = OpponentThread::begin(MIN_COMPUTER_DELAY, ENGINE_TIMEOUTS, move |reply| {
            // Fails only after the loop has ended.
            let _ = to_loop.send(LoopEvent::Message(Message::Answered(Box::new(reply))));
        });
        let to_loop = sender.clone();
        let coach = CoachThread::begin(move |said| {
            // Fails only after the loop has ended.
            let _ = to_loop.send(LoopEvent::Message(Message::Advised(Box::new(said))));
        });
        EventLoop {
            sparring,
            coach,
            inputs,
            sender,
            longer_look,
            began: Instant::now(),
            keeper: GameSaver::new(shelf),
            network,
            visiting: None,
            visits: 0,
            server: None,
        }
    }

    /// Connects to a table, and disconnects from the one before.
    fn run_network_game(&mut self, visit: ConnectOptions) {
        self.visits += 1;
        let (number, to_loop) = (self.visits, self.sender.clone());
        self.visiting = Some(ActiveConnection::begin(visit, move |told| {
            // Fails only after the loop has ended.
            let _ = to_loop.send(LoopEvent::Told(number, told));
        }));
    }

    /// Joins the table of a link. At the same server the player keeps their identity.
    fn join(&mut self, link: TableLink, name: &str) -> Result<(), String> {
        let visit = match self.visiting.take() {
            Some(before) if before.is_at(&link) => before.next(link),
            _ => ConnectOptions {
                name: name.to_owned(),
                ..ConnectOptions::of(link.clone(), self.network.guest(&link, name)?)
            },
        };
        self.run_network_game(visit);
        Ok(())
    }

    /// Hosts a table; the server starts on a thread of its own.
    fn host(&self, proposal: Box<NewTable>) -> Result<(), String> {
        let Some(host) = self.network.host.clone() else {
            return Err("No table can be served here.".to_owned());
        };
        let to_loop = self.sender.clone();
        thread::spawn(move || {
            // Fails only after the loop has ended.
            let _ = to_loop.send(LoopEvent::Hosted(host(&proposal)));
        });
        Ok(())
    }

    /// The messages for an input event; an error ends the loop.
    fn messages(&mut self, input: LoopEvent) -> Result<Vec<Message>, Option<Signal>> {
        Ok(match input {
            LoopEvent::Message(message) => vec![message],
            LoopEvent::Told(number, told) if number == self.visits && self.visiting.is_some() => {
                vec![Message::Told(Box::new(told))]
            }
            LoopEvent::Told(..) => Vec::new(),
            LoopEvent::Hosted(Ok(hosted)) => {
                self.server = Some(hosted.server);
                self.run_network_game(hosted.visit);
                vec![Message::Hosting]
            }
            LoopEvent::Hosted(Err(sentence)) => vec![Message::Failed(sentence)],
            LoopEvent::Leave(signal) => return Err(signal),
            LoopEvent::Job(_) => Vec::new(),
        })
    }

    fn now(&self) -> Timestamp {
        let passed = self.began.elapsed().as_millis();
        Timestamp(u64::try_from(passed).unwrap_or(u64::MAX))
    }

    /// Shows a screen and what follows from it, until the players quit.
    fn show(&mut self, scene: ActiveScreen, config: Config) -> io::Result<ExitSummary> {
        let model = self.model(scene, config, Size::default());
        self.show_model(model)
    }

    fn show_model(&mut self, mut model: Model) -> io::Result<ExitSummary> {
        let (columns, rows) = terminal::size()?;
        model.size = Size::new(columns, rows);
        let guard = TerminalGuard::take()?;
        let result = self.play(&mut model);
        drop(guard);
        let signal = result?;
        let words = exit_message(&model, &self.keeper);
        self.keeper.close_journal();
        Ok(ExitSummary { words, signal })
    }

    /// The screen to start with.
    fn open(&mut self, opening: InitialScreen, config: &Config) -> ActiveScreen {
        match opening {
            InitialScreen::StartScreen => {
                let (waiting, warnings) = self.look_for_games();
                let mut start = StartScreen::new(config.form.clone(), waiting);
                let said: Vec<String> = config.encoding.iter().cloned().chain(warnings).collect();
                start.notice = (!said.is_empty()).then(|| said.join(" "));
                start.faults.clone_from(&config.faults);
                ActiveScreen::Start(Box::new(start))
            }
            InitialScreen::Game(game) => {
                let lines = journal::rewrite(&game);
                let mut table = GameScreen::new(*game, self.now());
                table.auto_flip = config.auto_flip;
                let mut said: Vec<String> = config.encoding.iter().cloned().collect();
                said.extend(config_warnings::limited(&config.faults, |text| {
                    text.len() <= MAX_CONFIG_WARNINGS
                }));
                if let Some(SaveStatus::Lost(why)) = self.keeper.begin(&lines) {
                    // It stays visible when the other messages have been read.
                    said.push(why.clone());
                    table.unkept = Some(why);
                }
                if !said.is_empty() {
                    table.set_notice(Tone::Alarm, said.join(" "));
                }
                ActiveScreen::Table(Box::new(table))
            }
            InitialScreen::Resume(path) => match self.keeper.resume(&path) {
                Ok((game, warning)) => {
                    let mut table = GameScreen::new(game, self.now());
                    table.auto_flip = config.auto_flip;
                    if let Some(warning) = warning {
                        table.set_notice(Tone::Alarm, warning);
                    }
                    ActiveScreen::Table(Box::new(table))
                }
                Err(why) => {
                    let mut start = StartScreen::new(config.form.clone(), None);
                    start.notice = Some(why);
                    ActiveScreen::Start(Box::new(start))
                }
            },
            InitialScreen::Library => {
                let (files, fault) = match self.library() {
                    Ok(files) => (files, None),
                    Err(why) => (Vec::new(), Some(why)),
                };
                let games = GameCollection::of_files(library::LIBRARY_FOLDER, files);
                let mut contents = GameList::new(games, ReturnTo::Out);
                contents.notice = fault;
                ActiveScreen::Contents(Box::new(contents))
            }
        }
    }

    /// The initial model.
    fn model(&self, scene: ActiveScreen, config: Config, size: Size) -> Model {
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

    /// The games that can be resumed, and warnings about journals.
    fn look_for_games(&self) -> (Vec<ResumableGame>, Vec<String>) {
        let survey = self.keeper.scan_journals();
        let waits = |UnfinishedGame { game, path, date }| ResumableGame { game, path, date };
        let waiting = survey.waiting.into_iter().map(waits).collect();
        (waiting, survey.warnings)
    }

    fn play(&mut self, model: &mut Model) -> io::Result<Option<Signal>> {
        let mut stage = Renderer::new(model)?;
        stage.draw(model)?;
        // The thread that reads keys starts only after the terminal has answered.
        let keys = stage.on_terminal_reply(model)?;
        stage.draw(model)?;
        listen(&self.sender, model.size)?;
        let mut pending = vec![LoopEvent::Message(Message::Time)];
        pending.extend(keys.into_iter().map(Message::Key).map(LoopEvent::Message));
        loop {
            let mut is_changed = false;
            for input in pending {
                if let LoopEvent::Job(job) = input {
                    match job {
                        JobSignal::Stop => suspend(&mut stage)?,
                        JobSignal::Wake => retake(&mut stage)?,
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
            // Takes a bounded number of events at once, so that a server which never stops sending cannot starve
            // the keyboard.
            pending.extend(self.inputs.try_iter().take(MAX_QUEUED));
        }
    }

    /// Waits for the next event, at most until the next wake-up. `None` if the channel is closed.
    fn wait(&self, model: &Model) -> Option<LoopEvent> {
        let Some(wake) = model.next_wakeup() else {
            return self.inputs.recv().ok();
        };
        match self
            .inputs
            .recv_timeout(Duration::from_millis(wake.since(self.now()).0))
        {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => Some(LoopEvent::Message(Message::Time)),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Carries out an effect; its result is a message.
    fn carry_out(&mut self, effect: Effect) -> io::Result<Option<Message>> {
        let outcome = match effect {
            Effect::Draw | Effect::Quit | Effect::Suspend => Ok(None),
            Effect::Begin(lines) => Ok(save_status_message(self.keeper.begin(&lines))),
            Effect::Resume(path) => self
                .keeper
                .resume(&path)
                .map(|(game, warning)| Some(Message::Resumed(Box::new(game), warning))),
            Effect::Discard(path) => match self.keeper.save_dir().map(|shelf| shelf.discard(&path))
            {
                Some(Err(error)) => Err(format!("{}: {error}.", display_path(&path))),
                _ => Ok(None),
            },
            Effect::Shelve(game) => match self.keeper.archive(&game) {
                Ok(path) => Ok(path.map(Message::Shelved)),
                Err(why) => Ok(Some(Message::Unkept(why))),
            },
            Effect::PutIn(game) => self
                .keeper
                .add_to_library(&game)
                .map(|path| path.map(Message::Shelved)),
            Effect::LookLonger(question) => {
                self.longer_look.submit(*question);
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
                self.coach.cancel();
                Ok(None)
            }
            Effect::Record(lines) => Ok(save_status_message(self.keeper.record(&lines))),
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
                write!(stdout(), "{}", clipboard::copy_sequence(&text))?;
                stdout().flush()?;
                Ok(None)
            }
            Effect::Save { name, pgn } => match self.keeper.save_dir() {
                None => Err(format!("{NO_FOLDER_TEXT} Or type save and a path.")),
                Some(shelf) => match shelf.save(&name, &pgn) {
                    Ok(path) => Ok(Some(Message::Saved(path))),
                    Err(error) => Err(format!(
                        "The game is not saved: {}: {error}. Type save and a path.",
                        display_path(shelf.folder())
                    )),
                },
            },
            Effect::Open(path) => {
                let path = shorten_home(&path);
                match bounded_file::read(&path, MAX_FILE_BYTES) {
                    Ok(bytes) => Ok(Some(Message::Opened(path, bytes))),
                    Err(error) => Err(format!("{}: {error}.", display_path(&path))),
                }
            }
            Effect::Join { link, name } => self.join(link, &name).map(|()| None),
            Effect::Host(proposal) => self.host(proposal).map(|()| None),
            Effect::Say { say, seen } => {
                if let Some(visiting) = &self.visiting {
                    visiting.connection().send_command(say, seen);
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
                self.keeper.close_journal();
                Ok(Some(Message::Found(self.look_for_games().0)))
            }
        };
        Ok(outcome.unwrap_or_else(|sentence| Some(Message::Failed(sentence))))
    }

    fn library(&self) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
        let Some(shelf) = self.keeper.save_dir() else {
            return Err("There is no library: set HOME or XDG_DATA_HOME.".to_owned());
        };
        library::files(shelf).map_err(|error| format!("{}: {error}.", display_path(shelf.folder())))
    }
}

/// The message for a change in saving.
fn save_status_message(keeping: Option<SaveStatus>) -> Option<Message> {
    Some(match keeping? {
        SaveStatus::Lost(why) => Message::Unkept(why),
        SaveStatus::Again => Message::Kept,
    })
}

/// Starts the threads that read the terminal and wait for signals. If the window no longer has the size that was
/// `painted`, sends a resize event, because the change came before anybody listened.
fn listen(sender: &SyncSender<LoopEvent>, painted: Size) -> io::Result<()> {
    let to_loop = sender.clone();
    signals::listen(move |signal| {
        // Fails only after the loop has ended.
        let _ = to_loop.send(LoopEvent::Leave(Some(signal)));
    })?;
    let to_loop = sender.clone();
    signals::listen_to_shell(move |job| {
        // Fails only after the loop has ended.
        let _ = to_loop.send(LoopEvent::Job(job));
    })?;
    let sender = sender.clone();
    thread::spawn(move || {
        // From here on size changes are reported.
        let _ = event::poll(Duration::ZERO);
        if let Ok((columns, rows)) = terminal::size()
            && painted != Size::new(columns, rows)
        {
            // Fails only after the loop has ended.
            let _ = sender.send(LoopEvent::Message(Message::Resize(columns, rows)));
        }
        let mut straggler = LateReplyFilter::default();
        while let Ok(event) = event::read() {
            let message = match event {
                event::Event::Key(key) if straggler.consumes(&key, Instant::now()) => continue,
                event::Event::Key(key) => Message::Key(key),
                event::Event::Mouse(mouse) => Message::Mouse(mouse),
                event::Event::Paste(text) => Message::Paste(text),
                event::Event::Resize(columns, rows) => Message::Resize(columns, rows),
                event::Event::FocusGained | event::Event::FocusLost => continue,
            };
            if sender.send(LoopEvent::Message(message)).is_err() {
                return;
            }
        }
        // The terminal is gone.
        let _ = sender.send(LoopEvent::Leave(None));
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
        let mut session = EventLoop::new(None, Network::default());
        session.keeper.set_enabled(config.keeps);
        let ActiveScreen::Table(table) = session.open(InitialScreen::Game(Box::new(game)), &config)
        else {
            panic!("a game");
        };
        let said = table.notice.expect("something to say").text;
        assert!(said.contains("Only ASCII is written."), "{said}");
        assert!(said.contains("not kept"), "{said}");
    }
}
