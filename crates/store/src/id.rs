//! Ids, write ids, digests and moments. The caller makes ids (random) and digests (hashes).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The error for a text that is not an id.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text:?} is not an id: an id is eight of the characters 0-9, A-Z and a-z")]
pub struct ParseIdError {
    /// The text, truncated.
    pub text: String,
}

fn parse(text: &str) -> Result<[u8; 8], ParseIdError> {
    let bytes: Option<[u8; 8]> = text.as_bytes().try_into().ok();
    bytes
        .filter(|bytes| bytes.iter().all(u8::is_ascii_alphanumeric))
        .ok_or_else(|| ParseIdError {
            text: text.chars().take(24).collect(),
        })
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 8]);

        impl $name {
            /// The eight characters.
            #[must_use]
            pub fn as_str(&self) -> &str {
                str::from_utf8(&self.0).unwrap_or_default()
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<$name, ParseIdError> {
                parse(text).map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.as_str())
            }
        }
    };
}

id! {
    /// The id of a game: eight characters of base 62, public.
    ///
    /// ```
    /// use touchmove_store::GameId;
    ///
    /// let id: GameId = "q7LmZx04".parse()?;
    /// assert_eq!(id.to_string(), "q7LmZx04");
    /// assert!("q7LmZx0".parse::<GameId>().is_err());
    /// assert!("q7LmZx0!".parse::<GameId>().is_err());
    /// # Ok::<(), touchmove_store::ParseIdError>(())
    /// ```
    GameId
}

id! {
    /// The id of a person: eight characters of base 62. It stays when the name changes.
    ///
    /// ```
    /// use touchmove_store::PersonId;
    ///
    /// let id: PersonId = "0000Anna".parse()?;
    /// assert_eq!(id.as_str(), "0000Anna");
    /// # Ok::<(), touchmove_store::ParseIdError>(())
    /// ```
    PersonId
}

id! {
    /// The id of an offer to play: eight characters of base 62.
    ///
    /// ```
    /// use touchmove_store::OfferId;
    ///
    /// assert!("AbCdEfGh".parse::<OfferId>().is_ok());
    /// ```
    OfferId
}

/// A random number on a write by which a repeat is recognised (an idempotency key).
///
/// ```
/// use touchmove_store::WriteId;
///
/// assert_eq!(WriteId::from_bytes(WriteId(7).to_bytes()), WriteId(7));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WriteId(pub u128);

impl WriteId {
    /// The number as sixteen bytes.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// The write id of these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> WriteId {
        WriteId(u128::from_be_bytes(bytes))
    }
}

/// The SHA-256 of a secret. A store never sees the secret itself, and `Debug` does not show the digest.
///
/// ```
/// use touchmove_store::Digest;
///
/// assert_eq!(format!("{:?}", Digest([7; 32])), "Digest(..)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(..)")
    }
}

/// A moment in milliseconds since 1970, on the time line of the store ([`Store::now`](crate::Store::now)).
///
/// ```
/// use touchmove_store::Moment;
///
/// assert!(Moment(1_000) < Moment(1_000).plus_millis(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moment(pub i64);

impl Moment {
    /// The moment this many milliseconds later.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Moment {
        Moment(self.0.saturating_add(millis))
    }
}
