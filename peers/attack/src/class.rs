//! Forty pupils behind one address: names, accounts, sign-ins, tables and seats within a minute.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::Plan;
use crate::accounts::{PASSWORD, guest};
use crate::report::Report;
use crate::target::Target;
use crate::wire::{Outcome, Request};

const PUPILS: usize = 40;
const ADDRESS: &str = "198.51.100.7";
/// How long everything may take.
const LESSON: Duration = Duration::from_secs(60);

/// Lets them in.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let arguments = ["--registration", "open", "--trusted-proxy", "127.0.0.1"];
    let target = Target::start(plan, "class", &arguments).await?;
    let begun = Instant::now();
    let name = |pupil: usize| format!("pupil{pupil:02}");
    let password =
        |pupil: usize| format!(r#"{{"name":"{}","password":"{PASSWORD}"}}"#, name(pupil));
    let as_guest = |pupil: usize, path: &str, body: String| {
        Request::new("POST", path).bearer(&guest(pupil)).json(&body)
    };
    all(&target, report, "name themselves", |pupil| {
        as_guest(pupil, "/v1/me", format!(r#"{{"name":"Guest {pupil}"}}"#))
    })
    .await;
    all(&target, report, "register", |pupil| {
        Request::new("POST", "/v1/account").json(&password(pupil))
    })
    .await;
    all(&target, report, "sign in", |pupil| {
        Request::new("POST", "/v1/session").json(&password(pupil))
    })
    .await;
    let tables = all(&target, report, "make a table", |pupil| {
        let body = r#"{"terms":{"time":"5+3"},"side":"white"}"#.to_owned();
        as_guest(pupil, "/v1/tables", body)
    })
    .await;
    all(&target, report, "sit down", |pupil| {
        let game = tables.get(pupil).cloned().unwrap_or_default();
        as_guest(
            PUPILS + pupil,
            &format!("/v1/tables/{game}/seat"),
            "{}".to_owned(),
        )
    })
    .await;
    let took = begun.elapsed();
    report.note(format!(
        "{PUPILS} names, registrations, sign-ins, tables and seats of one address in {:.1} s",
        took.as_secs_f64()
    ));
    report.must(took < LESSON, || {
        format!("a class of {PUPILS} took {took:?}")
    });
    target.finish(report).await
}

/// All pupils do the same. Gives the games that they were told.
async fn all(
    target: &Target,
    report: &mut Report,
    what: &str,
    request: impl Fn(usize) -> Request,
) -> Vec<String> {
    let mut sending = JoinSet::new();
    for pupil in 0..PUPILS {
        let (way, request) = (target.proxy(), request(pupil).from(ADDRESS));
        sending.spawn_local(async move { (pupil, request.send(&way).await) });
    }
    let mut answers: Vec<(usize, Outcome)> = sending.join_all().await;
    answers.sort_by_key(|&(pupil, _)| pupil);
    let mut games = Vec::new();
    for (pupil, outcome) in answers {
        let is_in = matches!(outcome.status(), Some(200..=299));
        if let Outcome::Answer(answer) = &outcome {
            games.push(answer.text("game").unwrap_or_default());
        }
        report.must(is_in, || {
            let outcome: String = format!("{outcome:?}").chars().take(400).collect();
            format!("pupil {pupil} could not {what}: {outcome}")
        });
    }
    games
}
