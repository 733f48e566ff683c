//! The arbiter for whoever asks: the same questions and answers as on the command line.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use touchmove_arbiter::{LARGEST_REQUEST, Question, Request as Asked, RulesRequest};

use crate::House;
use crate::api::bounds::check_json;
use crate::api::extract::{Sought, all};
use crate::api::{Problem, Shared};
use crate::security::Client;

/// `POST /arbiter/judge`
pub(crate) async fn judge(house: Shared, client: Extension<Client>, request: Request) -> Answered {
    answer(house, client, request, Question::Judge).await
}

/// `POST /arbiter/explain`
pub(crate) async fn explain(
    house: Shared,
    client: Extension<Client>,
    request: Request,
) -> Answered {
    answer(house, client, request, Question::Explain).await
}

/// `POST /arbiter/winnable`
pub(crate) async fn winnable(
    house: Shared,
    client: Extension<Client>,
    request: Request,
) -> Answered {
    answer(house, client, request, Question::Winnable).await
}

/// `POST /arbiter/rules`
pub(crate) async fn rules(house: Shared, client: Extension<Client>, request: Request) -> Answered {
    answer(house, client, request, Question::Rules).await
}

/// `GET /arbiter/rules`
pub(crate) async fn read_rules(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Sought(sought): Sought<RulesRequest>,
) -> Answered {
    put(&house, client, Asked::Rules(sought)).await
}

type Answered = Result<Response, Problem>;

async fn answer(
    State(house): Shared,
    Extension(client): Extension<Client>,
    request: Request,
    question: Question,
) -> Answered {
    let bytes = all(request, LARGEST_REQUEST).await?;
    check_json(&bytes)?;
    let asked = match bytes.trim_ascii() {
        b"" => Asked::read(question, b"{}"),
        bytes if bytes.starts_with(b"{") => Asked::read(question, bytes),
        _ => return Err(Problem::unreadable("the request is not a JSON object")),
    };
    put(&house, client, asked?).await
}

async fn put(house: &House, client: Client, asked: Asked) -> Answered {
    let report = house.desk.answer(client.into(), asked).await?;
    Ok(Json(report).into_response())
}
