//! EPD: a position in four fields, followed by operations. The operations are kept as written; what
//! they mean is up to the caller.

use std::fmt;
use std::str::FromStr;

use crate::Setup;
use crate::fen::{Fen, ParseFenError};
use crate::fen_buffer::FenBuffer;

/// A position with operations such as `bm Nf3; id "start";`.
///
/// ```
/// use touchmove_rules::Epd;
///
/// let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; id \"start\";";
/// let epd: Epd = text.parse().unwrap();
/// assert_eq!(epd.operation("bm").unwrap().operands, ["e4", "d4"]);
/// assert_eq!(epd.to_string(), text);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position; its counters are those of `hmvc` and `fmvn` where these are given.
    pub setup: Setup,
    /// The operations in their order.
    pub operations: Vec<Operation>,
}

/// One operation of an [`Epd`].
///
/// ```
/// use touchmove_rules::Epd;
///
/// let epd: Epd = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"castle\";".parse().unwrap();
/// assert_eq!(epd.operations[1].opcode, "id");
/// assert_eq!(epd.operations[1].operands, ["castle"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name: a letter, then letters, digits and underscores.
    pub opcode: String,
    /// Its operands, without the quotation marks of quoted texts.
    pub operands: Vec<String>,
}

/// Why a text is not an EPD.
///
/// ```
/// use touchmove_rules::{Epd, ParseEpdError};
///
/// let error = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O".parse::<Epd>().unwrap_err();
/// assert!(matches!(error, ParseEpdError::Operation { .. }), "the semicolon is missing");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseEpdError {
    /// The four fields cannot be read.
    #[error(transparent)]
    Position(#[from] ParseFenError),
    /// An operation cannot be read.
    #[error("not an EPD: at byte {at}: {what}")]
    Operation {
        /// Where in the text, in bytes from 0.
        at: usize,
        /// What was found and what was expected.
        what: &'static str,
    },
}

impl Epd {
    /// The operation with this opcode.
    #[must_use]
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
    }

    fn counter(&self, opcode: &str) -> Option<u32> {
        self.operation(opcode)?.operands.first()?.parse().ok()
    }
}

impl FromStr for Epd {
    type Err = ParseEpdError;

    fn from_str(text: &str) -> Result<Epd, ParseEpdError> {
        let (setup, end) = Fen::read_prefix(text)?;
        let mut epd = Epd {
            setup,
            operations: Vec::new(),
        };
        let mut scanner = Scanner { text, at: end };
        while let Some(operation) = scanner.operation()? {
            epd.operations.push(operation);
        }
        epd.setup.halfmoves = epd.counter("hmvc").unwrap_or(0);
        epd.setup.fullmoves = epd.counter("fmvn").unwrap_or(1).max(1);
        Ok(epd)
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn error<T>(&self, what: &'static str) -> Result<T, ParseEpdError> {
        Err(ParseEpdError::Operation { at: self.at, what })
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    /// Takes characters as long as they fit.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn operation(&mut self) -> Result<Option<Operation>, ParseEpdError> {
        self.skip_spaces();
        if self.at == self.text.len() {
            return Ok(None);
        }
        let opcode = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return self.error("expected the name of an operation, which begins with a letter");
        }
        let mut operands = Vec::new();
        loop {
            self.skip_spaces();
            match self.text[self.at..].chars().next() {
                None => return self.error("the text ends before the ; of an operation"),
                Some(';') => {
                    self.at += 1;
                    return Ok(Some(Operation {
                        opcode: opcode.into(),
                        operands,
                    }));
                }
                Some('"') => {
                    self.at += 1;
                    operands.push(self.take_while(|c| c != '"').into());
                    if self.at == self.text.len() {
                        return self.error("the text ends inside quotation marks");
                    }
                    self.at += 1;
                }
                Some(_) => operands.push(self.take_while(|c| !matches!(c, ' ' | ';' | '"')).into()),
            }
        }
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FenBuffer::of_position(&self.setup, f.alternate()).as_str())?;
        for Operation { opcode, operands } in &self.operations {
            write!(f, " {opcode}")?;
            for operand in operands {
                let is_text = opcode == "id"
                    || (opcode.starts_with('c') && opcode[1..].chars().all(|c| c.is_ascii_digit()))
                    || operand.is_empty()
                    || operand.contains([' ', ';']);
                if is_text {
                    write!(f, " \"{operand}\"")?;
                } else {
                    write!(f, " {operand}")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}
