//! Answers four kinds of requests about positions, moves and laws ([`RequestKind`]): strict JSON in, the JSON
//! that the command line prints with `--json` out. The crate opens no file and reads no clock; the caller
//! passes a [`BudgetCap`] with a clock.
//!
//! A server needs three calls: [`RequestKind::named`] for the path, [`Request::read`] for the body,
//! [`answer`] for the response. An [`Error`] has a sentence and a code. An answer may take as long as the cap
//! allows, so do not compute it on a thread that serves other requests.
//!
//! ```
//! # use std::time::{Duration, Instant};
//! use touchmove_arbiter::{BudgetCap, RequestKind, Request, answer};
//!
//! fn handle(path: &str, body: &str) -> Option<String> {
//!     let question = RequestKind::named(path)?; // 404
//!     let begin = Instant::now();
//!     let clock = || begin.elapsed();
//!     let cap = BudgetCap { positions: 200_000, time: Duration::from_secs(1), clock: &clock };
//!     let request = Request::read(question, body.as_bytes());
//!     let answered = request.and_then(|request| answer(&request, &cap));
//!     match answered {
//!         Ok(report) => serde_json::to_string(&report).ok(),    // 200
//!         Err(trouble) => serde_json::to_string(&trouble).ok(), // 400
//!     }
//! }
//!
//! // A position is a FEN, the start of a variant, or a game; without anything, the start of chess.
//! let told = handle("judge", r#"{"position": {"moves": "f3 e5 g4 Qh4"}, "draws": "claim"}"#).unwrap();
//! assert_eq!(told, concat!(
//!     r#"{"variant":"chess","fen":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3","#,
//!     r#""valid":true,"faults":[],"turn":"white","check":true,"checkers":["h4"],"legal_moves":0,"#,
//!     r#""repetitions":1,"halfmove_clock":1,"claims":[],"status":"checkmate","winner":"black","#,
//!     r#""result":"0-1","explanation":"Checkmate: the white king on e1 is attacked by the queen on h4, "#,
//!     r#"and White has no legal move; Black wins.","proved":true,"warnings":[]}"#,
//! ));
//!
//! let told = handle("explain", r#"{"position": {"pgn": "1. e4 e5 *"}, "move": "Ke3"}"#).unwrap();
//! assert_eq!(told, concat!(
//!     r#"{"variant":"chess","fen":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2","#,
//!     r#""move":"Ke3","legal":false,"kind":null,"san":null,"uci":"e1e3","reason":"wrong_way","#,
//!     r#""evidence":["e1","e3"],"conditions":["#,
//!     r#"{"name":"A piece stands on the square the move starts from","source":"FIDE 1.1","holds":true},"#,
//!     r#"{"name":"The piece belongs to the player on move","source":"FIDE 1.3","holds":true},"#,
//!     r#"{"name":"The move goes to another square","source":"FIDE 3.2 to 3.8","holds":true},"#,
//!     r#"{"name":"The piece moves that way","source":"FIDE 3.8.1","holds":false}],"#,
//!     r#""broken":[{"reason":"wrong_way","evidence":["e1","e3"],"#,
//!     r#""text":"the king on e1 does not move to e3: a king goes to a neighbouring square"}],"effects":[],"#,
//!     r#""text":"Ke3 is illegal: the king on e1 does not move to e3: a king goes to a neighbouring square.","#,
//!     r#""suggestions":["Ke2"],"warnings":[]}"#,
//! ));
//!
//! let asked = r#"{"position": {"fen": "8/8/8/3k4/8/3K4/8/2B5 w - -"}, "side": "both", "budget": {"millis": 200}}"#;
//! let told = handle("winnable", asked).unwrap();
//! assert!(told.starts_with(concat!(
//!     r#"{"fen":"8/8/8/3k4/8/3K4/8/2B5 w - - 0 1","variant":"chess","white":"unwinnable","#,
//!     r#""black":"unwinnable","dead":true,"line_white":null,"line_black":null,"#,
//!     r#""proof_white":"the men on the board cannot make a mate","#,
//!     r#""proof_black":"the men on the board cannot make a mate","nodes":2,"micros":"#,
//! )));
//!
//! let told = handle("rules", r#"{"piece": "knight"}"#).unwrap();
//! assert_eq!(told, concat!(
//!     r#"{"title":"Chess: the knight","sections":["#,
//!     r#"{"level":3,"title":"Knight","variant":"chess","piece":"knight","laws":[]},"#,
//!     r#"{"level":4,"title":"Regular","variant":"chess","piece":"knight","text":"Two squares along a rank "#,
//!     r#"or file and one across, over whatever stands between, taking what stands there.","#,
//!     r#""source":"FIDE 3.6","example":{"fen":"7k/8/8/8/3N4/8/8/K7 w - - 0 1","uci":"d4e6","#,
//!     r#""targets":["c2","e2","b3","f3","b5","f5","c6","e6"]},"laws":[]}]}"#,
//! ));
//!
//! let told = handle("judge", r#"{"position": {"start": 1000}}"#).unwrap();
//! assert_eq!(told, concat!(
//!     r#"{"error":"start: there is no array 1000; they are numbered from 0 to 959","#,
//!     r#""code":"no_such_start"}"#,
//! ));
//! ```

mod budget;
mod error;
mod explain;
mod judge;
mod move_sequence;
mod position_input;
mod request;
mod rules;
mod winnable;

pub use budget::{
    BudgetCap, GrantedBudget, MAX_FEN_BYTES, MAX_PGN_BYTES, MAX_PLIES, MAX_REQUEST_BYTES,
    MAX_TEXT_BYTES, RequestedBudget,
};
pub use error::Error;
pub use explain::{
    BrokenLawReport, ConditionReport, ExplainReport, ExplainRequest, MoveExplanation,
};
pub use judge::{JudgeReport, JudgeRequest};
pub use move_sequence::{IllegalMoveError, MoveSequence, StartInput, split_moves, warnings};
pub use position_input::PositionInput;
pub use request::{Report, Request, RequestKind, answer};
pub use rules::{ExampleReport, LawReport, RulesReport, RulesRequest, Section};
pub use winnable::{
    PositionVerdicts, SideSelection, TimedVerdict, WinnableReport, WinnableRequest,
};
