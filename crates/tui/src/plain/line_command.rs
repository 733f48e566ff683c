//! Parses the commands of plain mode. A line that is no command counts as a move; it is not validated here.

use touchmove_rules::{Color, File, Rank, Role, Square};

use touchmove_game::{Millis, OfferKind};

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LineCommand {
    Nothing,
    Move(String),
    Help,
    Board,
    Flip,
    Moves(Option<Square>),
    Explain(String),
    History,
    Fen,
    Pgn,
    Clock,
    Draw(Option<Color>),
    Accept(Option<OfferKind>),
    Decline(Option<OfferKind>),
    Claim(Option<String>),
    Takeback(Option<Color>),
    Resign(Option<Color>),
    Give(Millis),
    Abort,
    Say(String),
    Rematch,
    New,
    Gone,
    Hint,
    Threat,
    Save(String),
    Last,
    Where(Option<Color>, Role),
    Rank(Rank),
    File(File),
    Quit,
}

/// Every command with its description, for `help` and for messages; a move is typed as it is.
pub(crate) const COMMAND_HELP: [(&str, &str); 27] = [
    ("board", "show the board"),
    ("flip", "turn the board around"),
    (
        "moves [SQUARE]",
        "list the legal moves, of one man or of all",
    ),
    ("explain MOVE", "say why a move is legal or not"),
    ("history", "list the moves that were played"),
    ("last", "say what the last move was"),
    (
        "where PIECE",
        "say where such pieces stand: where knight, where white queen",
    ),
    ("rank N", "say what stands on a rank"),
    ("file X", "say what stands on a file"),
    ("fen", "show the position as FEN"),
    ("pgn", "show the game as PGN"),
    ("clock", "show the clocks"),
    ("draw [white|black]", "offer a draw"),
    ("takeback [white|black]", "ask to take back the last move"),
    ("accept [draw|takeback]", "accept what the opponent offers"),
    ("decline [draw|takeback]", "decline it"),
    (
        "claim [MOVE]",
        "claim a draw by repetition or the fifty-move rule",
    ),
    ("resign [white|black]", "give up"),
    ("give SECONDS", "give the opponent time on the clock"),
    ("abort", "break off before both sides have moved"),
    ("hint", "one good move; not in games between two people"),
    ("threat", "what the opponent threatens; likewise"),
    ("save FILE", "save the game as PGN"),
    ("rematch", "another game with colours swapped"),
    ("new", "another game with the same colours"),
    ("help", "show this list"),
    ("quit", "leave"),
];

/// Parses a line; the error is a sentence.
pub(crate) fn read(line: &str) -> Result<LineCommand, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(LineCommand::Nothing);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let word = word.to_ascii_lowercase();
    let alone = |request: LineCommand| match rest {
        "" => Ok(request),
        _ => Err(format!(
            "{word} stands alone, but {:?} follows it",
            excerpt(rest)
        )),
    };
    match word.as_str() {
        "help" | "?" => alone(LineCommand::Help),
        "board" => alone(LineCommand::Board),
        "flip" => alone(LineCommand::Flip),
        "history" => alone(LineCommand::History),
        "fen" => alone(LineCommand::Fen),
        "pgn" => alone(LineCommand::Pgn),
        "clock" => alone(LineCommand::Clock),
        "abort" => alone(LineCommand::Abort),
        "rematch" => alone(LineCommand::Rematch),
        "new" => alone(LineCommand::New),
        "gone" => alone(LineCommand::Gone),
        "hint" => alone(LineCommand::Hint),
        "threat" => alone(LineCommand::Threat),
        "say" if rest.is_empty() => Err("say what: say good luck".to_owned()),
        "say" => Ok(LineCommand::Say(rest.to_owned())),
        "last" => alone(LineCommand::Last),
        "quit" | "exit" => alone(LineCommand::Quit),
        "moves" => optional(rest).map(LineCommand::Moves),
        "draw" => optional(rest).map(LineCommand::Draw),
        "takeback" | "undo" => optional(rest).map(LineCommand::Takeback),
        "resign" => optional(rest).map(LineCommand::Resign),
        "accept" => offer(rest).map(LineCommand::Accept),
        "decline" => offer(rest).map(LineCommand::Decline),
        "claim" => Ok(LineCommand::Claim(
            Some(rest.to_owned()).filter(|rest| !rest.is_empty()),
        )),
        "give" => match rest.trim_end_matches('s').trim_end().parse() {
            Ok(seconds) => Ok(LineCommand::Give(Millis::seconds(seconds))),
            Err(_) => Err("say how many seconds: give 15".to_owned()),
        },
        "explain" if rest.is_empty() => Err("say which move: explain Nf3".to_owned()),
        "explain" => Ok(LineCommand::Explain(rest.to_owned())),
        "save" if rest.is_empty() => Err("say where: save game.pgn".to_owned()),
        "save" => Ok(LineCommand::Save(rest.to_owned())),
        "where" => piece(rest).map(|(color, role)| LineCommand::Where(color, role)),
        "rank" => single(rest, Rank::from_char)
            .map(LineCommand::Rank)
            .ok_or_else(|| "say which rank, 1 to 8: rank 4".to_owned()),
        "file" => single(rest, File::from_char)
            .map(LineCommand::File)
            .ok_or_else(|| "say which file, a to h: file e".to_owned()),
        _ => Ok(LineCommand::Move(line.to_owned())),
    }
}

/// Parses an optional single argument.
fn optional<T: std::str::FromStr<Err: std::fmt::Display>>(rest: &str) -> Result<Option<T>, String> {
    match rest {
        "" => Ok(None),
        word => word
            .parse()
            .map(Some)
            .map_err(|error: T::Err| error.to_string()),
    }
}

fn offer(rest: &str) -> Result<Option<OfferKind>, String> {
    match (rest, OfferKind::from_word(&rest.to_ascii_lowercase())) {
        ("", _) => Ok(None),
        (_, Some(offer)) => Ok(Some(offer)),
        _ => Err(format!(
            "{:?} is not an offer: it is draw or takeback",
            excerpt(rest)
        )),
    }
}

fn single<T>(rest: &str, read: impl Fn(char) -> Option<T>) -> Option<T> {
    let mut letters = rest.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => read(letter),
        _ => None,
    }
}

/// Parses a kind of piece by name or letter, of one colour or of both.
fn piece(rest: &str) -> Result<(Option<Color>, Role), String> {
    let rest = rest.to_ascii_lowercase();
    let (color, name) = match rest.split_once(' ') {
        Some((color, name)) => (color.parse().ok(), name.trim()),
        None => (None, rest.as_str()),
    };
    let named = Role::ALL
        .into_iter()
        .find(|role| name == role.name() || name.strip_suffix('s') == Some(role.name()));
    named
        .or_else(|| single(name, Role::from_char))
        .map(|role| (color, role))
        .ok_or_else(|| "say which piece: where knight, where N, where black queen".to_owned())
}

pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_everything_else_is_taken_for_a_move() {
        for (line, request) in [
            ("", LineCommand::Nothing),
            ("# a remark", LineCommand::Nothing),
            ("  HELP ", LineCommand::Help),
            ("moves", LineCommand::Moves(None)),
            ("moves e2", LineCommand::Moves(Some(Square::E2))),
            ("resign black", LineCommand::Resign(Some(Color::Black))),
            (
                "accept takeback",
                LineCommand::Accept(Some(OfferKind::Takeback)),
            ),
            ("give 15", LineCommand::Give(Millis::seconds(15))),
            ("give 15s", LineCommand::Give(Millis::seconds(15))),
            ("claim Nf3", LineCommand::Claim(Some("Nf3".to_owned()))),
            (
                "where white knights",
                LineCommand::Where(Some(Color::White), Role::Knight),
            ),
            ("where q", LineCommand::Where(None, Role::Queen)),
            ("rank 4", LineCommand::Rank(Rank::Fourth)),
            ("file e", LineCommand::File(File::E)),
            ("e2 e4", LineCommand::Move("e2 e4".to_owned())),
            ("Nf3", LineCommand::Move("Nf3".to_owned())),
            ("b4", LineCommand::Move("b4".to_owned())),
        ] {
            assert_eq!(read(line), Ok(request), "{line:?}");
        }
        for line in [
            "moves z9",
            "resign green",
            "accept peace",
            "rank 9",
            "file ii",
            "where",
            "save",
            "explain",
            "board now",
            "give",
            "give much",
        ] {
            assert!(read(line).is_err(), "{line:?}");
        }
    }
}
