//! `touchmove backup`: a copy of the server's store, while the server runs.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use touchmove_store::{BackupError, Overwrite, Postgres, Sqlite};
use touchmove_text::{display_line, display_path};

use crate::cli::AnswerStatus;
use crate::data_dir::DataArgs;
use crate::output;

/// Copy the server's store into a file, also while the server runs.
///
/// The copy is of one moment, is whole, and is on the disk when this says so. It has everything: games,
/// accounts, hashes of passwords and tokens. Keep it as safe as the store.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove backup monday.db
  touchmove backup --data /var/lib/touchmove --force /backup/touchmove.db
  touchmove backup --store postgres://touchmove@10.0.0.5/touchmove monday.dump

A store in PostgreSQL (--store) is copied by PostgreSQL's own pg_dump, which must be installed, and restored \
by pg_restore; docs/SCALING.md says how, and how to lose nothing between two backups.

To restore a backup: stop the server; move touchmove.db away from its folder, with touchmove.db-wal and \
touchmove.db-shm if they are there; copy the backup to touchmove.db; start the server.")]
pub struct Args {
    /// The file to write.
    file: PathBuf,

    /// Take the place of a file that is there.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Makes the backup and reports it.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let overwrite = match args.force {
        true => Overwrite::Yes,
        false => Overwrite::Never,
    };
    let (from, copied) = match args.data.database() {
        Some(address) => (
            "the database".to_owned(),
            Postgres::dump(address, &args.file, overwrite),
        ),
        None => {
            let store = args.data.store_that_is_there()?;
            let copied = Sqlite::copy(&store, &args.file, overwrite);
            (display_path(&store).to_string(), copied)
        }
    };
    match copied {
        Err(BackupError::Exists { path }) => {
            bail!(
                "{} exists already: --force overwrites it",
                display_path(&path)
            )
        }
        copied => copied?,
    }
    let size = std::fs::metadata(&args.file)?.len();
    let (to, from) = (display_path(&args.file), display_line(&from));
    writeln!(output::lines(), "{to} is a copy of {from}, {size} bytes")?;
    Ok(AnswerStatus::Yes)
}
