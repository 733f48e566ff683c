//! SQL for revocations. They are written in the transaction that ends the session, token or account.

use rusqlite::{Connection, Error, Result, Row, params};

use crate::sqlite::now;
use crate::{Revocation, RevocationTarget};

/// Records a revocation.
pub(super) fn note(db: &Connection, target: RevocationTarget) -> Result<()> {
    let (person, secret) = match target {
        RevocationTarget::Person(person) => (Some(person), None),
        RevocationTarget::Secret(secret) => (None, Some(secret)),
    };
    db.prepare_cached("INSERT INTO revocations (at, person, secret) VALUES (?1, ?2, ?3)")?
        .execute(params![now(), person, secret])?;
    Ok(())
}

fn revocation_from(row: &Row<'_>) -> Result<Revocation> {
    let target = match (row.get(1)?, row.get(2)?) {
        (Some(person), _) => RevocationTarget::Person(person),
        (None, Some(secret)) => RevocationTarget::Secret(secret),
        (None, None) => return Err(Error::InvalidQuery),
    };
    let number = row.get(0)?;
    Ok(Revocation { number, target })
}

/// See [`Store::revocations`](crate::Store::revocations).
pub(super) fn after(db: &Connection, number: u64, limit: usize) -> Result<Vec<Revocation>> {
    db.prepare_cached(
        "SELECT number, person, secret FROM revocations WHERE number > ?1 ORDER BY number LIMIT ?2",
    )?
    .query_map(params![number, limit], revocation_from)?
    .collect()
}

/// See [`Store::newest_revocation`](crate::Store::newest_revocation).
pub(super) fn newest(db: &Connection) -> Result<u64> {
    db.prepare_cached("SELECT coalesce(max(number), 0) FROM revocations")?
        .query_row([], |row| row.get(0))
}
