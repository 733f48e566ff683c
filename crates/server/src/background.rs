//! Work that goes on while others are answered. Its types are forgotten here: what the runtime does for a task is
//! compiled once, not again for each kind of work.

use std::pin::Pin;

use tokio::task::JoinHandle;

/// Does something in the background.
pub(crate) fn in_background(work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    let work: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(work);
    tokio::spawn(work)
}
