//! Statistics of many games: results, endings, lengths, first moves. It only counts; [`chart`](crate::chart)
//! draws.

use std::collections::BTreeMap;

use touchmove_rules::{AnyPosition, Variant};

use crate::audit::GameRecord;
use crate::result::GameResult;

/// Number of moves (of both sides) in one bar of the length chart.
pub const LENGTH_STEP: u32 = 10;

/// Statistics of many games.
///
/// ```
/// use touchmove_pgn::{Batch, AuditReport, Stats, audit};
/// let text = b"1. e4 c5 2. Nf3 1-0\n\n1. e4 e5 0-1\n".to_vec();
/// let mut report = AuditReport::with_records();
/// audit(&Batch { text, offset: 0, line: 1 }, &mut report);
/// let mut stats = Stats::default();
/// report.records.iter().for_each(|record| stats.take(record));
/// assert_eq!((stats.games, stats.plies), (2, 5));
/// assert_eq!(stats.most_played(2), [("e4".into(), 2)]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Games.
    pub games: u64,
    /// Number of replayed plies.
    pub plies: u64,
    /// Games by result, in the order of [`GameResult::ALL`].
    pub results: [u64; 4],
    /// Games by the [status](crate::RecordedEnding::status) of their ending.
    pub endings: BTreeMap<&'static str, u64>,
    /// Games by length, in steps of [`LENGTH_STEP`] moves.
    pub lengths: BTreeMap<u32, u64>,
    /// Games by variant; `None` if the moves could not be replayed.
    pub variants: BTreeMap<Option<Variant>, u64>,
    /// Games by White's first move.
    pub first_moves: BTreeMap<String, u64>,
    /// Games by the first moves of both sides.
    pub replies: BTreeMap<String, u64>,
    /// Number of plies of the longest game.
    pub longest: u32,
}

impl Stats {
    /// Adds a game.
    pub fn take(&mut self, game: &GameRecord) {
        self.games += 1;
        self.plies += u64::from(game.plies);
        let place = GameResult::ALL
            .iter()
            .position(|&result| result == game.result);
        self.results[place.unwrap_or(3)] += 1;
        *self.endings.entry(game.conclusion.status()).or_default() += 1;
        *self
            .lengths
            .entry(game.plies.div_ceil(2) / LENGTH_STEP)
            .or_default() += 1;
        *self.variants.entry(game.variant).or_default() += 1;
        self.longest = self.longest.max(game.plies);
        self.take_opening(game);
    }

    fn take_opening(&mut self, game: &GameRecord) {
        let (Some(variant), [Some(first), reply]) = (game.variant, game.opening) else {
            return;
        };
        let start = AnyPosition::start(variant);
        let san = start.san(first).to_string();
        if let Some(reply) = reply {
            let answer = start.after(first).san(reply);
            *self
                .replies
                .entry(format!("1. {san} {answer}"))
                .or_default() += 1;
        }
        *self.first_moves.entry(san).or_default() += 1;
    }

    /// White's most played first moves.
    #[must_use]
    pub fn most_played(&self, most: usize) -> Vec<(String, u64)> {
        by_count(&self.first_moves, most)
    }

    /// The most played pairs of first moves.
    #[must_use]
    pub fn most_answered(&self, most: usize) -> Vec<(String, u64)> {
        by_count(&self.replies, most)
    }

    /// The endings in words, the most frequent first.
    #[must_use]
    pub fn most_ended(&self) -> Vec<(String, u64)> {
        let words = |status: &str| status.replace('_', " ");
        let endings = self.endings.iter();
        let named = endings.map(|(status, &count)| (words(status), count));
        by_count(&named.collect(), usize::MAX)
    }

    /// The lengths in order, such as `"21-30"` with its number of games.
    #[must_use]
    pub fn length_bars(&self) -> Vec<(String, u64)> {
        let last = self.lengths.keys().next_back().copied().unwrap_or(0);
        let bars = (0..=last.min(30)).map(|step| {
            let (from, to) = (step * LENGTH_STEP, (step + 1) * LENGTH_STEP - 1);
            let is_last = step == 30 && last > 30;
            let name = if is_last {
                format!("{from}+")
            } else {
                format!("{from}-{to}")
            };
            let range = if is_last { step..=last } else { step..=step };
            (
                name,
                self.lengths.range(range).map(|(_, count)| count).sum(),
            )
        });
        bars.collect()
    }
}

fn by_count(counts: &BTreeMap<String, u64>, most: usize) -> Vec<(String, u64)> {
    let mut sorted: Vec<_> = counts
        .iter()
        .map(|(name, &count)| (name.clone(), count))
        .collect();
    sorted.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), name.clone()));
    sorted.truncate(most);
    sorted
}
