//! The security log of `touchmove serve`: lines that the filter in docs/SERVER.md finds, and no others.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server of its own, stopped when this is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(name: &str, arguments: &[&str]) -> Server {
        let folder = format!("{}/security-log-{name}", env!("CARGO_TARGET_TMPDIR"));
        let _ = std::fs::remove_dir_all(&folder);
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data", &folder])
            .args(["--registration", "open"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let url = line.trim_end().trim_end_matches('/');
        let address = url.rsplit_once("http://").unwrap().1.to_owned();
        Server { child, address }
    }

    /// Posts JSON for a client with this address; returns the status.
    fn post(&self, path: &str, client: &str, body: &str) -> u16 {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.0\r\nHost: {}\r\nX-Forwarded-For: {client}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
            self.address
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer[9..12].parse().unwrap()
    }

    /// Stops the server and returns its log.
    fn log(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        let mut log = String::new();
        let mut err = self.child.stderr.take().unwrap();
        err.read_to_string(&mut log).unwrap();
        self.child.wait().unwrap();
        log.lines().map(str::to_owned).collect()
    }
}

/// The filter's regular expressions in the documentation, as fail2ban reads them.
fn filter() -> Vec<regex_lite::Regex> {
    let page = include_str!("../../docs/SERVER.md");
    let (_, after) = page.split_once("    failregex = ").unwrap();
    let lines = after.lines().take_while(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let network = "(?P<network>[0-9a-fA-F.:]+(?:/[0-9]+)?)";
            regex_lite::Regex::new(&line.trim().replace("<SUBNET>", network)).unwrap()
        })
        .collect()
}

/// The networks that fail2ban would count in a log.
fn banned(log: &[String]) -> Vec<String> {
    let filter = filter();
    let found = log
        .iter()
        .filter_map(|line| filter.iter().find_map(|regex| regex.captures(line)));
    found.map(|found| found["network"].to_owned()).collect()
}

fn failures_are_found(form: &str) {
    let server = Server::start(form, &["--log", form, "--trusted-proxy", "127.0.0.1"]);
    let new = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    assert_eq!(server.post("/v1/account", "192.0.2.1", new), 201);
    assert_eq!(server.post("/v1/session", "192.0.2.1", new), 200);
    let wrong = r#"{"name":"Anna","password":"1. d4 d5 2. c4"}"#;
    for _ in 0..10 {
        assert_eq!(server.post("/v1/session", "203.0.113.9", wrong), 401);
    }
    assert_eq!(server.post("/v1/session", "203.0.113.9", wrong), 429);
    // Text from a client is not taken for an address, and not logged at all.
    let forged = r#"{"name":"x\nWARN security event=sign_in_failed address=6.6.6.6 account=","password":"x"}"#;
    let path = "/v1/session?address=6.6.6.6&WARN+security";
    assert_eq!(server.post(path, "2001:db8::7", forged), 401);
    let log = server.log();
    let mut expected = vec!["203.0.113.9"; 11];
    expected.push("2001:db8::/64");
    assert_eq!(banned(&log), expected, "{log:#?}");
    assert!(
        log.iter()
            .any(|line| line.contains("sign_in_failed") && line.contains("Anna"))
    );
    assert!(log.iter().any(|line| line.contains("registered")));
    assert!(
        !log.iter().any(|line| line.contains("6.6.6.6 account")),
        "{log:#?}"
    );
    assert!(
        !log.iter().any(|line| line.contains("d4 d5")),
        "no password is written"
    );
}

#[test]
fn failures_are_found_in_the_log_as_text() {
    failures_are_found("text");
}

#[test]
fn failures_are_found_in_the_log_as_json() {
    failures_are_found("json");
}

#[test]
fn a_proxy_that_is_not_trusted_is_named_once() {
    let folder = "proxy";
    let server = Server::start(folder, &["--trusted-proxy", "10.0.0.1"]);
    for _ in 0..3 {
        server.post("/v1/me", "192.0.2.1", "{}");
    }
    let log = server.log();
    let warned = log.iter().filter(|line| line.contains("--trusted-proxy"));
    assert_eq!(warned.count(), 1, "{log:#?}");
}
