//! The rules of chess, Chess960, Atomic and simple Atomic: exact, and fast.
//!
//! Text becomes a [`Setup`], a setup that is not impossible becomes a [`Position`], and a position
//! yields [`Move`]s: each type guarantees more than the one before. [`Setup::faults`] lists
//! everything that is wrong with a setup at once, as [`SetupFault`]s; each has a [`FaultSeverity`]:
//! impossible or unreachable.
//!
//! ```
//! use touchmove_rules::{Chess, Position};
//!
//! let mut position = Position::<Chess>::start();
//! for san in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"] {
//!     let mv = position.read_san(san).unwrap();
//!     position.play(mv);
//! }
//! assert!(position.is_checkmate());
//! assert_eq!(
//!     position.fen().to_string(),
//!     "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
//! );
//! ```
//!
//! The variant is a type parameter where speed matters, and a value in [`AnyPosition`] where it is
//! chosen at run time. This crate does no input or output, reads no clock, and does not allocate in
//! its hot paths.
//!
//! # One function for every variant
//!
//! There is no trait that spans [`Position`] and [`AnyPosition`], on purpose. It would repeat some
//! forty methods that both have by the same names, would have to be imported before any of them
//! could be called, and code that is generic over it would dispatch on the variant at every call. A
//! function for all variants takes `Position<R>`, is compiled once for each of them, and is called
//! on an [`AnyPosition`] with [`with_position!`], which dispatches once:
//!
//! ```
//! use touchmove_rules::{AnyPosition, Position, Rules, Variant, with_position};
//!
//! fn captures_and_moves<R: Rules>(position: &Position<R>) -> (usize, u32) {
//!     (position.captures().len(), position.legal_move_count())
//! }
//!
//! let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
//! for variant in Variant::ALL {
//!     let position = AnyPosition::from_fen(fen, variant).unwrap();
//!     let (captures, _) = with_position!(&position, position => captures_and_moves(position));
//!     assert_eq!(captures, 1, "{variant}");
//! }
//! ```
//!
//! # Features
//!
//! `serde` writes and reads [`Square`] (`"e4"`), [`File`], [`Rank`], [`Color`] (`"white"`),
//! [`Role`] (`"knight"`), [`Piece`] (`"N"`), [`Variant`] (`"simple-atomic"`), [`UciMove`]
//! (`"e7e8q"`), [`San`], [`MoveKind`] (`"Pawn Two Steps"`), [`CastlingSide`] (`"king"`),
//! [`Bitboard`] (`["a1","h1"]`), [`Fen`], [`Setup`] and [`Epd`] (their texts), [`Position`] (its
//! FEN), [`AnyPosition`] (`{"variant":"atomic","fen":"…"}`) and [`ByColor`]. Invalid input is
//! refused with the error message of the type's own parser, and a position is read back only if the
//! rules can be applied to it. A [`Move`] has no serialized form, because it means nothing without
//! its position: write [`position.uci(mv)`](Position::uci) and look it up again with
//! [`find_uci`](Position::find_uci).

mod any;
pub mod attacks;
mod bitboard;
mod board;
mod chess960_starts;
mod cpu;
mod danger;
mod dispatch;
pub mod draw_rules;
mod ending;
mod epd;
pub mod fen;
mod fen_buffer;
pub mod law;
pub mod material;
mod move_input;
mod move_list;
mod movegen;
mod moves;
mod packed;
mod perft;
mod piece;
mod position;
pub mod san;
mod san_lookup;
#[cfg(feature = "serde")]
mod serde_impls;
mod setup;
pub mod setup_fault;
mod spoken_move;
mod square;
mod state;
mod suggest;
pub mod uci;
mod variant;
mod zobrist;

pub use any::{AnyPosition, Outcome};
pub use bitboard::{Bitboard, BitboardIter};
pub use board::Board;
pub use cpu::{CpuTask, Processor, prefetch, run_cpu_task};
pub use draw_rules::DrawClaim;
pub use ending::{Draw, Ending, NoResult, Victory};
pub use epd::{Epd, Operation, ParseEpdError};
pub use fen::{Fen, FenError, ParseFenError};
pub use law::{Explanation, Illegal, MoveRequest};
pub use move_input::MoveInputError;
pub use move_list::{MoveList, MoveListIter};
pub use moves::{CastlingSide, Move, MoveKind, UciMove};
pub use packed::Packed;
pub use perft::{divide, perft, perft_making_every_leaf};
pub use piece::{ByColor, ByRole, Color, ParseColorError, Piece, Role};
pub use position::Position;
pub use san::{ParseSanError, San, SanError};
pub use setup::Setup;
pub use setup_fault::{FaultSeverity, SetupFault, SetupFaults};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::{ParseUciError, UciError};
pub use variant::{
    Atomic, CastlingMode, Chess, Chess960, ParseVariantError, Rules, SimpleAtomic, Variant,
};

/// The start of a text, for messages: long or unprintable input must not fill the screen.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_EXCERPT_CHARS: usize = 40;
    let mut chars = text.chars();
    let mut start: String = chars.by_ref().take(MAX_EXCERPT_CHARS).collect();
    if chars.next().is_some() {
        start.push('…');
    }
    start
}
