//! [`UciOption`]: the options that an engine declares, and whether a value is allowed. Engines are sent no other
//! options: some exit when they are.

/// An option that an engine has declared.
///
/// ```
/// use touchmove_uci_client::{UciOption, UciOptionKind};
///
/// let line = "option name Skill Level type spin default 20 min 0 max 20";
/// let option = UciOption::read(line).unwrap();
/// assert_eq!(option.name, "Skill Level");
/// assert!(option.check("7").is_ok());
/// assert!(option.check("21").unwrap_err().contains("0 to 20"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciOption {
    /// Its name, which may contain blanks.
    pub name: String,
    /// Its type.
    pub kind: UciOptionKind,
}

/// The type of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciOptionKind {
    /// `true` or `false`.
    Check,
    /// A number within bounds.
    Spin {
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
    },
    /// One of these words.
    Combo(Vec<String>),
    /// An action without a value.
    Button,
    /// Any text.
    Text,
}

impl UciOption {
    /// Parses a line `option name … type …`; `None` for any other line.
    #[must_use]
    pub fn read(line: &str) -> Option<UciOption> {
        let mut words = line.split_whitespace();
        if words.next()? != "option" || words.next()? != "name" {
            return None;
        }
        let words: Vec<&str> = words.collect();
        let kind = words.iter().position(|&word| word == "type")?;
        let name = words[..kind].join(" ");
        let rest = words.get(kind + 2..).unwrap_or_default();
        let number = |key| {
            let index = rest.iter().position(|&word| word == key)?;
            rest.get(index + 1)?.parse().ok()
        };
        let kind = match *words.get(kind + 1)? {
            "check" => UciOptionKind::Check,
            "spin" => UciOptionKind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => UciOptionKind::Combo(choices(rest)),
            "button" => UciOptionKind::Button,
            _ => UciOptionKind::Text,
        };
        (!name.is_empty()).then_some(UciOption { name, kind })
    }

    /// Whether the option has this name, ignoring case as engines do.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value in the engine's spelling.
    ///
    /// # Errors
    /// What the option accepts instead, as a sentence.
    pub fn check(&self, value: &str) -> Result<String, String> {
        let name = &self.name;
        if value.contains(['\n', '\r']) {
            return Err(format!("the value of {name} is one line"));
        }
        match &self.kind {
            UciOptionKind::Check => match value.to_ascii_lowercase().as_str() {
                truth @ ("true" | "false") => Ok(truth.to_owned()),
                _ => Err(format!("{name} is true or false")),
            },
            UciOptionKind::Spin { min, max } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(value.to_owned()),
                _ => Err(format!("{name} is a number from {min} to {max}")),
            },
            UciOptionKind::Combo(choices) => {
                let choice = choices.iter().find(|it| it.eq_ignore_ascii_case(value));
                let said = || format!("{name} is one of: {}", choices.join(", "));
                choice.cloned().ok_or_else(said)
            }
            UciOptionKind::Button if value.is_empty() => Ok(String::new()),
            UciOptionKind::Button => Err(format!("{name} is pressed and takes no value")),
            UciOptionKind::Text => Ok(value.to_owned()),
        }
    }
}

/// The maximum number of options that an engine may declare.
pub(crate) const MAX_OPTIONS: usize = 512;
/// The maximum bytes of their names and choices together, each counted with one more.
pub(crate) const MAX_OPTION_BYTES: usize = 256 * 1024;

/// The options that an engine has declared so far.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) declared: Vec<UciOption>,
    bytes: usize,
}

impl Options {
    /// Parses a line and stores its option; returns `false` if there was no room for it.
    pub(crate) fn take(&mut self, line: &str) -> bool {
        let Some(option) = UciOption::read(line) else {
            return true;
        };
        self.bytes += option.name.len() + 1;
        if let UciOptionKind::Combo(choices) = &option.kind {
            // An empty choice takes memory too.
            self.bytes += choices.iter().map(|it| it.len() + 1).sum::<usize>();
        }
        let fits = self.declared.len() < MAX_OPTIONS && self.bytes <= MAX_OPTION_BYTES;
        if fits {
            self.declared.push(option);
        }
        fits
    }
}

/// The text after each `var`, up to the next.
fn choices(words: &[&str]) -> Vec<String> {
    let parts = words.split(|&word| word == "var").skip(1);
    parts.map(|part| part.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> UciOption {
        UciOption::read(line).unwrap()
    }

    #[test]
    fn every_kind_takes_what_it_declares() {
        let style = read("option name Style type combo default Normal var Solid Play var Normal");
        assert_eq!(style.check("solid play").unwrap(), "Solid Play");
        assert!(style.check("Risky").is_err());
        let ponder = read("option name Ponder type check default false");
        assert_eq!(ponder.check("TRUE").unwrap(), "true");
        assert!(ponder.check("1").is_err());
        let clear = read("option name Clear Hash type button");
        assert!(clear.check("").is_ok() && clear.check("x").is_err());
        let file = read("option name Log File type string default <empty>");
        assert_eq!(file.check("a b").unwrap(), "a b");
        assert!(file.check("a\nquit").is_err(), "no second command");
    }

    #[test]
    fn what_is_no_declaration_is_left_aside() {
        for line in [
            "",
            "option",
            "option name",
            "option name X",
            "id name X",
            "option name type spin",
        ] {
            assert_eq!(UciOption::read(line), None, "{line}");
        }
        let odd = read("option name Hash type spin default many min x");
        assert_eq!(
            odd.kind,
            UciOptionKind::Spin {
                min: i64::MIN,
                max: i64::MAX
            }
        );
    }
}
