//! [`ComputerSpec`]: a computer player, either a level of the built-in engine or a UCI engine. It is written into
//! the name of the seat, so that a saved game can be resumed with the same opponent.

use std::fmt;

use touchmove_engine::Level;
use touchmove_game::Seat;
use touchmove_uci_client::CommandLine;

/// Commands that are taken for engines even where they are not installed.
const KNOWN_ENGINES: [&str; 8] = [
    "stockfish",
    "gnuchess",
    "fairy-stockfish",
    "lc0",
    "toga2",
    "fruit",
    "crafty",
    "ethereal",
];

/// A computer player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComputerSpec {
    /// A level of the built-in engine.
    Level(Level),
    /// A UCI engine.
    EngineProgram(EngineProgram),
}

/// A UCI engine with its options: `stockfish; UCI_Elo=1500`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineProgram {
    /// Its name here.
    pub name: String,
    /// The command and the options, as written.
    text: String,
}

/// A parsed command with its options.
pub(crate) struct EngineCommand {
    pub command: CommandLine,
    pub options: Vec<(String, String)>,
}

impl EngineProgram {
    /// Parses an engine: a command, then options as Name=Value after semicolons.
    ///
    /// ```
    /// use touchmove_tui::opponents::EngineProgram;
    ///
    /// assert!(EngineProgram::read("fish", "stockfish; UCI_LimitStrength=true; UCI_Elo=1500").is_ok());
    /// assert!(EngineProgram::read("fish", "stockfish; fast").unwrap_err().contains("Name=Value"));
    /// ```
    ///
    /// # Errors
    /// A sentence about what is wrong.
    pub fn read(name: &str, text: &str) -> Result<EngineProgram, String> {
        let program = EngineProgram {
            name: name.to_owned(),
            text: text.trim().to_owned(),
        };
        program.parts()?;
        Ok(program)
    }

    /// The same engine without a name of its own, with more options.
    ///
    /// # Errors
    /// A sentence about what is wrong.
    pub fn with_options(&self, options: &[String]) -> Result<EngineProgram, String> {
        if options.is_empty() {
            return Ok(self.clone());
        }
        let text = format!("{}; {}", self.text, options.join("; "));
        EngineProgram::read(&text, &text)
    }

    /// The command and the options, as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn parts(&self) -> Result<EngineCommand, String> {
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
        Ok(EngineCommand { command, options })
    }
}

impl ComputerSpec {
    /// Parses a player on the command line; `None` is a person of this name. `engine` is the built-in engine,
    /// `engine:LEVEL` one of its levels, `uci:COMMAND` any UCI engine. The name of a configured engine, and a
    /// lower-case command that `exists`, need no prefix.
    ///
    /// ```
    /// use touchmove_tui::opponents::ComputerSpec;
    ///
    /// let read = |text| ComputerSpec::read(text, &[], &|_| false);
    /// assert!(matches!(read("engine:casual"), Ok(Some(ComputerSpec::Level(_)))));
    /// assert!(matches!(read("gnuchess --uci"), Ok(Some(ComputerSpec::EngineProgram(_)))));
    /// assert_eq!(read("Anna"), Ok(None));
    /// assert!(read("engine:godlike").unwrap_err().contains("first-steps"));
    /// ```
    ///
    /// # Errors
    /// A sentence about what is wrong.
    pub fn read(
        text: &str,
        engines: &[EngineProgram],
        exists: &dyn Fn(&str) -> bool,
    ) -> Result<Option<ComputerSpec>, String> {
        let text = text.trim();
        if let Some(known) = engines.iter().find(|program| program.name == text) {
            return Ok(Some(ComputerSpec::EngineProgram(known.clone())));
        }
        match text.split_once(':') {
            Some(("engine", level)) => {
                let level = level.parse::<Level>().map_err(|error| error.to_string())?;
                return Ok(Some(ComputerSpec::Level(level)));
            }
            Some(("uci", command)) => {
                let command = command.trim();
                return EngineProgram::read(command, command)
                    .map(|it| Some(ComputerSpec::EngineProgram(it)));
            }
            _ if text == "engine" => return Ok(Some(ComputerSpec::Level(Level::Full))),
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
        if KNOWN_ENGINES.contains(&program) || is_path || (is_small && exists(program)) {
            return EngineProgram::read(text, text).map(|it| Some(ComputerSpec::EngineProgram(it)));
        }
        Ok(None)
    }

    /// Recognises a computer by the name of its seat. A UCI engine must be known here: the name in somebody else's
    /// file never starts a program.
    ///
    /// ```
    /// use touchmove_engine::Level;
    /// use touchmove_tui::opponents::ComputerSpec;
    ///
    /// let casual = ComputerSpec::Level(Level::Casual);
    /// assert_eq!(casual.to_string(), "Computer (Casual)");
    /// assert_eq!(ComputerSpec::from_seat_name("Computer (Casual)", &[]), Some(casual));
    /// assert_eq!(ComputerSpec::from_seat_name("Computer (rm -r /)", &[]), None);
    /// ```
    #[must_use]
    pub fn from_seat_name(name: &str, engines: &[EngineProgram]) -> Option<ComputerSpec> {
        // As it stands in the game, where a long name is cut.
        let seat = Seat::taken(name);
        let mut computers = ComputerSpec::all(engines).into_iter();
        computers.find(|computer| Seat::taken(computer.to_string()) == seat)
    }

    /// All computers to choose from: levels, the weakest first, then UCI engines.
    #[must_use]
    pub fn all(engines: &[EngineProgram]) -> Vec<ComputerSpec> {
        let levels = Level::ALL.into_iter().map(ComputerSpec::Level);
        let programs = engines.iter().cloned().map(ComputerSpec::EngineProgram);
        levels.chain(programs).collect()
    }
}

impl fmt::Display for ComputerSpec {
    /// Writes the name of the seat.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComputerSpec::Level(level) => write!(f, "Computer ({})", level.title()),
            ComputerSpec::EngineProgram(program) => write!(f, "Computer ({})", program.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_people_and_programs_are_programs() {
        let exists = |program: &str| program == "mychess";
        let known = [EngineProgram::read("Fish", "stockfish; UCI_Elo=1400").unwrap()];
        let read = |text: &str| ComputerSpec::read(text, &known, &exists);
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
            assert!(
                matches!(found, Some(ComputerSpec::EngineProgram(_))),
                "{program}"
            );
        }
        assert!(read("uci:").is_err() && read("stockfish; x").is_err());
    }

    #[test]
    fn a_seat_says_who_sits_there_as_long_as_he_is_known() {
        let known = [EngineProgram::read("Fish", "stockfish; UCI_Elo=1400").unwrap()];
        for contestant in ComputerSpec::all(&known) {
            let name = contestant.to_string();
            assert_eq!(
                ComputerSpec::from_seat_name(&name, &known),
                Some(contestant)
            );
        }
        assert_eq!(ComputerSpec::from_seat_name("Computer (Fish)", &[]), None);
        assert_eq!(ComputerSpec::from_seat_name("Fish", &known), None);
    }

    #[test]
    fn an_engine_with_a_long_command_is_known_by_the_seat_name_that_is_cut() {
        let command = format!("/opt/{}/engine --uci", "engines/".repeat(20));
        let known = [EngineProgram::read(&command, "stockfish").unwrap()];
        let computer = ComputerSpec::EngineProgram(known[0].clone());
        let seat = Seat::taken(computer.to_string());
        assert!(seat.name().len() < command.len());
        for name in [seat.name(), &computer.to_string()] {
            let found = ComputerSpec::from_seat_name(name, &known);
            assert_eq!(found.as_ref(), Some(&computer));
        }
        assert_eq!(ComputerSpec::from_seat_name(seat.name(), &[]), None);
    }

    #[test]
    fn options_are_part_of_the_name() {
        let plain = EngineProgram::read("stockfish", "stockfish").unwrap();
        let limited = plain.with_options(&["UCI_Elo=1500".to_owned()]).unwrap();
        assert_eq!(limited.name, "stockfish; UCI_Elo=1500");
        let read = limited.parts().unwrap();
        assert_eq!(read.options, [("UCI_Elo".to_owned(), "1500".to_owned())]);
        assert!(plain.with_options(&["fast".to_owned()]).is_err());
    }
}
