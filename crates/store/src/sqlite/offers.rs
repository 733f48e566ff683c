//! The statements about offers to play. Who may take or decline one is not decided here.

use rusqlite::types::FromSqlError;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::sqlite::games;
use crate::{
    Close, Closed, Created, Holder, Made, Moment, Offer, OfferId, OfferStatus, PersonId, Take,
    Taken,
};

const COLUMNS: &str = "id, by_person, by_guest, name, to_person, terms, created, expires, status, \
     game, reason";

/// The numbers of what became of an offer; they are in people's files and never change.
const OPEN: i64 = 0;
const TAKEN: i64 = 1;
const DECLINED: i64 = 2;
const CANCELLED: i64 = 3;

fn offer_from(row: &Row<'_>) -> Result<Offer> {
    let status = match row.get(8)? {
        OPEN => OfferStatus::Open,
        TAKEN => OfferStatus::Taken { game: row.get(9)? },
        DECLINED => OfferStatus::Declined {
            reason: row.get(10)?,
        },
        CANCELLED => OfferStatus::Cancelled,
        other => return Err(FromSqlError::OutOfRange(other).into()),
    };
    Ok(Offer {
        id: row.get(0)?,
        by: Holder::from_row(row, 1)?,
        name: row.get(3)?,
        to: row.get(4)?,
        terms: row.get(5)?,
        created: row.get(6)?,
        expires: row.get(7)?,
        status,
    })
}

/// See [`Store::find_offer`](crate::Store::find_offer).
pub(super) fn find(db: &Connection, id: OfferId) -> Result<Option<Offer>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM offers WHERE id = ?1"))?
        .query_row([id], offer_from)
        .optional()
}

/// See [`Store::offer`](crate::Store::offer).
pub(super) fn make(db: &Connection, offer: &Offer) -> Result<Made> {
    if let Some(known) = find(db, offer.id)? {
        let is_same = known.by == offer.by && known.created == offer.created;
        return Ok(if is_same {
            Made::Already
        } else {
            Made::IdTaken
        });
    }
    let (status, game, reason) = match &offer.status {
        OfferStatus::Open => (OPEN, None, None),
        OfferStatus::Taken { game } => (TAKEN, Some(*game), None),
        OfferStatus::Declined { reason } => (DECLINED, None, Some(reason)),
        OfferStatus::Cancelled => (CANCELLED, None, None),
    };
    db.prepare_cached(&format!(
        "INSERT INTO offers ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
    ))?
    .execute(params![
        offer.id,
        offer.by.person(),
        offer.by.guest(),
        offer.name,
        offer.to,
        offer.terms,
        offer.created,
        offer.expires,
        status,
        game,
        reason
    ])?;
    Ok(Made::Written)
}

/// See [`Store::seeks`](crate::Store::seeks).
pub(super) fn seeks(db: &Connection, now: Moment, limit: usize) -> Result<Vec<Offer>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM offers WHERE status = 0 AND to_person IS NULL
         AND (expires IS NULL OR expires > ?1) ORDER BY created, id LIMIT ?2"
    ))?
    .query_map(params![now, limit], offer_from)?
    .collect()
}

/// See [`Store::challenges_by`](crate::Store::challenges_by) and
/// [`Store::challenges_to`](crate::Store::challenges_to): the column says which.
pub(super) fn challenges(
    db: &Connection,
    column: &'static str,
    person: PersonId,
    now: Moment,
    limit: usize,
) -> Result<Vec<Offer>> {
    db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM offers WHERE status = 0 AND to_person IS NOT NULL
         AND {column} = ?1 AND (expires IS NULL OR expires > ?2)
         ORDER BY created DESC, id DESC LIMIT ?3"
    ))?
    .query_map(params![person, now, limit], offer_from)?
    .collect()
}

/// See [`Store::take`](crate::Store::take).
pub(super) fn take(db: &Connection, take: &Take) -> Result<Taken> {
    let Some(offer) = find(db, take.offer)? else {
        return Ok(Taken::NoOffer);
    };
    let game = take.game.id;
    if !offer.is_open_at(take.now) {
        let is_same = offer.status == OfferStatus::Taken { game }
            && games::create(db, &take.game)? == Created::Already;
        return Ok(if is_same {
            Taken::Already
        } else {
            Taken::Gone(offer)
        });
    }
    // Where the offer is open, a game with this id, even by the same write, is not this offer's.
    if games::create(db, &take.game)? != Created::Written {
        return Ok(Taken::IdTaken);
    }
    db.prepare_cached("UPDATE offers SET status = ?2, game = ?3 WHERE id = ?1")?
        .execute(params![take.offer, TAKEN, game])?;
    Ok(Taken::Written)
}

/// Cancels the open offers by and to a person.
pub(super) fn cancel_all_of(db: &Connection, person: PersonId) -> Result<()> {
    db.prepare_cached(
        "UPDATE offers SET status = ?2 WHERE status = 0 AND (by_person = ?1 OR to_person = ?1)",
    )?
    .execute(params![person, CANCELLED])?;
    Ok(())
}

/// See [`Store::close`](crate::Store::close).
pub(super) fn close(db: &Connection, id: OfferId, close: &Close) -> Result<Closed> {
    let Some(offer) = find(db, id)? else {
        return Ok(Closed::NoOffer);
    };
    let (status, reason) = match close {
        Close::Decline { reason } => (DECLINED, Some(reason)),
        Close::Cancel => (CANCELLED, None),
    };
    match (&offer.status, close) {
        (OfferStatus::Open, _) => {}
        (OfferStatus::Declined { .. }, Close::Decline { .. })
        | (OfferStatus::Cancelled, Close::Cancel) => return Ok(Closed::Already),
        _ => return Ok(Closed::Gone(offer)),
    }
    db.prepare_cached("UPDATE offers SET status = ?2, reason = ?3 WHERE id = ?1")?
        .execute(params![id, status, reason])?;
    Ok(Closed::Written)
}
