//! Renders the page of a table: with its state inside, so that the board can be drawn at once, and with a diagram for
//! browsers without scripts.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::http::HeaderMap;
use touchmove_diagram::Diagram;
use touchmove_engine::Level;
use touchmove_game::{Game, Seat};
use touchmove_rules::Color;
use touchmove_text::sanitize_line;

use crate::Server;
use crate::api::{ApiError, tables};
use crate::auth::identity::Identity;
use crate::games::loader::TableUse;
use crate::games::state_message::view;
use crate::games::table::ViewerRole;
use crate::security::Client;
use crate::web::assets::assets;

/// The page of a table.
pub(super) async fn table(
    server: &Arc<Server>,
    client: Client,
    id: &str,
    headers: &HeaderMap,
) -> Result<String, ApiError> {
    let who = server.identify(headers).await?;
    let table = tables::table(server, (client, who.as_ref()), id, TableUse::Read).await?;
    table.write_history(server, client.into()).await?;
    let now = server.now();
    let mut core = table.lock().await;
    let you = who
        .filter(Identity::may_see_games)
        .and_then(|who| core.seat_of(who.holder));
    let place = you.map_or(ViewerRole::Watching, ViewerRole::Seat);
    let message = view(&table, &mut core, place, server, None).await?;
    let state = core.state(now);
    let time = core.game.terms().time.as_ref().map(ToString::to_string);
    let is_over = core.game.ending().is_some();
    let drawn = drawing(&core.game, you.unwrap_or(Color::White));
    drop(core);
    let name = |seat: &Seat| match seat {
        Seat::Open if is_over => "nobody".to_owned(),
        Seat::Open => "an open seat".to_owned(),
        Seat::Taken(name) if name.is_empty() => "somebody".to_owned(),
        Seat::Taken(name) => name.clone(),
    };
    let title = format!(
        "{} – {}",
        name(&state.players.white),
        name(&state.players.black)
    );
    let time = time.map_or(String::new(), |time| format!(", {time}"));
    let about = format!("{}{time}. {}", state.variant, state.explanation);
    let image = format!("/diagram.png?side_px=600&fen={}", in_query(&state.fen));
    let page = assets().template("table.html");
    let page = page
        .replace("{{game}}", &table.id().to_string())
        .replace("{{title}}", &in_html(&title))
        .replace("{{about}}", &in_html(&about))
        .replace("{{image}}", &in_html(&server.url(&image)));
    let page = with_picture(&page, &drawn, &about);
    // The state is inserted last, so that placeholders in players' text are not replaced.
    Ok(page.replace("{{state}}", &in_script(&message)))
}

/// The board as SVG, shown before any script runs.
fn drawing(game: &Game, side: Color) -> String {
    let diagram = Diagram::new(game.position().board()).seen_from(side);
    match game.plies().last() {
        Some(ply) => diagram.last_move(ply.mv.from(), ply.mv.to()).svg(),
        None => diagram.svg(),
    }
}

/// Inserts a diagram into a page, with a text alternative.
pub(super) fn with_picture(page: &str, svg: &str, about: &str) -> String {
    let about = in_html(about);
    let head = format!("<svg class=\"still\" role=\"img\" aria-label=\"{about}\"");
    page.replacen("{{picture}}", &svg.replacen("<svg", &head, 1), 1)
}

/// Inserts the available levels of the computer into the home page; without any, that choice is left out.
pub(super) fn with_levels(page: &str, levels: &[Level]) -> String {
    let usual = levels.iter().position(|level| *level == Level::Casual);
    let mut options = String::new();
    for (index, level) in levels.iter().enumerate() {
        let selected = match index == usual.unwrap_or(0) {
            true => " selected",
            false => "",
        };
        // Writing to a string cannot fail.
        let _ = write!(
            options,
            "<option value=\"{level}\" data-t=\"home.levels.{level}\"{selected}>{}</option>",
            level.title()
        );
    }
    let hidden = if levels.is_empty() { "hidden" } else { "" };
    page.replace("{{levels}}", &options)
        .replace("{{computer}}", hidden)
}

/// Escapes text for HTML and attributes, on one line and without characters that change its direction.
fn in_html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in sanitize_line(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // A placeholder in inserted text is not replaced.
            '{' => safe.push_str("&#123;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Escapes JSON so that it cannot end its script element.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Percent-encodes a value for a query.
pub(crate) fn in_query(text: &str) -> String {
    let mut query = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'/' => query.push(char::from(byte)),
            other => {
                // Writing to a string cannot fail.
                let _ = write!(query, "%{other:02X}");
            }
        }
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_stays_text() {
        let name = "</script><b onclick='x'>{{state}}\"&";
        let shown = in_html(name);
        assert!(!shown.contains(['<', '>', '"', '\'', '{']), "{shown}");
        assert!(!in_script(name).contains('<'));
        assert_eq!(in_html("An\u{202e}na\nBea"), "An\u{fffd}na Bea");
        assert_eq!(in_query("a b/c?&"), "a%20b/c%3F%26");
    }
}
