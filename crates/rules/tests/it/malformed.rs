//! Malformed texts are refused with one clear sentence each, and never cause a panic.

use touchmove_rules::{
    AnyPosition, Color, Epd, Fen, ParseFenError, San, Square, UciMove, Variant, fen::Field,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A message for people: one line, not empty, not too long.
fn assert_sentence(error: &dyn std::fmt::Display, input: &str) {
    let text = error.to_string();
    assert!((15..400).contains(&text.len()), "{input:?}: {text}");
    assert!(!text.contains('\n'), "{input:?}: {text}");
}

#[test]
fn errors_of_fen_say_which_field_at_which_byte_and_what_was_found() {
    use Field::*;
    let cases: &[(&str, Field, usize, &str)] = &[
        ("", Placement, 0, "the end of the text"),
        (" ", Placement, 0, "a space"),
        ("8/8/8/8/8/8/8/8", Turn, 15, "ends before it"),
        ("8/8/8/8/8/8/8/8 ", Turn, 16, "the end of the text"),
        ("8/8/8/8/8/8/8/8  w - - 0 1", Turn, 16, "a space"),
        ("8/8/8/8/8/8/8/8 W - - 0 1", Turn, 16, "\"W\""),
        ("8/8/8/8/8/8/8/8 white - - 0 1", Turn, 16, "\"white\""),
        ("8/8/8/8/8/8/8 w - - 0 1", Placement, 13, "7 ranks"),
        (
            "8/8/8/8/8/8/8/8/8 w - - 0 1",
            Placement,
            15,
            "more than 8 ranks",
        ),
        ("8/8/8/8/8/8/8/7 w - - 0 1", Placement, 15, "rank 1 has 7"),
        ("8/8/8/8/8/8/8/9 w - - 0 1", Placement, 14, "'9'"),
        ("8/8/8/8/8/8/8/0 w - - 0 1", Placement, 14, "'0'"),
        ("8/8/8/8/8/8/8/44 w - - 0 1", Placement, 15, "two digits"),
        (
            "8/8/8/8/8/8/8/7kk w - - 0 1",
            Placement,
            16,
            "rank 1 has more than 8",
        ),
        ("8/8/8/8/7/8/8/8 w - - 0 1", Placement, 9, "rank 4 has 7"),
        ("8/8/8/8/8/8/8/x7 w - - 0 1", Placement, 14, "'x'"),
        ("8/8/8/8/8/8/8/♔7 w - - 0 1", Placement, 14, "'♔'"),
        ("8/8/8/8/8/8/8/8 w KQkqK - 0 1", Castling, 22, "second time"),
        ("8/8/8/8/8/8/8/8 w KX - 0 1", Castling, 19, "'X'"),
        ("8/8/8/8/8/8/8/8 w -- - 0 1", Castling, 18, "'-'"),
        ("8/8/8/8/8/8/8/8 w - e9 0 1", EnPassant, 20, "\"e9\""),
        ("8/8/8/8/8/8/8/8 w - E3 0 1", EnPassant, 20, "\"E3\""),
        ("8/8/8/8/8/8/8/8 w - e 0 1", EnPassant, 20, "\"e\""),
        ("8/8/8/8/8/8/8/8 w - - -1 1", Halfmoves, 22, "\"-1\""),
        ("8/8/8/8/8/8/8/8 w - - +1 1", Halfmoves, 22, "\"+1\""),
        ("8/8/8/8/8/8/8/8 w - - 0.5 1", Halfmoves, 22, "\"0.5\""),
        (
            "8/8/8/8/8/8/8/8 w - - 0 99999999999",
            Fullmoves,
            24,
            "99999999999",
        ),
        ("8/8/8/8/8/8/8/8 w - - 0 x", Fullmoves, 24, "\"x\""),
        ("8/8/8/8/8/8/8/8 w - - 0", Fullmoves, 23, "ends before it"),
        ("8/8/8/8/8/8/8/8 w - - 0 1 ", End, 25, "\" \""),
        ("8/8/8/8/8/8/8/8 w - - 0 1 bm e4;", End, 25, "bm e4"),
        ("8/8/8/8/8/8/8/8 w - - 0 1\n", Fullmoves, 24, "1\\n"),
        ("\t8/8/8/8/8/8/8/8 w - - 0 1", Placement, 0, "'\\t'"),
    ];
    for &(text, field, at, found) in cases {
        let error: ParseFenError = text.parse::<Fen>().unwrap_err();
        assert_eq!((error.field, error.at), (field, at), "{text:?}: {error}");
        assert!(error.to_string().contains(found), "{text:?}: {error}");
        assert_sentence(&error, text);
    }
}

#[test]
fn a_fen_with_one_byte_wrong_is_refused_or_still_a_fen() {
    for at in 0..START.len() {
        for wrong in ["", " ", "/", "9", "x", "é", "K", "-", "\0"] {
            let text = format!("{}{wrong}{}", &START[..at], &START[at + 1..]);
            match text.parse::<Fen>() {
                Err(error) => assert_sentence(&error, &text),
                Ok(fen) => {
                    if let Err(faults) = AnyPosition::from_setup(&fen.0, Variant::Chess) {
                        assert_sentence(&faults, &text);
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_not_a_move_a_square_a_colour_or_a_variant_is_refused_in_a_sentence() {
    let junk = [
        "",
        " ",
        "e",
        "4",
        "e9",
        "i4",
        "e44",
        "ee4",
        "é4",
        "e4 ",
        " e4",
        "e4e",
        "e4e9",
        "e4e5e6",
        "0000",
        "e2e4qq",
        "e2e4x",
        "E2E4",
        "e2-e4",
        "Nf",
        "Nf9",
        "Nfff3",
        "Nf3f",
        "Nxf",
        "Nxxf3",
        "x",
        "xx",
        "=Q",
        "e8=",
        "e8=X",
        "e8=QQ",
        "O",
        "O-",
        "O-O-",
        "O-O-O-O",
        "0-0-0-0",
        "o-o",
        "00",
        "OO",
        "Q",
        "K",
        "+",
        "#",
        "e4++",
        "e4+#",
        "e4!",
        "e4?!",
        "(e4)",
        "e4 e5",
        "1.",
        "1.e4",
        "♘f3",
        "Sf3",
        "Dd4",
        "resign",
        "null",
        "--",
        "-",
        "e4\0",
        "\u{feff}e4",
        "e4\n",
        "🙂",
        "𝐞𝟒",
        "ｅ４",
        "nf3q",
        "Nf3=",
        "bishop takes c3",
        "a1a1a1",
        "z",
        "0",
        "9",
        "-1",
        "999999999999999999999",
        "NaN",
    ];
    let long = "e".repeat(1_000_000);
    for text in junk.into_iter().chain([long.as_str()]) {
        if let Err(error) = text.parse::<San>() {
            assert_sentence(&error, text);
        }
        if let Err(error) = text.parse::<UciMove>() {
            assert_sentence(&error, text);
        }
        assert_sentence(&text.parse::<Square>().unwrap_err(), text);
        assert_sentence(&text.parse::<Color>().unwrap_err(), text);
        assert_sentence(&text.parse::<Variant>().unwrap_err(), text);
        assert_sentence(&text.parse::<Fen>().unwrap_err(), text);
        assert_sentence(&text.parse::<Epd>().unwrap_err(), text);
        for variant in Variant::ALL {
            let position = AnyPosition::start(variant);
            if let Err(error) = position.read_san(text) {
                assert_sentence(&error, text);
            }
            assert_sentence(&position.read_uci(text).unwrap_err(), text);
        }
    }
}

#[test]
fn epd_operations_that_do_not_end_are_refused() {
    let board = "8/8/8/8/8/8/8/8 w - -";
    for wrong in [
        " bm",
        " bm e4",
        " id \"open",
        " 4x y;",
        " ;",
        " bm e4; id",
        " \"a\";",
    ] {
        let text = format!("{board}{wrong}");
        assert_sentence(&text.parse::<Epd>().unwrap_err(), &text);
    }
    let counters: Epd = format!("{board} hmvc 12; fmvn 40;").parse().unwrap();
    assert_eq!(
        (counters.setup.halfmoves, counters.setup.fullmoves),
        (12, 40)
    );
}
