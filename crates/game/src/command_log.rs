//! The ids of commands that have been done, to recognise repeats.

use std::collections::HashMap;

use crate::{Actor, CommandId};

/// Commands with an id, and the first event of each.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct CommandLog {
    of: [HashMap<CommandId, u64>; 3],
}

impl CommandLog {
    /// The first event of a command, if the command has been done.
    pub(crate) fn led_to(&self, by: Actor, id: &CommandId) -> Option<u64> {
        self.of[by as usize].get(id).copied()
    }

    /// Records an event that a command led to.
    pub(crate) fn note(&mut self, by: Actor, id: &CommandId, seq: u64) {
        self.of[by as usize].entry(id.clone()).or_insert(seq);
    }

    /// All entries in a deterministic order.
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
