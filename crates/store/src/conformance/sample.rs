//! Test data by number: games, people and offers. The texts do not matter.

use crate::{
    AppendDecision, ChatRoom, Digest, DueChange, GameChanges, GameId, GameSummary, Holder, Moment,
    NewChatLine, NewGame, Offer, OfferId, OfferStatus, Person, PersonId, PersonKind, PlayerSummary,
    SeatHolders, StoredDecision, WriteId,
};

/// The id of game number `n`.
#[must_use]
pub fn game_id(n: u64) -> GameId {
    format!("{n:08}").parse().unwrap()
}

/// The id of person number `n`.
#[must_use]
pub fn person_id(n: u64) -> PersonId {
    format!("p{n:07}").parse().unwrap()
}

/// The id of offer number `n`.
#[must_use]
pub fn offer_id(n: u64) -> OfferId {
    format!("o{n:07}").parse().unwrap()
}

/// A different digest for each number.
#[must_use]
pub fn digest(n: u64) -> Digest {
    let mut bytes = [0xa5; 32];
    bytes[..8].copy_from_slice(&n.to_be_bytes());
    Digest(bytes)
}

/// A different guest for each number.
#[must_use]
pub fn guest(n: u64) -> Holder {
    Holder::Guest(digest(n))
}

/// Game number `n` with both seats open, created `n` milliseconds after 1970.
#[must_use]
pub fn game(n: u64) -> NewGame {
    NewGame {
        id: game_id(n),
        mark: WriteId(u128::from(n)),
        created: Moment(n.cast_signed()),
        opening: format!(r#"{{"v":1,"seq":0,"event":"started","number":{n}}}"#),
        summary: GameSummary {
            public: true,
            last_activity: Moment(n.cast_signed()),
            ..GameSummary::of("chess", "lobby")
        },
        seats: SeatHolders::default(),
        due: None,
    }
}

/// A game of two people.
#[must_use]
pub fn game_of(n: u64, white: u64, black: u64) -> NewGame {
    let mut game = game(n);
    game.summary.white = PlayerSummary::person(&format!("person {white}"), person_id(white));
    game.summary.black = PlayerSummary::person(&format!("person {black}"), person_id(black));
    game.seats = SeatHolders {
        white: Some(Holder::Person(person_id(white))),
        black: Some(Holder::Person(person_id(black))),
    };
    game
}

/// A decision with the events from `first` to `last`.
#[must_use]
pub fn decision(first: u64, last: u64, mark: u128) -> StoredDecision {
    let lines: Vec<_> = (first..=last)
        .map(|number| format!(r#"{{"v":1,"seq":{number},"mark":{mark}}}"#))
        .collect();
    StoredDecision {
        first,
        last,
        mark: WriteId(mark),
        text: lines.join("\n"),
    }
}

/// Appends a decision of one event.
#[must_use]
pub fn append(game: GameId, first: u64, mark: u128) -> AppendDecision {
    AppendDecision {
        game,
        decision: decision(first, first, mark),
        seat: None,
        changes: GameChanges {
            plies: Some(u32::try_from(first).unwrap_or(u32::MAX)),
            ..GameChanges::default()
        },
        due: DueChange::Keep,
    }
}

/// Person number `n`.
#[must_use]
pub fn person(n: u64) -> Person {
    Person {
        id: person_id(n),
        name: format!("Person {n}"),
        skeleton: format!("person{n}"),
        kind: PersonKind::Human,
        password: None,
        created: Moment(n.cast_signed()),
        disabled: None,
    }
}

/// Open offer number `n` by a guest.
#[must_use]
pub fn seek(n: u64) -> Offer {
    Offer {
        id: offer_id(n),
        by: guest(n),
        name: format!("guest {n}"),
        to: None,
        terms: r#"{"variant":"atomic","time":"3+2"}"#.to_owned(),
        created: Moment(n.cast_signed()),
        expires: None,
        status: OfferStatus::Open,
    }
}

/// A line of chat.
#[must_use]
pub fn line(game: GameId, room: ChatRoom, text: &str) -> NewChatLine {
    NewChatLine {
        game,
        room,
        at: Moment(7),
        name: "Anna".to_owned(),
        person: None,
        text: text.to_owned(),
    }
}
