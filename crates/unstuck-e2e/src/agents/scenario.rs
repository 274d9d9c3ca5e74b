//! What the scripted model does.

use anyhow::Result;
use serde_json::json;

use super::agent::{Agent, Lab};
use super::model::Turn;

/// Calls of the loop before the model gives up by itself. A run that is ended has fewer.
pub(crate) const LOOP_CALLS: usize = 40;

/// Calls of the healthy run.
pub(crate) const HEALTHY_CALLS: usize = 40;

/// The same failing command, again and again.
pub(crate) fn endless(agent: &dyn Agent) -> Vec<Turn> {
    let laps = agent.laps().iter().cycle().take(LOOP_CALLS);
    let calls = laps.map(|command| Turn::Call(agent.shell(command)));
    calls.chain([Turn::Say("I give up.")]).collect()
}

/// Work that gets somewhere: reading, polling something that moves, editing and testing, looking around.
pub(crate) fn healthy(agent: &dyn Agent) -> Vec<Turn> {
    let calls = healthy_commands();
    let calls = calls.iter().map(|command| Turn::Call(agent.shell(command)));
    calls.chain([Turn::Say("All is done.")]).collect()
}

fn healthy_commands() -> Vec<String> {
    let mut commands = vec!["ls".to_owned(), "sh job.sh start".to_owned()];
    // The first looks find it waiting, the later ones on its way. Some agents end five equal calls in a row themselves.
    for part in 1..=7 {
        commands.push(format!("cat src/part{part}.txt"));
        commands.push("sh job.sh status".to_owned());
    }
    commands.extend(["sh job.sh status".to_owned(), "sh job.sh status".to_owned()]);
    for round in 1..=6 {
        // Not by `sed -i`: one of the agents refuses that.
        commands.push(format!("echo part {round} is fixed > src/part{round}.txt"));
        commands.push("npm test --silent".to_owned());
    }
    commands.extend((1..=6).map(|part| format!("grep -n fixed src/part{part}.txt")));
    commands.extend((1..=4).map(|part| format!("wc -l src/part{part}.txt")));
    commands
}

/// The files that the commands are about.
pub(crate) fn prepare(lab: &Lab) -> Result<()> {
    lab.write(
        "work/attempt.sh",
        "echo \"$1\" >> ../attempts.log\necho 'cat: nope.txt: No such file or directory' >&2\nexit 1\n",
    )?;
    for part in 1..=7 {
        let lines = (1..=part * 3).map(|line| format!("part {part} line {line} broken{part}"));
        let text = lines.collect::<Vec<_>>().join(
            "
",
        ) + "
";
        lab.write(&format!("work/src/part{part}.txt"), &text)?;
    }
    lab.write(
        "work/job.sh",
        "n=$(cat ../job.count 2>/dev/null || echo 0)\n\
         if [ \"$1\" = start ]; then echo 0 > ../job.count; echo started; exit; fi\n\
         n=$((n + 1)); echo $n > ../job.count; echo \"$n\" >> ../attempts.log\n\
         if [ $n -le 3 ]; then echo 'status: pending'; elif [ $n -lt 9 ]; then echo \"status: running, $((n * 10))%\"; else echo 'status: done'; fi\n",
    )?;
    lab.write_json(
        "work/package.json",
        &json!({"scripts": {"test": "sh test.sh"}}),
    )?;
    lab.write(
        "work/test.sh",
        "left=$(grep -l broken src/part[1-6].txt | wc -l)\n\
         grep -l broken src/part[1-6].txt | sed 's/^/FAILED /'\n\
         echo \"$left failed\"; [ \"$left\" -eq 0 ]\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_healthy_run_has_its_calls() {
        assert_eq!(healthy_commands().len(), HEALTHY_CALLS);
    }
}
