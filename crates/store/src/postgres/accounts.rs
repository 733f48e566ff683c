//! SQL for accounts, tokens and sessions. The caller authenticates and authorizes.

use tokio_postgres::Row;

use crate::postgres::columns::{QueryError, StoredAsNumber, bounded, column, halves, some_holder};
use crate::postgres::connection_pool::{BEGIN_WRITE_SQL, Db, SqlParam, Statement};
use crate::postgres::offers::CANCEL_ALL_OF;
use crate::postgres::revocations::{end_rights, end_rights_and};
use crate::{
    AddPersonResult, Digest, LoginSession, Moment, Person, PersonChanges, PersonId, Token, limits,
};

/// The columns of a person, for [`person_from`].
const PERSON_COLUMNS: &str = "id, name, skeleton, kind, password, created, disabled";
/// The columns of a token, for [`token_from`].
const TOKEN_COLUMNS: &str = "hash, person, label, scopes, created, last_used, expires, revoked";

fn person_from(row: &Row) -> Result<Person, QueryError> {
    Ok(Person {
        id: column(row, 0)?,
        name: column(row, 1)?,
        skeleton: column(row, 2)?,
        kind: column(row, 3)?,
        password: column(row, 4)?,
        created: column(row, 5)?,
        disabled: column(row, 6)?,
    })
}

/// See [`Store::person`](crate::Store::person).
pub(super) async fn person(db: Db<'_>, id: PersonId) -> Result<Option<Person>, QueryError> {
    let sql = format!("SELECT {PERSON_COLUMNS} FROM people WHERE id = $1");
    let rows = db.query(&sql, &[&id.as_str()]).await?;
    rows.first().map(person_from).transpose()
}

/// See [`Store::person_named`](crate::Store::person_named).
pub(super) async fn person_named(db: Db<'_>, skeleton: &str) -> Result<Option<Person>, QueryError> {
    let sql = format!("SELECT {PERSON_COLUMNS} FROM people WHERE skeleton = $1");
    let rows = db.query(&sql, &[&skeleton]).await?;
    rows.first().map(person_from).transpose()
}

/// See [`Store::list_people`](crate::Store::list_people).
pub(super) async fn people(
    db: Db<'_>,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<Person>, QueryError> {
    // Every skeleton is at least the empty text, which a person may have too.
    let (sign, after) = after.map_or((">=", ""), |after| (">", after));
    let sql = format!(
        "SELECT {PERSON_COLUMNS} FROM people WHERE skeleton {sign} $1 ORDER BY skeleton LIMIT $2"
    );
    let rows = db.query(&sql, &[&after, &bounded(limit)]).await?;
    rows.iter().map(person_from).collect()
}

/// See [`Store::add_person`](crate::Store::add_person).
pub(super) async fn add_person(db: Db<'_>, new: &Person) -> Result<AddPersonResult, QueryError> {
    let insert = format!(
        "INSERT INTO people ({PERSON_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT DO NOTHING RETURNING id"
    );
    let look = format!("SELECT {PERSON_COLUMNS} FROM people WHERE id = $1");
    let disabled = new.disabled.map(|at| at.0);
    let values: [SqlParam<'_>; 7] = [
        &new.id.as_str(),
        &new.name,
        &new.skeleton,
        &new.kind.number(),
        &new.password,
        &new.created.0,
        &disabled,
    ];
    let steps = [
        (insert.as_str(), &values[..]),
        (look.as_str(), &values[..1]),
    ];
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    let first = |step: usize| answers.get(step).and_then(|rows| rows.first());
    if first(0).is_some() {
        return Ok(AddPersonResult::Written);
    }
    Ok(match first(1).map(person_from).transpose()? {
        Some(known) if known.skeleton == new.skeleton && known.created == new.created => {
            AddPersonResult::Already
        }
        Some(_) => AddPersonResult::IdTaken,
        None => AddPersonResult::NameTaken,
    })
}

/// See [`Store::change_person`](crate::Store::change_person).
pub(super) async fn change_person(
    db: Db<'_>,
    id: PersonId,
    changes: &PersonChanges,
) -> Result<bool, QueryError> {
    let PersonChanges {
        name,
        kind,
        password,
        disabled,
    } = changes;
    let update = "UPDATE people SET name = coalesce($2, name), kind = coalesce($3, kind),
             password = CASE WHEN $4 THEN $5 ELSE password END,
             disabled = CASE WHEN $6 THEN $7 ELSE disabled END
         WHERE id = $1 RETURNING id AS person, NULL::bytea AS secret";
    let (id, kind) = (id.as_str(), kind.map(StoredAsNumber::number));
    let (has_password, password) = (
        password.is_some(),
        password.as_ref().and_then(Option::as_ref),
    );
    let (has_disabled, disabled) = (disabled.is_some(), disabled.flatten().map(|at| at.0));
    let values: [SqlParam<'_>; 7] = [
        &id,
        name,
        &kind,
        &has_password,
        &password,
        &has_disabled,
        &disabled,
    ];
    match disabled {
        Some(_) => {
            let also: [Statement<'_>; 1] = [(CANCEL_ALL_OF, &[&id])];
            Ok(end_rights_and(db, update, &values, &also).await? > 0)
        }
        None => Ok(!db.query(update, &values).await?.is_empty()),
    }
}

fn token_from(row: &Row) -> Result<Token, QueryError> {
    Ok(Token {
        hash: column(row, 0)?,
        person: column(row, 1)?,
        label: column(row, 2)?,
        scopes: column(row, 3)?,
        created: column(row, 4)?,
        last_used: column(row, 5)?,
        expires: column(row, 6)?,
        revoked: column(row, 7)?,
    })
}

/// See [`Store::token`](crate::Store::token).
pub(super) async fn token(db: Db<'_>, hash: Digest) -> Result<Option<Token>, QueryError> {
    let sql = format!("SELECT {TOKEN_COLUMNS} FROM tokens WHERE hash = $1");
    let rows = db.query(&sql, &[&hash.0.as_slice()]).await?;
    rows.first().map(token_from).transpose()
}

/// See [`Store::tokens_of`](crate::Store::tokens_of).
pub(super) async fn tokens_of(db: Db<'_>, person: PersonId) -> Result<Vec<Token>, QueryError> {
    let sql = format!(
        "SELECT {TOKEN_COLUMNS} FROM tokens WHERE person = $1 ORDER BY created DESC, hash LIMIT $2"
    );
    let values: [SqlParam<'_>; 2] = [&person.as_str(), &bounded(limits::MAX_ROWS)];
    let rows = db.query(&sql, &values).await?;
    rows.iter().map(token_from).collect()
}

/// See [`Store::add_token`](crate::Store::add_token).
pub(super) async fn add_token(db: Db<'_>, token: &Token) -> Result<bool, QueryError> {
    let insert = format!(
        "INSERT INTO tokens ({TOKEN_COLUMNS})
         SELECT $1, id, $3, $4, $5::int8, $6::int8, $7::int8, $8::int8 FROM people WHERE id = $2
         ON CONFLICT (hash) DO NOTHING"
    );
    let millis = |at: Option<Moment>| at.map(|at| at.0);
    let person = token.person.as_str();
    let (used, expires) = (millis(token.last_used), millis(token.expires));
    let revoked = millis(token.revoked);
    let values: [SqlParam<'_>; 8] = [
        &token.hash.0.as_slice(),
        &person,
        &token.label,
        &token.scopes,
        &token.created.0,
        &used,
        &expires,
        &revoked,
    ];
    let delete = "DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens
             WHERE person = $1 AND (revoked IS NOT NULL OR expires <= $2)
             ORDER BY coalesce(revoked, expires) DESC, hash OFFSET $3)";
    let kept = bounded(limits::ENDED_TOKENS_OF_PERSON);
    let steps: [(&str, &[SqlParam<'_>]); 3] = [
        (&insert, &values),
        ("SELECT id FROM people WHERE id = $1", &[&person]),
        (delete, &[&person, &token.created.0, &kept]),
    ];
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    Ok(answers.get(1).is_some_and(|rows| !rows.is_empty()))
}

/// See [`Store::use_token`](crate::Store::use_token).
pub(super) async fn use_token(db: Db<'_>, hash: Digest, now: Moment) -> Result<(), QueryError> {
    let long_ago = now.plus_millis(-limits::TOKEN_USE_GRANULARITY_MILLIS);
    db.query(
        "UPDATE tokens SET last_used = $2 WHERE hash = $1 AND (last_used IS NULL OR last_used <= $3)",
        &[&hash.0.as_slice(), &now.0, &long_ago.0],
    )
    .await?;
    Ok(())
}

/// See [`Store::revoke_token`](crate::Store::revoke_token).
pub(super) async fn revoke_token(
    db: Db<'_>,
    hash: Digest,
    now: Moment,
) -> Result<bool, QueryError> {
    let update = "UPDATE tokens SET revoked = $2 WHERE hash = $1 AND revoked IS NULL
         RETURNING NULL::text AS person, hash AS secret";
    let revoked = end_rights(db, update, &[&hash.0.as_slice(), &now.0]).await?;
    Ok(revoked > 0)
}

/// See [`Store::add_session`](crate::Store::add_session).
pub(super) async fn add_session(db: Db<'_>, session: &LoginSession) -> Result<(), QueryError> {
    let (person, guest) = halves(Some(&session.holder));
    let hash = session.hash.0.as_slice();
    db.query(
        "INSERT INTO sessions (hash, person, guest, name, created, expires)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO UPDATE SET person = excluded.person,
             guest = excluded.guest, name = excluded.name, expires = excluded.expires",
        &[
            &hash,
            &person,
            &guest,
            &session.name,
            &session.created.0,
            &session.expires.0,
        ],
    )
    .await?;
    if person.is_some() {
        let others = bounded(limits::SESSIONS_OF_PERSON - 1);
        let delete = "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions
                 WHERE person = $1 AND hash <> $2 ORDER BY created DESC, hash OFFSET $3)
             RETURNING NULL::text AS person, hash AS secret";
        end_rights(db, delete, &[&person, &hash, &others]).await?;
    }
    Ok(())
}

/// See [`Store::renew_session`](crate::Store::renew_session).
pub(super) async fn renew_session(
    db: Db<'_>,
    hash: Digest,
    expires: Moment,
) -> Result<bool, QueryError> {
    let update =
        "UPDATE sessions SET expires = greatest(expires, $2) WHERE hash = $1 RETURNING hash";
    let rows = db.query(update, &[&hash.0.as_slice(), &expires.0]).await?;
    Ok(!rows.is_empty())
}

/// See [`Store::session`](crate::Store::session).
pub(super) async fn session(
    db: Db<'_>,
    hash: Digest,
    now: Moment,
) -> Result<Option<LoginSession>, QueryError> {
    let rows = db
        .query(
            "SELECT person, guest, name, created, expires FROM sessions WHERE hash = $1 AND expires > $2",
            &[&hash.0.as_slice(), &now.0],
        )
        .await?;
    rows.first()
        .map(|row| {
            Ok(LoginSession {
                hash,
                holder: some_holder(row, 0)?,
                name: column(row, 2)?,
                created: column(row, 3)?,
                expires: column(row, 4)?,
            })
        })
        .transpose()
}

/// See [`Store::end_session`](crate::Store::end_session).
pub(super) async fn end_session(db: Db<'_>, hash: Digest) -> Result<bool, QueryError> {
    // Only sessions of accounts are revocations: a guest's seats depend on the guest's secret, not on the
    // session.
    let delete = "DELETE FROM sessions WHERE hash = $1
         RETURNING NULL::text AS person, CASE WHEN person IS NULL THEN NULL ELSE hash END AS secret";
    let values: [SqlParam<'_>; 1] = [&hash.0.as_slice()];
    let sql = "SELECT person FROM sessions WHERE hash = $1";
    let rows = db.query(sql, &values).await?;
    let person: Option<PersonId> = rows.first().map_or(Ok(None), |row| column(row, 0))?;
    let has_ended = end_rights(db, delete, &values).await? > 0;
    if let Some(person) = person {
        end_codes_of(db, person).await?;
    }
    Ok(has_ended)
}

/// Deletes OAuth codes that are not exchanged yet.
async fn end_codes_of(db: Db<'_>, person: PersonId) -> Result<(), QueryError> {
    let delete = "DELETE FROM grants WHERE person = $1 AND token IS NULL";
    db.query(delete, &[&person.as_str()]).await?;
    Ok(())
}

/// See [`Store::end_sessions_of`](crate::Store::end_sessions_of).
pub(super) async fn end_sessions_of(db: Db<'_>, person: PersonId) -> Result<u64, QueryError> {
    let delete = "DELETE FROM sessions WHERE person = $1
         RETURNING NULL::text AS person, hash AS secret";
    let ended = end_rights(db, delete, &[&person.as_str()]).await?;
    // After the sessions: a caller that adds a code checks afterwards whether its session still exists.
    end_codes_of(db, person).await?;
    Ok(ended)
}

/// See [`Store::revoke_tokens_of`](crate::Store::revoke_tokens_of).
pub(super) async fn revoke_tokens_of(
    db: Db<'_>,
    person: PersonId,
    now: Moment,
) -> Result<u64, QueryError> {
    // Before the tokens and in its own transaction: a caller whose new token is not seen below checks its code
    // afterwards.
    end_codes_of(db, person).await?;
    let replayed = "UPDATE grants SET replayed = TRUE WHERE person = $1";
    db.query(replayed, &[&person.as_str()]).await?;
    let update = "UPDATE tokens SET revoked = $2 WHERE person = $1 AND revoked IS NULL
         RETURNING NULL::text AS person, hash AS secret";
    end_rights(db, update, &[&person.as_str(), &now.0]).await
}
