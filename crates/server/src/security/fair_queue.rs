//! A fair queue: every key's first item comes before any key's second.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

use crate::lock_ext::LockExt as _;

/// A queue for work that only a few tasks may do at once. Keys take turns, so that a key with many items delays only
/// itself. The queue is bounded per key and in total; when it is full, the last item of the longest key makes room
/// for a key that has fewer.
#[derive(Debug)]
pub struct FairQueue<K: Copy + Eq + Hash> {
    slots: usize,
    max_per_key: usize,
    max_waiting: usize,
    state: Mutex<State<K>>,
}

#[derive(Debug)]
struct State<K: Copy + Eq + Hash> {
    running: usize,
    waiting: usize,
    queues: HashMap<K, VecDeque<oneshot::Sender<Turn<K>>>>,
    /// The keys with waiting items, in the order of their turns.
    order: VecDeque<K>,
}

/// The queue is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueFullError;

/// A turn: its owner works, and the next one follows when it is dropped.
#[derive(Debug)]
pub struct Turn<K: Copy + Eq + Hash>(Option<Arc<FairQueue<K>>>);

impl<K: Copy + Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            queue.pass_on();
        }
    }
}

impl<K: Copy + Eq + Hash> FairQueue<K> {
    /// A queue with `slots` concurrent turns, and limits for waiting items per key and in total.
    #[must_use]
    pub fn new(slots: usize, max_per_key: usize, max_waiting: usize) -> Arc<FairQueue<K>> {
        Arc::new(FairQueue {
            slots,
            max_per_key,
            max_waiting,
            state: Mutex::new(State {
                running: 0,
                waiting: 0,
                queues: HashMap::new(),
                order: VecDeque::new(),
            }),
        })
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// If the queue is full, or the place was given to another key.
    pub async fn enter(self: &Arc<Self>, key: K) -> Result<Turn<K>, QueueFullError> {
        let waiting = {
            let mut state = self.state.locked();
            if state.running < self.slots {
                state.running += 1;
                return Ok(Turn(Some(Arc::clone(self))));
            }
            state.forget_gone(key);
            let own = state.queues.get(&key).map_or(0, VecDeque::len);
            if own >= self.max_per_key
                || (state.waiting >= self.max_waiting && !state.make_room(own))
            {
                return Err(QueueFullError);
            }
            state.add(key)
        };
        waiting.await.map_err(|_| QueueFullError)
    }

    /// Gives the turn to the next waiter.
    fn pass_on(self: &Arc<Self>) {
        loop {
            let next = {
                let mut state = self.state.locked();
                let Some(next) = state.next() else {
                    state.running -= 1;
                    return;
                };
                next
            };
            match next.send(Turn(Some(Arc::clone(self)))) {
                Ok(()) => return,
                // That waiter is gone: the turn passes to the next one.
                Err(mut turn) => drop(turn.0.take()),
            }
        }
    }
}

impl<K: Copy + Eq + Hash> State<K> {
    fn add(&mut self, key: K) -> oneshot::Receiver<Turn<K>> {
        let (sender, receiver) = oneshot::channel();
        let queue = self.queues.entry(key).or_default();
        if queue.is_empty() {
            self.order.push_back(key);
        }
        queue.push_back(sender);
        self.waiting += 1;
        receiver
    }

    /// The first waiter of the key whose turn it is.
    fn next(&mut self) -> Option<oneshot::Sender<Turn<K>>> {
        let key = self.order.pop_front()?;
        let queue = self.queues.get_mut(&key)?;
        let next = queue.pop_front();
        match queue.is_empty() {
            true => drop(self.queues.remove(&key)),
            false => self.order.push_back(key),
        }
        self.waiting -= usize::from(next.is_some());
        next
    }

    /// Removes the waiters of a key that are gone.
    fn forget_gone(&mut self, key: K) {
        let Some(queue) = self.queues.get_mut(&key) else {
            return;
        };
        let before = queue.len();
        queue.retain(|sender| !sender.is_closed());
        self.waiting -= before - queue.len();
        if queue.is_empty() {
            self.queues.remove(&key);
            self.order.retain(|&other| other != key);
        }
    }

    /// Drops the last waiter of the longest key, if that is longer than this one will be.
    fn make_room(&mut self, own: usize) -> bool {
        let longest = self.queues.values_mut().max_by_key(|queue| queue.len());
        let Some(queue) = longest.filter(|queue| queue.len() > own + 1) else {
            return false;
        };
        // The dropped waiter sees that its channel is closed.
        drop(queue.pop_back());
        self.waiting -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts a waiter, which records its number when its turn comes.
    async fn wait(
        queue: &Arc<FairQueue<u8>>,
        key: u8,
        served: &Arc<Mutex<Vec<u8>>>,
    ) -> tokio::task::JoinHandle<Result<(), QueueFullError>> {
        let (queue, served) = (Arc::clone(queue), Arc::clone(served));
        let waiting = tokio::spawn(async move {
            let turn = queue.enter(key).await?;
            served.locked().push(key);
            drop(turn);
            Ok(())
        });
        tokio::task::yield_now().await;
        waiting
    }

    #[tokio::test]
    async fn an_address_that_brings_many_does_not_keep_another_waiting() {
        let queue = FairQueue::new(1, 64, 512);
        let served = Arc::default();
        let first = queue.enter(0).await.unwrap();
        let mut all = Vec::new();
        for key in [1, 1, 1, 1, 2, 3, 2] {
            all.push(wait(&queue, key, &served).await);
        }
        drop(first);
        for one in all {
            one.await.unwrap().unwrap();
        }
        assert_eq!(*served.locked(), [1, 2, 3, 1, 2, 1, 1]);
        assert_eq!(queue.state.locked().running, 0);
    }

    #[tokio::test]
    async fn a_full_queue_makes_room_for_who_has_fewer_waiting() {
        let queue = FairQueue::new(1, 3, 4);
        let served = Arc::default();
        let first = queue.enter(0).await.unwrap();
        let mut all = Vec::new();
        for key in [1, 1, 1, 1, 2, 3] {
            all.push(wait(&queue, key, &served).await);
        }
        drop(first);
        let mut answers = Vec::new();
        for one in all {
            answers.push(one.await.unwrap().is_ok());
        }
        // The fourth of key 1 exceeds its limit, and its third makes room for key 3.
        assert_eq!(answers, [true, true, false, false, true, true]);
        assert_eq!(*served.locked(), [1, 2, 3, 1]);
    }

    #[tokio::test]
    async fn who_has_gone_takes_no_turn_and_no_place() {
        let queue = FairQueue::new(1, 2, 2);
        let served = Arc::default();
        let first = queue.enter(0).await.unwrap();
        for _ in 0..10 {
            let gone = wait(&queue, 1, &served).await;
            gone.abort();
            let _ = gone.await;
        }
        let stays = wait(&queue, 1, &served).await;
        drop(first);
        stays.await.unwrap().unwrap();
        assert_eq!(*served.locked(), [1]);
        let state = queue.state.locked();
        assert_eq!((state.running, state.waiting, state.order.len()), (0, 0, 0));
    }
}
