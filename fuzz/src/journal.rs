//! Laws of journals: no text stops the reader or the audit, and a journal that is read replays to the same game when it
//! is written again.

use touchmove_game::Budget;
use touchmove_game::journal::{audit, read, replay, write};

/// How many positions the audit may look at, so that an input takes a moment.
const MAX_POSITIONS: u64 = 1_000;

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let journal = read(text);
    assert_eq!(journal.is_ok(), replay(text).is_ok());
    if let Ok(journal) = journal {
        let budget = Budget::of_positions(MAX_POSITIONS);
        let _ = audit(&journal.opening, &journal.events, budget);
        let written = write(&journal.opening, &journal.events);
        let again = read(&written).expect("a written journal is a journal");
        assert_eq!(again.events, journal.events);
        assert_eq!(again.game.seq(), journal.game.seq());
    }
}
