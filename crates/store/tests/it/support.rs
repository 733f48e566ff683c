//! Helpers of the tests: folders, small disks and child processes.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use touchmove_store::{
    AppendDecision, DueChange, GameChanges, GameId, GameSummary, Moment, NewGame, SeatHolders,
    StoredDecision, WriteId,
};

/// A folder for one test, deleted afterwards.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let name = format!("touchmove-store-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A small RAM disk; only root may mount one.
pub struct Disk(pub PathBuf);

impl Disk {
    /// Mounts it, or prints that the test is skipped.
    pub fn mount(folder: &Folder, name: &str, size: &str) -> Option<Disk> {
        let path = folder.file(name);
        std::fs::create_dir_all(&path).unwrap();
        if mount(
            &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"],
            &path,
        ) {
            return Some(Disk(path));
        }
        eprintln!("skipped: a small disk cannot be mounted here (that takes root)");
        None
    }

    pub fn remount(&self, is_read_only: bool) {
        let option = if is_read_only {
            "remount,ro"
        } else {
            "remount,rw"
        };
        assert!(mount(&["-o", option], &self.0), "remounted");
    }
}

fn mount(arguments: &[&str], path: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(arguments).arg(path).stderr(Stdio::null());
    mount.status().is_ok_and(|status| status.success())
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Starts a child process that runs one ignored test of this program, given with its module.
pub fn again(test: &str, variables: &[(&str, &Path)]) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            test,
            "--exact",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

pub fn id(n: u64) -> GameId {
    format!("{n:08}").parse().unwrap()
}

pub fn game(n: u64) -> NewGame {
    NewGame {
        id: id(n),
        mark: WriteId(u128::from(n)),
        created: Moment(n.cast_signed()),
        opening: "started".to_owned(),
        summary: GameSummary::of("chess", "friend"),
        seats: SeatHolders::default(),
        due: None,
    }
}

pub fn append(n: u64, first: u64, text: &str) -> AppendDecision {
    AppendDecision {
        game: id(n),
        decision: StoredDecision {
            first,
            last: first,
            mark: WriteId(u128::from(first)),
            text: text.to_owned(),
        },
        seat: None,
        changes: GameChanges {
            plies: Some(u32::try_from(first).unwrap()),
            last_activity: Some(Moment(first.cast_signed())),
            ..GameChanges::default()
        },
        due: DueChange::By(Moment(60_000)),
    }
}
