//! Accounts, guests, games and offers for the attacks that need some.

use std::process::Stdio;

use anyhow::{Context as _, bail};
use tokio::process::Command;
use touchmove_load::net::NodeAddress;
use touchmove_load::tables::{self, SeatedPlayer};

use crate::target::Target;
use crate::wire::Request;

/// A password that nobody would refuse.
pub const PASSWORD: &str = "Philidor 1749 knew it";

/// Somebody with an account.
#[derive(Clone, Debug)]
pub struct Account {
    /// His name.
    pub name: String,
    /// His cookies, as a browser sends them.
    pub cookies: String,
}

/// The secret of a guest with this number.
pub fn guest(number: usize) -> String {
    format!("guest_attack{number:020}guest")
}

/// Makes an account over HTTP.
pub async fn register(way: &NodeAddress, name: &str) -> anyhow::Result<Account> {
    enter(way, "/v1/account", name).await
}

/// Signs in, and has another session.
pub async fn sign_in(way: &NodeAddress, name: &str) -> anyhow::Result<Account> {
    enter(way, "/v1/session", name).await
}

async fn enter(way: &NodeAddress, path: &str, name: &str) -> anyhow::Result<Account> {
    let body = format!(r#"{{"name":"{name}","password":"{PASSWORD}"}}"#);
    let request = Request::new("POST", path).json(&body);
    let answer = request.send(way).await.success()?;
    Ok(Account {
        name: name.to_owned(),
        cookies: answer.cookies(),
    })
}

impl Account {
    /// A request of his browser's.
    pub fn request(&self, way: &NodeAddress, method: &str, path: &str) -> Request {
        Request::new(method, path)
            .header("Cookie", &self.cookies)
            .header("Origin", &format!("http://{}", way.to))
    }

    /// Makes a token with these scopes, which have spaces between them. Gives its id and its secret.
    pub async fn token(&self, way: &NodeAddress, scopes: &str) -> anyhow::Result<(String, String)> {
        let request = |password: &str| {
            let body = format!(r#"{{"label":"attack","scopes":"{scopes}"{password}}}"#);
            self.request(way, "POST", "/v1/account/tokens").json(&body)
        };
        // A server may want to see the password again.
        let password = format!(r#","password":"{PASSWORD}""#);
        let mut answer = request(&password).send(way).await.answer()?;
        if answer.status == 400 {
            answer = request("").send(way).await.success()?;
        }
        let text = |key: &str| {
            let found = answer.text(key);
            found.with_context(|| format!("no {key} in {}", answer.body))
        };
        Ok((text("id")?, text("token")?))
    }
}

/// A table at which two guests sit: its game.
pub async fn table(target: &Target, number: usize) -> anyhow::Result<String> {
    let way = target.way(number);
    let (white, black) = (guest(2 * number), guest(2 * number + 1));
    let sitter = |secret| SeatedPlayer { way: &way, secret };
    tables::open(sitter(&white), sitter(&black), r#"{"time":"30+30"}"#).await
}

/// Runs `touchmove people` on the server's store.
pub async fn people(target: &Target, arguments: &[&str], input: &str) -> anyhow::Result<String> {
    use tokio::io::AsyncWriteExt as _;
    let mut child = Command::new(&target.program.path)
        .arg("people")
        .args(arguments)
        .arg("--data")
        .arg(&target.program.data)
        .envs(target.program.environment.iter().cloned())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("the program does not start")?;
    if let Some(mut stdin) = child.stdin.take() {
        // Who does not read closes it early.
        let _ = stdin.write_all(input.as_bytes()).await;
    }
    let output = child.wait_with_output().await?;
    if !output.status.success() {
        bail!(
            "people {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
