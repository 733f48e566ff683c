//! What somebody says beside the game, or asks for after it: not too often, and under one id not twice. It is
//! remembered in memory only, and for the latest; what happens in the game itself the game knows for ever.

use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock};

use touchmove_game::CommandId;
use touchmove_store::{Holder, PersonId};

use crate::lock_ext::Locked as _;
use crate::security::{Buckets, ClientAddress, Rate};

/// The most speakers whose pace is remembered at one table.
const SPEAKERS: usize = 1_000;
/// How many of the latest ids are known again at one table.
const KNOWN: usize = 100;

/// Who speaks: somebody who is known, or whoever is at an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Speaker {
    /// A person or a guest.
    Known(Holder),
    /// Somebody who has not said who he is.
    Unknown(ClientAddress),
}

impl Speaker {
    /// The account, if he has one.
    #[must_use]
    pub const fn person(self) -> Option<PersonId> {
        match self {
            Speaker::Known(Holder::Person(person)) => Some(person),
            Speaker::Known(Holder::Guest(_)) | Speaker::Unknown(_) => None,
        }
    }
}

/// The asides of a table.
#[derive(Default, Debug)]
pub(super) struct Asides {
    /// Of whoever has said something, through however many connections.
    paces: OnceLock<Buckets<Speaker>>,
    done: Mutex<VecDeque<(Speaker, CommandId)>>,
}

impl Asides {
    /// Whether somebody may say one more line now. The rate is the same for as long as the house is open.
    pub(super) fn may_speak(&self, speaker: Speaker, rate: Rate) -> bool {
        let paces = self.paces.get_or_init(|| Buckets::new(rate, SPEAKERS));
        paces.take(speaker)
    }

    /// Whether this has been done under this id.
    pub(super) fn is_done(&self, speaker: Speaker, id: &CommandId) -> bool {
        let done = self.done.locked();
        done.iter().any(|(by, known)| *by == speaker && known == id)
    }

    /// Remembers that it is done.
    pub(super) fn note(&self, speaker: Speaker, id: &CommandId) {
        let mut done = self.done.locked();
        done.push_back((speaker, id.clone()));
        if done.len() > KNOWN {
            done.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(address: [u8; 4]) -> Speaker {
        Speaker::Unknown(ClientAddress::Known(address.into()))
    }

    #[test]
    fn ids_are_known_by_who_used_them_and_not_for_ever() {
        let asides = Asides::default();
        let (anna, bea) = (unknown([192, 0, 2, 1]), unknown([192, 0, 2, 2]));
        let id = |number: usize| CommandId::try_from(format!("c{number}")).unwrap();
        asides.note(anna, &id(0));
        assert!(asides.is_done(anna, &id(0)) && !asides.is_done(bea, &id(0)));
        (1..=KNOWN).for_each(|number| asides.note(bea, &id(number)));
        assert!(!asides.is_done(anna, &id(0)) && asides.is_done(bea, &id(1)));
    }

    #[test]
    fn everybody_has_a_pace_of_his_own() {
        let asides = Asides::default();
        let (anna, bea) = (unknown([192, 0, 2, 1]), unknown([192, 0, 2, 2]));
        let rate = Rate::new(7, 30);
        let said = (0..20).filter(|_| asides.may_speak(anna, rate)).count();
        assert_eq!(said, 7);
        assert!(asides.may_speak(bea, rate));
    }
}
