//! Pieces in half blocks. A pixel is as wide as its cell; in drawings of twice that width, which use left and right
//! halves too, it is half as wide. No character shows a single quarter of a cell. Pieces with a middle of one pixel
//! have an odd width and stand a little to the left.

use crate::screen::board::handmade::PieceDrawings;

/// For squares of six columns, from the pawn to the king. Most pieces here are as high as their squares; pawns are
/// not, and stand in the middle, so that they do not merge with their neighbours.
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
