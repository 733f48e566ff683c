//! `join` and `host --at` against a hostile server: it must not control the terminal, get the token of another
//! server, hang the program or fill its memory.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::hostile_input::{
    self, NASTY, assert_harmless, assert_no_foreign_sequence, nasty_json,
};
use crate::support::hostile_server::{Answer, HostileServer, Talk, respond, say};
use crate::support::program::{self, run_with};
use crate::support::pty::{Home, Window};

/// The journal of a game whose players have hostile names.
fn journal() -> String {
    let players = touchmove_game::Players {
        white: "WNAME".to_owned(),
        black: "BNAME".to_owned(),
    };
    let terms = touchmove_game::Terms::of(touchmove_rules::Variant::Chess);
    let opening = touchmove_game::Opening::of(terms, players, touchmove_game::Timestamp(0));
    let text = touchmove_game::journal::write(&opening, &[]);
    text.replace("WNAME", &nasty_json())
        .replace("BNAME", &nasty_json())
}

fn state(nasty: &str) -> String {
    format!(
        "{{\"v\":1,\"type\":\"state\",\"you\":\"white\",\"state\":{{\"seq\":0,\"at\":0,\"explanation\":\"{nasty}\"}},\
         \"presence\":{{\"watching\":18446744073709551615,\"black_away\":0}},\
         \"chat\":[{{\"name\":\"{nasty}\",\"text\":\"{nasty}\"}}],\"rematch\":{{\"offer\":null,\"game\":\"{nasty}\"}}}}"
    )
}

/// Answers every path in a valid form, with hostile contents.
fn well_formed() -> Answer {
    Arc::new(|head, stream| {
        let body = match head {
            head if head.contains("/journal") => journal(),
            head if head.contains("/seat") => "{\"seat\":\"white\"}".to_owned(),
            _ => "{\"game\":\"Ab3dE6gH\"}".to_owned(),
        };
        respond(stream, "200 OK", &body);
    })
}

/// Sends every kind of WebSocket message, with hostile text in every place.
fn talk() -> Talk {
    let nasty = nasty_json();
    Arc::new(move |socket| {
        for text in [
            state(&nasty),
            format!("{{\"v\":1,\"type\":\"{nasty}\",\"text\":\"{nasty}\"}}"),
            format!(
                "{{\"v\":1,\n\"type\":\"chat\",\n\"name\":\"{nasty}\",\r\n\"text\":\"{nasty}\"}}"
            ),
            format!(
                "{{\"v\":1,\"type\":\"answer\",\"accepted\":false,\"reason\":\"{nasty}\",\"text\":\"{nasty}\",\
                     \"squares\":[\"{nasty}\"],\"did_you_mean\":[\"{nasty}\"]}}"
            ),
            format!(
                "{{\"v\":1,\"type\":\"decided\",\"events\":[{{\"v\":1,\"seq\":1,\"at\":1,\"by\":\"white\",\
                     \"event\":\"moved\",\"move\":\"e2e4\",\"san\":\"{nasty}\"}}],\"state\":{{\"seq\":1,\"at\":1,\
                     \"explanation\":\"{nasty}\"}}}}"
            ),
            format!(
                "{{\"v\":1,\"type\":\"decided\",\"events\":[],\"state\":{{\"seq\":1,\"at\":1,\"proved\":false,\
                     \"explanation\":\"{nasty}\"}}}}"
            ),
            format!("{{\"v\":1,\"type\":\"rematch\",\"offer\":\"black\",\"game\":\"{nasty}\"}}"),
            "{\"v\":1,\"type\":\"chat\",\"name\":\"Eve\",\"text\":\"LAST\"}".to_owned(),
        ] {
            say(socket, &text);
        }
        // Until the other side has closed.
        while socket.read().is_ok() {}
    })
}

fn join(
    server: &HostileServer,
    arguments: &[&str],
    input: &str,
    variables: &[(&str, &str)],
) -> program::Run {
    let link = server.link();
    let mut all = vec!["join", link.as_str()];
    all.extend(arguments);
    run_with(&all, input, variables)
}

#[test]
fn a_server_cannot_steer_the_terminal_of_who_joins() {
    let server = HostileServer::start(well_formed(), talk());
    for arguments in [
        &["--plain"][..],
        &["--plain", "--name", "Anna"],
        &["--json"],
    ] {
        let ran = join(&server, arguments, "board\nmoves\nsay hello\ne4\n", &[]);
        assert!(ran.out.contains("LAST"), "{}{}", ran.out, ran.err);
        assert_harmless(ran.out.as_bytes(), "join");
        assert_harmless(ran.err.as_bytes(), "join");
    }
    let home = Home::new("hostile-server");
    for arguments in [&["--plain"][..], &[]] {
        let link = server.link();
        let mut all = vec!["join", link.as_str()];
        all.extend(arguments);
        let mut window = Window::open(&home, &all, &[]);
        window.see("LAST");
        assert_no_foreign_sequence(&window.bytes(), "join");
    }
}

#[test]
fn what_a_server_refuses_with_is_shown_without_its_sequences() {
    let nasty = nasty_json();
    for (status, body) in [
        (
            "403 Forbidden",
            format!("{{\"error\":\"{nasty}\",\"reason\":\"{nasty}\"}}"),
        ),
        ("503 \x1b]0;OWNED\x07", format!("{{\"error\":\"{nasty}\"}}")),
        ("200 OK", format!("{{\"game\":\"{nasty}\"}}")),
        (
            "200 OK",
            format!("{{\"game\":\"../../{nasty}\",\"{nasty}\":"),
        ),
        ("200 OK", NASTY.to_owned()),
        ("302 Found", NASTY.to_owned()),
    ] {
        let answer: Answer = Arc::new(move |_, stream| respond(stream, status, &body));
        let server = HostileServer::start(answer, Arc::new(|_| {}));
        let url = format!("http://127.0.0.1:{}", server.port);
        for ran in [
            join(&server, &["--plain"], "", &[]),
            join(&server, &["--json"], "", &[]),
            run_with(&["host", "--at", &url, "--plain"], "", &[]),
        ] {
            assert_ne!(ran.code, 0, "{}", ran.out);
            assert_harmless(ran.out.as_bytes(), status);
            assert_harmless(ran.err.as_bytes(), status);
        }
    }
}

/// A server that refuses everybody.
fn refusing() -> HostileServer {
    let answer: Answer =
        Arc::new(|_, stream| respond(stream, "403 Forbidden", "{\"error\":\"no\"}"));
    HostileServer::start(answer, Arc::new(|_| {}))
}

const TOKEN: &str = "tm_0123456789abcdef";

#[test]
fn a_token_is_seen_by_its_own_server_only() {
    let own = refusing();
    let foreign = refusing();
    let origin = format!("http://127.0.0.1:{}", own.port);
    let variables = [
        ("TOUCHMOVE_TOKEN", TOKEN),
        ("TOUCHMOVE_TOKEN_ORIGIN", origin.as_str()),
    ];
    join(&own, &["--plain"], "", &variables);
    assert!(own.heads().contains(TOKEN), "{}", own.heads());
    join(&foreign, &["--plain"], "", &variables);
    let url = format!("http://127.0.0.1:{}", foreign.port);
    run_with(&["host", "--at", &url, "--plain"], "", &variables);
    let heads = foreign.heads();
    assert!(
        heads.contains("/v1/tables/Ab3dE6gH/seat") && heads.contains("guest_"),
        "{heads}"
    );
    assert!(!heads.contains(TOKEN), "{heads}");
}

#[test]
fn a_redirection_takes_no_token_to_another_server() {
    let foreign = refusing();
    let elsewhere = format!("http://127.0.0.1:{}/Ab3dE6gH", foreign.port);
    let answer: Answer = Arc::new(move |_, stream| {
        let _ = write!(
            stream,
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n"
        );
    });
    let own = HostileServer::start(answer, Arc::new(|_| {}));
    let origin = format!("http://127.0.0.1:{}", own.port);
    let variables = [
        ("TOUCHMOVE_TOKEN", TOKEN),
        ("TOUCHMOVE_TOKEN_ORIGIN", origin.as_str()),
    ];
    let ran = join(&own, &["--plain"], "", &variables);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(own.heads().contains(TOKEN));
    assert_eq!(foreign.heads(), "");
}

#[test]
fn a_token_that_is_bound_to_no_server_is_sent_to_none() {
    let token = [("TOUCHMOVE_TOKEN", TOKEN)];
    let local = refusing();
    for server in [
        "http://192.0.2.1",
        &format!("http://127.0.0.1:{}", local.port),
    ] {
        for arguments in [
            &["join", &format!("{server}/Ab3dE6gH"), "--plain"][..],
            &["host", "--at", server, "--plain"],
        ] {
            let ran = run_with(arguments, "", &token);
            assert_eq!(ran.code, 2, "{}", ran.err);
            let says = format!("TOUCHMOVE_TOKEN_ORIGIN={server}");
            assert!(ran.err.contains(&says), "{}", ran.err);
        }
    }
    assert_eq!(local.heads(), "");
    let bound = [
        ("TOUCHMOVE_TOKEN", TOKEN),
        ("TOUCHMOVE_TOKEN_ORIGIN", "http://192.0.2.1"),
    ];
    let arguments = ["host", "--at", "http://192.0.2.1", "--plain", "--insecure"];
    let ran = run_with(&arguments, "", &bound);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("https://"), "{}", ran.err);
    let wrong = [
        ("TOUCHMOVE_TOKEN", TOKEN),
        ("TOUCHMOVE_TOKEN_ORIGIN", "chess.example"),
    ];
    let ran = run_with(&["join", "http://127.0.0.1:9/Ab3dE6gH"], "", &wrong);
    assert!(ran.err.contains("https://HOST"), "{}", ran.err);
}

/// The time limit for the program to give up on a bad server.
const END: Duration = Duration::from_secs(60);

#[test]
fn a_server_that_never_ends_an_answer_is_left() {
    let endless: Answer = Arc::new(|_, stream| {
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        );
        let chunk = format!("10000\r\n{}\r\n", "[".repeat(0x10000));
        while stream.write_all(chunk.as_bytes()).is_ok() {}
    });
    let header: Answer = Arc::new(|_, stream| {
        let _ = write!(stream, "HTTP/1.1 200 OK\r\n");
        while write!(stream, "X-More: {}\r\n", "a".repeat(8_000)).is_ok() {}
    });
    let deep: Answer = Arc::new(|_, stream| {
        let body = format!("{}{}", "[".repeat(500_000), "{\"a\":".repeat(500_000));
        respond(stream, "200 OK", &body);
    });
    for answer in [endless, header, deep] {
        let server = HostileServer::start(answer, Arc::new(|_| {}));
        let begun = Instant::now();
        let ran = join(&server, &["--plain"], "", &[]);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(begun.elapsed() < END);
    }
}

#[test]
fn a_server_that_never_says_how_the_game_stands_is_left() {
    let talk: Talk = Arc::new(|socket| {
        while say(socket, "{\"v\":1,\"type\":\"weather\"}") {
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let server = HostileServer::start(well_formed(), talk);
    let begun = Instant::now();
    let ran = join(&server, &["--plain"], "", &[]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("how the game stands"), "{}", ran.err);
    assert!(begun.elapsed() < END);
}

#[test]
fn messages_of_a_wrong_kind_end_the_visit_and_not_the_program() {
    let deep = "[".repeat(1_000_000);
    for text in [
        "{}",
        "null",
        "{\"v\":1e999,\"type\":\"state\"}",
        "{\"v\":1,\"type\":\"state\",\"state\":{\"seq\":-1,\"at\":-1}}",
        "{\"v\":1,\"type\":\"state\",\"you\":\"white\",\"state\":{\"seq\":18446744073709551615,\"at\":18446744073709551615}}",
        "{\"v\":1,\"type\":\"state\",\"state\":[],\"chat\":7}",
        "{\"v\":1,\"type\":\"decided\",\"events\":[{}],\"state\":{\"seq\":1,\"at\":0}}",
        "{\"v\":1,\"type\":\"decided\",\"events\":[{\"v\":1,\"seq\":18446744073709551615,\"at\":18446744073709551615,\
         \"by\":\"white\",\"event\":\"time_given\",\"to\":\"white\",\"time\":18446744073709551615}],\
         \"state\":{\"seq\":0,\"at\":0}}",
        deep.as_str(),
    ] {
        for greets in [false, true] {
            let (text, greeting) = (text.to_owned(), state("x"));
            let talk: Talk = Arc::new(move |socket| {
                if greets {
                    say(socket, &greeting);
                }
                say(socket, &text);
                // Until the other side has closed.
                while socket.read().is_ok() {}
            });
            let server = HostileServer::start(well_formed(), talk);
            for mode in ["--plain", "--json"] {
                let begun = Instant::now();
                let ran = join(&server, &[mode], "", &[]);
                assert!(!ran.err.contains("panicked"), "{}", ran.err);
                assert!([0, 1, 2].contains(&ran.code), "{}", ran.err);
                assert!(begun.elapsed() < END);
            }
        }
    }
}

#[test]
fn a_server_that_never_stops_talking_fills_no_memory_and_can_be_left() {
    let chat = format!(
        "{{\"v\":1,\"type\":\"chat\",\"name\":\"Eve\",\"text\":\"{}\"}}",
        "x".repeat(1_500)
    );
    let talk: Talk = Arc::new(move |socket| {
        say(socket, &state("x"));
        while say(socket, &chat) {}
    });
    let server = HostileServer::start(well_formed(), talk);
    let home = Home::new("hostile-flood");
    let mut window = Window::open(&home, &["join", &server.link()], &[]);
    window.see("xxxx");
    let id = window.child.process_id().expect("a process");
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(3) {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes =
            resident.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
        assert!(kibibytes.unwrap_or(0) < 300_000, "{status}");
        std::thread::sleep(Duration::from_millis(50));
    }
    window.signal("-TERM").see_closed();
}

/// The memory limit of the program, in KiB. It takes some 30 MB by itself.
const MAX_MEMORY_KIB: u64 = 150_000;
/// JSON that takes some hundred times its size in memory if every value is kept.
const COSTLY: [&str; 3] = ["[0],", "{\"\":0},", "0,"];

/// A text with this item repeated until it nearly has the largest accepted size.
fn filled(before: &str, item: &str, after: &str) -> String {
    let items = item.repeat((4 * 1024 * 1024 - 1_000) / item.len());
    format!("{before}{items}0{after}")
}

/// The ways to join: the argument, and whether anybody reads the program's output.
const WAYS: [(&str, bool); 3] = [("--plain", true), ("--json", true), ("--json", false)];

/// The peak memory of the program within a few seconds at this server, in KiB.
fn peak_memory(server: &HostileServer, (mode, is_read): (&str, bool)) -> u64 {
    let output = match is_read {
        true => Stdio::null(),
        false => Stdio::piped(),
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(["join", &server.link(), mode])
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let status = format!("/proc/{}/status", child.id());
    let begun = Instant::now();
    let mut peak = 0;
    while child.try_wait().expect("a child").is_none() && begun.elapsed() < Duration::from_secs(3) {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kibibytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    // It may have exited by itself.
    let _ = child.kill();
    let _ = child.wait();
    peak
}

/// Connects the program in every way to a server that repeats these texts, and checks its memory.
fn assert_little_memory(answer: Answer, texts: Vec<String>, what: &str) {
    let talk: Talk = Arc::new(move |socket| {
        say(socket, &state("x"));
        while texts.iter().all(|text| say(socket, text)) {}
    });
    let server = HostileServer::start(answer, talk);
    for way in WAYS {
        let peak = peak_memory(&server, way);
        let is_little = (1..MAX_MEMORY_KIB).contains(&peak);
        assert!(is_little, "{what} {way:?}: {peak} KiB");
    }
}

#[test]
fn no_message_of_a_server_takes_many_times_its_size_in_memory() {
    let event = r#"{"v":1,"seq":1,"at":1,"by":"white","event":"resigned","x":["#;
    let decided = format!("{{\"v\":1,\"type\":\"decided\",\"events\":[{event}");
    for item in COSTLY {
        let texts = vec![
            filled(r#"{"v":1,"type":"weather","x":["#, item, "]}"),
            filled(
                r#"{"v":1,"type":"answer","accepted":false,"x":["#,
                item,
                "]}",
            ),
            filled("{\"x\":[", item, &format!("],{}", &state("x")[1..])),
        ];
        assert_little_memory(well_formed(), texts, item);
        // This one ends the session.
        let texts = vec![filled(
            &decided,
            item,
            "]}],\"state\":{\"seq\":1,\"at\":1}}",
        )];
        assert_little_memory(well_formed(), texts, item);
    }
}

#[test]
fn answers_to_pings_that_a_server_does_not_read_fill_no_memory() {
    let mut ping = vec![0x89, 125];
    ping.extend([0; 125]);
    let pings = ping.repeat(1_000);
    let talk: Talk = Arc::new(move |socket| {
        say(socket, &state("x"));
        // Until the other side has closed; nothing that it sends is read.
        while socket.get_mut().write_all(&pings).is_ok() {}
    });
    let server = HostileServer::start(well_formed(), talk);
    let peak = peak_memory(&server, WAYS[0]);
    assert!((1..MAX_MEMORY_KIB).contains(&peak), "{peak} KiB");
}

/// The journal of a game that was resigned.
fn journal_of_the_end() -> String {
    let terms = touchmove_game::Terms::of(touchmove_rules::Variant::Chess);
    let players = touchmove_game::Players::default();
    let mut game = touchmove_game::Game::begin(terms, players, touchmove_game::Timestamp(0));
    let (at, by) = (touchmove_game::Timestamp(1), touchmove_rules::Color::White);
    let answer = game.submit(at, by, touchmove_game::Command::Resign);
    assert!(answer.refusal.is_none());
    touchmove_game::journal::rewrite(&game)
}

#[test]
fn a_server_that_names_game_after_game_is_not_run_after() {
    for (journal, most) in [(journal(), 1), (journal_of_the_end(), 2)] {
        let answer: Answer = Arc::new(move |head, stream| match head.contains("/journal") {
            true => respond(stream, "200 OK", &journal),
            false => respond(stream, "200 OK", "{\"seat\":\"white\"}"),
        });
        let talk: Talk = Arc::new(|socket| {
            say(socket, &state("x"));
            say(
                socket,
                "{\"v\":1,\"type\":\"rematch\",\"offer\":null,\"game\":\"Ab3dE6gJ\"}",
            );
            while socket.read().is_ok() {}
        });
        let server = HostileServer::start(answer, talk);
        peak_memory(&server, WAYS[0]);
        let heads = server.heads().to_ascii_lowercase();
        let lines = heads.matches("upgrade: websocket").count();
        assert_eq!(lines, most, "{heads}");
    }
}

#[test]
fn no_journal_of_a_server_takes_many_times_its_size_in_memory() {
    let mut moves = journal();
    for (seq, mv) in (1..30_000).zip(["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle()) {
        let by = if seq % 2 == 1 { "white" } else { "black" };
        moves += &format!(
            "{{\"v\":1,\"seq\":{seq},\"at\":1,\"by\":\"{by}\",\"event\":\"moved\",\"move\":\"{mv}\",\"san\":\"N\"}}\n"
        );
    }
    let costly = COSTLY.map(|item| {
        filled(
            r#"{"v":1,"seq":0,"at":0,"event":"started","x":["#,
            item,
            "]}",
        )
    });
    for body in costly.into_iter().chain([moves]) {
        assert!(body.len() < 4 << 20);
        let what = format!("{body:.60}");
        let answer: Answer = Arc::new(move |head, stream| match head.contains("/journal") {
            true => respond(stream, "200 OK", &body),
            false => respond(stream, "200 OK", "{\"seat\":\"white\"}"),
        });
        assert_little_memory(answer, vec![state("x")], &what);
    }
}

#[test]
fn a_message_beyond_every_game_breaks_the_line() {
    let long = format!("{{\"v\":1,\"type\":\"{}\"}}", "x".repeat(5 << 20));
    let talk: Talk = Arc::new(move |socket| {
        say(socket, &state("x"));
        say(socket, &long);
        while socket.read().is_ok() {}
    });
    let server = HostileServer::start(well_formed(), talk);
    peak_memory(&server, ("--plain", true));
    let heads = server.heads().to_ascii_lowercase();
    assert!(heads.matches("upgrade: websocket").count() > 1, "{heads}");
}

#[test]
fn data_folders_are_made_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &std::path::Path| {
        let metadata = std::fs::metadata(path).unwrap_or_else(|_| panic!("no {path:?}"));
        metadata.permissions().mode() & 0o777
    };
    let home = hostile_input::folder("hostile-folders");
    let server = home.join("deep").join("server");
    let path = server.to_str().expect("UTF-8");
    run_with(&["people", "add", "Anna", "--data", path], "", &[]);
    assert_eq!(mode(&server), 0o700);
    let data = home.join("data");
    let variables = [("XDG_DATA_HOME", data.to_str().expect("UTF-8"))];
    run_with(&["play", "--plain"], "f3\ne5\n", &variables);
    let own = data.join("touchmove");
    let link = refusing().link();
    for arguments in [
        &["join", link.as_str(), "--plain"][..],
        &["play", "--plain"],
        &["play", "--plain", "--resume"],
        &["library"],
        &["people", "list"],
        &["backup", "/dev/null"],
        // It exits at once, because there is no such file.
        &["serve", "--config", "/nowhere/server.toml"],
        &["host", "--resume", "Ab3dE6gH", "--plain"],
    ] {
        // As older versions left it.
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&own, open).expect("its own folder");
        run_with(arguments, "f3\ne5\ng4\nQh4\n", &variables);
        assert_eq!(mode(&own), 0o700, "{arguments:?}");
    }
    assert_eq!(mode(&own.join("guests")), 0o700);
    // Its contents are closed too, in case the folder is opened again.
    let mut folders = vec![own];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    assert_eq!(mode(&path), 0o600, "{path:?}");
                    files += 1;
                }
            }
        }
    }
    // Journals, a game in the library, guest secrets, and the server's store.
    assert!(files >= 4, "{files} files");
}
