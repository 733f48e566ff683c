//! [`CommandLine`]: a program with its arguments, as users type it. No shell is involved.

use std::fmt;
use std::str::FromStr;

/// A program and its arguments. Words are separated by blanks; text in single or double quotes is one word.
///
/// ```
/// use touchmove_uci_client::CommandLine;
///
/// let line: CommandLine = "'/opt/my engines/toga' --log \"\"".parse().unwrap();
/// assert_eq!(line.program(), "/opt/my engines/toga");
/// assert_eq!(line.arguments(), ["--log", ""]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

/// The error for an invalid command line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandLineError {
    /// The text is empty.
    #[error("an engine is a command such as \"stockfish\" or \"gnuchess --uci\"; this is empty")]
    Empty,
    /// A quotation is not closed.
    #[error("the quotation that begins with {0} in the command has no end")]
    Unquoted(char),
    /// The text contains a NUL, which no argument can hold.
    #[error("a command cannot hold the character NUL")]
    Nul,
}

impl CommandLine {
    /// A program without arguments.
    #[must_use]
    pub fn of(program: impl Into<String>) -> CommandLine {
        CommandLine {
            program: program.into(),
            arguments: Vec::new(),
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, argument: impl Into<String>) -> CommandLine {
        self.arguments.push(argument.into());
        self
    }

    /// The program to start.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Its arguments.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    fn from_str(text: &str) -> Result<CommandLine, CommandLineError> {
        if text.contains('\0') {
            return Err(CommandLineError::Nul);
        }
        let mut words = words(text)?.into_iter();
        let program = words.next().filter(|word| !word.is_empty());
        Ok(CommandLine {
            program: program.ok_or(CommandLineError::Empty)?,
            arguments: words.collect(),
        })
    }
}

fn words(text: &str) -> Result<Vec<String>, CommandLineError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(CommandLineError::Unquoted(open)),
        None => Ok(words),
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program)?;
        for argument in &self.arguments {
            write!(f, " {argument}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parted_by_blanks_and_held_together_by_quotes() {
        let line: CommandLine = "  gnuchess   --uci 'a b'c \"it's\" ".parse().unwrap();
        assert_eq!(line.program(), "gnuchess");
        assert_eq!(line.arguments(), ["--uci", "a bc", "it's"]);
    }

    #[test]
    fn what_is_no_command_says_why() {
        let read = |text: &str| text.parse::<CommandLine>().unwrap_err();
        assert_eq!(read("  "), CommandLineError::Empty);
        assert_eq!(read("''"), CommandLineError::Empty);
        assert_eq!(read("a 'b"), CommandLineError::Unquoted('\''));
        assert_eq!(read("a\0b"), CommandLineError::Nul);
    }
}
