//! Authentication on a real store: as users, programs and attackers try it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use touchmove_accounts::{Accounts, Error, Name, Scope, Scopes, Secret, token_handle};
use touchmove_store::{Holder, LoginSession, Moment, Person, PersonKind, Sqlite, Store};

const PASSWORD: &str = "1. e4 e5 2. f4";

/// Accounts in a store of one test, deleted afterwards.
struct House {
    people: Accounts,
    store: Arc<Sqlite>,
    folder: PathBuf,
}

impl House {
    fn new(name: &str) -> House {
        let name = format!("touchmove-accounts-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let store = Arc::new(Sqlite::open(folder.join("touchmove.db")).unwrap());
        let people = Accounts::new(Arc::clone(&store) as Arc<dyn Store>);
        House {
            people,
            store,
            folder,
        }
    }

    async fn add(&self, name: &str, password: Option<&str>) -> Person {
        let name = Name::account(name).unwrap();
        let person = self
            .people
            .register(&name, PersonKind::Human, password)
            .await;
        person.unwrap()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn taken(name: &str) -> Error {
    let name = name.to_owned();
    Error::NameTaken { name }
}

#[tokio::test]
async fn an_account_is_found_by_its_name_and_by_nothing_that_looks_like_it() {
    let house = House::new("names");
    let ian = house.add("Ian", None).await;
    for name in ["Ian", "ian", "IAN"] {
        let found = house.people.find(name).await.unwrap();
        assert_eq!(found.as_ref(), Some(&ian), "{name}");
    }
    for name in [
        "lan",
        "1an",
        "Іan",
        "",
        "Ian ",
        "x\0y",
        &"x".repeat(100_000),
    ] {
        assert_eq!(house.people.find(name).await, Ok(None), "{name:.20}");
        let error = house
            .people
            .find_existing(name)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("there is nobody with the name ") && error.len() < 100);
    }
    for name in ["IAN", "lan", "1an"] {
        let name = Name::account(name).unwrap();
        let again = house.people.register(&name, PersonKind::Bot, None).await;
        assert_eq!(again, Err(taken(name.as_str())));
        assert_eq!(house.people.name_is_taken(&name).await, Ok(true));
    }
    let disguised = Name::guest("Іаn").unwrap();
    assert_eq!(house.people.name_is_taken(&disguised).await, Ok(true));
    let all = house.people.list(None, 10).await.unwrap();
    assert_eq!(all, [ian]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_had_by_one_of_many_who_want_it() {
    let house = House::new("race");
    let tasks: Vec<_> = ["Magnus", "magnus", "rnagnus", "MAGNUS", "Mаgnus", "mаgnus"]
        .into_iter()
        .map(|name| {
            let people = house.people.clone();
            // Registered as an account would be if the check had let it through.
            let name = Name::guest(name).unwrap();
            tokio::spawn(async move { people.register(&name, PersonKind::Human, None).await })
        })
        .collect();
    let mut had = 0;
    for task in tasks {
        had += usize::from(task.await.unwrap().is_ok());
    }
    assert_eq!(had, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_knows_the_password_is_let_in_and_nobody_else() {
    let house = House::new("sign-in");
    let anna = house.add("Anna", Some(PASSWORD)).await;
    assert!(anna.password.as_ref().unwrap().starts_with("$argon2id$"));
    house.add("Bot-without", None).await;
    let wrong = [
        ("Anna", "1. e4 e5 2. Nf3"),
        ("Anna", ""),
        ("Anna", anna.password.as_deref().unwrap()),
        ("Anna ", PASSWORD),
        ("Bert", PASSWORD),
        ("", ""),
        ("Bot-without", ""),
        ("Bot-without", PASSWORD),
        ("x\0", "y\0"),
    ];
    for (name, password) in wrong {
        let answer = house.people.sign_in(name, password).await;
        assert_eq!(answer, Err(Error::Wrong), "{name:?} {password:?}");
    }
    let long = "x".repeat(1_000_000);
    assert_eq!(house.people.sign_in(&long, &long).await, Err(Error::Wrong));

    let (cookie, who) = house.people.sign_in("ANNA", PASSWORD).await.unwrap();
    assert_eq!(who, anna);
    let visitor = house
        .people
        .authenticate_session(cookie.reveal())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(visitor.person, anna);
    // A cookie is no token, and a cookie that was never issued has no session.
    assert_eq!(
        house.people.authenticate_token(cookie.reveal()).await,
        Ok(None)
    );
    let other = Secret::cookie().unwrap();
    assert_eq!(
        house.people.authenticate_session(other.reveal()).await,
        Ok(None)
    );
    assert_eq!(house.people.sign_out(other.reveal()).await, Ok(false));
    assert_eq!(house.people.sign_out(cookie.reveal()).await, Ok(true));
    assert_eq!(
        house.people.authenticate_session(cookie.reveal()).await,
        Ok(None)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_password_ends_all_sessions() {
    let house = House::new("password");
    let anna = house.add("Anna", Some(PASSWORD)).await;
    let (first, _) = house.people.sign_in("Anna", PASSWORD).await.unwrap();
    let (second, _) = house.people.sign_in("Anna", PASSWORD).await.unwrap();
    let short = house.people.set_password(anna.id, "short").await;
    assert!(matches!(short, Err(Error::Password(_))));
    assert!(
        house
            .people
            .authenticate_session(first.reveal())
            .await
            .unwrap()
            .is_some()
    );
    let ended = house.people.set_password(anna.id, "1. d4 Nf6 2. c4").await;
    assert_eq!(ended, Ok(2));
    for cookie in [first, second] {
        assert_eq!(
            house.people.authenticate_session(cookie.reveal()).await,
            Ok(None)
        );
    }
    let old = house.people.sign_in("Anna", PASSWORD).await;
    assert_eq!(old, Err(Error::Wrong));
    assert!(
        house
            .people
            .sign_in("Anna", "1. d4 Nf6 2. c4")
            .await
            .is_ok()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_account_opens_no_door_until_it_is_opened_again() {
    let house = House::new("disabled");
    let anna = house.add("Anna", Some(PASSWORD)).await;
    let (cookie, _) = house.people.sign_in("Anna", PASSWORD).await.unwrap();
    let issued = house.people.issue_token(&anna, "", Scopes::ALL, None).await;
    let (token, _) = issued.unwrap();
    house.people.disable(anna.id).await.unwrap();
    let closed = Error::Disabled {
        name: "Anna".to_owned(),
    };
    assert_eq!(
        house.people.authenticate_session(cookie.reveal()).await,
        Ok(None)
    );
    assert_eq!(
        house.people.authenticate_token(token.reveal()).await,
        Err(closed.clone())
    );
    let signed = house.people.sign_in("Anna", PASSWORD).await;
    assert_eq!(signed, Err(closed));
    // Without the password nobody learns that the account is closed.
    let stranger = house.people.sign_in("Anna", "password").await;
    assert_eq!(stranger, Err(Error::Wrong));
    house.people.enable(anna.id).await.unwrap();
    assert!(
        house
            .people
            .authenticate_token(token.reveal())
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(
        house.people.authenticate_session(cookie.reveal()).await,
        Ok(None)
    );
    assert!(house.people.sign_in("Anna", PASSWORD).await.is_ok());
}

#[tokio::test]
async fn a_token_lets_in_until_it_expires_or_is_revoked() {
    let house = House::new("tokens");
    let anna = house.add("Anna", None).await;
    let bert = house.add("Bert", None).await;
    let scopes: Scopes = "bot:play challenge:read".parse().unwrap();
    let now = house.store.now().await.unwrap();
    let hour = Some(Duration::from_secs(3_600));
    let (secret, token) = house
        .people
        .issue_token(&anna, "my bot", scopes, hour)
        .await
        .unwrap();
    let bearer = house
        .people
        .authenticate_token(secret.reveal())
        .await
        .unwrap()
        .unwrap();
    assert_eq!((bearer.person.id, bearer.scopes), (anna.id, scopes));
    assert!(bearer.expires >= Some(now.plus_millis(3_600_000)));
    assert!(bearer.expires < Some(now.plus_millis(3_660_000)));
    assert!(!bearer.scopes.allow(Scope::BoardPlay));
    // The use was recorded, and neither the secret nor anything like it is stored.
    let kept = house.people.list_tokens(anna.id).await.unwrap();
    assert!(kept[0].last_used.is_some() && kept[0].hash == secret.digest());
    assert!(!format!("{kept:?} {secret:?}").contains(&secret.reveal()[3..]));
    // An expired token.
    let (over, _) = house
        .people
        .issue_token(&anna, "", scopes, Some(Duration::ZERO))
        .await
        .unwrap();
    assert_eq!(
        house.people.authenticate_token(over.reveal()).await,
        Ok(None)
    );
    for text in [
        "",
        "tm_",
        "Bearer x",
        &over.reveal()[..29],
        &secret.reveal().to_uppercase(),
    ] {
        assert_eq!(
            house.people.authenticate_token(text).await,
            Ok(None),
            "{text}"
        );
    }
    // Another account cannot revoke it, and one character is not enough.
    let of_token = token_handle(&token.hash);
    assert!(house.people.revoke_token(&bert, &of_token).await.is_err());
    assert!(house.people.revoke_token(&anna, "").await.is_err());
    assert!(
        house
            .people
            .revoke_token(&anna, &of_token[..3])
            .await
            .is_err()
    );
    assert!(house.people.revoke_token(&anna, "nothing").await.is_err());
    let revoked = house
        .people
        .revoke_token(&anna, &of_token[..6])
        .await
        .unwrap();
    assert_eq!(revoked.hash, token.hash);
    assert_eq!(
        house.people.authenticate_token(secret.reveal()).await,
        Ok(None)
    );
    let again = house
        .people
        .revoke_token(&anna, &of_token)
        .await
        .unwrap_err();
    assert!(again.to_string().starts_with("0 tokens of Anna begin with"));
    let covered = "e\u{301}".repeat(3) + &"\u{301}".repeat(20);
    for label in [
        "\u{1b}[31m",
        "a\nb",
        "\u{202e}board",
        "a\u{200b}b",
        &covered,
        &"x".repeat(101),
    ] {
        let refused = house.people.issue_token(&anna, label, scopes, None).await;
        assert_eq!(refused, Err(Error::Label { limit: 100 }));
    }
}

#[tokio::test]
async fn nobody_has_tokens_without_end() {
    let house = House::new("many-tokens");
    let anna = house.add("Anna", None).await;
    let issue = || house.people.issue_token(&anna, "", Scopes::NONE, None);
    for _ in 0..100 {
        issue().await.unwrap();
    }
    let refused = issue().await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Anna has 100 tokens, and nobody has more: revoke one first"
    );
    let newest = house.people.list_tokens(anna.id).await.unwrap().remove(0);
    house
        .people
        .revoke_token(&anna, &token_handle(&newest.hash))
        .await
        .unwrap();
    assert!(issue().await.is_ok());
}

#[tokio::test]
async fn all_tokens_of_a_person_are_revoked_together_and_nobody_elses() {
    let house = House::new("all-tokens");
    let anna = house.add("Anna", None).await;
    let bert = house.add("Bert", None).await;
    let mut secrets = Vec::new();
    for person in [&anna, &anna, &bert] {
        let issued = house
            .people
            .issue_token(person, "", Scopes::ALL, None)
            .await;
        secrets.push(issued.unwrap().0);
    }
    assert_eq!(house.people.revoke_all(anna.id).await, Ok(2));
    assert_eq!(house.people.revoke_all(anna.id).await, Ok(0));
    for (secret, is_valid) in secrets.iter().zip([false, false, true]) {
        let found = house
            .people
            .authenticate_token(secret.reveal())
            .await
            .unwrap();
        assert_eq!(found.is_some(), is_valid);
    }
}

#[tokio::test]
async fn a_session_that_is_used_lasts_on_and_one_that_is_not_ends() {
    let house = House::new("lasting");
    let anna = house.add("Anna", None).await;
    let now = house.store.now().await.unwrap();
    let session = |secret: &Secret, expires| LoginSession {
        hash: secret.digest(),
        holder: Holder::Person(anna.id),
        name: None,
        created: Moment(1),
        expires,
    };
    let [used, over] = [Secret::cookie(), Secret::cookie()].map(Result::unwrap);
    let soon = now.plus_millis(60_000);
    house.store.add_session(session(&used, soon)).await.unwrap();
    house.store.add_session(session(&over, now)).await.unwrap();
    assert!(
        house
            .people
            .authenticate_session(used.reveal())
            .await
            .unwrap()
            .is_some()
    );
    assert_eq!(
        house.people.authenticate_session(over.reveal()).await,
        Ok(None)
    );
    let month = now.plus_millis(29 * 24 * 3_600_000);
    let kept = house.store.session(used.digest(), month).await.unwrap();
    assert!(kept.is_some(), "it lasts for another month");
}

#[tokio::test]
async fn an_account_becomes_that_of_a_program() {
    let house = House::new("bot");
    let anna = house.add("Anna", None).await;
    house.people.make_bot(anna.id).await.unwrap();
    let found = house.people.find_existing("anna").await.unwrap();
    assert_eq!(found.kind, PersonKind::Bot);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_sign_in_at_once_without_taking_all_threads() {
    let house = House::new("crowd");
    house.add("Anna", Some(PASSWORD)).await;
    let tasks: Vec<_> = (0..12)
        .map(|number| {
            let people = house.people.clone();
            tokio::spawn(async move {
                let password = if number % 2 == 0 {
                    PASSWORD
                } else {
                    "password"
                };
                let signed = people.sign_in("Anna", password);
                // Every third caller gives up at once, which must not block the others.
                if number % 3 == 2 {
                    let soon = std::future::poll_fn(|_| std::task::Poll::Ready(()));
                    tokio::select! { _ = signed => {}, () = soon => {} }
                    return;
                }
                assert_eq!(signed.await.is_ok(), number % 2 == 0);
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}
