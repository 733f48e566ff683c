//! What has been done, by the names that those who asked for it gave it.

use std::collections::HashMap;

use crate::{Actor, CommandId};

/// The commands that had a name, with the event that each of them led to first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct CommandLog {
    of: [HashMap<CommandId, u64>; 3],
}

impl CommandLog {
    /// The event that a command led to first, if it has been done.
    pub(crate) fn led_to(&self, by: Actor, id: &CommandId) -> Option<u64> {
        self.of[by as usize].get(id).copied()
    }

    /// Notes an event that a command led to.
    pub(crate) fn note(&mut self, by: Actor, id: &CommandId, seq: u64) {
        self.of[by as usize].entry(id.clone()).or_insert(seq);
    }

    /// All of them in an order that does not depend on luck.
    pub(crate) fn listed(&self) -> Vec<(Actor, CommandId, u64)> {
        let all = [Actor::White, Actor::Black, Actor::Arbiter].into_iter();
        let of = |by: Actor| self.of[by as usize].iter().map(move |done| (by, done));
        let mut listed: Vec<_> = all
            .flat_map(of)
            .map(|(by, (id, seq))| (by, id.clone(), *seq))
            .collect();
        listed.sort();
        listed
    }
}

impl FromIterator<(Actor, CommandId, u64)> for CommandLog {
    fn from_iter<T: IntoIterator<Item = (Actor, CommandId, u64)>>(commands: T) -> CommandLog {
        let mut done = CommandLog::default();
        for (by, id, seq) in commands {
            done.note(by, &id, seq);
        }
        done
    }
}
