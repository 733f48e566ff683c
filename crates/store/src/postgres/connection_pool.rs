//! Connections, lent for one deed and bounded in time. What is done with them is not said here.

use std::ops::Deref;
use std::pin::Pin;
use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Object, Pool};
use futures_util::future::join_all;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::Error;
use crate::postgres::columns::QueryError;

/// How long a deed may take; the database itself gives up a little earlier.
pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// A value of a statement.
pub(super) type SqlParam<'a> = &'a (dyn ToSql + Sync);

/// A statement with its values.
pub(super) type Statement<'a> = (&'a str, &'a [SqlParam<'a>]);

/// What is done with a connection.
pub(super) type ConnectionFuture<'a, T> =
    Pin<Box<dyn Future<Output = Result<T, QueryError>> + Send + 'a>>;

/// Something that is to be done with a connection.
pub(super) type ConnectionJob = Box<dyn for<'a> FnOnce(Db<'a>) -> ConnectionFuture<'a, ()> + Send>;

/// A transaction for writes: each statement sees what was committed before it began.
pub(super) const BEGIN_WRITE_SQL: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// A transaction for questions: all statements see the same.
pub(super) const BEGIN_READ_SQL: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";

/// Does something with one of the connections, unless it takes too long. The connection goes back to the
/// others only if it was left in order: what was given up in the middle may still be on its way, and nobody
/// else shall wait behind it.
pub(super) async fn with_connection<T, F>(pool: &Pool, work: F) -> Result<T, QueryError>
where
    F: for<'a> FnOnce(Db<'a>) -> ConnectionFuture<'a, T>,
{
    let object = pool.get().await?;
    let result = tokio::time::timeout(STATEMENT_TIMEOUT, work(Db(&object))).await;
    let result = result.unwrap_or(Err(QueryError::Lost(Error::Busy)));
    if matches!(result, Err(QueryError::Lost(_))) {
        drop(Object::take(object));
    }
    result
}

/// A connection, for statements.
#[derive(Clone, Copy)]
pub(super) struct Db<'a>(&'a ClientWrapper);

impl Deref for Db<'_> {
    type Target = ClientWrapper;

    fn deref(&self) -> &ClientWrapper {
        self.0
    }
}

impl Db<'_> {
    /// One statement, by itself.
    pub(super) async fn query(
        self,
        sql: &str,
        values: &[SqlParam<'_>],
    ) -> Result<Vec<Row>, QueryError> {
        let statement = self.prepare_cached(sql).await?;
        Ok(self.0.query(&statement, values).await?)
    }

    /// Several statements in one transaction, sent at once: it costs one journey, and no lock waits for
    /// this program. The answer to each.
    pub(super) async fn transaction(
        self,
        begin: &str,
        steps: &[Statement<'_>],
    ) -> Result<Vec<Vec<Row>>, QueryError> {
        let mut statements = vec![(self.prepare_cached(begin).await?, [].as_slice())];
        for (sql, values) in steps {
            statements.push((self.prepare_cached(sql).await?, *values));
        }
        statements.push((self.prepare_cached("COMMIT").await?, &[]));
        // Each is sent when it is polled first, so they are in order. After a refusal the database refuses
        // the rest too, and COMMIT rolls back; the first refusal is the one that says why.
        let asked = statements
            .iter()
            .map(|(statement, values)| self.0.query(statement, values));
        let answers: Result<Vec<_>, _> = join_all(asked).await.into_iter().collect();
        let mut answers = answers?;
        answers.pop();
        answers.remove(0);
        Ok(answers)
    }
}
