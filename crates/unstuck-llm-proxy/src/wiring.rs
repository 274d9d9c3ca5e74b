//! How programs are pointed at the proxy: environment variables and arguments, by what they are.

use std::net::SocketAddr;

use hyper::Uri;

use crate::upstreams::{Provider, Target, TargetError, Targets};

/// Variables that name the address of an API: the provider, and the address that a program uses without them, up to its
/// path.
const VARIABLES: [(&str, Provider, &str); 7] = [
    ("ANTHROPIC_BASE_URL", Provider::Anthropic, ""),
    ("OPENAI_BASE_URL", Provider::OpenAi, "/v1"),
    ("OPENAI_API_BASE", Provider::OpenAi, "/v1"),
    ("GOOGLE_GEMINI_BASE_URL", Provider::Gemini, ""),
    ("GEMINI_BASE_URL", Provider::Gemini, ""),
    ("COPILOT_PROVIDER_BASE_URL", Provider::OpenAi, "/v1"),
    ("AZURE_OPENAI_BASE_URL", Provider::OpenAi, ""),
];

/// Variables that are changed only where they are set: without them the program does not use an address of its own.
const ONLY_IF_SET: [&str; 2] = ["COPILOT_PROVIDER_BASE_URL", "AZURE_OPENAI_BASE_URL"];

/// How one program is pointed at a proxy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wiring {
    variables: Vec<(&'static str, String)>,
    /// The provider of Codex, with the path of its address.
    codex: Option<(Option<String>, String)>,
    targets: Vec<Target>,
}

/// What the settings of Codex say about the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodexProvider {
    /// The name of a provider of the user's own.
    pub name: Option<String>,
    /// The address of the API.
    pub url: Option<String>,
}

impl Wiring {
    /// Looks at a program and its environment. Addresses that are set there are where the proxy sends requests.
    pub fn of(
        program: &str,
        variable: impl Fn(&str) -> Option<String>,
        codex: CodexProvider,
    ) -> Result<Self, TargetError> {
        let mut wiring = Self::default();
        for (name, provider, usual) in VARIABLES {
            let set = variable(name).filter(|value| !value.is_empty());
            if set.is_none() && ONLY_IF_SET.contains(&name) {
                continue;
            }
            let path = match set {
                Some(address) => wiring.target(provider, &address)?,
                None => usual.to_owned(),
            };
            wiring.variables.push((name, path));
        }
        if stem(program) == "codex" {
            let path = match &codex.url {
                Some(address) => wiring.target(Provider::OpenAi, address)?,
                None => "/v1".to_owned(),
            };
            wiring.codex = Some((codex.name, path));
        }
        Ok(wiring)
    }

    /// Sends requests of a provider to an address, and returns the path of it.
    fn target(&mut self, provider: Provider, address: &str) -> Result<String, TargetError> {
        let url: Uri = unstuck_http::url(address).map_err(TargetError::of)?;
        let path = url.path().trim_end_matches('/').to_owned();
        self.targets.push(Target::of(provider, url));
        Ok(path)
    }

    /// The APIs behind the proxy. Those given here win over those of the environment.
    pub fn targets(&self, given: &[Target]) -> Targets {
        let all = self.targets.iter().chain(given);
        Targets(all.cloned().collect())
    }

    /// Variables of the program's environment, for a proxy at an address.
    pub fn variables(&self, proxy: SocketAddr) -> Vec<(&'static str, String)> {
        let at = |(name, path): &(&'static str, String)| (*name, format!("http://{proxy}{path}"));
        let mut all: Vec<_> = self.variables.iter().map(at).collect();
        let base = format!("http://{proxy}");
        // OpenCode reads further settings from here.
        let providers = [
            ("anthropic", "/v1"),
            ("openai", "/v1"),
            ("google", "/v1beta"),
        ];
        let providers: Vec<_> = providers
            .iter()
            .map(|(name, path)| format!(r#""{name}":{{"options":{{"baseURL":"{base}{path}"}}}}"#))
            .collect();
        all.push((
            "OPENCODE_CONFIG_CONTENT",
            format!(r#"{{"provider":{{{}}}}}"#, providers.join(",")),
        ));
        all
    }

    /// Arguments that come before those of the program.
    pub fn arguments(&self, proxy: SocketAddr) -> Vec<String> {
        let Some((provider, path)) = &self.codex else {
            return Vec::new();
        };
        let setting = match provider {
            Some(name) => format!("model_providers.{name}.base_url"),
            None => "openai_base_url".to_owned(),
        };
        vec![
            "-c".to_owned(),
            format!("{setting}=\"http://{proxy}{path}\""),
        ]
    }
}

impl CodexProvider {
    /// Reads the settings of Codex (`config.toml`), as far as they name a provider. Lines are looked at one by one: what is
    /// written in another way is not found.
    pub fn read(settings: &str) -> Self {
        let mut found = Self::default();
        let mut section = String::new();
        let mut addresses = Vec::new();
        for line in settings.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('[') {
                name.trim_end_matches(']').trim().clone_into(&mut section);
                continue;
            }
            let Some((name, value)) = line.split_once('=') else {
                continue;
            };
            let Some(value) = quoted(value) else { continue };
            match (section.as_str(), name.trim()) {
                ("", "model_provider") => found.name = Some(value.to_owned()),
                ("", "openai_base_url") => found.url = Some(value.to_owned()),
                (section, "base_url") => {
                    if let Some(provider) = section.strip_prefix("model_providers.") {
                        let provider = provider.trim_matches('"').to_owned();
                        addresses.push((provider, value.to_owned()));
                    }
                }
                _ => {}
            }
        }
        if let Some(name) = &found.name {
            let address = addresses.into_iter().find(|(provider, _)| provider == name);
            match address {
                Some((_, address)) => found.url = Some(address),
                // A provider that comes with Codex.
                None => found.name = None,
            }
        }
        found
    }
}

/// The inside of a value in quotes.
fn quoted(value: &str) -> Option<&str> {
    let value = value.trim();
    let mark = value
        .chars()
        .next()
        .filter(|mark| matches!(mark, '"' | '\''))?;
    value[1..].split(mark).next()
}

/// A program without its directory and ending.
fn stem(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
#[path = "wiring_tests.rs"]
mod tests;
