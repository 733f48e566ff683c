//! The limit for open files: every connection takes a file descriptor.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for everything but accepted connections: the store, the log, refused connections, a backup.
const SPARE_DESCRIPTORS: u64 = 400;

/// Raises the soft limit for open files to the hard limit, and returns how many connections that leaves room for.
#[must_use]
pub fn raise_limit() -> Option<usize> {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    if limit.current != limit.maximum
        && let Err(error) = setrlimit(Resource::Nofile, raised)
    {
        tracing::warn!(%error, "the limit for open files could not be raised");
    }
    let limit = getrlimit(Resource::Nofile).current?;
    Some(connections_within(limit))
}

/// How many connections fit into a limit for open files: most of it, however small it is.
fn connections_within(limit: u64) -> usize {
    let spare = SPARE_DESCRIPTORS.min(limit / 4);
    usize::try_from(limit - spare).unwrap_or(usize::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_descriptors_are_left_for_everything_else() {
        assert_eq!(connections_within(1_024), 768);
        assert_eq!(connections_within(20_400), 20_000);
        assert_eq!(connections_within(1), 1);
    }

    #[test]
    fn the_soft_limit_becomes_the_hard_one() {
        let room = raise_limit();
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
        assert!(room.is_none_or(|room| room > 0));
    }
}
