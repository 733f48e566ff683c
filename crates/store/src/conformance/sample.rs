//! Games, people and offers to test with, by number. What they say does not matter.

use crate::{
    Append, Changes, Decision, Digest, Due, GameId, Holder, Kind, Mark, Moment, NewGame, NewLine,
    Offer, OfferId, OfferStatus, Person, PersonId, Player, Room, Seats, Summary,
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

/// A digest of its own for every number.
#[must_use]
pub fn digest(n: u64) -> Digest {
    let mut bytes = [0xa5; 32];
    bytes[..8].copy_from_slice(&n.to_be_bytes());
    Digest(bytes)
}

/// A guest.
#[must_use]
pub fn guest(n: u64) -> Holder {
    Holder::Guest(digest(n))
}

/// Game number `n`, with both seats open; it began `n` milliseconds after the beginning of time.
#[must_use]
pub fn game(n: u64) -> NewGame {
    NewGame {
        id: game_id(n),
        mark: Mark(u128::from(n)),
        created: Moment(n.cast_signed()),
        opening: format!(r#"{{"v":1,"seq":0,"event":"started","number":{n}}}"#),
        summary: Summary {
            public: true,
            last_activity: Moment(n.cast_signed()),
            ..Summary::of("chess", "lobby")
        },
        seats: Seats::default(),
        due: None,
    }
}

/// A game of two people.
#[must_use]
pub fn game_of(n: u64, white: u64, black: u64) -> NewGame {
    let mut game = game(n);
    game.summary.white = Player::person(&format!("person {white}"), person_id(white));
    game.summary.black = Player::person(&format!("person {black}"), person_id(black));
    game.seats = Seats {
        white: Some(Holder::Person(person_id(white))),
        black: Some(Holder::Person(person_id(black))),
    };
    game
}

/// A decision with the events from `first` to `last`.
#[must_use]
pub fn decision(first: u64, last: u64, mark: u128) -> Decision {
    let lines: Vec<_> = (first..=last)
        .map(|number| format!(r#"{{"v":1,"seq":{number},"mark":{mark}}}"#))
        .collect();
    Decision {
        first,
        last,
        mark: Mark(mark),
        text: lines.join("\n"),
    }
}

/// A decision of one event on its way into a game.
#[must_use]
pub fn append(game: GameId, first: u64, mark: u128) -> Append {
    Append {
        game,
        decision: decision(first, first, mark),
        seat: None,
        changes: Changes {
            plies: Some(u32::try_from(first).unwrap_or(u32::MAX)),
            ..Changes::default()
        },
        due: Due::Keep,
    }
}

/// Person number `n`.
#[must_use]
pub fn person(n: u64) -> Person {
    Person {
        id: person_id(n),
        name: format!("Person {n}"),
        skeleton: format!("person{n}"),
        kind: Kind::Human,
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
pub fn line(game: GameId, room: Room, text: &str) -> NewLine {
    NewLine {
        game,
        room,
        at: Moment(7),
        name: "Anna".to_owned(),
        person: None,
        text: text.to_owned(),
    }
}
