//! The JSON protocol of programs: requests and answers. The line protocol of the terminal and the tables of a
//! server share it; `docs/PROTOCOL.md` describes it. The sender and the time are never taken from a message
//! that came over a network.

mod answer;
mod client_message;
mod refusal_message;

pub use answer::{Answer, OpenOffers, SeatNames, State, TimeLeft};
pub use client_message::{ClientMessage, ClientRequest, LocalMessage, ResolvedRequest};
pub use refusal_message::RefusalMessage;
