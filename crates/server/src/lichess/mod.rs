//! The API that clients of Lichess speak, so that they play here unmodified: the same paths, fields and
//! streams, told in our own words in docs/LICHESS-API.md. Offers and games are those of the house: what one
//! client offers here, another may take on the page.

pub(crate) mod abroad;
mod account;
mod asked;
mod challenge;
mod challenges;
mod events;
mod export;
mod flow;
mod forms;
mod game;
mod kept;
mod oauth;
mod play;
mod refused;
mod seek;
mod tv;
mod users;

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use axum::{Extension, Router, middleware};
use serde::Deserialize;
use serde_json::json;
use touchmove_people::Scope;
use touchmove_rules::Color;
use touchmove_store::{Kind, PersonId};

use crate::House;
use crate::http::Problem;
use crate::http::method::{answering, get, post};
use crate::http::sent::Named;
use crate::http::tables::table;
use crate::table::Table;
use crate::who::Who;

pub(crate) use events::Streams;
use refused::Refused;

/// Which half of the API is used: that of programs, or that of boards for human beings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Api {
    Bot,
    Board,
}

impl Api {
    const fn word(self) -> &'static str {
        match self {
            Api::Bot => "bot",
            Api::Board => "board",
        }
    }
}

type Ways = Vec<(String, MethodRouter<Arc<House>>)>;

/// Everything that this API has; a slash at the end changes nothing.
pub(crate) fn routes() -> Router<Arc<House>> {
    router(common())
        .merge(router(games(Api::Bot)).layer(Extension(Api::Bot)))
        .merge(router(games(Api::Board)).layer(Extension(Api::Board)))
        .layer(middleware::from_fn(abroad::mark))
}

fn router(ways: Ways) -> Router<Arc<House>> {
    let mut router = Router::new();
    for (path, to) in ways {
        let with_slash = format!("{path}/");
        let to = to.options(answering(abroad::allow));
        router = router.route(&path, to.clone()).route(&with_slash, to);
    }
    router
}

fn common() -> Ways {
    let ways = [
        ("/oauth", get(oauth::show).post(answering(oauth::grant))),
        (
            "/api/token",
            post(oauth::exchange).delete(answering(oauth::revoke)),
        ),
        ("/api/token/test", post(account::test)),
        ("/api/account", get(account::show)),
        ("/api/account/email", get(account::email)),
        ("/api/account/kid", get(account::kid)),
        ("/api/account/preferences", get(account::preferences)),
        ("/api/account/playing", get(account::playing)),
        ("/api/bot/account/upgrade", post(account::upgrade)),
        ("/api/bot/online", get(users::bots)),
        ("/api/user/{id}", get(users::show)),
        ("/@/{id}", get(users::page)),
        ("/api/user/{id}/current-game", get(export::current)),
        ("/api/users", post(users::list)),
        ("/api/users/status", get(users::status)),
        ("/api/stream/event", get(events::stream)),
        ("/api/challenge", get(challenges::list)),
        ("/api/challenge/open", post(challenges::open)),
        ("/api/challenge/ai", post(challenges::engine)),
        ("/api/challenge/{id}", post(challenges::create)),
        ("/api/challenge/{id}/show", get(challenges::show)),
        ("/api/challenge/{id}/accept", post(challenges::accept)),
        ("/api/challenge/{id}/decline", post(challenges::decline)),
        ("/api/challenge/{id}/cancel", post(challenges::cancel)),
        ("/api/board/seek", post(seek::seek)),
        ("/api/round/{id}/add-time/{seconds}", post(play::give)),
        ("/game/export/{id}", get(export::one)),
        ("/api/games/user/{id}", get(export::of_user)),
        ("/api/games/export/_ids", post(export::many)),
        ("/api/stream/game/{id}", get(tv::moves)),
        ("/api/tv/channels", get(tv::channels)),
        ("/api/tv/feed", get(tv::best)),
        ("/api/tv/{id}", get(tv::games)),
        ("/api/tv/{id}/feed", get(tv::channel)),
    ];
    let owned = |(path, to): (&str, _)| (path.to_owned(), to);
    ways.map(owned).into_iter().collect()
}

fn games(api: Api) -> Ways {
    let ways = [
        ("stream/{id}", get(game::stream)),
        ("{id}/move/{move}", post(play::play)),
        ("{id}/abort", post(play::abort)),
        ("{id}/resign", post(play::resign)),
        ("{id}/draw/{answer}", post(play::draw)),
        ("{id}/takeback/{answer}", post(play::takeback)),
        ("{id}/claim-victory", post(play::claim_victory)),
        ("{id}/claim-draw", post(play::claim_draw)),
        ("{id}/berserk", post(play::berserk)),
        ("{id}/chat", get(play::chat).post(answering(play::say))),
    ];
    let under = |(path, to): (&str, _)| (format!("/api/{}/game/{path}", api.word()), to);
    ways.map(under).into_iter().collect()
}

/// What a client is told whose wish is granted.
fn ok() -> Response {
    axum::Json(json!({ "ok": true })).into_response()
}

/// Who asks, and his account.
async fn person(house: &House, headers: &HeaderMap) -> Result<(Who, PersonId), Refused> {
    let who = house.must_know(headers).await?;
    match who.person() {
        Some(person) => Ok((who, person)),
        None => Err(Problem::forbidden("this takes an account: guests have none").into()),
    }
}

/// Who asks, if he may play through this half of the API.
async fn player(house: &House, headers: &HeaderMap, api: Api) -> Result<Who, Refused> {
    let who = house.must_know(headers).await?;
    match api {
        Api::Board => who.must_have(Scope::BoardPlay)?,
        Api::Bot => {
            who.must_have(Scope::BotPlay)?;
            if who.kind != Kind::Bot {
                return Err(Problem::unreadable(
                    "only the account of a bot plays here: POST /api/bot/account/upgrade makes this \
                     one such an account, or play through /api/board",
                )
                .into());
            }
        }
    }
    Ok(who)
}

/// Somebody in his seat.
struct Sitting {
    house: Arc<House>,
    who: Who,
    table: Arc<Table>,
    color: Color,
}

impl Sitting {
    /// The seat that somebody has in a game.
    async fn of(house: &Arc<House>, who: Who, id: &str) -> Result<Sitting, Problem> {
        let table = table(house, id).await?;
        let color = table.seat_of(who.holder).await;
        let color = color.ok_or_else(|| Problem::not_found("you play no game with this id"))?;
        house.seat_computer(&table).await;
        Ok(Sitting {
            house: Arc::clone(house),
            who,
            table,
            color,
        })
    }
}

/// The game in the path; there may be more in it.
#[derive(Deserialize)]
struct InGame {
    id: String,
}

/// Whoever asks something about a game of his, through the half of the API that the path is in.
impl FromRequestParts<Arc<House>> for Sitting {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<Sitting, Refused> {
        let Named(InGame { id }) = Named::from_request_parts(parts, house).await?;
        let api = parts.extensions.get().copied().unwrap_or(Api::Board);
        let who = player(house, &parts.headers, api).await?;
        Ok(Sitting::of(house, who, &id).await?)
    }
}
