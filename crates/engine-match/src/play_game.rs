//! One game of a match, under the arbiter: draws are declared automatically, and a player that makes no legal move in
//! time forfeits.

use std::sync::atomic::{AtomicBool, Ordering};

use touchmove_game::{
    ArbiterAction, Command, DeadLaw, Game, Players, Terms, Timestamp, pgn_record,
};
use touchmove_rules::{AnyPosition, Color, Move};
use touchmove_uci_client::Error;

use crate::{MatchPlayer, PlayerView};

/// A finished game.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Its number in the match, from zero; the first contender has White in the even ones.
    pub number: u32,
    /// The winner.
    pub winner: Option<Color>,
    /// How it ended, in the arbiter's words.
    pub words: String,
    /// How many plies were played, the opening included.
    pub plies: usize,
    /// The error that ended the game, if an engine caused it, and which side.
    pub trouble: Option<(Color, String)>,
    /// Whether an engine has ended and must be restarted.
    pub is_gone: bool,
    /// The game as PGN.
    pub pgn: String,
}

/// The setup of a game.
pub(crate) struct GameSetup<'a> {
    pub number: u32,
    pub start: AnyPosition,
    pub opening: &'a [Move],
    pub names: [&'a str; 2],
    pub seed: u64,
    pub event: &'a str,
    /// The date, in PGN format.
    pub date: &'a str,
    /// Whether the match has been stopped.
    pub is_over: &'a AtomicBool,
}

/// Plays a game; `players` are White and Black. It stays unfinished when the match is stopped.
pub(crate) fn play(board: &GameSetup<'_>, players: [&mut MatchPlayer; 2]) -> FinishedGame {
    let [white, black] = board.names.map(str::to_owned);
    let terms = Terms {
        dead: DeadLaw::Material,
        ..Terms::from(board.start)
    };
    let mut game = Game::begin(terms, Players { white, black }, Timestamp(0));
    let failed = go_on(board, &mut game, players);
    let mut trouble = None;
    let mut is_gone = false;
    if let Some((who, error)) = failed {
        let reason = error.to_string();
        let order = ArbiterAction::Forfeit {
            player: who,
            reason: reason.clone(),
        };
        let events = game.order(Timestamp(0), &order).unwrap_or_default();
        game.evolve_all(&events);
        is_gone = error.is_fatal();
        trouble = Some((who, reason));
    }
    let heading = [
        ("Event", board.event.to_owned()),
        ("Date", board.date.to_owned()),
        ("Round", (board.number + 1).to_string()),
    ];
    FinishedGame {
        number: board.number,
        winner: game.ending().and_then(touchmove_game::Ending::winner),
        words: game.sentence(),
        plies: game.plies().len(),
        trouble,
        is_gone,
        pgn: pgn_record::document_under(&game, &heading).to_string(),
    }
}

/// Plays until the game is over, or a player fails.
fn go_on(
    board: &GameSetup<'_>,
    game: &mut Game,
    mut players: [&mut MatchPlayer; 2],
) -> Option<(Color, Error)> {
    for color in Color::ALL {
        let player = &mut players[color as usize];
        let seed = board.seed.rotate_left(color as u32);
        if let Err(trouble) = player.new_game(board.start.variant(), seed) {
            return Some((color, trouble));
        }
    }
    let mut moves: Vec<Move> = Vec::new();
    let mut keys = Vec::new();
    while game.ending().is_none() && !board.is_over.load(Ordering::Relaxed) {
        let position = *game.position();
        let us = position.turn();
        let chosen = match board.opening.get(moves.len()) {
            Some(&mv) => Ok(Some(mv)),
            None => players[us as usize].choose(&PlayerView {
                position: &position,
                keys: &keys,
                start: &board.start,
                moves: &moves,
            }),
        };
        let mv = match chosen {
            Ok(Some(mv)) => mv,
            // Only a position without legal moves yields no move, and there the game is over.
            Ok(None) => return None,
            Err(trouble) => return Some((us, trouble)),
        };
        // UCI notation: in Chess960 the king's from and to squares would not tell castling from a step.
        let answer = game.submit(Timestamp(0), us, Command::from(position.uci(mv)));
        if !answer.accepted() {
            return None;
        }
        keys.push(position.key());
        moves.push(mv);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contender, EngineMatch};
    use touchmove_rules::Variant;

    #[test]
    fn castling_that_looks_like_a_king_s_step_is_castling() {
        let fen = "3k4/8/8/8/8/8/8/1R1K4 w B - 0 1";
        let start = AnyPosition::from_fen(fen, Variant::Chess960).unwrap();
        let castling = start.read_san("O-O-O").unwrap();
        assert_eq!(castling.to(), touchmove_rules::Square::C1);
        assert!(castling.kind().is_castling());
        let terms = EngineMatch::new(Variant::Chess960);
        let sit = || Contender::read("random", &terms).unwrap().start().unwrap();
        let board = GameSetup {
            number: 0,
            start,
            opening: &[castling],
            names: ["a", "b"],
            seed: 1,
            event: "castling",
            date: "2026.11.17",
            is_over: &AtomicBool::new(false),
        };
        let played = play(&board, [&mut sit(), &mut sit()]);
        assert!(played.pgn.contains("1. O-O-O"), "{}", played.pgn);
        let date = "[Date \"2026.11.17\"]";
        assert!(played.pgn.contains(date), "{}", played.pgn);
    }
}
