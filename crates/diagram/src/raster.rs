//! Rasterises shapes: traces and paints outlines. The caller (the scene, or a tile) decides positions and colours.

use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap,
    RadialGradient, Shader, SpreadMode, Stroke, Transform,
};

use crate::scene::{self, GLOW_RADIUS, Ink, SQUARE_SIDE, Shape};
use crate::theme::Rgba;

/// Paints a shape, transformed to its place.
pub(crate) fn paint_shape(canvas: &mut Pixmap, shape: &Shape, place: Transform) {
    let Some(path) = trace(&shape.outline) else {
        return;
    };
    match shape.ink {
        Ink::Fill(color) => {
            canvas.fill_path(&path, &solid(color), FillRule::Winding, place, None);
        }
        Ink::Line { color, width } => {
            let stroke = Stroke {
                width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            canvas.stroke_path(&path, &solid(color), &stroke, place, None);
        }
        Ink::Glow(color) => {
            if let Some(shader) = glow(color) {
                let paint = Paint {
                    shader,
                    ..Paint::default()
                };
                canvas.fill_path(&path, &paint, FillRule::Winding, place, None);
            }
        }
    }
}

fn solid(color: Rgba) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(color.red, color.green, color.blue, color.alpha);
    paint
}

fn glow(color: Rgba) -> Option<Shader<'static>> {
    let middle = tiny_skia::Point::from_xy(SQUARE_SIDE / 2.0, SQUARE_SIDE / 2.0);
    let stops = scene::glow_stops(color).map(|(offset, color)| {
        let Rgba {
            red,
            green,
            blue,
            alpha,
        } = color;
        GradientStop::new(offset, Color::from_rgba8(red, green, blue, alpha))
    });
    RadialGradient::new(
        middle,
        0.0,
        middle,
        GLOW_RADIUS,
        stops.to_vec(),
        SpreadMode::Pad,
        Transform::identity(),
    )
}

/// Parses an outline into a path; `None` if it is invalid.
pub(crate) fn trace(outline: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut letters = outline.chars();
    while let Some(command) = letters.next() {
        let rest = letters.as_str();
        let end = rest
            .find(|c: char| c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (numbers, next) = rest.split_at(end);
        let numbers: Vec<f32> = numbers
            .split_ascii_whitespace()
            .map(str::parse)
            .collect::<Result<_, _>>()
            .ok()?;
        match (command, &numbers[..]) {
            ('M', &[x, y]) => path.move_to(x, y),
            ('L', &[x, y]) => path.line_to(x, y),
            ('C', &[x1, y1, x2, y2, x, y]) => path.cubic_to(x1, y1, x2, y2, x, y),
            ('Z', []) => path.close(),
            _ => return None,
        }
        letters = next.chars();
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels;
    use crate::piece_outlines;
    use crate::theme::Theme;
    use touchmove_rules::{File, Piece, Rank};

    #[test]
    fn every_outline_of_the_house_is_traced_inside_its_square() {
        let men =
            Piece::all().flat_map(|piece| piece_outlines::piece_shapes(piece, &Theme::WALNUT));
        let outlines = men.map(|shape| shape.outline.into_owned());
        let files = File::ALL.map(|file| labels::file(file).to_owned());
        let ranks = Rank::ALL.map(|rank| labels::rank(rank).to_owned());
        for outline in outlines.chain(files).chain(ranks) {
            let bounds = trace(&outline).expect(&outline).bounds();
            let inside = bounds.left() >= 0.0 && bounds.right() <= SQUARE_SIDE;
            assert!(
                inside && bounds.top() >= -1.0 && bounds.bottom() <= SQUARE_SIDE,
                "{outline}"
            );
        }
    }

    #[test]
    fn what_is_not_an_outline_is_not_traced() {
        for text in [
            "",
            "M1",
            "M1 2L3",
            "L1 2 3",
            "M1 2Q1 2 3 4",
            "M1 2L3 x",
            "é",
            "M1 2Z3",
        ] {
            assert_eq!(trace(text), None, "{text}");
        }
    }
}
