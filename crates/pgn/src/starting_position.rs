//! The variant and starting position of a game, from its tags. The audit judges whether the tags agree with
//! each other.

use touchmove_rules::{AnyPosition, Fen, ParseFenError, SetupFaults, Variant};

use crate::document::Document;

/// A starting position, and how its tags had to be interpreted.
///
/// ```
/// use touchmove_pgn::starting_position;
///
/// let start = starting_position(None, Some("8/8/8/8/8/8/8/K1k5 w - -")).unwrap();
/// assert!(start.is_short && !start.is_chess960_after_all);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartingPosition {
    /// The position.
    pub position: AnyPosition,
    /// Whether the FEN lacked its counters, or more.
    pub is_short: bool,
    /// Whether the tags say chess, but king and rooks castle from the squares of Chess960.
    pub is_chess960_after_all: bool,
}

/// Why a game has no starting position.
///
/// ```
/// use touchmove_pgn::{StartError, starting_position};
///
/// let error = starting_position(Some("Crazyhouse"), None).unwrap_err();
/// assert_eq!(error, StartError::UnknownVariant("Crazyhouse".to_owned()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The variant is unknown.
    #[error("the variant \"{0}\" is not known here")]
    UnknownVariant(String),
    /// The FEN cannot be read.
    #[error(transparent)]
    Syntax(#[from] ParseFenError),
    /// The FEN is not a position of the variant.
    #[error("illegal position: {0}")]
    Position(#[from] SetupFaults),
}

/// Parses the value of a `Variant` tag, in any of the spellings in use.
///
/// ```
/// use touchmove_pgn::variant_of_tag;
/// use touchmove_rules::Variant;
/// assert_eq!(variant_of_tag("From Position"), Some(Variant::Chess));
/// assert_eq!(variant_of_tag("fischerandom"), Some(Variant::Chess960));
/// assert_eq!(variant_of_tag("Crazyhouse"), None);
/// ```
#[must_use]
pub fn variant_of_tag(value: &str) -> Option<Variant> {
    let letters = value.chars().filter(|letter| letter.is_alphanumeric());
    let name: String = letters.flat_map(char::to_lowercase).collect();
    match name.as_str() {
        "" | "standard" | "chess" | "normal" | "regular" | "orthodox" | "classical"
        | "fromposition" | "standardchess" | "normalchess" => Some(Variant::Chess),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc"
        | "freestyle" | "freestylechess" => Some(Variant::Chess960),
        "atomic" | "atomicchess" => Some(Variant::Atomic),
        "simpleatomic" | "simpleatomicchess" => Some(Variant::SimpleAtomic),
        _ => None,
    }
}

/// The value of the `Variant` tag that this crate writes; `None` for chess.
#[must_use]
pub const fn tag_of_variant(variant: Variant) -> Option<&'static str> {
    match variant {
        Variant::Chess => None,
        Variant::Chess960 => Some("Chess960"),
        Variant::Atomic => Some("Atomic"),
        Variant::SimpleAtomic => Some("Simple Atomic"),
    }
}

/// The starting position of a game with these `Variant` and `FEN` tags.
///
/// # Errors
///
/// If the variant is unknown, or the FEN cannot be parsed or is not a position of it.
pub fn starting_position(
    variant: Option<&str>,
    fen: Option<&str>,
) -> Result<StartingPosition, StartError> {
    let value = variant.unwrap_or_default();
    let variant =
        variant_of_tag(value).ok_or_else(|| StartError::UnknownVariant(value.to_owned()))?;
    let Some(fen) = fen.filter(|fen| !fen.trim().is_empty()) else {
        let position = AnyPosition::start(variant);
        return Ok(StartingPosition {
            position,
            is_short: false,
            is_chess960_after_all: false,
        });
    };
    let mut fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let is_short = fields.len() < 6;
    const DEFAULT_FEN_FIELDS: [&str; 6] = ["", "w", "-", "-", "0", "1"];
    fields.extend(&DEFAULT_FEN_FIELDS[fields.len().min(6)..]);
    let Fen(setup) = Fen::read_short(&fields.join(" "))?;
    match AnyPosition::from_setup(&setup, variant) {
        Ok(position) => Ok(StartingPosition {
            position,
            is_short,
            is_chess960_after_all: false,
        }),
        Err(faults) if variant == Variant::Chess => {
            match AnyPosition::from_setup(&setup, Variant::Chess960) {
                Ok(position) => Ok(StartingPosition {
                    position,
                    is_short,
                    is_chess960_after_all: true,
                }),
                Err(_) => Err(faults.into()),
            }
        }
        Err(faults) => Err(faults.into()),
    }
}

impl Document {
    /// The game's starting position.
    ///
    /// # Errors
    ///
    /// If the variant is unknown, or the FEN cannot be parsed or is not a position of it.
    pub fn start(&self) -> Result<AnyPosition, StartError> {
        let start = starting_position(self.tags.get("Variant"), self.tags.get("FEN"))?;
        Ok(start.position)
    }
}
