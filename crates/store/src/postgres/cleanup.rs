//! SQL that deletes expired rows, a bounded number at a time.

use crate::postgres::columns::{QueryError, bounded};
use crate::postgres::connection_pool::Db;
use crate::{ExpiredKind, Moment};

/// See [`Store::delete_expired`](crate::Store::delete_expired). Rows that another node has locked are skipped.
pub(super) async fn delete_expired(
    db: Db<'_>,
    kind: ExpiredKind,
    before: Moment,
    limit: usize,
) -> Result<u64, QueryError> {
    let sql = match kind {
        ExpiredKind::Sessions => {
            "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions
                 WHERE expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1"
        }
        ExpiredKind::Grants => {
            "DELETE FROM grants WHERE code IN (SELECT code FROM grants
                 WHERE expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1"
        }
        ExpiredKind::Offers => {
            "DELETE FROM offers WHERE id IN (SELECT id FROM offers
                 WHERE created < $1 AND (status <> 0 OR expires <= $1)
                 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1"
        }
        ExpiredKind::Tokens => {
            "DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens
                 WHERE revoked <= $1 OR expires <= $1
                 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1"
        }
        ExpiredKind::Revocations => {
            "DELETE FROM revocations WHERE number IN (SELECT number FROM revocations
                 WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING 1"
        }
        // Locks the game's row, as every write to a game does; rows that refer to it are deleted by the same
        // statement.
        ExpiredKind::AbortedGames => {
            "WITH old AS (SELECT key FROM games WHERE status = 'aborted' AND phase = 2
                 AND plies < 2 AND created < $1 LIMIT $2 FOR UPDATE SKIP LOCKED),
             lines AS (DELETE FROM chat USING old WHERE chat.game = old.key),
             alarms AS (DELETE FROM due USING old WHERE due.game = old.key),
             chairs AS (DELETE FROM seats USING old WHERE seats.game = old.key),
             journals AS (DELETE FROM decisions USING old WHERE decisions.game = old.key)
             DELETE FROM games USING old WHERE games.key = old.key RETURNING 1"
        }
    };
    let rows = db.query(sql, &[&before.0, &bounded(limit)]).await?;
    Ok(rows.len() as u64)
}
