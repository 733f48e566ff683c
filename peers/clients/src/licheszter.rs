//! The games of `licheszter`.

use std::pin::Pin;

use anyhow::{Context as _, bail};
use futures_util::Stream;
use licheszter::client::Licheszter;
use licheszter::config::board::SeekOptions;
use licheszter::config::challenges::{ChallengeOptions, OpenChallengeOptions};
use licheszter::config::games::{ExtendedGameOptions, GameOptions};
use licheszter::error::Error;
use licheszter::models::board::{BoardState, Event};
use licheszter::models::challenge::ChallengeDeclineReason;
use licheszter::models::chat::ChatRoom;
use licheszter::models::common::{Color, FinalColor, Title};
use licheszter::models::game::{CorrespondenceDays, GameState, GameStatus, VariantMode};
use licheszter::models::tv::TvGameEvent;

use crate::Arguments;
use crate::stream::{find, next, rest, same};

type Reading<T> = Pin<Box<dyn Stream<Item = Result<T, Error>> + Send>>;

/// Somebody with the stream of what concerns him.
struct Player {
    client: Licheszter,
    events: Reading<Event>,
}

impl Player {
    async fn new(arguments: &Arguments, token: &str) -> anyhow::Result<Player> {
        let client = Licheszter::builder()
            .with_base_url(arguments.url.as_str())?
            .with_authentication(token)?
            .build();
        let events = client.connect().await?;
        Ok(Player { client, events })
    }

    async fn challenged(&mut self) -> anyhow::Result<String> {
        let is_challenge = |event| match event {
            Event::Challenge { challenge } => Some(challenge.id),
            _ => None,
        };
        find(&mut self.events, "a challenge", is_challenge).await
    }

    async fn begins(&mut self) -> anyhow::Result<String> {
        let begins = |event| match event {
            Event::GameStart { game } => Some(game.game_id),
            _ => None,
        };
        find(&mut self.events, "a game begins", begins).await
    }

    async fn ends(&mut self) -> anyhow::Result<GameStatus> {
        let ends = |event| match event {
            Event::GameFinish { game } => Some(game.status.name),
            _ => None,
        };
        find(&mut self.events, "a game ends", ends).await
    }
}

/// Two who play, the first with White.
async fn pair(
    white: &mut Player,
    black: &mut Player,
    name: &str,
    terms: ChallengeOptions,
) -> anyhow::Result<String> {
    let terms = terms.rated(false).color(Color::White);
    let made = white.client.challenges().create(name, Some(&terms)).await?;
    same("the challenge", &black.challenged().await?, &made.id)?;
    black.client.challenges().accept(&made.id).await?;
    same("White's game", &white.begins().await?, &made.id)?;
    same("Black's game", &black.begins().await?, &made.id)?;
    Ok(made.id)
}

fn state(line: BoardState) -> Option<GameState> {
    match line {
        BoardState::GameFull(full) => Some(full.state),
        BoardState::GameState(state) => Some(state),
        _ => None,
    }
}

/// Everything.
pub async fn play(arguments: &Arguments) -> anyhow::Result<()> {
    let mut anna = Player::new(arguments, &arguments.anna).await?;
    let mut bea = Player::new(arguments, &arguments.bea).await?;
    let profile = anna.client.account().profile().await?;
    same("the name", &profile.username.as_str(), &"Anna")?;
    anna.client.account().email().await?;
    anna.client.account().kid_mode().await?;
    people_play(&mut anna, &mut bea).await.context("people")?;
    challenges(&mut anna, &mut bea)
        .await
        .context("challenges")?;
    seeks(&mut anna, &mut bea).await.context("seeks")?;
    let mut anna = Player::new(arguments, &arguments.anna_bot).await?;
    let mut bea = Player::new(arguments, &arguments.bea_bot).await?;
    let mated = bots_play(&mut anna, &mut bea).await.context("bots")?;
    exports(&anna, &mated).await.context("exports")?;
    watches(&mut anna, &mut bea).await.context("television")?;
    let cleo = Player::new(arguments, &arguments.cleo).await?;
    cleo.client.bot_account_upgrade(&arguments.cleo).await?;
    let profile = cleo.client.account().profile().await?;
    same("the title", &profile.title, &Some(Title::BOT))
}

/// Takebacks, draws, talk and a resignation, through the half of the API that is for people.
async fn people_play(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let terms = ChallengeOptions::new().clock(300, 3);
    let id = pair(anna, bea, "Bea", terms).await?;
    let mut lines = anna.client.board().game_connect(&id).await?;
    let BoardState::GameFull(full) = next(&mut lines).await? else {
        bail!("the stream does not begin with everything");
    };
    same("White", &full.white.name.as_str(), &"Anna")?;
    same(
        "the clock",
        &full.clock.map(|clock| clock.initial),
        &Some(300_000),
    )?;
    if anna
        .client
        .board()
        .play_move(&id, "e2e5", false)
        .await
        .is_ok()
    {
        bail!("an illegal move was played");
    }
    bea.client
        .board()
        .chat_write(&id, ChatRoom::Player, "good luck")
        .await?;
    let said = |line| match line {
        BoardState::ChatLine(line) => Some(line.text),
        _ => None,
    };
    let said = find(&mut lines, "what was said", said).await?;
    same("what was said", &said.as_str(), &"good luck")?;
    same(
        "the lines",
        &anna.client.board().chat_read(&id).await?.len(),
        &1,
    )?;
    anna.client.board().play_move(&id, "e2e4", false).await?;
    bea.client.board().play_move(&id, "e7e5", false).await?;
    anna.client.board().handle_takebacks(&id, true).await?;
    bea.client.board().handle_takebacks(&id, true).await?;
    let taken_back = |line| state(line).filter(|state| state.moves.is_empty());
    find(&mut lines, "moves are taken back", taken_back).await?;
    anna.client.board().play_move(&id, "d2d4", false).await?;
    bea.client.board().play_move(&id, "d7d5", true).await?;
    let offered = |line| state(line).filter(|state| state.bdraw);
    find(&mut lines, "a draw is offered", offered).await?;
    anna.client.board().handle_draws(&id, false).await?;
    anna.client.board().handle_draws(&id, true).await?;
    bea.client.board().handle_draws(&id, true).await?;
    let last = rest(&mut lines)
        .await?
        .into_iter()
        .filter_map(state)
        .next_back();
    let last = last.context("no last state")?;
    same("the end", &last.status, &GameStatus::Draw)?;
    same("Anna's end", &anna.ends().await?, &GameStatus::Draw)?;
    same("Bea's end", &bea.ends().await?, &GameStatus::Draw)?;

    let terms = ChallengeOptions::new()
        .days(CorrespondenceDays::Three)
        .variant(VariantMode::Atomic);
    let id = pair(anna, bea, "Bea", terms).await?;
    same(
        "the games",
        &anna.client.games().ongoing(5).await?.now_playing.len(),
        &1,
    )?;
    anna.client.board().play_move(&id, "e2e4", false).await?;
    bea.client.board().play_move(&id, "e7e5", false).await?;
    for refused in [
        anna.client.board().claim_victory(&id).await,
        anna.client.board().claim_draw(&id).await,
        anna.client.board().berserk(&id).await,
    ] {
        if refused.is_ok() {
            bail!("something was granted that there was no reason for");
        }
    }
    bea.client.board().game_resign(&id).await?;
    same("Anna's end", &anna.ends().await?, &GameStatus::Resign)?;
    same("Bea's end", &bea.ends().await?, &GameStatus::Resign)
}

/// Challenges that are declined, withdrawn, open to everybody.
async fn challenges(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let terms = ChallengeOptions::new().clock(60, 0).rated(false);
    let made = anna.client.challenges().create("bea", Some(&terms)).await?;
    same("the challenge", &bea.challenged().await?, &made.id)?;
    same(
        "the list",
        &bea.client.challenges().list().await?.r#in.len(),
        &1,
    )?;
    anna.client.challenges().show(&made.id).await?;
    let reason = ChallengeDeclineReason::TooFast;
    bea.client
        .challenges()
        .decline(&made.id, Some(reason))
        .await?;
    let declined = |event| match event {
        Event::ChallengeDeclined { challenge } => Some(challenge.decline_reason_key),
        _ => None,
    };
    let told = find(&mut anna.events, "it is declined", declined).await?;
    same("the reason", &told, &Some(reason))?;
    let made = anna.client.challenges().create("bea", Some(&terms)).await?;
    same("the challenge", &bea.challenged().await?, &made.id)?;
    anna.client.challenges().cancel(&made.id, None).await?;
    let withdrawn = |event| match event {
        Event::ChallengeCanceled { challenge } => Some(challenge.id),
        _ => None,
    };
    let told = find(&mut bea.events, "it is withdrawn", withdrawn).await?;
    same("what is withdrawn", &told, &made.id)?;
    let terms = OpenChallengeOptions::new().clock(60, 1);
    let open = anna.client.challenges().create_open(Some(&terms)).await?;
    anna.client.challenges().accept(&open.id).await?;
    bea.client.challenges().accept(&open.id).await?;
    same("the open game", &anna.begins().await?, &open.id)?;
    same("the open game", &bea.begins().await?, &open.id)?;
    anna.client.board().game_abort(&open.id).await?;
    same("its end", &anna.ends().await?, &GameStatus::Aborted)?;
    same("its end", &bea.ends().await?, &GameStatus::Aborted)
}

/// Two who look for the same.
async fn seeks(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let terms = SeekOptions::new().clock(5, 3);
    let mut waiting = anna.client.board().seek_create(Some(&terms)).await?;
    let mut taken = bea.client.board().seek_create(Some(&terms)).await?;
    let id = anna.begins().await?;
    same("the other's game", &bea.begins().await?, &id)?;
    rest(&mut waiting).await?;
    rest(&mut taken).await?;
    bea.client.board().game_abort(&id).await?;
    same("its end", &anna.ends().await?, &GameStatus::Aborted)?;
    same("its end", &bea.ends().await?, &GameStatus::Aborted)
}

/// A game to mate, through the half of the API that is for bots.
async fn bots_play(anna: &mut Player, bea: &mut Player) -> anyhow::Result<String> {
    let terms = ChallengeOptions::new().clock(180, 2);
    let id = pair(anna, bea, "BeaBot", terms).await?;
    let mut lines = anna.client.bot().game_connect(&id).await?;
    for (ply, uci) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &anna } else { &bea };
        mover.client.bot().play_move(&id, uci, false).await?;
    }
    let lines = rest(&mut lines).await?;
    let last = lines
        .into_iter()
        .filter_map(state)
        .next_back()
        .context("no last state")?;
    same(
        "the end",
        &(last.status, last.winner),
        &(GameStatus::Mate, Some(Color::Black)),
    )?;
    same("the moves", &last.moves.as_str(), &"f2f3 e7e5 g2g4 d8h4")?;
    same("Anna's end", &anna.ends().await?, &GameStatus::Mate)?;
    same("Bea's end", &bea.ends().await?, &GameStatus::Mate)?;
    let bots = rest(&mut anna.client.bots_online(10).await?).await?;
    if !bots.iter().any(|bot| bot.id == "beabot") {
        bail!("BeaBot is not among the bots that are there: {bots:?}");
    }
    Ok(id)
}

async fn exports(anna: &Player, mated: &str) -> anyhow::Result<()> {
    let flags = GameOptions::new().moves(true).clocks(true);
    let game = anna.client.games().export_one(mated, Some(&flags)).await?;
    same("the moves", &game.moves.as_deref(), &Some("f3 e5 g4 Qh4#"))?;
    same("the winner", &game.winner, &Some(FinalColor::Black))?;
    same("the clocks", &game.clocks.len(), &4)?;
    let flags = ExtendedGameOptions::new()
        .max(1)
        .vs("beabot")
        .color(FinalColor::White);
    let mut games = anna
        .client
        .games()
        .export_user("annabot", Some(&flags))
        .await?;
    let ids: Vec<_> = rest(&mut games)
        .await?
        .into_iter()
        .map(|game| game.id)
        .collect();
    same("the games of somebody", &ids, &vec![mated.to_owned()])?;
    let mut games = anna
        .client
        .games()
        .export(&[mated, "nogame00"], None)
        .await?;
    same("games by their ids", &rest(&mut games).await?.len(), &1)?;
    let statuses = anna
        .client
        .users()
        .status(&["AnnaBot", "nobody"], None)
        .await?;
    let online: Vec<_> = statuses
        .iter()
        .map(|user| (user.id.as_str(), user.online))
        .collect();
    same("who is there", &online, &vec![("annabot", true)])?;
    same(
        "people",
        &anna.client.users().list(&["anna", "bea"]).await?.len(),
        &2,
    )?;
    let bea = anna.client.users().profile("beabot", false).await?;
    same("the title", &bea.title, &Some(Title::BOT))
}

/// A game on television, to the end of its first move.
async fn watches(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let id = pair(anna, bea, "BeaBot", ChallengeOptions::new().clock(180, 2)).await?;
    let mut feed = anna.client.tv().connect().await?;
    let mut moves = anna.client.games().moves_connect(&id).await?;
    next(&mut moves).await?;
    let shown = |event| match event {
        TvGameEvent::Featured { event } => Some(event.id),
        TvGameEvent::Fen { .. } => None,
    };
    same(
        "what is shown",
        &find(&mut feed, "a game is shown", shown).await?,
        &id,
    )?;
    anna.client.bot().play_move(&id, "e2e4", false).await?;
    let moved = |event| match event {
        TvGameEvent::Fen { event } => Some(event.lm).filter(|moved| moved == "e2e4"),
        TvGameEvent::Featured { .. } => None,
    };
    find(&mut feed, "a move is shown", moved).await?;
    bea.client.bot().game_abort(&id).await?;
    rest(&mut moves).await?;
    same("its end", &anna.ends().await?, &GameStatus::Aborted)?;
    same("its end", &bea.ends().await?, &GameStatus::Aborted)
}
