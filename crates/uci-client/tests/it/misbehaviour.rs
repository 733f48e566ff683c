//! Engines that misbehave: each way yields an error with a sentence, in time, and leaves no process behind. The engine
//! is a script beside this file.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use touchmove_rules::{AnyPosition, Move, Variant};
use touchmove_uci_client::{
    CommandLine, Error, GoLimits, UciBestMove, UciEngine, UciScore, UciTimeouts,
};

const PATIENCE: UciTimeouts = UciTimeouts {
    ready: Duration::from_millis(1500),
    thinking: Duration::from_millis(400),
    stopping: Duration::from_millis(400),
};

/// Generous timeouts for a loaded machine, where nothing should go wrong.
const CALM: UciTimeouts = UciTimeouts {
    ready: Duration::from_secs(30),
    thinking: Duration::from_secs(30),
    stopping: Duration::from_secs(30),
};

fn fake(how: &str) -> CommandLine {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake.sh");
    CommandLine::of("sh").with(script).with(how)
}

fn start(how: &str, patience: UciTimeouts) -> Result<UciEngine, Error> {
    UciEngine::start(&fake(how), patience)
}

fn first_move(rival: &mut UciEngine) -> Result<UciBestMove, Error> {
    let position = AnyPosition::start(Variant::Chess);
    rival.search(&position, &[], &GoLimits::nodes(100))
}

/// The result of asking for one move.
fn asked(how: &str, patience: UciTimeouts) -> Result<UciBestMove, Error> {
    let mut rival = start(how, patience)?;
    rival.new_game(Variant::Chess)?;
    first_move(&mut rival)
}

fn e4() -> Move {
    AnyPosition::start(Variant::Chess).read_uci("e2e4").unwrap()
}

#[test]
fn an_engine_that_behaves_is_understood() {
    let mut rival = start("behaves", CALM).unwrap();
    assert_eq!(rival.name(), "Fake 1.0");
    assert_eq!(rival.options().len(), 3);
    rival.new_game(Variant::Chess).unwrap();
    let thought = first_move(&mut rival).unwrap();
    assert_eq!(thought.best, e4());
    assert_eq!(thought.judgement, Some(UciScore::Centipawns(31)));
    assert_eq!(thought.nodes, Some(12));
}

#[test]
fn a_program_that_is_not_there_is_said_to_be_missing() {
    let trouble = UciEngine::start(&CommandLine::of("no-such-engine-anywhere"), CALM)
        .err()
        .unwrap();
    assert!(matches!(trouble, Error::NotStarted { .. }) && trouble.is_fatal());
    assert!(trouble.to_string().contains("is it installed"), "{trouble}");
}

#[test]
fn a_program_that_needs_arguments_leaves_and_its_words_are_told() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake.sh");
    let trouble = UciEngine::start(&CommandLine::of("sh").with(script), CALM)
        .err()
        .unwrap();
    let sentence = trouble.to_string();
    assert!(matches!(trouble, Error::Left { .. }), "{sentence}");
    assert!(
        sentence.contains("64") && sentence.contains("usage: fake HOW"),
        "{sentence}"
    );
}

#[test]
fn a_program_that_ends_at_once_is_told_with_its_last_words() {
    let sentence = start("gone", CALM).err().unwrap().to_string();
    assert!(sentence.contains("no licence found"), "{sentence}");
}

#[test]
fn a_program_that_says_nothing_does_not_speak_uci() {
    let began = Instant::now();
    let trouble = start("mute", PATIENCE).err().unwrap();
    assert!(matches!(trouble, Error::NotUci { .. }), "{trouble}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_program_that_reads_nothing_does_not_hold_us_up() {
    assert!(matches!(
        start("deaf", PATIENCE).err(),
        Some(Error::NotUci { .. })
    ));
}

#[test]
fn a_program_that_never_says_uciok_does_not_speak_uci() {
    assert!(matches!(
        start("not-uci", PATIENCE).err(),
        Some(Error::NotUci { .. })
    ));
}

#[test]
fn a_program_that_declares_options_without_end_is_no_engine() {
    for how in ["many-options", "long-options"] {
        let trouble = start(how, CALM).err().unwrap();
        let is_refused = matches!(trouble, Error::TooManyOptions { .. });
        assert!(is_refused && trouble.is_fatal(), "{how}: {trouble}");
        let sentence = trouble.to_string();
        assert!(sentence.contains("512 options"), "{sentence}");
    }
}

#[test]
fn a_program_that_never_stops_talking_is_late() {
    assert!(matches!(
        start("chatters", PATIENCE).err(),
        Some(Error::NotUci { .. })
    ));
}

#[test]
fn a_program_that_closes_its_output_has_left() {
    let trouble = start("closes", PATIENCE).err().unwrap();
    assert!(matches!(trouble, Error::Left { .. }), "{trouble}");
}

#[test]
fn an_engine_that_is_never_ready_is_ended() {
    let trouble = asked("never-ready", PATIENCE).unwrap_err();
    assert!(
        matches!(
            trouble,
            Error::Silent {
                wanted: "readyok",
                ..
            }
        ),
        "{trouble}"
    );
}

#[test]
fn an_engine_that_hangs_is_told_to_stop_and_then_ended() {
    let mut rival = start("hangs", PATIENCE).unwrap();
    let trouble = first_move(&mut rival).unwrap_err();
    assert!(
        matches!(
            trouble,
            Error::Silent {
                wanted: "bestmove",
                ..
            }
        ) && trouble.is_fatal()
    );
    let again = first_move(&mut rival).unwrap_err();
    assert!(again.is_fatal(), "it stays away: {again}");
}

#[test]
fn an_engine_that_waits_for_stop_has_its_move() {
    let thought = asked(
        "waits-for-stop",
        UciTimeouts {
            stopping: CALM.stopping,
            ..PATIENCE
        },
    )
    .unwrap();
    assert_eq!(
        thought.best,
        AnyPosition::start(Variant::Chess).read_uci("d2d4").unwrap()
    );
}

#[test]
fn an_engine_that_ignores_stop_is_ended() {
    assert!(matches!(
        asked("ignores-stop", PATIENCE),
        Err(Error::Silent { .. })
    ));
}

#[test]
fn an_engine_that_does_not_want_to_go_is_made_to() {
    let began = Instant::now();
    assert!(matches!(
        asked("stubborn", PATIENCE),
        Err(Error::Silent { .. })
    ));
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_engine_that_dies_while_it_thinks_has_left() {
    let trouble = asked("dies", CALM).unwrap_err();
    assert!(trouble.to_string().contains("exit status: 7"), "{trouble}");
}

#[test]
fn an_engine_that_crashes_has_left_by_its_signal() {
    let trouble = asked("crashes", CALM).unwrap_err();
    assert!(trouble.to_string().contains("signal"), "{trouble}");
}

#[test]
fn an_engine_that_dies_between_moves_has_left() {
    let trouble = asked("dies-when-asked", CALM).unwrap_err();
    assert!(
        matches!(
            trouble,
            Error::Left {
                wanted: "readyok",
                ..
            }
        ),
        "{trouble}"
    );
}

#[test]
fn an_illegal_move_is_told_and_the_engine_stays() {
    let mut rival = start("illegal", CALM).unwrap();
    let trouble = first_move(&mut rival).unwrap_err();
    assert!(!trouble.is_fatal());
    assert!(trouble.to_string().contains("e2e5"), "{trouble}");
    assert!(matches!(first_move(&mut rival), Err(Error::Illegal { .. })));
}

#[test]
fn what_is_no_move_at_all_is_illegal_too() {
    assert!(matches!(
        asked("junk-move", CALM),
        Err(Error::Illegal { .. })
    ));
}

#[test]
fn none_zeros_and_nothing_are_no_move() {
    for how in ["no-move", "null-move", "nothing"] {
        assert!(
            matches!(asked(how, CALM), Err(Error::NoMove { .. })),
            "{how}"
        );
    }
}

#[test]
fn junk_around_the_move_is_left_aside() {
    assert_eq!(asked("junk", CALM).unwrap().best, e4());
}

#[test]
fn a_last_line_without_its_end_counts() {
    assert_eq!(asked("no-newline", CALM).unwrap().best, e4());
}

#[test]
fn an_engine_that_never_stops_talking_while_it_thinks_is_ended() {
    assert!(matches!(
        asked("chatters-on", PATIENCE),
        Err(Error::Silent { .. })
    ));
}

#[test]
fn a_flood_on_standard_error_blocks_nobody() {
    assert_eq!(asked("floods-errors", CALM).unwrap().best, e4());
}

#[test]
fn a_line_of_megabytes_is_cut() {
    assert_eq!(asked("long-line", CALM).unwrap().best, e4());
}

#[test]
fn bytes_that_are_no_text_are_read_all_the_same() {
    assert_eq!(asked("bytes", CALM).unwrap().best, e4());
}

#[test]
fn a_move_that_was_said_before_the_question_is_no_answer_to_it() {
    assert_eq!(asked("stale", CALM).unwrap().best, e4());
}

#[test]
fn only_declared_options_are_told_and_only_values_that_fit() {
    let mut rival = start("behaves", CALM).unwrap();
    rival.set("skill level", "3").unwrap();
    rival.set("Clear Hash", "").unwrap();
    for (name, value, said) in [
        ("Nonsense", "1", "it has Hash, Skill Level, Clear Hash"),
        ("Hash", "65", "a number from 1 to 64"),
        ("Hash", "lots", "a number from 1 to 64"),
    ] {
        let trouble = rival.set(name, value).unwrap_err();
        assert!(
            trouble.to_string().contains(said) && !trouble.is_fatal(),
            "{trouble}"
        );
    }
    assert!(first_move(&mut rival).is_ok(), "it is still there");
}

#[test]
fn a_variant_that_the_engine_does_not_play_is_refused_before_the_game() {
    let mut rival = start("behaves", CALM).unwrap();
    for variant in [Variant::Atomic, Variant::SimpleAtomic, Variant::Chess960] {
        let trouble = rival.new_game(variant).unwrap_err();
        assert!(trouble.to_string().contains("does not play"), "{trouble}");
    }
    let mut rival = start("variants", CALM).unwrap();
    for variant in Variant::ALL {
        rival.new_game(variant).unwrap();
    }
}

#[test]
fn a_variant_that_the_engine_has_just_learnt_is_played() {
    let mut rival = start("learns", CALM).unwrap();
    assert!(rival.new_game(Variant::Atomic).is_err());
    rival.set("VariantPath", "/variants.ini").unwrap();
    rival.new_game(Variant::Atomic).unwrap();
}

#[test]
fn nobody_is_asked_in_a_finished_game() {
    let mut rival = start("behaves", CALM).unwrap();
    let mated = AnyPosition::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Variant::Chess).unwrap();
    let trouble = rival.search(&mated, &[], &GoLimits::nodes(1)).unwrap_err();
    assert!(matches!(trouble, Error::Finished { .. }));
    assert!(first_move(&mut rival).is_ok());
}

#[test]
fn the_game_is_told_as_uci_tells_it() {
    let heard = folder().join("told.txt");
    let _ = std::fs::remove_file(&heard);
    let line = fake("writes-down").with(heard.to_str().unwrap());
    let mut rival = UciEngine::start(&line, CALM).unwrap();
    let start = AnyPosition::start(Variant::Chess);
    // The fake engine knows no chess: whether its move is legal does not matter here.
    let _ = rival.search(
        &start,
        &[e4()],
        &GoLimits {
            depth: Some(3),
            ..GoLimits::millis(20)
        },
    );
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let ending = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
    rival.search(&ending, &[], &GoLimits::nodes(5)).unwrap();
    drop(rival);
    let told = std::fs::read_to_string(&heard).unwrap();
    let wanted = format!(
        "position startpos moves e2e4\ngo depth 3 movetime 20\nposition fen {fen}\ngo nodes 5\n"
    );
    assert_eq!(told, wanted);
}

#[test]
fn a_game_goes_on_with_a_new_engine_when_the_old_one_is_gone() {
    assert!(asked("dies", CALM).unwrap_err().is_fatal());
    assert!(asked("behaves", CALM).is_ok());
}

/// A folder for the files of these tests.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// The processes whose arguments contain a text, and whether they are zombies.
#[cfg(target_os = "linux")]
fn processes(with: &str) -> Vec<String> {
    let numbers = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = numbers.filter_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let text = String::from_utf8_lossy(&line).replace('\0', " ");
        text.contains(with).then_some(text)
    });
    lines.collect()
}

/// The children of this process that have exited and were not reaped.
#[cfg(target_os = "linux")]
fn zombies() -> usize {
    let own = std::process::id().to_string();
    let is_ours = |path: &Path| {
        let stat = std::fs::read_to_string(path.join("stat")).unwrap_or_default();
        let rest = stat.rsplit(')').next().unwrap_or_default().to_owned();
        let words: Vec<&str> = rest.split_whitespace().collect();
        words.first() == Some(&"Z") && words.get(1) == Some(&own.as_str())
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    all.filter(|entry| is_ours(&entry.path())).count()
}

#[test]
#[cfg(target_os = "linux")]
fn what_an_engine_has_started_goes_with_it_and_no_zombie_stays() {
    let mut rival = start("leaves-child", CALM).unwrap();
    first_move(&mut rival).unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    // A new process shows its own arguments only after a moment.
    while processes("sleep 611").len() != 1 {
        assert!(Instant::now() < until, "{:?}", processes("sleep 611"));
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(rival);
    while !processes("sleep 611").is_empty() || zombies() > 0 {
        // Other tests of this file may have children that are just being reaped.
        assert!(
            Instant::now() < until,
            "{:?}, {} zombies",
            processes("sleep 611"),
            zombies()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
