//! A hundred thousand random commands against the state machine: whatever two players do, the game
//! stays a game. The seeds are fixed, and named when something fails.

use touchmove_game::journal::{self, Record};
use touchmove_game::{
    Answer, Command, DeadLaw, Draws, Event, FlagLaw, Game, Millis, Pace, Players, Terms,
    TimeControl, Timestamp,
};
use touchmove_rules::{AnyPosition, Attempt, Color, Role, Square, Variant};

/// Numbers that look random and are the same every time.
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
        ..Terms::of(dice.pick(&Variant::ALL))
    }
}

fn attempt(dice: &mut Dice, position: &AnyPosition) -> Attempt {
    let legal = position.legal_moves();
    if dice.roll(10) > 0 && !legal.is_empty() {
        return position.uci(dice.pick(&legal));
    }
    let squares: Vec<Square> = Square::all().collect();
    let plain = Attempt::new(dice.pick(&squares), dice.pick(&squares));
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
        _ => Command::Move(attempt(dice, game.position())),
    }
}

/// The most that one press of the clock can add: a move's bonus and a stage's time.
fn largest_gain(control: &TimeControl) -> Millis {
    let gains = control.stages().map(|stage| {
        let bonus = match stage.pace {
            Pace::Increment(time) => time,
            Pace::Plain | Pace::Delay(_) | Pace::Bronstein(_) => Millis::ZERO,
        };
        stage.base + bonus
    });
    gains.max().unwrap_or_default()
}

/// What must hold after any command, whatever came of it.
fn check(before: &Game, after: &Game, now: Timestamp, answer: &Answer) {
    if before.ending().is_some() {
        assert_eq!(before, after, "over is over");
        assert!(!answer.accepted() && answer.events.is_empty());
    }
    if !answer.accepted() && answer.events.is_empty() {
        assert_eq!(before, after, "a refusal changes nothing");
    }
    assert!(
        !(answer.accepted() && answer.events.is_empty()),
        "what is granted happens"
    );
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
    if after.ending().is_none() {
        assert!(
            after.position().count() > 0,
            "the game goes on without a move: {fen}"
        );
        assert!(after.repetitions() < 5);
    }
    if let Some(control) = &before.terms().time {
        let takes_back = after.plies().len() < before.plies().len();
        for player in Color::ALL.into_iter().filter(|_| !takes_back) {
            let was = before.time_left(player, now).unwrap();
            let is = after.time_left(player, now).unwrap();
            assert!(
                is <= was + largest_gain(control),
                "{player} gained: {was} to {is}"
            );
            if player != before.turn() {
                assert_eq!(was, is, "the clock of the player off move stands");
            }
        }
    }
}

/// Plays one game with at most this many commands; returns how many there were.
fn play(dice: &mut Dice, most: u64) -> u64 {
    let start = Game::begin(terms(dice), Players::default(), Timestamp(dice.roll(1000)));
    let mut game = start.clone();
    let mut now = game.started();
    let mut events: Vec<Event> = Vec::new();
    let mut journal = Record::opening(&game).line();
    let (mut commands, mut refused_after_the_end) = (0, 0);
    while commands < most && refused_after_the_end < 3 {
        now = Timestamp((now.0 + dice.roll(600)).saturating_sub(dice.roll(20)));
        let who = if dice.roll(6) == 0 {
            !game.turn()
        } else {
            game.turn()
        };
        let command = command(dice, &game);
        let before = game.clone();
        let answer = game.submit(now, who, command);
        check(&before, &game, now, &answer);
        commands += 1;
        refused_after_the_end += u64::from(before.ending().is_some());
        let mut told = before;
        for event in &answer.events {
            journal += &Record::of(&told, event).line();
            told.evolve(event);
        }
        events.extend(answer.events);
    }
    let mut folded = start;
    events.iter().for_each(|event| folded.evolve(event));
    assert_eq!(folded, game, "a game is the fold of its events");
    let replayed = journal::replay(&journal).unwrap_or_else(|torn| panic!("{torn}\n{journal}"));
    assert_eq!(replayed, game, "the journal tells the game");
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
