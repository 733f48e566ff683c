//! SQL for OAuth grants and server keys.

use tokio_postgres::Row;

use crate::postgres::columns::{QueryError, column};
use crate::postgres::connection_pool::{BEGIN_WRITE_SQL, Db, SqlParam};
use crate::{Digest, Error, Grant, Moment, Redemption, ServerKey};

/// See [`Store::add_grant`](crate::Store::add_grant).
pub(super) async fn add(db: Db<'_>, grant: &Grant) -> Result<(), QueryError> {
    let values: [SqlParam<'_>; 8] = [
        &grant.code.0.as_slice(),
        &grant.person.as_str(),
        &grant.client,
        &grant.redirect,
        &grant.challenge,
        &grant.scopes,
        &grant.created.0,
        &grant.expires.0,
    ];
    db.query(
        "INSERT INTO grants (code, person, client, redirect, challenge, scopes, created, expires)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (code) DO NOTHING",
        &values,
    )
    .await?;
    Ok(())
}

fn grant_from(row: &Row, code: Digest) -> Result<Grant, QueryError> {
    Ok(Grant {
        code,
        person: column(row, 0)?,
        client: column(row, 1)?,
        redirect: column(row, 2)?,
        challenge: column(row, 3)?,
        scopes: column(row, 4)?,
        created: column(row, 5)?,
        expires: column(row, 6)?,
    })
}

/// See [`Store::redeem_grant`](crate::Store::redeem_grant).
pub(super) async fn redeem(
    db: Db<'_>,
    code: Digest,
    new_token: Digest,
    now: Moment,
) -> Result<Redemption, QueryError> {
    // The previous row is read under its lock; so of several concurrent calls only one is the first.
    let rows = db
        .query(
            "WITH known AS (SELECT * FROM grants WHERE code = $1 FOR UPDATE)
             UPDATE grants SET replayed = known.token IS NOT NULL,
                 token = CASE WHEN known.token IS NULL AND known.expires > $3
                     THEN $2 ELSE known.token END
             FROM known WHERE grants.code = known.code
             RETURNING known.person, known.client, known.redirect, known.challenge, known.scopes,
                 known.created, known.expires, known.token",
            &[&code.0.as_slice(), &new_token.0.as_slice(), &now.0],
        )
        .await?;
    let Some(row) = rows.first() else {
        return Ok(Redemption::Unknown);
    };
    if let Some(token) = column(row, 7)? {
        return Ok(Redemption::Replayed { token });
    }
    let grant = grant_from(row, code)?;
    Ok(match now < grant.expires {
        true => Redemption::First(grant),
        false => Redemption::Unknown,
    })
}

/// See [`Store::is_grant_replayed`](crate::Store::is_grant_replayed).
pub(super) async fn is_replayed(db: Db<'_>, code: Digest) -> Result<bool, QueryError> {
    let sql = "SELECT replayed FROM grants WHERE code = $1";
    let rows = db.query(sql, &[&code.0.as_slice()]).await?;
    rows.first().map_or(Ok(false), |row| column(row, 0))
}

/// See [`Store::server_key`](crate::Store::server_key).
pub(super) async fn server_key(
    db: Db<'_>,
    purpose: &str,
    new: ServerKey,
) -> Result<ServerKey, QueryError> {
    let bytes = new.bytes.as_slice();
    let steps: [(&str, &[SqlParam<'_>]); 2] = [
        (
            "INSERT INTO server_keys (purpose, bytes, created) VALUES ($1, $2, $3)
             ON CONFLICT (purpose) DO NOTHING",
            &[&purpose, &bytes, &new.created.0],
        ),
        (
            "SELECT bytes, created FROM server_keys WHERE purpose = $1",
            &[&purpose],
        ),
    ];
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    let row = answers.get(1).and_then(|rows| rows.first());
    let row = row.ok_or_else(|| Error::Damaged("a key of the server is missing".to_owned()))?;
    let Digest(bytes) = column(row, 0)?;
    let created = column(row, 1)?;
    Ok(ServerKey { bytes, created })
}
