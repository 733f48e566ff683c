//! A wire of the test's own between a node and a server, which can be cut.

use std::net::SocketAddr;

use anyhow::Context as _;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A wire, whole at first.
pub struct TcpProxy {
    is_connected: watch::Sender<bool>,
    /// Its near end.
    pub near: SocketAddr,
}

impl TcpProxy {
    /// A wire to a server.
    pub async fn to(far: SocketAddr) -> anyhow::Result<TcpProxy> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.context("no port is free")?;
        let near = listener.local_addr()?;
        let (is_whole, whole) = watch::channel(true);
        tokio::task::spawn_local(async move {
            while let Ok((caller, _)) = listener.accept().await {
                tokio::task::spawn_local(carry(caller, far, whole.clone()));
            }
        });
        Ok(TcpProxy {
            is_connected: is_whole,
            near,
        })
    }

    /// Cuts it or mends it. What is on it when it is cut is lost.
    pub fn set_connected(&self, is_whole: bool) {
        self.is_connected.send_replace(is_whole);
    }
}

async fn carry(mut caller: TcpStream, far: SocketAddr, mut whole: watch::Receiver<bool>) {
    if !*whole.borrow_and_update() {
        return;
    }
    // A server that is not there is like a wire that is cut.
    let Ok(mut server) = TcpStream::connect(far).await else {
        return;
    };
    // What is small shall not wait.
    let _ = (caller.set_nodelay(true), server.set_nodelay(true));
    tokio::select! {
        _ = copy_bidirectional(&mut caller, &mut server) => {}
        _ = whole.changed() => {}
    }
}
