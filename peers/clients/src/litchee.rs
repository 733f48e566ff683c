//! The games of `litchee`. Its list of running games is not asked for: it expects the variant as a word
//! there, where Lichess itself has an object.

use anyhow::{Context as _, bail};
use futures_util::stream::BoxStream;
use litchee::api::broadcasting::tv::LichessTvFeedEvent;
use litchee::api::gameplay::board::{
    LichessBoardEvent, LichessChatRoom, LichessGameState, LichessIncomingEvent,
};
use litchee::api::gameplay::challenges::{
    ChallengeRequest, LichessChallenge, LichessChallengeColor,
};
use litchee::api::gameplay::games::LichessGameStatusName as Status;
use litchee::api::users::players::UserQuery;
use litchee::model::{GameExportOptions, LichessColor, LichessTitle, LichessVariantKey};
use litchee::{LichessClient, Result};

use crate::Arguments;
use crate::stream::{find, next, rest, same};

/// Somebody with the stream of what concerns him.
struct Player {
    client: LichessClient,
    events: BoxStream<'static, Result<LichessIncomingEvent>>,
}

impl Player {
    async fn new(arguments: &Arguments, token: &str) -> anyhow::Result<Player> {
        let builder = LichessClient::builder().base_url(&arguments.url);
        let client = builder.token(token).build()?;
        let events = client.board().stream_events().await?;
        Ok(Player { client, events })
    }

    async fn challenges(&self, name: &str) -> Result<LichessChallenge> {
        let challenge = self.client.challenges().challenge(name);
        challenge.clock(60, 0).rated(false).send().await
    }

    async fn challenged(&mut self) -> anyhow::Result<String> {
        let is_challenge = |event| match event {
            LichessIncomingEvent::Challenge { challenge } => Some(challenge.id),
            _ => None,
        };
        find(&mut self.events, "a challenge", is_challenge).await
    }

    async fn begins(&mut self) -> anyhow::Result<String> {
        let begins = |event| match event {
            LichessIncomingEvent::GameStart { game } => game.game_id,
            _ => None,
        };
        find(&mut self.events, "a game begins", begins).await
    }

    async fn ends(&mut self) -> anyhow::Result<String> {
        let ends = |event| match event {
            LichessIncomingEvent::GameFinish { game } => game.other.get("status").cloned(),
            _ => None,
        };
        let status = find(&mut self.events, "a game ends", ends).await?;
        Ok(status["name"].as_str().context("no status")?.to_owned())
    }
}

/// Two who play, the first with White.
async fn pair(
    white: &mut Player,
    black: &mut Player,
    name: &str,
    terms: impl FnOnce(ChallengeRequest<'_>) -> ChallengeRequest<'_>,
) -> anyhow::Result<String> {
    let challenge = white.client.challenges().challenge(name).rated(false);
    let challenge = terms(challenge.color(LichessChallengeColor::White));
    let made = challenge.send().await?;
    same("the challenge", &black.challenged().await?, &made.id)?;
    black.client.challenges().accept(&made.id, None).await?;
    same("White's game", &white.begins().await?, &made.id)?;
    same("Black's game", &black.begins().await?, &made.id)?;
    Ok(made.id)
}

fn state(line: LichessBoardEvent) -> Option<LichessGameState> {
    match line {
        LichessBoardEvent::GameFull(full) => Some(full.state),
        LichessBoardEvent::GameState(state) => Some(state),
        _ => None,
    }
}

/// Everything.
pub async fn play(arguments: &Arguments) -> anyhow::Result<()> {
    let mut anna = Player::new(arguments, &arguments.anna).await?;
    let mut bea = Player::new(arguments, &arguments.bea).await?;
    let tokens = [arguments.anna.as_str(), "nothing"];
    let tested = anna.client.oauth().test_tokens(&tokens).await?;
    same(
        "the token's owner",
        &tested[tokens[0]]["userId"],
        &"anna".into(),
    )?;
    if !tested[tokens[1]].is_null() {
        bail!("a token that nobody has is known: {tested:?}");
    }
    let profile = anna.client.account().profile().await?;
    same("the name", &profile.user.username.as_str(), &"Anna")?;
    anna.client.account().email().await?;
    anna.client.account().kid_mode().await?;
    anna.client.account().preferences().await?;
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
    cleo.client.bot().upgrade_to_bot().await?;
    let profile = cleo.client.account().profile().await?;
    same("the title", &profile.user.title, &Some(LichessTitle::Bot))
}

/// Takebacks, draws, talk and a resignation, through the half of the API that is for people.
async fn people_play(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let id = pair(anna, bea, "bea", |terms| terms.clock(300, 3)).await?;
    let mut lines = anna.client.board().stream_game(&id).await?;
    let LichessBoardEvent::GameFull(full) = next(&mut lines).await? else {
        bail!("the stream does not begin with everything");
    };
    let white = full.white.and_then(|white| white.name);
    same("White", &white.as_deref(), &Some("Anna"))?;
    if anna
        .client
        .board()
        .make_move(&id, "e2e5", false)
        .await
        .is_ok()
    {
        bail!("an illegal move was played");
    }
    bea.client
        .board()
        .write_chat(&id, LichessChatRoom::Player, "good luck")
        .await?;
    let said = |line| match line {
        LichessBoardEvent::ChatLine(line) => Some(line.text),
        _ => None,
    };
    let said = find(&mut lines, "what was said", said).await?;
    same("what was said", &said.as_str(), &"good luck")?;
    same(
        "the lines",
        &anna.client.board().read_chat(&id).await?.len(),
        &1,
    )?;
    anna.client.board().make_move(&id, "e2e4", false).await?;
    bea.client.board().make_move(&id, "e7e5", false).await?;
    bea.client.challenges().add_time(&id, 15).await?;
    anna.client.board().handle_takeback(&id, true).await?;
    bea.client.board().handle_takeback(&id, true).await?;
    let taken_back = |line| state(line).filter(|state| state.moves.is_empty());
    find(&mut lines, "moves are taken back", taken_back).await?;
    anna.client.board().make_move(&id, "d2d4", false).await?;
    bea.client.board().make_move(&id, "d7d5", true).await?;
    let offered = |line| state(line).filter(|state| state.bdraw == Some(true));
    find(&mut lines, "a draw is offered", offered).await?;
    anna.client.board().handle_draw(&id, false).await?;
    anna.client.board().handle_draw(&id, true).await?;
    bea.client.board().handle_draw(&id, true).await?;
    let last = rest(&mut lines)
        .await?
        .into_iter()
        .filter_map(state)
        .next_back();
    same(
        "the end",
        &last.context("no last state")?.status,
        &Status::Draw,
    )?;
    same("Anna's end", &anna.ends().await?.as_str(), &"draw")?;
    same("Bea's end", &bea.ends().await?.as_str(), &"draw")?;

    let id = pair(anna, bea, "bea", |terms| {
        terms.days(3).variant(LichessVariantKey::Atomic)
    })
    .await?;
    anna.client.board().make_move(&id, "e2e4", false).await?;
    bea.client.board().make_move(&id, "e7e5", false).await?;
    for refused in [
        anna.client.board().claim_victory(&id).await,
        anna.client.board().claim_draw(&id).await,
        anna.client.board().berserk(&id).await,
    ] {
        if refused.is_ok() {
            bail!("something was granted that there was no reason for");
        }
    }
    bea.client.board().resign(&id).await?;
    same("Anna's end", &anna.ends().await?.as_str(), &"resign")?;
    same("Bea's end", &bea.ends().await?.as_str(), &"resign")
}

/// Challenges that are declined, withdrawn, open to everybody.
async fn challenges(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let made = anna.challenges("bea").await?;
    same("the challenge", &bea.challenged().await?, &made.id)?;
    bea.client.challenges().list().await?;
    anna.client.challenges().show(&made.id).await?;
    bea.client
        .challenges()
        .decline(&made.id, Some("tooFast"))
        .await?;
    let declined = |event| match event {
        LichessIncomingEvent::ChallengeDeclined { challenge } => Some(challenge.id),
        _ => None,
    };
    let told = find(&mut anna.events, "it is declined", declined).await?;
    same("what is declined", &told, &made.id)?;
    let made = anna.challenges("bea").await?;
    same("the challenge", &bea.challenged().await?, &made.id)?;
    anna.client.challenges().cancel(&made.id, None).await?;
    let withdrawn = |event| match event {
        LichessIncomingEvent::ChallengeCanceled { challenge } => Some(challenge.id),
        _ => None,
    };
    let told = find(&mut bea.events, "it is withdrawn", withdrawn).await?;
    same("what is withdrawn", &told, &made.id)?;
    let open = anna
        .client
        .challenges()
        .create_open()
        .clock(60, 1)
        .send()
        .await?;
    anna.client
        .challenges()
        .accept(&open.id, Some(LichessColor::Black))
        .await?;
    bea.client.challenges().accept(&open.id, None).await?;
    same("the open game", &anna.begins().await?, &open.id)?;
    same("the open game", &bea.begins().await?, &open.id)?;
    anna.client.board().abort(&open.id).await?;
    same("its end", &anna.ends().await?.as_str(), &"aborted")?;
    same("its end", &bea.ends().await?.as_str(), &"aborted")
}

/// Two who look for the same.
async fn seeks(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let mut waiting = anna.client.board().seek().clock(5.0, 3).send().await?;
    let mut taken = bea.client.board().seek().clock(5.0, 3).send().await?;
    let id = anna.begins().await?;
    same("the other's game", &bea.begins().await?, &id)?;
    rest(&mut waiting).await?;
    rest(&mut taken).await?;
    bea.client.board().abort(&id).await?;
    same("its end", &anna.ends().await?.as_str(), &"aborted")?;
    same("its end", &bea.ends().await?.as_str(), &"aborted")
}

/// A game to mate, through the half of the API that is for bots.
async fn bots_play(anna: &mut Player, bea: &mut Player) -> anyhow::Result<String> {
    let id = pair(anna, bea, "BeaBot", |terms| terms.clock(180, 2)).await?;
    let mut lines = anna.client.bot().stream_game(&id).await?;
    for (ply, uci) in ["f2f3", "e7e5", "g2g4", "d8h4"].into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &anna } else { &bea };
        mover.client.bot().make_move(&id, uci, false).await?;
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
        &(Status::Mate, Some(LichessColor::Black)),
    )?;
    same("Anna's end", &anna.ends().await?.as_str(), &"mate")?;
    same("Bea's end", &bea.ends().await?.as_str(), &"mate")?;
    let bots = rest(&mut anna.client.bot().online(None).await?).await?;
    if !bots.iter().any(|bot| bot.id == "beabot") {
        bail!("BeaBot is not among the bots that are there: {bots:?}");
    }
    Ok(id)
}

async fn exports(anna: &Player, mated: &str) -> anyhow::Result<()> {
    let flags = GameExportOptions::default().clocks(true).pgn_in_json(true);
    let game = anna
        .client
        .games()
        .export(mated)
        .export(flags)
        .json()
        .await?;
    same("the moves", &game.moves.as_deref(), &Some("f3 e5 g4 Qh4#"))?;
    same("the winner", &game.winner, &Some(LichessColor::Black))?;
    same(
        "the clocks",
        &game.clocks.map(|clocks| clocks.len()),
        &Some(4),
    )?;
    if !game.pgn.is_some_and(|pgn| pgn.contains("[%clk")) {
        bail!("no PGN is in the JSON");
    }
    let pgn = anna.client.games().export(mated).pgn().await?;
    same("the result", &pgn.trim_end().ends_with("0-1"), &true)?;
    let games = anna
        .client
        .games()
        .export_user("annabot")
        .max(1)
        .vs("beabot");
    let games = rest(&mut games.color("white").stream().await?).await?;
    let ids: Vec<_> = games.into_iter().map(|game| game.id).collect();
    same("the games of somebody", &ids, &vec![mated.to_owned()])?;
    let games = anna.client.games().export_by_ids(&[mated, "nogame00"]);
    same(
        "games by their ids",
        &rest(&mut games.stream().await?).await?.len(),
        &1,
    )?;
    let people = anna.client.users();
    let statuses = people
        .statuses(&["AnnaBot", "nobody"], None, None, None)
        .await?;
    same("who is there", &statuses.len(), &1)?;
    same(
        "people",
        &people.get_many(&["anna", "bea"], None, None).await?.len(),
        &2,
    )?;
    let bea = people.get("beabot", &UserQuery::default()).await?;
    same("the title", &bea.user.title, &Some(LichessTitle::Bot))
}

/// A game on television, to the end of its first move.
async fn watches(anna: &mut Player, bea: &mut Player) -> anyhow::Result<()> {
    let id = pair(anna, bea, "BeaBot", |terms| terms.clock(180, 2)).await?;
    let mut feed = anna.client.tv().feed().await?;
    let mut moves = anna.client.games().stream_moves(&id).await?;
    next(&mut moves).await?;
    anna.client.tv().channels().await?;
    let shown = |event| match event {
        LichessTvFeedEvent::Featured(featured) => Some(featured.id),
        _ => None,
    };
    same(
        "what is shown",
        &find(&mut feed, "a game is shown", shown).await?,
        &id,
    )?;
    anna.client.bot().make_move(&id, "e2e4", false).await?;
    let moved = |event| match event {
        LichessTvFeedEvent::Fen(board) => Some(board.lm).filter(|moved| moved == "e2e4"),
        _ => None,
    };
    find(&mut feed, "a move is shown", moved).await?;
    bea.client.bot().abort(&id).await?;
    rest(&mut moves).await?;
    same("its end", &anna.ends().await?.as_str(), &"aborted")?;
    same("its end", &bea.ends().await?.as_str(), &"aborted")
}
