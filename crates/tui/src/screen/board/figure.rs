//! Pieces as screen cells: for every cell the character and the meaning of its two colours that fit the drawing
//! best. The board chooses the actual colours.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use touchmove_diagram::{Coverage, Stencil};
use touchmove_rules::Role;

use crate::screen::board::blocks::Blocks;
use crate::screen::board::geometry::SquareSize;
use crate::screen::board::handmade;

/// The meaning of a cell's colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellColor {
    /// The square.
    Ground,
    /// The piece.
    Man,
    /// A line in the piece.
    Line,
}

/// One cell: a character in one colour on another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceCell {
    pub(super) glyph: char,
    pub(super) ink: CellColor,
    pub(super) paper: CellColor,
}

/// The cells of a square with a piece, row by row.
pub(super) type PieceCells = Arc<[PieceCell]>;

/// The cells of a piece on a square of this size; cached.
pub(super) fn figure(role: Role, size: SquareSize, blocks: Blocks) -> PieceCells {
    type Kept = Mutex<HashMap<(Role, u16, u16, Blocks), PieceCells>>;
    static FIGURE_CACHE: OnceLock<Kept> = OnceLock::new();
    let kept = FIGURE_CACHE.get_or_init(Kept::default);
    let key = (role, size.columns, size.rows, blocks);
    let mut kept = match kept.lock() {
        Ok(kept) => kept,
        Err(poisoned) => poisoned.into_inner(),
    };
    let made = kept.entry(key).or_insert_with(|| make(role, size, blocks));
    Arc::clone(made)
}

fn make(role: Role, size: SquareSize, blocks: Blocks) -> PieceCells {
    let (across, down) = blocks.pixels_per_cell();
    let coats = coats(role, size, blocks);
    let mut patches = Vec::new();
    for y in 0..size.rows {
        for x in 0..size.columns {
            let mut cell = Vec::new();
            for row in y * down..(y + 1) * down {
                for column in x * across..(x + 1) * across {
                    cell.push(coats(column, row));
                }
            }
            patches.push(fitted(&cell, blocks));
        }
    }
    patches.into()
}

/// What covers each pixel, from the handmade drawing or from the diagram's outline.
fn coats(role: Role, size: SquareSize, blocks: Blocks) -> Box<dyn Fn(u16, u16) -> Coverage> {
    let Some(drawn) = handmade::drawn(role, size, blocks) else {
        let (across, down) = blocks.pixels_per_cell();
        let stencil = Stencil::of(role, size.columns * across, size.rows * down);
        return Box::new(move |column, row| stencil.at(column, row));
    };
    let share = |is_covered| if is_covered { u8::MAX } else { 0 };
    Box::new(move |column, row| {
        let pixel = drawn.at(column, row);
        Coverage {
            man: share(pixel != b'.'),
            line: share(pixel == b'+'),
        }
    })
}

/// How much of a pixel this colour covers.
fn share(coat: Coverage, part: CellColor) -> u32 {
    u32::from(match part {
        CellColor::Ground => u8::MAX - coat.man,
        CellColor::Man => coat.man.saturating_sub(coat.line),
        CellColor::Line => coat.line,
    })
}

/// The two colours and the pattern with the least error.
fn fitted(cell: &[Coverage], blocks: Blocks) -> PieceCell {
    const COLOR_PAIRS: [(CellColor, CellColor); 3] = [
        (CellColor::Man, CellColor::Ground),
        (CellColor::Line, CellColor::Man),
        (CellColor::Line, CellColor::Ground),
    ];
    let fit = |(ink, paper): (CellColor, CellColor)| {
        let (mut pattern, mut right) = (0_u8, 0);
        for (bit, &coat) in cell.iter().enumerate() {
            let [inked, bare] = [ink, paper].map(|part| share(coat, part));
            if inked >= bare {
                pattern |= 1 << bit;
            }
            right += inked.max(bare);
        }
        (right, pattern, ink, paper)
    };
    let fits = COLOR_PAIRS.map(fit);
    // The first of equally good ones.
    let best = fits.into_iter().rev().max_by_key(|(right, ..)| *right);
    let (_, pattern, ink, paper) = best.unwrap_or(fits[0]);
    let all = u8::MAX >> (8 - cell.len());
    let (ink, paper) = match pattern {
        0 => (paper, paper),
        pattern if pattern == all => (ink, ink),
        _ => (ink, paper),
    };
    match ink == paper {
        true => PieceCell {
            glyph: ' ',
            ink,
            paper,
        },
        false => PieceCell {
            glyph: blocks.glyph(pattern),
            ink,
            paper,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_men_look_alike() {
        for size in SquareSize::ALL.into_iter().filter(|size| size.rows >= 3) {
            for blocks in Blocks::ALL {
                let men = Role::ALL.map(|role| figure(role, size, blocks));
                for (at, man) in men.iter().enumerate() {
                    assert_eq!(man.len(), usize::from(size.columns * size.rows));
                    assert!(men[..at].iter().all(|other| other != man), "{size:?}");
                }
            }
        }
    }

    #[test]
    fn what_was_drawn_by_hand_is_shown_to_the_last_pixel() {
        let squares = SquareSize::ALL.into_iter().filter(|size| size.rows >= 3);
        for (size, blocks) in squares.flat_map(|size| Blocks::ALL.map(|blocks| (size, blocks))) {
            let (across, down) = blocks.pixels_per_cell();
            for role in Role::ALL {
                let Some(drawn) = handmade::drawn(role, size, blocks) else {
                    // An outline needs quarters, which half blocks do not have.
                    assert_ne!(blocks, Blocks::Half, "{size:?}");
                    continue;
                };
                let patches = figure(role, size, blocks);
                for (y, x) in (0..size.rows * down)
                    .flat_map(|y| (0..size.columns * across).map(move |x| (y, x)))
                {
                    let patch = patches[usize::from(y / down * size.columns + x / across)];
                    let pattern = (0..=u8::MAX).find(|&at| blocks.glyph(at) == patch.glyph);
                    let bit = y % down * across + x % across;
                    let shown = match pattern.expect("a block") >> bit & 1 {
                        1 => patch.ink,
                        _ => patch.paper,
                    };
                    let expected = match drawn.at(x, y) {
                        b'#' => CellColor::Man,
                        b'+' => CellColor::Line,
                        _ => CellColor::Ground,
                    };
                    assert_eq!(shown, expected, "{role:?} {size:?} {blocks:?}: {x}, {y}");
                }
            }
        }
    }
}
