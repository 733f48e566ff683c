//! The random key that all nodes share, and the guest tags and rematch ids that are made with it. It is stored, so
//! that they stay the same after a restart and on every node.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use touchmove_store::{Error, GameId, Moment, ServerKey, Store};

use crate::random;

/// The name of the key in the store.
const PURPOSE: &str = "tags";
/// The length of a tag: 130 bits.
const TAG_CHARS: usize = 22;

/// The key of the server.
pub(crate) struct Keys(ServerKey);

impl Keys {
    /// Loads the key from the store, which creates it on first use.
    pub(crate) async fn load(store: &dyn Store) -> Result<Keys, Error> {
        let new = ServerKey {
            bytes: random::random_bytes(),
            created: store.now().await?,
        };
        store.server_key(PURPOSE, new).await.map(Keys)
    }

    /// When the key was created. A guest secret without a tag may be older.
    pub(crate) const fn since(&self) -> Moment {
        self.0.created
    }

    fn hash(&self, purpose: &str, text: &str) -> [u8; 32] {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0.bytes);
        let mut mac = mac.expect("a key of any length fits");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// The tag that proves that this server issued a guest's secret.
    pub(crate) fn guest_tag(&self, secret: &str) -> String {
        random::in_base_62(&self.hash("guest", secret), TAG_CHARS)
    }

    /// Whether this server issued a guest's secret. The comparison takes constant time.
    pub(crate) fn is_guest_tag(&self, secret: &str, tag: &str) -> bool {
        let right = self.guest_tag(secret);
        let pairs = right.bytes().zip(tag.bytes());
        let difference = pairs.fold(0, |seen, (a, b)| seen | (a ^ b));
        right.len() == tag.len() && difference == 0
    }

    /// The id of the rematch of this game. All nodes compute the same one, so there is only one rematch; others
    /// cannot guess it from the id of the game.
    pub(crate) fn rematch_id(&self, game: GameId) -> GameId {
        let mut salt = 0_u32;
        loop {
            let hash = self.hash("rematch", &format!("{game} {salt}"));
            if let Ok(id) = random::in_base_62(&hash, 8).parse() {
                return id;
            }
            salt += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(byte: u8) -> Keys {
        Keys(ServerKey {
            bytes: [byte; 32],
            created: Moment(0),
        })
    }

    #[test]
    fn the_id_of_a_rematch_follows_from_the_key_and_not_from_the_game_alone() {
        let game: GameId = "q7LmZx04".parse().unwrap();
        assert_eq!(keys(1).rematch_id(game), keys(1).rematch_id(game));
        assert_ne!(keys(1).rematch_id(game), keys(2).rematch_id(game));
        assert_ne!(keys(1).rematch_id(game), game);
        let other = "q7LmZx05".parse().unwrap();
        assert_ne!(keys(1).rematch_id(game), keys(1).rematch_id(other));
    }

    #[test]
    fn a_tag_proves_one_secret_of_one_server() {
        let tag = keys(1).guest_tag("guest_anna");
        assert!(tag.len() == TAG_CHARS && keys(1).is_guest_tag("guest_anna", &tag));
        assert!(!keys(2).is_guest_tag("guest_anna", &tag));
        assert!(!keys(1).is_guest_tag("guest_bea", &tag));
        assert!(!keys(1).is_guest_tag("guest_anna", &tag[1..]));
        assert!(!keys(1).is_guest_tag("guest_anna", ""));
    }
}
