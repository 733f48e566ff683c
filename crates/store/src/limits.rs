//! Limits on sizes and counts, the same for every store. A server may be stricter.

use crate::error::Error;
use crate::{
    AppendDecision, GameQuery, GameSummary, Grant, LoginSession, NewChatLine, NewGame, Offer,
    Person, PersonChanges, PlayerSummary, StoredDecision, Token,
};

/// Bytes of the text of a decision.
pub const MAX_DECISION_BYTES: usize = 64 * 1024;
/// Events of a decision.
pub const MAX_DECISION_EVENTS: u64 = 16;
/// Bytes of the opening of a game.
pub const MAX_OPENING_BYTES: usize = 64 * 1024;
/// Bytes of a name, of its skeleton, of a label.
pub const MAX_NAME_BYTES: usize = 256;
/// Bytes of a word: a variant, a status, a result, a source, a scope.
pub const MAX_WORD_BYTES: usize = 64;
/// Bytes of the terms of an offer, or of the hash of a password.
pub const MAX_TERMS_BYTES: usize = 4 * 1024;
/// Bytes of the scopes of a token.
pub const MAX_SCOPES_BYTES: usize = 1024;
/// Bytes of each text of a grant: the client, the redirect URI, the challenge.
pub const GRANT_TEXT: usize = 2 * 1024;
/// Sessions of a person at once: a new one ends the oldest.
pub const SESSIONS_OF_PERSON: usize = 100;
/// Revoked or expired tokens of a person that are kept: the newest.
pub const ENDED_TOKENS_OF_PERSON: usize = 100;
/// Bytes of a line of chat.
pub const MAX_CHAT_LINE_BYTES: usize = 2 * 1024;
/// Lines kept in each chat room of a game: the newest.
pub const MAX_CHAT_LINES: u64 = 1_000;
/// Bytes of a message from one node to the others through the database.
pub const MAX_NODE_MESSAGE_BYTES: usize = 7_800;
/// Rows of a page, a list or a cleanup; games that are read at once.
pub const MAX_ROWS: usize = 500;

/// How old the last known use of a token must be to be written anew, in milliseconds: a program that
/// asks ten times a second shall not write ten times a second.
pub(crate) const TOKEN_USE_GRANULARITY_MILLIS: i64 = 10 * 60 * 1_000;

fn text(what: &'static str, text: &str, limit: usize) -> Result<(), Error> {
    if text.len() > limit {
        let length = text.len();
        return Err(Error::TooLong {
            what,
            length,
            limit,
        });
    }
    // PostgreSQL cannot store NUL in a text, so no store accepts it.
    if text.contains('\0') {
        return Err(Error::Nul { what });
    }
    Ok(())
}

fn maybe(what: &'static str, value: Option<&String>, limit: usize) -> Result<(), Error> {
    value.map_or(Ok(()), |value| text(what, value, limit))
}

fn player(player: &PlayerSummary) -> Result<(), Error> {
    maybe("the name of a player", player.name.as_ref(), MAX_NAME_BYTES)
}

fn summary(summary: &GameSummary) -> Result<(), Error> {
    text("the variant of a game", &summary.variant, MAX_WORD_BYTES)?;
    text("the status of a game", &summary.status, MAX_WORD_BYTES)?;
    text("the source of a game", &summary.source, MAX_WORD_BYTES)?;
    maybe(
        "the result of a game",
        summary.result.as_ref(),
        MAX_WORD_BYTES,
    )?;
    player(&summary.white)?;
    player(&summary.black)
}

/// Checks a new game against the limits.
pub(crate) fn new_game(game: &NewGame) -> Result<(), Error> {
    text("the opening of a game", &game.opening, MAX_OPENING_BYTES)?;
    summary(&game.summary)
}

fn decision(decision: &StoredDecision) -> Result<(), Error> {
    let &StoredDecision { first, last, .. } = decision;
    // Stores have signed 64-bit numbers.
    let is_counted =
        first >= 1 && first <= last && last - first < MAX_DECISION_EVENTS && last < 1 << 62;
    if !is_counted {
        let limit = MAX_DECISION_EVENTS;
        return Err(Error::Numbers { first, last, limit });
    }
    text("the text of a decision", &decision.text, MAX_DECISION_BYTES)
}

/// Checks a decision against the limits.
pub(crate) fn append(append: &AppendDecision) -> Result<(), Error> {
    decision(&append.decision)?;
    let changes = &append.changes;
    maybe(
        "the status of a game",
        changes.status.as_ref(),
        MAX_WORD_BYTES,
    )?;
    maybe(
        "the result of a game",
        changes.result.as_ref(),
        MAX_WORD_BYTES,
    )?;
    changes.white.as_ref().map_or(Ok(()), player)?;
    changes.black.as_ref().map_or(Ok(()), player)
}

/// Checks a person against the limits.
pub(crate) fn person(person: &Person) -> Result<(), Error> {
    text("the name of a person", &person.name, MAX_NAME_BYTES)?;
    text("the skeleton of a name", &person.skeleton, MAX_NAME_BYTES)?;
    maybe(
        "the hash of a password",
        person.password.as_ref(),
        MAX_TERMS_BYTES,
    )
}

/// Checks changes of a person against the limits.
pub(crate) fn person_changes(changes: &PersonChanges) -> Result<(), Error> {
    maybe(
        "the name of a person",
        changes.name.as_ref(),
        MAX_NAME_BYTES,
    )?;
    let password = changes.password.as_ref().and_then(Option::as_ref);
    maybe("the hash of a password", password, MAX_TERMS_BYTES)
}

/// Checks a token against the limits.
pub(crate) fn token(token: &Token) -> Result<(), Error> {
    text("the label of a token", &token.label, MAX_NAME_BYTES)?;
    text("the scopes of a token", &token.scopes, MAX_SCOPES_BYTES)
}

/// Checks a grant against the limits.
pub(crate) fn grant(grant: &Grant) -> Result<(), Error> {
    text("the client of a grant", &grant.client, GRANT_TEXT)?;
    text("the redirect of a grant", &grant.redirect, GRANT_TEXT)?;
    text("the challenge of a grant", &grant.challenge, GRANT_TEXT)?;
    text("the scopes of a grant", &grant.scopes, MAX_SCOPES_BYTES)
}

/// Checks a session against the limits.
pub(crate) fn session(session: &LoginSession) -> Result<(), Error> {
    maybe("the name of a guest", session.name.as_ref(), MAX_NAME_BYTES)
}

/// Checks an offer against the limits.
pub(crate) fn offer(offer: &Offer) -> Result<(), Error> {
    text("the name of who offers", &offer.name, MAX_NAME_BYTES)?;
    text("the terms of an offer", &offer.terms, MAX_TERMS_BYTES)
}

/// Checks a reason for declining against the limits.
pub(crate) fn reason(reason: &str) -> Result<(), Error> {
    text("the reason for declining", reason, MAX_CHAT_LINE_BYTES)
}

/// Checks a line of chat against the limits.
pub(crate) fn line(line: &NewChatLine) -> Result<(), Error> {
    text("the name of who chats", &line.name, MAX_NAME_BYTES)?;
    text("a line of chat", &line.text, MAX_CHAT_LINE_BYTES)
}

/// Checks a skeleton that is searched for against the limits.
pub(crate) fn skeleton(skeleton: &str) -> Result<(), Error> {
    text("the skeleton of a name", skeleton, MAX_NAME_BYTES)
}

/// Checks a query for games against the limits.
pub(crate) fn query(query: &GameQuery) -> Result<(), Error> {
    maybe(
        "the variant of a game",
        query.variant.as_ref(),
        MAX_WORD_BYTES,
    )
}

/// Checks how many games are read at once.
pub(crate) fn games(count: usize) -> Result<(), Error> {
    if count > MAX_ROWS {
        return Err(Error::TooMany {
            what: "games",
            count,
            limit: MAX_ROWS,
        });
    }
    Ok(())
}
