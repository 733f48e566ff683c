//! Tables over HTTP: made, shown, sat down at, asked; what is not live.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_game::protocol::{Answer, Asked};
use touchmove_rules::{ByColor, Color};
use touchmove_store::GameId;

use crate::House;
use crate::api::extract::{Named, Sent, SentText};
use crate::api::{Problem, Shared};
use crate::auth::identity::Who;
use crate::games::computer;
use crate::games::computer::Manner;
use crate::games::loader::TableUse;
use crate::games::new_game::{Founding, Seated};
use crate::games::state_message::view;
use crate::games::table::{Arrival, Place, Reply, Table};
use crate::games::terms_request::{Side, Wanted, fair_to_strangers};
use crate::lobby::Note;
use crate::security::{Client, Errand};

/// The decisions of a journal that are held for a client at once.
const JOURNAL_PART: usize = 100;

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

/// The table with the id in the path, for whoever asks.
pub(crate) async fn table(
    house: &Arc<House>,
    asker: (Client, Option<&Who>),
    id: &str,
    usage: TableUse,
) -> Result<Arc<Table>, Problem> {
    let id: GameId = id.parse().map_err(|_| Problem::no_game())?;
    let table = house.table_for(id, asker, usage).await?;
    table.ok_or_else(Problem::no_game)
}

/// An answer with these cookies set.
pub(crate) fn with_cookies(
    cookies: impl IntoIterator<Item = String>,
    response: impl IntoResponse,
) -> Response {
    let mut response = response.into_response();
    for cookie in cookies {
        if let Ok(cookie) = cookie.parse() {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

/// `POST /v1/tables`
pub(crate) async fn create(
    State(house): Shared,
    headers: HeaderMap,
    Sent(new): Sent<NewTable>,
) -> Result<Response, Problem> {
    let mut terms = new.terms.terms().map_err(Problem::unreadable)?;
    if new.public && new.computer.is_none() {
        fair_to_strangers(&terms).map_err(Problem::unreadable)?;
    }
    let (who, cookies) = house.welcome(&headers).await?;
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
    house.keep_guest_name(&who).await;
    house.lobby.tell(who.holder, Note::Changed);
    let taken = Taken::new(&house, id, color);
    Ok(with_cookies(
        cookies,
        (StatusCode::CREATED, axum::Json(taken)),
    ))
}

/// `GET /v1/tables/{id}`
pub(crate) async fn show(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let who = house.who(&headers).await?;
    let table = table(&house, (client, who.as_ref()), &id, TableUse::Read).await?;
    table.write_history(&house, client.into()).await?;
    let mut core = table.core().await;
    let you = who
        .filter(Who::may_see_games)
        .and_then(|who| core.seat_of(who.holder));
    let place = you.map_or(Place::Watching, Place::Seat);
    let text = view(&table, &mut core, place, &house, None).await?;
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
    Extension(client): Extension<Client>,
    Named(id): Named,
    headers: HeaderMap,
    Sent(sitting): Sent<Sitting>,
) -> Result<Response, Problem> {
    let who = house.who(&headers).await?;
    let table = table(&house, (client, who.as_ref()), &id, TableUse::Join).await?;
    let (who, cookies) = house.welcome(&headers).await?;
    who.must_play()?;
    let core = table.core().await;
    let held = core.seat_of(who.holder);
    let (open, is_full) = (core.open_seat_for(sitting.side), core.open_seat().is_none());
    drop(core);
    let taken = |seat| Taken::new(&house, table.id(), seat);
    if let Some(seat) = held {
        return Ok(with_cookies(cookies, axum::Json(taken(seat))));
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
            table.note_address(color, client);
            house.keep_guest_name(&who).await;
            let holders = table.core().await.holders;
            for holder in [holders.white, holders.black].into_iter().flatten() {
                house.lobby.tell(holder, Note::Game(table.id()));
            }
            Ok(with_cookies(cookies, axum::Json(taken(color))))
        }
    }
}

/// `POST /v1/tables/{id}/ask`
pub(crate) async fn ask(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(id): Named,
    headers: HeaderMap,
    SentText(text): SentText,
) -> Result<Response, Problem> {
    let arrival = Arrival {
        at: house.now(),
        lag: touchmove_game::Millis::ZERO,
    };
    let asked = Asked::read(&text).map_err(Problem::unreadable)?;
    if asked.is_telling() {
        // Answers with a whole game are as long as the game.
        house.guard.let_pass(client, Errand::Read)?;
    }
    let who = house.must_know(&headers).await?;
    let table = table(&house, (client, Some(&who)), &id, TableUse::Join).await?;
    who.must_play()?;
    let seat = table.seat_of(who.holder).await;
    let seat = seat.ok_or_else(|| Problem::forbidden("you have no seat at this table"))?;
    table.note_address(seat, client);
    house.seat_computer(&table, Some(client)).await;
    match table.ask(&house, seat, &asked, arrival).await? {
        Reply::Denied(denial) => Err(denial.into()),
        Reply::Granted { .. } | Reply::Telling => {
            let core = table.core().await;
            let answer = Answer::telling(&core.game, house.now(), Vec::new(), &asked.ask);
            Ok(axum::Json(answer).into_response())
        }
    }
}

/// `GET /v1/tables/{id}/journal`: part by part, as it is read.
pub(crate) async fn journal(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(id): Named,
) -> Result<Response, Problem> {
    let id: GameId = id.parse().map_err(|_| Problem::no_game())?;
    house.guard.let_pass(client, Errand::Read)?;
    let head = house.store.heads(vec![id]).await?.pop();
    let opening = head.ok_or_else(Problem::no_game)?.opening;
    let decisions = stream::try_unfold(Some(0), move |after| {
        let house = Arc::clone(&house);
        async move {
            let Some(after) = after else { return Ok(None) };
            let part = house.store.decisions(id, after, JOURNAL_PART).await?;
            let next = part.last().filter(|_| part.len() == JOURNAL_PART);
            let next = next.map(|decision| decision.last);
            let lines = part.into_iter().map(|decision| decision.text + "\n");
            Ok::<_, touchmove_store::Error>(Some((lines.collect::<String>(), next)))
        }
    });
    let body = stream::once(async { Ok(opening + "\n") }).chain(decisions);
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(body)).into_response())
}
