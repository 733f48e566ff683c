//! Accounts with tokens, and NDJSON streams, as clients of Lichess's API use them.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;
use touchmove_accounts::{Name, Scopes};
use touchmove_store::PersonKind;

use super::Open;

/// A streamed response.
pub struct Lines {
    pub status: u16,
    reader: BufReader<TcpStream>,
}

impl Lines {
    /// The next line, including empty ones; `None` at the end.
    pub async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = timeout(Duration::from_secs(10), self.reader.read_line(&mut line)).await;
        match read.expect("a line within ten seconds").unwrap() {
            0 => None,
            _ => Some(line.trim_end().to_owned()),
        }
    }

    /// The next object; `None` at the end.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let line = self.line().await?;
            if !line.is_empty() {
                return Some(serde_json::from_str(&line).unwrap());
            }
        }
    }

    /// The next object of this type; others are skipped.
    pub async fn of(&mut self, kind: &str) -> Value {
        let found = timeout(Duration::from_secs(60), async {
            loop {
                let object = self.next().await.expect(kind);
                if object["type"] == kind {
                    return object;
                }
            }
        });
        found.await.expect(kind)
    }

    /// The rest of the stream.
    pub async fn rest(mut self) -> Vec<Value> {
        let mut rest = Vec::new();
        while let Some(object) = self.next().await {
            rest.push(object);
        }
        rest
    }
}

impl Open {
    /// An account with a token for everything.
    pub async fn member(&self, name: &str, kind: PersonKind) -> String {
        let people = &self.server.people;
        let name = Name::account(name).unwrap();
        let person = people.register(&name, kind, None).await.unwrap();
        let issued = people
            .issue_token(&person, "a test", Scopes::ALL, None)
            .await;
        issued.unwrap().0.reveal().to_owned()
    }

    /// Opens a stream.
    pub async fn lines(&self, token: &str, method: &str, path: &str, form: &str) -> Lines {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", bearer.as_str())];
        self.lines_with(&headers, method, path, form).await
    }

    /// Opens a stream with these headers.
    pub async fn lines_with(
        &self,
        headers: &[(&str, &str)],
        method: &str,
        path: &str,
        form: &str,
    ) -> Lines {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let length = form.len();
        let mut request = format!("{method} {path} HTTP/1.0\r\nHost: {}\r\n", self.address);
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!(
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut lines = Lines {
            status: 0,
            reader: BufReader::new(stream),
        };
        let head = lines.line().await.unwrap();
        lines.status = head[9..12].parse().unwrap();
        while lines.line().await.is_some_and(|line| !line.is_empty()) {}
        lines
    }

    /// Sends a form.
    pub async fn form(&self, token: &str, path: &str, form: &str) -> (u16, Value) {
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let bearer = format!("Bearer {token}");
        let headers = [kind, ("Authorization", bearer.as_str())];
        let heard = self.request("POST", path, &headers, form).await;
        (
            heard.status,
            serde_json::from_str(&heard.body).unwrap_or(Value::Null),
        )
    }

    /// Sends a form, which must be granted.
    pub async fn granted(&self, token: &str, path: &str, form: &str) -> Value {
        let (status, told) = self.form(token, path, form).await;
        assert_eq!(status, 200, "{path}: {told}");
        told
    }

    /// Sends a GET request; returns the JSON.
    pub async fn read(&self, token: &str, path: &str) -> Value {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Accept", "application/json"),
        ];
        let heard = self.request("GET", path, &headers, "").await;
        assert_eq!(heard.status, 200, "{path}: {}", heard.body);
        heard.json()
    }

    /// Creates and accepts a challenge; returns the id of the game.
    pub async fn paired(&self, by: &str, to: &str, name: &str, form: &str) -> String {
        let told = self
            .granted(by, &format!("/api/challenge/{name}"), form)
            .await;
        let id = told["id"].as_str().unwrap().to_owned();
        self.granted(to, &format!("/api/challenge/{id}/accept"), "")
            .await;
        id
    }
}
