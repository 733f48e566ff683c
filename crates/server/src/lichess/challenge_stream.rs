//! A challenge whose maker stays on the line: he is told what became of it, and when he goes, it is
//! withdrawn.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde_json::{Value, json};
use tokio::time::sleep;
use touchmove_store::{CloseOffer, Offer, OfferStatus};

use crate::Server;
use crate::app::wait_for_shutdown;
use crate::auth::identity::Identity;
use crate::lichess::ndjson;
use crate::lichess::ndjson::{ClientGone, NDJSON_CONTENT_TYPE, NdjsonWriter};
use crate::live_connections::Connection;
use crate::spawn::spawn_boxed;

/// How often it is looked at, even if nobody says that something is new.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The challenge as it was made, and then how it ended.
pub(super) fn stream(
    house: Arc<Server>,
    who: Identity,
    connection: Connection,
    offer: Offer,
    made: Value,
) -> Response {
    let (mut pen, response) = ndjson::open(NDJSON_CONTENT_TYPE, connection);
    spawn_boxed(async move {
        let waited = wait(&house, &who, &mut pen, &offer, &made).await;
        if waited.is_err() {
            // Somebody may have taken it at this moment: then the game is there.
            let _ = house.close_offer(&offer, CloseOffer::Cancel).await;
        }
    });
    response
}

async fn wait(
    house: &Arc<Server>,
    who: &Identity,
    pen: &mut NdjsonWriter,
    offer: &Offer,
    made: &Value,
) -> Result<(), ClientGone> {
    let mut closing = house.shutdown_signal();
    let (_visit, mut notes) = house.enter_lobby(who.holder);
    pen.write(made).await?;
    loop {
        let done = match house.store.find_offer(offer.id).await {
            Ok(Some(found)) => match found.status {
                OfferStatus::Open if found.is_open_at(house.pulse.to_moment()) => None,
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
            () = sleep(POLL_INTERVAL) => {}
            () = pen.keepalive_due() => pen.blank().await?,
            () = pen.closed() => return Err(ClientGone),
            () = wait_for_shutdown(&mut closing) => {
                // It is still there when the house opens again.
                pen.abort();
                return Ok(());
            }
        }
    }
}
