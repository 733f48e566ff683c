//! [`MatchScore`]: the score of a match, with its error bars.

/// Wins, draws and losses of the first contender.
///
/// ```
/// use touchmove_engine_match::MatchScore;
///
/// let tally = MatchScore { wins: 30, draws: 40, losses: 30 };
/// assert_eq!(tally.score(), 0.5);
/// assert!((tally.likelihood_of_superiority() - 0.5).abs() < 1e-9);
/// assert!(tally.error() > 0.07 && tally.error() < 0.08);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl MatchScore {
    /// How many games there were.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of all points won by the first contender; a half if nothing was played.
    #[must_use]
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The number of games, the mean points and their variance. Every result gets a small prior count: without it, a
    /// match of wins alone would have no variance.
    fn spread(&self) -> [f64; 3] {
        let counts = [self.wins, self.draws, self.losses].map(|count| f64::from(count).max(0.5));
        let games: f64 = counts.iter().sum();
        let mean = |of: &dyn Fn(f64) -> f64| {
            let parts = [1.0, 0.5, 0.0].into_iter().zip(counts);
            parts.map(|(result, count)| count * of(result)).sum::<f64>() / games
        };
        let score = mean(&|result| result);
        [games, score, mean(&|result| (result - score).powi(2))]
    }

    /// The half-width of the 95% confidence interval of the score.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        let [games, _, variance] = self.spread();
        1.96 * (variance / games).sqrt()
    }

    /// The Elo difference of the score, with its lower and upper bound; a bound is infinite where the results do not
    /// rule out a score of all points or none.
    #[must_use]
    pub fn elo(&self) -> [f64; 3] {
        let (score, error) = (self.score(), self.error());
        [score, score - error, score + error].map(elo)
    }

    /// The likelihood of superiority: the probability that the first contender is the better one, between 0 and 1.
    #[must_use]
    pub fn likelihood_of_superiority(&self) -> f64 {
        let decided = f64::from(self.wins + self.losses);
        if decided == 0.0 {
            return 0.5;
        }
        let lead = f64::from(self.wins) - f64::from(self.losses);
        normal(lead / decided.sqrt())
    }
}

/// The Elo difference for an expected score.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score for an Elo difference.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The standard normal distribution function, by the formula 7.1.26 of Abramowitz and Stegun.
fn normal(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let sum = series
        .into_iter()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    let erf = 1.0 - sum * (-z * z).exp();
    0.5 * (1.0 + erf.copysign(x))
}

/// SPRT (sequential probability ratio test): stops a match early. Is the first contender stronger by `better` Elo
/// rather than by `even`? Both error rates are 5%.
///
/// ```
/// use touchmove_engine_match::{Sprt, MatchScore, SprtResult};
///
/// let test = Sprt { even: 0.0, better: 10.0 };
/// assert_eq!(test.verdict(&MatchScore { wins: 20, draws: 20, losses: 15 }), None);
/// assert_eq!(test.verdict(&MatchScore { wins: 700, draws: 500, losses: 500 }), Some(SprtResult::Better));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub even: f64,
    /// The Elo difference of the alternative.
    pub better: f64,
}

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtResult {
    /// It is stronger by `better` Elo.
    Better,
    /// It is not.
    NotBetter,
}

impl Sprt {
    /// The log-likelihood ratio of the games.
    #[must_use]
    pub fn likelihood_ratio(&self, tally: &MatchScore) -> f64 {
        let [games, score, variance] = tally.spread();
        let (low, high) = (expected(self.even), expected(self.better));
        games * (high - low) * (2.0 * score - low - high) / (2.0 * variance)
    }

    /// The lower and upper bound at which the test stops.
    #[must_use]
    pub fn bound() -> f64 {
        (0.95_f64 / 0.05).ln()
    }

    /// The result, if the games suffice for one.
    #[must_use]
    pub fn verdict(&self, tally: &MatchScore) -> Option<SprtResult> {
        match self.likelihood_ratio(tally) {
            ratio if ratio >= Sprt::bound() => Some(SprtResult::Better),
            ratio if ratio <= -Sprt::bound() => Some(SprtResult::NotBetter),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_is_known_at_its_usual_places() {
        for (x, wanted) in [
            (0.0, 0.5),
            (1.0, 0.841_345),
            (-1.96, 0.024_998),
            (3.0, 0.998_650),
        ] {
            assert!((normal(x) - wanted).abs() < 1e-5, "{x}: {}", normal(x));
        }
    }

    #[test]
    fn elo_and_score_are_each_other_s_inverse() {
        for difference in [-300.0, -10.0, 0.0, 77.0, 400.0] {
            assert!((elo(expected(difference)) - difference).abs() < 1e-6);
        }
        let [middle, low, high] = MatchScore {
            wins: 60,
            draws: 20,
            losses: 20,
        }
        .elo();
        assert!(low < middle && middle < high && (middle - 147.0).abs() < 1.0);
    }

    #[test]
    fn wins_alone_are_not_certainty() {
        let few = MatchScore {
            wins: 4,
            ..MatchScore::default()
        };
        assert!(few.error() > 0.2, "{}", few.error());
        let [middle, low, high] = few.elo();
        assert!(low > 0.0 && low < 300.0, "{low}");
        assert_eq!([middle, high], [f64::INFINITY; 2]);
        let many = MatchScore { wins: 400, ..few };
        assert!(many.error() < 0.02 && many.elo()[1] > 500.0);
    }

    #[test]
    fn nothing_played_says_nothing() {
        let tally = MatchScore::default();
        assert_eq!((tally.score(), tally.error()), (0.5, 0.5));
        assert_eq!(tally.likelihood_of_superiority(), 0.5);
        let test = Sprt {
            even: 0.0,
            better: 10.0,
        };
        assert_eq!(test.verdict(&tally), None);
        assert_eq!(
            test.verdict(&MatchScore { wins: 9, ..tally }),
            None,
            "no spread, no verdict"
        );
    }

    #[test]
    fn a_test_finds_for_either_side() {
        let test = Sprt {
            even: 0.0,
            better: 20.0,
        };
        let worse = MatchScore {
            wins: 400,
            draws: 300,
            losses: 500,
        };
        assert_eq!(test.verdict(&worse), Some(SprtResult::NotBetter));
    }
}
