//! The open seeks: one cached list for all readers, and the limit on how many one address may have open.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use touchmove_store::{Error, Offer, OfferId, limits};

use crate::Server;
use crate::api::ApiError;
use crate::auth::identity::Identity;
use crate::cached_read::CachedRead;
use crate::lobby::OfferTerms;
use crate::lock_ext::LockExt as _;
use crate::security::{Client, ClientAddress, Limits, SecurityEvent};

/// The most open offers of one kind that one player may have.
const MAX_SEEKS_PER_HOLDER: usize = 8;
/// How long the list is cached, unless this node hears of a change.
const MAX_AGE: Duration = Duration::from_secs(1);
/// How long a new seek counts although the list lacks it: the list may be older than the seek.
const NEW: Duration = Duration::from_secs(2);

/// A seek with its parsed terms.
pub(crate) struct OpenSeek {
    pub(crate) offer: Offer,
    pub(crate) deal: OfferTerms,
}

/// All open seeks, oldest first. A new list is made only if the seeks have changed.
pub(crate) type SeekList = Vec<Arc<OpenSeek>>;

/// The cached list, and which address made which seek.
pub(super) struct OpenSeeks {
    pub(super) list: CachedRead<SeekList>,
    places: Arc<Mutex<SeekPlaces>>,
}

impl Default for OpenSeeks {
    fn default() -> OpenSeeks {
        OpenSeeks {
            list: CachedRead::new(MAX_AGE),
            places: Arc::default(),
        }
    }
}

/// The seeks made on this node, by address.
#[derive(Default, Debug)]
struct SeekPlaces {
    next_number: u64,
    taken: Vec<Taken>,
}

#[derive(Debug)]
struct Taken {
    number: u64,
    address: ClientAddress,
    /// `None` while it is being created.
    offer: Option<OfferId>,
    at: Instant,
}

impl SeekPlaces {
    /// Takes a place, unless the address or its network has its maximum of open seeks.
    fn take(
        &mut self,
        address: ClientAddress,
        limits: &Limits,
        is_open: impl Fn(OfferId) -> bool,
        now: Instant,
    ) -> Option<u64> {
        self.taken.retain(|taken| {
            taken.offer.is_none_or(&is_open) || now.saturating_duration_since(taken.at) < NEW
        });
        let count = |is_same: &dyn Fn(ClientAddress) -> bool| {
            let same = self.taken.iter().filter(|taken| is_same(taken.address));
            same.count()
        };
        let of_address = count(&|other| other.host() == address.host());
        let of_network = count(&|other| other.network() == address.network());
        let most = limits.open_seeks_per_address as usize;
        let most_of_network = most.saturating_mul(limits.network_factor as usize);
        if of_address >= most || of_network >= most_of_network {
            return None;
        }
        let number = self.next_number;
        self.next_number += 1;
        self.taken.push(Taken {
            number,
            address,
            offer: None,
            at: now,
        });
        Some(number)
    }
}

/// A place for one more seek of an address. It is free again when this is dropped without a seek, or when its seek is
/// closed.
pub(crate) struct SeekPlace {
    places: Arc<Mutex<SeekPlaces>>,
    /// `None` for a local client, which is not limited.
    number: Option<u64>,
}

impl SeekPlace {
    /// Assigns the place to a seek.
    pub(crate) fn keep_for(mut self, offer: OfferId) {
        let number = self.number.take();
        let mut places = self.places.locked();
        let mut taken = places.taken.iter_mut();
        if let Some(taken) = taken.find(|taken| Some(taken.number) == number) {
            taken.offer = Some(offer);
        }
    }
}

impl Drop for SeekPlace {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let mut places = self.places.locked();
            places.taken.retain(|taken| taken.number != number);
        }
    }
}

/// Refuses one more offer to a player who has many.
pub(crate) fn few(own: usize) -> Result<(), ApiError> {
    match own < MAX_SEEKS_PER_HOLDER {
        true => Ok(()),
        false => Err(ApiError::conflict(
            "too_many",
            format!(
                "you have {MAX_SEEKS_PER_HOLDER} open offers, and nobody has more: withdraw one first"
            ),
        )),
    }
}

impl Server {
    /// The open seeks, oldest first: at most a second old.
    pub(crate) async fn open_seeks(&self) -> Result<Arc<SeekList>, Error> {
        let read = async |before: Option<Arc<SeekList>>| {
            let offers = self
                .store
                .open_seeks(self.pulse.to_moment(), limits::MAX_ROWS)
                .await?;
            Ok(parsed(offers, before))
        };
        self.lobby.open_seeks.list.get(read).await
    }

    /// The open seeks, with everything that other nodes have written.
    pub(crate) async fn newest_open_seeks(&self) -> Result<Arc<SeekList>, Error> {
        self.lobby.open_seeks.list.invalidate();
        self.open_seeks().await
    }

    /// A place for one more seek of a player.
    ///
    /// # Errors
    /// If the player, the address or the server has its maximum.
    pub(crate) async fn place_for_seek(
        &self,
        who: &Identity,
        client: Client,
    ) -> Result<SeekPlace, ApiError> {
        let open = self.open_seeks().await?;
        let own = open.iter().filter(|seek| seek.offer.by == who.holder);
        few(own.count())?;
        if open.len() >= limits::MAX_ROWS {
            return Err(ApiError::busy(
                "there are more open seeks than anybody could read: take one",
            ));
        }
        let places = &self.lobby.open_seeks.places;
        let ids: HashSet<OfferId> = open.iter().map(|seek| seek.offer.id).collect();
        let limits = &self.settings.limits;
        let number = match client.is_local {
            true => None,
            false => {
                let is_open = |id| ids.contains(&id);
                let mut places = places.locked();
                let number = places.take(client.address, limits, is_open, Instant::now());
                Some(number.ok_or_else(|| self.too_many_seeks(client))?)
            }
        };
        let places = Arc::clone(places);
        Ok(SeekPlace { places, number })
    }

    fn too_many_seeks(&self, client: Client) -> ApiError {
        let limit = SecurityEvent::Limited("open_seeks_per_address");
        self.guard.log.write(limit, client, None);
        ApiError::conflict(
            "too_many",
            "your address has as many open seeks as one may have: take one of others, or withdraw one first",
        )
    }
}

/// The list of these offers. Those that were in the previous list are not parsed again.
fn parsed(offers: Vec<Offer>, before: Option<Arc<SeekList>>) -> Arc<SeekList> {
    let ids = |seek: &Arc<OpenSeek>| seek.offer.id;
    if let Some(before) = &before
        && before
            .iter()
            .map(ids)
            .eq(offers.iter().map(|offer| offer.id))
    {
        return Arc::clone(before);
    }
    let known: HashMap<OfferId, &Arc<OpenSeek>> = before
        .iter()
        .flat_map(|before| before.iter())
        .map(|seek| (seek.offer.id, seek))
        .collect();
    let seeks = offers.into_iter().filter_map(|offer| {
        if let Some(seek) = known.get(&offer.id) {
            return Some(Arc::clone(seek));
        }
        match OfferTerms::parse(&offer.terms) {
            Ok(deal) => Some(Arc::new(OpenSeek { offer, deal })),
            Err(problem) => {
                tracing::error!(offer = %offer.id, problem, "an offer is damaged");
                None
            }
        }
    });
    Arc::new(seeks.collect())
}

#[cfg(test)]
mod tests {
    use touchmove_game::Terms;
    use touchmove_rules::Variant;
    use touchmove_store::{Digest, Holder, Moment, OfferStatus};

    use super::*;
    use crate::games::terms_request::SideRequest;

    #[test]
    fn a_list_with_the_same_seeks_is_the_same_and_none_is_parsed_twice() {
        let offer = |id: &str, terms: &str| Offer {
            id: id.parse().unwrap(),
            by: Holder::Guest(Digest([1; 32])),
            name: String::new(),
            to: None,
            terms: terms.to_owned(),
            created: Moment(0),
            expires: None,
            status: OfferStatus::Open,
        };
        let deal = OfferTerms {
            terms: Terms::of(Variant::Chess),
            side: SideRequest::Random,
            public: true,
        };
        let one = offer("seek0001", &deal.to_json());
        let first = parsed(vec![one.clone()], None);
        let same = parsed(vec![one.clone()], Some(Arc::clone(&first)));
        assert!(Arc::ptr_eq(&first, &same));
        let damaged = offer("seek0002", "{}");
        let another = offer("seek0003", &deal.to_json());
        let more = parsed(vec![one, damaged, another], Some(Arc::clone(&first)));
        assert_eq!(more.len(), 2);
        assert!(Arc::ptr_eq(&first[0], &more[0]));
    }

    #[test]
    fn an_address_and_a_network_have_so_many_open_seeks() {
        let limits = Limits {
            open_seeks_per_address: 2,
            network_factor: 2,
            ..Limits::default()
        };
        let mut places = SeekPlaces::default();
        let now = Instant::now();
        let from = |host: [u8; 4]| ClientAddress::Known(host.into());
        let anna = from([192, 0, 2, 1]);
        let mut take = |address, open: &[&str], now| {
            let is_open = |id: OfferId| open.contains(&id.as_str());
            let number = places.take(address, &limits, is_open, now);
            if let Some(number) = number {
                let taken = places.taken.last_mut().unwrap();
                taken.offer = Some(format!("seek000{number}").parse().unwrap());
            }
            number
        };
        assert_eq!(take(anna, &[], now), Some(0));
        // Seeks made a moment ago count, whatever the list says.
        assert_eq!(take(anna, &[], now), Some(1));
        assert_eq!(take(anna, &[], now), None);
        assert_eq!(take(from([198, 51, 100, 1]), &[], now), Some(2));
        assert_eq!(take(from([192, 0, 2, 2]), &[], now), Some(3));
        assert_eq!(take(from([192, 0, 2, 3]), &[], now), Some(4));
        assert_eq!(take(from([192, 0, 2, 4]), &[], now), None, "the network");
        let later = now + NEW;
        assert_eq!(take(anna, &["seek0000", "seek0001"], later), None);
        assert_eq!(take(anna, &["seek0001"], later), Some(5));
    }
}
