//! The arbiter endpoints: the same questions and answers as on the command line.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use touchmove_arbiter::{MAX_REQUEST_BYTES, Request as Asked, RequestKind, RulesRequest};

use crate::Server;
use crate::api::bounds::check_json;
use crate::api::extract::{QueryParams, read_body};
use crate::api::{ApiError, ServerState};
use crate::security::Client;

/// `POST /arbiter/judge`
pub(crate) async fn judge(
    server: ServerState,
    client: Extension<Client>,
    request: Request,
) -> ArbiterResponse {
    answer(server, client, request, RequestKind::Judge).await
}

/// `POST /arbiter/explain`
pub(crate) async fn explain(
    server: ServerState,
    client: Extension<Client>,
    request: Request,
) -> ArbiterResponse {
    answer(server, client, request, RequestKind::Explain).await
}

/// `POST /arbiter/winnable`
pub(crate) async fn winnable(
    server: ServerState,
    client: Extension<Client>,
    request: Request,
) -> ArbiterResponse {
    answer(server, client, request, RequestKind::Winnable).await
}

/// `POST /arbiter/rules`
pub(crate) async fn rules(
    server: ServerState,
    client: Extension<Client>,
    request: Request,
) -> ArbiterResponse {
    answer(server, client, request, RequestKind::Rules).await
}

/// `GET /arbiter/rules`
pub(crate) async fn read_rules(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    QueryParams(sought): QueryParams<RulesRequest>,
) -> ArbiterResponse {
    put(&server, client, Asked::Rules(sought)).await
}

type ArbiterResponse = Result<Response, ApiError>;

async fn answer(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    request: Request,
    question: RequestKind,
) -> ArbiterResponse {
    let bytes = read_body(request, MAX_REQUEST_BYTES).await?;
    check_json(&bytes)?;
    let asked = match bytes.trim_ascii() {
        b"" => Asked::read(question, b"{}"),
        bytes if bytes.starts_with(b"{") => Asked::read(question, bytes),
        _ => return Err(ApiError::unreadable("the request is not a JSON object")),
    };
    put(&server, client, asked?).await
}

async fn put(server: &Server, client: Client, asked: Asked) -> ArbiterResponse {
    let report = server.desk.answer(client.into(), asked).await?;
    Ok(Json(report).into_response())
}
