//! Ways to damage a FEN: in its letters, in its fields, on its board. Whether the result still says
//! something possible is for others to judge.

use fastrand::Rng;

/// What may be written into a FEN, rightly or wrongly.
const LETTERS: &[u8] = b"pnbrqkPNBRQK12345678/wb-ACEHachdefg036 90_[]+";

/// Men and an empty square, as the board has them.
const PIECE_LETTERS: &[u8] = b"pnbrqkPNBRQK1";

/// The FEN with one thing changed.
pub fn once(fen: &str, rng: &mut Rng) -> String {
    match rng.u8(..12) {
        0 => letters(fen, rng),
        1 => fields(fen, rng),
        2 | 3 => with_field(fen, 1, if rng.bool() { "w" } else { "b" }),
        4 | 5 => with_field(fen, 2, &castling(rng)),
        6 | 7 => with_field(fen, 3, &en_passant(rng)),
        _ => board(fen, rng),
    }
}

/// A letter more, fewer, or another.
fn letters(fen: &str, rng: &mut Rng) -> String {
    let mut bytes = fen.as_bytes().to_vec();
    let at = rng.usize(..bytes.len());
    let letter = LETTERS[rng.usize(..LETTERS.len())];
    match rng.u8(..3) {
        0 => bytes.insert(at, letter),
        1 => bytes[at] = letter,
        _ => {
            bytes.remove(at);
        }
    }
    String::from_utf8(bytes).expect("FENs and letters are ASCII")
}

/// A field more or fewer, or two of them exchanged.
fn fields(fen: &str, rng: &mut Rng) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let (one, other) = (rng.usize(..fields.len()), rng.usize(..fields.len()));
    match rng.u8(..3) {
        0 => fields.insert(one, fields[other]),
        1 => fields.swap(one, other),
        _ => {
            fields.remove(one);
        }
    }
    fields.join(" ")
}

/// The FEN with another text in a field, if it has that field.
fn with_field(fen: &str, index: usize, text: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if let Some(field) = fields.get_mut(index) {
        *field = text;
    }
    fields.join(" ")
}

fn castling(rng: &mut Rng) -> String {
    let letters = if rng.bool() {
        "KQkq"
    } else {
        "ABCDEFGHabcdefgh"
    };
    let chosen: String = letters
        .chars()
        .filter(|_| rng.u8(..letters.len() as u8) < 2)
        .collect();
    if chosen.is_empty() {
        "-".to_owned()
    } else {
        chosen
    }
}

fn en_passant(rng: &mut Rng) -> String {
    let file = char::from(b'a' + rng.u8(..8));
    let rank = ['3', '6', '3', '6', '3', '6', '4', '5'][rng.usize(..8)];
    format!("{file}{rank}")
}

/// A few squares of the board with something else on them.
fn board(fen: &str, rng: &mut Rng) -> String {
    let (placement, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let mut squares = String::new();
    for letter in placement.chars() {
        match letter.to_digit(10) {
            Some(count) => squares.extend((0..count).map(|_| '1')),
            None => squares.push(letter),
        }
    }
    let mut squares = squares.into_bytes();
    for _ in 0..rng.u8(1..=4) {
        let at = rng.usize(..squares.len().max(1));
        if squares.get(at).is_some_and(|&letter| letter != b'/') {
            squares[at] = PIECE_LETTERS[rng.usize(..PIECE_LETTERS.len())];
        }
    }
    format!("{} {rest}", shortened(&squares))
}

/// Empty squares in a row as their number.
fn shortened(squares: &[u8]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &letter in squares.iter().chain(b"/") {
        if letter == b'1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        text.push(char::from(letter));
    }
    text.pop();
    text
}
