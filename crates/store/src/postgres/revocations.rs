//! SQL for revocations.
//!
//! A revocation is written in the transaction that ends the session, token or account. The writer holds a lock
//! until it commits, so that the numbers become visible in order: a reader that has seen number 7 has missed
//! none before it.

use tokio_postgres::Row;

use crate::postgres::columns::{QueryError, bounded, column, count};
use crate::postgres::connection_pool::{BEGIN_WRITE_SQL, Db, SqlParam, Statement};
use crate::{Digest, Error, Revocation, RevocationTarget};

/// A lock for one writer at a time in each schema; the first number is this program's.
pub(super) const LOCK: &str =
    "SELECT pg_advisory_xact_lock(1953329014, hashtext('revocations ' || current_schema()))";
/// The current time of the database in milliseconds.
pub(super) const NOW: &str = "floor(extract(epoch FROM clock_timestamp()) * 1000)::int8";

/// Runs a statement that returns the rows whose rights it ends, with the columns `person` (the closed account)
/// and `secret` (the hash of a session or token), and records a revocation for each. A row with neither is
/// counted but not recorded. Returns the number of rows.
pub(super) async fn end_rights(
    db: Db<'_>,
    ending: &str,
    values: &[SqlParam<'_>],
) -> Result<u64, QueryError> {
    end_rights_and(db, ending, values, &[]).await
}

/// The same, with more statements in the same transaction.
pub(super) async fn end_rights_and(
    db: Db<'_>,
    ending: &str,
    values: &[SqlParam<'_>],
    also: &[Statement<'_>],
) -> Result<u64, QueryError> {
    let sql = format!(
        "WITH ended AS ({ending}), noted AS (
             INSERT INTO revocations (at, person, secret)
             SELECT {NOW}, person, secret FROM ended WHERE (person IS NULL) <> (secret IS NULL)
         )
         SELECT count(*) FROM ended"
    );
    let steps: [Statement<'_>; 2] = [(LOCK, &[]), (&sql, values)];
    let steps = [&steps, also].concat();
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    answers
        .get(1)
        .and_then(|rows| rows.first())
        .map_or(Ok(0), |row| count(row, 0))
}

fn revocation_from(row: &Row) -> Result<Revocation, QueryError> {
    let target = match (column(row, 1)?, column::<Option<Digest>>(row, 2)?) {
        (Some(person), _) => RevocationTarget::Person(person),
        (None, Some(secret)) => RevocationTarget::Secret(secret),
        (None, None) => {
            return Err(Error::Damaged("a revocation is about nothing".to_owned()).into());
        }
    };
    Ok(Revocation {
        number: count(row, 0)?,
        target,
    })
}

/// See [`Store::revocations`](crate::Store::revocations).
pub(super) async fn after(
    db: Db<'_>,
    number: u64,
    limit: usize,
) -> Result<Vec<Revocation>, QueryError> {
    let rows = db
        .query(
            "SELECT number, person, secret FROM revocations WHERE number > $1 ORDER BY number LIMIT $2",
            &[&bounded(number), &bounded(limit)],
        )
        .await?;
    rows.iter().map(revocation_from).collect()
}

/// See [`Store::newest_revocation`](crate::Store::newest_revocation).
pub(super) async fn newest(db: Db<'_>) -> Result<u64, QueryError> {
    let sql = "SELECT coalesce(max(number), 0) FROM revocations";
    let rows = db.query(sql, &[]).await?;
    rows.first().map_or(Ok(0), |row| count(row, 0))
}
