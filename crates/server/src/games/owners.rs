//! The owners of a table's queued work: the addresses that its players have connected from.

use std::sync::Mutex;

use touchmove_rules::{ByColor, Color};

use crate::games::table::Table;
use crate::lock_ext::LockExt as _;
use crate::security::{Client, ClientAddress};
use crate::work_queue::WorkOwner;

/// The latest address of each player, if known.
pub(super) struct Owners {
    addresses: Mutex<ByColor<Option<WorkOwner>>>,
}

impl Owners {
    /// No address is known yet.
    pub(super) fn unknown() -> Owners {
        Owners {
            addresses: Mutex::new(ByColor::with(|_| None)),
        }
    }

    fn note(&self, player: Color, owner: WorkOwner) {
        self.addresses.locked()[player] = Some(owner);
    }

    /// The player's address, or the opponent's where only that is known, as against the computer. Tables without any
    /// address share one owner.
    fn of(&self, player: Color) -> WorkOwner {
        let addresses = self.addresses.locked();
        let known = addresses[player].or(addresses[!player]);
        known.unwrap_or(WorkOwner::Address(ClientAddress::Unknown))
    }
}

impl Table {
    /// Records the address of a player.
    pub(crate) fn note_address(&self, player: Color, client: Client) {
        self.owners.note(player, client.into());
    }

    /// The owner of work that this player waits for.
    pub(crate) fn owner_of(&self, player: Color) -> WorkOwner {
        self.owners.of(player)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn a_player_without_an_address_has_that_of_the_other() {
        let from = |last: u8| WorkOwner::from(Client::from(IpAddr::from([10, 0, 0, last])));
        let owners = Owners::unknown();
        let nobody = WorkOwner::Address(ClientAddress::Unknown);
        assert_eq!(owners.of(Color::White), nobody);
        owners.note(Color::Black, from(1));
        assert_eq!(Color::ALL.map(|color| owners.of(color)), [from(1); 2]);
        owners.note(Color::White, from(2));
        assert_eq!(owners.of(Color::White), from(2));
        assert_eq!(owners.of(Color::Black), from(1));
    }
}
