//! Sessions with `touchmove uci`, as chess interfaces have them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use touchmove_rules::{AnyPosition, Variant};

/// A running engine.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn new() -> Session {
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Session {
            child,
            input,
            output,
        }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// All lines up to the first with this prefix.
    fn read_to(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let count = self.output.read_line(&mut line).unwrap();
            assert!(count > 0, "the engine left before {start:?}: {lines:?}");
            lines.push(line.trim_end().to_owned());
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    /// The best move, and all lines up to it.
    fn best(&mut self) -> (String, Vec<String>) {
        let lines = self.read_to("bestmove");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        (best, lines)
    }

    /// Ends the input; returns whether the engine exited with success.
    fn leave(mut self) -> bool {
        drop(self.input.take());
        self.child.wait().unwrap().success()
    }
}

#[test]
fn it_introduces_itself_with_its_options() {
    let mut session = Session::new();
    session.send("uci");
    let lines = session.read_to("uciok");
    assert!(lines[0].starts_with("id name touchmove"));
    for option in ["Hash", "Threads", "MultiPV", "UCI_Chess960", "UCI_Variant"] {
        let start = format!("option name {option} type");
        assert!(
            lines.iter().any(|line| line.starts_with(&start)),
            "{option}"
        );
    }
    session.send("isready");
    assert_eq!(session.read_to("readyok").len(), 1);
    session.send("quit");
    assert!(session.leave());
}

#[test]
fn a_search_to_a_depth_tells_every_iteration_and_its_best_move() {
    let mut session = Session::new();
    session.send("position startpos moves e2e4 e7e5");
    session.send("go depth 6");
    let (best, lines) = session.best();
    let position = AnyPosition::start(Variant::Chess);
    let position = position.after(position.read_uci("e2e4").unwrap());
    let position = position.after(position.read_uci("e7e5").unwrap());
    assert!(position.read_uci(&best).is_ok());
    for depth in 1..=6 {
        let start = format!("info depth {depth} ");
        let line = lines.iter().find(|line| line.starts_with(&start)).unwrap();
        for word in [
            "seldepth",
            "multipv 1",
            "score cp",
            "nodes",
            "nps",
            "hashfull",
            "time",
            "pv",
        ] {
            assert!(line.contains(&format!(" {word} ")), "{word} in {line}");
        }
    }
    assert!(session.leave());
}

#[test]
fn stop_ends_an_endless_search_and_not_before_is_a_move_told() {
    let mut session = Session::new();
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    session.send("go infinite");
    session.read_to("info depth 5 ");
    session.send("isready");
    let lines = session.read_to("readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")));
    session.send("stop");
    assert_eq!(session.best().0, "a1a8");
    assert!(session.leave());
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let mut session = Session::new();
    session.send("position startpos moves e2e4 e7e5");
    session.send("go ponder depth 3");
    session.read_to("info depth 3 ");
    session.send("isready");
    let lines = session.read_to("readyok");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")));
    session.send("ponderhit");
    session.best();
    session.send("go ponder wtime 1000 btime 1000");
    session.send("stop");
    session.best();
    assert!(session.leave());
}

#[test]
fn mates_are_told_in_moves() {
    let mut session = Session::new();
    session.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    session.send("go mate 1");
    let (best, lines) = session.best();
    assert_eq!(best, "a1a8");
    assert!(lines.iter().any(|line| line.contains("score mate 1 ")));
    session.send("position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    session.send("go depth 3");
    assert_eq!(session.best().0, "(none)");
    assert!(session.leave());
}

#[test]
fn atomic_and_simple_atomic_are_played_by_their_rules() {
    let mut session = Session::new();
    session.send("setoption name UCI_Variant value atomic");
    session.send("position fen 4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1");
    session.send("go depth 3");
    assert_eq!(session.best().0, "d1d7");
    session.send("setoption name UCI_Variant value simple-atomic");
    session.send("position fen 4k3/8/8/8/8/8/8/4RK2 w - - 0 1");
    session.send("go nodes 500");
    assert_eq!(session.best().0, "e1e8", "a king may be taken");
    session.send("setoption name UCI_Variant value standard");
    session.send("position startpos");
    session.send("go nodes 100");
    session.best();
    assert!(session.leave());
}

#[test]
fn castling_is_written_as_the_option_asks() {
    let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut session = Session::new();
    session.send(fen);
    session.send("go depth 1 searchmoves e1g1");
    assert_eq!(session.best().0, "e1g1");
    session.send("setoption name UCI_Chess960 value true");
    session.send(fen);
    session.send("go depth 1 searchmoves e1h1");
    assert_eq!(session.best().0, "e1h1");
    assert!(session.leave());
}

#[test]
fn several_lines_are_told_when_asked_for() {
    let mut session = Session::new();
    session.send("setoption name MultiPV value 3");
    session.send("go depth 4");
    let (_, lines) = session.best();
    for index in 1..=3 {
        let part = format!(" multipv {index} ");
        assert!(lines.iter().any(|line| line.contains(&part)));
    }
    assert!(session.leave());
}

#[test]
fn a_clock_is_kept() {
    let mut session = Session::new();
    for limits in [
        "movetime 60",
        "wtime 300 btime 300",
        "wtime 100 btime 100 winc 10 binc 10 movestogo 1",
        "wtime 0 btime 0",
        "wtime -40 btime -40",
    ] {
        session.send(&format!("go {limits}"));
        session.best();
    }
    assert!(session.leave());
}

#[test]
fn nonsense_is_answered_in_words_and_survived() {
    let mut session = Session::new();
    for line in [
        "xyzzy",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos e2e4",
        "position startpos moves e2e4 \u{1f600}",
        "setoption",
        "setoption name",
        "setoption name Hash value 0",
        "setoption name Hash value lots",
        "setoption name No Such Option value 3",
        "setoption name UCI_Variant value bughouse",
        "setoption name Threads value 99",
        "ponderhit",
        "go depth",
        "go searchmoves e2e5 depth 1",
        "go nodes 18446744073709551616 depth 1",
    ] {
        session.send(line);
        session.read_to("info string ");
    }
    session.send("stop");
    session.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -");
    session.send("isready");
    session.read_to("readyok");
    session.send("go depth 2");
    session.best();
    assert!(session.leave());
}

#[test]
fn options_wait_while_a_search_is_under_way() {
    let mut session = Session::new();
    session.send("go infinite");
    session.send("setoption name Hash value 32");
    let lines = session.read_to("info string ");
    assert!(lines.last().unwrap().contains("stop"));
    session.send("stop");
    session.best();
    session.send("setoption name Hash value 32");
    session.send("ucinewgame");
    session.send("go depth 3");
    session.best();
    assert!(session.leave());
}

#[test]
fn what_comes_during_a_search_with_a_limit_is_done_after_it() {
    let mut session = Session::new();
    session.send("go depth 6");
    session.send("setoption name UCI_Variant value atomic");
    session.send("ucinewgame");
    session.send("position startpos moves e2e4 d7d5 e4d5 g8f6");
    session.send("go depth 4");
    session.send("setoption name MultiPV value 2");
    session.send("d");
    let (_, first) = session.best();
    assert!(first.iter().any(|line| line.starts_with("info depth 6 ")));
    let (_, second) = session.best();
    assert!(second.iter().any(|line| line.starts_with("info depth 4 ")));
    let shown = session.read_to("info string variant").pop().unwrap();
    assert_eq!(shown, "info string variant atomic");
    session.send("go depth 1");
    let (_, lines) = session.best();
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")));
    assert!(session.leave());
}

#[test]
fn a_search_without_a_limit_ends_with_the_input() {
    for go in ["go", "go searchmoves e2e4", "go infinite", "go btime 1000"] {
        let mut session = Session::new();
        session.send(go);
        drop(session.input.take());
        assert_ne!(session.best().0, "(none)", "{go}");
        assert!(session.leave());
    }
}

#[test]
fn a_game_that_is_over_has_a_score_and_no_move() {
    let mut session = Session::new();
    for (moves, score) in [
        ("startpos moves f2f3 e7e5 g2g4 d8h4", "mate 0"),
        ("fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        session.send(&format!("position {moves}"));
        session.send("go depth 3");
        let (best, lines) = session.best();
        assert_eq!(best, "(none)");
        assert_eq!(lines[0], format!("info depth 0 score {score}"));
    }
    assert!(session.leave());
}

#[test]
fn a_search_with_a_limit_is_finished_when_the_input_ends() {
    let mut session = Session::new();
    session.send("go depth 5");
    drop(session.input.take());
    assert_ne!(session.best().0, "(none)");
    assert!(session.leave());
}

#[test]
fn what_is_asked_as_soon_as_the_move_is_told_is_done() {
    let mut session = Session::new();
    for round in 0..200 {
        let variant = ["atomic", "chess"][round % 2];
        session.send(&format!("setoption name UCI_Variant value {variant}"));
        session.send("go depth 1");
        let (_, lines) = session.best();
        assert!(
            !lines.iter().any(|line| line.starts_with("info string")),
            "{lines:?}"
        );
    }
    assert!(session.leave());
}
