//! How programs talk about a game, in JSON: what they may ask for, and what they are answered. The line
//! protocol of a terminal and the tables of a server speak it alike; `docs/PROTOCOL.md` describes it.
//! Who asks and when is never taken from a message that came over a network.

mod answer;
mod client_message;
mod refusal_message;

pub use answer::{Answer, OpenOffers, SeatNames, State, TimeLeft};
pub use client_message::{ClientMessage, ClientRequest, LocalMessage, ResolvedRequest};
pub use refusal_message::RefusalMessage;
