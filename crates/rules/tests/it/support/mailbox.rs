//! A second implementation of simple Atomic for tests: slow, on a plain array of letters, and independent of
//! the library.

/// A board of letters as in FEN, rank 1 first; `.` is an empty square.
#[derive(Clone)]
pub struct Mailbox {
    squares: [u8; 64],
    white_to_move: bool,
}

impl Mailbox {
    pub fn from_fen(fen: &str) -> Mailbox {
        let mut fields = fen.split(' ');
        let mut squares = [b'.'; 64];
        for (row, rank) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in rank.bytes() {
                if letter.is_ascii_digit() {
                    file += usize::from(letter - b'0');
                } else {
                    squares[(7 - row) * 8 + file] = letter;
                    file += 1;
                }
            }
        }
        Mailbox {
            squares,
            white_to_move: fields.next() == Some("w"),
        }
    }

    /// The placement and turn fields of FEN.
    pub fn fen(&self) -> String {
        let ranks: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                let letters = String::from_utf8(self.squares[rank * 8..][..8].to_vec()).unwrap();
                let mut text = letters;
                for empty in (1..=8).rev() {
                    text = text.replace(&".".repeat(empty), &empty.to_string());
                }
                text
            })
            .collect();
        format!(
            "{} {}",
            ranks.join("/"),
            if self.white_to_move { "w" } else { "b" }
        )
    }

    /// Every legal move as two squares, in order.
    pub fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if !(self.squares.contains(&b'K') && self.squares.contains(&b'k')) {
            return moves;
        }
        for from in 0..64 {
            for to in 0..64 {
                if self.reaches(from, to) && self.leaves_a_king(from, to) {
                    moves.push(format!("{}{}", name(from), name(to)));
                }
            }
        }
        moves.sort();
        moves
    }

    pub fn play(&self, text: &str) -> Mailbox {
        let at = |range: std::ops::Range<usize>| {
            let text = text[range].as_bytes();
            usize::from(text[0] - b'a') + 8 * usize::from(text[1] - b'1')
        };
        self.after(at(0..2), at(2..4))
    }

    fn is_mine(&self, square: usize) -> bool {
        self.squares[square] != b'.'
            && self.squares[square].is_ascii_uppercase() == self.white_to_move
    }

    fn is_theirs(&self, square: usize) -> bool {
        self.squares[square] != b'.' && !self.is_mine(square)
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        if !self.is_mine(from) || self.is_mine(to) {
            return false;
        }
        let files = (to % 8) as i32 - (from % 8) as i32;
        let ranks = (to / 8) as i32 - (from / 8) as i32;
        let clear = || {
            let (file_step, rank_step) = (files.signum(), ranks.signum());
            let steps = files.abs().max(ranks.abs());
            (1..steps).all(|step| {
                let square = from as i32 + step * (file_step + 8 * rank_step);
                self.squares[square as usize] == b'.'
            })
        };
        let straight = files == 0 || ranks == 0;
        let diagonal = files.abs() == ranks.abs();
        match self.squares[from].to_ascii_lowercase() {
            b'n' => files.abs() * ranks.abs() == 2,
            b'b' => diagonal && clear(),
            b'r' => straight && clear(),
            b'q' => (straight || diagonal) && clear(),
            b'k' => files.abs().max(ranks.abs()) == 1 && !self.is_theirs(to),
            _ => {
                let (forward, home) = if self.white_to_move { (1, 1) } else { (-1, 6) };
                match (files.abs(), ranks * forward) {
                    (0, 1) => !self.is_theirs(to),
                    (0, 2) => from / 8 == home && !self.is_theirs(to) && clear(),
                    (1, 1) => self.is_theirs(to),
                    _ => false,
                }
            }
        }
    }

    fn leaves_a_king(&self, from: usize, to: usize) -> bool {
        let after = self.after(from, to);
        after.squares.contains(&b'K') || after.squares.contains(&b'k')
    }

    fn after(&self, from: usize, to: usize) -> Mailbox {
        let mut next = self.clone();
        next.white_to_move = !self.white_to_move;
        if self.is_theirs(to) {
            for square in 0..64usize {
                let near = (square % 8)
                    .abs_diff(to % 8)
                    .max((square / 8).abs_diff(to / 8))
                    <= 1;
                if near && !matches!(self.squares[square], b'p' | b'P') {
                    next.squares[square] = b'.';
                }
            }
            next.squares[to] = b'.';
        } else {
            next.squares[to] = self.squares[from];
        }
        next.squares[from] = b'.';
        next
    }
}

fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}
