//! [`Contestant`]: somebody at the board who is no person: a level of the built-in engine, or a program that
//! speaks UCI. The name of a seat says who sits there, so that a game can be gone on with.

use std::fmt;

use touchmove_engine::Level;
use touchmove_uci_client::CommandLine;

/// Programs that are meant even where they are not installed.
const WELL_KNOWN: [&str; 8] = [
    "stockfish",
    "gnuchess",
    "fairy-stockfish",
    "lc0",
    "toga2",
    "fruit",
    "crafty",
    "ethereal",
];

/// Somebody at the board who is no person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// The built-in engine.
    Level(Level),
    /// A program from outside.
    Program(Program),
}

/// A program that speaks UCI, with the options that it is given: `stockfish; UCI_Elo=1500`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// What it is called here.
    pub name: String,
    /// Command and options, as they are written.
    text: String,
}

/// A program with its options, read.
pub(crate) struct Read {
    pub command: CommandLine,
    pub options: Vec<(String, String)>,
}

impl Program {
    /// The program that a text describes: a command, and after semicolons options as Name=Value.
    ///
    /// ```
    /// use touchmove_tui::sparring::Program;
    ///
    /// assert!(Program::read("fish", "stockfish; UCI_LimitStrength=true; UCI_Elo=1500").is_ok());
    /// assert!(Program::read("fish", "stockfish; fast").unwrap_err().contains("Name=Value"));
    /// ```
    ///
    /// # Errors
    /// A sentence about what is wrong.
    pub fn read(name: &str, text: &str) -> Result<Program, String> {
        let program = Program {
            name: name.to_owned(),
            text: text.trim().to_owned(),
        };
        program.parts()?;
        Ok(program)
    }

    /// The program without a name of its own, with more options.
    ///
    /// # Errors
    /// A sentence about what is wrong.
    pub fn with_options(&self, options: &[String]) -> Result<Program, String> {
        if options.is_empty() {
            return Ok(self.clone());
        }
        let text = format!("{}; {}", self.text, options.join("; "));
        Program::read(&text, &text)
    }

    /// Command and options, as they are written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn parts(&self) -> Result<Read, String> {
        let mut parts = self.text.split(';');
        let command = parts.next().unwrap_or_default();
        let command = command.parse::<CommandLine>();
        let command = command.map_err(|error| error.to_string())?;
        let option = |part: &str| match part.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => {
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            }
            _ => Err(format!("{:?} is no option: it is Name=Value", part.trim())),
        };
        let options = parts.map(option).collect::<Result<_, String>>()?;
        Ok(Read { command, options })
    }
}

impl Contestant {
    /// Who is meant by a word on the command line; `None` is a person of this name. `engine` is the
    /// built-in one, `engine:LEVEL` one of its levels, `uci:COMMAND` any program; the name of an engine of
    /// the settings and a command that `exists` in small letters need no prefix.
    ///
    /// ```
    /// use touchmove_tui::sparring::Contestant;
    ///
    /// let read = |text| Contestant::read(text, &[], &|_| false);
    /// assert!(matches!(read("engine:casual"), Ok(Some(Contestant::Level(_)))));
    /// assert!(matches!(read("gnuchess --uci"), Ok(Some(Contestant::Program(_)))));
    /// assert_eq!(read("Anna"), Ok(None));
    /// assert!(read("engine:godlike").unwrap_err().contains("first-steps"));
    /// ```
    ///
    /// # Errors
    /// A sentence about what is wrong.
    pub fn read(
        text: &str,
        engines: &[Program],
        exists: &dyn Fn(&str) -> bool,
    ) -> Result<Option<Contestant>, String> {
        let text = text.trim();
        if let Some(known) = engines.iter().find(|program| program.name == text) {
            return Ok(Some(Contestant::Program(known.clone())));
        }
        match text.split_once(':') {
            Some(("engine", level)) => {
                let level = level.parse::<Level>().map_err(|error| error.to_string())?;
                return Ok(Some(Contestant::Level(level)));
            }
            Some(("uci", command)) => {
                let command = command.trim();
                return Program::read(command, command).map(|it| Some(Contestant::Program(it)));
            }
            _ if text == "engine" => return Ok(Some(Contestant::Level(Level::Full))),
            _ => {}
        }
        let Ok(command) = text
            .split(';')
            .next()
            .unwrap_or_default()
            .parse::<CommandLine>()
        else {
            return Ok(None);
        };
        let program = command.program();
        let is_small = program.starts_with(|first: char| first.is_ascii_lowercase());
        let is_path = program.contains('/');
        if WELL_KNOWN.contains(&program) || is_path || (is_small && exists(program)) {
            return Program::read(text, text).map(|it| Some(Contestant::Program(it)));
        }
        Ok(None)
    }

    /// Who sits in a seat of this name, if it is no person. Programs must be known here: the name in a
    /// stranger's file starts nothing.
    ///
    /// ```
    /// use touchmove_engine::Level;
    /// use touchmove_tui::sparring::Contestant;
    ///
    /// let casual = Contestant::Level(Level::Casual);
    /// assert_eq!(casual.to_string(), "Computer (Casual)");
    /// assert_eq!(Contestant::in_seat("Computer (Casual)", &[]), Some(casual));
    /// assert_eq!(Contestant::in_seat("Computer (rm -r /)", &[]), None);
    /// ```
    #[must_use]
    pub fn in_seat(name: &str, engines: &[Program]) -> Option<Contestant> {
        let who = name.strip_prefix("Computer (")?.strip_suffix(')')?;
        let level = Level::ALL.into_iter().find(|level| level.title() == who);
        let program = || engines.iter().find(|program| program.name == who).cloned();
        level
            .map(Contestant::Level)
            .or_else(|| program().map(Contestant::Program))
    }

    /// Everybody who can be chosen, the weakest level first, programs last.
    #[must_use]
    pub fn all(engines: &[Program]) -> Vec<Contestant> {
        let levels = Level::ALL.into_iter().map(Contestant::Level);
        let programs = engines.iter().cloned().map(Contestant::Program);
        levels.chain(programs).collect()
    }
}

impl fmt::Display for Contestant {
    /// The name of the seat.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Level(level) => write!(f, "Computer ({})", level.title()),
            Contestant::Program(program) => write!(f, "Computer ({})", program.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_people_and_programs_are_programs() {
        let exists = |program: &str| program == "mychess";
        let known = [Program::read("Fish", "stockfish; UCI_Elo=1400").unwrap()];
        let read = |text: &str| Contestant::read(text, &known, &exists);
        for person in ["", "Anna", "Anna Smith", "Mychess", "ben", "Computer"] {
            assert_eq!(read(person), Ok(None), "{person}");
        }
        for program in [
            "mychess -x",
            "./engine",
            "stockfish",
            "uci:Odd Name",
            "Fish",
        ] {
            let found = read(program).unwrap();
            assert!(matches!(found, Some(Contestant::Program(_))), "{program}");
        }
        assert!(read("uci:").is_err() && read("stockfish; x").is_err());
    }

    #[test]
    fn a_seat_says_who_sits_there_as_long_as_he_is_known() {
        let known = [Program::read("Fish", "stockfish; UCI_Elo=1400").unwrap()];
        for contestant in Contestant::all(&known) {
            let name = contestant.to_string();
            assert_eq!(Contestant::in_seat(&name, &known), Some(contestant));
        }
        assert_eq!(Contestant::in_seat("Computer (Fish)", &[]), None);
        assert_eq!(Contestant::in_seat("Fish", &known), None);
    }

    #[test]
    fn options_are_part_of_the_name() {
        let plain = Program::read("stockfish", "stockfish").unwrap();
        let limited = plain.with_options(&["UCI_Elo=1500".to_owned()]).unwrap();
        assert_eq!(limited.name, "stockfish; UCI_Elo=1500");
        let read = limited.parts().unwrap();
        assert_eq!(read.options, [("UCI_Elo".to_owned(), "1500".to_owned())]);
        assert!(plain.with_options(&["fast".to_owned()]).is_err());
    }
}
