//! Checks certificates: texts that prove that a side cannot win a game of chess, whatever both sides play.
//! How a proof is found is no business of this crate; it shares nothing with the programs that find them but
//! the rules. The form of the text and the arguments are in `docs/CERTIFICATES.md`.
//!
//! ```
//! use touchmove_certificate::verify;
//!
//! let text = "\
//! touchmove certificate 1
//! variant chess
//! side white
//! position 8/8/8/3k4/8/3K4/8/2B5 w - - 0 1
//! material
//! end
//! ";
//! let claims = verify(text).unwrap();
//! assert_eq!(claims[0].proof, "material");
//!
//! let with_a_rook = text.replace("2B5", "2R5");
//! let refusal = verify(&with_a_rook).unwrap_err();
//! assert_eq!(refusal.to_string(), "line 5: White has the material to win");
//! ```
//!
//! Checking takes time linear in the length of the certificate, except for closures, which take time linear
//! in the number of positions that they claim to have.

mod closure;
mod explosions;
mod matching;
mod mate;
mod material;
mod outline;
mod parser;
mod structure;

pub use parser::CertificateError;

use parser::{LineReader, excerpt};
use touchmove_rules::{
    Atomic, Chess, Chess960, Color, Fen, Outcome, Position, Rules, SimpleAtomic, Variant,
};

/// What a certificate proves: that `side` cannot win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The rules.
    pub variant: Variant,
    /// The side that cannot win.
    pub side: Color,
    /// The position, as FEN.
    pub position: String,
    /// The kind of proof: `over`, `material`, `forced`, `structure`, `outlines` or `visited`.
    pub proof: &'static str,
}

/// Checks all certificates of a text. Returns what they prove if all of them hold, or else the first error.
///
/// # Errors
///
/// If the text cannot be parsed, or one of its proofs does not hold.
pub fn verify(text: &str) -> Result<Vec<Statement>, CertificateError> {
    let mut lines = LineReader::of(text);
    let mut claims = Vec::new();
    while lines.skip_blank_lines() {
        claims.push(one(&mut lines)?);
    }
    if claims.is_empty() {
        return lines.refuse("there is no certificate");
    }
    Ok(claims)
}

fn one(lines: &mut LineReader<'_>) -> Result<Statement, CertificateError> {
    let version = lines.expect("touchmove certificate")?;
    if version != "1" {
        return lines.refuse(format!("version {version:?} is not known here, only 1 is"));
    }
    let variant = match lines.expect("variant")?.parse() {
        Ok(variant) => variant,
        Err(error) => return lines.refuse(format!("{error}")),
    };
    match variant {
        Variant::Chess => claim::<Chess>(lines),
        Variant::Chess960 => claim::<Chess960>(lines),
        Variant::Atomic => claim::<Atomic>(lines),
        Variant::SimpleAtomic => claim::<SimpleAtomic>(lines),
    }
}

fn claim<R: Rules>(lines: &mut LineReader<'_>) -> Result<Statement, CertificateError> {
    let side = match lines.expect("side")? {
        "white" => Color::White,
        "black" => Color::Black,
        other => return lines.refuse(format!("{other:?} is no side: it is white or black")),
    };
    let text = lines.expect("position")?;
    let position = read_position::<R>(lines, text)?;
    let proof = prove(lines, &position, side)?;
    Ok(Statement {
        variant: R::VARIANT,
        side,
        position: text.into(),
        proof,
    })
}

fn read_position<R: Rules>(
    lines: &LineReader<'_>,
    text: &str,
) -> Result<Position<R>, CertificateError> {
    let position = text.parse::<Fen>().map_err(|error| error.to_string());
    let position = position.and_then(|Fen(setup)| {
        Position::from_setup(&setup).map_err(|faults| format!("it is no position: {faults}"))
    });
    match position {
        Ok(position) => Ok(position),
        Err(what) => lines.refuse(what),
    }
}

/// Parses and checks a proof up to its `end`, and returns its kind.
fn prove<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
    side: Color,
) -> Result<&'static str, CertificateError> {
    let Some(moves) = lines.expect_maybe("forced") else {
        return prove_at_once(lines, position, side);
    };
    let at = force(lines, position, moves)?;
    prove_at_once(lines, &at, side)?;
    Ok("forced")
}

/// The same, for a proof without forced moves.
fn prove_at_once<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
    side: Color,
) -> Result<&'static str, CertificateError> {
    if lines.expect_maybe("over").is_some() {
        return match position.outcome() {
            Some(outcome) if outcome.winner() != Some(side) => end(lines, "over"),
            Some(_) => lines.refuse(format!("{side} has won")),
            None => lines.refuse("the game is not over"),
        };
    }
    if let Some(numbers) = lines.expect_maybe("visited") {
        closure::check(lines, position, side, numbers)?;
        return end(lines, "visited");
    }
    check_argument(lines, position, side)
}

/// Parses and checks an argument that needs no look at moves, up to its `end`.
pub(crate) fn check_argument<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
    side: Color,
) -> Result<&'static str, CertificateError> {
    let kind = lines.next()?;
    // Refuses a side that has won already. A game that has ended otherwise cannot be won any more, so it
    // needs no test here.
    if position.outcome().and_then(Outcome::winner) == Some(side) {
        return lines.refuse(format!("{side} has won"));
    }
    match kind {
        "material" if material::lacks_material(position, side) => end(lines, "material"),
        "material" => lines.refuse(format!("{side} has the material to win")),
        "structure" => {
            match R::CAPTURES_EXPLODE {
                true => explosions::check(lines, position, side)?,
                false => structure::check(lines, position, side)?,
            }
            end(lines, "structure")
        }
        "outlines" => {
            outline::check(lines, position, side)?;
            end(lines, "outlines")
        }
        _ => lines.refuse(format!("{kind:?} is no kind of proof here")),
    }
}

fn end(lines: &mut LineReader<'_>, kind: &'static str) -> Result<&'static str, CertificateError> {
    match lines.expect("end")? {
        "" => Ok(kind),
        _ => lines.refuse("there is something after the end of the proof"),
    }
}

/// Plays moves, each of which must be the only legal one.
fn force<R: Rules>(
    lines: &LineReader<'_>,
    position: &Position<R>,
    moves: &str,
) -> Result<Position<R>, CertificateError> {
    let mut at = *position;
    for word in moves.split(' ') {
        let mv = match at.read_uci(word) {
            Ok(mv) => mv,
            Err(error) => return lines.refuse(format!("{:?}: {error}", excerpt(word))),
        };
        if at.legal_move_count() != 1 {
            return lines.refuse(format!("{word} is not the only legal move"));
        }
        at.play(mv);
    }
    Ok(at)
}
