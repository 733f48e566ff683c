//! The limits that a host can set, with their defaults: one list for the settings, their checks and the table in
//! docs/SERVER.md.

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;

use super::bucket::Rate;

/// The largest number that makes sense in a limit.
const LARGEST: u32 = 1_000_000;
/// Any number that is not nothing.
const ANY: RangeInclusive<u32> = 1..=LARGEST;

/// A limit that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("limits.{name} = {value}: it is a number from {} to {}", .range.start(), .range.end())]
pub struct LimitSettingError {
    name: String,
    value: u32,
    range: RangeInclusive<u32>,
}

/// What a limit is written as.
trait LimitValue: fmt::Display {
    /// The numbers in it, by the names that they are written with.
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

/// Declares every limit once: its text, name, type, default and range.
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
    /// New tables, seeks, challenges and tokens from one address; rematches of games with fewer than 4 plies too.
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
    /// games that are not in memory, long games.
    read: Rate = Rate::new(300, 300), ANY;
    /// WebSockets and streams opened from one address.
    socket: Rate = Rate::new(300, 300), ANY;
    /// Lines of chat of spectators from one address, at all tables.
    spectator_chat: Rate = Rate::new(60, 60), ANY;
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
    /// Connections at once from one address; behind a trusted proxy, WebSockets and streams.
    connections_per_address: u32 = 200, ANY;
    /// Percent of `connections` that are kept for people with a seat who come back when the rest is taken.
    reserved_percent: u32 = 5, 0..=50;
    /// Passwords that wait for their turn to be checked, from one address.
    waiting_sign_ins_per_address: u32 = 64, ANY;
    /// Passwords that wait for their turn to be checked.
    waiting_sign_ins: u32 = 512, ANY;
    /// Seconds that a client has for the head of its next request.
    head_timeout_seconds: u32 = 10, 1..=600;
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
