//! Sixels, the images of the VT340: bands of six rows, each painted colour by colour. Colours are in percent, at
//! most 255 of them.

use std::collections::BTreeMap;

/// A colour in percent.
type Percent = [u8; 3];

/// The most colours of an image.
const MAX_SIXEL_COLORS: usize = 255;

/// Encodes an image, three bytes a pixel. Pixels of the last band below the image are left as they are.
pub(super) fn show(rgb: &[u8], width: usize, height: usize) -> String {
    let pixels: Vec<Percent> = rgb.chunks_exact(3).map(percent).collect();
    let (palette, pixels) = reduced(&pixels);
    let mut text = format!("\x1bP0;1q\"1;1;{width};{height}");
    for (number, [red, green, blue]) in palette.iter().enumerate() {
        text += &format!("#{number};2;{red};{green};{blue}");
    }
    for (at, band) in pixels.chunks(6 * width.max(1)).enumerate() {
        if at > 0 {
            text.push('-');
        }
        write_band(band, width, &mut text);
    }
    text + "\x1b\\"
}

fn percent(pixel: &[u8]) -> Percent {
    [0, 1, 2].map(|at| {
        let level = u16::from(pixel[at]);
        u8::try_from((level * 100 + 127) / 255).unwrap_or(100)
    })
}

/// The palette, and the palette index of every pixel. If there are too many colours, similar ones are merged; the
/// first pixel's, which is the square's, is kept.
fn reduced(pixels: &[Percent]) -> (Vec<Percent>, Vec<usize>) {
    let ground = pixels.first().copied().unwrap_or_default();
    for step in 1.. {
        let rough = |color: Percent| match color == ground {
            true => color,
            false => color.map(|level| ((level + step / 2) / step * step).min(100)),
        };
        let mut numbers: BTreeMap<Percent, usize> = BTreeMap::new();
        for &pixel in pixels {
            let next = numbers.len();
            numbers.entry(rough(pixel)).or_insert(next);
        }
        if numbers.len() <= MAX_SIXEL_COLORS || step >= 50 {
            let mut palette = vec![ground; numbers.len()];
            for (&color, &number) in &numbers {
                palette[number] = color;
            }
            let pixels = pixels.iter().map(|&pixel| numbers[&rough(pixel)]).collect();
            return (palette, pixels);
        }
    }
    (Vec::new(), Vec::new())
}

/// Up to six rows: for every colour the columns where it occurs, then a return to the left.
fn write_band(band: &[usize], width: usize, text: &mut String) {
    let mut columns: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    for (at, &color) in band.iter().enumerate() {
        let bits = columns.entry(color).or_insert_with(|| vec![0; width]);
        bits[at % width] |= 1 << (at / width);
    }
    for (at, (color, bits)) in columns.into_iter().enumerate() {
        if at > 0 {
            text.push('$');
        }
        text.push_str(&format!("#{color}"));
        let end = bits
            .iter()
            .rposition(|&bits| bits != 0)
            .map_or(0, |at| at + 1);
        for run in bits[..end].chunk_by(|one, other| one == other) {
            let sixel = char::from(b'?' + run[0]);
            match run.len() {
                length @ 1..=3 => text.extend(std::iter::repeat_n(sixel, length)),
                length => text.push_str(&format!("!{length}{sixel}")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_has_a_turn_for_every_colour() {
        let (red, white) = ([255, 0, 0], [255, 255, 255]);
        let rgb: Vec<u8> = [red, red, red, red, red, white, red, white].concat();
        assert_eq!(
            show(&rgb, 4, 2),
            "\x1bP0;1q\"1;1;4;2#0;2;100;0;0#1;2;100;100;100#0B@B@$#1?A?A\x1b\\"
        );
    }

    #[test]
    fn there_are_never_more_colours_than_a_terminal_has_registers() {
        let rgb: Vec<u8> = (0..60_u8)
            .flat_map(|y| (0..60_u8).flat_map(move |x| [4 * x, 4 * y, x.wrapping_mul(y)]))
            .collect();
        let text = show(&rgb, 60, 60);
        let defined = text.matches(";2;").count();
        assert!(defined <= MAX_SIXEL_COLORS && defined > 60, "{defined}");
        assert_eq!(
            text.matches('-').count(),
            9,
            "ten bands and nothing after them"
        );
    }
}
