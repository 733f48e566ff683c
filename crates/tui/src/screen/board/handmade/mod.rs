//! Men drawn by hand where cells are too few for the outlines of the diagram: `#` is the man, `+` a line cut
//! into him, anything else the square. Each file has the men of one kind of blocks, and no cell of a screen
//! needs what a character of that kind and two colours cannot show.

mod half;
mod octants;
mod quadrants;
mod sextants;

use touchmove_rules::Role;

use crate::screen::board::blocks::Blocks;
use crate::screen::board::geometry::SquareSize;

/// One picture for each man, from the pawn to the king.
type Men = [&'static [&'static str]; 6];

/// A picture on a square: as many times as large as fits, at the bottom in the middle.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    picture: &'static [&'static str],
    /// Pixels of the square for one of the picture, across and down.
    scale: (u16, u16),
    /// Pixels of the square to the left of the picture and above it.
    margin: (u16, u16),
}

impl Drawn {
    fn on(picture: &'static [&'static str], columns: u16, rows: u16) -> Drawn {
        let (wide, high) = (picture[0].len() as u16, picture.len() as u16);
        let scale = (columns / wide, rows / high);
        Drawn {
            picture,
            scale,
            margin: ((columns - scale.0 * wide) / 2, rows - scale.1 * high),
        }
    }

    /// The pixel in this column and row of the square.
    pub(super) fn at(&self, column: u16, row: u16) -> u8 {
        let inside = |at: u16, margin, scale| Some(usize::from(at.checked_sub(margin)? / scale));
        let pixel = || {
            let row = self
                .picture
                .get(inside(row, self.margin.1, self.scale.1)?)?;
            let column = inside(column, self.margin.0, self.scale.0)?;
            row.as_bytes().get(column).copied()
        };
        pixel().unwrap_or(b'.')
    }
}

/// The picture of a man for squares of this size, if one was drawn of such blocks.
pub(super) fn drawn(role: Role, size: SquareSize, blocks: Blocks) -> Option<Drawn> {
    let men: Men = match (blocks, size.columns) {
        (Blocks::Half, 6) => half::OF_6,
        (Blocks::Half, 8 | 10) => half::OF_8,
        (Blocks::Quadrants, 6) => quadrants::OF_6,
        (Blocks::Quadrants, 8 | 10) => quadrants::OF_8,
        // Octants are as high as wide, and so is half a cell of these.
        (Blocks::Half | Blocks::Quadrants, 12..) => octants::OF_6,
        (Blocks::Sextants, 6) => sextants::OF_6,
        (Blocks::Sextants, 8 | 10) => sextants::OF_8,
        (Blocks::Octants, 6) => octants::OF_6,
        _ => return None,
    };
    let (across, down) = blocks.grain();
    Some(Drawn::on(
        men[role as usize],
        size.columns * across,
        size.rows * down,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_picture_is_as_long_as_the_others() {
        let sets = [
            half::OF_6,
            half::OF_8,
            quadrants::OF_6,
            quadrants::OF_8,
            sextants::OF_6,
            sextants::OF_8,
            octants::OF_6,
        ];
        for picture in sets.as_flattened() {
            let wide = picture[0].len();
            assert!(picture.iter().all(|row| row.len() == wide), "{picture:#?}");
        }
    }
}
