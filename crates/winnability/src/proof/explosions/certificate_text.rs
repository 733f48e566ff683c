//! Writes an explosion survey into a certificate.

use crate::proof::explosions::ExplosionReach;
use crate::proof::structure::write_man;

impl ExplosionReach {
    /// One line for each piece.
    pub fn written(&self) -> String {
        let mut text = String::new();
        for man in &self.men[..self.count] {
            let flags = [("loose", man.loose), ("taken", man.vanishes)];
            let (start, reach, promoted) = (man.start.0, man.reach.0, man.promoted.0);
            write_man(&mut text, start, reach, promoted, flags);
        }
        text
    }
}
