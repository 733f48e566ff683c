//! Names as users and attackers write them.

use proptest::prelude::*;

use crate::name::*;

#[test]
fn names_that_look_alike_collide() {
    let alike = [
        ("paypal", "pаypаl", "Cyrillic a"),
        ("paypal", "PAYPAL", "case"),
        ("paypal", "ｐａｙｐａｌ", "full width"),
        ("paypal", "𝐩𝐚𝐲𝐩𝐚𝐥", "mathematical"),
        ("paypal", "paypaI", "capital i for l"),
        ("paypal", "paypa1", "one for l"),
        ("Ilya", "llya", "capital i for l"),
        ("Ilya", "1lya", "one for l"),
        ("modern", "rnodem", "rn and m, both ways"),
        ("Magnus", "rnagnus", "capital M is a small one too"),
        ("Boris", "Воris", "Cyrillic capital V"),
        ("anna", "аnnа", "Cyrillic a"),
        ("OOOO", "0o0O", "zero"),
        ("strasse", "straße", "sharp s"),
        ("σας", "ΣΑΣ", "final sigma"),
        ("Kasparov", "Kasparov", "the sign for kelvin"),
        ("cafe\u{301}", "café", "an accent apart"),
        ("ОНА", "OHA", "Cyrillic and Latin"),
        ("Tal", "Таl", "Cyrillic T and a"),
        ("fischer", "ﬁscher", "a ligature"),
    ];
    for (one, other, how) in alike {
        let (one, other) = (Name::guest(one).unwrap(), Name::guest(other).unwrap());
        assert_eq!(one.skeleton(), other.skeleton(), "{how}");
    }
}

#[test]
fn names_that_do_not_look_alike_do_not_collide() {
    let names = [
        "anna",
        "anne",
        "ann",
        "bert",
        "carl",
        "dora",
        "eva",
        "tal",
        "fischer",
        "café",
        "cafe",
        "anna-1",
        "anna_1",
        "anna1x",
        "анна",
        "борис",
        "ελένη",
        "大山",
        "محمد",
        "דוד",
        "müller",
        "muller",
        "paul-x",
    ];
    for (at, one) in names.iter().enumerate() {
        for other in &names[..at] {
            let skeletons = [one, other].map(|name| skeleton(name));
            assert_ne!(skeletons[0], skeletons[1], "{one} and {other}");
        }
    }
}

#[test]
fn accounts_may_be_in_any_script_but_in_one() {
    let good = [
        "a",
        "7",
        "Anna",
        "anna-of-vienna",
        "x_y",
        "Müller",
        "Jürgen67",
        "Борис",
        "Ελένη",
        "大山康晴",
        "たろう太郎",
        "김철수",
        "محمد",
        "דוד",
        "विश्वनाथन",
        "ｆｕｌｌ",
        "twenty-characters-xy",
        "Nguyễn",
    ];
    for name in good {
        assert!(
            Name::account(name).is_ok(),
            "{name}: {:?}",
            Name::account(name)
        );
    }
    let bad = [
        ("Аnna", NameError::Scripts),
        ("annа", NameError::Scripts),
        ("Анна-x", NameError::Scripts),
        ("Anna B", NameError::NotForAccounts(' ')),
        ("a/b", NameError::NotForAccounts('/')),
        ("a?b", NameError::NotForAccounts('?')),
        ("a%41", NameError::NotForAccounts('%')),
        ("a.b", NameError::NotForAccounts('.')),
        ("a@b", NameError::NotForAccounts('@')),
        ("<b>", NameError::NotForAccounts('<')),
        ("a'b", NameError::NotForAccounts('\'')),
        ("a\u{661}", NameError::NotForAccounts('\u{661}')),
        ("a♔", NameError::NotForAccounts('♔')),
        ("-anna", NameError::Beginning),
        ("_anna", NameError::Beginning),
        ("--help", NameError::Beginning),
        ("twenty-one-characters", NameError::TooLong),
    ];
    for (name, why) in bad {
        assert_eq!(Name::account(name), Err(why), "{name}");
    }
}

#[test]
fn guests_may_be_called_what_can_be_printed() {
    for name in [
        "Anna of Vienna",
        "Dr. No",
        "Anna ♔",
        "O'Kelly",
        "7",
        "Анна & Bob",
        "Zoë",
        "x y z",
        "Ана😀",
    ] {
        assert_eq!(
            Name::guest(name).map(|name| name.to_string()),
            Ok(name.to_owned())
        );
    }
    let bad = [
        ("", NameError::Empty),
        (" ", NameError::Empty),
        ("...", NameError::Empty),
        ("😀", NameError::Empty),
        ("\u{301}", NameError::Empty),
        (" Anna", NameError::Spaces),
        ("Anna ", NameError::Spaces),
        ("Anna  B", NameError::Spaces),
        ("An\tna", NameError::Unprintable('\t')),
        ("An\nna", NameError::Unprintable('\n')),
        ("An\0na", NameError::Unprintable('\0')),
        ("An\u{1b}[31m", NameError::Unprintable('\u{1b}')),
        ("An\u{85}na", NameError::Unprintable('\u{85}')),
        ("An\u{a0}na", NameError::Unprintable('\u{a0}')),
        ("An\u{2003}na", NameError::Unprintable('\u{2003}')),
        ("An\u{200b}na", NameError::Unprintable('\u{200b}')),
        ("An\u{200d}na", NameError::Unprintable('\u{200d}')),
        ("An\u{202e}na", NameError::Unprintable('\u{202e}')),
        ("An\u{2066}na", NameError::Unprintable('\u{2066}')),
        ("An\u{200f}na", NameError::Unprintable('\u{200f}')),
        ("An\u{61c}na", NameError::Unprintable('\u{61c}')),
        ("An\u{ad}na", NameError::Unprintable('\u{ad}')),
        ("An\u{34f}na", NameError::Unprintable('\u{34f}')),
        ("An\u{fe0f}na", NameError::Unprintable('\u{fe0f}')),
        ("An\u{feff}na", NameError::Unprintable('\u{feff}')),
        ("An\u{2028}na", NameError::Unprintable('\u{2028}')),
        ("An\u{3164}na", NameError::Unprintable('\u{3164}')),
        ("An\u{115f}na", NameError::Unprintable('\u{115f}')),
        ("An\u{2800}na", NameError::Unprintable('\u{2800}')),
        ("An\u{e000}na", NameError::Unprintable('\u{e000}')),
        ("An\u{e0041}na", NameError::Unprintable('\u{e0041}')),
        ("An\u{fff9}na", NameError::Unprintable('\u{fff9}')),
        ("An\u{ffff}na", NameError::Unprintable('\u{ffff}')),
        ("An\u{10ffff}na", NameError::Unprintable('\u{10ffff}')),
        ("An\u{378}na", NameError::Unprintable('\u{378}')),
        ("a\u{301}\u{302}\u{303}", NameError::Accents),
        ("\u{301}a", NameError::Accents),
        ("a \u{301}b", NameError::Accents),
        ("éeeeeeeeeeeeeeeeeeeee", NameError::TooLong),
        (
            "大山康晴大山康晴大山康晴大山康晴大山康晴大",
            NameError::TooLong,
        ),
        ("𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀𠀀", NameError::TooLong),
    ];
    for (name, why) in bad {
        assert_eq!(Name::guest(name), Err(why.clone()), "{name:?}");
        let sentence = why.to_string();
        assert!(!sentence.chars().any(char::is_control), "{sentence:?}");
    }
    assert_eq!(Name::guest(&"x".repeat(1_000_000)), Err(NameError::TooLong));
    let flood = format!("a{}", "\u{301}".repeat(100));
    assert_eq!(Name::guest(&flood), Err(NameError::TooLong));
}

#[test]
fn nobody_is_taken_for_the_house() {
    for name in [
        "admin",
        "Admin",
        "ADMIN",
        "аdmin",
        "adrnin",
        "ａｄｍｉｎ",
        "touchrnove",
    ] {
        let refused = |name: Result<Name, NameError>| matches!(name, Err(NameError::Reserved(_)));
        assert!(refused(Name::guest(name)), "{name}");
    }
    for word in RESERVED_NAMES.iter().chain(GUEST_ONLY_NAMES) {
        assert!(Name::account(word).is_err(), "{word}");
    }
    for name in ["administer", "Guest", "robot-7", "Anna-bot", "Al", "White"] {
        assert!(Name::guest(name).is_ok(), "{name}");
    }
    assert!(Name::account("Al").is_ok() && Name::account("AI").is_err());
}

#[test]
fn what_looks_latin_is_compared_as_latin_or_refused() {
    // Small nu looks like v, and the capital like N.
    assert_eq!(Name::account("ΝΟΑ"), Err(NameError::Disguised));
    assert_eq!(Name::guest("ΗΑΝ"), Err(NameError::Disguised));
    let skeleton_of = |name| Name::account(name).unwrap().skeleton().to_owned();
    assert_eq!(skeleton_of("οναι"), skeleton_of("oval"));
    assert_eq!(skeleton_of("Сара"), skeleton_of("capa"));
    assert!(Name::account("Νίκος").is_ok());
    assert_eq!(skeleton_of("ΝΊΚΟΣ"), skeleton_of("νίκος"));
    assert_eq!(skeleton_of("НАТАША"), skeleton_of("Наташа"));
}

#[test]
fn the_same_name_is_the_same_in_every_case_only() {
    let ian = Name::account("Ian").unwrap();
    assert!(ian.is("ian") && ian.is("IAN") && ian.is("ｉａｎ"));
    assert!(!ian.is("lan") && !ian.is("1an"));
}

proptest! {
    #[test]
    fn whatever_is_typed_is_a_name_or_refused_in_a_sentence(text in any::<String>()) {
        for name in [Name::guest(&text), Name::account(&text)] {
            match name {
                Ok(name) => assert_name(&name),
                Err(error) => prop_assert!(!error.to_string().chars().any(char::is_control)),
            }
        }
    }

    #[test]
    fn letters_of_all_kinds_are_a_name_or_refused(text in "[\\p{L}\\p{M}\\p{N}_ -]{1,12}") {
        for name in [Name::guest(&text), Name::account(&text)].into_iter().flatten() {
            assert_name(&name);
        }
    }
}

fn assert_name(name: &Name) {
    let text = name.as_str();
    assert!((1..=MAX_NAME_BYTES).contains(&text.len()) && text.chars().count() <= MAX_NAME_CHARS);
    assert_eq!(text.trim(), text);
    // The shown form can be typed again, in either case, and is the same name.
    let again = Name::guest(text).unwrap();
    assert_eq!(again, *name);
    assert!(!name.skeleton().is_empty());
    assert_eq!(skeleton(&text.to_lowercase()), name.skeleton(), "{text}");
    assert_eq!(skeleton(name.skeleton()), name.skeleton(), "{text}");
}

#[test]
fn every_letter_there_is_keeps_its_skeleton() {
    let mut names = 0;
    for letter in '\0'..=char::MAX {
        if let Ok(name) = Name::guest(letter.encode_utf8(&mut [0; 4])) {
            assert_name(&name);
            names += 1;
        }
    }
    assert!(names > 100_000, "{names}");
}
