//! Makes the tries: for every command and option that the help lists, and for the ways that were open once.

use crate::evil_files::Evil;
use crate::harm::EVIL;
use crate::help::Command;
use crate::tries::{BYTES, FILE, Try};

/// How many evil files each option is given in the long form; the whole list is given to each command.
const FILES_PER_OPTION: usize = 4;
/// The variables that every command reads.
const VARIABLES: &[&str] = &[
    "HOME",
    "LANG",
    "TERM",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "TOUCHMOVE_TOKEN",
    "TOUCHMOVE_TOKEN_ORIGIN",
];
/// Those that the server reads.
const SERVER_VARIABLES: &[&str] = &[
    "TOUCHMOVE_ALLOWED_HOST",
    "TOUCHMOVE_BOTS",
    "TOUCHMOVE_BUS",
    "TOUCHMOVE_NATS",
    "TOUCHMOVE_CONNECTIONS",
    "TOUCHMOVE_LISTEN",
    "TOUCHMOVE_LOG",
    "TOUCHMOVE_LOG_LEVEL",
    "TOUCHMOVE_METRICS",
    "TOUCHMOVE_PUBLIC_URL",
    "TOUCHMOVE_REGISTRATION",
    "TOUCHMOVE_SERVER_CONFIG",
    "TOUCHMOVE_SERVER_DATA",
    "TOUCHMOVE_STORE",
    "TOUCHMOVE_TRUSTED_PROXY",
];

/// Makes tries.
pub struct Maker<'a> {
    /// The evil files.
    pub evils: &'a [Evil],
}

impl Maker<'_> {
    fn number(&self, name: &str) -> Option<usize> {
        self.evils.iter().position(|evil| evil.name == name)
    }

    /// Where evil texts may stand behind a command.
    pub fn places(&self, command: &Command, random: &mut fastrand::Rng) -> Vec<Try> {
        let mut tries = Vec::new();
        let with = |more: &[&str]| Try {
            words: command
                .words
                .iter()
                .map(String::as_str)
                .chain(more.iter().copied())
                .map(str::to_owned)
                .collect(),
            ..Try::default()
        };
        for (number, evil) in self.evils.iter().enumerate() {
            let file = Some(number);
            tries.push(Try {
                file,
                ..with(&[FILE])
            });
            for more in [&["-"][..], &[]] {
                tries.push(Try {
                    input: evil.content.clone(),
                    ..with(more)
                });
            }
            if evil.name.ends_with(".toml") {
                tries.push(Try {
                    settings: file,
                    ..with(&[])
                });
            }
        }
        for name in ["escapes.pgn", "escapes.fen", "journal.jsonl"] {
            tries.push(Try {
                file: self.number(name),
                input: b"q".to_vec(),
                has_terminal: true,
                ..with(&[FILE])
            });
        }
        let long = "x".repeat(100_000);
        let slashes = "8/".repeat(50_000);
        let moves = "e4 ".repeat(30_000);
        let texts = [
            EVIL,
            "",
            "\u{202e}",
            &long,
            &slashes,
            "99999999999999999999",
            "-1",
            "%s%n",
            &moves,
            BYTES,
        ];
        tries.extend(texts.map(|text| with(&[text])));
        for option in &command.options {
            tries.extend(texts.map(|text| with(&[option, text])));
            for _ in 0..FILES_PER_OPTION {
                tries.push(Try {
                    file: Some(random.usize(..self.evils.len())),
                    ..with(&[option, FILE])
                });
            }
        }
        tries
    }

    /// What is always tried: the ways that were open once.
    pub fn known(&self) -> Vec<Try> {
        let with = |words: &[&str], file: &str| Try {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            file: self.number(file),
            ..Try::default()
        };
        let showing = |words: &[&str], file: &str| Try {
            must_show: true,
            ..with(words, file)
        };
        let mut tries = vec![
            showing(&["judge", "--moves", EVIL], ""),
            showing(&["explain", EVIL], ""),
            with(&["moves", "--fen", EVIL], ""),
            showing(&["winnable", EVIL], ""),
            with(&["judge", "--moves", BYTES], ""),
            showing(&["pgn", "check", BYTES], ""),
            showing(&["pgn", "show", FILE, BYTES], "escapes.pgn"),
            with(&["serve", "--listen", BYTES], ""),
            showing(&[BYTES], ""),
        ];
        let own: &[&[&str]] = &[
            &["join", "http://127.0.0.1:9/Ab3dE6gH"],
            &["play", "--plain"],
            &["library"],
            &["config"],
        ];
        for (variables, commands) in [(VARIABLES, own), (SERVER_VARIABLES, &[&["serve"]])] {
            for (variable, words) in variables
                .iter()
                .flat_map(|variable| commands.iter().map(move |words| (*variable, *words)))
            {
                tries.push(Try {
                    variable: Some(variable),
                    ..with(words, "")
                });
            }
        }
        for words in [
            &["pgn", "show", "--plain", FILE][..],
            &["pgn", "show", FILE],
            &["pgn", "show", FILE, "--game", "9"],
            &["pgn", "check", FILE],
            &["pgn", "check", FILE, FILE],
            &["pgn", "stats", FILE],
            &["review", FILE, "--nodes", "100"],
            &["review", FILE, "--nodes", "100", "--output", FILE],
            &["winnable", "--verify", FILE],
            &["winnable", "--file", FILE],
            &["library", "export", FILE],
            &["show", "--svg", FILE],
            &["backup", FILE],
            &["people", "list", "--data", FILE],
            &["play", "--plain", "--load", FILE],
            &[
                "play",
                "--plain",
                "--white",
                "engine",
                "--engine-option",
                EVIL,
            ],
            &[
                "join",
                "http://127.0.0.1:9/Ab3dE6gH",
                "--token-origin",
                EVIL,
            ],
            &[
                "serve",
                "--allowed-host",
                EVIL,
                "--listen",
                "127.0.0.1:0",
                "--data",
                "served",
            ],
        ] {
            tries.push(with(words, "escapes.pgn"));
        }
        tries.push(with(&["pgn", "check", FILE], "illegal.pgn"));
        tries.push(with(&["pgn", "check", FILE], "deep.pgn"));
        for file in ["deep.jsonl", "objects.jsonl", "wide.jsonl"] {
            tries.push(with(&["judge", "--journal", FILE], file));
        }
        for file in ["deep.toml", "password.toml"] {
            tries.push(with(&["serve", "--config", FILE], file));
        }
        for words in [&["config"][..], &["play", "--plain", "--no-keep"]] {
            for settings in ["escapes.toml", "deep.toml"] {
                tries.push(Try {
                    settings: self.number(settings),
                    ..with(words, "")
                });
            }
        }
        for words in [
            &["library"][..],
            &["library", "stats"],
            &["library", "show", "1"],
            &["play", "--plain", "--resume"],
        ] {
            tries.push(Try {
                has_evil_games: true,
                input: b"board\nmoves\nquit\n".to_vec(),
                ..with(words, "")
            });
        }
        for words in [
            &["pgn", "fmt", FILE][..],
            &["pgn", "show", "--plain", FILE],
            &["pgn", "show", FILE],
            &["pgn", "check", FILE],
            &["judge", "--moves", EVIL],
        ] {
            tries.push(Try {
                input: b"q".to_vec(),
                has_terminal: true,
                ..with(words, "escapes.pgn")
            });
        }
        for words in [&["play"][..], &["config"], &[]] {
            tries.push(Try {
                settings: self.number("escapes.toml"),
                input: b"q".to_vec(),
                has_terminal: true,
                ..with(words, "")
            });
        }
        tries.push(Try {
            has_evil_games: true,
            input: b"q".to_vec(),
            has_terminal: true,
            ..with(&["library"], "")
        });
        tries
    }
}
