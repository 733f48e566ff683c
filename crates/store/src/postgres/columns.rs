//! Conversions between our types and PostgreSQL's, and of its errors into ours.

use std::error::Error as StdError;

use deadpool_postgres::{PoolError, TimeoutType};
use tokio_postgres::Row;
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::types::{FromSql, Type};

use crate::{
    ChatRoom, Digest, Error, GameId, GamePhase, Holder, Moment, OfferId, PersonId, PersonKind,
    SeatColor, WriteId,
};

type BoxError = Box<dyn StdError + Sync + Send>;

macro_rules! read_as {
    ($($name:ty: $inner:ty, $read:expr;)*) => {$(
        impl<'a> FromSql<'a> for $name {
            fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<$name, BoxError> {
                let read: fn($inner) -> Result<$name, BoxError> = $read;
                read(FromSql::from_sql(kind, raw)?)
            }

            fn accepts(kind: &Type) -> bool {
                <$inner as FromSql<'_>>::accepts(kind)
            }
        }
    )*};
}
read_as! {
    GameId: &'a str, |text| Ok(text.parse()?);
    PersonId: &'a str, |text| Ok(text.parse()?);
    OfferId: &'a str, |text| Ok(text.parse()?);
    Moment: i64, |number| Ok(Moment(number));
    Digest: &'a [u8], |bytes| Ok(Digest(bytes.try_into()?));
    WriteId: &'a [u8], |bytes| Ok(WriteId::from_bytes(bytes.try_into()?));
}

/// Enums that are stored as numbers. The numbers are in databases of users: they never change.
pub(super) trait StoredAsNumber {
    /// Its number.
    fn number(self) -> i16;
}

macro_rules! numbered {
    ($name:ident: $($number:literal = $word:ident),*) => {
        impl StoredAsNumber for $name {
            fn number(self) -> i16 {
                match self {
                    $($name::$word => $number,)*
                }
            }
        }

        read_as! {
            $name: i16, |number| match number {
                $($number => Ok($name::$word),)*
                other => Err(format!("{other} is no {}", stringify!($name)).into()),
            };
        }
    };
}
numbered!(GamePhase: 0 = Waiting, 1 = Running, 2 = Finished);
numbered!(SeatColor: 0 = White, 1 = Black);
numbered!(PersonKind: 0 = Human, 1 = Bot);
numbered!(ChatRoom: 0 = Players, 1 = Spectators);

/// Why a query failed.
#[derive(Debug)]
pub(super) enum QueryError {
    /// The database refused it, and nothing was written.
    Refused(Error),
    /// The connection was lost or timed out: a write may turn out to be done.
    Lost(Error),
}

impl From<QueryError> for Error {
    fn from(trouble: QueryError) -> Error {
        match trouble {
            QueryError::Refused(error) | QueryError::Lost(error) => error,
        }
    }
}

impl From<Error> for QueryError {
    fn from(error: Error) -> QueryError {
        QueryError::Refused(error)
    }
}

impl From<tokio_postgres::Error> for QueryError {
    fn from(error: tokio_postgres::Error) -> QueryError {
        match error.as_db_error() {
            Some(said) => refusal(said),
            None => QueryError::Lost(Error::Failed(format!(
                "PostgreSQL cannot be reached: {}",
                sentence(&error)
            ))),
        }
    }
}

impl From<PoolError> for QueryError {
    fn from(error: PoolError) -> QueryError {
        match error {
            PoolError::Backend(error) => error.into(),
            PoolError::Timeout(TimeoutType::Wait) => QueryError::Lost(Error::Busy),
            PoolError::Timeout(_) => QueryError::Lost(Error::Failed(
                "PostgreSQL cannot be reached: it does not answer".to_owned(),
            )),
            other => QueryError::Lost(Error::Failed(other.to_string())),
        }
    }
}

/// An error with its causes, which tokio-postgres leaves out.
pub(super) fn sentence(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

/// Converts an error of the database.
fn refusal(said: &DbError) -> QueryError {
    const BUSY_SQLSTATES: &[&SqlState] = &[
        &SqlState::LOCK_NOT_AVAILABLE,
        &SqlState::QUERY_CANCELED,
        &SqlState::T_R_DEADLOCK_DETECTED,
        &SqlState::T_R_SERIALIZATION_FAILURE,
        &SqlState::TOO_MANY_CONNECTIONS,
        &SqlState::OUT_OF_MEMORY,
        &SqlState::ADMIN_SHUTDOWN,
        &SqlState::CRASH_SHUTDOWN,
        &SqlState::CANNOT_CONNECT_NOW,
        &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        // A newer node has altered a table that a prepared statement uses.
        &SqlState::FEATURE_NOT_SUPPORTED,
        // Only a write that does not take the games' locks can cause this; a retry sees what it wrote.
        &SqlState::UNIQUE_VIOLATION,
    ];
    let code = said.code();
    let error = if BUSY_SQLSTATES.contains(&code) {
        Error::Busy
    } else if *code == SqlState::DISK_FULL {
        Error::Full
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        Error::ReadOnly
    } else if *code == SqlState::DATA_CORRUPTED || *code == SqlState::INDEX_CORRUPTED {
        Error::Damaged(said.to_string())
    } else {
        Error::Failed(said.to_string())
    };
    // The connection is closed, or is useless: the primary has become a standby, or statements must be prepared
    // anew.
    let is_over = matches!(
        said.parsed_severity(),
        Some(Severity::Fatal | Severity::Panic)
    );
    if is_over || error == Error::ReadOnly || *code == SqlState::FEATURE_NOT_SUPPORTED {
        QueryError::Lost(error)
    } else {
        QueryError::Refused(error)
    }
}

/// A column of a row.
pub(super) fn column<'a, T: FromSql<'a>>(row: &'a Row, index: usize) -> Result<T, QueryError> {
    row.try_get(index)
        .map_err(|error| QueryError::Refused(Error::Damaged(sentence(&error))))
}

/// A column with a non-negative number.
pub(super) fn count(row: &Row, index: usize) -> Result<u64, QueryError> {
    let number: i64 = column(row, index)?;
    u64::try_from(number)
        .map_err(|_| QueryError::Refused(Error::Damaged(format!("{number} is no count"))))
}

/// The holder in this column (the person) and the next one (the guest), if either is set.
pub(super) fn holder(row: &Row, index: usize) -> Result<Option<Holder>, QueryError> {
    match column(row, index)? {
        Some(person) => Ok(Some(Holder::Person(person))),
        None => Ok(column::<Option<Digest>>(row, index + 1)?.map(Holder::Guest)),
    }
}

/// The holder in this column and the next one, which must be set.
pub(super) fn some_holder(row: &Row, index: usize) -> Result<Holder, QueryError> {
    holder(row, index)?
        .ok_or_else(|| QueryError::Refused(Error::Damaged("something is nobody's".to_owned())))
}

/// Converts a number for a comparison, clamped to the largest `i64`; no game has so many events, and no list so
/// many rows.
pub(super) fn bounded(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// The two columns of a holder: person and guest.
pub(super) fn halves(holder: Option<&Holder>) -> (Option<&str>, Option<&[u8]>) {
    match holder {
        Some(Holder::Person(person)) => (Some(person.as_str()), None),
        Some(Holder::Guest(digest)) => (None, Some(&digest.0)),
        None => (None, None),
    }
}
