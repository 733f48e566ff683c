//! A coach: one good move, what the opponent threatens, and where a game turned, in plain words with squares.
//!
//! The crate is pure like the engine that it uses: it reads no clock and starts no thread, searches as many positions
//! as it may, and stops when the caller's [`SearchObserver`](touchmove_engine::SearchObserver) says so. The caller
//! decides whether help is allowed.
//!
//! ```
//! use touchmove_coach::{Hint, Threat};
//! use touchmove_engine::NoObserver;
//! use touchmove_rules::{AnyPosition, Variant};
//!
//! let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
//! let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
//! let threat = Threat::to(&position, &[], 10_000, &mut NoObserver);
//! assert_eq!(threat.text, "Qxf7# would be checkmate.");
//! let hint = Hint::find(&position, &[], 10_000, &mut NoObserver).unwrap();
//! assert!(position.is_legal(hint.best()));
//! ```

mod annotate;
mod hint;
mod mate_proof;
mod review;
mod threat;
mod turning_points;
mod variation_text;
mod win_chance;

pub use annotate::{MainLine, annotate};
pub use hint::Hint;
pub use review::{MoveError, PositionScore, Review, ReviewedPly, review};
pub use threat::Threat;
pub use turning_points::TurningPoint;
pub use variation_text::{line, mate_words};
pub use win_chance::{Assessment, chance, scale};
