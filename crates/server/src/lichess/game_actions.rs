//! What players do in their games: moves, offers, claims, talk.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use touchmove_accounts::Scope;
use touchmove_game::protocol::{Ask, Asked, Denial};
use touchmove_game::{Claim, Millis, Wish};
use touchmove_rules::Attempt;

use crate::api::extract::{Named, Sought};
use crate::api::{Problem, Shared};
use crate::games::table::{Arrival, Place, Reply, Speaker};
use crate::lichess::error::Refused;
use crate::lichess::json::ply_from_end;
use crate::lichess::params::{Fields, is_true};
use crate::lichess::{Sitting, ok};
use crate::security::{Client, Errand};

/// The reasons for which something asked for twice is not granted the second time.
const DONE_BEFORE: [&str; 2] = ["draw_already_offered", "takeback_already_offered"];
/// The reasons for which there is nothing to say no to.
const NOTHING_TO_DECLINE: [&str; 2] = ["no_draw_offer", "no_takeback_offer"];

impl Sitting {
    /// Asks for something, and says how it went.
    async fn wish(&self, wish: Wish) -> Result<Option<Denial>, Refused> {
        let house = &self.house;
        // The way of a client's request is not measured, and so not given back.
        let arrival = Arrival {
            at: house.now(),
            lag: Millis::ZERO,
        };
        let asked = Asked {
            ask: Ask::Wish(wish),
            id: None,
            seen: None,
        };
        match self.table.ask(house, self.color, &asked, arrival).await? {
            Reply::Denied(denial) => Ok(Some(denial)),
            Reply::Granted { .. } | Reply::Telling => Ok(None),
        }
    }

    /// Asks for something that must be granted, or have been before.
    pub(super) async fn must(&self, wish: Wish) -> Result<Response, Refused> {
        match self.wish(wish).await? {
            Some(denial) if !DONE_BEFORE.contains(&denial.reason) => Err(Refused::Denied(denial)),
            Some(_) | None => Ok(ok()),
        }
    }

    /// Whether a move is the one that this player has made last.
    async fn is_last(&self, text: &str) -> bool {
        let core = self.table.core().await;
        let back = usize::from(core.game.turn() == self.color);
        ply_from_end(&core.game, back).as_deref() == Some(text)
    }

    /// Whether the game could be claimed as a draw now, and is for this player to claim.
    async fn claims(&self) -> Vec<Claim> {
        let core = self.table.core().await;
        match core.game.turn() == self.color {
            true => core.game.claims(),
            false => Vec::new(),
        }
    }
}

/// What may stand behind a move.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Offering {
    #[serde(rename = "offeringDraw")]
    draw: Option<String>,
}

/// `POST …/game/{id}/move/{move}`
pub(super) async fn play(
    sitting: Sitting,
    Named((_, text)): Named<(String, String)>,
    Sought(offering): Sought<Offering>,
) -> Result<Response, Refused> {
    let text = text.to_ascii_lowercase();
    let attempt: Attempt = text
        .parse()
        .map_err(|error| Refused::Denied(Denial::new("unreadable", format!("{error}"))))?;
    let offers = offering.draw.as_deref().is_some_and(is_true);
    if offers {
        // Who offers a draw with his move accepts one that is offered, and claims one that the move brings.
        let is_offered = sitting.table.core().await.game.draw_offer() == Some(!sitting.color);
        let wish = match is_offered {
            true => Wish::OfferDraw,
            false => Wish::ClaimDraw(Some(attempt)),
        };
        if sitting.wish(wish).await?.is_none() {
            return Ok(ok());
        }
    }
    if let Some(denial) = sitting.wish(Wish::Move(attempt)).await? {
        // A client that has lost the answer sends its move again.
        return match sitting.is_last(&text).await {
            true => Ok(ok()),
            false => Err(Refused::Denied(denial)),
        };
    }
    if offers {
        // What cannot be offered yet is not: the move stands.
        let _ = sitting.wish(Wish::OfferDraw).await?;
    }
    Ok(ok())
}

/// `POST …/game/{id}/abort`
pub(super) async fn abort(sitting: Sitting) -> Result<Response, Refused> {
    sitting.must(Wish::Abort).await
}

/// `POST …/game/{id}/resign`
pub(super) async fn resign(sitting: Sitting) -> Result<Response, Refused> {
    sitting.must(Wish::Resign).await
}

/// `yes` or `no`, or what else clients say for it.
fn is_yes(answer: &str) -> Result<bool, Problem> {
    match answer {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(Problem::not_found("the answer is yes or no")),
    }
}

/// Says no to an offer; that there is none is no mistake.
async fn decline(sitting: &Sitting, offer: touchmove_game::Offer) -> Result<Response, Refused> {
    match sitting.wish(Wish::Decline(Some(offer))).await? {
        Some(denial) if !NOTHING_TO_DECLINE.contains(&denial.reason) => {
            Err(Refused::Denied(denial))
        }
        Some(_) | None => Ok(ok()),
    }
}

/// `POST …/game/{id}/draw/{answer}`
pub(super) async fn draw(
    sitting: Sitting,
    Named((_, answer)): Named<(String, String)>,
) -> Result<Response, Refused> {
    if !is_yes(&answer)? {
        return decline(&sitting, touchmove_game::Offer::Draw).await;
    }
    // Whoever may claim the draw need not ask for it.
    let wish = match sitting.claims().await.is_empty() {
        true => Wish::OfferDraw,
        false => Wish::ClaimDraw(None),
    };
    sitting.must(wish).await
}

/// `POST …/game/{id}/takeback/{answer}`
pub(super) async fn takeback(
    sitting: Sitting,
    Named((_, answer)): Named<(String, String)>,
) -> Result<Response, Refused> {
    let offer = touchmove_game::Offer::Takeback;
    if !is_yes(&answer)? {
        return decline(&sitting, offer).await;
    }
    let asked_by = sitting.table.core().await.game.takeback_offer();
    let wish = match asked_by == Some(!sitting.color) {
        true => Wish::Accept(Some(offer)),
        false => Wish::Takeback,
    };
    sitting.must(wish).await
}

/// `POST …/game/{id}/claim-victory`
pub(super) async fn claim_victory(sitting: Sitting) -> Result<Response, Refused> {
    match sitting.wish(Wish::ClaimAbsence { draw: false }).await? {
        None => Ok(ok()),
        Some(denial) => match sitting.wish(Wish::ClaimNoShow).await? {
            None => Ok(ok()),
            Some(_) => Err(Refused::Denied(denial)),
        },
    }
}

/// `POST …/game/{id}/claim-draw`
pub(super) async fn claim_draw(sitting: Sitting) -> Result<Response, Refused> {
    let wish = match sitting.claims().await.is_empty() {
        true => Wish::ClaimAbsence { draw: true },
        false => Wish::ClaimDraw(None),
    };
    sitting.must(wish).await
}

/// `POST …/game/{id}/berserk`
pub(super) async fn berserk(_: Sitting) -> Result<Response, Refused> {
    Err(Refused::Denied(Denial::new(
        "no_berserk",
        "nobody goes berserk here: that is for tournaments, and there are none",
    )))
}

/// `POST /api/round/{id}/add-time/{seconds}`
pub(super) async fn give(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named((id, seconds)): Named<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let seconds = seconds.parse();
    let seconds = seconds.map_err(|_| Problem::unreadable("the time is a number of seconds"))?;
    let who = house.must_know(&headers).await?;
    who.must_have(Scope::ChallengeWrite)?;
    let sitting = Sitting::of(&house, (client, who), &id).await?;
    sitting.must(Wish::Give(Millis::seconds(seconds))).await
}

/// `GET …/game/{id}/chat`
pub(super) async fn chat(sitting: Sitting) -> Result<Response, Refused> {
    let place = Place::Seat(sitting.color);
    let (lines, _) = sitting.table.latest_talk(&sitting.house, place).await?;
    let lines: Vec<Value> = lines
        .iter()
        .map(|line| json!({ "user": line.name, "text": line.text }))
        .collect();
    Ok(axum::Json(lines).into_response())
}

/// `POST …/game/{id}/chat`
pub(super) async fn say(
    Extension(client): Extension<Client>,
    sitting: Sitting,
    fields: Fields,
) -> Result<Response, Refused> {
    let place = match fields.get("room") {
        None | Some("player") => Place::Seat(sitting.color),
        Some("spectator") => Place::Watching,
        Some(_) => return Err(Problem::unreadable("the room is player or spectator").into()),
    };
    if place == Place::Watching {
        // Spectators hear a player there, so he has their pace.
        let guard = &sitting.house.guard;
        guard.let_pass(client, Errand::SpectatorChat)?;
    }
    let name = sitting
        .house
        .name_of(&sitting.who)
        .await?
        .unwrap_or_default();
    let text = fields.get("text").unwrap_or_default();
    let speaker = (Speaker::Known(sitting.who.holder), name.as_str());
    let said = sitting
        .table
        .say(&sitting.house, place, speaker, text)
        .await?;
    said.map_err(Refused::Denied)?;
    Ok(ok())
}
