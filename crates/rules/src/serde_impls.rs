//! Serde for the types of the board, behind the feature `serde`: every type is written as players
//! write it, and invalid input is refused with the same message as by its parser. Games and
//! journals have formats of their own elsewhere.

use std::fmt::{self, Display};
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

use crate::{
    AnyPosition, Bitboard, CastlingSide, Epd, Fen, File, MoveKind, Piece, Position, Rank, Role,
    Rules, San, Setup, Square, UciMove, Variant,
};

/// A type that is serialized as a string.
trait TextForm: Sized {
    /// What the string should be, for error messages: "a square such as e4".
    const EXPECTED: &'static str;

    fn write(&self) -> impl Display;

    /// Parses the value, or says why it is invalid.
    fn read(text: &str) -> Result<Self, String>;
}

struct TextVisitor<T>(PhantomData<T>);

impl<T: TextForm> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        T::read(text).map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty),* $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&TextForm::write(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(TextVisitor(PhantomData))
            }
        }
    )*};
}

as_text! { UciMove, Epd, Fen, File, MoveKind, Piece, Rank, Role, San, Setup, Square, Variant, CastlingSide }

/// Types with `Display` and `FromStr`.
macro_rules! by_itself {
    ($($type:ty: $expected:literal),* $(,)?) => {$(
        impl TextForm for $type {
            const EXPECTED: &'static str = $expected;

            fn write(&self) -> impl Display {
                self
            }

            fn read(text: &str) -> Result<$type, String> {
                text.parse().map_err(|error| format!("{error}"))
            }
        }
    )*};
}

by_itself! {
    UciMove: "a move of UCI such as e7e8q",
    Epd: "an EPD",
    Fen: "a FEN with six fields",
    San: "a move in SAN such as Nf3",
    Square: "a square such as e4",
    Variant: "chess, chess960, atomic or simple-atomic",
}

/// Types with few values, each with a word of its own.
macro_rules! by_word {
    ($($type:ty: $values:expr, $word:expr, $expected:literal);* $(;)?) => {$(
        impl TextForm for $type {
            const EXPECTED: &'static str = $expected;

            fn write(&self) -> impl Display {
                let word = $word;
                word(*self)
            }

            fn read(text: &str) -> Result<$type, String> {
                let word = $word;
                $values
                    .into_iter()
                    .find(|&value| is_written(&word(value), text))
                    .ok_or_else(|| format!("{:?} is not {}", crate::excerpt(text), Self::EXPECTED))
            }
        }
    )*};
}

by_word! {
    File: File::ALL, File::char, "a file from a to h";
    Rank: Rank::ALL, Rank::char, "a rank from 1 to 8";
    Role: Role::ALL, Role::name, "pawn, knight, bishop, rook, queen or king";
    Piece: Piece::all(), Piece::char, "a letter of FEN such as N or n";
    MoveKind: MoveKind::ALL, |kind: MoveKind| kind, "a kind of move such as Pawn Two Steps";
    CastlingSide: CastlingSide::ALL, wing_word, "king or queen, the side to castle to";
}

/// Whether `word` is written as `text`.
fn is_written(word: &dyn Display, text: &str) -> bool {
    word.to_string() == text
}

const fn wing_word(wing: CastlingSide) -> &'static str {
    match wing {
        CastlingSide::King => "king",
        CastlingSide::Queen => "queen",
    }
}

impl TextForm for Setup {
    const EXPECTED: &'static str = Fen::EXPECTED;

    fn write(&self) -> impl Display {
        Fen(*self)
    }

    fn read(text: &str) -> Result<Setup, String> {
        Fen::read(text).map(|Fen(setup)| setup)
    }
}

/// A bitboard is the list of its squares, from `a1` to `h8`.
impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for square in *self {
            list.serialize_element(&square)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    /// Reads squares in any order; a duplicate is refused.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bitboard, D::Error> {
        struct ListVisitor;

        impl<'de> Visitor<'de> for ListVisitor {
            type Value = Bitboard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of squares")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bitboard, A::Error> {
                let mut squares = Bitboard::EMPTY;
                while let Some(square) = list.next_element::<Square>()? {
                    if squares.contains(square) {
                        return Err(de::Error::custom(format!("{square} is there twice")));
                    }
                    squares |= square.set();
                }
                Ok(squares)
            }
        }

        deserializer.deserialize_seq(ListVisitor)
    }
}

/// A position is its FEN; the variant is in the type.
impl<R: Rules> Serialize for Position<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fen().serialize(serializer)
    }
}

impl<'de, R: Rules> Deserialize<'de> for Position<R> {
    /// Reads what [`Position::from_setup`] accepts, so that composed positions come back.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position<R>, D::Error> {
        let setup = Setup::deserialize(deserializer)?;
        Position::from_setup(&setup).map_err(de::Error::custom)
    }
}

/// A position of any variant names it: `{"variant":"atomic","fen":"…"}`.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "AnyPosition", deny_unknown_fields)]
struct VariantAndFen {
    variant: Variant,
    fen: Setup,
}

impl Serialize for AnyPosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (variant, fen) = (self.variant(), self.setup());
        VariantAndFen { variant, fen }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyPosition, D::Error> {
        let VariantAndFen { variant, fen } = VariantAndFen::deserialize(deserializer)?;
        AnyPosition::from_setup(&fen, variant).map_err(de::Error::custom)
    }
}
