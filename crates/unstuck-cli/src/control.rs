//! An MCP server with what `unstuck status`, `explain` and `reset` do.

use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
        Tool, ToolAnnotations,
    },
    service::{RequestContext, ServerInitializeError},
    transport::stdio,
};
use serde_json::{Value, json};
use unstuck::{RuleName, Settings};
use unstuck_session::{StateDir, clock};

use crate::commands::{explain, mode, sessions};

/// Agents that are listed unless one session is asked for.
const SHOWN: usize = 20;

/// Whether agents can be reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reset {
    Offered,
    Withheld,
}

/// The server.
pub(crate) struct Control {
    home: StateDir,
    settings: Settings,
    reset: Reset,
}

impl Control {
    pub(crate) fn new(home: StateDir, settings: Settings, reset: Reset) -> Self {
        Self {
            home,
            settings,
            reset,
        }
    }

    /// Answers on standard input and output until the client is gone.
    pub(crate) async fn answer(self) -> Result<()> {
        let serving = match self.serve(stdio()).await {
            // A client that leaves before its first message wanted nothing.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            serving => serving.context("the client did not begin as MCP wants it")?,
        };
        serving.waiting().await.context("the server failed")?;
        Ok(())
    }

    fn tools(&self) -> Vec<Tool> {
        let session =
            json!({"type": "string", "description": "The session, or how its name begins"});
        let mut tools = vec![
            Tool::new(
                "status",
                "Which coding agents unstuck watches on this machine: the last text each one got, whether it is halted, and why.",
                schema(&json!({"session": session}), &[]),
            )
            .with_annotations(ToolAnnotations::new().read_only(true)),
            Tool::new(
                "explain",
                "What a rule of unstuck looks for, what is not a loop, and its settings here. Without a rule: all of them.",
                schema(
                    &json!({"rule": {"type": "string", "description": "The rule's name, such as exact-repeat"}}),
                    &[],
                ),
            )
            .with_annotations(ToolAnnotations::new().read_only(true)),
        ];
        if self.reset == Reset::Offered {
            let about = "Lets a halted or denied agent continue: forgets what is held against its session. Only where a person \
                 wants that; an agent that goes in circles does so again.";
            tools.push(
                Tool::new(
                    "reset",
                    about,
                    schema(&json!({"session": session}), &["session"]),
                )
                .with_annotations(ToolAnnotations::new().read_only(false).idempotent(true)),
            );
        }
        tools
    }

    /// What is known about the agents, newest first.
    fn status(&self, session: Option<&str>) -> Result<CallToolResult> {
        let watched = self.home.agents();
        let all = watched.len();
        let halted = watched
            .iter()
            .filter(|about| about.halted.is_some())
            .count();
        let now = clock::now();
        let as_json = |about| sessions::as_json(about, now);
        let shown: Vec<_> = match session {
            Some(prefix) => {
                let name = self.home.find_session(prefix)?.name;
                let of_it = watched.iter().filter(|about| *about.session == *name);
                of_it.map(as_json).collect()
            }
            None => watched.iter().take(SHOWN).map(as_json).collect(),
        };
        Ok(CallToolResult::structured(json!({
            "mode": mode::in_effect(&self.home)?,
            "agents_seen": all,
            "agents_halted": halted,
            "agents": shown,
        })))
    }

    fn explain(&self, rule: Option<&str>) -> Result<CallToolResult> {
        let text = match rule {
            None => {
                let line = |rule: &RuleName| format!("{rule}: {}", rule.summary());
                RuleName::ALL
                    .iter()
                    .map(line)
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            Some(name) => {
                let rule = explain::find(name)?;
                let settings = unstuck_config::rule_to_toml(&self.settings, rule)?;
                format!(
                    "{rule}: {}\n\n{}\n\nIn effect here (preset {}):\n\n{settings}",
                    rule.summary(),
                    rule.documentation().trim_end(),
                    self.settings.preset
                )
            }
        };
        Ok(said(text))
    }

    fn lift(&self, session: Option<&str>) -> Result<CallToolResult> {
        let Some(prefix) = session.filter(|prefix| !prefix.is_empty()) else {
            bail!("say which session; `status` lists them");
        };
        let found = self.home.find_session(prefix)?;
        self.home.reset(&found.agents)?;
        Ok(said(format!(
            "{}: cleared; the next call is judged afresh",
            found.name
        )))
    }
}

impl ServerHandler for Control {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("unstuck", env!("CARGO_PKG_VERSION")))
            .with_instructions("What unstuck, which keeps agents from going in circles, knows about the agents here.")
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let word = |name: &str| {
            let value = request.arguments.as_ref()?.get(name)?;
            value.as_str()
        };
        let done = match &*request.name {
            "status" => self.status(word("session")),
            "explain" => self.explain(word("rule")),
            "reset" if self.reset == Reset::Offered => self.lift(word("session")),
            name => {
                let message = format!("there is no tool `{name}`");
                return Err(ErrorData::invalid_params(message, None));
            }
        };
        let failed = |error| CallToolResult::error(vec![ContentBlock::text(format!("{error:#}"))]);
        Ok(done.unwrap_or_else(failed).into())
    }
}

fn said(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// An object with these members, some of them required.
fn schema(properties: &Value, required: &[&str]) -> Arc<JsonObject> {
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}
