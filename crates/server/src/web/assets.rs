//! The static files of the page: scripts, styles and images, embedded in the program, compressed once, with the
//! version in their path.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};
use touchmove_diagram::{Theme, piece_sprites};

/// The caching of a file whose path changes with its content.
const CACHE_IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// The caching of everything else: revalidate each time.
const CACHE_REVALIDATE: &str = "no-cache";

macro_rules! web {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../web/", $name)).as_slice())),*]
    };
}

/// The files of `crates/server/web`.
const ASSET_FILES: &[(&str, &[u8])] = web![
    "style.css",
    "table.html",
    "home.html",
    "arbiter.html",
    "rules.html",
    "connect.html",
    "missing.html",
    "icon.svg",
    "manifest.json",
    "actions.js",
    "announcer.js",
    "arbiter.js",
    "board.js",
    "board_editor.js",
    "board_input.js",
    "board_overlay.js",
    "chat.js",
    "clock.js",
    "connect.js",
    "dom.js",
    "explosion.js",
    "fen.js",
    "game_announcements.js",
    "game_model.js",
    "game_over.js",
    "game_socket.js",
    "home.js",
    "http.js",
    "i18n.de.js",
    "i18n.js",
    "invite.js",
    "lobby.js",
    "move_list.js",
    "move_text.js",
    "play_controller.js",
    "player_bars.js",
    "premoves.js",
    "qr.js",
    "replay_controller.js",
    "review.js",
    "rules.js",
    "settings.js",
    "shown_position.js",
    "sound.js",
    "storage.js",
    "study.js",
    "table.js",
    "table_messages.js",
];

/// A file as it is sent.
struct AssetFile {
    kind: &'static str,
    plain: Bytes,
    /// The file compressed with gzip, where that is smaller.
    gzip: Option<Bytes>,
}

/// All files of one version.
pub(super) struct Assets {
    /// A hash of all files.
    version: String,
    files: BTreeMap<String, AssetFile>,
    /// The `Cache-Control` of files.
    keep: &'static str,
}

impl Assets {
    fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>, keep: &'static str) -> Assets {
        let mut hash = Sha256::new();
        let mut kept = BTreeMap::new();
        let drawn = (
            "pieces.svg".to_owned(),
            piece_sprites(&Theme::WALNUT).into_bytes(),
        );
        for (name, content) in files.into_iter().chain([drawn]) {
            hash.update(&content);
            let file = AssetFile {
                kind: kind(&name),
                gzip: compressed(&content, Compression::best()),
                plain: content.into(),
            };
            kept.insert(name, file);
        }
        let digest = hash.finalize();
        let version = digest.iter().take(6).map(|byte| format!("{byte:02x}"));
        Assets {
            version: version.collect(),
            files: kept,
            keep,
        }
    }

    /// A page's text with the path of the assets inserted; empty if there is no such file.
    pub(super) fn template(&self, name: &str) -> String {
        let text = self.files.get(name).map(|file| file.plain.as_ref());
        let text = String::from_utf8_lossy(text.unwrap_or_default());
        text.replace("{{assets}}", &self.place())
    }

    /// The path of the assets.
    pub(super) fn place(&self) -> String {
        format!("/assets/{}", self.version)
    }

    /// Answers a request for a file of a version.
    pub(super) fn send(&self, version: &str, name: &str, headers: &HeaderMap) -> Option<Response> {
        let file = self.files.get(name).filter(|_| !name.ends_with(".html"))?;
        let etag = format!("\"{}\"", self.version);
        // A page opened before an upgrade asks for the old version: it gets the current file, to be revalidated.
        let keep = match version == self.version {
            true => self.keep,
            false => CACHE_REVALIDATE,
        };
        let zipped = file.gzip.as_ref().filter(|_| takes_gzip(headers));
        let known = headers.get(header::IF_NONE_MATCH);
        let mut response = if known.is_some_and(|known| known.as_bytes() == etag.as_bytes()) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Bytes::clone(zipped.unwrap_or(&file.plain)).into_response()
        };
        let head = response.headers_mut();
        head.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
        head.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
        head.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(etag) = HeaderValue::from_str(&etag) {
            head.insert(header::ETAG, etag);
        }
        if zipped.is_some() {
            head.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        Some(response)
    }
}

/// The embedded files; during development, those in the folder named by `TOUCHMOVE_WEB`.
pub(super) fn assets() -> Arc<Assets> {
    static ASSETS: OnceLock<Arc<Assets>> = OnceLock::new();
    if cfg!(debug_assertions)
        && let Some(folder) = std::env::var_os("TOUCHMOVE_WEB")
    {
        let read = |name: &str| std::fs::read(std::path::Path::new(&folder).join(name));
        let files = ASSET_FILES.iter().map(|(name, built)| {
            let content = read(name).unwrap_or_else(|_| built.to_vec());
            ((*name).to_owned(), content)
        });
        return Arc::new(Assets::new(files, CACHE_REVALIDATE));
    }
    let kept = ASSETS.get_or_init(|| {
        let files = ASSET_FILES.iter();
        let files = files.map(|(name, content)| ((*name).to_owned(), content.to_vec()));
        Arc::new(Assets::new(files, CACHE_IMMUTABLE))
    });
    Arc::clone(kept)
}

/// Whether a client accepts gzip.
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).into_iter();
    accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| coding.trim().split(';').next() == Some("gzip"))
}

/// The content compressed, if that is worth it. Responses compressed per request use a fast level.
pub(super) fn compressed(content: &[u8], level: Compression) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(content).ok()?;
    let small = encoder.finish().ok()?;
    (small.len() < content.len()).then(|| small.into())
}

/// The media type of a file, by its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/manifest+json",
        _ => "text/html; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut listed: Vec<&str> = ASSET_FILES.iter().map(|(name, _)| *name).collect();
        there.sort();
        listed.sort_unstable();
        assert_eq!(there, listed);
    }

    #[test]
    fn what_a_page_imports_is_there() {
        let names: Vec<&str> = ASSET_FILES.iter().map(|(name, _)| *name).collect();
        for (name, content) in ASSET_FILES.iter().filter(|(name, _)| name.ends_with(".js")) {
            let text = std::str::from_utf8(content).unwrap();
            for quoted in text.split("'./").skip(1) {
                let import = quoted.split('\'').next().unwrap();
                assert!(names.contains(&import), "{name} imports {import}");
            }
        }
    }

    #[test]
    fn a_first_visit_is_small() {
        let assets = Assets::new(
            ASSET_FILES
                .iter()
                .map(|(name, content)| ((*name).to_owned(), content.to_vec())),
            CACHE_IMMUTABLE,
        );
        let sizes = assets.files.values();
        let sent = sizes.map(|file| file.gzip.as_ref().unwrap_or(&file.plain).len());
        let sent: usize = sent.sum();
        assert!(sent < 120_000, "all files together are {sent} bytes");
    }
}
