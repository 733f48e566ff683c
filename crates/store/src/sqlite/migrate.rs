//! Migrations of the file: numbered scripts, forward only. A published script is never edited.

use rusqlite::Connection;

/// The migration scripts, the first for version 1. SQLite keeps the version in the file's header, and each
/// script sets it in its own transaction.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
];

/// The application id in the header of a store: `tmov`.
const APPLICATION_ID: i64 = 0x746d_6f76;

/// Why a file could not be migrated.
#[derive(PartialEq, Debug)]
pub(super) enum MigrationError {
    /// It belongs to another program.
    Foreign,
    /// It was written by a newer version.
    Newer { found: usize, known: usize },
    /// A script failed, or the file cannot be read or written.
    Failed(rusqlite::Error),
}

impl From<rusqlite::Error> for MigrationError {
    fn from(error: rusqlite::Error) -> MigrationError {
        MigrationError::Failed(error)
    }
}

/// The version of a file; 0 for a new one. Call it inside a transaction.
pub(super) fn version(db: &Connection) -> Result<usize, MigrationError> {
    let number = |sql| db.query_row(sql, [], |row| row.get::<_, i64>(0));
    let found = number("PRAGMA user_version")?;
    let application = number("PRAGMA application_id")?;
    let tables = number("SELECT count(*) FROM sqlite_schema")?;
    let is_new = found == 0 && application == 0 && tables == 0;
    if !is_new && application != APPLICATION_ID {
        return Err(MigrationError::Foreign);
    }
    usize::try_from(found).map_err(|_| MigrationError::Foreign)
}

/// Migrates a file to the newest version. Each script is atomic.
pub(super) fn migrate(db: &mut Connection, scripts: &[&str]) -> Result<(), MigrationError> {
    loop {
        // An immediate transaction, so that a read-only file is noticed here.
        let step = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let found = version(&step)?;
        let known = scripts.len();
        if found > known {
            return Err(MigrationError::Newer { found, known });
        }
        let Some(script) = scripts.get(found) else {
            return Ok(());
        };
        step.execute_batch(script)?;
        step.pragma_update(None, "user_version", found + 1)?;
        step.pragma_update(None, "application_id", APPLICATION_ID)?;
        step.commit()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: &[&str] = &[
        "CREATE TABLE moves (san TEXT); INSERT INTO moves VALUES ('e4');",
        "ALTER TABLE moves ADD COLUMN uci TEXT; UPDATE moves SET uci = 'e2e4';",
        "CREATE TABLE games (id TEXT);",
    ];

    #[test]
    fn an_empty_file_and_one_of_every_version_come_to_the_newest() {
        for at in 0..=THREE.len() {
            let mut db = Connection::open_in_memory().unwrap();
            if at > 0 {
                migrate(&mut db, &THREE[..at]).unwrap();
            }
            migrate(&mut db, THREE).unwrap();
            assert_eq!(version(&db), Ok(3));
            let uci: String = db
                .query_row("SELECT uci FROM moves", [], |row| row.get(0))
                .unwrap();
            assert_eq!(uci, "e2e4");
        }
    }

    #[test]
    fn a_script_that_fails_leaves_the_version_before_it() {
        let mut db = Connection::open_in_memory().unwrap();
        let broken = [THREE[0], "CREATE TABLE one (x); CREATE TABLE moves (x);"];
        assert!(matches!(
            migrate(&mut db, &broken),
            Err(MigrationError::Failed(_))
        ));
        assert_eq!(version(&db), Ok(1));
        let tables: i64 = db
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .unwrap();
        assert_eq!(tables, 1, "only the table of version 1");
        migrate(&mut db, THREE).unwrap();
        assert_eq!(version(&db), Ok(3));
    }

    #[test]
    fn a_newer_file_and_one_of_another_program_are_refused_untouched() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, THREE).unwrap();
        let newer = MigrationError::Newer { found: 3, known: 2 };
        assert_eq!(migrate(&mut db, &THREE[..2]), Err(newer));
        let mut other = Connection::open_in_memory().unwrap();
        other.execute_batch("CREATE TABLE recipes (x)").unwrap();
        assert_eq!(migrate(&mut other, THREE), Err(MigrationError::Foreign));
        assert_eq!(version(&db), Ok(3));
        assert_eq!(version(&other), Err(MigrationError::Foreign));
    }
}
