//! SQL for OAuth grants and server keys.

use rusqlite::{Connection, OptionalExtension, Result, params};

use crate::{Digest, Grant, Moment, Redemption, ServerKey};

/// See [`Store::add_grant`](crate::Store::add_grant).
pub(super) fn add(db: &Connection, grant: &Grant) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO grants (code, person, client, redirect, challenge, scopes, created, expires)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (code) DO NOTHING",
    )?
    .execute(params![
        grant.code,
        grant.person,
        grant.client,
        grant.redirect,
        grant.challenge,
        grant.scopes,
        grant.created,
        grant.expires
    ])?;
    Ok(())
}

/// See [`Store::redeem_grant`](crate::Store::redeem_grant).
pub(super) fn redeem(
    db: &Connection,
    code: Digest,
    new_token: Digest,
    now: Moment,
) -> Result<Redemption> {
    let found = db
        .prepare_cached(
            "SELECT person, client, redirect, challenge, scopes, created, expires, token
             FROM grants WHERE code = ?1",
        )?
        .query_row([code], |row| {
            let grant = Grant {
                code,
                person: row.get(0)?,
                client: row.get(1)?,
                redirect: row.get(2)?,
                challenge: row.get(3)?,
                scopes: row.get(4)?,
                created: row.get(5)?,
                expires: row.get(6)?,
            };
            Ok((grant, row.get::<_, Option<Digest>>(7)?))
        })
        .optional()?;
    match found {
        Some((_, Some(token))) => {
            db.prepare_cached("UPDATE grants SET replayed = 1 WHERE code = ?1")?
                .execute([code])?;
            Ok(Redemption::Replayed { token })
        }
        Some((grant, None)) if now < grant.expires => {
            db.prepare_cached("UPDATE grants SET token = ?2 WHERE code = ?1")?
                .execute(params![code, new_token])?;
            Ok(Redemption::First(grant))
        }
        _ => Ok(Redemption::Unknown),
    }
}

/// See [`Store::is_grant_replayed`](crate::Store::is_grant_replayed).
pub(super) fn is_replayed(db: &Connection, code: Digest) -> Result<bool> {
    let replayed = db
        .prepare_cached("SELECT replayed FROM grants WHERE code = ?1")?
        .query_row([code], |row| row.get(0))
        .optional()?;
    Ok(replayed.unwrap_or(false))
}

/// See [`Store::server_key`](crate::Store::server_key).
pub(super) fn server_key(db: &Connection, purpose: &str, new: ServerKey) -> Result<ServerKey> {
    db.prepare_cached(
        "INSERT INTO server_keys (purpose, bytes, created) VALUES (?1, ?2, ?3)
         ON CONFLICT (purpose) DO NOTHING",
    )?
    .execute(params![purpose, Digest(new.bytes), new.created])?;
    db.prepare_cached("SELECT bytes, created FROM server_keys WHERE purpose = ?1")?
        .query_row([purpose], |row| {
            let Digest(bytes) = row.get(0)?;
            let created = row.get(1)?;
            Ok(ServerKey { bytes, created })
        })
}
