//! Laws of a player's settings: no text stops the reader, every fault has a line of the text, and settings that are
//! written are read back the same without a fault.

use touchmove_tui::config::Config;

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (config, faults) = Config::read(text);
    let lines = 1 + text.matches('\n').count();
    assert!(faults.iter().all(|fault| (1..=lines).contains(&fault.line)));
    let (again, faults) = Config::read(&config.to_string());
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(again, config);
}
