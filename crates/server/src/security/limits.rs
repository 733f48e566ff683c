//! The configurable limits with their defaults: one list for the settings, their validation and the table in
//! docs/SERVER.md.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;

use crate::security::rate_limit::Rate;

/// The largest allowed value of a limit.
const LARGEST: u32 = 1_000_000;
/// Any positive number.
const ANY: RangeInclusive<u32> = 1..=LARGEST;

/// An invalid limit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("limits.{name} = {value}: it is a number from {} to {}", .range.start(), .range.end())]
pub struct LimitSettingError {
    name: String,
    value: u32,
    range: RangeInclusive<u32>,
}

/// A type of limit.
trait LimitValue: fmt::Display {
    /// The numbers in it, by the names they have in the settings.
    fn numbers(&self, name: &str) -> Vec<(String, u32)>;
}

impl LimitValue for u32 {
    fn numbers(&self, name: &str) -> Vec<(String, u32)> {
        vec![(name.to_owned(), *self)]
    }
}

impl LimitValue for Rate {
    fn numbers(&self, name: &str) -> Vec<(String, u32)> {
        vec![
            (format!("{name}.burst"), self.burst),
            (format!("{name}.per_minute"), self.per_minute),
        ]
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rate { burst, per_minute } = self;
        write!(f, "{{ burst = {burst}, per_minute = {per_minute} }}")
    }
}

/// Declares every limit once: its text, name, type, default and range. The texts are the rows of the table in
/// docs/SERVER.md.
macro_rules! limits {
    ($($(#[doc = $text:literal])+ $name:ident: $kind:ty = $default:expr, $range:expr;)+) => {
        /// The limits of a server, `[limits]` in `server.toml`.
        #[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Limits {
            $($(#[doc = $text])+ pub $name: $kind,)+
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $default,)+ }
            }
        }

        impl Limits {
            /// Refuses numbers that make no sense.
            ///
            /// # Errors
            /// If there is one: which, and what it may be.
            pub fn check(&self) -> Result<(), LimitSettingError> {
                $(check(stringify!($name), &self.$name, $range)?;)+
                Ok(())
            }

            /// Each limit: its name, its default, what it is.
            #[must_use]
            pub fn list() -> Vec<(&'static str, String, String)> {
                let usual = Limits::default();
                vec![$((
                    stringify!($name),
                    usual.$name.to_string(),
                    [$($text.trim()),+].join(" "),
                ),)+]
            }
        }
    };
}

fn check(
    name: &str,
    value: &dyn LimitValue,
    range: RangeInclusive<u32>,
) -> Result<(), LimitSettingError> {
    let wrong = value
        .numbers(name)
        .into_iter()
        .find(|(_, number)| !range.contains(number));
    match wrong {
        None => Ok(()),
        Some((name, value)) => Err(LimitSettingError { name, value, range }),
    }
}

limits! {
    /// New tables, seeks, challenges and tokens from one address; rematches of games with fewer than 20 plies too.
    create: Rate = Rate::new(120, 60), ANY;
    /// Wrong passwords from one address. Right ones are not counted.
    sign_in: Rate = Rate::new(60, 10), ANY;
    /// Wrong passwords for one account from one network.
    sign_in_account: Rate = Rate::new(10, 1), ANY;
    /// Wrong passwords for one account from all networks together from which its owner has not signed in within 30 days.
    sign_in_account_total: Rate = Rate::new(100, 10), ANY;
    /// New accounts from one address.
    register: Rate = Rate::new(60, 20), ANY;
    /// Guests from one address who say what they are called.
    name: Rate = Rate::new(120, 60), ANY;
    /// Questions to the arbiter and reviews from one address.
    ask: Rate = Rate::new(60, 120), ANY;
    /// Reads that cost more than a look-up from one address: exports, journals, lists, pictures,
    /// games that are not in memory, long games. Of many names or tokens in one request, each 10 count as one read.
    read: Rate = Rate::new(300, 300), ANY;
    /// WebSockets and streams opened from one address.
    socket: Rate = Rate::new(300, 300), ANY;
    /// Lines of chat of spectators from one address, at all tables.
    spectator_chat: Rate = Rate::new(60, 60), ANY;
    /// Lines of chat of one speaker at one table.
    chat: Rate = Rate::new(5, 30), ANY;
    /// Messages over one WebSocket. What is more is read later.
    message: Rate = Rate::new(200, 6_000), ANY;
    /// All other requests from one address, apart from moves.
    request: Rate = Rate::new(3_000, 3_000), ANY;
    /// All requests and messages from one address, moves too. What is more is not refused but answered later, unless that
    /// would be later than 2 seconds.
    pace: Rate = Rate::new(3_000, 30_000), ANY;
    /// KiB received from one address, and 4 more for each connection. What is more is read later. Not for trusted proxies.
    receive: Rate = Rate::new(16_384, 122_880), 64..=LARGEST;
    /// How many times the tokens of an address its whole network has: a /24 of IPv4, a /48 of IPv6. An IPv6 address
    /// is counted by its first 64 bits.
    network_factor: u32 = 8, 1..=1_000;
    /// Addresses that each limit remembers. If there are more, those that have used least are forgotten.
    remembered_addresses: u32 = 50_000, 100..=LARGEST;
    /// Connections at once from one address; behind a trusted proxy, WebSockets and answers that are streamed.
    connections_per_address: u32 = 200, ANY;
    /// Open seeks that were made from one address.
    open_seeks_per_address: u32 = 50, ANY;
    /// Percent of `connections` that are kept for people with a seat who come back when the rest is taken.
    reserved_percent: u32 = 5, 0..=50;
    /// Passwords that wait for their turn to be checked, from one address.
    waiting_sign_ins_per_address: u32 = 64, ANY;
    /// Passwords that wait for their turn to be checked.
    waiting_sign_ins: u32 = 512, ANY;
    /// Percent of the processors that paint pictures, as many that load games, and as many with which the computer thinks.
    work_percent: u32 = 50, 1..=100;
    /// Pictures that wait to be painted.
    waiting_pictures: u32 = 128, ANY;
    /// Pictures that wait or are painted for one address.
    waiting_pictures_per_address: u32 = 16, ANY;
    /// Games that wait to be loaded for players who come back to them.
    waiting_players: u32 = 1_024, ANY;
    /// The same that wait or are loaded for one address.
    waiting_players_per_address: u32 = 256, ANY;
    /// Games that wait to be loaded for others: exports, PGN, states.
    waiting_readers: u32 = 256, ANY;
    /// The same that wait or are loaded for one address.
    waiting_readers_per_address: u32 = 8, ANY;
    /// Questions to the arbiter that wait, for each processor.
    waiting_questions: u32 = 8, ANY;
    /// Questions to the arbiter that wait or are answered for one address.
    waiting_questions_per_address: u32 = 8, ANY;
    /// Reviews that wait.
    waiting_reviews: u32 = 16, ANY;
    /// Reviews that wait or are made for one address.
    waiting_reviews_per_address: u32 = 4, ANY;
    /// Fallen flags, and positions that may be dead, that wait to be looked at, of each. A table that finds no room asks again.
    waiting_looks: u32 = 1_024, ANY;
    /// The same of one address.
    waiting_looks_per_address: u32 = 256, ANY;
    /// Seconds that a client has for the head of its next request.
    head_timeout_seconds: u32 = 10, 1..=600;
    /// Seconds that a client has for the body of a request.
    body_timeout_seconds: u32 = 10, 1..=600;
    /// Seconds without progress after which a client that does not read its answer is let go.
    write_timeout_seconds: u32 = 25, 1..=600;
    /// Lines in the log about one address: those that fail2ban counts, and as many others.
    log_per_address: Rate = Rate::new(20, 6), ANY;
    /// How many times the lines of an address its whole network has.
    log_network_factor: u32 = 4, 1..=1_000;
    /// Lines in the log that fail2ban counts, about all addresses.
    log: Rate = Rate::new(200, 120), ANY;
    /// All other lines in the security log: sign-ins, wrong names and the like.
    log_others: Rate = Rate::new(200, 120), ANY;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_make_sense() {
        assert_eq!(Limits::default().check(), Ok(()));
    }

    #[test]
    fn nonsense_is_refused_with_the_name_of_the_limit() {
        let nothing = Limits {
            create: Rate::new(0, 5),
            ..Limits::default()
        };
        assert_eq!(
            nothing.check().unwrap_err().to_string(),
            "limits.create.burst = 0: it is a number from 1 to 1000000"
        );
        let all = Limits {
            reserved_percent: 100,
            ..Limits::default()
        };
        assert_eq!(
            all.check().unwrap_err().to_string(),
            "limits.reserved_percent = 100: it is a number from 0 to 50"
        );
    }

    /// The limits that cannot be configured: what they are, and how much.
    fn constants() -> Vec<(&'static str, String)> {
        use crate::games::{computer, new_game, table, terms_request};
        use crate::listener::paced_stream;
        use crate::{api, arbiter_pool, listener, web};
        use api::bounds;
        let (probes, mine) = (crate::security::PROBE_RATE, api::ws::lobby::MINE_RATE);
        let days = |seconds: u64| seconds / (24 * 60 * 60);
        let window_kib = paced_stream::WINDOW_BYTES as f64 / 1_024.0;
        let received_kib = window_kib / paced_stream::WINDOW.as_secs_f64();
        let is_name =
            |length: &usize| touchmove_accounts::Name::account(&"x".repeat(*length)).is_ok();
        let name_chars = (1..100).filter(is_name).max().unwrap_or_default();
        vec![
            (
                "a request's body",
                format!("{} KiB", api::MAX_BODY_BYTES / 1_024),
            ),
            (
                "a request's head",
                format!(
                    "{} KiB in {} lines",
                    listener::MAX_HEADER_BYTES / 1_024,
                    listener::MAX_HEADERS
                ),
            ),
            (
                "a request's address (path and query)",
                format!("{} KiB", bounds::MAX_TARGET_BYTES / 1_024),
            ),
            (
                "fields of a form or a query, the name of a field, dots in it",
                format!(
                    "{}, {} bytes, {}",
                    bounds::MAX_FIELDS,
                    bounds::MAX_NAME_BYTES,
                    bounds::MAX_NAME_DOTS
                ),
            ),
            (
                "levels and values of a JSON body",
                format!("{}, {}", bounds::MAX_JSON_DEPTH, bounds::MAX_JSON_VALUES),
            ),
            (
                "a message on a WebSocket",
                format!("{} KiB", api::extract::MAX_WS_MESSAGE_BYTES / 1_024),
            ),
            (
                "unread messages of a slow client",
                format!(
                    "{}, then it is sent the newest state instead, once per second at most; {} s for one message, then it is let go",
                    table::UPDATE_QUEUE_SIZE,
                    api::ws::game::SEND_TIMEOUT.as_secs()
                ),
            ),
            (
                "what one connection may send",
                format!("{received_kib} KiB per second, read later beyond that"),
            ),
            (
                "what is read of a connection for which there is no place",
                format!("{} KiB", listener::MAX_REFUSED_BYTES / 1_024),
            ),
            (
                "`/healthz` and `/readyz` from one address",
                format!(
                    "{} at once, {} per minute, answered later beyond that",
                    probes.burst, probes.per_minute
                ),
            ),
            (
                "how often somebody who watches is sent what has happened",
                format!(
                    "every {} ms, everything since then together",
                    api::ws::game::flush::WATCHER_INTERVAL.as_millis()
                ),
            ),
            (
                "how often one's own games and offers are told in the lobby",
                format!(
                    "{} times at once, {} per minute",
                    mine.burst, mine.per_minute
                ),
            ),
            ("a name", format!("{name_chars} characters")),
            (
                "a line of chat",
                format!("{} characters", crate::games::chat::MAX_LINE_CHARS),
            ),
            (
                "a picture; all pictures that are kept",
                format!(
                    "{} pixels wide; {} MiB",
                    web::diagram::MAX_SIDE_PX,
                    web::diagram::MAX_CACHE_BYTES >> 20
                ),
            ),
            (
                "a question to the arbiter",
                format!("{} s of search", arbiter_pool::MAX_REQUEST_TIME.as_secs()),
            ),
            (
                "passwords that are checked at once",
                crate::security::sign_in_limits::PARALLEL_CHECKS.to_string(),
            ),
            (
                "games of the computer whose memory is kept from move to move",
                computer::play::MAX_REMEMBERED_GAMES.to_string(),
            ),
            (
                "an open seat",
                format!(
                    "waits {} days",
                    days(new_game::OPEN_SEAT_TTL_MILLIS / 1_000)
                ),
            ),
            (
                "how long somebody may be missing (`no_show`, `absence`)",
                format!(
                    "{} s to {} days; {} s at least where strangers may sit down",
                    terms_request::MIN_WAIT_SECONDS,
                    days(terms_request::MAX_WAIT_SECONDS),
                    terms_request::MIN_LOBBY_WAIT.0 / 1_000
                ),
            ),
        ]
    }

    #[test]
    fn the_limits_that_cannot_be_set_are_in_the_documentation() {
        let page = include_str!("../../../../docs/SERVER.md");
        let rows = constants().into_iter();
        let rows = rows.map(|(what, how_much)| format!("| {what} | {how_much} |\n"));
        let head = "| what | how much |\n| --- | --- |\n".to_owned();
        let table: String = std::iter::once(head).chain(rows).collect();
        assert!(page.contains(&table), "docs/SERVER.md must have:\n{table}");
    }

    #[test]
    fn the_table_in_the_documentation_is_this_list() {
        let page = include_str!("../../../../docs/SERVER.md");
        let rows = Limits::list().into_iter().map(|(name, default, text)| {
            let text = text.trim_end_matches('.');
            format!("| `{name}` | `{default}` | {text} |\n")
        });
        let head = "| in `[limits]` | default | what it is |\n| --- | --- | --- |\n".to_owned();
        let table: String = std::iter::once(head).chain(rows).collect();
        assert!(page.contains(&table), "docs/SERVER.md must have:\n{table}");
    }
}
