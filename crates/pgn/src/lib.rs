//! PGN, from bytes to games and back: a streaming reader that loses nothing, a document tree, a writer, and
//! an auditor that replays every game under the laws. It opens no files and draws no boards.
//!
//! - [`read`] and [`read_stream`] show the parts of each game to a [`Visitor`], without heap allocations for
//!   plain moves. Errors do not stop them: they are reported, and the following games are read.
//! - [`Document`] holds a whole game, including variations and comments, and writes itself in export format;
//!   [`Document::normalise`] rewrites its moves in standard SAN.
//! - [`audit`] and [`audit_stream`] replay games and return [`Finding`]s, each with a [`FindingCode`].
//!
//! ```
//! use touchmove_pgn::Document;
//!
//! let games = Document::read_all(b"[White \"Anna\"]\n\n1. e4 e5 2. Nf3 {[%clk 0:04:58]} (2. f4) 1-0");
//! let moves: Vec<&str> = games[0].main_line().map(|id| games[0].node(id).san()).collect();
//! assert_eq!(moves, ["e4", "e5", "Nf3"]);
//! assert_eq!(games[0].tags.get("White"), Some("Anna"));
//! ```
#![warn(missing_docs)]

mod audit;
mod batches;
mod builder;
mod bytes;
mod chart;
mod comment;
mod diagnostic;
mod document;
mod encoding;
mod layout;
mod lexer;
mod long_game;
mod nag;
mod normalise;
mod reader;
mod result;
mod spelling;
mod starting_position;
mod stats;
mod tag;
mod tags;
mod time;
mod time_control;
mod utf16;
mod visitor;
mod writer;

pub use audit::{
    AuditReport, AuditTotals, DeadPositions, GameRecord, ParseDeadPositionsError, RecordedEnding,
};
pub use audit::{audit, audit_stream};
pub use batches::{BATCH_BYTES, Batch, Batches, read_stream};
pub use builder::{DocumentBuilder, read_documents};
pub use chart::{Chart, charts_as_svg};
pub use comment::{Comment, CommentCommand, Eval, clock, commands, eval};
pub use diagnostic::{Finding, FindingCode, ParseFindingCodeError, Severity};
pub use document::{Document, MoveId, MoveNode, MoveTextError, Walk, WalkStep};
pub use encoding::decode;
pub use lexer::MoveText;
pub use long_game::{Excess, MAX_GAME_BYTES, MAX_GAME_PARTS};
pub use nag::Nag;
pub use reader::{read, read_part};
pub use result::{GameResult, ParseResultError};
pub use spelling::Spelling;
pub use starting_position::{
    StartError, StartingPosition, starting_position, tag_of_variant, variant_of_tag,
};
pub use stats::{LENGTH_STEP, Stats};
pub use tag::Tag;
pub use tags::{ROSTER, TagNameError, Tags};
pub use time::{Millis, Timestamp};
pub use time_control::{MoveBonus, ParseTimeControlError, Stage, TimeControl};
pub use visitor::{VisitControl, Visitor};
pub use writer::Movetext;
