//! Games as long as games get: knights, rooks and kings go from place to place, no position comes again, and a pawn
//! moves when the rules would end the game otherwise.

use std::collections::HashSet;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use tokio::task::JoinSet;
use tokio::time::timeout;
use touchmove_load::net::NodeAddress;
use touchmove_load::scan::{self, MessageKind};
use touchmove_load::socket::Socket;
use touchmove_load::tables::{self, SeatedPlayer};
use touchmove_rules::{AnyPosition, Move, Role, Variant};

use crate::Plan;
use crate::accounts::guest;
use crate::report::Report;
use crate::target::Target;

/// How many games there are.
const GAMES: usize = 4;
/// The plies of each, in the short form and in the long one.
const PLIES: (usize, usize) = (1_100, 2_100);
/// The least events of each of them.
const LEAST_EVENTS: (usize, usize) = (1_000, 2_000);
/// After so many plies without a pawn's move one is made: the game would end with the 150th.
const MAX_QUIET_PLIES: usize = 120;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays them, and gives their names.
pub async fn play(
    plan: &Plan,
    target: &Target,
    report: &mut Report,
) -> anyhow::Result<Vec<String>> {
    let pick = |(short, long)| if plan.is_long { long } else { short };
    let (plies, least) = (pick(PLIES), pick(LEAST_EVENTS));
    let mut playing = JoinSet::new();
    for number in 0..GAMES {
        let way = target.way(500 + number);
        let moves = moves(plies, plan.seed + number as u64);
        ensure!(
            moves.len() == plies,
            "a game of {} plies only was made",
            moves.len()
        );
        let secrets = [guest(1_000 + 2 * number), guest(1_001 + 2 * number)];
        playing.spawn_local(async move { game(&way, &secrets, &moves).await });
    }
    let mut games = Vec::new();
    let mut bytes = 0;
    for played in playing.join_all().await {
        let (game, journal) = played?;
        let events = journal.lines().count();
        ensure!(
            events >= least,
            "the long game {game} has {events} events only"
        );
        bytes += journal.len();
        games.push(game);
    }
    report.note(format!(
        "{GAMES} games of {plies} plies, with {} KiB of journals",
        bytes >> 10
    ));
    Ok(games)
}

/// A game in which no position comes twice and nothing is taken, as moves in UCI.
fn moves(plies: usize, seed: u64) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = AnyPosition::start(Variant::Chess);
    let mut known = HashSet::from([position.key()]);
    let (mut moves, mut quiet) = (Vec::new(), 0);
    while moves.len() < plies {
        let legal = position.legal_moves();
        let mut legal: Vec<Move> = legal.iter().copied().collect();
        random.shuffle(&mut legal);
        let men = position.board().occupied().len();
        let is_pawn = |mv: &Move| {
            position
                .board()
                .piece_at(mv.from())
                .is_some_and(|man| man.role == Role::Pawn)
        };
        // In its turn a pawn; nobody is to be short of pawns in the end.
        legal.sort_by_key(|mv| is_pawn(mv) != (quiet >= MAX_QUIET_PLIES));
        let next = legal.iter().find(|&&mv| {
            let after = position.after(mv);
            let is_new = !known.contains(&after.key()) && after.board().occupied().len() == men;
            is_new && after.outcome().is_none() && after.legal_move_count() > 4
        });
        let Some(&mv) = next else {
            return moves;
        };
        quiet = if is_pawn(&mv) { 0 } else { quiet + 1 };
        moves.push(position.uci(mv).to_string());
        position.play(mv);
        known.insert(position.key());
    }
    moves
}

/// Plays a game over two sockets, and gives its name and its journal.
async fn game(
    way: &NodeAddress,
    secrets: &[String; 2],
    moves: &[String],
) -> anyhow::Result<(String, String)> {
    let sitter = |secret| SeatedPlayer { way, secret };
    let terms = r#"{"draws":"claim","dead":"off"}"#;
    let game = tables::open(sitter(&secrets[0]), sitter(&secrets[1]), terms).await?;
    let path = tables::live(&game);
    let mut sockets = Vec::new();
    for secret in secrets {
        sockets.push(Socket::open(way, &path, Some(secret)).await?);
    }
    for (number, mv) in moves.iter().enumerate() {
        let socket = &mut sockets[number % 2];
        let id = format!("\"id\":\"m{number}\"");
        socket.send(&format!(r#"{{"move":"{mv}",{id}}}"#)).await?;
        let answer = loop {
            let text = timeout(PATIENCE, socket.receive())
                .await
                .context("no answer to a move")??;
            if scan::kind(&text) == MessageKind::Answer && scan::has(&text, &id) {
                break text;
            }
        };
        ensure!(
            scan::has(&answer, "\"accepted\":true"),
            "ply {number} of a long game: {mv}: {}",
            String::from_utf8_lossy(&answer)
        );
    }
    let journal = tables::journal(way, &game).await?;
    Ok((game, journal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_as_long_as_it_should_be() {
        for seed in 1..4 {
            assert_eq!(moves(PLIES.1, seed).len(), PLIES.1);
        }
    }
}
