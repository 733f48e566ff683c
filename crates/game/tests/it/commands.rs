//! A hundred thousand random commands against the state machine: its invariants hold whatever two players do.
//! The seeds are fixed and printed on failure.

use touchmove_game::journal;
use touchmove_game::{
    ArbiterAction, Budget, ClockStart, Command, DeadLaw, Draws, EventKind, FlagLaw, Game,
    LagCompensation, MAX_OFFERS_PER_GAME, Millis, MoveBonus, Opening, Players, Seat, Snapshot,
    Submission, SubmitResult, Terms, TimeControl, Timestamp,
};
use touchmove_rules::{AnyPosition, Color, Role, Square, UciMove, Variant};

/// A pseudorandom number generator.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len() as u64) as usize].clone()
    }
}

fn terms(dice: &mut Dice) -> Terms {
    let controls = [
        "none",
        "0:05+1",
        "0:05d2",
        "0:05b2",
        "3/0:04+1,0:02",
        "1/0:03",
        "0d1",
        "1d",
        "0:05+1 v 0:03",
    ];
    Terms {
        draws: dice.pick(Draws::ALL),
        flag: dice.pick(FlagLaw::ALL),
        dead: match dice.roll(20) {
            0 => DeadLaw::Exact,
            _ => dice.pick(&[DeadLaw::Material, DeadLaw::Off]),
        },
        time: dice.pick(&controls).parse().ok(),
        takebacks: dice.roll(4) > 0,
        gifts: dice.roll(4) > 0,
        clock_start: dice.pick(ClockStart::ALL),
        lag: dice.pick(&[
            LagCompensation::NO_COMPENSATION,
            LagCompensation {
                per_move: Millis(200),
                per_game: Millis(500),
            },
        ]),
        no_show: dice.pick(&[None, Some(Millis(900))]),
        absence: dice.pick(&[None, Some(Millis(700))]),
        ..Terms::of(dice.pick(&Variant::ALL))
    }
}

fn attempt(dice: &mut Dice, position: &AnyPosition) -> UciMove {
    let legal = position.legal_moves();
    if dice.roll(10) > 0 && !legal.is_empty() {
        return position.uci(dice.pick(&legal));
    }
    let squares: Vec<Square> = Square::all().collect();
    let plain = UciMove::new(dice.pick(&squares), dice.pick(&squares));
    match dice.roll(3) {
        0 => plain.promoting(dice.pick(&Role::ALL)),
        _ => plain,
    }
}

fn command(dice: &mut Dice, game: &Game) -> Command {
    match dice.roll(40) {
        0 => Command::OfferDraw,
        1 if dice.roll(8) == 0 => Command::AcceptDraw,
        2 => Command::DeclineDraw,
        3 => Command::ClaimDraw { announced: None },
        4 => Command::ClaimDraw {
            announced: Some(attempt(dice, game.position())),
        },
        5 if dice.roll(20) == 0 => Command::Resign,
        6..10 => Command::OfferTakeback,
        10..13 => Command::AcceptTakeback,
        13 => Command::DeclineTakeback,
        14 if dice.roll(8) == 0 => Command::Abort,
        15 => Command::GiveTime {
            time: Millis(dice.roll(3_000)),
        },
        16 => Command::ClaimNoShow,
        17 if dice.roll(8) == 0 => Command::ClaimAbsence {
            draw: dice.roll(2) == 0,
        },
        18 | 19 => Command::Sit {
            name: "Cleo".to_owned(),
        },
        _ => Command::from(attempt(dice, game.position())),
    }
}

/// Maximum time that one press of the clock can add: an increment and the time of a stage.
fn largest_gain(control: &TimeControl) -> Millis {
    let gains = control.stages().map(|stage| {
        let bonus = match stage.pace {
            MoveBonus::Increment(time) => time,
            MoveBonus::Plain
            | MoveBonus::Delay(_)
            | MoveBonus::Bronstein(_)
            | MoveBonus::Afresh => Millis::ZERO,
        };
        stage.base + bonus
    });
    gains.max().unwrap_or_default()
}

/// Checks the invariants after a command, granted or not.
fn check(before: &Game, after: &Game, now: Timestamp, answer: &SubmitResult) {
    if before.ending().is_some() {
        assert_eq!(before, after, "over is over");
        assert!(answer.events.is_empty());
    }
    if !answer.accepted() && answer.events.is_empty() {
        assert_eq!(before, after, "a refusal changes nothing");
    }
    if answer.accepted() && answer.events.is_empty() {
        assert_eq!(
            before, after,
            "what is granted happens, or has happened before"
        );
    }
    assert!(
        answer
            .events
            .iter()
            .all(|event| event.at <= now.max(before.latest()))
    );
    let fen = after.position().fen().to_string();
    let again = AnyPosition::from_fen(&fen, after.terms().variant());
    assert_eq!(
        again.as_ref().ok(),
        Some(after.position()),
        "an illegal position: {fen}"
    );
    if after.ending().is_none() && after.flag().is_none() {
        assert!(
            after.position().legal_move_count() > 0,
            "the game goes on without a move: {fen}"
        );
        assert!(after.repetitions() < 5);
    }
    let given = answer
        .events
        .iter()
        .any(|event| matches!(event.deed, EventKind::TimeGiven { .. }));
    if let Some(times) = before.terms().time.as_ref().filter(|_| !given) {
        let takes_back = after.plies().len() < before.plies().len();
        for player in Color::ALL.into_iter().filter(|_| !takes_back) {
            let was = before.time_left(player, now).unwrap();
            let is = after.time_left(player, now).unwrap();
            assert!(
                is <= was + largest_gain(&times[player]) + before.terms().lag.per_move,
                "{player} gained: {was} to {is}"
            );
            if player != before.turn() {
                assert_eq!(was, is, "the clock of the player off move stands");
            }
        }
    }
}

/// A game in which some seats are open.
fn opening(dice: &mut Dice) -> Opening {
    let mut opening = Opening::of(terms(dice), Players::default(), Timestamp(dice.roll(1000)));
    for color in Color::ALL {
        if dice.roll(6) == 0 {
            opening.seats[color] = Seat::Open;
        }
    }
    opening
}

/// A random action of the arbiter.
fn order(dice: &mut Dice, game: &Game) -> ArbiterAction {
    let reason = "it was so".to_owned();
    match (game.held(), dice.roll(40)) {
        (Some(_), _) => ArbiterAction::Release,
        (None, 0) => ArbiterAction::Abort { reason },
        (None, 1) => ArbiterAction::Forfeit {
            player: game.turn(),
            reason,
        },
        (None, 2..10) => ArbiterAction::GiveTime {
            to: game.turn(),
            time: Millis(dice.roll(2_000)),
        },
        (None, _) => ArbiterAction::Hold { reason },
    }
}

fn request(dice: &mut Dice, game: &Game, now: Timestamp) -> Submission {
    let by = if dice.roll(6) == 0 {
        !game.turn()
    } else {
        game.turn()
    };
    let mut request = Submission::new(now, by, command(dice, game));
    if dice.roll(3) == 0 {
        request.id = format!("c{}", dice.roll(200)).parse().ok();
    }
    if dice.roll(3) == 0 {
        request.seen = Some((game.seq() + 1).saturating_sub(dice.roll(4)));
    }
    request.lag = Millis(dice.roll(400));
    request.opponent_away = (dice.roll(2) == 0).then(|| Timestamp(now.0.saturating_sub(800)));
    request
}

/// Plays one game with at most this many commands; returns their number.
fn play(dice: &mut Dice, most: u64) -> u64 {
    let opening = opening(dice);
    let patience = touchmove_game::position_status::MOVE_ANALYSIS_BUDGET;
    let (mut game, mut events) = Game::start(opening.clone(), patience);
    let mut now = game.started();
    let (mut commands, mut refused_after_the_end) = (0, 0);
    while commands < most && refused_after_the_end < 3 {
        now = Timestamp((now.0 + dice.roll(600)).saturating_sub(dice.roll(20)));
        let before = game.clone();
        let answer = if dice.roll(12) == 0 {
            let ordered = game.order(now, &order(dice, &game));
            let (events, refusal) = match ordered {
                Ok(events) => (events, None),
                Err(refusal) => (game.tick(now), Some(refusal)),
            };
            game.evolve_all(&events);
            SubmitResult { events, refusal }
        } else {
            let request = request(dice, &game, now);
            game.submit_full(&request)
        };
        check(&before, &game, now, &answer);
        commands += 1;
        refused_after_the_end += u64::from(before.ending().is_some());
        events.extend(answer.events);
        if game.flag().is_some() && game.ending().is_none() && dice.roll(3) > 0 {
            let question = game
                .pending_analysis()
                .expect("a fallen flag is a question");
            let means = game.conclude(now, &question.answer(Budget::of_positions(64)));
            assert_eq!(means.len(), 1, "what a fallen flag means ends the game");
            game.evolve_all(&means);
            events.extend(means);
        }
    }
    let mut folded = Game::open(opening.clone());
    folded.evolve_all(&events);
    assert_eq!(folded, game, "a game is the fold of its events");
    let journal = journal::write(&opening, &events);
    let replayed = journal::replay(&journal).unwrap_or_else(|torn| panic!("{torn}\n{journal}"));
    assert_eq!(replayed, game, "the journal tells the game");
    let snapshot = serde_json::to_string(&Snapshot::of(&game)).expect("it is written");
    let snapshot: Snapshot = serde_json::from_str(&snapshot).expect("it is read");
    assert_eq!(snapshot.restore(), Ok(game), "the snapshot shows the game");
    let exact = opening.terms.dead == DeadLaw::Exact;
    let objections = match exact {
        true => Vec::new(),
        false => journal::audit(&opening, &events, Budget::of_positions(64)).objections,
    };
    assert_eq!(objections, [], "today's laws decide as they did\n{journal}");
    commands
}

#[test]
fn a_hundred_thousand_random_commands_leave_every_game_a_game() {
    let mut left = 100_000;
    for seed in 0.. {
        let played = std::panic::catch_unwind(|| play(&mut Dice(seed), left.min(400)));
        left -= played.unwrap_or_else(|_| panic!("the game of seed {seed} went wrong"));
        if left == 0 {
            break;
        }
    }
}

/// The journal of two players who repeat everything they can at every ply of these moves: its number of
/// events, and the plies of the game.
fn repeated_journal(moves: &[&str]) -> (u64, usize) {
    let terms = Terms {
        time: "60".parse().ok(),
        draws: Draws::Claim,
        ..Terms::of(Variant::Chess)
    };
    let mut game = Game::begin(terms, Players::default(), Timestamp(0));
    let nuisances = [
        Command::OfferDraw,
        Command::DeclineDraw,
        Command::OfferTakeback,
        Command::DeclineTakeback,
        Command::GiveTime {
            time: Millis(1_000),
        },
        Command::ClaimNoShow,
        Command::ClaimAbsence { draw: false },
        Command::Sit {
            name: "Cleo".to_owned(),
        },
    ];
    let mut submit = |by: Color, command: &Command| {
        let answer = game.submit(Timestamp(1), by, command.clone());
        (answer.accepted(), game.seq(), game.plies().len())
    };
    for (uci, mover) in moves.iter().zip(Color::ALL.into_iter().cycle()) {
        let mv = Command::from(uci.parse::<UciMove>().expect("a move"));
        for _ in 0..30 {
            for by in Color::ALL {
                for command in &nuisances {
                    submit(by, command);
                    submit(!by, &Command::DeclineDraw);
                    submit(!by, &Command::DeclineTakeback);
                }
            }
        }
        submit(mover, &mv);
        for _ in 0..30 {
            if submit(mover, &Command::OfferTakeback).0 {
                submit(!mover, &Command::AcceptTakeback);
                submit(mover, &mv);
            }
        }
    }
    let (_, seq, plies) = submit(Color::White, &Command::DeclineDraw);
    (seq, plies)
}

#[test]
fn players_who_repeat_themselves_cannot_make_a_journal_grow_for_ever() {
    let (seq, _) = repeated_journal(&["e2e4"]);
    assert!(seq < 300, "{seq} events of one ply");
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(3);
    let pawns = [
        "a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6",
    ];
    let game: Vec<&str> = pawns
        .chunks(2)
        .flat_map(|pair| shuffle.iter().chain(pair))
        .copied()
        .collect();
    let (seq, plies) = repeated_journal(&game);
    assert_eq!(plies, game.len(), "moves are never refused for it");
    let most = plies as u64 + 2 * 4 * u64::from(MAX_OFFERS_PER_GAME);
    assert!(seq <= most, "{seq} events, {most} at most");
}

/// The fast path for UCI moves gives the same answer as the tolerant parser and the law book.
#[test]
fn moves_of_programs_are_read_and_judged_as_everybody_elses() {
    let mut dice = Dice(7);
    let letters: Vec<char> = "abcdefgh12345678qrbnkpB=- ".chars().collect();
    for game_number in 0..40 {
        let variant = Variant::ALL[game_number % Variant::ALL.len()];
        let mut game = Game::begin(Terms::of(variant), Players::default(), Timestamp(0));
        for ply in 0..80 {
            let position = *game.position();
            let moves = position.legal_moves();
            if game.ending().is_some() || moves.is_empty() {
                break;
            }
            let mut texts: Vec<String> = (0..8)
                .map(|_| (0..4 + dice.roll(2)).map(|_| dice.pick(&letters)).collect())
                .collect();
            texts.extend(moves.iter().map(|&mv| position.uci(mv).to_string()));
            for text in &texts {
                let patiently = position.read_input_after(&game.moves_played(), text);
                assert_eq!(
                    game.read_move(text),
                    patiently,
                    "{text} in {}",
                    position.fen()
                );
                let Ok(attempt) = text.parse::<UciMove>() else {
                    continue;
                };
                let judged = position.judge_after(&game.moves_played(), attempt).is_ok();
                let request = Submission::new(Timestamp(ply), game.turn(), Command::from(attempt));
                assert_eq!(game.decide(&request).is_ok(), judged, "{attempt}");
            }
            let mv = dice.pick(&moves[..]);
            let played = Command::from(position.uci(mv));
            let answer = game.submit(Timestamp(ply), game.turn(), played);
            assert!(!answer.events.is_empty(), "{mv:?} in {}", position.fen());
        }
    }
}
