//! The inline images of iTerm2: a file shown at the cursor.

use crate::screen::clipboard::base64;

/// Shows a PNG image on so many cells.
pub(super) fn show(png: &[u8], columns: u16, rows: u16) -> String {
    format!(
        "\x1b]1337;File=inline=1;size={};width={columns};height={rows};preserveAspectRatio=0;\
         doNotMoveCursor=1:{}\x07",
        png.len(),
        base64(png)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_says_how_long_it_is_and_how_many_cells_it_takes() {
        let text = show(b"foo", 6, 3);
        assert!(text.starts_with("\x1b]1337;File=inline=1;size=3;width=6;height=3;"));
        assert!(text.ends_with(":Zm9v\x07"));
    }
}
