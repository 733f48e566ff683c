//! What the fold refuses although it trusts the journal, what is missing from a journal that was cut off, and
//! what the audit objects to. Whole games are in `stories`.

use touchmove_game::journal::{self, JournalError};
use touchmove_game::{
    Actor, ArbiterAction, Budget, Command, Conclusion, DrawClaim, Draws, Ending, Event, EventKind,
    Game, LagCompensation, MAX_NAME_CHARS, Millis, Opening, Players, Refusal, ReplayError, Seat,
    Snapshot, Submission, Terms, Timestamp, Victory, move_text, pgn_record, resume,
};
use touchmove_pgn::Document;
use touchmove_rules::{Color, Variant};

const MINUTE: Timestamp = Timestamp(60_000);

/// A game of one minute each, after these moves.
fn after(terms: Terms, moves: &str) -> Game {
    let mut game = Game::begin(terms, Players::default(), Timestamp(0));
    for san in moves.split_whitespace() {
        let attempt = game.position().uci(game.read_move(san).expect(san));
        let at = Timestamp(game.latest().0 + 100);
        let answer = game.submit(at, game.turn(), Command::from(attempt));
        assert!(answer.accepted(), "{san}");
    }
    game
}

fn blitz() -> Terms {
    Terms {
        time: Some("1".parse().expect("a time")),
        ..Terms::of(Variant::Chess)
    }
}

fn event(game: &Game, at: u64, by: Actor, deed: EventKind) -> Event {
    Event {
        seq: game.seq() + 1,
        at: Timestamp(at),
        by,
        id: None,
        deed,
    }
}

fn refused(game: &Game, at: u64, by: Actor, deed: EventKind) -> ReplayError {
    let mut after = game.clone();
    let event = event(game, at, by, deed);
    let impossible = after.evolve(&event).expect_err("it cannot have happened");
    assert_eq!(&after, game, "what is refused changes nothing");
    impossible.misfit
}

#[test]
fn a_journal_that_is_older_than_the_limits_of_offers_is_still_read() {
    let mut game = after(blitz(), "e4 e5");
    let (opening, mut events) = (game.opening().clone(), Vec::new());
    let mut folded = Game::open(opening.clone());
    for (ply, san) in ["e4", "e5"].into_iter().enumerate() {
        let attempt = folded.position().uci(folded.read_move(san).expect(san));
        let at = Timestamp(100 * (ply as u64 + 1));
        let answer = folded.submit(at, folded.turn(), Command::from(attempt));
        events.extend(answer.events);
    }
    for _ in 0..1_000 {
        for (by, deed) in [
            (Actor::White, EventKind::DrawOffered),
            (Actor::Black, EventKind::DrawDeclined),
        ] {
            let event = event(&game, 300, by, deed);
            game.evolve(&event).expect("it has happened");
            events.push(event);
        }
    }
    assert_eq!(game.seq(), 2_002);
    let read = journal::replay(&journal::write(&opening, &events)).expect("a journal");
    assert_eq!(read, game);
    let audit = journal::audit(&opening, &events, Budget::default());
    assert_eq!(audit.objections, []);
    let request = Submission::new(Timestamp(300), Color::White, Command::OfferTakeback);
    let refusal = game.decide(&request).expect_err("one more is too many");
    assert_eq!(refusal.code(), "too_many_offers");
}

#[test]
fn what_is_for_the_arbiter_is_not_for_a_player() {
    let game = after(blitz(), "e4 e5");
    let reason = "tea".to_owned();
    let fell = EventKind::FlagFell {
        player: Color::White,
    };
    for deed in [EventKind::ClocksHeld { reason }, fell] {
        let found = refused(&game, 90_000, Actor::White, deed);
        assert_eq!(found, ReplayError::WrongPlayer);
    }
    let mut held = game;
    let tea = ArbiterAction::Hold {
        reason: "tea".to_owned(),
    };
    held.evolve_all(&held.order(Timestamp(500), &tea).expect("held"));
    let found = refused(&held, 600, Actor::Black, EventKind::ClocksReleased);
    assert_eq!(found, ReplayError::WrongPlayer);
}

#[test]
fn nobody_gives_himself_time_and_nobody_gives_it_after_the_flag() {
    let gift = |to| EventKind::TimeGiven {
        to,
        time: Millis(5_000),
    };
    let mut game = after(blitz(), "e4 e5");
    let found = refused(&game, 300, Actor::White, gift(Color::White));
    assert_eq!(found, ReplayError::WrongPlayer);
    game.evolve_all(&game.tick(Timestamp(100_000)));
    assert_eq!(game.flag(), Some(Color::White));
    for by in [Actor::Arbiter, Actor::Black] {
        let found = refused(&game, 100_000, by, gift(Color::White));
        assert_eq!(found, ReplayError::Stopped);
    }
}

#[test]
fn no_flag_falls_on_a_clock_that_stands() {
    let opening = Opening {
        seats: touchmove_game::Seats {
            white: Seat::taken("Anna"),
            black: Seat::Open,
        },
        ..Opening::of(blitz(), Players::default(), Timestamp(0))
    };
    let fell = EventKind::FlagFell {
        player: Color::White,
    };
    let found = refused(&Game::open(opening), 90_000, Actor::Arbiter, fell);
    assert_eq!(found, ReplayError::NoClocks);
}

#[test]
fn a_game_without_clocks_has_none_to_show() {
    let game = after(Terms::of(Variant::Chess), "");
    let attempt = game.position().uci(game.read_move("e4").expect("a move"));
    for (lag, clock) in [(0, Some(Millis(5))), (7, None)] {
        let moved = EventKind::Moved {
            attempt,
            san: "e4".to_owned(),
            lag: Millis(lag),
            clock,
        };
        assert_eq!(
            refused(&game, 5, Actor::White, moved),
            ReplayError::NoClocks
        );
    }
}

#[test]
fn nobody_has_been_away_since_later() {
    let game = after(blitz(), "e4 e5");
    let since = Timestamp(501);
    let claimed = EventKind::AbsenceClaimed { since };
    assert_eq!(
        refused(&game, 500, Actor::White, claimed),
        ReplayError::Backwards
    );
}

/// A game in which White may claim a draw, with the two events of the claim.
fn claimed() -> (Game, Vec<Event>) {
    let terms = Terms {
        draws: Draws::Claim,
        ..blitz()
    };
    let game = after(terms, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    let claim = Command::ClaimDraw { announced: None };
    let request = Submission::new(Timestamp(900), Color::White, claim);
    let events = game.decide(&request).expect("a right claim").events();
    assert_eq!(events.len(), 2);
    (game, events)
}

#[test]
fn a_claim_that_was_cut_off_from_its_end_is_owed_the_draw() {
    let (game, events) = claimed();
    let mut cut = game;
    cut.evolve_all(&events[..1]);
    assert_eq!((cut.ending(), cut.deadline()), (None, None));
    assert!(cut.claims().is_empty() && cut.tick(Timestamp(900_000)).is_empty());
    let e4 = Command::from(cut.position().uci(cut.read_move("e4").expect("a move")));
    let refusal = cut.clone().submit(MINUTE, Color::White, e4).refusal;
    let draw = Ending::Draw(DrawClaim::ThreefoldRepetition.draw());
    assert_eq!(refusal, Some(Refusal::GameOver(draw)));
    assert_eq!(
        refused(&cut, 950, Actor::White, EventKind::DrawOffered),
        ReplayError::Stopped
    );
    assert_eq!(cut.pending_ending(), events[1..]);
    cut.evolve_all(&cut.pending_ending());
    assert_eq!(cut.ending(), Some(draw));
    assert!(cut.pending_ending().is_empty());
}

#[test]
fn only_the_player_on_move_has_claimed_a_draw() {
    let (game, events) = claimed();
    let found = refused(&game, 900, Actor::Black, events[0].deed.clone());
    assert_eq!(found, ReplayError::WrongPlayer);
}

#[test]
fn a_game_whose_players_sat_down_later_can_be_retold() {
    let mut opening = Opening::of(blitz(), Players::default(), Timestamp(0));
    opening.seats.black = Seat::Open;
    let mut game = Game::open(opening);
    let name = "Ben".to_owned();
    let sits = game.submit(Timestamp(5), Color::Black, Command::Sit { name });
    assert!(sits.accepted());
    let e4 = Command::from(game.position().uci(game.read_move("e4").expect("a move")));
    assert!(game.submit(Timestamp(9), Color::White, e4).accepted());
    let told = journal::replay(&journal::rewrite(&game)).expect("a game");
    assert_eq!(told.players().black, "Ben");
    assert_eq!(told.position(), game.position());
}

#[test]
fn a_snapshot_at_the_end_of_all_numbers_is_no_reason_to_panic() {
    let game = after(blitz(), "e4");
    let text = serde_json::to_string(&Snapshot::of(&game)).expect("JSON");
    let text = text.replacen(r#""seq":1,"#, &format!(r#""seq":{},"#, u64::MAX), 1);
    let snapshot: Snapshot = serde_json::from_str(&text).expect("a snapshot");
    let mut game = snapshot.restore().expect("a game");
    let mut last = event(
        &after(blitz(), ""),
        500,
        Actor::Black,
        EventKind::DrawOffered,
    );
    last.seq = u64::MAX;
    assert!(game.evolve(&last).is_err());
}

#[test]
fn a_snapshot_shows_the_clocks_of_its_game() {
    let game = after(blitz(), "e4 e5");
    let text = serde_json::to_string(&Snapshot::of(&game)).expect("JSON");
    for (from, to) in [
        (r#""turn":"white""#, r#""turn":"black""#),
        (r#""time":"1""#, r#""time":null"#),
        (r#""held":null"#, r#""held":"tea""#),
    ] {
        assert!(text.contains(from), "{from}");
        let changed: Snapshot = serde_json::from_str(&text.replace(from, to)).expect(to);
        let impossible = changed.restore().expect_err(to);
        assert_eq!(impossible.misfit, ReplayError::NoClocks, "{to}");
    }
}

#[test]
fn absence_is_never_claimed_from_the_future() {
    let terms = Terms {
        absence: Some(Millis::ZERO),
        ..blitz()
    };
    let mut game = after(terms, "e4 e5");
    let claim = Command::ClaimAbsence { draw: false };
    let mut request = Submission::new(Timestamp(500), Color::White, claim);
    request.opponent_away = Some(Timestamp(900));
    let answer = game.submit_full(&request);
    let since = Timestamp(500);
    assert_eq!(answer.events[0].deed, EventKind::AbsenceClaimed { since });
}

#[test]
fn a_line_without_a_version_after_one_with_a_version_is_not_guessed_at() {
    let game = after(blitz(), "");
    let old = r#"{"at":5,"event":"draw_offered","by":"white"}"#;
    let text = format!("{}{old}\n", journal::line(game.opening()));
    let torn = journal::replay(&text).expect_err("it has no version");
    assert!(
        torn.to_string().contains("does not say its version"),
        "{torn}"
    );
}

fn objections(game: &Game, events: &[Event]) -> Vec<String> {
    let objections = journal::audit(game.opening(), events, Budget::of_positions(64)).objections;
    objections.iter().map(ToString::to_string).collect()
}

#[test]
fn a_flag_that_fell_too_early_is_objected_to() {
    let game = after(blitz(), "");
    let player = Color::White;
    let fell = event(
        &game,
        59_999,
        Actor::Arbiter,
        EventKind::FlagFell { player },
    );
    let ending = Ending::Win {
        winner: Color::Black,
        by: Victory::FlagFall,
    };
    let ended = EventKind::Ended(Conclusion::new(ending, "White's time has run out."));
    let mut ended = event(&game, 59_999, Actor::Arbiter, ended);
    ended.seq = 2;
    let found = objections(&game, &[fell, ended]);
    assert_eq!(found, ["event 1: White had time left"]);
}

#[test]
fn more_given_back_for_the_way_than_the_terms_allow_is_objected_to() {
    let terms = Terms {
        lag: LagCompensation {
            per_move: Millis(100),
            per_game: Millis(100),
        },
        ..blitz()
    };
    let game = after(terms, "");
    let e4 = game.position().uci(game.read_move("e4").expect("a move"));
    let mut request = Submission::new(Timestamp(1_000), Color::White, Command::from(e4));
    request.lag = Millis(100);
    let mut events = game.decide(&request).expect("granted").events();
    assert!(objections(&game, &events).is_empty());
    if let EventKind::Moved { lag, .. } = &mut events[0].deed {
        *lag = Millis(900);
    }
    assert_eq!(objections(&game, &events).len(), 1);
}

#[test]
fn an_opening_names_both_seats() {
    let game = after(blitz(), "");
    let text = journal::line(game.opening()).replace(r#""black":"","#, "");
    let torn: JournalError = journal::replay(&text).expect_err("a seat is missing");
    assert!(
        torn.to_string().ends_with("missing field `black`"),
        "{torn}"
    );
}

#[test]
fn a_record_has_every_move_whatever_a_journal_called_it() {
    let game = after(blitz(), "e4 e5 Nf3");
    let text = journal::rewrite(&game).replace(r#""san":"e5""#, r#""san":"the king's pawn""#);
    let told = journal::replay(&text).expect("a game");
    let pgn = pgn_record::document(&told).to_string();
    assert!(pgn.contains("e5") && pgn.contains("Nf3"), "{pgn}");
}

#[test]
fn a_record_whose_clock_shows_nothing_but_seconds_is_played_on() {
    for tag in ["10", "10d2", "10b2", "10+2"] {
        let pgn = format!("[TimeControl \"{tag}\"]\n\n1. e4 {{[%clk 0:00:00]}} e5 *");
        let document = &Document::read_all(pgn.as_bytes())[0];
        let game = resume(document, &Terms::of(Variant::Chess));
        let game = game.unwrap_or_else(|error| panic!("{tag}: {error}"));
        assert_eq!(game.plies().len(), 2, "{tag}");
    }
}

#[test]
fn a_name_in_a_journal_is_no_longer_than_one_may_be() {
    let name = "n".repeat(MAX_NAME_CHARS);
    assert_eq!(Seat::from(Some(name.clone())).name(), name);
    let long = Seat::from(Some(name.repeat(1_000)));
    assert!(long.name().chars().count() <= MAX_NAME_CHARS);
}

#[test]
fn a_journal_tells_the_game_that_was_played_whatever_the_players_are_called() {
    let long = "Anna ".repeat(300);
    let marked = format!("a{}", "\u{301}".repeat(20));
    for name in [&long, "An\tna\n", "Ann\u{202e}a", &marked] {
        let players = Players {
            white: name.to_owned(),
            black: "Ben".to_owned(),
        };
        let game = Game::begin(blitz(), players, Timestamp(0));
        let told = journal::replay(&journal::rewrite(&game));
        assert_eq!(told, Ok(game), "{name:?}");
    }
    let mut opening = Opening::of(blitz(), Players::default(), Timestamp(0));
    opening.seats.white = Seat::Open;
    let mut game = Game::open(opening.clone());
    let sit = Command::Sit { name: marked };
    let events = game.submit(MINUTE, Color::White, sit).events;
    let told = journal::read(&journal::write(&opening, &events)).expect("a journal");
    assert_eq!((told.game, told.events), (game, events));
}

#[test]
fn a_name_is_all_to_be_seen() {
    for name in ["Anna\u{202e}neB", "\u{200b}", "An\u{7}na", "\u{feff}Anna"] {
        let mut opening = Opening::of(blitz(), Players::default(), Timestamp(0));
        opening.seats.white = Seat::Open;
        let name = name.to_owned();
        let answer = Game::open(opening).submit(MINUTE, Color::White, Command::Sit { name });
        assert_eq!(answer.refusal, Some(Refusal::BadName));
    }
}

#[test]
fn a_game_taken_up_again_has_the_players_of_its_record() {
    let pgn = b"[White \"Anna\"]\n[Black \"?\"]\n\n1. e4 *";
    let document = &Document::read_all(pgn)[0];
    let game = resume(document, &Terms::of(Variant::Chess)).expect("it can be played on");
    assert_eq!(game.seats()[Color::White].name(), "Anna");
    assert_eq!(move_text::name(&game, Color::White), "Anna");
    assert_eq!(game.seats()[Color::Black].name(), "");
    assert_eq!(move_text::name(&game, Color::Black), "Black");
}
