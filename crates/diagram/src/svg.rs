//! The SVG painter: writes a scene as a self-contained document. The scene decides positions and colours.

use std::fmt::{self, Write};

use touchmove_rules::{Color, Piece, Role};

use crate::piece_outlines;
use crate::scene::{self, GLOW_RADIUS, Ink, Item, Point, SQUARE_SIDE, Scene, Shape};
use crate::theme::{Rgba, Theme};

/// All twelve pieces in one picture (a sprite sheet), for programs that draw their own board: six columns, the pawn,
/// knight, bishop, rook, queen and king of White, and below them Black's. Each has 100 × 100 units.
///
/// ```
/// use touchmove_diagram::{Theme, piece_sprites};
///
/// let sheet = piece_sprites(&Theme::WALNUT);
/// assert!(sheet.starts_with("<svg") && sheet.contains("viewBox=\"0 0 600 200\""));
/// ```
#[must_use]
pub fn piece_sprites(theme: &Theme) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = sheet(&mut svg, theme);
    svg
}

fn sheet(svg: &mut String, theme: &Theme) -> fmt::Result {
    let (width, height) = (6.0 * SQUARE_SIDE, 2.0 * SQUARE_SIDE);
    write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    )?;
    for (row, color) in [Color::White, Color::Black].into_iter().enumerate() {
        for (column, role) in Role::ALL.into_iter().enumerate() {
            let (x, y) = (column as f32 * SQUARE_SIDE, row as f32 * SQUARE_SIDE);
            write!(svg, "<g transform=\"translate({x} {y})\">")?;
            for shape in piece_outlines::piece_shapes(role.of(color), theme) {
                path(svg, &shape, Point::ORIGIN)?;
            }
            svg.write_str("</g>")?;
        }
    }
    svg.write_str("</svg>\n")
}

pub(crate) fn write(scene: &Scene) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = document(&mut svg, scene);
    svg
}

fn document(svg: &mut String, scene: &Scene) -> fmt::Result {
    let (start, side) = (0.0 - scene.frame, scene.side());
    write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{start} {start} {side} {side}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    )?;
    definitions(svg, scene)?;
    for item in &scene.items {
        match item {
            Item::Shape(shape, at) => path(svg, shape, *at)?,
            Item::Man(piece, at) => {
                write!(
                    svg,
                    "<use href=\"#{}\" x=\"{}\" y=\"{}\"/>",
                    name(*piece),
                    at.x,
                    at.y
                )?;
            }
        }
    }
    svg.write_str("</svg>\n")
}

/// The `<defs>` of the document: each kind of piece on the board, and the glow of a check.
fn definitions(svg: &mut String, scene: &Scene) -> fmt::Result {
    svg.write_str("<defs>")?;
    let glow = scene.items.iter().find_map(|item| match item {
        Item::Shape(
            Shape {
                ink: Ink::Glow(color),
                ..
            },
            _,
        ) => Some(*color),
        _ => None,
    });
    if let Some(color) = glow {
        gradient(svg, color)?;
    }
    for piece in Piece::all() {
        if scene
            .items
            .iter()
            .any(|item| matches!(item, Item::Man(man, _) if *man == piece))
        {
            write!(svg, "<g id=\"{}\">", name(piece))?;
            for shape in piece_outlines::piece_shapes(piece, &scene.theme) {
                path(svg, &shape, Point::ORIGIN)?;
            }
            svg.write_str("</g>")?;
        }
    }
    svg.write_str("</defs>")
}

fn gradient(svg: &mut String, color: Rgba) -> fmt::Result {
    write!(
        svg,
        "<radialGradient id=\"check\" r=\"{}\">",
        GLOW_RADIUS / SQUARE_SIDE
    )?;
    for (offset, color) in scene::glow_stops(color) {
        let opacity = opacity(color);
        write!(
            svg,
            "<stop offset=\"{offset}\" stop-color=\"{color}\" stop-opacity=\"{opacity}\"/>"
        )?;
    }
    svg.write_str("</radialGradient>")
}

fn path(svg: &mut String, shape: &Shape, at: Point) -> fmt::Result {
    svg.write_str("<path")?;
    if at != Point::ORIGIN {
        write!(svg, " transform=\"translate({} {})\"", at.x, at.y)?;
    }
    match shape.ink {
        Ink::Fill(color) => color_attributes(svg, "fill", color)?,
        Ink::Line { color, width } => {
            svg.write_str(" fill=\"none\"")?;
            color_attributes(svg, "stroke", color)?;
            write!(svg, " stroke-width=\"{width}\"")?;
        }
        Ink::Glow(_) => svg.write_str(" fill=\"url(#check)\"")?,
    }
    write!(svg, " d=\"{}\"/>", shape.outline)
}

/// The colour, and its opacity unless it is 1.
fn color_attributes(svg: &mut String, attribute: &str, color: Rgba) -> fmt::Result {
    write!(svg, " {attribute}=\"{color}\"")?;
    if color.alpha < u8::MAX {
        write!(svg, " {attribute}-opacity=\"{}\"", opacity(color))?;
    }
    Ok(())
}

/// The opacity from 0 to 1, rounded to two decimal places.
fn opacity(color: Rgba) -> f32 {
    (f32::from(color.alpha) / 2.55).round() / 100.0
}

/// The id of a piece's drawing in the document, such as `white-king`.
fn name(piece: Piece) -> String {
    piece.to_string().replace(' ', "-")
}
