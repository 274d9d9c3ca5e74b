//! The APIs behind the proxy, and which of them a request is for.

use std::{
    str::FromStr,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use hyper::{
    HeaderMap, Uri,
    header::{HeaderValue, USER_AGENT},
    http::{request::Parts, uri::PathAndQuery},
};
use unstuck_http::{AllowList, Upstream, UpstreamOptions, UrlError, url};
use unstuck_llm::Form;
use unstuck_text::Notify;

/// Who provides an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Provider {
    Anthropic,
    OpenAi,
    Gemini,
}

const PROVIDERS: [(Provider, &str, &str); 3] = [
    (
        Provider::Anthropic,
        "anthropic",
        "https://api.anthropic.com",
    ),
    (Provider::OpenAi, "openai", "https://api.openai.com"),
    (
        Provider::Gemini,
        "gemini",
        "https://generativelanguage.googleapis.com",
    ),
];

/// An address for all requests, or for those of one provider: `URL` or `PROVIDER=URL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    provider: Option<Provider>,
    url: Uri,
}

/// Why an address cannot be that of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetError(String);

impl std::fmt::Display for TargetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TargetError {}

impl TargetError {
    pub(crate) fn of(error: UrlError) -> Self {
        Self(error.to_string())
    }
}

impl Target {
    pub(crate) fn of(provider: Provider, url: Uri) -> Self {
        Self {
            provider: Some(provider),
            url,
        }
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let named = PROVIDERS.iter().find_map(|(provider, name, _)| {
            let rest = text.strip_prefix(name)?.strip_prefix('=')?;
            Some((*provider, rest))
        });
        let (provider, rest) = match named {
            Some((provider, rest)) => (Some(provider), rest),
            None => (None, text),
        };
        if let (None, Some((name, _))) = (provider, text.split_once('='))
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        {
            let names: Vec<_> = PROVIDERS.iter().map(|(_, name, _)| *name).collect();
            return Err(TargetError(format!(
                "`{name}` is no provider; there are {}",
                names.join(", ")
            )));
        }
        let url = url(rest).map_err(TargetError::of)?;
        Ok(Self { provider, url })
    }
}

/// The addresses of APIs.
#[derive(Clone, Debug, Default)]
pub struct Targets(pub Vec<Target>);

impl Targets {
    /// The provider that all addresses are for. Of an address for all requests, any provider will do.
    fn only(&self) -> Option<Provider> {
        let mut named = self
            .0
            .iter()
            .map(|target| target.provider.unwrap_or(Provider::OpenAi));
        let first = named.next()?;
        named.all(|other| other == first).then_some(first)
    }

    fn url(&self, provider: Provider) -> Option<Uri> {
        let of = |wanted: Option<Provider>| {
            let mut found = self.0.iter().filter(|target| target.provider == wanted);
            found.next_back().map(|target| target.url.clone())
        };
        let usual = PROVIDERS.iter().find(|row| row.0 == provider);
        of(Some(provider))
            .or_else(|| of(None))
            .or_else(|| url(usual?.2).ok())
    }
}

/// Connections to the APIs. They are prepared when they are first needed.
pub(crate) struct Upstreams {
    targets: Targets,
    patience: Duration,
    notify: Notify,
    prepared: [OnceLock<Option<Arc<Place>>>; 3],
    /// One thread prepares at a time.
    preparing: Mutex<()>,
}

/// One API.
pub(crate) struct Place {
    pub(crate) upstream: Upstream,
    /// The path of its address.
    base: String,
}

impl Upstreams {
    pub(crate) fn new(targets: Targets, patience: Duration, notify: Notify) -> Self {
        Self {
            targets,
            patience,
            notify,
            prepared: [const { OnceLock::new() }; 3],
            preparing: Mutex::new(()),
        }
    }

    /// The API that a request is for. `None` if that is not known, or if no connection can be made to it.
    pub(crate) fn place(&self, head: &Parts, form: Option<Form>) -> Option<Arc<Place>> {
        let provider = provider(head, form).or_else(|| self.targets.only())?;
        let slot = &self.prepared[provider as usize];
        if slot.get().is_none() {
            let _one = self.preparing.lock();
            slot.get_or_init(|| self.prepare(provider).map(Arc::new));
        }
        slot.get()?.clone()
    }

    fn prepare(&self, provider: Provider) -> Option<Place> {
        let url = self.targets.url(provider)?;
        let base = url.path().trim_end_matches('/').to_owned();
        let options = UpstreamOptions {
            url,
            configured: HeaderMap::new(),
            passed: AllowList::default(),
            patience: self.patience,
            notify: self.notify.clone(),
        };
        match Upstream::new(options) {
            Ok(upstream) => Some(Place { upstream, base }),
            Err(error) => {
                self.notify.line(error);
                None
            }
        }
    }
}

impl Place {
    /// A path at this API. The path of its address comes first, unless the client has it already.
    pub(crate) fn path(&self, path_and_query: &str) -> Option<PathAndQuery> {
        let has_base = path_and_query
            .strip_prefix(&*self.base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
        if has_base {
            path_and_query.parse().ok()
        } else {
            format!("{}{path_and_query}", self.base).parse().ok()
        }
    }
}

/// Who provides the API that a request is for. `None` if nothing in it says so: a credential must not reach another
/// provider than the one it is for.
fn provider(head: &Parts, form: Option<Form>) -> Option<Provider> {
    let has = |name: &str| head.headers.contains_key(name);
    let sender = head.headers.get(USER_AGENT).map(HeaderValue::as_bytes);
    let is_claude = sender.is_some_and(|sender| sender.starts_with(b"claude"));
    let path = head.uri.path();
    match form {
        Some(Form::Anthropic) => Some(Provider::Anthropic),
        Some(Form::Gemini) => Some(Provider::Gemini),
        Some(_) => Some(Provider::OpenAi),
        None if has("anthropic-version")
            || has("anthropic-beta")
            || has("x-api-key")
            || is_claude =>
        {
            Some(Provider::Anthropic)
        }
        None if has("x-goog-api-key") || path.starts_with("/v1beta") => Some(Provider::Gemini),
        None if path.starts_with("/v1/") => Some(Provider::OpenAi),
        None => None,
    }
}

#[cfg(test)]
#[path = "upstreams_tests.rs"]
mod tests;
