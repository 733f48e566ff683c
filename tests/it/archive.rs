//! The archive that `dist/archive` builds for people without a compiler: its contents, and that its program runs.
//! It contains the program under test, so that nothing is built twice.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// A script that calls the program under test, to be packed in its place.
fn program(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("program");
    let text = format!(
        "#!/bin/sh\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_touchmove")
    );
    fs::write(&path, text).expect("a program");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program that runs");
    path
}

fn said(command: &mut Command) -> String {
    let output = command.output().expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_archive_has_the_program_its_papers_manual_pages_and_completions() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("archive");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let archive = said(
        Command::new(root.join("dist/archive"))
            .arg("--binary")
            .arg(program(&folder))
            .arg("--into")
            .arg(folder.join("out")),
    );
    let archive = Path::new(archive.trim());
    let file = archive
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    let version = env!("CARGO_PKG_VERSION");
    assert!(file.starts_with(&format!("touchmove-{version}-")), "{file}");

    let unpacked = folder.join("unpacked");
    fs::create_dir_all(&unpacked).expect("a folder");
    said(
        Command::new("tar")
            .arg("-xzf")
            .arg(archive)
            .arg("-C")
            .arg(&unpacked),
    );
    let inside = unpacked.join(file.trim_end_matches(".tar.gz"));
    for name in [
        "README.md",
        "CHANGELOG.md",
        "TEAM.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "man/touchmove.1",
        "man/touchmove-play.1",
        "man/touchmove-winnable.1",
        "completions/touchmove.bash",
        "completions/touchmove.fish",
        "completions/_touchmove",
        "completions/touchmove.elv",
        "completions/_touchmove.ps1",
    ] {
        let length = fs::metadata(inside.join(name)).map_or(0, |data| data.len());
        assert!(length > 100, "{name} has {length} bytes");
    }
    let licences = fs::read_to_string(inside.join("LICENSES-OF-DEPENDENCIES.txt")).expect("text");
    assert!(
        licences.contains("==== ratatui ") && licences.contains("Permission is hereby granted")
    );
    assert!(
        !licences.contains("==== touchmove"),
        "we are no dependency of ours"
    );
    let count = said(Command::new(inside.join("touchmove")).args(["perft", "3"]));
    assert!(count.starts_with("nodes 8902\n"), "{count}");
}
