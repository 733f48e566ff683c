//! Hostile text with terminal escape sequences, and assertions about what may remain of it in the program's output.

use std::path::{Path, PathBuf};

/// Escape sequences for a title, the clipboard, a mode, a colour, a device string; the same with C1 controls;
/// reversed text; invisible characters; tags; line ends followed by a forged line. The numbers occur nowhere else.
pub const NASTY: &str = "Eve\x1b]0;OWNED\x07\x1b]52;c;T1dORUQ=\x1b\\\x1b[?6666h\x1b[6;66m\x1bPq6666\x1b\\\x1b_G6666\x1b\\\
    \u{9b}?6666h\u{9d}0;OWNED\u{9c}\u{90}6666\u{9c}\u{202e}txet\u{2066}\u{200b}\u{feff}\u{2028}INJECTED\u{e0041}\u{7f}\0\x08\
    \r\nINJECTED\rINJECTED\u{85}INJECTED";

/// The same without newlines, for single lines.
pub fn nasty_line() -> String {
    NASTY.replace(['\n', '\r', '\0'], "")
}

/// The same as a JSON string.
pub fn nasty_json() -> String {
    let quoted = serde_json::to_string(NASTY).expect("JSON");
    quoted.trim_matches('"').to_owned()
}

/// "Game Over" in red: the only escape sequences that the program itself writes to a pipe.
const OURS: &str = "\x1b[31mGame Over\x1b[0m";

/// Asserts that output to a pipe contains no escape sequences, no reversed or hidden text, and no forged line.
pub fn assert_harmless(bytes: &[u8], what: &str) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|_| panic!("{what}: no UTF-8"));
    let text = text.replace(OURS, "");
    for line in text.split('\n') {
        let is_kept =
            |c: char| matches!(c, '\t' | '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
        let wrong = line
            .chars()
            .find(|&c| touchmove_text::is_invisible(c) && !is_kept(c));
        assert!(wrong.is_none(), "{what}: {wrong:?} in {line:?}");
        assert!(
            !line.starts_with("INJECTED"),
            "{what}: a foreign line in {text}"
        );
    }
}

/// Asserts that output to a terminal contains no foreign escape sequence. Those of the full screen are ours.
pub fn assert_no_foreign_sequence(bytes: &[u8], what: &str) {
    let text = String::from_utf8_lossy(bytes);
    for sequence in [
        "\x1b]0;",
        "\x1b]2;",
        "\x1b]52;",
        "\x1b[?6666",
        "\x1b[6;66",
        "\x1bPq6666",
        "\x1b_G6666",
    ] {
        assert!(
            !text.contains(sequence),
            "{what}: {sequence:?} reached the terminal"
        );
    }
    let is_wrong = |c: char| {
        let is_ours = c.is_ascii() || c == '\u{fe0e}' || c == '\u{fe0f}';
        !is_ours && touchmove_text::is_invisible(c)
    };
    let wrong = text.chars().find(|&c| is_wrong(c));
    assert!(wrong.is_none(), "{what}: {wrong:?} reached the terminal");
    assert!(!text.contains(['\0', '\u{7f}']), "{what}: controls");
}

/// An empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file with these bytes.
pub fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// Games with the hostile text wherever a stranger can write: tags and their names, comments, moves, numbers,
/// glyphs, the result, the start; and the bytes of C1 controls that are not UTF-8.
pub fn games() -> Vec<u8> {
    let tag = NASTY.replace('"', "").replace('\\', "\\\\");
    let word = nasty_line().replace([' ', ';', '{', '}', '(', ')', '[', ']', '"', '$', '*'], "");
    let mut text = String::new();
    for name in [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "ECO",
        "TimeControl",
        "Termination",
        "Variant",
    ] {
        let value = if name == "Variant" {
            "Standard".to_owned()
        } else {
            tag.clone()
        };
        text += &format!("[{name} \"{value}\"]\n");
    }
    text += &format!(
        "[Result \"1-0\"]\n\n{{{tag}}} 1. e4 {{{tag}}} $1 e5 ({{{tag}}} 1... {word} d5) 2. Nf3 ; {word}\n"
    );
    text += &format!("2... Nc6 3. {word} $6666{word} {word}! 1-0\n\n");
    text += &format!("[White \"{tag}\"]\n[FEN \"{tag}\"]\n[{word} \"{tag}\"]\n\n1. e4 *\n\n");
    text += &format!(
        "[White \"{tag}\"]\n[Black \"?\"]\n[Variant \"{tag}\"]\n\n1. e4 {{{tag}}} {word}\n\n"
    );
    text +=
        &format!("[White \"{tag}\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# {{{tag}}} 0-1\n\n");
    let mut bytes = text.into_bytes();
    bytes.extend(b"[White \"\x9b?6666h\x9d0;OWNED\x9c\x1b]0;OWNED\x07\"]\n[Result \"1-0\"]\n\n1. e4 {\x9b?6666h} \x9b?6666h e5 1-0\n");
    bytes
}
