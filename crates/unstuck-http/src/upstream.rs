//! A server that is reached by HTTP.

use std::{io, time::Duration};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request, Response, StatusCode, Uri,
    body::Incoming,
    http::uri::{Parts as UriParts, PathAndQuery},
};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, ResponseFuture, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use tokio::time::timeout;
use unstuck_text::{Notify, Shown, with_causes};

use crate::{content::is_encoded, headers::AllowList};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// Where a server is, and how to talk to it.
pub struct UpstreamOptions {
    /// Its address.
    pub url: Uri,
    /// Headers that are added to those of clients.
    pub configured: HeaderMap,
    /// Headers of clients that it gets.
    pub passed: AllowList,
    /// How long it may take until it begins to answer.
    pub patience: Duration,
    /// Gets lines for the person who runs the program.
    pub notify: Notify,
}

/// A server that is reached by HTTP. Connections are kept and used again.
pub struct Upstream {
    options: UpstreamOptions,
    wire: Wire,
}

enum Wire {
    Plain(Client<HttpConnector, Full<Bytes>>),
    Tls(Client<HttpsConnector<HttpConnector>, Full<Bytes>>),
}

impl Wire {
    fn request(&self, request: Request<Full<Bytes>>) -> ResponseFuture {
        match self {
            Self::Plain(client) => client.request(request),
            Self::Tls(client) => client.request(request),
        }
    }
}

/// Why an address cannot be that of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// It is not a URL. The text may hold a password, so it is not quoted.
    #[error("the URL of a server cannot be read; write http://HOST:PORT/PATH")]
    Unreadable,
    /// It has another scheme, or no host.
    #[error("the URL of a server begins with http:// or https://")]
    Scheme,
    /// It holds credentials.
    #[error("the URL of a server has a user name in it; give credentials as a header")]
    Credentials,
}

/// An address that may be used as it is: http or https, with a host and without a password.
pub fn url(text: &str) -> Result<Uri, UrlError> {
    let url = text.parse::<Uri>().map_err(|_| UrlError::Unreadable)?;
    let host = url.host().filter(|host| !host.is_empty());
    match (url.scheme_str(), host) {
        (Some("http" | "https"), Some(_)) => {}
        _ => return Err(UrlError::Scheme),
    }
    if url
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        return Err(UrlError::Credentials);
    }
    Ok(url)
}

/// Why no connection to a server can be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the certificates that this machine trusts")]
pub struct CertificateError(#[source] io::Error);

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpstreamFault {
    /// There is no connection.
    Unreachable,
    /// It takes too long.
    Slow,
    /// The answer leads to another address, which is not followed.
    Redirect,
    /// The answer is compressed, which no request asks for.
    Encoded,
}

impl Upstream {
    /// Prepares connections to a server. Certificates of this machine are read only for a server that needs them.
    pub fn new(options: UpstreamOptions) -> Result<Self, CertificateError> {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT));
        let mut builder = Client::builder(TokioExecutor::new());
        builder.pool_timer(TokioTimer::new());
        let wire = if options.url.scheme_str() == Some("https") {
            tcp.enforce_http(false);
            let roots = HttpsConnectorBuilder::new().with_native_roots();
            let roots = roots.map_err(CertificateError)?;
            Wire::Tls(builder.build(roots.https_only().enable_http1().wrap_connector(tcp)))
        } else {
            Wire::Plain(builder.build(tcp))
        };
        Ok(Self { options, wire })
    }

    /// How long the server may take until it begins to answer.
    pub fn patience(&self) -> Duration {
        self.options.patience
    }

    /// The headers of a client that the server gets, with the configured ones.
    pub fn headers(&self, client: &HeaderMap) -> HeaderMap {
        self.options.passed.apply(client, &self.options.configured)
    }

    /// Sends a request to the server's address.
    pub async fn send(
        &self,
        method: Method,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, UpstreamFault> {
        let url = self.options.url.clone();
        self.ask(request(url, method, headers, body)).await
    }

    /// Sends a request to this path of the server, in place of that of its address.
    pub async fn send_to(
        &self,
        path: PathAndQuery,
        method: Method,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, UpstreamFault> {
        let url = self.at(path)?;
        self.ask(request(url, method, headers, body)).await
    }

    /// Sends a request to this path of the server and returns its answer whatever it is: an error, a redirection, or
    /// compressed.
    pub async fn pass_to(
        &self,
        path: PathAndQuery,
        method: Method,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, UpstreamFault> {
        let url = self.at(path)?;
        self.wait(request(url, method, headers, body)).await
    }

    /// The server's address with another path.
    fn at(&self, path: PathAndQuery) -> Result<Uri, UpstreamFault> {
        let mut parts = UriParts::from(self.options.url.clone());
        parts.path_and_query = Some(path);
        Uri::from_parts(parts).map_err(|_| UpstreamFault::Unreachable)
    }

    /// Posts a message for whose answer nothing waits.
    pub async fn tell(&self, headers: HeaderMap, message: Vec<u8>) {
        let url = self.options.url.clone();
        let request = request(url, Method::POST, headers, message.into());
        // A server that does not want to know is not told again.
        let _ = timeout(self.options.patience, self.wire.request(request)).await;
    }

    async fn ask(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, UpstreamFault> {
        let answer = self.wait(request).await?;
        if answer.status().is_redirection() && answer.status() != StatusCode::NOT_MODIFIED {
            self.options.notify.line(format_args!(
                "{} redirects to another address, which is not followed; give that address in its place",
                Shown::line(place(&self.options.url))
            ));
            return Err(UpstreamFault::Redirect);
        }
        if is_encoded(answer.headers()) {
            return Err(UpstreamFault::Encoded);
        }
        Ok(answer)
    }

    async fn wait(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, UpstreamFault> {
        match timeout(self.options.patience, self.wire.request(request)).await {
            Err(_) => Err(UpstreamFault::Slow),
            Ok(Err(error)) => {
                // The text of an error names addresses, and holds nothing of the message.
                self.options.notify.line(format_args!(
                    "no answer from {}: {}",
                    Shown::line(place(&self.options.url)),
                    Shown::line(with_causes(&error))
                ));
                Err(UpstreamFault::Unreachable)
            }
            Ok(Ok(answer)) => Ok(answer),
        }
    }
}

fn request(url: Uri, method: Method, headers: HeaderMap, body: Bytes) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = url;
    *request.headers_mut() = headers;
    request
}

/// An address without what may be a secret in it.
fn place(url: &Uri) -> String {
    let host = url.host().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!("{host}{port}")
}
