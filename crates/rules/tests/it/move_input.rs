//! Typed moves are understood as people mean them, and each way to go wrong has an error of its own.

use touchmove_rules::{AnyPosition, Variant};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PAWN_AND_BISHOP: &str = "4k3/8/8/8/8/2p5/1P1B4/4K2R w K - 0 1";
const PAWN_ALONE: &str = "4k3/8/8/8/8/2p5/1P6/B3K2R w K - 0 1";
const PAWN_AND_FAR_BISHOP: &str = "4k3/8/8/8/8/2p5/1P6/4KB2 w - - 0 1";
const BISHOP_ALONE: &str = "4k3/8/8/8/8/2p5/P2B4/4K2R w K - 0 1";
const PINNED_PAWN: &str = "4k3/8/8/8/8/b1p5/1P1B4/2K5 w - - 0 1";
const PROMOTION: &str = "3nk3/4P3/8/8/8/8/1P6/4K3 w - - 0 1";
const KNIGHTS: &str = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1";
const BOTH_WINGS: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
const TWO_CAPTURES: &str = "4k3/8/8/3p4/3pP3/4P3/8/4K3 w - - 0 1";
const RANKS: &str = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";

/// The move in SAN, or the code of the error.
fn said(variant: Variant, fen: &str, text: &str) -> String {
    let position = AnyPosition::from_fen(fen, variant).unwrap();
    match position.read_input(text) {
        Ok(mv) => position.san(mv).to_string(),
        Err(misread) => misread.code().to_owned(),
    }
}

#[test]
fn what_people_type_is_what_they_mean() {
    for (fen, text, means) in [
        (START, "e2e4", "e4"),
        (START, "e2 e4", "e4"),
        (START, "e2-e4", "e4"),
        (START, " E2 - E4 ", "e4"),
        (START, "e2->e4", "e4"),
        (START, "e2 → e4", "e4"),
        (START, "E2E4", "e4"),
        (START, "e4", "e4"),
        (START, "E4", "e4"),
        (START, "b4", "b4"),
        (START, "B4", "b4"),
        (START, "1. e4!?", "e4"),
        (START, "1... e4", "e4"),
        (START, "e4.", "e4"),
        (START, "Pe4", "e4"),
        (START, "Nf3", "Nf3"),
        (START, "nf3", "Nf3"),
        (START, "NF3", "Nf3"),
        (START, "Ng1-f3", "Nf3"),
        (START, "ng1f3", "Nf3"),
        (START, "♘f3", "Nf3"),
        (START, "Nxf3+", "Nf3"),
        (PAWN_AND_FAR_BISHOP, "B2b4", "b4"),
        (PAWN_AND_BISHOP, "bxc3", "bxc3"),
        (PAWN_AND_BISHOP, "Bxc3", "Bxc3"),
        (PAWN_AND_BISHOP, "b2xc3", "bxc3"),
        (PAWN_AND_BISHOP, "bc3", "bxc3"),
        (PAWN_AND_BISHOP, "bxC3", "bxc3"),
        (PAWN_ALONE, "BXC3", "bxc3"),
        (BISHOP_ALONE, "BXC3", "Bxc3"),
        (BISHOP_ALONE, "bxc3", "Bxc3"),
        (PAWN_ALONE, "O-O", "O-O"),
        (PAWN_ALONE, "0-0", "O-O"),
        (PAWN_ALONE, "o-o", "O-O"),
        (PAWN_ALONE, "OO", "O-O"),
        (PAWN_ALONE, "O–O", "O-O"),
        (PAWN_ALONE, "e1g1", "O-O"),
        (PAWN_ALONE, "e1h1", "O-O"),
        (PAWN_ALONE, "Kg1", "O-O"),
        (PROMOTION, "exd8=Q", "exd8=Q+"),
        (PROMOTION, "exd8Q", "exd8=Q+"),
        (PROMOTION, "exd8q", "exd8=Q+"),
        (PROMOTION, "EXD8Q", "exd8=Q+"),
        (PROMOTION, "e7d8n", "exd8=N"),
        (PROMOTION, "e7xd8=r", "exd8=R+"),
        (PROMOTION, "e7 d8 b", "exd8=B"),
        (PROMOTION, "exd8(N)", "exd8=N"),
        (PROMOTION, "exd8(Q)+", "exd8=Q+"),
        (KNIGHTS, "Ngf3", "Ngf3"),
        (KNIGHTS, "ndf3", "Ndf3"),
        (KNIGHTS, "N2f3", "Ndf3"),
        (RANKS, "b2c3", "bxc3"),
        (RANKS, "B2c3", "Bxc3"),
        (START, "e2 to e4", "e4"),
        (START, "E2 TO E4", "e4"),
        (START, "e2,e4", "e4"),
        (START, "e2, e4", "e4"),
        (START, "pawn e4", "e4"),
        (START, "pawn to e4", "e4"),
        (START, "knight f3", "Nf3"),
        (START, "Knight to f3", "Nf3"),
        (START, "knight g1 to f3", "Nf3"),
        (PAWN_AND_BISHOP, "bishop takes c3", "Bxc3"),
        (PAWN_AND_BISHOP, "b takes c3", "bxc3"),
        (PAWN_AND_BISHOP, "pawn takes c3", "bxc3"),
        (PAWN_AND_BISHOP, "bc", "bxc3"),
        (PAWN_AND_BISHOP, "bxc", "bxc3"),
        (PAWN_AND_BISHOP, "b takes c", "bxc3"),
        (PAWN_ALONE, "castle", "O-O"),
        (PAWN_ALONE, "Castle Kingside", "O-O"),
        (PAWN_ALONE, "short castling", "O-O"),
        (BOTH_WINGS, "castle queenside", "O-O-O"),
        (BOTH_WINGS, "castles long", "O-O-O"),
        (PROMOTION, "e takes d8 queen", "exd8=Q+"),
        (PROMOTION, "e7 takes d8 becomes a knight", "exd8=N"),
        (PROMOTION, "e7 d8 rook", "exd8=R+"),
    ] {
        assert_eq!(said(Variant::Chess, fen, text), means, "{text:?} in {fen}");
    }
}

#[test]
fn every_way_to_go_wrong_has_its_own_answer() {
    for (fen, text, answer) in [
        (START, "", "invalid_move"),
        (START, "hello", "invalid_move"),
        (START, "e9", "invalid_move"),
        (START, "i4", "invalid_move"),
        (START, "e2e4e5", "invalid_move"),
        (START, "--", "invalid_move"),
        (START, "O-O-O-O", "invalid_move"),
        (START, "O--O", "invalid_move"),
        (START, "-O-O", "invalid_move"),
        (START, "O-O-", "invalid_move"),
        (START, "E2E4X", "invalid_move"),
        (START, "e2e4x", "invalid_move"),
        (START, "e2e4xx", "invalid_move"),
        (START, "xe2e4", "invalid_move"),
        (START, "e2e4-", "invalid_move"),
        (START, "-e2e4", "invalid_move"),
        (START, "e-2e4", "invalid_move"),
        (START, "e2e-4", "invalid_move"),
        (START, "e2e4=", "invalid_move"),
        (START, "e2=e4", "invalid_move"),
        (START, "e2)e4", "invalid_move"),
        (START, "e4)", "invalid_move"),
        (START, "e2e4z", "invalid_move"),
        (START, "e2e4 e7e5", "invalid_move"),
        (START, "e2éé", "invalid_move"),
        (PROMOTION, "e7d8=", "invalid_move"),
        (PROMOTION, "e7d8-q", "invalid_move"),
        (PROMOTION, "e7d8qx", "invalid_move"),
        (START, "é4", "invalid_move"),
        (START, "e2e5", "wrong_way"),
        (START, "e5", "wrong_way"),
        (START, "Re5", "no_piece_goes_there"),
        (START, "Ra3", "path_blocked"),
        (START, "Nf6", "no_piece_goes_there"),
        (START, "exd3", "pawn_needs_capture"),
        (START, "0-0", "castling_blocked"),
        (START, "e7e5", "not_your_piece"),
        (START, "e4e5", "no_piece"),
        (START, "e8=Q", "wrong_way"),
        (START, "Nf3=Q", "promotion_not_a_pawn"),
        (KNIGHTS, "Qd4", "no_such_piece"),
        (KNIGHTS, "e4", "no_such_piece"),
        (KNIGHTS, "Nf3", "ambiguous_move"),
        (PAWN_AND_BISHOP, "BXC3", "ambiguous_move"),
        (RANKS, "B2C3", "ambiguous_move"),
        (PINNED_PAWN, "bxc3", "pinned"),
        (PAWN_ALONE, "Bxc3", "path_blocked"),
        (PAWN_AND_FAR_BISHOP, "Bxc3", "wrong_way"),
        (PAWN_AND_FAR_BISHOP, "Bh8", "wrong_way"),
        (PROMOTION, "exd8", "promotion_missing"),
        (PROMOTION, "e7d8", "promotion_missing"),
        (PROMOTION, "exd8=K", "promotion_not_allowed"),
        (PROMOTION, "e8=Q", "pawn_cannot_capture_straight"),
        (START, "e e4", "invalid_move"),
        (START, "ee4", "invalid_move"),
        (START, "ed", "no_such_capture"),
        (START, "ea", "invalid_move"),
        (START, "ede", "invalid_move"),
        (START, "xed", "invalid_move"),
        (START, "edx", "invalid_move"),
        (START, "castle", "castling_blocked"),
        (START, "castle e4", "invalid_move"),
        (START, "knight", "invalid_move"),
        (START, "knight e5", "no_piece_goes_there"),
        (BOTH_WINGS, "castle", "ambiguous_move"),
        (TWO_CAPTURES, "ed", "ambiguous_move"),
        (PROMOTION, "ed", "promotion_missing"),
    ] {
        assert_eq!(said(Variant::Chess, fen, text), answer, "{text:?} in {fen}");
    }
}

#[test]
fn variants_have_answers_of_their_own() {
    for (variant, fen, text, answer) in [
        (
            Variant::SimpleAtomic,
            PAWN_ALONE,
            "O-O",
            "no_castling_in_variant",
        ),
        (Variant::SimpleAtomic, PROMOTION, "exd8", "exd8#"),
        (
            Variant::SimpleAtomic,
            PROMOTION,
            "exd8=Q",
            "no_promotion_in_variant",
        ),
        (
            Variant::Atomic,
            "4k3/8/8/3p4/3K4/8/8/8 w - - 0 1",
            "Kxd5",
            "king_cannot_capture",
        ),
        (
            Variant::Chess960,
            "4k3/8/8/8/8/8/8/R1K5 w A - 0 1",
            "o-o-o",
            "O-O-O",
        ),
        (
            Variant::Chess960,
            "4k3/8/8/8/8/8/8/R1K5 w A - 0 1",
            "c1a1",
            "O-O-O",
        ),
    ] {
        assert_eq!(said(variant, fen, text), answer, "{text:?} in {fen}");
    }
}

/// [000-14] The side to move is checked before anything else.
#[test]
fn the_opponents_man_is_not_moved_however_it_is_named() {
    for text in [
        "e7e5", "E7E5", "e7e4", "e7e7", "a8h1", "e7e8q", "Ng8f6", "Ng8a1", "ng8f6",
    ] {
        assert_eq!(
            said(Variant::Chess, START, text),
            "not_your_piece",
            "{text}"
        );
    }
    assert_eq!(said(Variant::Chess, START, "Ng4f6"), "no_such_piece");
}

/// [002-5, 002-7]
#[test]
fn what_may_be_typed_are_moves_that_the_variant_has() {
    for variant in Variant::ALL {
        let misread = AnyPosition::start(variant).read_input("xyzzy").unwrap_err();
        let sentence = misread.to_string();
        let has_all = variant != Variant::SimpleAtomic;
        assert_eq!(
            sentence.contains("O-O") && sentence.contains("e8=Q"),
            has_all
        );
        assert_eq!(
            sentence.ends_with("type e2e4, Nf3 or exd5"),
            !has_all,
            "{sentence}"
        );
    }
}

#[test]
fn a_choice_is_spelt_out() {
    let sentence = |fen, text| {
        let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
        position.read_input(text).unwrap_err().to_string()
    };
    assert_eq!(
        sentence(PROMOTION, "exd8"),
        "say what the pawn becomes: exd8=Q+, exd8=R+, exd8=B, exd8=N"
    );
    assert_eq!(
        sentence(KNIGHTS, "Nf3"),
        "\"Nf3\" can be Ngf3 or Ndf3: type which one"
    );
    assert_eq!(sentence(KNIGHTS, "Qd4"), "White has no queen on the board");
    assert_eq!(sentence(KNIGHTS, "e4"), "White has no pawn on the e-file");
    assert_eq!(sentence(START, "Nf6"), "no knight of White's goes to f6");
}

#[test]
fn a_near_miss_suggests_the_nearest_legal_moves() {
    for (fen, text, near) in [
        (START, "Nf4", &["Nf3"][..]),
        (START, "e2e5", &["e4"]),
        (START, "Nfe", &["Nf3"]),
        (PAWN_ALONE, "O-O-O", &["O-O"]),
        (START, "xyzzy", &[]),
    ] {
        let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
        let moves = position.did_you_mean(text);
        let sans: Vec<_> = moves
            .iter()
            .map(|&mv| position.san(mv).to_string())
            .collect();
        assert_eq!(sans, near, "{text:?} in {fen}");
    }
}
