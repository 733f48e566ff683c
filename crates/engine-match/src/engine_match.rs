//! A match of many games on several threads. Results are counted in the order of the games, whichever ends first, so
//! that the same seed gives the same match with any number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use touchmove_game::Timestamp;
use touchmove_rules::Variant;
use touchmove_uci_client::Error;

use crate::play_game::{GameSetup, play};
use crate::{Contender, FinishedGame, MatchPlayer, MatchScore, SplitMix64, Sprt, opening};

/// The settings of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineMatch {
    /// The variant.
    pub variant: Variant,
    /// The maximum number of games, an even number: each opening is played with both colours.
    pub games: u32,
    /// The default number of nodes for each move of a contender.
    pub nodes: u64,
    /// How many random plies a game begins with.
    pub plies: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// How many games run at once.
    pub threads: usize,
    /// A test that can stop the match early.
    pub sprt: Option<Sprt>,
}

impl EngineMatch {
    /// A hundred games of a variant with ten thousand nodes a move.
    #[must_use]
    pub fn new(variant: Variant) -> EngineMatch {
        EngineMatch {
            variant,
            games: 100,
            nodes: 10_000,
            plies: 6,
            seed: 1,
            threads: 1,
            sprt: None,
        }
    }
}

/// What a thread reports.
type GameReport = Result<FinishedGame, Error>;

/// Plays a match and reports every game in order; the score is that of the first contender. Set `is_over` to stop the
/// match early; it is also set when the result is decided. Unfinished games then do not count.
///
/// # Errors
/// If an engine does not start, or does not accept its options. What it does wrong later costs it games.
pub fn run(
    contenders: &[Contender; 2],
    terms: &EngineMatch,
    is_over: &AtomicBool,
    told: &mut dyn FnMut(&FinishedGame, &MatchScore),
) -> Result<MatchScore, Error> {
    let next = AtomicU32::new(0);
    let mut tally = MatchScore::default();
    thread::scope(|scope| {
        let (sender, news) = mpsc::channel();
        for _ in 0..terms.threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || play_pairs(contenders, terms, next, is_over, &sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut outcome = Ok(());
        for one in news {
            let played = match one {
                Ok(played) => played,
                Err(trouble) => {
                    is_over.store(true, Ordering::Relaxed);
                    outcome = Err(trouble);
                    continue;
                }
            };
            waiting.insert(played.number, played);
            while let Some(played) = waiting.remove(&tally.games()) {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                count(&mut tally, &played);
                told(&played, &tally);
                let verdict = terms.sprt.and_then(|test| test.verdict(&tally));
                if verdict.is_some() && tally.games().is_multiple_of(2) {
                    is_over.store(true, Ordering::Relaxed);
                }
            }
        }
        outcome
    })?;
    Ok(tally)
}

fn count(tally: &mut MatchScore, played: &FinishedGame) {
    match played.winner {
        None => tally.draws += 1,
        Some(winner) if winner.is_white() == played.number.is_multiple_of(2) => tally.wins += 1,
        Some(_) => tally.losses += 1,
    }
}

/// Today's date as PGN writes it.
fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since_1970.unwrap_or_default().as_secs();
    Timestamp(seconds.saturating_mul(1_000)).date()
}

/// Plays pairs of games until none are left.
fn play_pairs(
    contenders: &[Contender; 2],
    terms: &EngineMatch,
    next: &AtomicU32,
    is_over: &AtomicBool,
    news: &Sender<GameReport>,
) {
    let mut players: [Option<MatchPlayer>; 2] = [None, None];
    let date = today();
    loop {
        let pair = next.fetch_add(1, Ordering::Relaxed);
        if 2 * pair >= terms.games || is_over.load(Ordering::Relaxed) {
            return;
        }
        let seed = SplitMix64::new(terms.seed ^ (u64::from(pair) << 32)).draw();
        let (start, moves) = opening(terms.variant, terms.plies, seed);
        for number in [2 * pair, 2 * pair + 1] {
            if number >= terms.games || is_over.load(Ordering::Relaxed) {
                break;
            }
            let [Ok(first), Ok(second)] = seated(contenders, &mut players) else {
                let troubles = contenders.iter().map(Contender::start);
                for trouble in troubles.filter_map(Result::err).take(1) {
                    let _ = news.send(Err(trouble));
                }
                return;
            };
            let is_white = number.is_multiple_of(2);
            let [a, b] = [&contenders[0], &contenders[1]].map(|it| it.name.as_str());
            let board = GameSetup {
                number,
                start,
                opening: &moves,
                names: if is_white { [a, b] } else { [b, a] },
                seed: seed ^ u64::from(number),
                event: "touchmove arena",
                date: &date,
                is_over,
            };
            let played = if is_white {
                play(&board, [first, second])
            } else {
                play(&board, [second, first])
            };
            if played.is_gone {
                players = [None, None];
            }
            if news.send(Ok(played)).is_err() {
                return;
            }
        }
    }
}

/// Both running players; starts those that are not running yet.
fn seated<'a>(
    contenders: &[Contender; 2],
    players: &'a mut [Option<MatchPlayer>; 2],
) -> [Result<&'a mut MatchPlayer, Error>; 2] {
    let [first, second] = players;
    let sit = |contender: &Contender, player: &'a mut Option<MatchPlayer>| match player {
        Some(player) => Ok(player),
        None => Ok(player.insert(contender.start()?)),
    };
    [sit(&contenders[0], first), sit(&contenders[1], second)]
}
