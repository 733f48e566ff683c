//! A server with its own store that can be stopped and restarted, clients that connect to its tables, and a
//! proxy between them that can lose messages.
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::Value;
use touchmove_client::{
    ClientCommand, ConnectOptions, Connection, GuestSecret as Secret, NewTable, PresenceSummary,
    ReceivedRefusal, ServerEvent, SideRequest, TableLink, TermsRequest, create_table,
};
use touchmove_game::{Event, Game, Intent};
use touchmove_rules::Color;
use touchmove_server::{RunningServer, ServerConfig, start};
use touchmove_store::Sqlite;

/// The timeout of a step on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server with its own store.
pub struct House {
    folder: PathBuf,
    address: SocketAddr,
    running: Option<RunningServer>,
}

impl House {
    pub fn open() -> House {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("touchmove-client-{}-{number}", std::process::id());
        let mut house = House {
            folder: std::env::temp_dir().join(name),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            running: None,
        };
        house.again();
        house
    }

    /// Starts the server again, on the same store and address.
    pub fn again(&mut self) {
        let began = Instant::now();
        let store = loop {
            match Sqlite::open(self.folder.join("touchmove.db")) {
                Ok(store) => break store,
                Err(error) => assert!(began.elapsed() < PATIENCE, "{error}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let settings = ServerConfig {
            listen: self.address,
            ..ServerConfig::default()
        };
        let running = start(Arc::new(store).into(), settings).unwrap();
        self.address = running.address();
        self.running = Some(running);
    }

    pub fn close(&mut self) {
        self.running = None;
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Creates a table, and returns the secrets of its two players: White's seat is taken, Black's is open.
    pub fn seats(&self, terms: &str) -> (TableLink, Secret, Secret) {
        let server = TableLink::of("127.0.0.1", self.port(), "new").unwrap();
        let terms: Value = serde_json::from_str(terms).unwrap();
        let text = |key: &str| {
            terms
                .get(key)
                .and_then(|value| Some(value.as_str()?.to_owned()))
        };
        let proposal = NewTable {
            terms: TermsRequest {
                time: text("time"),
                variant: text("variant"),
                ..TermsRequest::default()
            },
            side: SideRequest::White,
            name: Some("Anna".to_owned()),
        };
        let (anna, bea) = (Secret::new(), Secret::new());
        let link = create_table(&server, &anna, &proposal).unwrap();
        (link, anna, bea)
    }

    /// Creates a table with two players.
    pub fn table(&self, terms: &str) -> (Guest, Guest) {
        let (link, anna, bea) = self.seats(terms);
        let anna = Guest::come(visit(link.clone(), &anna));
        (anna, Guest::come(visit(link, &bea)))
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.close();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

pub fn visit(link: TableLink, secret: &Secret) -> ConnectOptions {
    ConnectOptions {
        name: "Bea".to_owned(),
        ..ConnectOptions::of(link, secret.clone())
    }
}

/// A connected player, and the events it has received.
pub struct Guest {
    pub connection: Connection,
    told: Receiver<ServerEvent>,
    pub game: Game,
    pub you: Option<Color>,
    pub events: Vec<Event>,
    pub attendance: PresenceSummary,
    answers: Vec<Option<ReceivedRefusal>>,
    breaks: usize,
    pub has_parted: bool,
}

impl Guest {
    pub fn come(visit: ConnectOptions) -> Guest {
        let (sender, told) = mpsc::channel();
        let connection = Connection::open(visit, move |told| {
            let _ = sender.send(told);
        });
        match told.recv_timeout(PATIENCE) {
            Ok(ServerEvent::Arrived(arrival)) => Guest {
                connection,
                told,
                game: arrival.game,
                you: arrival.you,
                events: Vec::new(),
                attendance: arrival.attendance,
                answers: Vec::new(),
                breaks: 0,
                has_parted: false,
            },
            other => panic!("no arrival: {other:?}"),
        }
    }

    /// Receives events until a condition holds.
    pub fn hears(&mut self, holds: impl Fn(&Guest) -> bool) {
        while !holds(self) {
            match self.told.recv_timeout(PATIENCE) {
                Ok(ServerEvent::Decided { events, .. }) => {
                    for event in &events {
                        self.game.evolve(event).expect("each event follows");
                    }
                    self.events.extend(events);
                }
                Ok(ServerEvent::Arrived(arrival)) => {
                    assert_eq!(arrival.game.seq(), self.game.seq(), "nothing was left out");
                    self.attendance = arrival.attendance;
                }
                Ok(ServerEvent::Answered { denied, .. }) => self.answers.push(denied),
                Ok(ServerEvent::Presence(attendance)) => self.attendance = attendance,
                Ok(ServerEvent::Lost(_)) => self.breaks += 1,
                Ok(ServerEvent::Parted { .. }) => self.has_parted = true,
                Ok(_) => {}
                Err(error) => panic!("{error}: {:?}", self.events),
            }
        }
    }

    pub fn sees_plies(&mut self, plies: usize) {
        self.hears(|guest| guest.game.plies().len() == plies);
    }

    pub fn sees_lost(&mut self) {
        self.hears(|guest| guest.breaks > 0);
    }

    /// The next answer: `None` if accepted, otherwise the refusal.
    pub fn answer(&mut self) -> Option<ReceivedRefusal> {
        self.hears(|guest| !guest.answers.is_empty());
        self.answers.remove(0)
    }

    pub fn say(&self, say: ClientCommand) {
        self.connection.send_command(say, self.game.seq());
    }

    pub fn say_move(&self, text: &str) {
        let mv = self.game.read_move(text).expect("a move");
        self.say(ClientCommand::Wish(Intent::Move(
            self.game.position().uci(mv),
        )));
    }

    pub fn play(&mut self, text: &str) {
        self.say_move(text);
        assert_eq!(self.answer(), None, "{text}");
    }
}

/// A program that writes its messages itself, and the messages it has received.
pub struct Program {
    pub connection: Connection,
    told: Receiver<ServerEvent>,
    pub said: Vec<Value>,
    /// How many commands were unanswered when it closed.
    open: Option<usize>,
}

impl Program {
    pub fn come(visit: ConnectOptions) -> Program {
        let visit = ConnectOptions {
            wants_texts: true,
            ..visit
        };
        let (sender, told) = mpsc::channel();
        let connection = Connection::open(visit, move |told| {
            let _ = sender.send(told);
        });
        Program {
            connection,
            told,
            said: Vec::new(),
            open: None,
        }
    }

    fn hear(&mut self) {
        match self.told.recv_timeout(PATIENCE) {
            Ok(ServerEvent::Text(text)) => self.said.push(serde_json::from_str(&text).unwrap()),
            Ok(ServerEvent::Parted { unanswered }) => self.open = Some(unanswered),
            Ok(ServerEvent::Lost(_)) => {}
            other => panic!("{other:?}: {:?}", self.said),
        }
    }

    /// Receives messages until the last one is as expected.
    pub fn hears(&mut self, is_expected: impl Fn(&Value) -> bool) {
        loop {
            let known = self.said.len();
            self.hear();
            if self.said[known..].iter().any(&is_expected) {
                return;
            }
        }
    }

    /// Receives messages until the connection is closed; returns how many commands were unanswered.
    pub fn leaves(&mut self) -> usize {
        loop {
            match self.open {
                Some(open) => return open,
                None => self.hear(),
            }
        }
    }
}

/// A proxy that can lose answers and requests: what comes from one side is dropped. After a lost answer it
/// closes the connection.
pub struct Proxy {
    port: u16,
    is_deaf: Arc<AtomicBool>,
    is_mute: Arc<AtomicBool>,
}

impl Proxy {
    pub fn to(port: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (is_deaf, is_mute) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let proxy = Proxy {
            port: listener.local_addr().unwrap().port(),
            is_deaf: Arc::clone(&is_deaf),
            is_mute: Arc::clone(&is_mute),
        };
        std::thread::spawn(move || {
            for near in listener.incoming() {
                let near = near.unwrap();
                let Ok(far) = TcpStream::connect(("127.0.0.1", port)) else {
                    continue;
                };
                let back = (far.try_clone().unwrap(), near.try_clone().unwrap());
                let (is_deaf, is_mute) = (Arc::clone(&is_deaf), Arc::clone(&is_mute));
                std::thread::spawn(move || pump(near, far, None, Some(is_mute)));
                std::thread::spawn(move || pump(back.0, back.1, Some(is_deaf), None));
            }
        });
        proxy
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Drops the next answer of the server, and closes the connection.
    pub fn lose_answers(&self) {
        self.is_deaf.store(true, Ordering::SeqCst);
    }

    /// Drops everything that is sent to the server from now on.
    pub fn lose_questions(&self) {
        self.is_mute.store(true, Ordering::SeqCst);
    }
}

/// Copies bytes from one stream to another.
fn pump(
    mut from: TcpStream,
    mut to: TcpStream,
    is_deaf: Option<Arc<AtomicBool>>,
    is_mute: Option<Arc<AtomicBool>>,
) {
    let mut bytes = [0; 4096];
    loop {
        let count = from.read(&mut bytes).unwrap_or(0);
        let is_mute = is_mute.as_ref();
        if count > 0 && is_mute.is_some_and(|mute| mute.load(Ordering::SeqCst)) {
            continue;
        }
        // A ping has two bytes, and what is lost must be an answer.
        let is_lost = count > 8
            && is_deaf
                .as_ref()
                .is_some_and(|deaf| deaf.swap(false, Ordering::SeqCst));
        if count == 0 || is_lost || to.write_all(&bytes[..count]).is_err() {
            let _ = from.shutdown(Shutdown::Both);
            let _ = to.shutdown(Shutdown::Both);
            return;
        }
    }
}
