//! The stream of a challenge with `keepAliveStream`: it tells the challenger the outcome, and withdraws the challenge
//! on disconnect.

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

/// How often the challenge is checked, even without a notice.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Streams the challenge as it was created, and then its outcome.
pub(super) fn stream(
    server: Arc<Server>,
    who: Identity,
    connection: Connection,
    offer: Offer,
    made: Value,
) -> Response {
    let (mut pen, response) = ndjson::open(NDJSON_CONTENT_TYPE, connection);
    spawn_boxed(async move {
        let waited = wait(&server, &who, &mut pen, &offer, &made).await;
        if waited.is_err() {
            // It may have been accepted at this moment: then there is a game.
            let _ = server.close_offer(&offer, CloseOffer::Cancel).await;
        }
    });
    response
}

async fn wait(
    server: &Arc<Server>,
    who: &Identity,
    pen: &mut NdjsonWriter,
    offer: &Offer,
    made: &Value,
) -> Result<(), ClientGone> {
    let mut closing = server.shutdown_signal();
    let (_visit, mut notes) = server.enter_lobby(who.holder);
    pen.write(made).await?;
    loop {
        let done = match server.store.find_offer(offer.id).await {
            Ok(Some(found)) => match found.status {
                OfferStatus::Open if found.is_open_at(server.pulse.to_moment()) => None,
                OfferStatus::Open | OfferStatus::Cancelled => Some("canceled"),
                OfferStatus::Taken { .. } => Some("accepted"),
                OfferStatus::Declined { .. } => Some("declined"),
            },
            Ok(None) => Some("canceled"),
            // The store fails for the moment.
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
                // The challenge is still open after a restart.
                pen.abort();
                return Ok(());
            }
        }
    }
}
