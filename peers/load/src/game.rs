//! A table of the generator: two players who play random legal moves, come back when the connection breaks,
//! and begin anew when the game is over. Everything that they learn goes into its record.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::Value;
use tokio::time::{sleep, sleep_until, timeout};

use crate::club::{GameSpeed, LoadGenerator};
use crate::net::NodeAddress;
use crate::player::{Choice, Pending, Player};
use crate::record::{AcceptedCommand, ReceivedEvent, Record, RefusedCommand, Side, id, mark, wall};
use crate::scan::{self, MessageKind};
use crate::tables::{self, SeatedPlayer};

/// How long a player waits before he knocks again at a door that was closed.
const RECONNECT_DELAY: Duration = Duration::from_millis(10);
/// How long a player waits before he repeats what the server could not do.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// How long nothing may happen at a table before its players look for another node.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// How often a node may be asked in vain before its players look for another one.
const MAX_FAILED_ATTEMPTS: u32 = 5;

/// What a table hears or has to do.
enum Next {
    Heard(Side, io::Result<Bytes>),
    Due,
}

/// How a stay at a table ended.
enum ConnectionEnd {
    Broken,
    Ended,
}

/// A table of the generator.
pub struct Game {
    club: Rc<LoadGenerator>,
    terms: String,
    players: [Player; 2],
    record: Rc<RefCell<Record>>,
    luck: fastrand::Rng,
    plies: usize,
    /// When the last move was meant to be made.
    beat: Instant,
    /// Who he is among all tables.
    number: usize,
    /// How often in a row the server could not do what it was asked for.
    in_vain: u32,
}

impl Game {
    /// Two players without a table.
    pub fn new(club: &Rc<LoadGenerator>, number: usize) -> Game {
        let mut luck =
            fastrand::Rng::with_seed(club.seed ^ (number as u64).wrapping_mul(0x9e37_79b9));
        let players = Side::BOTH.map(|side| {
            let secret: String = (0..24).map(|_| luck.alphanumeric()).collect();
            let way = NodeAddress::new(club.node(number + side.index()), number);
            Player::new(side, format!("guest_{secret}"), way)
        });
        Game {
            terms: club.terms(number),
            club: Rc::clone(club),
            players,
            record: Rc::default(),
            luck,
            plies: 0,
            beat: Instant::now(),
            number,
            in_vain: 0,
        }
    }

    /// Each player looks for another node, by luck.
    fn roam(&mut self) {
        self.in_vain = 0;
        for player in &mut self.players {
            let node = self.club.node(self.luck.usize(..1_000));
            player.way = NodeAddress::new(node, self.number);
        }
    }

    /// Plays game after game until it is dropped.
    pub async fn play(mut self) {
        loop {
            if self.club.is_closed() {
                sleep(RECONNECT_DELAY).await;
                continue;
            }
            let roams = self.club.roams;
            let arrive = async {
                if self.record.borrow().game.is_empty() {
                    self.open().await?;
                }
                let game = self.record.borrow().game.clone();
                let [white, black] = &mut self.players;
                let (white, black) = tokio::join!(white.connect(&game), black.connect(&game));
                white.and(black)
            };
            let arrived = match roams {
                true => timeout(IDLE_TIMEOUT, arrive)
                    .await
                    .unwrap_or_else(|_| Err(anyhow::anyhow!("a node does not answer"))),
                false => arrive.await,
            };
            let stay = match arrived {
                Ok(()) => Ok(self.stay().await),
                Err(error) => Err(error),
            };
            match stay {
                Ok(ConnectionEnd::Ended) => {
                    let mut tally = self.club.tally.borrow_mut();
                    tally.ended += 1;
                    drop(tally);
                    self.leave();
                }
                Ok(ConnectionEnd::Broken) => self.club.tally.borrow_mut().broken += 1,
                Err(error) => {
                    self.club.trouble(&error);
                    sleep(RECONNECT_DELAY).await;
                }
            }
            for player in &mut self.players {
                player.go();
            }
            if self.club.roams {
                self.roam();
            }
        }
    }

    /// Makes a table and sits down at it.
    async fn open(&mut self) -> anyhow::Result<()> {
        let [white, black] = &self.players;
        let [white, black] = [white, black].map(|player| SeatedPlayer {
            way: &player.way,
            secret: &player.secret,
        });
        let game = tables::open(white, black, &self.terms).await?;
        let mut record = self.record.borrow_mut();
        record.game = game;
        self.club.records.borrow_mut().push(Rc::clone(&self.record));
        self.club.tally.borrow_mut().tables += 1;
        Ok(())
    }

    /// Leaves a table whose game is over.
    fn leave(&mut self) {
        self.record = Rc::default();
        self.plies = 0;
        for player in &mut self.players {
            player.sits_anew();
        }
    }

    /// Plays at a table until the game is over or the connection breaks.
    async fn stay(&mut self) -> ConnectionEnd {
        let mut heard_at = Instant::now();
        loop {
            if self.record.borrow().has_ended
                && self.players.iter().all(|one| one.pending.is_none())
            {
                return ConnectionEnd::Ended;
            }
            let due = self.players.iter().filter_map(Player::due).min();
            let due = due.filter(|_| !self.club.is_quiet());
            let [white, black] = &mut self.players;
            let next = tokio::select! {
                heard = white.next_message() => Next::Heard(Side::White, heard),
                heard = black.next_message() => Next::Heard(Side::Black, heard),
                () = sleep_until(due.unwrap_or_else(Instant::now).into()), if due.is_some() => Next::Due,
                () = sleep_until((heard_at + IDLE_TIMEOUT).into()), if self.club.roams => return ConnectionEnd::Broken,
            };
            if matches!(next, Next::Heard(..)) {
                heard_at = Instant::now();
            }
            let went = match next {
                Next::Heard(side, Ok(text)) => self.heard(side, &text).await,
                Next::Heard(_, Err(error)) => Err(error),
                Next::Due => self.act().await,
            };
            if went.is_err() || (self.club.roams && self.in_vain >= MAX_FAILED_ATTEMPTS) {
                return ConnectionEnd::Broken;
            }
        }
    }

    /// Does what is due.
    async fn act(&mut self) -> io::Result<()> {
        let now = Instant::now();
        for player in &mut self.players {
            if player.due().is_some_and(|due| due <= now) {
                let acted = match player.pending {
                    Some(_) => player.act_again().await,
                    None => player.act().await,
                };
                // It may have arrived even if the connection broke.
                self.record.borrow_mut().sent[player.side.index()] = player.sent;
                acted?;
            }
        }
        Ok(())
    }

    async fn heard(&mut self, side: Side, text: &[u8]) -> io::Result<()> {
        match scan::kind(text) {
            MessageKind::Decided => {
                self.hear_events(side, text);
                let other = &mut self.players[side.other().index()];
                if let Some((number, sent)) = other.untold
                    && scan::word(text, "\"id\":\"") == Some(&id(other.side, number))
                {
                    other.untold = None;
                    self.club.tally.borrow_mut().told.push(sent.elapsed());
                }
                // What is not answered yet is not chosen again, unless the opponent has replied to it.
                let is_reply = |event: &[u8]| {
                    scan::has(event, "\"event\":\"moved\"")
                        && scan::word(event, "\"by\":\"") == Some(side.other().name())
                };
                let is_free = self.players[side.index()].pending.is_none();
                if is_free || scan::events(text).any(is_reply) {
                    self.choose(side, text);
                }
            }
            MessageKind::Answer => {
                if !self.answered(side, text) {
                    // How does it stand, then?
                    let player = &mut self.players[side.index()];
                    player.send(r#"{"command":"state"}"#).await?;
                }
            }
            MessageKind::State => {
                self.hear_state(side, text)?;
                let player = &mut self.players[side.index()];
                match player.pending {
                    Some(_) => player.act_again().await?,
                    None => self.choose(side, text),
                }
            }
            MessageKind::Other => {}
        }
        if self.club.pace == GameSpeed::Flat && !self.club.is_quiet() {
            let player = &mut self.players[side.index()];
            if player.pending.is_none() && player.choice.is_some() {
                let acted = player.act().await;
                self.record.borrow_mut().sent[side.index()] = player.sent;
                acted?;
            }
        }
        Ok(())
    }

    /// Notes what a player is told.
    fn hear_events(&mut self, side: Side, text: &[u8]) {
        let player = &mut self.players[side.index()];
        let mut record = self.record.borrow_mut();
        for event in scan::events(text) {
            let seq = scan::number(event, "\"seq\":").unwrap_or(0);
            if seq != player.seen + 1 && player.seen > 0 {
                let seen = player.seen;
                record.violation(format_args!(
                    "{side} was told event {seq} after event {seen}"
                ));
            }
            player.seen = seq;
            let mark = mark(event);
            record.told[side.index()].push(ReceivedEvent { seq, mark });
            if scan::has(event, "\"event\":\"ended\"") {
                record.has_ended = true;
            }
            if side == Side::White && scan::has(event, "\"event\":\"moved\"") {
                self.plies += 1;
            }
        }
    }

    /// Chooses a move, if this message has any.
    fn choose(&mut self, side: Side, text: &[u8]) {
        let Some(uci) = scan::pick(text, &mut self.luck) else {
            return;
        };
        let uci = (self.plies < self.club.most_plies).then_some(uci);
        let when = match self.club.pace {
            GameSpeed::Flat => Instant::now(),
            GameSpeed::Every(pause) => {
                // The beat is kept, give or take: a game that was held up does not hurry afterwards.
                self.beat += pause.mul_f64(0.5 + self.luck.f64());
                self.beat = self.beat.max(Instant::now());
                self.beat
            }
        };
        self.players[side.index()].choice = Some(Choice { uci, when });
    }

    /// Notes the answer to what a player has sent; whether the player knows how it stands.
    fn answered(&mut self, side: Side, text: &[u8]) -> bool {
        let player = &mut self.players[side.index()];
        let Some(pending) = player.pending.take() else {
            return true;
        };
        let mut record = self.record.borrow_mut();
        let said = scan::word(text, "\"id\":\"").unwrap_or_default();
        if said != id(side, pending.number) {
            // Whoever sends something twice is answered twice.
            let is_old = said.get(1..).and_then(|number| number.parse::<u64>().ok());
            if is_old.is_none_or(|number| number >= pending.number) {
                let text = String::from_utf8_lossy(text);
                record.violation(format_args!("{} was answered with {text}", pending.text));
            }
            player.pending = Some(pending);
            return true;
        }
        let mut tally = self.club.tally.borrow_mut();
        let seq = scan::number(text, "\"seq\":");
        if let (true, Some(seq)) = (scan::has(text, "\"accepted\":true"), seq) {
            self.in_vain = 0;
            tally.granted += 1;
            tally.repeated += u64::from(scan::has(text, "\"repeated\":true"));
            let Pending {
                number,
                uci,
                sent,
                sent_at,
                is_resent,
                ..
            } = pending;
            if !is_resent {
                tally.answered.push(sent.elapsed());
            }
            record.granted.push(AcceptedCommand {
                by: side,
                number,
                seq,
                uci,
                sent: sent_at,
                answered: wall(),
            });
            return true;
        }
        let reason = scan::word(text, "\"reason\":\"").unwrap_or("none");
        *tally.refusals.entry(reason.to_owned()).or_default() += 1;
        if reason == "try_again" {
            self.in_vain += 1;
            player.pending = Some(pending);
            player.put_off(RETRY_DELAY);
            return true;
        }
        let number = pending.number;
        record.refused.push(RefusedCommand { by: side, number });
        match reason {
            "game_over" | "flag_fallen" => record.is_called_over = true,
            _ => {
                let text = String::from_utf8_lossy(text);
                record.violation(format_args!("{} was refused: {text}", pending.text));
            }
        }
        false
    }

    /// Notes how everything stands, as one is told on coming.
    fn hear_state(&mut self, side: Side, text: &[u8]) -> io::Result<()> {
        let stands: Value = serde_json::from_slice(text).map_err(io::Error::other)?;
        if stands["events"].is_array() {
            self.hear_events(side, text);
        }
        let player = &mut self.players[side.index()];
        let mut record = self.record.borrow_mut();
        let state = &stands["state"];
        if stands["you"] != side.name() {
            let you = &stands["you"];
            record.violation(format_args!("the seat of {side} is another's: {you}"));
        }
        let seq = state["seq"].as_u64().unwrap_or(0);
        if seq < player.seen {
            let seen = player.seen;
            record.violation(format_args!(
                "{side} had seen event {seen}, and now there are {seq}"
            ));
        }
        if stands["events"].is_array() && player.seen != seq {
            let seen = player.seen;
            record.violation(format_args!(
                "{side} was told everything up to event {seen}, and there are {seq}"
            ));
        }
        player.seen = seq;
        self.plies = usize::try_from(state["plies"].as_u64().unwrap_or(0)).unwrap_or(0);
        if state["status"] != "ongoing" {
            record.has_ended = true;
        }
        Ok(())
    }
}
