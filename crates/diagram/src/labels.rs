//! The coordinates a–h and 1–8 as pen strokes, so that no picture needs a font. Other letters are not drawn, and the
//! scene decides where a label stands.
//!
//! A label is up to 9 units wide; its base line is at 15, the bow of the g goes down to 20.

use touchmove_rules::{File, Rank};

/// The width of the strokes.
pub(crate) const LABEL_STROKE_WIDTH: f32 = 2.5;
/// The width of the widest label.
pub(crate) const LABEL_WIDTH: f32 = 9.0;
/// From the top of a label to its base line.
pub(crate) const LABEL_HEIGHT: f32 = 15.0;

/// The strokes of a file's letter.
pub(crate) const fn file(file: File) -> &'static str {
    match file {
        File::A => {
            "M8.8 5.6L8.8 15M8.8 10.4C8.8 13 6.8 15 4.4 15C2 15 0 13 0 10.4\
             C0 7.8 2 5.8 4.4 5.8C6.8 5.8 8.8 7.8 8.8 10.4Z"
        }
        File::B => {
            "M0.4 0L0.4 15M0.4 10.4C0.4 7.8 2.4 5.8 4.8 5.8C7.2 5.8 9.2 7.8 9.2 10.4\
             C9.2 13 7.2 15 4.8 15C2.4 15 0.4 13 0.4 10.4Z"
        }
        File::C => {
            "M8.2 7.2C7.3 6.3 6.2 5.8 4.9 5.8C2.3 5.8 0.3 7.8 0.3 10.4\
             C0.3 13 2.3 15 4.9 15C6.2 15 7.3 14.5 8.2 13.6"
        }
        File::D => {
            "M8.8 0L8.8 15M8.8 10.4C8.8 13 6.8 15 4.4 15C2 15 0 13 0 10.4\
             C0 7.8 2 5.8 4.4 5.8C6.8 5.8 8.8 7.8 8.8 10.4Z"
        }
        File::E => {
            "M0.3 10.2L9 10.2C9 7.7 7.2 5.8 4.7 5.8C2.2 5.8 0.3 7.8 0.3 10.4\
             C0.3 13 2.3 15 4.9 15C6.4 15 7.6 14.4 8.4 13.4"
        }
        File::F => "M8 0.4C5.4 -0.5 4 1 4 3.4L4 15M1.2 6L7.4 6",
        File::G => {
            "M8.8 5.6L8.8 15.4C8.8 18.2 7 20 4.4 20C2.8 20 1.5 19.5 0.7 18.5\
             M8.8 10.4C8.8 13 6.8 15 4.4 15C2 15 0 13 0 10.4\
             C0 7.8 2 5.8 4.4 5.8C6.8 5.8 8.8 7.8 8.8 10.4Z"
        }
        File::H => "M0.6 0L0.6 15M0.6 9.9C0.6 7.4 2.3 5.8 4.5 5.8C6.9 5.8 8.3 7.4 8.3 9.9L8.3 15",
    }
}

/// The strokes of a rank's number.
pub(crate) const fn rank(rank: Rank) -> &'static str {
    match rank {
        Rank::First => "M1.6 3L5.4 0L5.4 15",
        Rank::Second => {
            "M0.6 4C0.6 1.6 2.3 0 4.6 0C6.9 0 8.5 1.6 8.5 3.8C8.5 6.4 6.2 8.4 0.6 15L8.9 15"
        }
        Rank::Third => {
            "M0.9 0L8.1 0L4.2 5.8C6.9 5.8 8.9 7.6 8.9 10.4C8.9 13.1 6.9 15 4.4 15\
             C2.4 15 0.9 14 0.3 12.4"
        }
        Rank::Fourth => "M5.6 0L0 10.8L9 10.8M6.6 6.6L6.6 15",
        Rank::Fifth => {
            "M8 0L1.8 0L1.1 6.7C1.9 5.9 3 5.5 4.3 5.5C7 5.5 8.9 7.4 8.9 10.2\
             C8.9 13.1 6.9 15 4.4 15C2.4 15 0.9 14 0.3 12.4"
        }
        Rank::Sixth => {
            "M6 0L0.9 7.7C0.4 8.6 0.1 9.5 0.1 10.5C0.1 13 2.1 15 4.5 15\
             C6.9 15 8.9 13 8.9 10.5C8.9 8 6.9 6 4.5 6C3.3 6 2.2 6.4 1.4 7.2"
        }
        Rank::Seventh => "M0.2 0L8.8 0L3.4 15",
        Rank::Eighth => {
            "M4.5 0C6.4 0 7.9 1.5 7.9 3.4C7.9 5.3 6.4 6.8 4.5 6.8C2.6 6.8 1.1 5.3 1.1 3.4\
             C1.1 1.5 2.6 0 4.5 0ZM4.5 6.8C6.9 6.8 8.8 8.6 8.8 10.9C8.8 13.2 6.9 15 4.5 15\
             C2.1 15 0.2 13.2 0.2 10.9C0.2 8.6 2.1 6.8 4.5 6.8Z"
        }
    }
}
