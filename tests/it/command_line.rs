//! Every subcommand, option and value that users and scripts rely on. clap derives most of these names from Rust
//! identifiers, so a rename in the code could change them without anybody noticing.

use crate::support::program::run;

const KEPT: &str = include_str!("../data/command_line.txt");

/// The short help of a subcommand; nothing in it depends on the width of a terminal.
fn help(command: &[&str]) -> String {
    let mut arguments = command.to_vec();
    arguments.push("-h");
    let run = run(&arguments, "");
    assert_eq!(run.code, 0, "{command:?}: {}", run.err);
    run.out
}

/// The subcommands that a help lists.
fn subcommands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| line.starts_with("  "));
    lines
        .filter(|line| line.as_bytes()[2] != b' ')
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The options and positional arguments of a help, with their placeholders and possible values.
fn arguments(help: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_argument = false;
    for line in help.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if indent == 0 {
            is_argument = line.ends_with(':') && line != "Commands:" && line != "Examples:";
        } else if is_argument && (2..=8).contains(&indent) && text.starts_with(['-', '<', '[']) {
            found.push(text.to_owned());
        } else if let (true, Some(last)) = (is_argument, found.last_mut()) {
            last.push_str("  ");
            last.push_str(text);
        }
    }
    found.iter().map(|text| signature(text)).collect()
}

/// What of an option's help is its name, placeholder and values.
fn signature(text: &str) -> String {
    let name = text.split("  ").next().unwrap_or(text);
    let mut signature = name.to_owned();
    let text = text.replace("  ", " ");
    for kind in ["[possible values: ", "[default: ", "[env: ", "[aliases: "] {
        if let Some((_, rest)) = text.split_once(kind)
            && let Some((values, _)) = rest.split_once(']')
        {
            let values = values.split('=').next().unwrap_or(values);
            signature.push_str(&format!(" {kind}{values}]"));
        }
    }
    signature
}

fn list(command: &[&str], lines: &mut Vec<String>) {
    let help = help(command);
    lines.push(
        format!("touchmove {}", command.join(" "))
            .trim_end()
            .to_owned(),
    );
    lines.extend(
        arguments(&help)
            .into_iter()
            .map(|line| format!("    {line}")),
    );
    for name in subcommands(&help) {
        list(&[command, &[name.as_str()]].concat(), lines);
    }
}

#[test]
fn no_subcommand_option_or_value_changes_by_accident() {
    let mut lines = Vec::new();
    list(&[], &mut lines);
    let now = lines.join("\n") + "\n";
    if now != KEPT {
        let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/command_line.txt");
        std::fs::write(path, &now).unwrap();
        let new = now.lines().find(|line| !KEPT.contains(line));
        let gone = KEPT.lines().find(|line| !now.contains(line));
        panic!(
            "the command line is not that of tests/data/command_line.txt: new {new:?}, gone {gone:?}; see {path}"
        );
    }
}
