//! `touchmove people` and `touchmove backup` as a shell sees them: in a new folder, in one that a server has open,
//! and with invalid arguments.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use touchmove_accounts::{Accounts, Name, Scope, Scopes, Secret};
use touchmove_store::{PersonKind, Sqlite, Store};

use crate::support::program::{Run, run, run_with};

/// A folder of its own for each test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("people-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn people(&self, arguments: &[&str]) -> Run {
        self.with_input(arguments, "")
    }

    fn with_input(&self, arguments: &[&str], input: &str) -> Run {
        let data = self.0.to_str().unwrap();
        run(&[&["people"], arguments, &["--data", data]].concat(), input)
    }

    fn backup(&self, arguments: &[&str]) -> Run {
        let data = self.0.to_str().unwrap();
        run(&[&["backup", "--data", data], arguments].concat(), "")
    }

    /// Opens the store as a server does.
    fn open(&self) -> Arc<Sqlite> {
        Arc::new(Sqlite::open(self.file("touchmove.db")).unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(work)
}

/// The printed token, which must be the only output.
#[track_caller]
fn token(run: &Run) -> Secret {
    assert_eq!(run.code, 0, "{}", run.err);
    let line = run.out.strip_suffix('\n').unwrap();
    let secret = Secret::read(line).unwrap_or_else(|| panic!("{line:?}"));
    assert!(secret.is_token());
    let words = run.err.trim_end();
    assert!(words.starts_with("touchmove: ") && !words.contains('\n'));
    assert!(!words.contains(line), "the secret is in the words");
    secret
}

/// Asserts a refusal: one sentence, and nothing on standard output.
#[track_caller]
fn refused(run: &Run, sentence: &str) {
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    assert!(run.err.contains(sentence), "{}", run.err);
    assert_eq!(run.err.trim_end().lines().count(), 1, "{}", run.err);
}

#[test]
fn an_account_is_added_before_the_first_server_and_its_token_is_good() {
    let folder = Folder::new("first");
    let anna = token(&folder.people(&["add", "Anna"]));
    let engine = token(&folder.people(&["add", "my-engine", "--bot"]));
    let people = Accounts::new(folder.open());
    wait(async {
        let bearer = people
            .authenticate_token(anna.reveal())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(bearer.person.name, "Anna");
        assert_eq!(
            (bearer.person.kind, bearer.scopes),
            (PersonKind::Human, Scopes::ALL)
        );
        let bearer = people
            .authenticate_token(engine.reveal())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(bearer.person.kind, PersonKind::Bot);
        // Nobody can sign in to an account without a password.
        assert!(people.sign_in("Anna", "").await.is_err());
    });
}

#[test]
fn everything_works_while_a_server_has_the_store_open() {
    let folder = Folder::new("open");
    let server = folder.open();
    let people = Accounts::new(Arc::clone(&server) as Arc<dyn Store>);
    let anna = token(&folder.people(&["add", "Anna"]));
    let who = |secret: &Secret| wait(people.authenticate_token(secret.reveal()));
    assert_eq!(who(&anna).unwrap().unwrap().person.name, "Anna");

    let scopes = ["--scope", "board:play", "--scope", "challenge:read"];
    let board = [
        &["token", "anna", "--label", "my board", "--days", "30"],
        &scopes[..],
    ]
    .concat();
    let board = token(&folder.people(&board));
    let bearer = who(&board).unwrap().unwrap();
    assert!(bearer.scopes.allow(Scope::BoardPlay) && !bearer.scopes.allow(Scope::Host));
    assert!(bearer.expires.is_some());

    let listed = folder.people(&["token", "Anna", "--list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    let tokens = listed["tokens"].as_array().unwrap();
    let labels: Vec<_> = tokens.iter().map(|token| &token["label"]).collect();
    assert!(labels.len() == 2 && labels.contains(&&"my board".into()));
    let of_board = tokens.iter().find(|token| token["label"] == "my board");
    let handle = of_board.unwrap()["token"].as_str().unwrap();
    let plain = folder.people(&["token", "Anna", "--list"]);
    assert!(plain.out.contains(handle) && plain.out.contains("board:play challenge:read"));
    assert!(!plain.out.contains(&board.reveal()[3..]) && !plain.out.contains("tm_"));

    let revoked = folder.people(&["token", "Anna", "--revoke", handle]);
    assert_eq!(
        (revoked.code, revoked.out.as_str()),
        (0, ""),
        "{}",
        revoked.err
    );
    assert_eq!(who(&board), Ok(None));
    assert!(who(&anna).unwrap().is_some());

    let keeping = ["password", "Anna", "--keep-tokens"];
    let set = folder.with_input(&keeping, "1. e4 e5 2. f4\n");
    assert_eq!((set.code, set.out.as_str()), (0, ""), "{}", set.err);
    let (cookie, _) = wait(people.sign_in("Anna", "1. e4 e5 2. f4")).unwrap();
    assert_eq!(folder.people(&["disable", "ANNA"]).code, 0);
    assert_eq!(wait(people.authenticate_session(cookie.reveal())), Ok(None));
    assert!(who(&anna).is_err());
    let list = folder.people(&["list"]);
    assert!(list.out.contains("Anna") && list.out.contains("closed since 20"));
    assert_eq!(folder.people(&["enable", "Anna"]).code, 0);
    assert!(who(&anna).unwrap().is_some());

    let copy = folder.file("copy.db");
    let made = folder.backup(&[copy.to_str().unwrap()]);
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.contains("is a copy of") && made.out.trim_end().ends_with("bytes"));
    let copied = Accounts::new(Arc::new(Sqlite::open(&copy).unwrap()));
    assert!(
        wait(copied.authenticate_token(anna.reveal()))
            .unwrap()
            .is_some()
    );
    // A new password revokes the tokens, except with `--keep-tokens`; so does `--revoke-all`.
    let set = folder.with_input(&["password", "Anna"], "1. d4 d5 2. c4\n");
    assert!(
        set.err.contains("tokens that were revoked: 1"),
        "{}",
        set.err
    );
    assert_eq!(who(&anna), Ok(None));
    let lasting = token(&folder.people(&["token", "Anna", "--days", "0"]));
    assert_eq!(who(&lasting).unwrap().unwrap().expires, None);
    assert_eq!(folder.people(&["token", "Anna", "--revoke-all"]).code, 0);
    assert_eq!(who(&lasting), Ok(None));
    // The server was not disturbed.
    assert_eq!(wait(server.check()), Ok(Vec::new()));
}

#[test]
fn names_that_cannot_be_had_are_refused_with_a_sentence() {
    let folder = Folder::new("names");
    let long = "x".repeat(100_000);
    for (name, sentence) in [
        ("admin", "is reserved"),
        ("Anna B", "the name of an account has letters"),
        ("Аnna", "of several scripts"),
        ("an\u{202e}na", "U+202E cannot be seen"),
        ("", "at least one letter or digit"),
        (&long, "is too long"),
    ] {
        refused(&folder.people(&["add", name]), sentence);
    }
    assert!(!folder.file("touchmove.db").exists(), "no store for nobody");
    token(&folder.people(&["add", "Ian"]));
    for name in ["Ian", "IAN", "lan", "1an"] {
        refused(
            &folder.people(&["add", name]),
            "is taken, or looks like one that is",
        );
    }
    assert!(Name::account("Ian").is_ok());
}

#[test]
fn what_is_not_there_is_said_and_not_made() {
    let folder = Folder::new("missing");
    let asked: [&[&str]; 5] = [
        &["list"],
        &["disable", "Anna"],
        &["enable", "Anna"],
        &["token", "Anna"],
        &["password", "Anna"],
    ];
    for arguments in asked {
        refused(&folder.people(arguments), "there is no store");
    }
    refused(&folder.backup(&["copy.db"]), "there is no store");
    assert!(fs::read_dir(&folder.0).unwrap().next().is_none());
    token(&folder.people(&["add", "Bert"]));
    for arguments in &asked[1..] {
        refused(
            &folder.people(arguments),
            "there is nobody with the name Anna",
        );
    }
    let revoked = folder.people(&["token", "Bert", "--revoke", "0"]);
    refused(&revoked, "tokens of Bert begin with");
    let scope = folder.people(&["token", "Bert", "--scope", "everything"]);
    assert!(scope.code == 2 && scope.err.contains("\"everything\" is not a scope"));
    let json = folder.people(&["token", "Nobody-here", "--list", "--json"]);
    assert!(json.code == 2 && json.out.starts_with("{\"error\":\"there is nobody"));
}

#[test]
fn everybody_is_listed_in_order() {
    let folder = Folder::new("list");
    for name in ["Zoe", "anna", "Борис"] {
        token(&folder.people(&["add", name]));
    }
    token(&folder.people(&["add", "Carl", "--bot"]));
    let list = folder.people(&["list"]);
    let names: Vec<_> = list
        .out
        .lines()
        .map(|line| line.split(' ').next())
        .collect();
    assert_eq!(names, ["anna", "Carl", "Zoe", "Борис"].map(Some));
    let json = folder.people(&["list", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let carl = &json["people"][1];
    assert_eq!(
        (&carl["name"], &carl["kind"]),
        (&"Carl".into(), &"bot".into())
    );
    assert_eq!(carl["password"], false);
    assert!(carl["disabled"].is_null() && carl["created"].as_u64() > Some(1_600_000_000_000));
}

#[test]
fn a_password_comes_from_a_pipe_and_is_never_shown() {
    let folder = Folder::new("password");
    token(&folder.people(&["add", "Anna"]));
    let long = "x".repeat(1_000_000);
    for (input, sentence) in [
        ("", "too short"),
        ("1234567\n", "too short"),
        (long.as_str(), "too long"),
    ] {
        let set = folder.with_input(&["password", "Anna"], input);
        refused(&set, sentence);
    }
    for input in [
        "secret-é-1\n",
        "secret-é-1\r\n",
        "secret-é-1",
        "secret-é-1\nmore\n",
    ] {
        let set = folder.with_input(&["password", "Anna"], input);
        assert_eq!((set.code, set.out.as_str()), (0, ""), "{}", set.err);
        assert!(!set.err.contains("secret"));
        let people = Accounts::new(folder.open());
        assert!(wait(people.sign_in("Anna", "secret-é-1")).is_ok());
    }
    let file = fs::read(folder.file("touchmove.db")).unwrap();
    let text = String::from_utf8_lossy(&file);
    assert!(!text.contains("secret-é-1") && !text.contains("tm_"));
}

#[test]
fn a_backup_overwrites_nothing_unless_told_and_never_the_store() {
    let folder = Folder::new("backup");
    let anna = token(&folder.people(&["add", "Anna"]));
    let copy = folder.file("copy.db");
    let name = copy.to_str().unwrap();
    fs::write(&copy, "notes").unwrap();
    refused(
        &folder.backup(&[name]),
        "exists already: --force overwrites it",
    );
    assert_eq!(fs::read(&copy).unwrap(), b"notes");
    assert_eq!(folder.backup(&[name, "--force"]).code, 0);
    let store = folder.file("touchmove.db");
    let itself = folder.backup(&[store.to_str().unwrap(), "--force"]);
    refused(&itself, "belongs to the store itself");
    let nowhere = folder.file("no/such/folder.db");
    refused(
        &folder.backup(&[nowhere.to_str().unwrap()]),
        "cannot be written",
    );

    // Restored as the help text says.
    let help = run(&["backup", "--help"], "");
    assert!(help.out.contains("To restore a backup: stop the server"));
    let restored = Folder::new("restored");
    fs::copy(&copy, restored.file("touchmove.db")).unwrap();
    let people = Accounts::new(restored.open());
    assert!(
        wait(people.authenticate_token(anna.reveal()))
            .unwrap()
            .is_some()
    );
}

#[test]
fn a_backup_needs_the_name_of_a_file_and_says_once_what_the_system_says() {
    let folder = Folder::new("backup-place");
    token(&folder.people(&["add", "Anna"]));
    let data = folder.0.to_str().unwrap();
    for arguments in [&[data][..], &[data, "--force"]] {
        let sentence = format!("{data} is a folder: a backup needs the name of a file\n");
        refused(&folder.backup(arguments), &sentence);
    }
    let nowhere = folder.file("nodir/copy.db");
    let nowhere = nowhere.to_str().unwrap();
    let missing = "No such file or directory (os error 2)";
    refused(
        &folder.backup(&[nowhere]),
        &format!("touchmove: the backup {nowhere} cannot be written: {missing}\n"),
    );

    // Without `PATH` there is no pg_dump.
    let copy = folder.file("copy.dump");
    let database = "postgres://anna@127.0.0.1:1/games";
    let arguments = ["backup", "--store", database, copy.to_str().unwrap()];
    let dumped = run_with(&arguments, "", &[("PATH", data)]);
    refused(&dumped, "pg_dump");
    assert_eq!(dumped.err.matches(missing).count(), 1, "{}", dumped.err);

    let other = Folder::new("backup-place-of-a-folder");
    fs::create_dir(other.file("touchmove.db")).unwrap();
    let opened = other.backup(&[copy.to_str().unwrap()]);
    refused(&opened, "cannot be opened");
    let reason = "unable to open";
    assert_eq!(opened.err.matches(reason).count(), 1, "{}", opened.err);
    let mut left = fs::read_dir(&folder.0).unwrap();
    assert!(!left.any(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().contains("copy")
    }));
}

#[test]
fn a_store_of_another_program_or_version_is_refused() {
    let folder = Folder::new("foreign");
    fs::write(folder.file("touchmove.db"), "recipes\n".repeat(200)).unwrap();
    refused(
        &folder.people(&["add", "Anna"]),
        "is not a store of touchmove",
    );
    refused(&folder.people(&["list"]), "is not a store of touchmove");
    let copy = folder.file("copy.db");
    refused(&folder.backup(&[copy.to_str().unwrap()]), "is not a store");
    assert!(!copy.exists());
}

#[test]
fn the_folder_is_found_by_the_environment_too() {
    let folder = Folder::new("environment");
    let touchmove = |variables: &[(&str, &Path)], name: &str| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_touchmove"));
        program.args(["people", "add", name]).env_clear();
        program.envs(variables.iter().copied()).output().unwrap()
    };
    let (data, home, told) = (
        folder.file("data"),
        folder.file("home"),
        folder.file("told"),
    );
    let of_home = home.join(".local/share/touchmove/touchmove.db");
    assert!(touchmove(&[("HOME", &home)], "Anna").status.success());
    assert!(of_home.exists());
    let variables: [(&str, &Path); 2] = [("HOME", &home), ("XDG_DATA_HOME", &data)];
    assert!(touchmove(&variables, "Anna").status.success());
    assert!(data.join("touchmove/touchmove.db").exists());
    let variables: [(&str, &Path); 2] = [("HOME", &home), ("TOUCHMOVE_SERVER_DATA", &told)];
    assert!(touchmove(&variables, "Anna").status.success());
    assert!(told.join("touchmove.db").exists());
    let nowhere = touchmove(&[], "Anna");
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("there is no place for data"));
}
