//! Bot accounts: levels of the built-in engine that the host has given accounts. Each is in the lobby like a program
//! that plays for an account: it accepts every challenge and plays its games.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use touchmove_accounts::{Name, Scopes};
use touchmove_engine::Level;
use touchmove_store::{
    CloseOffer, Digest, GamePhase, GameQuery, Holder, Offer, Person, PersonId, PersonKind, limits,
};

use crate::Server;
use crate::api::ApiError;
use crate::app::wait_for_shutdown;
use crate::auth::identity::Identity;
use crate::games::new_game::CHALLENGE_SOURCE;
use crate::lobby::{LobbyNotice, OfferTerms};
use crate::spawn::spawn_boxed;

/// How often a bot looks for challenges that it was not notified of.
const CHALLENGE_POLL_INTERVAL: Duration = Duration::from_secs(20);
/// The most games that the computer plays at once; a challenge beyond that is declined.
const MAX_COMPUTER_GAMES: usize = 200;
/// The reason of that refusal.
const TOO_BUSY_TEXT: &str = "Not now: please ask me again later.";

/// Creates the account of every level that the host has enabled, and brings it into the lobby.
///
/// # Errors
/// If the store fails.
pub(crate) async fn start_bots(server: &Arc<Server>) -> Result<(), touchmove_accounts::Error> {
    let mut bots = Vec::new();
    for level in server.settings.bots.iter().copied() {
        if let Some(person) = account(server, level).await? {
            bots.push((person, level));
        }
    }
    let ids = bots.iter().map(|(person, level)| (person.id, *level));
    server.computer.set_accounts(ids.collect());
    for (person, _) in bots {
        let server = Arc::clone(server);
        spawn_boxed(async move { reside(&server, person).await });
    }
    Ok(())
}

/// The account of a level. It has no password and no token, so nobody else can play for it. An existing account of
/// that name with a password is left alone.
async fn account(
    server: &Server,
    level: Level,
) -> Result<Option<Person>, touchmove_accounts::Error> {
    let people = &server.people;
    if let Some(person) = people.find(level.name()).await? {
        let is_ours = person.kind == PersonKind::Bot
            && person.password.is_none()
            && people.list_tokens(person.id).await?.is_empty();
        if is_ours && person.disabled.is_none() {
            return Ok(Some(person));
        }
        let why = match is_ours {
            true => "its account is closed: `touchmove accounts enable` opens it",
            false => "somebody has an account of that name, and the house does not play for it",
        };
        tracing::warn!(%level, "this level has no account: {why}");
        return Ok(None);
    }
    let Ok(name) = Name::account(level.name()) else {
        return Ok(None);
    };
    match people.register(&name, PersonKind::Bot, None).await {
        Ok(person) => Ok(Some(person)),
        // Another node was faster, or an account has a name that looks like it.
        Err(touchmove_accounts::Error::NameTaken { .. }) => {
            let found = people.find(level.name()).await?;
            if found.is_none() {
                tracing::warn!(%level, "this level has no account: somebody has a name that looks like it");
            }
            Ok(found.filter(|person| person.kind == PersonKind::Bot && person.password.is_none()))
        }
        Err(error) => Err(error),
    }
}

/// Keeps a bot in the lobby until the server shuts down.
async fn reside(server: &Arc<Server>, person: Person) {
    let who = Identity {
        holder: Holder::Person(person.id),
        name: Some(person.name),
        kind: PersonKind::Bot,
        scopes: Scopes::ALL,
        by_cookie: false,
        // A bot has no secret, and no secret has this hash.
        secret: Digest([0; 32]),
    };
    let mut closing = server.shutdown_signal();
    let (_visit, mut notes) = server.enter_lobby(who.holder);
    if let Err(problem) = resume(server, who.holder).await {
        tracing::warn!(bot = who.name, %problem, "its games could not be looked up");
    }
    loop {
        if let Err(problem) = answer(server, &who, person.id).await {
            tracing::warn!(bot = who.name, %problem, "its challenges could not be answered");
        }
        tokio::select! {
            note = notes.recv() => match note {
                Err(RecvError::Closed) => return,
                Ok(LobbyNotice::Changed | LobbyNotice::Game(_) | LobbyNotice::Over(_) | LobbyNotice::Declined { .. })
                | Err(RecvError::Lagged(_)) => {}
            },
            () = tokio::time::sleep(CHALLENGE_POLL_INTERVAL) => {}
            () = wait_for_shutdown(&mut closing) => return,
        }
    }
}

/// Resumes the games that were running when the server started.
async fn resume(server: &Arc<Server>, holder: Holder) -> Result<(), ApiError> {
    let query = GameQuery {
        holder: Some(holder),
        phase: Some(GamePhase::Running),
        ..GameQuery::default()
    };
    let page = server
        .store
        .list_games(query, None, MAX_COMPUTER_GAMES)
        .await?;
    for row in page.games {
        if let Some(table) = server.table(row.id).await? {
            server.seat_computer(&table, None).await;
        }
    }
    Ok(())
}

/// Accepts every challenge to a bot, unless the computer plays as many games as it can.
async fn answer(server: &Arc<Server>, bot: &Identity, id: PersonId) -> Result<(), ApiError> {
    let now = server.pulse.to_moment();
    let open = server
        .store
        .challenges_to(id, now, limits::MAX_ROWS)
        .await?;
    // The oldest challenge is answered first.
    for offer in open.iter().rev() {
        let Ok(deal) = OfferTerms::parse(&offer.terms) else {
            continue;
        };
        if server.computer.active_games() >= MAX_COMPUTER_GAMES {
            decline(server, offer).await?;
            continue;
        }
        let name = bot.name.clone().unwrap_or_default();
        match server
            .take_offer(offer, &deal, bot, name, CHALLENGE_SOURCE)
            .await
        {
            Ok(taken) => {
                if let Some(table) = server.table(taken.game()).await? {
                    server.seat_computer(&table, None).await;
                }
            }
            // It was withdrawn, or another node has accepted it.
            Err(problem) => tracing::debug!(offer = %offer.id, %problem, "a challenge is gone"),
        }
    }
    Ok(())
}

async fn decline(server: &Server, offer: &Offer) -> Result<(), ApiError> {
    let reason = TOO_BUSY_TEXT.to_owned();
    let close = CloseOffer::Decline {
        reason: reason.clone(),
    };
    server.close_offer(offer, close).await?;
    let challenge = offer.id;
    server
        .lobby
        .send_notice(offer.by, LobbyNotice::Declined { challenge, reason });
    Ok(())
}
