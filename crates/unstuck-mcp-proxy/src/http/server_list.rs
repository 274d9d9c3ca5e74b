//! A file that names servers, as clients have them: `mcpServers`, each with a command or a URL.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use hyper::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use serde::Deserialize;

use unstuck_http::url;

use super::{Backend, Launch};

#[derive(Deserialize)]
struct File {
    #[serde(rename = "mcpServers")]
    servers: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
struct Entry {
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<PathBuf>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    disabled: bool,
}

/// Reads servers and where they are, by name.
pub fn read_servers(path: &Path) -> Result<BTreeMap<String, Backend>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let file: File = serde_json::from_str(&text)
        .with_context(|| format!("{name} is not a list of servers (`mcpServers`)"))?;
    let mut servers = BTreeMap::new();
    for (server, entry) in file.servers {
        if entry.disabled {
            continue;
        }
        let behind = entry
            .behind()
            .with_context(|| format!("{name}: the server `{server}`"))?;
        servers.insert(server, behind);
    }
    if servers.is_empty() {
        bail!("{name} names no servers");
    }
    Ok(servers)
}

impl Entry {
    fn behind(self) -> Result<Backend> {
        match (self.command, self.url) {
            (Some(command), None) => {
                let words = std::iter::once(command).chain(self.args);
                let words = words.map(|word| Ok(OsString::from(expand(&word)?)));
                let environment = self.env.into_iter();
                let environment = environment.map(|(name, value)| Ok((name, expand(&value)?)));
                Ok(Backend::Command(Launch {
                    words: words.collect::<Result<_>>()?,
                    environment: environment.collect::<Result<_>>()?,
                    directory: self.cwd,
                }))
            }
            (None, Some(address)) => {
                let mut headers = HeaderMap::new();
                for (name, value) in &self.headers {
                    add_header(&mut headers, name, value)?;
                }
                Ok(Backend::Url {
                    url: url(&expand(&address)?)?,
                    headers,
                })
            }
            _ => bail!("needs either a `command` or a `url`"),
        }
    }
}

/// A header as it is written on a command line: `Name: value`.
pub(super) fn header(headers: &mut HeaderMap, text: &str) -> Result<()> {
    let Some((name, value)) = text.split_once(':') else {
        bail!("a header is written `Name: value`");
    };
    add_header(headers, name.trim(), value.trim())
}

/// Values may be secrets, so errors name only names.
fn add_header(headers: &mut HeaderMap, name: &str, value: &str) -> Result<()> {
    let Ok(parsed) = HeaderName::try_from(name) else {
        bail!("`{name}` is not the name of a header");
    };
    let Ok(mut value) = HeaderValue::try_from(expand(value)?) else {
        bail!("the value of the header `{name}` cannot be sent");
    };
    value.set_sensitive(true);
    headers.insert(parsed, value);
    Ok(())
}

/// Puts the environment's values in the place of `${NAME}` and `${NAME:-default}`, so that secrets need not stand in
/// files or on command lines.
fn expand(text: &str) -> Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        out.push_str(before);
        let Some((name, behind)) = behind.split_once('}') else {
            bail!("a `${{` has no end");
        };
        let (name, default) = match name.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (name, None),
        };
        match (env::var(name), default) {
            (Ok(value), _) => out.push_str(&value),
            (Err(_), Some(default)) => out.push_str(default),
            (Err(_), None) => bail!("the variable {name} is not set"),
        }
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
#[path = "server_list_tests.rs"]
mod tests;
