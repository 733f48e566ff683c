//! Backups: what they may overwrite, which files are beside them, and how they fail.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use touchmove_store::{
    BackupError, ConnectError, DumpError, Error, OpenError, Overwrite, Postgres, Sqlite,
};

use crate::support::Folder;

const BOTH: [Overwrite; 2] = [Overwrite::Never, Overwrite::Yes];

fn store(folder: &Folder) -> PathBuf {
    let path = folder.file("touchmove.db");
    drop(Sqlite::open(&path).unwrap());
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Asserts that both kinds of stores refuse to write here, with this sentence, and change nothing.
#[track_caller]
fn refuses(store: &Path, to: &Path, sentence: &str) {
    let sentence = format!("{} {sentence}", to.display());
    let before = names(to.parent().unwrap());
    // Nothing listens at this port of loopback.
    let nowhere = "postgres://anna:sesame@127.0.0.1:1/database";
    for overwrite in BOTH {
        let copied = Sqlite::copy(store, to, overwrite).unwrap_err();
        let dumped = Postgres::dump(nowhere, to, overwrite).unwrap_err();
        for error in [copied, dumped] {
            assert!(matches!(error, BackupError::NotAFile { .. }), "{error}");
            assert_eq!(error.to_string(), sentence);
        }
    }
    assert_eq!(names(to.parent().unwrap()), before);
}

#[test]
fn a_folder_is_no_place_for_a_backup() {
    let folder = Folder::new("backup-folder");
    let store = store(&folder);
    let to = folder.file("monday");
    fs::create_dir(&to).unwrap();
    let sentence = "is a folder: a backup needs the name of a file";
    refuses(&store, &to, sentence);
    assert!(to.is_dir());
    #[cfg(unix)]
    {
        let link = folder.file("link");
        std::os::unix::fs::symlink(&to, &link).unwrap();
        refuses(&store, &link, sentence);
        assert!(link.is_symlink() && to.is_dir());
    }
}

#[test]
fn a_file_that_somebody_has_put_beside_is_not_the_backups() {
    let folder = Folder::new("backup-beside");
    let store = store(&folder);
    let (to, beside) = (folder.file("monday.db"), folder.file("monday.db.part"));
    fs::write(&beside, "notes").unwrap();
    #[cfg(unix)]
    mode::set(&beside, 0o666);
    for overwrite in BOTH {
        let _ = fs::remove_file(&to);
        Sqlite::copy(&store, &to, overwrite).unwrap();
        assert_eq!(fs::read(&beside).unwrap(), b"notes");
        #[cfg(unix)]
        assert_eq!((mode::of(&to), mode::of(&beside)), (0o600, 0o666));
        drop(Sqlite::open(&to).unwrap());
    }
    let parts = names(&folder.file(""));
    assert_eq!(
        parts.iter().filter(|name| name.ends_with("part")).count(),
        1
    );
}

#[cfg(unix)]
mod mode {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    pub fn of(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    pub fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
}

#[cfg(unix)]
mod what_is_no_file {
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    use std::os::unix::net::UnixListener;
    use std::process::{Command, Stdio};

    use super::*;

    /// Runs a program that makes a file; prints that the test is skipped if it fails.
    fn is_made(program: &str, path: &Path, arguments: &[&str]) -> bool {
        let mut making = Command::new(program);
        making.arg(path).args(arguments).stderr(Stdio::null());
        let is_made = making.status().is_ok_and(|status| status.success());
        if !is_made {
            eprintln!("skipped: {program} makes nothing here (a device takes root)");
        }
        is_made
    }

    #[test]
    fn pipes_sockets_and_devices_stay_what_they_are() {
        let folder = Folder::new("backup-special");
        let store = store(&folder);
        let [pipe, socket, device] = ["pipe", "socket", "device"].map(|name| folder.file(name));
        if is_made("mkfifo", &pipe, &[]) {
            refuses(
                &store,
                &pipe,
                "is a pipe: a backup needs the name of a file",
            );
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
            let link = folder.file("link");
            symlink("pipe", &link).unwrap();
            refuses(
                &store,
                &link,
                "is a pipe: a backup needs the name of a file",
            );
            assert!(link.is_symlink());
        }
        let _listener = UnixListener::bind(&socket).unwrap();
        let sentence = "is a socket: a backup needs the name of a file";
        refuses(&store, &socket, sentence);
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
        // The device numbers of /dev/null.
        if is_made("mknod", &device, &["c", "1", "3"]) {
            let sentence = "is a device: a backup needs the name of a file";
            refuses(&store, &device, sentence);
            let found = fs::metadata(&device).unwrap().file_type();
            assert!(found.is_char_device());
        }
    }

    #[test]
    fn what_a_link_leads_to_is_replaced_in_its_own_folder_and_the_link_stays() {
        let folder = Folder::new("backup-link");
        let store = store(&folder);
        fs::create_dir(folder.file("kept")).unwrap();
        let (link, kept) = (folder.file("latest.db"), folder.file("kept/monday.db"));
        fs::write(&kept, "notes").unwrap();
        symlink("kept/monday.db", &link).unwrap();
        let error = Sqlite::copy(&store, &link, Overwrite::Never).unwrap_err();
        assert!(matches!(error, BackupError::Exists { .. }), "{error}");
        assert_eq!(fs::read(&kept).unwrap(), b"notes");
        Sqlite::copy(&store, &link, Overwrite::Yes).unwrap();
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("kept/monday.db"));
        assert_eq!(names(&folder.file("kept")), ["monday.db"]);
        assert_eq!(mode::of(&kept), 0o600);
        drop(Sqlite::open(&kept).unwrap());
    }

    #[test]
    fn a_link_to_nothing_is_refused_and_nothing_is_made_there() {
        let folder = Folder::new("backup-dangling");
        let store = store(&folder);
        let link = folder.file("latest.db");
        symlink("monday.db", &link).unwrap();
        let sentence = "is a link to nothing: a backup needs the name of a file";
        refuses(&store, &link, sentence);
        assert!(link.is_symlink() && !folder.file("monday.db").exists());
        // Nor where the store would later use the file itself.
        let log = folder.file("log");
        symlink("touchmove.db-journal", &log).unwrap();
        refuses(&store, &log, sentence);
    }
}

/// The error as the program prints it, with all its causes.
fn told(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut below = error.source();
    while let Some(cause) = below {
        told = format!("{told}: {cause}");
        below = cause.source();
    }
    told
}

#[test]
fn what_the_system_says_is_said_once() {
    let path = || PathBuf::from("monday.db");
    let system = || io::Error::other("the reason");
    let below = || Error::Failed("the reason".to_owned());
    let folder = || OpenError::Folder {
        folder: path(),
        error: system(),
    };
    let failed = || OpenError::Failed {
        path: path(),
        error: below(),
    };
    let connect = || ConnectError::Failed {
        place: "games".to_owned(),
        error: below(),
    };
    let program = || DumpError::Program { error: system() };
    let errors: [Box<dyn std::error::Error>; 10] = [
        Box::new(folder()),
        Box::new(failed()),
        Box::new(connect()),
        Box::new(program()),
        Box::new(BackupError::File {
            path: path(),
            error: system(),
        }),
        Box::new(BackupError::Failed {
            path: path(),
            error: below(),
        }),
        Box::new(BackupError::from(folder())),
        Box::new(BackupError::from(failed())),
        Box::new(BackupError::from(program())),
        Box::new(BackupError::from(DumpError::from(connect()))),
    ];
    for error in errors {
        let told = told(&*error);
        assert_eq!(told.matches("the reason").count(), 1, "{told}");
        assert!(error.source().is_none(), "{told}");
    }
}

#[test]
fn a_folder_that_is_not_there_is_told_in_one_sentence() {
    let folder = Folder::new("backup-nowhere");
    let store = store(&folder);
    let to = folder.file("nodir/monday.db");
    for overwrite in BOTH {
        let error = Sqlite::copy(&store, &to, overwrite).unwrap_err();
        let told = told(&error);
        assert!(told.contains("cannot be written: "), "{told}");
        assert_eq!(told.matches("os error").count(), 1, "{told}");
    }
}
