//! What the program's own help lists: its commands, and the options of each that take a value. So a new command or
//! option is attacked without anybody remembering it.

/// A command.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its words.
    pub words: Vec<String>,
    /// The options that take a value, as they are written.
    pub options: Vec<String>,
}

/// The commands in a help.
pub fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| line.trim() != "Commands:");
    let listed = listed.skip(1).take_while(|line| line.starts_with("  "));
    // A command stands two places from the edge; what is further in goes on about it.
    let names = listed.filter(|line| !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The options in a help that take a value: `-o, --output <FILE>`, `--resume [<N>]`.
pub fn options(help: &str) -> Vec<String> {
    let listed = help
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with('-'));
    let named = listed.filter_map(|line| {
        let (names, rest) = line.split_at(line.find(" <").or_else(|| line.find(" [<"))?);
        let name = names
            .rsplit(' ')
            .next()
            .filter(|name| name.starts_with('-'));
        rest.contains('>').then_some(name).flatten()
    });
    named.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_help_says_which_commands_and_options_there_are() {
        let help = "Usage: x [OPTIONS]\n\nCommands:\n  pgn    Games\n           and more\n  help   Print\n\n\
                    Options:\n      --game <N>       The game <3>\n  -o, --output <FILE>  Where\n      \
                    --bots [<LEVELS>]\n          - off: none <x>\n      --json\n          With <no> value\n  \
                    -h, --help  Print\n";
        assert_eq!(commands(help), ["pgn"]);
        assert_eq!(options(help), ["--game", "--output", "--bots"]);
    }
}
