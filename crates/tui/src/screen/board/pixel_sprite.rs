//! Pixel sprites of the pieces, and their pixels as block or braille characters. The board chooses the colours.

use touchmove_rules::Role;

/// A sprite of a piece: `#` is the piece, anything else the square.
#[derive(Clone, Copy, Debug)]
pub struct Sprite(&'static [&'static str]);

impl Sprite {
    /// The sprite whose longer side has at most this many pixels.
    #[must_use]
    pub const fn of(role: Role, pixels: u16) -> Option<Sprite> {
        match pixels {
            0..8 => None,
            8..12 => Some(Sprite(&SMALL_SPRITES[role as usize])),
            _ => Some(Sprite(&LARGE_SPRITES[role as usize])),
        }
    }

    /// The side length in pixels.
    #[must_use]
    pub const fn side(self) -> u16 {
        self.0.len() as u16
    }

    /// Whether the piece covers this pixel; pixels outside the sprite are not covered.
    #[must_use]
    pub fn covers(self, x: i32, y: i32) -> bool {
        let pixel = || {
            let row = self.0.get(usize::try_from(y).ok()?)?;
            row.as_bytes().get(usize::try_from(x).ok()?).copied()
        };
        pixel() == Some(b'#')
    }

    /// Whether the pixel is on the edge of the piece: covered, with an uncovered neighbour.
    #[must_use]
    pub fn edges(self, x: i32, y: i32) -> bool {
        let inner = [(0, 1), (0, -1), (1, 0), (-1, 0)]
            .into_iter()
            .all(|(right, down)| self.covers(x + right, y + down));
        self.covers(x, y) && !inner
    }
}

/// The half block for an upper and a lower pixel.
#[must_use]
pub const fn half_block(upper: bool, lower: bool) -> &'static str {
    match (upper, lower) {
        (false, false) => " ",
        (true, false) => "▀",
        (false, true) => "▄",
        (true, true) => "█",
    }
}

/// The braille character for two columns of four pixels.
#[must_use]
pub fn braille(covers: impl Fn(i32, i32) -> bool) -> char {
    const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
    let mut code = 0x2800;
    for (x, column) in (0..).zip(DOTS) {
        for (y, dot) in (0..).zip(column) {
            if covers(x, y) {
                code |= dot;
            }
        }
    }
    char::from_u32(code).unwrap_or(' ')
}

/// From the pawn to the king, in the order of [`Role`].
const SMALL_SPRITES: [[&str; 8]; 6] = [
    [
        "........", "........", "...##...", "..####..", "..####..", "...##...", "..####..",
        ".######.",
    ],
    [
        "...#.#..", "..#####.", ".##.####", "########", "###.####", "...####.", "..#####.",
        ".######.",
    ],
    [
        "...##...", "..####..", ".###.##.", ".##.###.", "..####..", "...##...", "..####..",
        ".######.",
    ],
    [
        "........", ".#.##.#.", ".######.", "..####..", "..####..", "..####..", ".######.",
        ".######.",
    ],
    [
        "...##...", "#..##..#", "##.##.##", "########", ".######.", "..####..", "..####..",
        ".######.",
    ],
    [
        "...##...", ".######.", "...##...", ".##..##.", "########", ".######.", "..####..",
        ".######.",
    ],
];

/// The same, larger.
const LARGE_SPRITES: [[&str; 12]; 6] = [
    [
        "............",
        "............",
        "............",
        ".....##.....",
        "....####....",
        "....####....",
        ".....##.....",
        "....####....",
        ".....##.....",
        "....####....",
        "...######...",
        "..########..",
    ],
    [
        ".....#.#....",
        "....#####...",
        "...########.",
        "..##.######.",
        ".###########",
        "############",
        "####.#######",
        ".##.#######.",
        "....#######.",
        "...#######..",
        "..########..",
        ".##########.",
    ],
    [
        ".....##.....",
        ".....##.....",
        "....####....",
        "...####.#...",
        "..####.###..",
        "..###.####..",
        "...######...",
        "....####....",
        "....####....",
        "...######...",
        "..########..",
        ".##########.",
    ],
    [
        "............",
        ".##..##..##.",
        ".##..##..##.",
        ".##########.",
        "..########..",
        "...######...",
        "...######...",
        "...######...",
        "...######...",
        "..########..",
        ".##########.",
        ".##########.",
    ],
    [
        ".....##.....",
        "#....##....#",
        "##..####..##",
        ".##.####.##.",
        ".##########.",
        ".##########.",
        "..########..",
        "...######...",
        "...######...",
        "..########..",
        ".##########.",
        ".##########.",
    ],
    [
        ".....##.....",
        "...######...",
        ".....##.....",
        ".###.##.###.",
        "#####..#####",
        "############",
        ".##########.",
        "..########..",
        "...######...",
        "..########..",
        ".##########.",
        ".##########.",
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_has_a_picture_of_its_own_at_both_sizes() {
        for pixels in [8, 12] {
            let mut seen = Vec::new();
            for role in Role::ALL {
                let sprite = Sprite::of(role, pixels).expect("a picture");
                assert_eq!(sprite.side(), pixels);
                assert!(sprite.0.iter().all(|row| row.len() == usize::from(pixels)));
                assert!(!seen.contains(&sprite.0));
                seen.push(sprite.0);
            }
        }
        assert!(Sprite::of(Role::King, 7).is_none());
    }

    #[test]
    fn pixels_become_characters() {
        assert_eq!(half_block(true, false), "▀");
        assert_eq!(braille(|_, _| true), '⣿');
        assert_eq!(braille(|x, y| x == 1 && y == 3), '⢀');
        assert_eq!(braille(|_, _| false), '⠀');
    }
}
