//! Network games through the real program: `join`, `host` and the start screen, in terminals and by pipes, with a
//! server that is killed during the game.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use touchmove_client::{GuestSecrets, NewTable, SideRequest, TableLink, create_table};

use crate::support::pty::{Home, Window};

/// The program running as a server.
struct Server {
    child: Child,
    port: u16,
    data: std::path::PathBuf,
}

impl Server {
    fn start(home: &Home) -> Server {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("a port").port();
        drop(free);
        let data = home.0.join("server");
        std::fs::create_dir_all(&data).expect("a folder");
        Server {
            child: Server::run(port, &data),
            port,
            data,
        }
    }

    fn run(port: u16, data: &std::path::Path) -> Child {
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a server");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("a line");
        assert!(line.starts_with("touchmove is at http://"), "{line}");
        child
    }

    /// Kills it with SIGKILL.
    fn kill(&mut self) {
        self.child.kill().expect("SIGKILL");
        let _ = self.child.wait();
    }

    /// Sends it a signal.
    fn signal(&self, signal: &str) {
        let sent = Command::new("kill")
            .args([signal, &self.child.id().to_string()])
            .status();
        assert!(sent.expect("kill").success());
        // On a busy machine a thread may run on for a moment.
        while signal == "-STOP" && !self.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the operating system reports all its threads as stopped.
    fn is_stopped(&self) -> bool {
        let tasks = format!("/proc/{}/task", self.child.id());
        let mut tasks = std::fs::read_dir(tasks).expect("its threads").flatten();
        tasks.all(|task| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            // The state follows the name, which is in parentheses.
            stat.rsplit(") ")
                .next()
                .is_none_or(|rest| rest.starts_with('T'))
        })
    }

    fn again(&mut self) {
        self.child = Server::run(self.port, &self.data);
    }

    /// Creates a table; Anna's guest secret for White is saved in this home.
    fn table(&self, home: &Home) -> String {
        let server = TableLink::of("127.0.0.1", self.port, "new").expect("a link");
        let guests = GuestSecrets::new(home.0.join("data").join("touchmove").join("guests"));
        let anna = guests.guest(&server.server(), "Anna").expect("a secret");
        let proposal = NewTable {
            side: SideRequest::White,
            name: Some("Anna".to_owned()),
            ..NewTable::default()
        };
        create_table(&server, &anna, &proposal)
            .expect("a table")
            .to_string()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn join(home: &Home, link: &str, name: &str) -> Window {
    Window::open(home, &["join", link, "--name", name], &[])
}

/// Runs the program without a terminal, with these lines as input.
fn pipe(home: &Home, arguments: &[&str], lines: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(arguments)
        .env("XDG_DATA_HOME", home.0.join("data"))
        .env_remove("TOUCHMOVE_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut input = child.stdin.take().expect("its input");
    input.write_all(lines.as_bytes()).expect("lines");
    drop(input);
    child.wait_with_output().expect("its output")
}

#[test]
fn a_table_is_set_up_at_a_server_that_runs_already() {
    let home = Home::new("host-at");
    let server = Server::start(&home);
    let at = format!("http://127.0.0.1:{}/", server.port);
    let variant = ["--variant", "atomic"];
    let arguments = ["host", "--at", &at, "--side", "white", "--name", "Anna"];
    let left = pipe(
        &home,
        &[&arguments[..], &variant[..], &["--json"]].concat(),
        "",
    );
    let said = String::from_utf8_lossy(&left.stderr);
    let link = said.trim().rsplit(' ').next().expect("a link");
    assert!(
        said.starts_with("the table is at http://127.0.0.1:"),
        "{said}"
    );
    // The game stays there without her; the same name with the same home directory gets the same seat again.
    let mut bea = join(&home, link, "Bea");
    bea.see("Atomic").see("Anna").see("Bea");
    let nobody = pipe(&home, &["host", "--at", "http://127.0.0.1:1", "--json"], "");
    assert_eq!(nobody.status.code(), Some(2));
    for wrong in ["127.0.0.1:8000", "ftp://host", "http://"] {
        let refused = pipe(&home, &["host", "--at", wrong], "");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("a server is http://HOST:PORT"), "{said}");
        assert_eq!(refused.status.code(), Some(2));
    }
}

#[test]
fn two_windows_play_to_mate_while_the_server_is_killed_and_started_again() {
    let (home, elsewhere) = (Home::new("join-killed"), Home::new("join-killed-elsewhere"));
    let mut server = Server::start(&home);
    let link = server.table(&home);
    let mut anna = join(&home, &link, "Anna");
    anna.see("Send this link").see(&link);
    let mut bea = join(&elsewhere, &link, "Bea");
    bea.see("White to move").see("Anna");
    anna.see("Bea sits down").send("hint\r");
    anna.see("Nobody is helped in games on the network");
    anna.play("f3", "1. f3");
    bea.see("1. f3").play("e5", "e5");
    anna.see("e5");
    server.kill();
    anna.see("The line is lost");
    bea.see("The line is lost");
    // A move made meanwhile waits for the server.
    anna.send("g4\r");
    server.again();
    anna.see("2. g4");
    // The game-over dialog may cover the moves.
    bea.see("2. g4").send("qh4\r");
    anna.see("Game Over").see("0-1");
    bea.see("Game Over").see("Checkmate");
    anna.send("q").see_closed();
    assert!(anna.child.wait().expect("an exit code").success());
    bea.send("q").see_closed();
    // Both have it in their libraries.
    for home in [&home, &elsewhere] {
        let found = pipe(home, &["library", "--find", "Anna"], "");
        let found = String::from_utf8_lossy(&found.stdout).into_owned();
        assert_eq!(found.matches("0-1").count(), 1, "{found}");
    }
}

#[test]
fn only_the_player_on_move_moves_and_what_is_said_is_heard() {
    let home = Home::new("join-turns");
    let server = Server::start(&home);
    let link = server.table(&home);
    let mut anna = join(&home, &link, "Anna");
    anna.see("Send this link");
    let mut bea = join(&home, &link, "Bea");
    bea.see("White to move")
        .send("e5\r")
        .see("White is to move");
    // Until she has heard of it, no move is hers to make.
    anna.see("Bea sits down").send("Ke2\r").see("king");
    anna.play("e4", "1. e4");
    bea.see("1. e4").play("e5", "e5");
    // Resigning is confirmed, and is Black's although White is on move.
    bea.send("\x12")
        .see("Does Black resign?")
        .send("y")
        .see("Game Over");
    anna.see("Game Over").see("1-0");
    drop(bea);
    // The same name with the same home directory gets the same seat again.
    let mut again = join(&home, &link, "Bea");
    again.see("Game Over").send("l\x11").see_closed();
}

#[test]
fn a_host_is_joined_from_the_start_screen() {
    let home = Home::new("host");
    let data = home.0.join("server").display().to_string();
    let arguments = ["host", "--listen", "127.0.0.1:0", "--data", &data];
    let more = ["--side", "white", "--name", "Anna", "--time", "5+3"];
    let mut anna = Window::open(&home, &[&arguments[..], &more[..]].concat(), &[]);
    anna.see("Send this link: http://127.0.0.1:");
    let screen = String::from_utf8_lossy(&anna.bytes()).into_owned();
    let link = screen.split("touchmove is at ").nth(1).expect("a link");
    let link = link.split_whitespace().next().expect("a link").to_owned();
    let mut bea = Window::open(&home, &[], &[]);
    bea.see("Join by link").send("\x1b[A\x1b[A\x1b[A\x1b[A");
    bea.send("http://127.0.0.1/\r")
        .see("names no table")
        .send("\x15");
    bea.send(&link).send("\r").see("White to move").see("Anna");
    anna.see("sits down").play("e4", "1. e4");
    bea.see("1. e4");
    anna.send("\x11")
        .see("end the server")
        .send("y")
        .see_closed();
    assert!(anna.wrote("touchmove host --resume"), "the game is kept");
    bea.see("The line is lost")
        .send("\x11")
        .see("Leave the table")
        .send("y");
    bea.see_closed();
    let game = link.rsplit('/').next().expect("a game");
    let resume = ["host", "--listen", "127.0.0.1:0", "--data", &data];
    let more = ["--resume", game, "--name", "Anna"];
    let mut anna = Window::open(&home, &[&resume[..], &more[..]].concat(), &[]);
    anna.see("1. e4").see("Black to move");
}

#[test]
fn a_game_is_hosted_from_the_start_screen() {
    let home = Home::new("host-start");
    let mut window = Window::open(&home, &[], &[]);
    window
        .see("Host a game")
        .send("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\r");
    window
        .see("Send this link: http://")
        .play("e4", "still open");
}

#[test]
fn lines_and_messages_play_through_pipes() {
    let home = Home::new("join-pipes");
    let server = Server::start(&home);
    let link = server.table(&home);
    let messages = pipe(
        &home,
        &["join", &link, "--json", "--name", "Bea"],
        "{\"command\":\"draw\",\"id\":\"d1\"}\n{\"move\":\"e5\",\"id\":\"m1\"}\n",
    );
    assert!(messages.status.success(), "{messages:?}");
    let text = String::from_utf8(messages.stdout).expect("text");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        (&lines[0]["type"], &lines[0]["you"]),
        (&"state".into(), &"black".into())
    );
    let answer = lines
        .iter()
        .find(|line| line["id"] == "m1")
        .expect("an answer");
    assert_eq!(answer["accepted"], false, "{answer}");
    let said = pipe(
        &home,
        &["join", &link, "--plain", "--ascii", "--name", "Anna"],
        "Nf6\nNf3\n",
    );
    let text = String::from_utf8(said.stdout).expect("text");
    assert!(
        said.status.success() && text.contains("You play White"),
        "{text}"
    );
    assert!(text.contains("1. Nf3"), "{text}");
    let watched = pipe(
        &home,
        &["join", &link, "--plain", "--ascii", "--name", "Bea"],
        "resign\n",
    );
    let text = String::from_utf8(watched.stdout).expect("text");
    assert!(text.contains("Game Over") && text.contains("1-0"), "{text}");
    let watched = pipe(&home, &["join", &link, "--watch", "--json"], "");
    let text = String::from_utf8(watched.stdout).expect("text");
    assert!(
        watched.status.success() && text.contains("\"resignation\""),
        "{text}"
    );
}

/// The program's output as JSON messages.
fn messages(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn messages_without_an_id_and_bare_moves_are_answered_before_the_program_leaves() {
    let home = Home::new("join-nameless");
    let server = Server::start(&home);
    for (line, says) in [
        (r#"{"move":"e4"}"#, "granted"),
        ("e4", "granted"),
        ("dance", "invalid_move"),
        ("[1]", "unreadable"),
        (r#"{"mvoe":"e4"}"#, "unreadable"),
    ] {
        let link = server.table(&home);
        // Nobody can move before there is a second player.
        pipe(&home, &["join", &link, "--json", "--name", "Bea"], "");
        let arguments = ["join", &link, "--json", "--name", "Anna"];
        let left = pipe(&home, &arguments, &format!("{line}\n"));
        assert_eq!(left.status.code(), Some(0), "{line}: {left:?}");
        let said = messages(&left);
        let answers: Vec<_> = said
            .iter()
            .filter(|said| said["type"] == "answer")
            .collect();
        assert_eq!(answers.len(), 1, "{line}: {said:?}");
        let reason = answers[0]["reason"].as_str().unwrap_or("granted");
        assert_eq!(reason, says, "{line}");
        assert_eq!(answers[0].get("id"), None, "{line}");
    }
    let data = home.0.join("hosted").display().to_string();
    let host = ["host", "--listen", "127.0.0.1:0", "--data", &data, "--json"];
    let left = pipe(&home, &host, "{\"command\":\"resign\"}\n");
    assert_eq!(left.status.code(), Some(0), "{left:?}");
    let said = messages(&left);
    assert!(said.iter().any(|said| said["type"] == "answer"), "{said:?}");
}

#[test]
fn a_server_that_does_not_answer_is_told_and_the_answer_is_no() {
    let home = Home::new("join-silent");
    let server = Server::start(&home);
    for form in ["--json", "--plain"] {
        let link = server.table(&home);
        pipe(&home, &["join", &link, "--json", "--name", "Bea"], "");
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
            .args(["join", &link, form, "--name", "Anna"])
            .env("XDG_DATA_HOME", home.0.join("data"))
            .env_remove("TOUCHMOVE_TOKEN")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        out.read_line(&mut String::new()).expect("a line");
        server.signal("-STOP");
        let mut input = child.stdin.take().expect("its input");
        input.write_all(b"e4\n").expect("a line");
        drop(input);
        std::io::copy(&mut out, &mut std::io::sink()).expect("the rest");
        let left = child.wait_with_output().expect("its output");
        server.signal("-CONT");
        let said = String::from_utf8_lossy(&left.stderr).into_owned();
        assert_eq!(left.status.code(), Some(1), "{form}: {said}");
        assert!(said.contains("has not answered the last message"), "{said}");
    }
}

#[test]
fn a_game_that_was_never_hosted_is_not_gone_on_with() {
    let home = Home::new("host-never");
    let data = home.0.join("server").display().to_string();
    for game in ["nope", "Ab3dE6gH", "a/b"] {
        let host = ["host", "--listen", "127.0.0.1:0", "--data", &data];
        let more = ["--resume", game, "--plain"];
        let left = pipe(&home, &[&host[..], &more[..]].concat(), "");
        let said = String::from_utf8_lossy(&left.stderr).into_owned();
        assert_eq!(left.status.code(), Some(2), "{said}");
        assert_eq!(left.stdout, b"", "{game}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.contains("there is no game") && said.contains(game),
            "{said}"
        );
    }
}

#[test]
fn a_server_behind_a_proxy_says_in_its_log_where_it_listens() {
    let home = Home::new("serve-behind");
    let data = home.0.join("server");
    let child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(&data)
        .args(["--public-url", "https://chess.example"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut server = Server {
        child,
        port: 0,
        data,
    };
    let (mut said, mut logged) = (String::new(), String::new());
    let out = server.child.stdout.as_mut().expect("its output");
    BufReader::new(out).read_line(&mut said).expect("a line");
    assert_eq!(said, "touchmove is at https://chess.example/\n");
    let log = server.child.stderr.as_mut().expect("its log");
    BufReader::new(log).read_line(&mut logged).expect("a line");
    let address = logged.trim_end().split("address=").nth(1);
    let address = address.expect("an address in the first line of the log");
    TcpStream::connect(address).expect("somebody listens there");
}

#[test]
fn a_dead_server_and_a_bad_link_get_a_sentence() {
    let home = Home::new("join-dead");
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("a port").port();
    drop(free);
    let dead = format!("http://127.0.0.1:{port}/Ab3dE6gH");
    for (arguments, says) in [
        (["join", &dead, "--plain"], "cannot be reached"),
        (["join", &dead, "--json"], "cannot be reached"),
        (
            ["join", "http://127.0.0.1:80/", "--plain"],
            "names no table",
        ),
        (["join", "chess", "--plain"], "begins with http://"),
    ] {
        let output = pipe(&home, &arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(says), "{arguments:?}: {text}");
    }
    let mut window = Window::open(&home, &["join", &dead], &[]);
    window.see("cannot be reached").see_closed();
}
