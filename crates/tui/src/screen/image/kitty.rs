//! The kitty graphics protocol: an image is sent once with an id, and then placed on squares and removed by that
//! id. No answers are requested.

use crate::screen::clipboard::base64;

/// The most characters of one sequence.
const CHUNK_CHARS: usize = 4096;

/// Deletes all images that were sent.
pub(in crate::screen) const REMOVE_ALL: &str = "\x1b_Ga=d,d=A,q=2\x1b\\";

/// Sends a PNG image with an id, without showing it.
pub(super) fn send(id: u32, png: &[u8]) -> String {
    let letters = base64(png);
    let chunks = letters.len().div_ceil(CHUNK_CHARS);
    let mut text = String::new();
    for at in 0..chunks {
        let chunk = &letters[at * CHUNK_CHARS..letters.len().min((at + 1) * CHUNK_CHARS)];
        let more = u8::from(at + 1 < chunks);
        text += &match at {
            0 => format!("\x1b_Ga=t,f=100,i={id},q=2,m={more};{chunk}\x1b\\"),
            _ => format!("\x1b_Gq=2,m={more};{chunk}\x1b\\"),
        };
    }
    text
}

/// Places an image at the cursor, on so many cells, without moving the cursor.
pub(super) fn put(id: u32, place: u32, columns: u16, rows: u16) -> String {
    format!("\x1b_Ga=p,i={id},p={place},c={columns},r={rows},C=1,q=2\x1b\\")
}

/// Removes an image from a place.
pub(super) fn remove(id: u32, place: u32) -> String {
    format!("\x1b_Ga=d,d=i,i={id},p={place},q=2\x1b\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_picture_is_sent_in_chunks_of_which_only_the_last_says_that_it_is() {
        let text = send(7, &[0; 9000]);
        let sequences: Vec<&str> = text.split_inclusive("\x1b\\").collect();
        assert_eq!(sequences.len(), 3);
        assert!(sequences[0].starts_with("\x1b_Ga=t,f=100,i=7,q=2,m=1;AAAA"));
        assert!(sequences[1].starts_with("\x1b_Gq=2,m=1;"));
        assert!(sequences[2].starts_with("\x1b_Gq=2,m=0;"));
        assert!(
            sequences
                .iter()
                .all(|sequence| sequence.len() < CHUNK_CHARS + 64)
        );
    }
}
