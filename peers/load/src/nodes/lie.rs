//! A database that lies: it says that a decision is written, and keeps something else. The check must find out.

use std::fmt;
use std::process::ExitCode;

use clap::ValueEnum;

use super::services::Services;

/// How it lies, about one decision in fifty.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub enum Corruption {
    /// What was written is not there
    Loses,
    /// What was written happened twice
    Doubles,
    /// What was written changes places with what came before it
    Reorders,
}

impl fmt::Display for Corruption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Corruption::Loses => "loses",
            Corruption::Doubles => "doubles",
            Corruption::Reorders => "reorders",
        })
    }
}

impl Corruption {
    /// What is done instead of writing. The first decisions of a game are spared: it should begin.
    const fn deed(self) -> &'static str {
        match self {
            Corruption::Loses => "RETURN NULL;",
            Corruption::Doubles => {
                "INSERT INTO decisions VALUES (NEW.game, NEW.last + 1, 2 * NEW.last - NEW.seq + 1, \
                 decode(md5(NEW.text), 'hex'), NEW.text); RETURN NEW;"
            }
            Corruption::Reorders => {
                "SELECT text INTO earlier FROM decisions WHERE game = NEW.game ORDER BY seq DESC LIMIT 1; \
                 UPDATE decisions SET text = NEW.text WHERE game = NEW.game AND seq = \
                 (SELECT max(seq) FROM decisions WHERE game = NEW.game); \
                 NEW.text := earlier; RETURN NEW;"
            }
        }
    }

    /// Makes a liar of the database.
    pub async fn begin(self, services: &Services) -> anyhow::Result<()> {
        let sql = format!(
            "CREATE FUNCTION lie() RETURNS trigger LANGUAGE plpgsql AS $$
             DECLARE earlier text;
             BEGIN
                 IF pg_trigger_depth() = 1 AND NEW.seq > 6 AND random() < 0.02 THEN {} END IF;
                 RETURN NEW;
             END $$;
             CREATE TRIGGER lie BEFORE INSERT ON decisions FOR EACH ROW EXECUTE FUNCTION lie()",
            self.deed()
        );
        services.psql(&sql).await.map(drop)
    }

    /// Whether the check has found it out.
    pub fn conclude(self, violations: usize) -> ExitCode {
        match violations {
            0 => {
                println!("a store that {self} was NOT found out");
                ExitCode::FAILURE
            }
            found => {
                println!("a store that {self} was found out, by {found} violations");
                ExitCode::SUCCESS
            }
        }
    }
}
