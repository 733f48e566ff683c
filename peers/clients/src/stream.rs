//! Streams as both clients have them, read until what is looked for comes.

use std::fmt::Debug;
use std::time::Duration;

use anyhow::{Context as _, bail};
use futures_util::{Stream, StreamExt as _};
use tokio::time::timeout;

/// How long the next object of a stream may take.
const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// The next object.
pub async fn next<T, E>(
    stream: &mut (impl Stream<Item = Result<T, E>> + Unpin),
) -> anyhow::Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let next = timeout(READ_TIMEOUT, stream.next()).await;
    let next = next.context("nothing comes")?.context("the stream ended")?;
    next.context("an object cannot be read")
}

/// What is looked for in the next object that has it; others are passed over.
pub async fn find<T, E, F>(
    stream: &mut (impl Stream<Item = Result<T, E>> + Unpin),
    what: &str,
    mut found: impl FnMut(T) -> Option<F>,
) -> anyhow::Result<F>
where
    E: std::error::Error + Send + Sync + 'static,
{
    loop {
        let object = next(stream).await.with_context(|| what.to_owned())?;
        if let Some(found) = found(object) {
            return Ok(found);
        }
    }
}

/// Everything until the end.
pub async fn rest<T, E>(
    stream: &mut (impl Stream<Item = Result<T, E>> + Unpin),
) -> anyhow::Result<Vec<T>>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let mut rest = Vec::new();
    loop {
        match timeout(READ_TIMEOUT, stream.next()).await {
            Ok(Some(object)) => rest.push(object.context("an object cannot be read")?),
            Ok(None) => return Ok(rest),
            Err(_) => bail!("the stream does not end"),
        }
    }
}

/// That two things are the same.
pub fn same<T: PartialEq + Debug>(what: &str, found: &T, wanted: &T) -> anyhow::Result<()> {
    if found != wanted {
        bail!("{what}: {found:?} and not {wanted:?}");
    }
    Ok(())
}
