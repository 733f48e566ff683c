//! The arbiter's desk: four questions as strict data, and the answers that the command line prints with
//! `--json`.

mod explain;
mod judge;
mod limits;
mod line;
mod place;
mod request;
mod rules;
mod trouble;
mod winnable;

pub use explain::{BrokenReport, ConditionReport, ExplainReport, ExplainRequest, Explained};
pub use judge::{JudgeReport, JudgeRequest};
pub use limits::{
    Cap, Effort, LARGEST_REQUEST, LONGEST_FEN, LONGEST_PGN, LONGEST_WORDS, MOST_PLIES,
};
pub use line::{IllegalMove, Line, Source, warnings, words};
pub use place::Place;
pub use request::{Question, Report, Request, answer};
pub use rules::{Example, LawReport, RulesReport, RulesRequest, Section};
pub use trouble::Trouble;
pub use winnable::{Chances, Costed, Sides, WinnableReport, WinnableRequest};
