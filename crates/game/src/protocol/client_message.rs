//! Parses requests of programs: a JSON object, or a bare move. They are decided elsewhere.

use serde::Deserialize;
use touchmove_rules::{Color, UciMove};

use crate::protocol::RefusalMessage;
use crate::{Command, CommandId, Game, Intent, Millis, OfferKind, Refusal, Timestamp};

/// What a message asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClientRequest {
    /// Play the move that this text means.
    Move(String),
    /// Claim a draw, for the position after this move or for the current one.
    Claim(Option<String>),
    /// A command that needs no move.
    Wish(Intent),
    /// The state of the game.
    State,
    /// The legal moves.
    Moves,
    /// The game as PGN.
    Pgn,
}

/// A message of a client. It does not say who sent it or when: over a network the server knows that.
///
/// ```
/// use touchmove_game::protocol::{ClientRequest, ClientMessage};
///
/// let asked = ClientMessage::read(r#"{"move":"Nf3","id":"m1","seen":4}"#).unwrap();
/// assert_eq!(asked.ask, ClientRequest::Move("Nf3".to_owned()));
/// assert!(ClientMessage::read(r#"{"command":"resign","by":"black"}"#).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClientMessage {
    /// What it asks for.
    pub ask: ClientRequest,
    /// The sender's id for it.
    pub id: Option<CommandId>,
    /// The last event that the sender has seen.
    pub seen: Option<u64>,
}

/// What a message means in the current state of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResolvedRequest {
    /// A request for information.
    Query,
    /// A repeat of a command with the same id: it is granted and nothing happens again, whatever the position
    /// is now.
    Repeated {
        /// The first event of that command.
        seq: u64,
    },
    /// A player's command.
    Command {
        /// The player.
        by: Color,
        /// The command.
        command: Command,
    },
}

/// A message of a local program, which may send commands for either player and set the time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalMessage {
    /// What it asks for.
    pub asked: ClientMessage,
    /// The player it is from.
    pub by: Option<Color>,
    /// When it was sent.
    pub at: Option<Timestamp>,
}

/// The serialised form of a message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMessage {
    #[serde(rename = "move")]
    mv: Option<String>,
    command: Option<String>,
    offer: Option<String>,
    seconds: Option<u64>,
    draw: Option<bool>,
    id: Option<CommandId>,
    seen: Option<u64>,
}

/// The same with the fields that only a local program may set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLocalMessage {
    #[serde(rename = "move")]
    mv: Option<String>,
    command: Option<String>,
    offer: Option<String>,
    seconds: Option<u64>,
    draw: Option<bool>,
    id: Option<CommandId>,
    seen: Option<u64>,
    by: Option<Color>,
    at: Option<Timestamp>,
}

impl ClientMessage {
    /// Parses a message; the error is a sentence.
    ///
    /// # Errors
    /// If it is not a message, or says who sent it or when.
    pub fn read(text: &str) -> Result<ClientMessage, String> {
        let text = text.trim();
        if !text.starts_with(['{', '[', '"']) {
            return Ok(ClientMessage {
                ask: ClientRequest::Move(text.to_owned()),
                id: None,
                seen: None,
            });
        }
        if !text.starts_with('{') {
            return Err("a request is a JSON object or a bare move".to_owned());
        }
        let written = serde_json::from_str(text).map_err(|error| error.to_string())?;
        ClientMessage::understand(written)
    }

    fn understand(written: RawMessage) -> Result<ClientMessage, String> {
        let RawMessage {
            mv,
            command,
            offer,
            seconds,
            draw,
            id,
            seen,
        } = written;
        let offer = match offer
            .as_deref()
            .map(|word| (word, OfferKind::from_word(word)))
        {
            None => None,
            Some((_, Some(offer))) => Some(offer),
            Some((word, None)) => {
                return Err(format!("{word:?} is not an offer: it is draw or takeback"));
            }
        };
        let ask = match (command.as_deref(), mv) {
            (None | Some("move"), Some(text)) => ClientRequest::Move(text),
            (None | Some("move"), None) => return Err("the request has no \"move\"".to_owned()),
            (Some("claim"), announced) => ClientRequest::Claim(announced),
            (Some(command), Some(_)) => return Err(format!("{command:?} takes no \"move\"")),
            (Some("give"), None) => match seconds {
                Some(seconds) => ClientRequest::Wish(Intent::Give(Millis::seconds(seconds))),
                None => return Err("\"give\" needs \"seconds\"".to_owned()),
            },
            (Some(command), None) => plain(command, offer, draw.unwrap_or(false))?,
        };
        if offer.is_some()
            && !matches!(
                ask,
                ClientRequest::Wish(Intent::Accept(_) | Intent::Decline(_))
            )
        {
            return Err("only accept and decline take an \"offer\"".to_owned());
        }
        if seconds.is_some() && !matches!(ask, ClientRequest::Wish(Intent::Give(_))) {
            return Err("only give takes \"seconds\"".to_owned());
        }
        if draw.is_some() && !matches!(ask, ClientRequest::Wish(Intent::ClaimAbsence { .. })) {
            return Err("only claim_absence takes \"draw\"".to_owned());
        }
        Ok(ClientMessage { ask, id, seen })
    }

    /// Whether it is a request for information, which anybody may send.
    #[must_use]
    pub const fn is_query(&self) -> bool {
        matches!(
            self.ask,
            ClientRequest::State | ClientRequest::Moves | ClientRequest::Pgn
        )
    }

    /// What the message means, and whose command it is: the named player's, or else that of the player most
    /// likely to send it. A repeat is recognised before its move is parsed, because the board has changed
    /// since.
    ///
    /// # Errors
    /// If its move cannot be read or is illegal, or if it is unclear which offer it means.
    pub fn resolve(
        &self,
        game: &Game,
        by: Option<Color>,
    ) -> Result<ResolvedRequest, RefusalMessage> {
        let known = by.zip(self.id.as_ref());
        if let Some(seq) = known.and_then(|(by, id)| game.first_event_of(by, id)) {
            return Ok(ResolvedRequest::Repeated { seq });
        }
        let wish = match &self.ask {
            ClientRequest::State | ClientRequest::Moves | ClientRequest::Pgn => {
                return Ok(ResolvedRequest::Query);
            }
            ClientRequest::Move(text) => Intent::Move(read_move(game, by, text)?),
            ClientRequest::Claim(None) => Intent::ClaimDraw(None),
            // The announced move does not matter if it is not the player's turn.
            ClientRequest::Claim(_) if by.is_some_and(|by| by != game.turn()) => {
                Intent::ClaimDraw(None)
            }
            ClientRequest::Claim(Some(text)) => Intent::ClaimDraw(Some(read_move(game, by, text)?)),
            ClientRequest::Wish(wish) => *wish,
        };
        let (by, command) = wish.command(game, by)?;
        Ok(ResolvedRequest::Command { by, command })
    }
}

/// Parses a move. If it is not the player's turn or the game is over, that is the refusal.
fn read_move(game: &Game, by: Option<Color>, text: &str) -> Result<UciMove, RefusalMessage> {
    if let Some(ending) = game.ending() {
        return Err(RefusalMessage::from(&Refusal::GameOver(ending)));
    }
    if let Some(who) = by.filter(|&by| by != game.turn()) {
        return Err(RefusalMessage::from(&Refusal::NotYourTurn { who }));
    }
    let position = game.position();
    match game.read_move(text) {
        Ok(mv) => Ok(position.uci(mv)),
        Err(misread) => Err(RefusalMessage::move_input(position, text, &misread)),
    }
}

impl LocalMessage {
    /// Parses a message that may also have a player (`by`) and a time (`at`); the error is a sentence.
    ///
    /// # Errors
    /// If it is not a message.
    pub fn read(text: &str) -> Result<LocalMessage, String> {
        // The position in the line is only useful if the line is not JSON.
        let said = |error: serde_json::Error| match (error.is_data(), error.to_string()) {
            (true, text) => text.split(" at line ").next().unwrap_or(&text).to_owned(),
            (false, text) => text,
        };
        let text = text.trim();
        if !text.starts_with('{') {
            return Ok(LocalMessage {
                asked: ClientMessage::read(text)?,
                by: None,
                at: None,
            });
        }
        let written: RawLocalMessage = serde_json::from_str(text).map_err(said)?;
        let asked = ClientMessage::understand(RawMessage {
            mv: written.mv,
            command: written.command,
            offer: written.offer,
            seconds: written.seconds,
            draw: written.draw,
            id: written.id,
            seen: written.seen,
        })?;
        Ok(LocalMessage {
            asked,
            by: written.by,
            at: written.at,
        })
    }
}

fn plain(command: &str, offer: Option<OfferKind>, draw: bool) -> Result<ClientRequest, String> {
    Ok(match command {
        "draw" => ClientRequest::Wish(Intent::OfferDraw),
        "accept" => ClientRequest::Wish(Intent::Accept(offer)),
        "decline" => ClientRequest::Wish(Intent::Decline(offer)),
        "takeback" => ClientRequest::Wish(Intent::Takeback),
        "resign" => ClientRequest::Wish(Intent::Resign),
        "abort" => ClientRequest::Wish(Intent::Abort),
        "claim_no_show" => ClientRequest::Wish(Intent::ClaimNoShow),
        "claim_absence" => ClientRequest::Wish(Intent::ClaimAbsence { draw }),
        "state" => ClientRequest::State,
        "moves" => ClientRequest::Moves,
        "pgn" => ClientRequest::Pgn,
        _ => {
            let shown: String = command.chars().take(40).collect();
            return Err(format!(
                "{shown:?} is not a command: there are move, draw, accept, decline, claim, takeback, \
                 resign, abort, give, claim_no_show, claim_absence, state, moves and pgn"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_an_object_or_a_bare_move() {
        let asks = |line| ClientMessage::read(line).map(|asked| asked.ask);
        assert_eq!(asks("e2e4"), Ok(ClientRequest::Move("e2e4".to_owned())));
        assert_eq!(
            asks(r#"{"move":"Nf3"}"#),
            Ok(ClientRequest::Move("Nf3".to_owned()))
        );
        assert_eq!(
            asks(r#"{"command":"claim"}"#),
            Ok(ClientRequest::Claim(None))
        );
        assert_eq!(
            asks(r#"{"command":"decline","offer":"takeback"}"#),
            Ok(ClientRequest::Wish(Intent::Decline(Some(
                OfferKind::Takeback
            ))))
        );
        assert_eq!(
            asks(r#"{"command":"give","seconds":15}"#),
            Ok(ClientRequest::Wish(Intent::Give(Millis::seconds(15))))
        );
        let resigns = LocalMessage::read(r#"{"command":"resign","by":"black","at":1500}"#).unwrap();
        assert_eq!(
            (resigns.by, resigns.at),
            (Some(Color::Black), Some(Timestamp(1500)))
        );
    }

    #[test]
    fn a_request_that_comes_again_is_not_read_on_another_board() {
        let mut game = Game::begin(
            crate::Terms::of(touchmove_rules::Variant::Chess),
            crate::Players::default(),
            Timestamp(0),
        );
        let asked = ClientMessage::read(r#"{"move":"e4","id":"m1"}"#).unwrap();
        let Ok(ResolvedRequest::Command { by, command }) = asked.resolve(&game, Some(Color::White))
        else {
            panic!("a command");
        };
        let request = crate::Submission {
            id: asked.id.clone(),
            ..crate::Submission::new(Timestamp(5), by, command)
        };
        assert!(game.submit_full(&request).accepted());
        let again = asked.resolve(&game, Some(Color::White));
        assert_eq!(again, Ok(ResolvedRequest::Repeated { seq: 1 }));
        let denial = asked.resolve(&game, Some(Color::Black)).unwrap_err();
        assert_eq!(denial.reason, "wrong_way", "the id is White's");
    }

    #[test]
    fn only_who_sits_at_the_table_says_who_and_when() {
        for line in [r#"{"move":"e4","by":"white"}"#, r#"{"move":"e4","at":0}"#] {
            let error = ClientMessage::read(line).expect_err(line);
            assert!(error.contains("unknown field"), "{line}: {error}");
            assert!(LocalMessage::read(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn an_unknown_key_is_told_with_every_key_that_there_is() {
        let line = r#"{"mvoe":"e4"}"#;
        let keys = "`move`, `command`, `offer`, `seconds`, `draw`, `id`, `seen`";
        let error = LocalMessage::read(line).expect_err(line);
        assert!(error.ends_with(&format!("{keys}, `by`, `at`")), "{error}");
        let error = ClientMessage::read(line).expect_err(line);
        assert!(error.contains(keys) && !error.contains("`by`"), "{error}");
    }

    #[test]
    fn a_wrong_request_is_told_what_is_wrong() {
        for (line, says) in [
            ("{", "EOF"),
            ("{}", "has no \"move\""),
            (r#"{"move":5}"#, "expected a string"),
            (r#"{"mvoe":"e4"}"#, "unknown field `mvoe`"),
            (r#"{"command":"castle"}"#, "is not a command"),
            (
                r#"{"command":"resign","by":"green"}"#,
                "unknown variant `green`",
            ),
            (r#"{"command":"resign","move":"e4"}"#, "takes no \"move\""),
            (r#"{"command":"accept","offer":"peace"}"#, "is not an offer"),
            (
                r#"{"command":"draw","offer":"draw"}"#,
                "only accept and decline",
            ),
            (r#"{"command":"give"}"#, "needs \"seconds\""),
            (r#"{"move":"e4","seconds":3}"#, "only give takes"),
            (r#"{"move":"e4","draw":true}"#, "only claim_absence takes"),
            (r#"{"move":"e4","id":""}"#, "a command's id is"),
            (r#"{"move":"e4","seen":-1}"#, "expected u64"),
            (r#"{"move":"e4","at":-1}"#, "expected u64"),
            (r#"{"move":"e4","move":"d4"}"#, "duplicate field `move`"),
            ("[1,2]", "a JSON object or a bare move"),
            (r#"["e2e4",null,null,null,null,null,null]"#, "a JSON object"),
            (r#""e2e4""#, "a JSON object or a bare move"),
        ] {
            let error = LocalMessage::read(line).expect_err(line);
            assert!(error.contains(says), "{line}: {error}");
        }
    }
}
