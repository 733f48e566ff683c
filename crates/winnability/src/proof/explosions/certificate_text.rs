//! A survey of men that may explode as part of a certificate.

use crate::proof::explosions::ExplosionReach;
use crate::proof::structure::write_man;

impl ExplosionReach {
    /// A line for each man.
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
