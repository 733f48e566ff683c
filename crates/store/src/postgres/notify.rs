//! Notifications between nodes by `LISTEN` and `NOTIFY`, for clusters without another message broker. They are
//! hints: a lost one loses no move, because nodes also poll the games that they serve.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::select;
use tokio::sync::{Notify, broadcast};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Socket, tls};

use crate::{GameId, limits};

/// The most bytes of a notification; PostgreSQL's limit is just below 8,000.
const MAX_PAYLOAD_BYTES: usize = 7_900;
/// How many messages may wait to be sent; more are dropped.
const MAX_QUEUED_MESSAGES: usize = 8_192;
/// The prefix of a line of the payload that is a message of another node.
const MESSAGE_LINE_PREFIX: char = '=';
/// How many notifications a listener may lag behind before it gets [`StoreNotification::Gap`].
const LISTENER_QUEUE_SIZE: usize = 4_096;
/// The delay between two attempts to connect.
const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// What a listener receives.
///
/// ```
/// use touchmove_store::StoreNotification;
///
/// let news = StoreNotification::Written { game: "q7LmZx04".parse()?, last: 12 };
/// assert_ne!(news, StoreNotification::Gap);
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreNotification {
    /// Another node has created this game or appended to it.
    Written {
        /// The game.
        game: GameId,
        /// The number of its last event, as far as that node knows.
        last: u64,
    },
    /// A message of another node.
    Said(String),
    /// Notifications may have been missed: read every game that matters. A listener gets this first, and again
    /// whenever the connection was lost or it was too slow.
    Gap,
}

/// A subscription to the notifications of other nodes ([`Postgres::listen`](crate::Postgres::listen)).
#[derive(Debug)]
pub struct NotificationListener {
    heard: broadcast::Receiver<StoreNotification>,
    is_new: bool,
}

impl NotificationListener {
    /// Waits for the next notification; `None` when the store is closed. Cancel safe.
    pub async fn next(&mut self) -> Option<StoreNotification> {
        if std::mem::take(&mut self.is_new) {
            return Some(StoreNotification::Gap);
        }
        match self.heard.recv().await {
            Ok(news) => Some(news),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(StoreNotification::Gap),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

/// The queue of notifications to send, and the broadcast of received ones. Nothing is queued as long as this
/// node has no listener.
#[derive(Default)]
pub(super) struct NotificationQueue {
    open: Mutex<Option<ActiveQueue>>,
    wake: Notify,
    /// Whether the connection is up.
    is_connected: AtomicBool,
}

struct ActiveQueue {
    fresh: PendingNotifications,
    is_quiet: bool,
    heard: broadcast::Sender<StoreNotification>,
}

/// Notifications that are not sent yet.
#[derive(Default)]
struct PendingNotifications {
    /// The newest event number of each game.
    games: HashMap<GameId, u64>,
    words: Vec<String>,
}

impl NotificationQueue {
    /// Queues notifications of writes.
    pub(super) fn queue_write(&self, written: impl IntoIterator<Item = (GameId, u64)>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = &mut *open else { return };
        if open.is_quiet {
            return;
        }
        for (game, last) in written {
            let known = open.fresh.games.entry(game).or_default();
            *known = last.max(*known);
        }
        if !open.fresh.games.is_empty() {
            self.wake.notify_one();
        }
    }

    /// Queues a message. One that is too long or has several lines is dropped.
    pub(super) fn queue_message(&self, word: String) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = &mut *open else { return };
        let fits = word.len() <= limits::MAX_NODE_MESSAGE_BYTES && !word.contains('\n');
        if fits && open.fresh.words.len() < MAX_QUEUED_MESSAGES {
            open.fresh.words.push(word);
            self.wake.notify_one();
        }
    }

    /// Sets whether writes are notified by other means.
    pub(super) fn set_quiet(&self, is_quiet: bool) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &mut *open {
            open.is_quiet = is_quiet;
        }
    }

    /// Whether notifications can be sent and received now.
    pub(super) fn is_connected(&self) -> bool {
        self.is_connected.load(Ordering::Relaxed)
    }

    /// A new listener, and whether it is the first.
    pub(super) fn listen(&self) -> (NotificationListener, bool) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = open.is_none();
        let open = open.get_or_insert_with(|| ActiveQueue {
            fresh: PendingNotifications::default(),
            is_quiet: false,
            heard: broadcast::channel(LISTENER_QUEUE_SIZE).0,
        });
        let listener = NotificationListener {
            heard: open.heard.subscribe(),
            is_new: true,
        };
        (listener, is_first)
    }

    fn receive(&self, news: StoreNotification) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = &*open {
            // There may be no listener any more.
            let _ = open.heard.send(news);
        }
    }

    fn take(&self) -> PendingNotifications {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.as_mut()
            .map(|open| std::mem::take(&mut open.fresh))
            .unwrap_or_default()
    }
}

/// Sends and receives notifications for ever, and reconnects.
pub(super) async fn run(mut config: Config, channel: String, desk: Arc<NotificationQueue>) {
    // Sending a notification need not wait for the disk.
    let options = config.get_options().unwrap_or_default();
    let options = format!("{options} -c synchronous_commit=off");
    config.options(options);
    loop {
        if let Ok((client, connection)) = config.connect(NoTls).await {
            let own = AtomicI32::new(0);
            let hearing = pin!(receive(connection, &channel, &own, &desk));
            let telling = pin!(send(client, &channel, &own, &desk));
            // When either ends, the connection is lost.
            drop(select(hearing, telling).await);
            desk.is_connected.store(false, Ordering::Relaxed);
        }
        tokio::time::sleep(RECONNECT_DELAY).await;
    }
}

/// Drives the connection and broadcasts what other nodes send, until the connection is lost.
async fn receive(
    mut connection: Connection<Socket, tls::NoTlsStream>,
    channel: &str,
    own: &AtomicI32,
    desk: &NotificationQueue,
) {
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(said) = message
            && said.channel() == channel
            && said.process_id() != own.load(Ordering::Relaxed)
        {
            for news in understand(said.payload()) {
                desk.receive(news);
            }
        }
    }
}

fn understand(payload: &str) -> Vec<StoreNotification> {
    let mut news = Vec::new();
    for line in payload.lines() {
        match line.strip_prefix(MESSAGE_LINE_PREFIX) {
            Some(word) => news.push(StoreNotification::Said(word.to_owned())),
            None => news.extend(line.split_ascii_whitespace().map(written)),
        }
    }
    news
}

fn written(word: &str) -> StoreNotification {
    let parts = word.split_once(':');
    let parsed = parts.and_then(|(game, last)| Some((game.parse().ok()?, last.parse().ok()?)));
    // An unknown payload of a newer node: something has happened, so the listener must look.
    parsed.map_or(StoreNotification::Gap, |(game, last)| {
        StoreNotification::Written { game, last }
    })
}

/// Sends the queued notifications until the connection is lost.
async fn send(
    client: Client,
    channel: &str,
    own: &AtomicI32,
    desk: &NotificationQueue,
) -> Result<(), tokio_postgres::Error> {
    let row = client.query_one("SELECT pg_backend_pid()", &[]).await?;
    own.store(row.try_get(0)?, Ordering::Relaxed);
    let quoted = channel.replace('"', "\"\"");
    let listen = format!("LISTEN \"{quoted}\"");
    client.batch_execute(&listen).await?;
    desk.is_connected.store(true, Ordering::Relaxed);
    desk.receive(StoreNotification::Gap);
    let notify = client.prepare("SELECT pg_notify($1, $2)").await?;
    loop {
        for payload in payloads(desk.take()) {
            client.execute(&notify, &[&channel, &payload]).await?;
        }
        desk.wake.notified().await;
    }
}

/// Encodes notifications as payloads within PostgreSQL's limit: `game:last` separated by spaces, and a line for
/// each message.
fn payloads(fresh: PendingNotifications) -> Vec<String> {
    let games = fresh.games.into_iter();
    let games = games.map(|(game, last)| format!("{game}:{last} "));
    let words = fresh.words.into_iter();
    let words = words.map(|word| format!("\n{MESSAGE_LINE_PREFIX}{word}"));
    let mut payloads = vec![String::new()];
    for part in games.chain(words) {
        match payloads.last_mut() {
            Some(payload) if payload.len() + part.len() <= MAX_PAYLOAD_BYTES => {
                payload.push_str(&part);
            }
            _ => payloads.push(part),
        }
    }
    payloads.retain(|payload| !payload.is_empty());
    payloads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(games: HashMap<GameId, u64>) -> PendingNotifications {
        PendingNotifications {
            games,
            words: Vec::new(),
        }
    }

    #[test]
    fn words_are_heard_as_they_were_said_beside_games() {
        let game: GameId = "q7LmZx04".parse().unwrap();
        let words = vec!["{\"one\":1}".to_owned(), "two = 2".to_owned()];
        let fresh = PendingNotifications {
            games: HashMap::from([(game, 7)]),
            words: words.clone(),
        };
        let payloads = payloads(fresh);
        assert_eq!(payloads.len(), 1);
        let mut heard = vec![StoreNotification::Written { game, last: 7 }];
        heard.extend(words.into_iter().map(StoreNotification::Said));
        assert_eq!(understand(&payloads[0]), heard);
    }

    #[test]
    fn what_is_too_long_or_no_line_is_not_said() {
        let desk = NotificationQueue::default();
        desk.queue_message("nobody listens".to_owned());
        let (_listener, _) = desk.listen();
        desk.queue_message("x".repeat(limits::MAX_NODE_MESSAGE_BYTES));
        desk.queue_message("x".repeat(limits::MAX_NODE_MESSAGE_BYTES + 1));
        desk.queue_message("two\nlines".to_owned());
        let payloads = payloads(desk.take());
        assert_eq!(payloads.len(), 1);
        assert!(payloads[0].len() <= MAX_PAYLOAD_BYTES);
    }

    #[test]
    fn news_of_many_games_are_told_in_few_texts_that_are_not_too_long() {
        let fresh: HashMap<GameId, u64> = (0..2_000_u64)
            .map(|n| (format!("{n:08}").parse().unwrap(), u64::MAX - n))
            .collect();
        let payloads = payloads(games(fresh.clone()));
        assert!(payloads.iter().all(|payload| payload.len() < 8_000));
        assert_eq!(payloads.len(), 2_000_usize.div_ceil(MAX_PAYLOAD_BYTES / 30));
        let words: usize = payloads
            .iter()
            .map(|payload| payload.split_ascii_whitespace().count())
            .sum();
        assert_eq!(words, 2_000);
        assert!(super::payloads(PendingNotifications::default()).is_empty());
        for news in understand(&payloads.concat()) {
            let StoreNotification::Written { game, last } = news else {
                panic!("a gap");
            };
            assert_eq!(fresh[&game], last);
        }
        assert_eq!(
            understand("q7LmZx04:1:more not:1"),
            [StoreNotification::Gap, StoreNotification::Gap]
        );
    }

    #[test]
    fn as_long_as_nobody_listens_nothing_is_kept_to_be_told() {
        let desk = NotificationQueue::default();
        let game: GameId = "q7LmZx04".parse().unwrap();
        desk.queue_write([(game, 1)]);
        assert!(desk.take().games.is_empty());
        let (_listener, is_first) = desk.listen();
        assert!(is_first && !desk.listen().1);
        desk.queue_write([(game, 3)]);
        desk.queue_write([(game, 2)]);
        assert_eq!(desk.take().games, HashMap::from([(game, 3)]));
        assert!(desk.take().games.is_empty());
        desk.set_quiet(true);
        desk.queue_write([(game, 4)]);
        assert!(desk.take().games.is_empty());
    }
}
