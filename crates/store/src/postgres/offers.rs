//! SQL for offers to play. The caller decides who may take or decline one.

use tokio_postgres::Row;

use crate::postgres::columns::{QueryError, bounded, column, halves, some_holder};
use crate::postgres::connection_pool::{BEGIN_WRITE_SQL, Db, SqlParam};
use crate::postgres::games::{NewGameColumns, SELECT_MARK_SQL, beginning, is_same_write};
use crate::{
    CloseOffer, CloseOfferResult, Error, MakeOfferResult, Moment, Offer, OfferId, OfferStatus,
    PersonId, TakeOffer, TakeOfferResult,
};

const OFFER_COLUMNS: &str = "id, by_person, by_guest, name, to_person, terms, created, expires, status, \
     game, reason";

/// The status of an offer as a number. The numbers are in databases of users: they never change.
const STATUS_OPEN: i16 = 0;
const STATUS_TAKEN: i16 = 1;
const STATUS_DECLINED: i16 = 2;
const STATUS_CANCELLED: i16 = 3;

fn offer_from(row: &Row) -> Result<Offer, QueryError> {
    let status = match column(row, 8)? {
        STATUS_OPEN => OfferStatus::Open,
        STATUS_TAKEN => OfferStatus::Taken {
            game: column(row, 9)?,
        },
        STATUS_DECLINED => OfferStatus::Declined {
            reason: column(row, 10)?,
        },
        STATUS_CANCELLED => OfferStatus::Cancelled,
        other => return Err(Error::Damaged(format!("{other} is no status of an offer")).into()),
    };
    Ok(Offer {
        id: column(row, 0)?,
        by: some_holder(row, 1)?,
        name: column(row, 3)?,
        to: column(row, 4)?,
        terms: column(row, 5)?,
        created: column(row, 6)?,
        expires: column(row, 7)?,
        status,
    })
}

fn first_offer(rows: Option<&Vec<Row>>) -> Result<Option<Offer>, QueryError> {
    rows.and_then(|rows| rows.first())
        .map(offer_from)
        .transpose()
}

/// See [`Store::find_offer`](crate::Store::find_offer).
pub(super) async fn find(db: Db<'_>, id: OfferId) -> Result<Option<Offer>, QueryError> {
    let sql = format!("SELECT {OFFER_COLUMNS} FROM offers WHERE id = $1");
    first_offer(Some(&db.query(&sql, &[&id.as_str()]).await?))
}

/// See [`Store::create_offer`](crate::Store::create_offer).
pub(super) async fn make(db: Db<'_>, offer: &Offer) -> Result<MakeOfferResult, QueryError> {
    let (status, game, reason) = match &offer.status {
        OfferStatus::Open => (STATUS_OPEN, None, None),
        OfferStatus::Taken { game } => (STATUS_TAKEN, Some(game.as_str()), None),
        OfferStatus::Declined { reason } => (STATUS_DECLINED, None, Some(reason)),
        OfferStatus::Cancelled => (STATUS_CANCELLED, None, None),
    };
    let insert = format!(
        "INSERT INTO offers ({OFFER_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (id) DO NOTHING RETURNING id"
    );
    let look = format!("SELECT {OFFER_COLUMNS} FROM offers WHERE id = $1");
    let (person, guest) = halves(Some(&offer.by));
    let to = offer.to.as_ref().map(PersonId::as_str);
    let expires = offer.expires.map(|expires| expires.0);
    let values: [SqlParam<'_>; 11] = [
        &offer.id.as_str(),
        &person,
        &guest,
        &offer.name,
        &to,
        &offer.terms,
        &offer.created.0,
        &expires,
        &status,
        &game,
        &reason,
    ];
    let steps = [
        (insert.as_str(), &values[..]),
        (look.as_str(), &values[..1]),
    ];
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    let is_new = answers.first().is_some_and(|rows| !rows.is_empty());
    Ok(match first_offer(answers.get(1))? {
        _ if is_new => MakeOfferResult::Written,
        Some(known) if known.by == offer.by && known.created == offer.created => {
            MakeOfferResult::Already
        }
        _ => MakeOfferResult::IdTaken,
    })
}

/// See [`Store::open_seeks`](crate::Store::open_seeks).
pub(super) async fn seeks(db: Db<'_>, now: Moment, limit: usize) -> Result<Vec<Offer>, QueryError> {
    let sql = format!(
        "SELECT {OFFER_COLUMNS} FROM offers WHERE status = 0 AND to_person IS NULL
         AND (expires IS NULL OR expires > $1) ORDER BY created, id LIMIT $2"
    );
    let rows = db.query(&sql, &[&now.0, &bounded(limit)]).await?;
    rows.iter().map(offer_from).collect()
}

/// See [`Store::challenges_by`](crate::Store::challenges_by) and
/// [`Store::challenges_to`](crate::Store::challenges_to); the column selects which.
pub(super) async fn challenges(
    db: Db<'_>,
    column: &'static str,
    person: PersonId,
    now: Moment,
    limit: usize,
) -> Result<Vec<Offer>, QueryError> {
    let sql = format!(
        "SELECT {OFFER_COLUMNS} FROM offers WHERE status = 0 AND to_person IS NOT NULL
         AND {column} = $1 AND (expires IS NULL OR expires > $2)
         ORDER BY created DESC, id DESC LIMIT $3"
    );
    let values: [SqlParam<'_>; 3] = [&person.as_str(), &now.0, &bounded(limit)];
    let rows = db.query(&sql, &values).await?;
    rows.iter().map(offer_from).collect()
}

/// See [`Store::take_offer`](crate::Store::take_offer).
pub(super) async fn take(db: Db<'_>, take: &TakeOffer) -> Result<TakeOfferResult, QueryError> {
    let lock = format!("SELECT {OFFER_COLUMNS} FROM offers WHERE id = $1 FOR UPDATE");
    let begin = beginning(
        "EXISTS (SELECT FROM offers WHERE id = $22 AND status = 0
             AND (expires IS NULL OR expires > $23::int8))",
        ", taken AS (UPDATE offers SET status = 1, game = begun.id FROM begun WHERE offers.id = $22)",
    );
    let (offer, game) = (take.offer.as_str(), take.game.id.as_str());
    let beginning = NewGameColumns::of(&take.game);
    let mut values = beginning.values();
    let more: [SqlParam<'_>; 2] = [&offer, &take.now.0];
    values.extend(more);
    let steps: [(&str, &[SqlParam<'_>]); 3] = [
        (&lock, &[&offer]),
        (&begin, &values),
        (SELECT_MARK_SQL, &[&game]),
    ];
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    let Some(found) = first_offer(answers.first())? else {
        return Ok(TakeOfferResult::NoOffer);
    };
    let [_, begun, marks] = &answers[..] else {
        return Ok(TakeOfferResult::NoOffer);
    };
    if !found.is_open_at(take.now) {
        let game = take.game.id;
        let is_same =
            found.status == OfferStatus::Taken { game } && is_same_write(marks, take.game.mark)?;
        return Ok(if is_same {
            TakeOfferResult::Already
        } else {
            TakeOfferResult::Gone(found)
        });
    }
    // If the offer is still open, an existing game with this id is not this offer's game, even if its write id
    // is the same.
    Ok(match begun.first() {
        Some(_) => TakeOfferResult::Written,
        None => TakeOfferResult::IdTaken,
    })
}

/// Cancels the open offers by and to a person.
pub(super) const CANCEL_ALL_OF: &str =
    "UPDATE offers SET status = 3 WHERE status = 0 AND (by_person = $1 OR to_person = $1)";

/// See [`Store::close_offer`](crate::Store::close_offer).
pub(super) async fn close(
    db: Db<'_>,
    id: OfferId,
    close: &CloseOffer,
) -> Result<CloseOfferResult, QueryError> {
    let (status, reason) = match close {
        CloseOffer::Decline { reason } => (STATUS_DECLINED, Some(reason)),
        CloseOffer::Cancel => (STATUS_CANCELLED, None),
    };
    let lock = format!("SELECT {OFFER_COLUMNS} FROM offers WHERE id = $1 FOR UPDATE");
    let id = id.as_str();
    let steps: [(&str, &[SqlParam<'_>]); 2] = [
        (&lock, &[&id]),
        (
            "UPDATE offers SET status = $2, reason = $3 WHERE id = $1 AND status = 0",
            &[&id, &status, &reason],
        ),
    ];
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    let Some(offer) = first_offer(answers.first())? else {
        return Ok(CloseOfferResult::NoOffer);
    };
    Ok(match (&offer.status, close) {
        (OfferStatus::Open, _) => CloseOfferResult::Written,
        (OfferStatus::Declined { .. }, CloseOffer::Decline { .. })
        | (OfferStatus::Cancelled, CloseOffer::Cancel) => CloseOfferResult::Already,
        _ => CloseOfferResult::Gone(offer),
    })
}
