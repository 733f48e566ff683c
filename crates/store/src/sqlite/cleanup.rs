//! SQL that deletes expired rows, a bounded number at a time.

use rusqlite::{Connection, Result, params};

use crate::{ExpiredKind, Moment};

/// See [`Store::delete_expired`](crate::Store::delete_expired).
pub(super) fn delete_expired(
    db: &Connection,
    kind: ExpiredKind,
    before: Moment,
    limit: usize,
) -> Result<u64> {
    let sql = match kind {
        ExpiredKind::Sessions => {
            "DELETE FROM sessions WHERE hash IN
                 (SELECT hash FROM sessions WHERE expires <= ?1 LIMIT ?2)"
        }
        ExpiredKind::Grants => {
            "DELETE FROM grants WHERE code IN
                 (SELECT code FROM grants WHERE expires <= ?1 LIMIT ?2)"
        }
        ExpiredKind::Offers => {
            "DELETE FROM offers WHERE id IN (SELECT id FROM offers
                 WHERE created < ?1 AND (status <> 0 OR expires <= ?1) LIMIT ?2)"
        }
        ExpiredKind::Tokens => {
            "DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens
                 WHERE revoked <= ?1 OR expires <= ?1 LIMIT ?2)"
        }
        ExpiredKind::Revocations => {
            "DELETE FROM revocations WHERE number IN
                 (SELECT number FROM revocations WHERE at < ?1 LIMIT ?2)"
        }
        ExpiredKind::AbortedGames => return delete_aborted_games(db, before, limit),
    };
    let deleted = db.prepare_cached(sql)?.execute(params![before, limit])?;
    Ok(deleted as u64)
}

fn delete_aborted_games(db: &Connection, before: Moment, limit: usize) -> Result<u64> {
    let keys: Vec<i64> = db
        .prepare_cached(
            "SELECT key FROM games WHERE status = 'aborted' AND phase = 2 AND plies < 2
             AND created < ?1 LIMIT ?2",
        )?
        .query_map(params![before, limit], |row| row.get(0))?
        .collect::<Result<_>>()?;
    for key in &keys {
        for sql in [
            "DELETE FROM chat WHERE game = ?1",
            "DELETE FROM due WHERE game = ?1",
            "DELETE FROM seats WHERE game = ?1",
            "DELETE FROM decisions WHERE game = ?1",
            "DELETE FROM games WHERE key = ?1",
        ] {
            db.prepare_cached(sql)?.execute([key])?;
        }
    }
    Ok(keys.len() as u64)
}
