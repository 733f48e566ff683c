//! The bots of the house: levels of the built-in opponent that the host has given accounts. Each is in the lobby
//! like a program that plays for an account: it takes whatever challenge it is sent, and sits down at its games.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use touchmove_accounts::{Name, Scopes};
use touchmove_engine::Level;
use touchmove_store::{Close, Digest, Holder, Kind, Offer, Person, PersonId, Phase, Query, limits};

use crate::House;
use crate::api::Problem;
use crate::app::closed;
use crate::auth::identity::Who;
use crate::games::new_game::CHALLENGE;
use crate::lobby::{Deal, Note};
use crate::spawn::in_background;

/// How often a bot looks for challenges that nobody has told it of.
const LOOK: Duration = Duration::from_secs(20);
/// How many games the house plays at once; who challenges a bot then is asked to come again.
const MOST: usize = 200;
/// What he is told.
const LATER: &str = "Not now: please ask me again later.";

/// Gives every level that the host has switched on its account, and has it come to the lobby.
///
/// # Errors
/// If the store cannot.
pub(crate) async fn begin(house: &Arc<House>) -> Result<(), touchmove_accounts::Error> {
    let mut bots = Vec::new();
    for level in house.settings.bots.iter().copied() {
        if let Some(person) = account(house, level).await? {
            bots.push((person, level));
        }
    }
    let ids = bots.iter().map(|(person, level)| (person.id, *level));
    house.computer.has_accounts(ids.collect());
    for (person, _) in bots {
        let house = Arc::clone(house);
        in_background(async move { reside(&house, person).await });
    }
    Ok(())
}

/// The account of a level: it has no password and no token, and so nobody else plays for it. An account of that
/// name that somebody can enter is left alone.
async fn account(house: &House, level: Level) -> Result<Option<Person>, touchmove_accounts::Error> {
    let people = &house.people;
    if let Some(person) = people.find(level.name()).await? {
        let is_ours = person.kind == Kind::Bot
            && person.password.is_none()
            && people.tokens(person.id).await?.is_empty();
        if is_ours && person.disabled.is_none() {
            return Ok(Some(person));
        }
        let why = match is_ours {
            true => "its account is closed: `touchmove people enable` opens it",
            false => "somebody has an account of that name, and the house does not play for it",
        };
        tracing::warn!(%level, "this level has no account: {why}");
        return Ok(None);
    }
    let Ok(name) = Name::account(level.name()) else {
        return Ok(None);
    };
    match people.register(&name, Kind::Bot, None).await {
        Ok(person) => Ok(Some(person)),
        // Another node was faster, or somebody has a name that looks like it.
        Err(touchmove_accounts::Error::NameTaken { .. }) => {
            let found = people.find(level.name()).await?;
            if found.is_none() {
                tracing::warn!(%level, "this level has no account: somebody has a name that looks like it");
            }
            Ok(found.filter(|person| person.kind == Kind::Bot && person.password.is_none()))
        }
        Err(error) => Err(error),
    }
}

/// A bot in the lobby, until the house closes.
async fn reside(house: &Arc<House>, person: Person) {
    let who = Who {
        holder: Holder::Person(person.id),
        name: Some(person.name),
        kind: Kind::Bot,
        scopes: Scopes::ALL,
        by_cookie: false,
        // It shows none, and none has this hash.
        secret: Digest([0; 32]),
    };
    let mut closing = house.closing();
    let (_visit, mut notes) = house.visit(who.holder);
    if let Err(problem) = resume(house, who.holder).await {
        tracing::warn!(bot = who.name, %problem, "its games could not be looked up");
    }
    loop {
        if let Err(problem) = answer(house, &who, person.id).await {
            tracing::warn!(bot = who.name, %problem, "its challenges could not be answered");
        }
        tokio::select! {
            note = notes.recv() => match note {
                Err(RecvError::Closed) => return,
                Ok(Note::Changed | Note::Game(_) | Note::Over(_) | Note::Declined { .. })
                | Err(RecvError::Lagged(_)) => {}
            },
            () = tokio::time::sleep(LOOK) => {}
            () = closed(&mut closing) => return,
        }
    }
}

/// Goes on with the games that were running when the house opened.
async fn resume(house: &Arc<House>, holder: Holder) -> Result<(), Problem> {
    let query = Query {
        holder: Some(holder),
        phase: Some(Phase::Running),
        ..Query::default()
    };
    let page = house.store.games(query, None, MOST).await?;
    for row in page.games {
        if let Some(table) = house.table(row.id).await? {
            house.seat_computer(&table, None).await;
        }
    }
    Ok(())
}

/// Takes every challenge to a bot, unless the house plays as much as it can.
async fn answer(house: &Arc<House>, bot: &Who, id: PersonId) -> Result<(), Problem> {
    let now = house.pulse.moment();
    let open = house.store.challenges_to(id, now, limits::ROWS).await?;
    // Who came first is answered first.
    for offer in open.iter().rev() {
        let Ok(deal) = Deal::read(&offer.terms) else {
            continue;
        };
        if house.computer.games() >= MOST {
            decline(house, offer).await?;
            continue;
        }
        let name = bot.name.clone().unwrap_or_default();
        match house.take(offer, &deal, bot, name, CHALLENGE).await {
            Ok(taken) => {
                if let Some(table) = house.table(taken.game()).await? {
                    house.seat_computer(&table, None).await;
                }
            }
            // It was withdrawn, or another node has taken it.
            Err(problem) => tracing::debug!(offer = %offer.id, %problem, "a challenge is gone"),
        }
    }
    Ok(())
}

async fn decline(house: &House, offer: &Offer) -> Result<(), Problem> {
    let reason = LATER.to_owned();
    let close = Close::Decline {
        reason: reason.clone(),
    };
    house.close_offer(offer, close).await?;
    let challenge = offer.id;
    house
        .lobby
        .tell(offer.by, Note::Declined { challenge, reason });
    Ok(())
}
