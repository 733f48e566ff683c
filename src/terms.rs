//! The terms of a game on the command line. The game crate defines their meaning.

use touchmove_game::{DeadLaw, Draws, FlagLaw, Terms};
use touchmove_rules::AnyPosition;

/// Arguments that choose between readings of the rules.
#[derive(clap::Args)]
pub struct LawArgs {
    /// Repetition and the fifty-move rule: auto ends the game at 3 and 50, claim is FIDE's way.
    #[arg(long, value_name = "auto|claim", default_value_t)]
    pub draws: Draws,

    /// A fallen flag: fide draws if the opponent cannot win by any legal moves, loses never does.
    #[arg(long, value_name = "fide|loses", default_value_t)]
    pub flag: FlagLaw,

    /// Dead positions: exact by proof, material by the list of armies, off not at all.
    #[arg(long, value_name = "exact|material|off", default_value_t)]
    pub dead: DeadLaw,
}

impl LawArgs {
    /// The terms of an untimed game from this position.
    pub fn terms(&self, start: AnyPosition) -> Terms {
        Terms {
            draws: self.draws,
            flag: self.flag,
            dead: self.dead,
            ..Terms::from(start)
        }
    }
}
