//! Migrations of the tables: numbered scripts, forward only. A published script is never edited.
//!
//! Nodes of different versions may run on the same tables for a while: each script says which versions of this
//! program still work after it. Only one node at a time migrates.

use tokio_postgres::{Client, Error};

/// A migration from one version to the next.
pub(super) struct Script {
    /// The SQL to run.
    pub(super) sql: &'static str,
    /// The oldest version of this program that works after the script. A new table or column that older nodes
    /// can ignore leaves it as it was; one that they must know raises it.
    pub(super) oldest: i32,
}

/// The scripts, the first for version 1.
pub(super) const MIGRATIONS: &[Script] = &[
    Script {
        sql: include_str!("schema/1.sql"),
        oldest: 1,
    },
    Script {
        sql: include_str!("schema/2.sql"),
        oldest: 1,
    },
];

/// Why the tables could not be migrated.
#[derive(Debug)]
pub(super) enum MigrationError {
    /// They belong to another program.
    Foreign,
    /// A newer version has changed them, and this one cannot work with them.
    Newer { found: i32, known: i32 },
    /// A script failed, or the tables cannot be changed.
    Failed(Error),
}

impl From<Error> for MigrationError {
    fn from(error: Error) -> MigrationError {
        MigrationError::Failed(error)
    }
}

/// Waits for other nodes that migrate the same schema; the number is this program's.
const MIGRATION_LOCK_SQL: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s';
    SELECT pg_advisory_xact_lock(1953329014, hashtext(current_schema()))";

/// Migrates the tables of the current schema to the newest version. Each script is atomic.
pub(super) async fn migrate(db: &mut Client, scripts: &[Script]) -> Result<(), MigrationError> {
    let known = i32::try_from(scripts.len()).unwrap_or(i32::MAX);
    loop {
        let step = db.transaction().await?;
        step.batch_execute(MIGRATION_LOCK_SQL).await?;
        let tables = step
            .query_one(
                "SELECT count(*) FILTER (WHERE relname = 'touchmove_versions') > 0, count(*) > 0
                 FROM pg_class WHERE relnamespace = current_schema()::regnamespace
                 AND relkind IN ('r', 'p')",
                &[],
            )
            .await?;
        let (is_ours, is_used): (bool, bool) = (tables.try_get(0)?, tables.try_get(1)?);
        if is_used && !is_ours {
            return Err(MigrationError::Foreign);
        }
        let (mut found, mut oldest) = (0, 0);
        if is_ours {
            let versions = "SELECT coalesce(max(version), 0), coalesce(max(oldest), 0) FROM touchmove_versions";
            let row = step.query_one(versions, &[]).await?;
            (found, oldest) = (row.try_get(0)?, row.try_get(1)?);
        }
        if oldest > known {
            return Err(MigrationError::Newer { found, known });
        }
        let next = usize::try_from(found).map_err(|_| MigrationError::Foreign)?;
        let Some(script) = scripts.get(next) else {
            return Ok(());
        };
        step.batch_execute(
            "CREATE TABLE IF NOT EXISTS touchmove_versions (
                 version integer PRIMARY KEY, oldest integer NOT NULL, since timestamptz NOT NULL)",
        )
        .await?;
        step.batch_execute(script.sql).await?;
        step.execute(
            "INSERT INTO touchmove_versions VALUES ($1, $2, now())",
            &[&(found + 1), &script.oldest],
        )
        .await?;
        step.commit().await?;
    }
}
