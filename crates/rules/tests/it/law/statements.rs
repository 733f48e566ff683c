//! Parses the `.law` files: statements about chess that `judge` has to agree with. They are checked elsewhere.

use touchmove_rules::{AnyPosition, CastlingSide, Move, MoveRequest, UciMove, Variant};

/// One line of a law file.
pub struct Statement {
    /// File and line, for messages.
    pub place: String,
    pub position: AnyPosition,
    pub past: Vec<Move>,
    pub wish: MoveRequest,
    pub verdict: String,
    pub source: String,
}

macro_rules! law_files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../law/", $name)))),*]
    };
}

/// Every statement of every law file.
pub fn statements() -> Vec<Statement> {
    let files = law_files! {
        "atomic.law" "castling.law" "check.law" "en_passant.law" "pawn.law" "pieces.law"
        "simple_atomic.law"
    };
    let mut statements = Vec::new();
    for (name, text) in files {
        for (index, line) in text.lines().enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                statements.push(Statement::read(format!("{name}:{}", index + 1), line));
            }
        }
    }
    statements
}

impl Statement {
    fn read(place: String, line: &str) -> Statement {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [variant, position, wish, verdict, source] = fields[..] else {
            panic!("{place}: a line has five fields: {line}");
        };
        let variant: Variant = variant.parse().unwrap_or_else(|e| panic!("{place}: {e}"));
        let (fen, moves) = position.split_once('+').unwrap_or((position, ""));
        let mut position = match fen.trim() {
            "start" => AnyPosition::start(variant),
            fen => AnyPosition::from_fen(fen, variant).unwrap_or_else(|e| panic!("{place}: {e}")),
        };
        let mut past = Vec::new();
        for san in moves.split_whitespace() {
            let mv = position
                .read_san(san)
                .unwrap_or_else(|e| panic!("{place}: {e}"));
            past.push(mv);
            position.play(mv);
        }
        let wish = match wish {
            "O-O" => CastlingSide::King.into(),
            "O-O-O" => CastlingSide::Queen.into(),
            uci => uci
                .parse::<UciMove>()
                .unwrap_or_else(|e| panic!("{place}: {e}"))
                .into(),
        };
        Statement {
            place,
            position,
            past,
            wish,
            verdict: verdict.to_owned(),
            source: source.to_owned(),
        }
    }
}
