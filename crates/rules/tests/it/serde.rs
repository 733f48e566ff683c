//! The forms of the feature `serde`: values survive a round trip, and invalid input is refused with a
//! sentence. What the texts mean is tested with their own parsers.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use touchmove_rules::{
    AnyPosition, Atomic, Bitboard, ByColor, CastlingSide, Chess, Color, Epd, Fen, File, MoveKind,
    Piece, Position, Rank, Role, San, Setup, Square, UciMove, Variant,
};

/// The value is written as this JSON, and the JSON is read back as the value.
fn both_ways<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(serde_json::to_string(&value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    let tree: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::from_value::<T>(tree).unwrap(), value);
}

fn refused<T: DeserializeOwned + Debug>(json: &str, says: &str) {
    let error = serde_json::from_str::<T>(json).unwrap_err().to_string();
    assert!(error.contains(says), "{json}: {error}");
}

#[test]
fn everything_is_written_as_players_write_it() {
    both_ways(Color::White, "\"white\"");
    both_ways(Square::E4, "\"e4\"");
    both_ways(File::H, "\"h\"");
    both_ways(Rank::Eighth, "\"8\"");
    both_ways(Role::Knight, "\"knight\"");
    both_ways(Role::Knight.of(Color::White), "\"N\"");
    both_ways(Variant::SimpleAtomic, "\"simple-atomic\"");
    both_ways(MoveKind::PawnLeftEnPassant, "\"Pawn Left En Passant\"");
    both_ways(CastlingSide::Queen, "\"queen\"");
    both_ways("e7e8q".parse::<UciMove>().unwrap(), "\"e7e8q\"");
    both_ways("Nbxd2".parse::<San>().unwrap(), "\"Nbxd2\"");
    both_ways(Square::H1.set() | Square::A1.set(), "[\"a1\",\"h1\"]");
    both_ways(Bitboard::EMPTY, "[]");
    both_ways(ByColor { white: 3, black: 5 }, "{\"white\":3,\"black\":5}");
    let start = "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    both_ways(Fen(Setup::start()), start);
    both_ways(Setup::start(), start);
    both_ways(Position::<Chess>::start(), start);
    let any = AnyPosition::start(Variant::Atomic);
    both_ways(any, &format!("{{\"variant\":\"atomic\",\"fen\":{start}}}"));
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;";
    both_ways(epd.parse::<Epd>().unwrap(), &format!("\"{epd}\""));
}

#[test]
fn every_value_comes_back() {
    fn all<T: Serialize + DeserializeOwned + PartialEq + Debug>(
        values: impl IntoIterator<Item = T>,
    ) {
        for value in values {
            let json = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value);
        }
    }
    all(Square::all());
    all(File::ALL);
    all(Rank::ALL);
    all(Role::ALL);
    all(Piece::all());
    all(Color::ALL);
    all(Variant::ALL);
    all(MoveKind::ALL);
    all(CastlingSide::ALL);
    all((0..960).filter_map(Setup::chess960));
}

#[test]
fn squares_are_keys_of_maps_too() {
    let men = std::collections::BTreeMap::from([(Square::E1, Role::King)]);
    assert_eq!(serde_json::to_string(&men).unwrap(), "{\"e1\":\"king\"}");
}

#[test]
fn junk_is_refused_with_a_sentence() {
    refused::<Square>("\"z9\"", "z9");
    refused::<Square>("12", "a square such as e4");
    refused::<File>("\"i\"", "a file from a to h");
    refused::<File>("\"\"", "a file from a to h");
    refused::<Rank>("8", "a rank from 1 to 8");
    refused::<Role>("\"wizard\"", "pawn, knight");
    refused::<Role>("\"Knight\"", "pawn, knight");
    refused::<Piece>("\"NN\"", "a letter of FEN");
    refused::<Variant>("\"bughouse\"", "simple-atomic");
    refused::<UciMove>("\"e2e9\"", "e2e9");
    refused::<UciMove>("\"E2E4\"", "E2E4");
    refused::<MoveKind>("\"Pawn Jump\"", "Pawn Two Steps");
    refused::<CastlingSide>("\"O-O\"", "king or queen");
    refused::<San>("\"castle!\"", "castle!");
    refused::<Bitboard>("[\"a1\",\"a1\"]", "a1 is there twice");
    refused::<Bitboard>("\"a1\"", "a list of squares");
    refused::<Fen>("\"8/8\"", "2 ranks");
    refused::<Setup>("null", "a FEN with six fields");
    refused::<Position<Chess>>("\"8/8/8/8/8/8/8/4K3 w - - 0 1\"", "Black has no king");
    refused::<Position<Atomic>>("\"8/8/8/8/8/8/8/8 w - - 0 1\"", "no man");
    refused::<AnyPosition>("{\"variant\":\"chess\"}", "fen");
    refused::<AnyPosition>("{\"more\":1,\"variant\":\"chess\"}", "more");
}
