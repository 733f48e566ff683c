//! SQL for accounts, tokens and sessions. The caller authenticates and authorizes.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::sqlite::{offers, revocations};
use crate::{
    AddPersonResult, Digest, Holder, LoginSession, Moment, Person, PersonChanges, PersonId,
    RevocationTarget, Token, limits,
};

/// The columns of a person, for [`person_from`].
const PERSON_COLUMNS: &str = "id, name, skeleton, kind, password, created, disabled";

fn person_from(row: &Row<'_>) -> Result<Person> {
    Ok(Person {
        id: row.get(0)?,
        name: row.get(1)?,
        skeleton: row.get(2)?,
        kind: row.get(3)?,
        password: row.get(4)?,
        created: row.get(5)?,
        disabled: row.get(6)?,
    })
}

/// See [`Store::person`](crate::Store::person).
pub(super) fn person(db: &Connection, id: PersonId) -> Result<Option<Person>> {
    db.prepare_cached(&format!(
        "SELECT {PERSON_COLUMNS} FROM people WHERE id = ?1"
    ))?
    .query_row([id], person_from)
    .optional()
}

/// See [`Store::person_named`](crate::Store::person_named).
pub(super) fn person_named(db: &Connection, skeleton: &str) -> Result<Option<Person>> {
    db.prepare_cached(&format!(
        "SELECT {PERSON_COLUMNS} FROM people WHERE skeleton = ?1"
    ))?
    .query_row([skeleton], person_from)
    .optional()
}

/// See [`Store::list_people`](crate::Store::list_people).
pub(super) fn people(db: &Connection, after: Option<&str>, limit: usize) -> Result<Vec<Person>> {
    // Every skeleton is at least the empty text, which a person may have too.
    let (sign, after) = after.map_or((">=", ""), |after| (">", after));
    db.prepare_cached(&format!(
        "SELECT {PERSON_COLUMNS} FROM people WHERE skeleton {sign} ?1 ORDER BY skeleton LIMIT ?2"
    ))?
    .query_map(params![after, limit], person_from)?
    .collect()
}

/// See [`Store::add_person`](crate::Store::add_person).
pub(super) fn add_person(db: &Connection, new: &Person) -> Result<AddPersonResult> {
    if let Some(known) = person(db, new.id)? {
        let is_same = known.skeleton == new.skeleton && known.created == new.created;
        return Ok(if is_same {
            AddPersonResult::Already
        } else {
            AddPersonResult::IdTaken
        });
    }
    if person_named(db, &new.skeleton)?.is_some() {
        return Ok(AddPersonResult::NameTaken);
    }
    db.prepare_cached(
        "INSERT INTO people (id, name, skeleton, kind, password, created, disabled)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        new.id,
        new.name,
        new.skeleton,
        new.kind,
        new.password,
        new.created,
        new.disabled
    ])?;
    Ok(AddPersonResult::Written)
}

/// See [`Store::change_person`](crate::Store::change_person).
pub(super) fn change_person(
    db: &Connection,
    id: PersonId,
    changes: &PersonChanges,
) -> Result<bool> {
    let Some(mut person) = person(db, id)? else {
        return Ok(false);
    };
    let PersonChanges {
        name,
        kind,
        password,
        disabled,
    } = changes.clone();
    person.name = name.unwrap_or(person.name);
    person.kind = kind.unwrap_or(person.kind);
    person.password = password.unwrap_or(person.password);
    person.disabled = disabled.unwrap_or(person.disabled);
    db.prepare_cached(
        "UPDATE people SET name = ?2, kind = ?3, password = ?4, disabled = ?5 WHERE id = ?1",
    )?
    .execute(params![
        id,
        person.name,
        person.kind,
        person.password,
        person.disabled
    ])?;
    if disabled.flatten().is_some() {
        offers::cancel_all_of(db, id)?;
        revocations::note(db, RevocationTarget::Person(id))?;
    }
    Ok(true)
}

fn token_from(row: &Row<'_>) -> Result<Token> {
    Ok(Token {
        hash: row.get(0)?,
        person: row.get(1)?,
        label: row.get(2)?,
        scopes: row.get(3)?,
        created: row.get(4)?,
        last_used: row.get(5)?,
        expires: row.get(6)?,
        revoked: row.get(7)?,
    })
}

/// See [`Store::token`](crate::Store::token).
pub(super) fn token(db: &Connection, hash: Digest) -> Result<Option<Token>> {
    db.prepare_cached(
        "SELECT hash, person, label, scopes, created, last_used, expires, revoked
         FROM tokens WHERE hash = ?1",
    )?
    .query_row([hash], token_from)
    .optional()
}

/// See [`Store::tokens_of`](crate::Store::tokens_of).
pub(super) fn tokens_of(db: &Connection, person: PersonId) -> Result<Vec<Token>> {
    db.prepare_cached(
        "SELECT hash, person, label, scopes, created, last_used, expires, revoked
         FROM tokens WHERE person = ?1 ORDER BY created DESC, hash LIMIT ?2",
    )?
    .query_map(params![person, limits::MAX_ROWS], token_from)?
    .collect()
}

/// See [`Store::add_token`](crate::Store::add_token).
pub(super) fn add_token(db: &Connection, token: &Token) -> Result<bool> {
    if person(db, token.person)?.is_none() {
        return Ok(false);
    }
    db.prepare_cached(
        "INSERT INTO tokens (hash, person, label, scopes, created, last_used, expires, revoked)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (hash) DO NOTHING",
    )?
    .execute(params![
        token.hash,
        token.person,
        token.label,
        token.scopes,
        token.created,
        token.last_used,
        token.expires,
        token.revoked
    ])?;
    db.prepare_cached(
        "DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens
             WHERE person = ?1 AND (revoked IS NOT NULL OR expires <= ?2)
             ORDER BY coalesce(revoked, expires) DESC, hash LIMIT -1 OFFSET ?3)",
    )?
    .execute(params![
        token.person,
        token.created,
        limits::ENDED_TOKENS_OF_PERSON
    ])?;
    Ok(true)
}

/// See [`Store::use_token`](crate::Store::use_token).
pub(super) fn use_token(db: &Connection, hash: Digest, now: Moment) -> Result<()> {
    db.prepare_cached(
        "UPDATE tokens SET last_used = ?2
         WHERE hash = ?1 AND (last_used IS NULL OR last_used <= ?3)",
    )?
    .execute(params![
        hash,
        now,
        now.plus_millis(-limits::TOKEN_USE_GRANULARITY_MILLIS)
    ])?;
    Ok(())
}

/// See [`Store::revoke_token`](crate::Store::revoke_token).
pub(super) fn revoke_token(db: &Connection, hash: Digest, now: Moment) -> Result<bool> {
    let revoked = db
        .prepare_cached("UPDATE tokens SET revoked = ?2 WHERE hash = ?1 AND revoked IS NULL")?
        .execute(params![hash, now])?;
    if revoked > 0 {
        revocations::note(db, RevocationTarget::Secret(hash))?;
    }
    Ok(revoked > 0)
}

/// See [`Store::add_session`](crate::Store::add_session).
pub(super) fn add_session(db: &Connection, session: &LoginSession) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO sessions (hash, person, guest, name, created, expires)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (hash) DO UPDATE SET person = excluded.person,
             guest = excluded.guest, name = excluded.name, expires = excluded.expires",
    )?
    .execute(params![
        session.hash,
        session.holder.person(),
        session.holder.guest(),
        session.name,
        session.created,
        session.expires
    ])?;
    let ended: Vec<Digest> = db
        .prepare_cached(
            "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions
                 WHERE person = ?1 AND hash <> ?2 ORDER BY created DESC, hash LIMIT -1 OFFSET ?3)
             RETURNING hash",
        )?
        .query_map(
            params![
                session.holder.person(),
                session.hash,
                limits::SESSIONS_OF_PERSON - 1
            ],
            |row| row.get(0),
        )?
        .collect::<Result<_>>()?;
    for hash in ended {
        revocations::note(db, RevocationTarget::Secret(hash))?;
    }
    Ok(())
}

/// See [`Store::renew_session`](crate::Store::renew_session).
pub(super) fn renew_session(db: &Connection, hash: Digest, expires: Moment) -> Result<bool> {
    let renewed = db
        .prepare_cached("UPDATE sessions SET expires = max(expires, ?2) WHERE hash = ?1")?
        .execute(params![hash, expires])?;
    Ok(renewed > 0)
}

/// See [`Store::session`](crate::Store::session).
pub(super) fn session(db: &Connection, hash: Digest, now: Moment) -> Result<Option<LoginSession>> {
    db.prepare_cached(
        "SELECT person, guest, name, created, expires FROM sessions
         WHERE hash = ?1 AND expires > ?2",
    )?
    .query_row(params![hash, now], |row| {
        Ok(LoginSession {
            hash,
            holder: Holder::from_row(row, 0)?,
            name: row.get(2)?,
            created: row.get(3)?,
            expires: row.get(4)?,
        })
    })
    .optional()
}

/// See [`Store::end_session`](crate::Store::end_session).
pub(super) fn end_session(db: &Connection, hash: Digest) -> Result<bool> {
    let person: Option<Option<PersonId>> = db
        .prepare_cached("DELETE FROM sessions WHERE hash = ?1 RETURNING person")?
        .query_row([hash], |row| row.get(0))
        .optional()?;
    if let Some(Some(person)) = person {
        end_codes_of(db, person)?;
        revocations::note(db, RevocationTarget::Secret(hash))?;
    }
    Ok(person.is_some())
}

/// Deletes OAuth codes that are not exchanged yet.
fn end_codes_of(db: &Connection, person: PersonId) -> Result<()> {
    db.prepare_cached("DELETE FROM grants WHERE person = ?1 AND token IS NULL")?
        .execute([person])?;
    Ok(())
}

/// See [`Store::end_sessions_of`](crate::Store::end_sessions_of).
pub(super) fn end_sessions_of(db: &Connection, person: PersonId) -> Result<u64> {
    end_codes_of(db, person)?;
    let ended: Vec<Digest> = db
        .prepare_cached("DELETE FROM sessions WHERE person = ?1 RETURNING hash")?
        .query_map([person], |row| row.get(0))?
        .collect::<Result<_>>()?;
    for hash in &ended {
        revocations::note(db, RevocationTarget::Secret(*hash))?;
    }
    Ok(ended.len() as u64)
}

/// See [`Store::revoke_tokens_of`](crate::Store::revoke_tokens_of).
pub(super) fn revoke_tokens_of(db: &Connection, person: PersonId, now: Moment) -> Result<u64> {
    end_codes_of(db, person)?;
    db.prepare_cached("UPDATE grants SET replayed = 1 WHERE person = ?1")?
        .execute([person])?;
    let revoked: Vec<Digest> = db
        .prepare_cached(
            "UPDATE tokens SET revoked = ?2 WHERE person = ?1 AND revoked IS NULL RETURNING hash",
        )?
        .query_map(params![person, now], |row| row.get(0))?
        .collect::<Result<_>>()?;
    for hash in &revoked {
        revocations::note(db, RevocationTarget::Secret(*hash))?;
    }
    Ok(revoked.len() as u64)
}
