//! The plies of a game as JSON for clients: rendered once for all viewers, and extended as the game goes on. Long
//! games are rendered on a worker thread.

use std::sync::Arc;

use serde::Serialize;
use touchmove_game::{Game, Millis};

use crate::Server;
use crate::games::table::{LiveGame, Table};
use crate::work_queue::{WorkError, WorkOwner};

/// Plies that may be rendered while others wait for the game. A game with more is long.
const FEW_PLIES: usize = 200;

/// The most missed events that a returning client is sent; beyond that it is sent the whole state.
const MAX_EVENTS_BEHIND: u64 = 200;

/// A ply that was played.
#[derive(Serialize)]
struct Played<'a> {
    #[serde(rename = "move")]
    uci: String,
    san: &'a str,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Millis>,
    /// The lag compensation of the move, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    lag: Option<Millis>,
}

/// The rendered plies of a game, as far as a viewer has needed them.
#[derive(Default)]
pub(super) struct History {
    /// The plies, separated by commas.
    text: String,
    /// The end of each ply in the text.
    ends: Vec<usize>,
}

impl History {
    /// Renders at most `max_plies` more plies.
    pub(super) fn extend(&mut self, game: &Game, max_plies: usize) {
        let written = self.ends.len();
        let plies = game.plies().iter().enumerate();
        for (index, ply) in plies.skip(written).take(max_plies) {
            let before = game.position_after(index).unwrap_or(&game.terms().start);
            let clock = ply.clocks.zip(game.terms().time.as_ref());
            let played = Played {
                uci: before.uci(ply.mv).to_string(),
                san: &ply.san,
                fen: ply.position.fen().to_string(),
                clock: clock.map(|(clocks, times)| clocks.left(times, before.turn(), ply.at)),
                lag: Some(ply.lag).filter(|&lag| lag > Millis::ZERO),
            };
            if index > 0 {
                self.text.push(',');
            }
            // Serialisation fails only for maps with keys that are not strings; there are none.
            self.text += &serde_json::to_string(&played).unwrap_or_default();
            self.ends.push(self.text.len());
        }
    }

    /// Drops the plies after these, which were taken back.
    pub(super) fn truncate(&mut self, plies: usize) {
        self.ends.truncate(plies);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// All plies of the game as a JSON list.
    pub(super) fn list(&mut self, game: &Game) -> String {
        self.extend(game, usize::MAX);
        format!("[{}]", self.text)
    }
}

impl LiveGame {
    /// Whether the rendered game is long.
    pub(crate) fn is_long(&self) -> bool {
        self.game.plies().len() > FEW_PLIES
    }

    /// Whether a client that has seen this event last is sent the whole state instead of the missed events.
    pub(crate) fn is_far_behind(&self, seen: u64) -> bool {
        self.game.seq().saturating_sub(seen) > MAX_EVENTS_BEHIND
    }

    /// Whether more plies are to be rendered than others should wait for.
    fn has_much_to_write(&self) -> bool {
        let written = self.history.ends.len();
        self.game.plies().len().saturating_sub(written) > FEW_PLIES
    }
}

impl Table {
    /// Renders most plies before the table is shown to a client: in parts, so that moves go on, and once for all who
    /// wait.
    ///
    /// # Errors
    /// If the queue is full.
    pub(crate) async fn write_history(
        self: &Arc<Table>,
        server: &Server,
        owner: WorkOwner,
    ) -> Result<(), WorkError> {
        if !self.lock().await.has_much_to_write() {
            return Ok(());
        }
        let _turn = self.is_writing.lock().await;
        if !self.lock().await.has_much_to_write() {
            return Ok(());
        }
        let table = Arc::clone(self);
        let written = server.read_aside(owner, move |cancel| {
            while !cancel.is_cancelled() {
                let mut core = table.blocking_core();
                if !core.has_much_to_write() {
                    return;
                }
                let LiveGame { game, history, .. } = &mut *core;
                history.extend(game, FEW_PLIES);
            }
        });
        written.await
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use touchmove_game::{Players, Terms, Timestamp};
    use touchmove_rules::Variant;

    use super::*;

    fn play(game: &mut Game, moves: &[&str]) {
        for text in moves {
            let mv = game.read_move(text).unwrap();
            game.play_on(mv);
        }
    }

    fn sans(list: &str) -> Vec<String> {
        let list: Value = serde_json::from_str(list).unwrap();
        let plies = list.as_array().unwrap().iter();
        plies
            .map(|ply| ply["san"].as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn plies_are_written_in_parts_continued_and_taken_back() {
        let terms = Terms::of(Variant::Chess);
        let mut game = Game::begin(terms.clone(), Players::default(), Timestamp(0));
        let mut history = History::default();
        assert_eq!(history.list(&game), "[]");
        play(&mut game, &["e4", "e5", "Nf3"]);
        history.extend(&game, 2);
        assert_eq!(history.ends.len(), 2);
        assert_eq!(sans(&history.list(&game)), ["e4", "e5", "Nf3"]);
        history.truncate(1);
        let mut other = Game::begin(terms, Players::default(), Timestamp(0));
        play(&mut other, &["e4", "c5"]);
        let continued = history.list(&other);
        assert_eq!(sans(&continued), ["e4", "c5"]);
        assert_eq!(continued, History::default().list(&other));
        history.truncate(0);
        assert_eq!(history.list(&other), continued);
    }
}
