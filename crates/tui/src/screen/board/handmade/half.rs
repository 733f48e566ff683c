//! Men of half blocks. A pixel is as wide as its cell; in pictures of twice that width, where the halves of a
//! cell lie side by side as well, it is half as wide. A quarter of a cell has no character. Men with a
//! middle of one pixel are an odd number of pixels wide and stand a little to the left.

use crate::screen::board::handmade::PieceDrawings;

/// For squares of six columns, from the pawn to the king. Most men are as high as their squares here; pawns
/// are not, and stand in the middle, so that nothing grows together with them.
#[rustfmt::skip]
pub(super) const PIECES_6_COLUMNS: PieceDrawings = [
    &[
        "......",
        "..##..",
        ".####.",
        "..##..",
        ".####.",
        "......",
    ],
    &[
        "..#...",
        ".###..",
        "#+###.",
        "##.##.",
        "...##.",
        ".####.",
    ],
    &[
        "..#...",
        ".###..",
        ".##+..",
        ".#+#..",
        "..#...",
        "#####.",
    ],
    &[
        "......",
        "#.#.#.",
        "#####.",
        ".###..",
        ".###..",
        "#####.",
    ],
    &[
        "##...##...##",
        "####.##.####",
        ".##########.",
        ".##########.",
        "..##++++##..",
        "..########..",
    ],
    &[
        "..#...",
        ".###..",
        "..#...",
        "#####.",
        ".###..",
        "#####.",
    ],
];

/// For squares of eight columns.
#[rustfmt::skip]
pub(super) const PIECES_8_COLUMNS: PieceDrawings = [
    &[
        "........",
        "...##...",
        "..####..",
        "..####..",
        "...##...",
        "..####..",
        "..####..",
        ".######.",
    ],
    &[
        "..#.#...",
        "..####..",
        ".######.",
        "##+####.",
        "#######.",
        "#..####.",
        "..#####.",
        ".######.",
    ],
    &[
        "...#....",
        "..###...",
        ".###+#..",
        ".##+##..",
        "..###...",
        "...#....",
        "..###...",
        ".#####..",
    ],
    &[
        "........",
        ".#.##.#.",
        ".######.",
        "..####..",
        "..####..",
        "..####..",
        "..####..",
        ".######.",
    ],
    &[
        "##.....##.....##",
        "##.....##.....##",
        ".###..####..###.",
        ".##############.",
        "..############..",
        "..##++++++++##..",
        "....########....",
        "..############..",
    ],
    &[
        "........",
        "...#....",
        "..###...",
        "...#....",
        "#######.",
        "#######.",
        ".#+++#..",
        ".#####..",
    ],
];
