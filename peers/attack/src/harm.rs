//! What of an evil text would act on a terminal: everything that steers, turns around or hides and that the program
//! did not draw itself.

/// What is put into every evil text: a title, a colour, a copy to the clipboard, a mode, a place, a device string,
/// a command for pictures, the same in eight bits, a reversal, what nobody sees, and ends of lines with lines
/// of their own. The numbers occur nowhere else.
pub const EVIL: &str = "\u{1b}]0;ATTACK\u{7}\u{1b}[31mATTACK\u{1b}]52;c;QVRUQUNL\u{7}\u{1b}[?6666h\u{1b}[6;66m\
    \u{1b}P6666\u{1b}\\\u{1b}_G6666\u{1b}\\\u{9b}31m\u{9d}0;ATTACK\u{9c}\u{202e}ATTACK\u{2066}\u{200b}\u{feff}\
    \u{e0041}\u{7f}\u{8}\u{2028}ATTACKLINE\rATTACKLINE\u{85}ATTACKLINE\nATTACKLINE";
/// The word in an evil text that harms nobody: who shows it has shown what is left of the text.
pub const WORD: &str = "ATTACK";
/// What the lines of an evil text begin with.
const EVIL_LINE: &str = "ATTACKLINE";
/// A password in a file of a server's settings, which no message of the server may repeat.
pub const PASSWORD: &str = "attackpassword";

/// What the line mode writes itself: "Game Over" in red.
const OWN_COLOUR: &str = "\u{1b}[31mGame Over\u{1b}[0m";
/// Questions of the full screen to the terminal: whether it draws pictures, and its background.
const OWN_QUESTIONS: [&str; 2] = ["]11;?\u{1b}\\", "_Gi=31,"];
/// Sequences of [`EVIL`] that look like those of a full screen.
const FOREIGN_SEQUENCES: [&str; 3] = ["[31mATTACK", "[?6666", "[6;66"];
/// What may follow an escape where a screen is drawn: a sequence, its end, the cursor kept and found again, the keypad,
/// a set of letters, a reset.
const AFTER_ESCAPE: &str = "[\\78=>(Mc";

/// What acts on a terminal in a program's output. Where the program draws a screen, its own sequences are none.
pub fn harm(output: &[u8], draws: bool) -> Option<String> {
    if let Err(error) = std::str::from_utf8(output)
        // The last character may have been cut off with what was too much to keep.
        && let Some(length) = error.error_len()
    {
        let at = error.valid_up_to();
        let bytes = output[at..at + length].escape_ascii();
        return Some(format!(
            "\"{bytes}\", which is no UTF-8, reached the terminal"
        ));
    }
    let text = String::from_utf8_lossy(output);
    match draws {
        true => harm_on_screen(&text),
        false => harm_in_lines(&text),
    }
}

fn is_kept(c: char) -> bool {
    // Joiners and variants of emoji belong to words and signs.
    matches!(
        c,
        '\n' | '\t' | '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}'
    )
}

fn harm_in_lines(text: &str) -> Option<String> {
    if let Some(line) = text.lines().find(|line| line.starts_with(EVIL_LINE)) {
        return Some(format!("{line:?} is a line that the program did not write"));
    }
    let text = text.replace(OWN_COLOUR, "");
    let is_harmful = |c: &char| touchmove_text::is_invisible(*c) && !is_kept(*c);
    let found = text.chars().find(is_harmful);
    found.map(|c| format!("{c:?} reached the terminal"))
}

fn harm_on_screen(text: &str) -> Option<String> {
    for (at, c) in text.char_indices() {
        let is_own = match c {
            '\u{1b}' => is_own_sequence(&text[at + 1..]),
            // A terminal makes a new line of both.
            '\r' => true,
            c => is_kept(c) || !touchmove_text::is_invisible(c),
        };
        if !is_own {
            let beginning: String = text[at..].chars().take(12).collect();
            return Some(format!("{beginning:?} reached the terminal"));
        }
    }
    None
}

/// Whether what follows an escape may be the program's own. The output may end within it.
fn is_own_sequence(rest: &str) -> bool {
    let Some(first) = rest.chars().next() else {
        return true;
    };
    let is_question = |own: &&str| rest.starts_with(*own) || own.starts_with(rest);
    let is_foreign = |sequence: &&str| rest.starts_with(*sequence);
    match AFTER_ESCAPE.contains(first) {
        true => !FOREIGN_SEQUENCES.iter().any(is_foreign),
        false => OWN_QUESTIONS.iter().any(is_question),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_seen() {
        assert_eq!(harm("plain text\n\twith tabs".as_bytes(), false), None);
        assert_eq!(harm(format!("a{OWN_COLOUR}\n").as_bytes(), false), None);
        assert!(harm(EVIL.as_bytes(), true).is_some());
        assert!(harm(EVIL.as_bytes(), false).is_some());
        for text in [
            "a bell\u{7}",
            "an escape \u{1b}[1m",
            "hidden\u{200b}",
            "turned \u{2069}",
            "a mark \u{feff}",
            "a return\r",
            "another control \u{85}",
            "a file\nATTACKLINE is fine",
        ] {
            assert!(harm(text.as_bytes(), false).is_some(), "{text:?}");
        }
        assert!(harm(b"\x9b31m", false).is_some());
        assert_eq!(
            harm("cut off é".as_bytes().split_last().unwrap().1, false),
            None
        );
        assert_eq!(harm(b"a file ATTACKLINE is fine", false), None);
    }

    #[test]
    fn a_screen_is_the_programs_own_and_nothing_in_it_is_foreign() {
        let own = "\u{1b}]11;?\u{1b}\\\u{1b}_Gi=31,s=1;AAAA\u{1b}\\\u{1b}[2J\u{1b}[31m its own\r\n\u{1b}[?25h";
        assert_eq!(harm(own.as_bytes(), true), None);
        for text in [
            "\u{1b}]0;title",
            "\u{1b}]52;c;AAAA",
            "\u{1b}P6666",
            "\u{1b}_G6666",
            "\u{1b}[?6666h",
            "\u{1b}[6;66m",
            "\u{1b}[31mATTACK",
            "a bell\u{7}",
            "\u{9b}31m",
            "\u{202e}turned",
        ] {
            assert!(harm(text.as_bytes(), true).is_some(), "{text:?}");
        }
    }
}
