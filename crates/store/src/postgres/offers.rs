//! The statements about offers to play. Who may take or decline one is not decided here.

use tokio_postgres::Row;

use crate::postgres::columns::{Trouble, bounded, column, halves, some_holder};
use crate::postgres::connection_pool::{Db, Value, WRITE};
use crate::postgres::games::{Beginning, MARK, beginning, is_same};
use crate::{
    Close, Closed, Error, Made, Moment, Offer, OfferId, OfferStatus, PersonId, Take, Taken,
};

const COLUMNS: &str = "id, by_person, by_guest, name, to_person, terms, created, expires, status, \
     game, reason";

/// The numbers of what became of an offer; they are in people's databases and never change.
const OPEN: i16 = 0;
const TAKEN: i16 = 1;
const DECLINED: i16 = 2;
const CANCELLED: i16 = 3;

fn offer_from(row: &Row) -> Result<Offer, Trouble> {
    let status = match column(row, 8)? {
        OPEN => OfferStatus::Open,
        TAKEN => OfferStatus::Taken {
            game: column(row, 9)?,
        },
        DECLINED => OfferStatus::Declined {
            reason: column(row, 10)?,
        },
        CANCELLED => OfferStatus::Cancelled,
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

fn first_offer(rows: Option<&Vec<Row>>) -> Result<Option<Offer>, Trouble> {
    rows.and_then(|rows| rows.first())
        .map(offer_from)
        .transpose()
}

/// See [`Store::find_offer`](crate::Store::find_offer).
pub(super) async fn find(db: Db<'_>, id: OfferId) -> Result<Option<Offer>, Trouble> {
    let sql = format!("SELECT {COLUMNS} FROM offers WHERE id = $1");
    first_offer(Some(&db.ask(&sql, &[&id.as_str()]).await?))
}

/// See [`Store::offer`](crate::Store::offer).
pub(super) async fn make(db: Db<'_>, offer: &Offer) -> Result<Made, Trouble> {
    let (status, game, reason) = match &offer.status {
        OfferStatus::Open => (OPEN, None, None),
        OfferStatus::Taken { game } => (TAKEN, Some(game.as_str()), None),
        OfferStatus::Declined { reason } => (DECLINED, None, Some(reason)),
        OfferStatus::Cancelled => (CANCELLED, None, None),
    };
    let insert = format!(
        "INSERT INTO offers ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (id) DO NOTHING RETURNING id"
    );
    let look = format!("SELECT {COLUMNS} FROM offers WHERE id = $1");
    let (person, guest) = halves(Some(&offer.by));
    let to = offer.to.as_ref().map(PersonId::as_str);
    let expires = offer.expires.map(|expires| expires.0);
    let values: [Value<'_>; 11] = [
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
    let answers = db.together(WRITE, &steps).await?;
    let is_new = answers.first().is_some_and(|rows| !rows.is_empty());
    Ok(match first_offer(answers.get(1))? {
        _ if is_new => Made::Written,
        Some(known) if known.by == offer.by && known.created == offer.created => Made::Already,
        _ => Made::IdTaken,
    })
}

/// See [`Store::seeks`](crate::Store::seeks).
pub(super) async fn seeks(db: Db<'_>, now: Moment, limit: usize) -> Result<Vec<Offer>, Trouble> {
    let sql = format!(
        "SELECT {COLUMNS} FROM offers WHERE status = 0 AND to_person IS NULL
         AND (expires IS NULL OR expires > $1) ORDER BY created, id LIMIT $2"
    );
    let rows = db.ask(&sql, &[&now.0, &bounded(limit)]).await?;
    rows.iter().map(offer_from).collect()
}

/// See [`Store::challenges_by`](crate::Store::challenges_by) and
/// [`Store::challenges_to`](crate::Store::challenges_to): the column says which.
pub(super) async fn challenges(
    db: Db<'_>,
    column: &'static str,
    person: PersonId,
    now: Moment,
    limit: usize,
) -> Result<Vec<Offer>, Trouble> {
    let sql = format!(
        "SELECT {COLUMNS} FROM offers WHERE status = 0 AND to_person IS NOT NULL
         AND {column} = $1 AND (expires IS NULL OR expires > $2)
         ORDER BY created DESC, id DESC LIMIT $3"
    );
    let values: [Value<'_>; 3] = [&person.as_str(), &now.0, &bounded(limit)];
    let rows = db.ask(&sql, &values).await?;
    rows.iter().map(offer_from).collect()
}

/// See [`Store::take`](crate::Store::take).
pub(super) async fn take(db: Db<'_>, take: &Take) -> Result<Taken, Trouble> {
    let lock = format!("SELECT {COLUMNS} FROM offers WHERE id = $1 FOR UPDATE");
    let begin = beginning(
        "EXISTS (SELECT FROM offers WHERE id = $22 AND status = 0
             AND (expires IS NULL OR expires > $23::int8))",
        ", taken AS (UPDATE offers SET status = 1, game = begun.id FROM begun WHERE offers.id = $22)",
    );
    let (offer, game) = (take.offer.as_str(), take.game.id.as_str());
    let beginning = Beginning::of(&take.game);
    let mut values = beginning.values();
    let more: [Value<'_>; 2] = [&offer, &take.now.0];
    values.extend(more);
    let steps: [(&str, &[Value<'_>]); 3] =
        [(&lock, &[&offer]), (&begin, &values), (MARK, &[&game])];
    let answers = db.together(WRITE, &steps).await?;
    let Some(found) = first_offer(answers.first())? else {
        return Ok(Taken::NoOffer);
    };
    let [_, begun, marks] = &answers[..] else {
        return Ok(Taken::NoOffer);
    };
    if !found.is_open_at(take.now) {
        let game = take.game.id;
        let is_same =
            found.status == OfferStatus::Taken { game } && is_same(marks, take.game.mark)?;
        return Ok(if is_same {
            Taken::Already
        } else {
            Taken::Gone(found)
        });
    }
    // Where the offer is open, a game with this id, even by the same write, is not this offer's.
    Ok(match begun.first() {
        Some(_) => Taken::Written,
        None => Taken::IdTaken,
    })
}

/// Cancels the open offers by and to a person.
pub(super) const CANCEL_ALL_OF: &str =
    "UPDATE offers SET status = 3 WHERE status = 0 AND (by_person = $1 OR to_person = $1)";

/// See [`Store::close`](crate::Store::close).
pub(super) async fn close(db: Db<'_>, id: OfferId, close: &Close) -> Result<Closed, Trouble> {
    let (status, reason) = match close {
        Close::Decline { reason } => (DECLINED, Some(reason)),
        Close::Cancel => (CANCELLED, None),
    };
    let lock = format!("SELECT {COLUMNS} FROM offers WHERE id = $1 FOR UPDATE");
    let id = id.as_str();
    let steps: [(&str, &[Value<'_>]); 2] = [
        (&lock, &[&id]),
        (
            "UPDATE offers SET status = $2, reason = $3 WHERE id = $1 AND status = 0",
            &[&id, &status, &reason],
        ),
    ];
    let answers = db.together(WRITE, &steps).await?;
    let Some(offer) = first_offer(answers.first())? else {
        return Ok(Closed::NoOffer);
    };
    Ok(match (&offer.status, close) {
        (OfferStatus::Open, _) => Closed::Written,
        (OfferStatus::Declined { .. }, Close::Decline { .. })
        | (OfferStatus::Cancelled, Close::Cancel) => Closed::Already,
        _ => Closed::Gone(offer),
    })
}
