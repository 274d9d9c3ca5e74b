//! Where the recordings come from.

use crate::table::Table;

/// A set of the public corpus.
struct Source {
    set: &'static str,
    repository: &'static str,
    commit: &'static str,
    paths: &'static str,
    what: &'static str,
    labels: &'static str,
}

const SOURCES: [Source; 9] = [
    Source {
        set: "overthinking",
        repository: "AlexCuadron/Overthinking",
        commit: "722b76c",
        paths: "Models/*/{llm_completions,infer_logs,report.json}",
        what: "OpenHands on SWE-bench Verified, ten models",
        labels: "solved; stopped by the agent's own detector",
    },
    Source {
        set: "llm_agents_study",
        repository: "sola-st/llm-agents-study",
        commit: "e84f66f",
        paths: "trajectories/*/parsed, *_csv/action_action",
        what: "OpenHands, RepairAgent, AutoCodeRover",
        labels: "people's word on every step against the one before",
    },
    Source {
        set: "whowhen",
        repository: "ag2ai/Agents_Failure_Attribution",
        commit: "f4d2b6d",
        paths: "Who&When",
        what: "teams of agents: Magentic-One and AG2",
        labels: "the orchestrating model's own word on whether it is in a loop",
    },
    Source {
        set: "miniswe_gemini3",
        repository: "gruckion/mini-swe-agent",
        commit: "d12a71a",
        paths: "swebench_results/20251118_gemini-3-pro-74pct",
        what: "mini-swe-agent with a strong model",
        labels: "solved",
    },
    Source {
        set: "codetracer_kimi",
        repository: "NJU-LINK/CodeTracer",
        commit: "2d30219",
        paths: "data/traj/kimi_k2.5",
        what: "Claude Code with Kimi K2.5 on Terminal-Bench",
        labels: "reward",
    },
    Source {
        set: "taubench",
        repository: "sierra-research/tau-bench",
        commit: "59a200c",
        paths: "historical_trajectories/gpt-4o-airline.json",
        what: "customer service with a simulated person",
        labels: "reward",
    },
    Source {
        set: "agentrx_tau",
        repository: "microsoft/AgentRx",
        commit: "f228165",
        paths: "data/tau_retail",
        what: "customer service with a simulated person",
        labels: "reward; notes on failures, none of which names a loop",
    },
    Source {
        set: "reflexion_hotpot",
        repository: "noahshinn/reflexion",
        commit: "218cf0e",
        paths: "hotpotqa_runs",
        what: "short ReAct runs",
        labels: "right or wrong answer",
    },
    Source {
        set: "sweagent_demos",
        repository: "SWE-agent/SWE-agent",
        commit: "3ea751c",
        paths: "*.traj",
        what: "demonstrations and test data",
        labels: "none",
    },
];

const FORMAT: &str = "\
Each source is brought into one form: one run a line, a JSON object with

  id, set       the run's name and the collection it belongs to
  task          what the agent was asked, or null
  label         what the source says about the run: resolved, reward, outcome; stuck_in_loop, loop, ledger_loop_any, ...
  steps         in order, each with
    role        user, assistant, or a part of the harness, which is not replayed
    text        words, or the thought beside a call; cut at 2000 characters
    tool, args  the call; `say:NAME` is a word of the agent NAME in a team
    result      the result, cut at 4000 characters; null where none was recorded
    error       true, false or null
    ts          when: seconds, or ISO 8601
    args_sha, result_sha, result_len
                the first 16 digits of the SHA-1 of the whole, and the length of the whole result
    tok_in, tok_out
                tokens read and written
    rel_to_prev a person's word on the step: Follow-up, Refinement, Divergence, Repetition
    agent       who acts, where there are several
";

/// What to do without a corpus.
pub fn how_to_get() -> String {
    let mut text = String::from(
        "no corpus

Give files of recordings (.jsonl, .jsonl.xz or .jsonl.zst) as arguments, or list them in the variable UNSTUCK_CORPUS,
separated as in PATH. They are other people's work and no part of this repository. The public sets come from

",
    );
    for source in &SOURCES {
        text += &format!(
            "  {:<17} https://github.com/{} at {}, {}\n",
            source.set, source.repository, source.commit, source.paths
        );
    }
    text.push('\n');
    text + FORMAT
}

/// The sources as a table.
pub(crate) fn sources() -> Table {
    let header = ["set", "repository, commit", "what it is", "labels"];
    let mut table = Table::new(header.len(), header);
    for source in &SOURCES {
        table.push(vec![
            format!("`{}`", source.set),
            format!(
                "[{0}](https://github.com/{0}) {1}",
                source.repository, source.commit
            ),
            source.what.to_owned(),
            source.labels.to_owned(),
        ]);
    }
    table
}
