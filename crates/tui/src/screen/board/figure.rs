//! Men as cells of the screen: for every cell a character and what its two colours stand for, chosen so
//! that they fit the man best. Which colours those are is for the board to say.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use touchmove_diagram::{Coat, Stencil};
use touchmove_rules::Role;

use super::blocks::Blocks;
use super::geometry::SquareSize;
use super::handmade;

/// What a colour of a cell stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The square.
    Ground,
    /// The man.
    Man,
    /// A line cut into the man.
    Line,
    /// The man in this share of 255, the rest is square.
    Mixed(u8),
}

/// One cell: a character in one colour on another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Patch {
    pub(super) glyph: char,
    pub(super) ink: Part,
    pub(super) paper: Part,
}

/// The cells of a square with a man, row by row.
pub(super) type Figure = Arc<[Patch]>;

/// The man on a square of this size. What was made once is kept.
pub(super) fn figure(role: Role, size: SquareSize, blocks: Blocks) -> Figure {
    type Kept = Mutex<HashMap<(Role, u16, u16, Blocks), Figure>>;
    static KEPT: OnceLock<Kept> = OnceLock::new();
    let kept = KEPT.get_or_init(Kept::default);
    let key = (role, size.columns, size.rows, blocks);
    let mut kept = match kept.lock() {
        Ok(kept) => kept,
        Err(poisoned) => poisoned.into_inner(),
    };
    let made = kept.entry(key).or_insert_with(|| make(role, size, blocks));
    Arc::clone(made)
}

fn make(role: Role, size: SquareSize, blocks: Blocks) -> Figure {
    let (across, down) = blocks.grain();
    // Halves are as wide as two quadrants, and show the mean of both.
    let fine = if blocks == Blocks::Half { 2 } else { across };
    let coats = coats(role, size.columns * fine, size.rows * down);
    let mut patches = Vec::new();
    for y in 0..size.rows {
        for x in 0..size.columns {
            let mut cell = Vec::new();
            for row in y * down..(y + 1) * down {
                for column in x * fine..(x + 1) * fine {
                    cell.push(coats(column, row));
                }
            }
            patches.push(match blocks {
                Blocks::Half => halves(mean(cell[0], cell[1]), mean(cell[2], cell[3])),
                _ => fitted(&cell, blocks),
            });
        }
    }
    patches.into()
}

/// What covers each pixel: as drawn by hand, or as the diagram has it.
fn coats(role: Role, columns: u16, rows: u16) -> Box<dyn Fn(u16, u16) -> Coat> {
    let Some(drawn) = handmade::drawn(role, columns, rows) else {
        let stencil = Stencil::of(role, columns, rows);
        return Box::new(move |column, row| stencil.at(column, row));
    };
    Box::new(move |column, row| {
        let pixel = drawn[usize::from(row)].as_bytes()[usize::from(column)];
        let share = |is_covered| if is_covered { u8::MAX } else { 0 };
        Coat {
            man: share(pixel != b'.'),
            line: share(pixel == b'+'),
        }
    })
}

/// How much of two pixels is man and not a line cut into him.
fn mean(left: Coat, right: Coat) -> u8 {
    let [left, right] = [left, right].map(|coat| coat.man.saturating_sub(coat.line / 2));
    left.midpoint(right)
}

/// Two pixels, each in a colour of its own.
fn halves(upper: u8, lower: u8) -> Patch {
    let part = |share: u8| match share {
        0..16 => Part::Ground,
        240.. => Part::Man,
        share => Part::Mixed(share),
    };
    Patch {
        glyph: '▀',
        ink: part(upper),
        paper: part(lower),
    }
}

/// How much of a pixel is what a colour stands for.
fn share(coat: Coat, part: Part) -> u32 {
    u32::from(match part {
        Part::Ground => u8::MAX - coat.man,
        Part::Man => coat.man.saturating_sub(coat.line),
        Part::Line => coat.line,
        Part::Mixed(_) => 0,
    })
}

/// The two colours and the pattern that leave the least of the man in the wrong colour.
fn fitted(cell: &[Coat], blocks: Blocks) -> Patch {
    const PAIRS: [(Part, Part); 3] = [
        (Part::Man, Part::Ground),
        (Part::Line, Part::Man),
        (Part::Line, Part::Ground),
    ];
    let fit = |(ink, paper): (Part, Part)| {
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
    let fits = PAIRS.map(fit);
    // The first of the best.
    let best = fits.into_iter().rev().max_by_key(|(right, ..)| *right);
    let (_, pattern, ink, paper) = best.unwrap_or(fits[0]);
    let all = u8::MAX >> (8 - cell.len());
    let (ink, paper) = match pattern {
        0 => (paper, paper),
        pattern if pattern == all => (ink, ink),
        _ => (ink, paper),
    };
    match ink == paper {
        true => Patch {
            glyph: ' ',
            ink,
            paper,
        },
        false => Patch {
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
    fn no_two_men_look_alike_and_none_is_mixed_but_in_halves() {
        for size in SquareSize::ALL.into_iter().filter(|size| size.rows >= 3) {
            for blocks in Blocks::ALL {
                let men = Role::ALL.map(|role| figure(role, size, blocks));
                for (at, man) in men.iter().enumerate() {
                    assert_eq!(man.len(), usize::from(size.columns * size.rows));
                    assert!(men[..at].iter().all(|other| other != man), "{size:?}");
                    let is_mixed = man.iter().any(|patch| {
                        let parts = [patch.ink, patch.paper];
                        parts.iter().any(|part| matches!(part, Part::Mixed(_)))
                    });
                    assert!(!is_mixed || blocks == Blocks::Half);
                }
            }
        }
    }

    #[test]
    fn what_was_drawn_by_hand_fills_its_grid_and_needs_two_colours_in_a_cell() {
        for (columns, rows) in handmade::GRIDS {
            for role in Role::ALL {
                let man = handmade::drawn(role, columns, rows).expect("a drawing");
                assert_eq!(man.len(), usize::from(rows));
                assert!(man.iter().all(|row| row.len() == usize::from(columns)));
                let down = match rows * 12 / columns {
                    6 => 2,
                    9 => 3,
                    _ => 4,
                };
                for cell in man.chunks(down) {
                    for x in (0..usize::from(columns)).step_by(2) {
                        let seen: std::collections::HashSet<&str> = cell
                            .iter()
                            .flat_map(|row| [&row[x..x + 1], &row[x + 1..x + 2]])
                            .collect();
                        assert!(seen.len() < 3, "{role:?} {columns}x{rows}");
                    }
                }
            }
        }
    }
}
