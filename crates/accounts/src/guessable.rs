//! Detects passwords that are guessed first: common ones in any disguise, names, sequences and repetitions.
//! Several unrelated words are none of these.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::password::MIN_PASSWORD_CHARS;

/// Common passwords and the words that others are made of, in lower case.
const LIST: &str = include_str!("common_passwords.txt");

/// The lines of the list, and the words in them without decoration.
static COMMON: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lines = LIST.lines().map(str::to_owned);
    let words = LIST.lines().filter_map(|line| {
        let chars: Vec<char> = line.trim_matches(is_decoration).chars().collect();
        let word = plain(&chars, 'l');
        let is_word = chars.len() >= MIN_WORD_CHARS && word.chars().all(char::is_alphabetic);
        is_word.then_some(word)
    });
    lines.chain(words).collect()
});

/// The fewest letters of a word that is taken from a decorated line of the list.
const MIN_WORD_CHARS: usize = 4;
/// The most digits and signs around a word that are ignored.
const MAX_DECORATION_CHARS: usize = 10;
/// The fewest letters of a name that is searched in a password.
const MIN_NAME_CHARS: usize = 3;
/// The fewest letters required beside a name, and characters beside sequences.
const MIN_OTHER_CHARS: usize = 4;
/// The fewest different characters of a password.
const MIN_DISTINCT_CHARS: usize = 4;
/// A part shorter than this, in characters, must not be repeated.
const MIN_REPEATED_CHARS: usize = 8;
/// The fewest characters of a sequence.
const MIN_RUN_CHARS: usize = 4;

/// Keys in the order of the keyboard.
const KEY_ROWS: [&str; 11] = [
    "1234567890",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "qsdfghjklm",
    "zxcvbnm",
    "yxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn",
    "1q2w3e4r5t6y7u8i9o0p",
    "a1b2c3d4e5f6g7h8i9",
];

/// Whether a password, in lower case, is in the list: whatever digits and signs are around it or replace its
/// letters.
pub(crate) fn is_common(password: &str) -> bool {
    COMMON.contains(password)
        || meanings(password).iter().any(|meaning| {
            COMMON.contains(meaning.as_str()) || COMMON.contains(repeated_part(meaning))
        })
}

/// Whether a password is a name, once or repeated, with little beside it. Both are in lower case.
pub(crate) fn is_name(password: &str, name: &str) -> bool {
    let letters = |text: &str| -> String { text.chars().filter(|c| c.is_alphabetic()).collect() };
    let bare = |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
    let name_letters = letters(name);
    if !name_letters.is_empty() && letters(password) == name_letters {
        return true;
    }
    if name_letters.chars().count() < MIN_NAME_CHARS {
        return false;
    }
    let name_chars: Vec<char> = name.chars().collect();
    let names = ['l', 'i'].map(|one| plain(&name_chars, one));
    let is_meant = |meaning: &String| {
        let part = repeated_part(meaning);
        names.iter().any(|name| name == part || name == meaning)
    };
    let whole = bare(password);
    let rest = whole.replace(&bare(name), "");
    let other_letters = letters(&rest).chars().count();
    let has_little_else = rest.len() < whole.len()
        && other_letters < MIN_OTHER_CHARS
        && rest.chars().count() - other_letters <= MAX_DECORATION_CHARS;
    has_little_else || meanings(password).iter().any(is_meant)
}

/// Whether a password has few different characters, repeats a short part, or is little more than sequences.
pub(crate) fn is_simple(password: &str) -> bool {
    let chars: Vec<char> = password.chars().collect();
    let distinct: HashSet<char> = chars.iter().copied().collect();
    if chars.len() < MIN_PASSWORD_CHARS || distinct.len() < MIN_DISTINCT_CHARS {
        return true;
    }
    let word: Vec<char> = password.trim_matches(is_decoration).chars().collect();
    let has_bare_word = chars.len() - word.len() <= MAX_DECORATION_CHARS;
    repeats_short_part(&chars)
        || (has_bare_word && repeats_short_part(&word))
        || other_than_runs(&chars) < MIN_OTHER_CHARS
}

/// Digits and signs, which people put before and after a word.
fn is_decoration(c: char) -> bool {
    !c.is_alphabetic()
}

/// Replaces digits and signs by the letters that they look like, and removes what separates words. The digit
/// one may stand for `l` or `i`, so the caller chooses.
fn plain(chars: &[char], one: char) -> String {
    let letter = |&c: &char| match c {
        '0' => 'o',
        '1' => one,
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '!' => 'i',
        c => c,
    };
    let letters = chars.iter().map(letter);
    letters.filter(|c| c.is_alphanumeric()).collect()
}

/// The words that a password may be based on: with less and less of the decoration around them.
fn meanings(password: &str) -> Vec<String> {
    let chars: Vec<char> = password.chars().collect();
    let before = chars.iter().take_while(|&&c| is_decoration(c)).count();
    if before == chars.len() {
        return Vec::new();
    }
    let backwards = chars.iter().rev();
    let after = backwards.take_while(|&&c| is_decoration(c)).count();
    let mut meanings = Vec::new();
    for first in 0..=before.min(MAX_DECORATION_CHARS) {
        for last in 0..=after.min(MAX_DECORATION_CHARS - first) {
            let word = chars.get(first..chars.len() - last).unwrap_or_default();
            meanings.extend(['l', 'i'].map(|one| plain(word, one)));
        }
    }
    meanings
}

/// The shortest part of which a text is a repetition; otherwise the text itself.
fn repeated_part(text: &str) -> &str {
    let lengths = (1..=text.len() / 2).filter(|length| text.len().is_multiple_of(*length));
    let mut parts = lengths.filter_map(|length| text.get(..length));
    let part = parts.find(|part| part.repeat(text.len() / part.len()) == text);
    part.unwrap_or(text)
}

/// Whether a text repeats a short part; the last repetition may be incomplete.
fn repeats_short_part(chars: &[char]) -> bool {
    let repeats = |length: usize| {
        let (part, rest) = chars.split_at(length);
        let cycle = part.iter().cycle();
        rest.iter().zip(cycle).all(|(one, other)| one == other)
    };
    (1..=chars.len() / 2)
        .take_while(|&length| length < MIN_REPEATED_CHARS)
        .any(repeats)
}

/// How many characters are outside of sequences; spaces do not count.
fn other_than_runs(chars: &[char]) -> usize {
    let (mut rest, mut others) = (chars, 0);
    while let Some((first, after)) = rest.split_first() {
        let length = run_length(rest);
        if length >= MIN_RUN_CHARS {
            rest = rest.get(length..).unwrap_or_default();
        } else {
            others += usize::from(!first.is_whitespace());
            rest = after;
        }
    }
    others
}

/// The length of the sequence at the beginning of a text: of the alphabet, of digits, of neighbouring keys, or
/// of one character, forwards or backwards.
fn run_length(chars: &[char]) -> usize {
    let step = |pair: &[char]| match pair {
        &[one, other] => i64::from(u32::from(other)) - i64::from(u32::from(one)),
        _ => i64::MAX,
    };
    let in_order = |wanted: i64| {
        let pairs = chars.windows(2);
        1 + pairs.take_while(|pair| step(pair) == wanted).count()
    };
    let is_in_row = |length: &usize| {
        let part = chars.get(..*length).unwrap_or_default();
        let forwards: String = part.iter().collect();
        let backwards: String = part.iter().rev().collect();
        let has_part = |row: &str| row.contains(&forwards) || row.contains(&backwards);
        KEY_ROWS.iter().any(|row| has_part(row))
    };
    let in_row = (1..=chars.len()).take_while(is_in_row).count();
    [in_order(-1), in_order(0), in_order(1), in_row]
        .into_iter()
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::password::{PasswordError, check_new, validate};

    #[test]
    fn passwords_that_are_tried_first_are_refused() {
        for common in [
            "password",
            "PASSWORD",
            "Password1",
            " password ",
            "P@ssw0rd",
            "qwertz123",
            "ＰＡＳＳＷＯＲＤ",
            "iloveyou",
            "letmein123",
            "Schachmatt",
            "trustno1",
        ] {
            assert_eq!(
                check_new(common, &[]),
                Err(PasswordError::Common),
                "{common}"
            );
        }
    }

    #[test]
    fn the_list_is_in_order_and_has_many_words() {
        let lines: Vec<&str> = LIST.lines().collect();
        assert!(lines.is_sorted_by(|one, next| one < next));
        for line in &lines {
            assert_eq!(*line, line.trim().to_lowercase());
            if validate(line).is_ok() {
                assert_eq!(check_new(line, &[]), Err(PasswordError::Common), "{line}");
            }
        }
        let is_word = |line: &&&str| line.len() >= 6 && line.chars().all(char::is_alphabetic);
        let words = lines.iter().filter(is_word).count();
        assert!(words >= 1_000, "{words}");
    }

    #[test]
    fn a_common_password_in_disguise_is_still_common() {
        for common in [
            "Passw0rd!!",
            "p@ssword2024",
            "letmein!!",
            "let me in!!",
            "Summer2024",
            "!!Herbst-2026",
            "May-2024!!",
            "monkey123!",
            "m0nk3y2026",
            "kingandqueen",
            "King & Queen",
            "1L0veYou!",
            "$un5h1n3",
            "dragondragon1",
            "2024Liverpool",
            "ch3ckm4t3!",
            "asdfghjkl1",
        ] {
            assert_eq!(
                check_new(common, &[]),
                Err(PasswordError::Common),
                "{common}"
            );
        }
    }

    #[test]
    fn simple_passwords_are_refused() {
        for simple in [
            "        ",
            "aaaaaaaaa",
            "AAAAAAAAA",
            "..........",
            "abababab",
            "aabbaabbaabb",
            "abcdefghijk",
            "zyxwvuts",
            "34567890",
            "98765432",
            "lkjhgfdsa",
            "wertzuio",
            "jklvjklvjklv",
            "a       ",
            "äöüäöüäöü",
            "13571357",
            "12345678a",
            "a1234567b",
            "1qaz2wsx!a",
            "4321poiu!!",
            "blimpblimp",
            "quixotequixote",
            "grumbelgrumbel7",
            &"x".repeat(256),
        ] {
            assert_eq!(
                check_new(simple, &[]),
                Err(PasswordError::TooSimple),
                "{simple:?}"
            );
        }
        for good in [
            "1. e4 e5 2. f4",
            "a secret of Anna",
            "correct horse",
            "éàüößçñø",
            "tigerlily7",
            "summer rain on chess clocks",
            "monkey eats blue paper",
            "password of the old clockmaker",
            "dragon-87-teapot-12",
            "my dog plays 1. d4 in 1987",
            "kqjz81mvx0",
            "monkey4830219385710462",
        ] {
            assert_eq!(check_new(good, &["Anna"]), Ok(()), "{good:?}");
        }
    }

    #[test]
    fn names_are_refused_as_passwords() {
        let names = ["Magdalena", "chess.example", "touchmove"];
        for name in [
            "magdalena",
            "MAGDALENA",
            "Magdalena1",
            "magdalena2026!",
            "1 Magdalena",
            "chess.example",
            "ChessExample",
            "touchmove",
            "Touchmove1",
            "m4gd4l3n4!!",
            "magdalenaMagdalena",
            "touchmove 2026",
        ] {
            assert_eq!(check_new(name, &names), Err(PasswordError::Name), "{name}");
        }
        for name in ["Bob0c11Bob0c11", "bob0c11-bob0c11", "xBob0c11Bob0c11x"] {
            let names = ["Bob0c11"];
            assert_eq!(check_new(name, &names), Err(PasswordError::Name), "{name}");
        }
        assert_eq!(check_new("magdalena plays e4", &names), Ok(()));
        assert_eq!(check_new("3141592653", &["17"]), Ok(()));
    }
}
