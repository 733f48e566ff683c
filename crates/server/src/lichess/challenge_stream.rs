//! A challenge whose maker stays on the line: he is told what became of it, and when he goes, it is
//! withdrawn.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde_json::{Value, json};
use tokio::time::sleep;
use touchmove_store::{Close, Offer, OfferStatus};

use crate::House;
use crate::app::closed;
use crate::auth::identity::Who;
use crate::lichess::ndjson;
use crate::lichess::ndjson::{Gone, NDJSON, Pen};
use crate::live_connections::Connection;
use crate::spawn::in_background;

/// How often it is looked at, even if nobody says that something is new.
const ROUND: Duration = Duration::from_secs(2);

/// The challenge as it was made, and then how it ended.
pub(super) fn stream(
    house: Arc<House>,
    who: Who,
    connection: Connection,
    offer: Offer,
    made: Value,
) -> Response {
    let (mut pen, response) = ndjson::open(NDJSON, connection);
    in_background(async move {
        let waited = wait(&house, &who, &mut pen, &offer, &made).await;
        if waited.is_err() {
            // Somebody may have taken it at this moment: then the game is there.
            let _ = house.close_offer(&offer, Close::Cancel).await;
        }
    });
    response
}

async fn wait(
    house: &Arc<House>,
    who: &Who,
    pen: &mut Pen,
    offer: &Offer,
    made: &Value,
) -> Result<(), Gone> {
    let mut closing = house.closing();
    let (_visit, mut notes) = house.visit(who.holder);
    pen.write(made).await?;
    loop {
        let done = match house.store.find_offer(offer.id).await {
            Ok(Some(found)) => match found.status {
                OfferStatus::Open if found.is_open_at(house.pulse.moment()) => None,
                OfferStatus::Open | OfferStatus::Cancelled => Some("canceled"),
                OfferStatus::Taken { .. } => Some("accepted"),
                OfferStatus::Declined { .. } => Some("declined"),
            },
            Ok(None) => Some("canceled"),
            // The store fails for a moment.
            Err(_) => None,
        };
        if let Some(done) = done {
            return pen.write(&json!({ "done": done })).await;
        }
        tokio::select! {
            _ = notes.recv() => {}
            () = sleep(ROUND) => {}
            () = pen.silent() => pen.blank().await?,
            () = pen.gone() => return Err(Gone),
            () = closed(&mut closing) => {
                // It is still there when the house opens again.
                pen.break_off();
                return Ok(());
            }
        }
    }
}
