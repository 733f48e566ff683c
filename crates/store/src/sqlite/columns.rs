//! Conversions between our types and SQLite's, and of its errors into ours.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, Row, ffi};

use crate::{
    ChatRoom, Digest, Error, GameId, GamePhase, Holder, Moment, OfferId, PersonId, PersonKind,
    SeatColor, WriteId,
};

macro_rules! ids {
    ($($name:ident),*) => {$(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                value.as_str()?.parse().map_err(FromSqlError::other)
            }
        }
    )*};
}
ids!(GameId, PersonId, OfferId);

impl ToSql for Moment {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

impl FromSql for Moment {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Moment> {
        value.as_i64().map(Moment)
    }
}

impl ToSql for Digest {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(&self.0)))
    }
}

impl FromSql for Digest {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Digest> {
        FromSql::column_result(value).map(Digest)
    }
}

impl ToSql for WriteId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_bytes().to_vec().into())
    }
}

impl FromSql for WriteId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<WriteId> {
        FromSql::column_result(value).map(WriteId::from_bytes)
    }
}

/// Enums that are stored as numbers. The numbers are in files of users: they never change.
macro_rules! numbered {
    ($name:ident: $($number:literal = $word:ident),*) => {
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let number: i64 = match self {
                    $($name::$word => $number,)*
                };
                Ok(number.into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                match value.as_i64()? {
                    $($number => Ok($name::$word),)*
                    other => Err(FromSqlError::OutOfRange(other)),
                }
            }
        }
    };
}
numbered!(GamePhase: 0 = Waiting, 1 = Running, 2 = Finished);
numbered!(SeatColor: 0 = White, 1 = Black);
numbered!(PersonKind: 0 = Human, 1 = Bot);
numbered!(ChatRoom: 0 = Players, 1 = Spectators);

impl Holder {
    /// Reads the holder from this column (the person) and the next one (the guest).
    pub(super) fn from_row(row: &Row<'_>, column: usize) -> rusqlite::Result<Holder> {
        match row.get(column)? {
            Some(person) => Ok(Holder::Person(person)),
            None => row.get(column + 1).map(Holder::Guest),
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        let rusqlite::Error::SqliteFailure(failure, _) = &error else {
            return Error::Damaged(error.to_string());
        };
        match (failure.code, failure.extended_code) {
            // The shared-memory index of the write-ahead log is a file too, and grows.
            (ErrorCode::DiskFull, _) | (_, ffi::SQLITE_IOERR_SHMSIZE) => Error::Full,
            (ErrorCode::ReadOnly | ErrorCode::PermissionDenied, _) => Error::ReadOnly,
            (ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _) => Error::Busy,
            (ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase, _) => {
                Error::Damaged(error.to_string())
            }
            _ => Error::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn what_sqlite_cannot_do_is_said_in_our_words() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch(
            "CREATE TABLE moves (san TEXT); PRAGMA max_page_count = 1; PRAGMA query_only = ON",
        )
        .unwrap();
        let write = "INSERT INTO moves VALUES (zeroblob(100000))";
        let error = Error::from(db.execute(write, []).unwrap_err());
        assert_eq!(error, Error::ReadOnly);
        db.pragma_update(None, "query_only", false).unwrap();
        let error = Error::from(db.execute(write, []).unwrap_err());
        assert_eq!(error, Error::Full);
        let id = db.query_row("SELECT 'no id'", [], |row| row.get::<_, GameId>(0));
        let error = Error::from(id.unwrap_err());
        assert!(matches!(error, Error::Damaged(_)), "{error}");
    }
}
