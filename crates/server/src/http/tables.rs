//! Tables over HTTP: made, shown, sat down at, asked; what is not live.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_game::protocol::{Answer, Asked};
use touchmove_people::Scope;
use touchmove_rules::{ByColor, Color};
use touchmove_store::GameId;

use super::sent::{Named, Sent, SentText};
use super::{Problem, Shared};
use crate::computer::Manner;
use crate::found::{Founding, Seated};
use crate::guard::{Client, Errand};
use crate::lobby::Note;
use crate::table::{Arrival, Place, Reply, Table, view};
use crate::terms::{Side, Wanted, fair_to_strangers};
use crate::{House, computer};

/// What is asked for with a new table.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewTable {
    /// What is played.
    terms: Wanted,
    /// The side of who asks.
    side: Side,
    /// What who asks is called.
    name: Option<String>,
    /// Whether everybody may see it in lists.
    public: bool,
    /// The level of the computer, if it shall have the other seat.
    computer: Option<computer::Wanted>,
    /// What makes its game unlike another; drawn by lot without it.
    seed: Option<u32>,
    /// Whether it gives up hopeless games, which it does without a word.
    resigns: Option<bool>,
}

/// A table that was made, or sat down at.
#[derive(Serialize)]
pub(crate) struct Taken {
    game: String,
    url: String,
    seat: Color,
    #[serde(skip)]
    id: GameId,
}

impl Taken {
    /// The game.
    pub(crate) const fn game(&self) -> GameId {
        self.id
    }

    /// Somebody's seat in a game.
    pub(crate) fn new(house: &House, game: GameId, seat: Color) -> Taken {
        Taken {
            url: house.url(&format!("/{game}")),
            game: game.to_string(),
            seat,
            id: game,
        }
    }
}

/// The table with the id in the path.
pub(crate) async fn table(house: &Arc<House>, id: &str) -> Result<Arc<Table>, Problem> {
    let id: GameId = id.parse().map_err(|_| Problem::no_game())?;
    house.table_of_now(id).await?.ok_or_else(Problem::no_game)
}

/// An answer, with a cookie if there is one to set.
pub(crate) fn with_cookie(cookie: Option<String>, response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    if let Some(cookie) = cookie.and_then(|cookie| cookie.parse().ok()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// `POST /v1/tables`
pub(crate) async fn create(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Sent(new): Sent<NewTable>,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::Create)?;
    let mut terms = new.terms.terms().map_err(Problem::unreadable)?;
    if new.public && new.computer.is_none() {
        fair_to_strangers(&terms).map_err(Problem::unreadable)?;
    }
    let (who, cookie) = house.welcome(&headers).await?;
    who.must_have(Scope::Host)?;
    let color = new.side.color();
    let name = house.name_at_table(&who, new.name.as_deref()).await?;
    let mut seats = ByColor {
        white: None,
        black: None,
    };
    seats[color] = Some(Seated {
        name,
        holder: who.holder,
    });
    if let Some(computer::Wanted(level)) = new.computer {
        let manner = Manner {
            level,
            seed: new.seed,
            resigns: new.resigns.unwrap_or(true),
        };
        seats[!color] = Some(house.seated_computer(manner)?);
        // It is there whenever somebody plays with it.
        (terms.no_show, terms.absence) = (None, None);
    }
    let founding = Founding {
        terms,
        seats,
        is_public: new.public,
        source: match new.computer {
            Some(_) => "computer",
            None => "link",
        },
    };
    let id = house.found(&founding).await?;
    house.lobby.tell(who.holder, Note::Changed);
    let taken = Taken::new(&house, id, color);
    Ok(with_cookie(
        cookie,
        (StatusCode::CREATED, axum::Json(taken)),
    ))
}

/// `GET /v1/tables/{id}`
pub(crate) async fn show(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let table = table(&house, &id).await?;
    let who = house.who(&headers).await?;
    let core = table.core().await;
    let you = who.and_then(|who| core.seat_for(&who));
    let place = you.map_or(Place::Watching, Place::Seat);
    let text = view(&table, &core, place, &house, None).await?;
    drop(core);
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// What is said when somebody sits down.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Sitting {
    name: Option<String>,
    /// Which seat, where both are open.
    side: Side,
}

/// `POST /v1/tables/{id}/seat`
pub(crate) async fn sit(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
    Sent(sitting): Sent<Sitting>,
) -> Result<Response, Problem> {
    let table = table(&house, &id).await?;
    let (who, cookie) = house.welcome(&headers).await?;
    who.must_play()?;
    let core = table.core().await;
    let held = core.seat_for(&who);
    let (open, is_full) = (core.open_seat_for(sitting.side), core.open_seat().is_none());
    drop(core);
    let taken = |seat| Taken::new(&house, table.id(), seat);
    if let Some(seat) = held {
        return Ok(with_cookie(cookie, axum::Json(taken(seat))));
    }
    let Some(color) = open else {
        return Err(Problem::conflict(
            "seat_taken",
            match is_full {
                true => "both seats at this table are taken: you can watch",
                false => "this seat is taken: the other one is open",
            },
        ));
    };
    let name = house.name_at_table(&who, sitting.name.as_deref()).await?;
    let sat = table.sit(&house, color, &name, who.holder, who.person());
    match sat.await? {
        Reply::Denied(denial) => Err(denial.into()),
        Reply::Granted { .. } | Reply::Telling => {
            let holders = table.core().await.holders;
            for holder in [holders.white, holders.black].into_iter().flatten() {
                house.lobby.tell(holder, Note::Game(table.id()));
            }
            Ok(with_cookie(cookie, axum::Json(taken(color))))
        }
    }
}

/// `POST /v1/tables/{id}/ask`
pub(crate) async fn ask(
    State(house): Shared,
    Named(id): Named,
    headers: HeaderMap,
    SentText(text): SentText,
) -> Result<Response, Problem> {
    let arrival = Arrival {
        at: house.now(),
        lag: touchmove_game::Millis::ZERO,
    };
    let asked = Asked::read(&text).map_err(Problem::unreadable)?;
    let table = table(&house, &id).await?;
    let who = house.must_know(&headers).await?;
    who.must_play()?;
    let seat = table.seat_for(&who).await;
    let seat = seat.ok_or_else(|| Problem::forbidden("you have no seat at this table"))?;
    house.seat_computer(&table).await;
    match table.ask(&house, seat, &asked, arrival).await? {
        Reply::Denied(denial) => Err(denial.into()),
        Reply::Granted { .. } | Reply::Telling => {
            let core = table.core().await;
            let answer = Answer::telling(&core.game, house.now(), Vec::new(), &asked.ask);
            Ok(axum::Json(answer).into_response())
        }
    }
}

/// `GET /v1/tables/{id}/journal`
pub(crate) async fn journal(State(house): Shared, Named(id): Named) -> Result<Response, Problem> {
    let id: GameId = id.parse().map_err(|_| Problem::no_game())?;
    let stored = house.store.load(vec![id]).await?;
    let stored = stored.first().ok_or_else(Problem::no_game)?;
    let mut text = stored.opening.clone();
    for decision in &stored.decisions {
        text.push('\n');
        text.push_str(&decision.text);
    }
    text.push('\n');
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}
