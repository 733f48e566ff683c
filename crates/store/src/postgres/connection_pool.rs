//! The connection pool: runs a job with a connection, with a timeout.

use std::ops::Deref;
use std::pin::Pin;
use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Object, Pool};
use futures_util::future::join_all;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::Error;
use crate::postgres::columns::QueryError;

/// The timeout of a job; the database's own statement timeout is a little shorter.
pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// A parameter of a statement.
pub(super) type SqlParam<'a> = &'a (dyn ToSql + Sync);

/// A statement with its parameters.
pub(super) type Statement<'a> = (&'a str, &'a [SqlParam<'a>]);

/// The future of a job that uses a connection.
pub(super) type ConnectionFuture<'a, T> =
    Pin<Box<dyn Future<Output = Result<T, QueryError>> + Send + 'a>>;

/// A job that uses a connection.
pub(super) type ConnectionJob = Box<dyn for<'a> FnOnce(Db<'a>) -> ConnectionFuture<'a, ()> + Send>;

/// Begins a write transaction: each statement sees what was committed before it began.
pub(super) const BEGIN_WRITE_SQL: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// Begins a read transaction: all statements see the same snapshot.
pub(super) const BEGIN_READ_SQL: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";

/// Runs a job with a connection of the pool, with a timeout. The connection goes back to the pool only if it is
/// in order: after a timeout a statement may still be running, and the next job must not wait behind it.
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

/// A connection that runs statements.
#[derive(Clone, Copy)]
pub(super) struct Db<'a>(&'a ClientWrapper);

impl Deref for Db<'_> {
    type Target = ClientWrapper;

    fn deref(&self) -> &ClientWrapper {
        self.0
    }
}

impl Db<'_> {
    /// Runs one statement in a transaction of its own.
    pub(super) async fn query(
        self,
        sql: &str,
        values: &[SqlParam<'_>],
    ) -> Result<Vec<Row>, QueryError> {
        let statement = self.prepare_cached(sql).await?;
        Ok(self.0.query(&statement, values).await?)
    }

    /// Runs several statements in one transaction and returns the rows of each. They are pipelined: this costs
    /// one round trip, and no lock is held while this program thinks.
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
        // Each is sent when it is first polled, so they are sent in order. After an error the database refuses
        // the rest and COMMIT rolls back; the first error is the one to report.
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
