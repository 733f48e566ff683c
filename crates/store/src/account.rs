//! Accounts, guests, tokens and login sessions. The caller computes the skeletons by which names are compared,
//! and hashes secrets before they come here.

use std::fmt;

use crate::{Digest, Moment, PersonId};

/// Who holds a seat or a session: a person with an account, or a guest known by a secret.
///
/// ```
/// use touchmove_store::{Digest, Holder};
///
/// let guest = Holder::Guest(Digest([1; 32]));
/// assert_ne!(guest, Holder::Person("0000Anna".parse()?));
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Holder {
    /// A person with an account.
    Person(PersonId),
    /// A guest, by the hash of the guest's secret.
    Guest(Digest),
}

impl Holder {
    /// The person, if this is one.
    pub(crate) const fn person(&self) -> Option<PersonId> {
        match self {
            Holder::Person(person) => Some(*person),
            Holder::Guest(_) => None,
        }
    }

    /// The guest's digest, if this is a guest.
    pub(crate) const fn guest(&self) -> Option<Digest> {
        match self {
            Holder::Person(_) => None,
            Holder::Guest(digest) => Some(*digest),
        }
    }
}

/// One of the two seats of a game.
///
/// ```
/// use touchmove_store::SeatColor;
///
/// assert_ne!(SeatColor::White, SeatColor::Black);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SeatColor {
    /// White's.
    White,
    /// Black's.
    Black,
}

/// Who holds the two seats of a game.
///
/// ```
/// use touchmove_store::{Digest, Holder, SeatColor, SeatHolders};
///
/// let seats = SeatHolders { white: Some(Holder::Guest(Digest([1; 32]))), black: None };
/// assert!(seats.of(SeatColor::White).is_some() && seats.of(SeatColor::Black).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatHolders {
    /// Who has White.
    pub white: Option<Holder>,
    /// Who has Black.
    pub black: Option<Holder>,
}

impl SeatHolders {
    /// Who holds this seat.
    #[must_use]
    pub const fn of(&self, seat: SeatColor) -> Option<Holder> {
        match seat {
            SeatColor::White => self.white,
            SeatColor::Black => self.black,
        }
    }
}

/// Whether a human or a program plays under an account.
///
/// ```
/// use touchmove_store::PersonKind;
///
/// assert_ne!(PersonKind::Human, PersonKind::Bot);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PersonKind {
    /// A human being.
    Human,
    /// A program.
    Bot,
}

/// A person with an account.
///
/// ```
/// use touchmove_store::{PersonKind, Moment, Person};
///
/// let anna = Person {
///     id: "0000Anna".parse()?,
///     name: "Anna".to_owned(),
///     skeleton: "anna".to_owned(),
///     kind: PersonKind::Human,
///     password: Some("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned()),
///     created: Moment(1_000),
///     disabled: None,
/// };
/// assert!(!format!("{anna:?}").contains("argon2id"), "hashes are not shown");
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Person {
    /// The id, which stays when the name changes.
    pub id: PersonId,
    /// The name as it is shown.
    pub name: String,
    /// The skeleton of the name: equal for names that look alike, so no two people have the same.
    pub skeleton: String,
    /// Whether it is a program.
    pub kind: PersonKind,
    /// The hash of the password with its parameters, if there is a password.
    pub password: Option<String>,
    /// When the account was created.
    pub created: Moment,
    /// When the account was closed, if it is.
    pub disabled: Option<Moment>,
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Person")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("skeleton", &self.skeleton)
            .field("kind", &self.kind)
            .field("password", &self.password.as_ref().map(|_| RedactedDebug))
            .field("created", &self.created)
            .field("disabled", &self.disabled)
            .finish()
    }
}

/// A field that `Debug` does not show: password hashes must not get into logs.
struct RedactedDebug;

impl fmt::Debug for RedactedDebug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// Changes of a person; `None` leaves a field as it is.
///
/// ```
/// use touchmove_store::{PersonKind, PersonChanges};
///
/// let upgrade = PersonChanges { kind: Some(PersonKind::Bot), ..PersonChanges::default() };
/// assert_eq!(upgrade.password, None);
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct PersonChanges {
    /// The name as it is shown. It must have the same skeleton.
    pub name: Option<String>,
    /// Whether it is a program.
    pub kind: Option<PersonKind>,
    /// The hash of the password; `Some(None)` removes the password.
    pub password: Option<Option<String>>,
    /// When the account was closed; `Some(None)` opens it again.
    pub disabled: Option<Option<Moment>>,
}

impl fmt::Debug for PersonChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let password = self.password.as_ref();
        f.debug_struct("PersonChanges")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field(
                "password",
                &password.map(|new| new.as_ref().map(|_| RedactedDebug)),
            )
            .field("disabled", &self.disabled)
            .finish()
    }
}

/// The result of adding a person.
///
/// ```
/// use touchmove_store::AddPersonResult;
///
/// assert_ne!(AddPersonResult::Written, AddPersonResult::NameTaken);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddPersonResult {
    /// The person is added.
    Written,
    /// The same write added the person before.
    Already,
    /// Another person has a name with the same skeleton.
    NameTaken,
    /// Another person has this id: retry with another one.
    IdTaken,
}

/// An API token for programs that act for a person.
///
/// ```
/// use touchmove_store::{Digest, Moment, Token};
///
/// let token = Token {
///     hash: Digest([3; 32]),
///     person: "0000Anna".parse()?,
///     label: "my bot".to_owned(),
///     scopes: "bot:play".to_owned(),
///     created: Moment(1_000),
///     last_used: None,
///     expires: None,
///     revoked: None,
/// };
/// assert!(token.is_valid_at(Moment(2_000)));
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The hash of the secret.
    pub hash: Digest,
    /// The owner.
    pub person: PersonId,
    /// The label that the owner gave it.
    pub label: String,
    /// The scopes, in the caller's format.
    pub scopes: String,
    /// When it was issued.
    pub created: Moment,
    /// When it was last used, to about ten minutes.
    pub last_used: Option<Moment>,
    /// When it expires, if it does.
    pub expires: Option<Moment>,
    /// When it was revoked, if it is.
    pub revoked: Option<Moment>,
}

impl Token {
    /// Whether it is neither revoked nor expired at this moment.
    #[must_use]
    pub fn is_valid_at(&self, now: Moment) -> bool {
        self.revoked.is_none() && self.expires.is_none_or(|expires| now < expires)
    }
}

/// A login session: a browser known by its cookie.
///
/// ```
/// use touchmove_store::{Digest, Holder, Moment, LoginSession};
///
/// let session = LoginSession {
///     hash: Digest([4; 32]),
///     holder: Holder::Guest(Digest([4; 32])),
///     name: Some("Anna".to_owned()),
///     created: Moment(1_000),
///     expires: Moment(90_000),
/// };
/// # let _ = session;
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoginSession {
    /// The hash of the cookie.
    pub hash: Digest,
    /// The person or guest who uses the browser.
    pub holder: Holder,
    /// The name that a guest chose.
    pub name: Option<String>,
    /// When it began.
    pub created: Moment,
    /// When it expires.
    pub expires: Moment,
}
