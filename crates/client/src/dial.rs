//! TCP and TLS connections to a server. The system's root certificates are trusted.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};

use crate::{Error, TableLink};

/// The timeout of connecting.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A stream to read from and write to.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// Connects to the server of a link.
pub(crate) async fn dial(link: &TableLink) -> Result<Box<dyn Stream>, Error> {
    let place = link.authority();
    let lost = |why: String| Error::Passing(format!("{place} cannot be reached: {why}"));
    let stream = timeout(
        CONNECT_TIMEOUT,
        TcpStream::connect((link.host(), link.port())),
    )
    .await
    .map_err(|_| lost("nobody answers".to_owned()))?
    .map_err(|error| lost(error.to_string()))?;
    // Moves are small messages: send each at once.
    let _ = stream.set_nodelay(true);
    if !link.is_secure() {
        return Ok(Box::new(stream));
    }
    let name = ServerName::try_from(link.host().to_owned())
        .map_err(|_| Error::Final(format!("{place} is not a name that a certificate can bear")))?;
    let stream = timeout(CONNECT_TIMEOUT, connector()?.connect(name, stream))
        .await
        .map_err(|_| lost("nobody answers".to_owned()))?
        .map_err(|error| lost(error.to_string()))?;
    Ok(Box::new(stream))
}

/// The TLS configuration.
fn connector() -> Result<TlsConnector, Error> {
    static TLS_CONFIG: OnceLock<Result<Arc<ClientConfig>, Error>> = OnceLock::new();
    TLS_CONFIG
        .get_or_init(config)
        .clone()
        .map(TlsConnector::from)
}

fn config() -> Result<Arc<ClientConfig>, Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        let text = "an https link needs the certificates that this system trusts, and there are none \
                    (install the package ca-certificates)";
        return Err(Error::Final(text.to_owned()));
    }
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Final(error.to_string()))?;
    let config = config.with_root_certificates(roots).with_no_client_auth();
    Ok(Arc::new(config))
}
