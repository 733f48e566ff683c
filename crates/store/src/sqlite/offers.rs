//! SQL for offers to play. The caller decides who may take or decline one.

use rusqlite::types::FromSqlError;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::sqlite::games;
use crate::{
    CloseOffer, CloseOfferResult, CreateResult, Holder, MakeOfferResult, Moment, Offer, OfferId,
    OfferStatus, PersonId, TakeOffer, TakeOfferResult,
};

const OFFER_COLUMNS: &str = "id, by_person, by_guest, name, to_person, terms, created, expires, status, \
     game, reason";

/// The status of an offer as a number. The numbers are in files of users: they never change.
const STATUS_OPEN: i64 = 0;
const STATUS_TAKEN: i64 = 1;
const STATUS_DECLINED: i64 = 2;
const STATUS_CANCELLED: i64 = 3;

fn offer_from(row: &Row<'_>) -> Result<Offer> {
    let status = match row.get(8)? {
        STATUS_OPEN => OfferStatus::Open,
        STATUS_TAKEN => OfferStatus::Taken { game: row.get(9)? },
        STATUS_DECLINED => OfferStatus::Declined {
            reason: row.get(10)?,
        },
        STATUS_CANCELLED => OfferStatus::Cancelled,
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
    db.prepare_cached(&format!("SELECT {OFFER_COLUMNS} FROM offers WHERE id = ?1"))?
        .query_row([id], offer_from)
        .optional()
}

/// See [`Store::create_offer`](crate::Store::create_offer).
pub(super) fn make(db: &Connection, offer: &Offer) -> Result<MakeOfferResult> {
    if let Some(known) = find(db, offer.id)? {
        let is_same = known.by == offer.by && known.created == offer.created;
        return Ok(if is_same {
            MakeOfferResult::Already
        } else {
            MakeOfferResult::IdTaken
        });
    }
    let (status, game, reason) = match &offer.status {
        OfferStatus::Open => (STATUS_OPEN, None, None),
        OfferStatus::Taken { game } => (STATUS_TAKEN, Some(*game), None),
        OfferStatus::Declined { reason } => (STATUS_DECLINED, None, Some(reason)),
        OfferStatus::Cancelled => (STATUS_CANCELLED, None, None),
    };
    db.prepare_cached(&format!(
        "INSERT INTO offers ({OFFER_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
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
    Ok(MakeOfferResult::Written)
}

/// See [`Store::open_seeks`](crate::Store::open_seeks).
pub(super) fn seeks(db: &Connection, now: Moment, limit: usize) -> Result<Vec<Offer>> {
    db.prepare_cached(&format!(
        "SELECT {OFFER_COLUMNS} FROM offers WHERE status = 0 AND to_person IS NULL
         AND (expires IS NULL OR expires > ?1) ORDER BY created, id LIMIT ?2"
    ))?
    .query_map(params![now, limit], offer_from)?
    .collect()
}

/// See [`Store::challenges_by`](crate::Store::challenges_by) and
/// [`Store::challenges_to`](crate::Store::challenges_to); the column selects which.
pub(super) fn challenges(
    db: &Connection,
    column: &'static str,
    person: PersonId,
    now: Moment,
    limit: usize,
) -> Result<Vec<Offer>> {
    db.prepare_cached(&format!(
        "SELECT {OFFER_COLUMNS} FROM offers WHERE status = 0 AND to_person IS NOT NULL
         AND {column} = ?1 AND (expires IS NULL OR expires > ?2)
         ORDER BY created DESC, id DESC LIMIT ?3"
    ))?
    .query_map(params![person, now, limit], offer_from)?
    .collect()
}

/// See [`Store::take_offer`](crate::Store::take_offer).
pub(super) fn take(db: &Connection, take: &TakeOffer) -> Result<TakeOfferResult> {
    let Some(offer) = find(db, take.offer)? else {
        return Ok(TakeOfferResult::NoOffer);
    };
    let game = take.game.id;
    if !offer.is_open_at(take.now) {
        let is_same = offer.status == OfferStatus::Taken { game }
            && games::create(db, &take.game)? == CreateResult::Already;
        return Ok(if is_same {
            TakeOfferResult::Already
        } else {
            TakeOfferResult::Gone(offer)
        });
    }
    // If the offer is still open, an existing game with this id is not this offer's game, even if its write id
    // is the same.
    if games::create(db, &take.game)? != CreateResult::Written {
        return Ok(TakeOfferResult::IdTaken);
    }
    db.prepare_cached("UPDATE offers SET status = ?2, game = ?3 WHERE id = ?1")?
        .execute(params![take.offer, STATUS_TAKEN, game])?;
    Ok(TakeOfferResult::Written)
}

/// Cancels the open offers by and to a person.
pub(super) fn cancel_all_of(db: &Connection, person: PersonId) -> Result<()> {
    db.prepare_cached(
        "UPDATE offers SET status = ?2 WHERE status = 0 AND (by_person = ?1 OR to_person = ?1)",
    )?
    .execute(params![person, STATUS_CANCELLED])?;
    Ok(())
}

/// See [`Store::close_offer`](crate::Store::close_offer).
pub(super) fn close(db: &Connection, id: OfferId, close: &CloseOffer) -> Result<CloseOfferResult> {
    let Some(offer) = find(db, id)? else {
        return Ok(CloseOfferResult::NoOffer);
    };
    let (status, reason) = match close {
        CloseOffer::Decline { reason } => (STATUS_DECLINED, Some(reason)),
        CloseOffer::Cancel => (STATUS_CANCELLED, None),
    };
    match (&offer.status, close) {
        (OfferStatus::Open, _) => {}
        (OfferStatus::Declined { .. }, CloseOffer::Decline { .. })
        | (OfferStatus::Cancelled, CloseOffer::Cancel) => return Ok(CloseOfferResult::Already),
        _ => return Ok(CloseOfferResult::Gone(offer)),
    }
    db.prepare_cached("UPDATE offers SET status = ?2, reason = ?3 WHERE id = ?1")?
        .execute(params![id, status, reason])?;
    Ok(CloseOfferResult::Written)
}
