//! Laws of a host's settings (server.toml): no text stops the reader, and a file without settings changes none. The
//! reader is compiled here from the program's own files, for the program is no library.

#[allow(dead_code)]
#[path = "../../src/serve/config.rs"]
mod config;
#[allow(dead_code)]
#[path = "../../src/serve/values.rs"]
mod values;

use config::ServeConfig;

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(choices) = ServeConfig::read(text) {
        // They are not shown: there may be passwords in them.
        assert!(choices.clone().or(ServeConfig::default()) == choices);
    }
}
