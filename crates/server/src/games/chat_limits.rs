//! Rate limits and repeated ids of chat and rematch commands. They are kept in memory only, and only the latest;
//! repeats of game commands are known from the journal for ever.

use std::collections::VecDeque;
use std::sync::{Mutex, OnceLock};

use touchmove_game::CommandId;
use touchmove_store::{Holder, PersonId};

use crate::lock_ext::LockExt as _;
use crate::security::{ClientAddress, KeyedRateLimiter, Rate};

/// The most senders whose rate is tracked at one table.
const MAX_TRACKED_SENDERS: usize = 1_000;
/// How many of the latest command ids are remembered at one table.
const MAX_REMEMBERED_IDS: usize = 100;

/// The sender of a chat line: an account or guest, or an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChatSender {
    /// An account or a guest.
    Known(Holder),
    /// A client without an identity.
    Unknown(ClientAddress),
}

impl ChatSender {
    /// The account, if there is one.
    #[must_use]
    pub const fn person(self) -> Option<PersonId> {
        match self {
            ChatSender::Known(Holder::Person(person)) => Some(person),
            ChatSender::Known(Holder::Guest(_)) | ChatSender::Unknown(_) => None,
        }
    }
}

/// The chat limits of a table.
#[derive(Default, Debug)]
pub(super) struct SideCommandLimits {
    /// One bucket for each sender, whichever connections they use.
    paces: OnceLock<KeyedRateLimiter<ChatSender>>,
    done: Mutex<VecDeque<(ChatSender, CommandId)>>,
}

impl SideCommandLimits {
    /// Whether a sender may post one more line now. The rate stays the same as long as the server runs.
    pub(super) fn allow_chat(&self, speaker: ChatSender, rate: Rate) -> bool {
        let paces = self
            .paces
            .get_or_init(|| KeyedRateLimiter::new(rate, MAX_TRACKED_SENDERS));
        paces.take(speaker)
    }

    /// Whether this id was granted before.
    pub(super) fn contains(&self, speaker: ChatSender, id: &CommandId) -> bool {
        let done = self.done.locked();
        done.iter().any(|(by, known)| *by == speaker && known == id)
    }

    /// Remembers a granted id.
    pub(super) fn insert(&self, speaker: ChatSender, id: &CommandId) {
        let mut done = self.done.locked();
        done.push_back((speaker, id.clone()));
        if done.len() > MAX_REMEMBERED_IDS {
            done.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(address: [u8; 4]) -> ChatSender {
        ChatSender::Unknown(ClientAddress::Known(address.into()))
    }

    #[test]
    fn ids_are_known_by_who_used_them_and_not_for_ever() {
        let asides = SideCommandLimits::default();
        let (anna, bea) = (unknown([192, 0, 2, 1]), unknown([192, 0, 2, 2]));
        let id = |number: usize| CommandId::try_from(format!("c{number}")).unwrap();
        asides.insert(anna, &id(0));
        assert!(asides.contains(anna, &id(0)) && !asides.contains(bea, &id(0)));
        (1..=MAX_REMEMBERED_IDS).for_each(|number| asides.insert(bea, &id(number)));
        assert!(!asides.contains(anna, &id(0)) && asides.contains(bea, &id(1)));
    }

    #[test]
    fn everybody_has_a_pace_of_his_own() {
        let asides = SideCommandLimits::default();
        let (anna, bea) = (unknown([192, 0, 2, 1]), unknown([192, 0, 2, 2]));
        let rate = Rate::new(7, 30);
        let said = (0..20).filter(|_| asides.allow_chat(anna, rate)).count();
        assert_eq!(said, 7);
        assert!(asides.allow_chat(bea, rate));
    }
}
