//! The configuration: a TOML file, every fault in it with its line, and the effective settings as TOML. Does not
//! open the file.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use touchmove_game::{DeadLaw, Draws, FlagLaw, TimeControls};
use touchmove_rules::Variant;

use crate::opponents::{ComputerOptions, EngineProgram};
use crate::screen::board::Blocks;
use crate::screen::{
    Action, Alerts, Appearance, KeyBindings, KeyChord, NewGameForm, PieceRendering,
};
use crate::toml_depth::find_too_deep;

/// The configuration.
///
/// ```
/// use touchmove_tui::config::Config;
///
/// let (config, faults) = Config::read("theme = \"clear\"\npieces = \"wooden\"\n");
/// assert_eq!(config.look.theme.name, "clear");
/// assert_eq!(
///     faults[0].to_string(),
///     "line 2: pieces cannot be \"wooden\": it is auto, image, blocks, braille, figurines or letters",
/// );
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The appearance of the screen.
    pub look: Appearance,
    /// Whether the board flips with every move.
    pub auto_flip: bool,
    /// The initial values of the new-game form.
    pub form: NewGameForm,
    /// The key bindings.
    pub keys: KeyBindings,
    /// Computer players and hints.
    pub customs: ComputerOptions,
    /// Alerts: bell and flash.
    pub call: Alerts,
    /// Whether the plain mode is written for a screen reader.
    pub screen_reader: bool,
    /// Configuration faults for the players, one sentence each; the first names the path.
    pub faults: Vec<String>,
    /// A warning about the terminal's character encoding.
    pub encoding: Option<String>,
    /// Whether games are saved.
    pub keeps: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            look: Appearance::default(),
            auto_flip: false,
            form: NewGameForm::default(),
            keys: KeyBindings::default(),
            call: Alerts::default(),
            screen_reader: false,
            faults: Vec::new(),
            encoding: None,
            keeps: true,
            customs: ComputerOptions::default(),
        }
    }
}

/// A fault in the configuration file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ConfigFault {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong, and what is allowed.
    pub what: String,
}

/// The largest configuration file that is read, in bytes. All settings fit into a tenth of it, and each fault costs
/// a scan of the whole file.
pub const MAX_FILE_BYTES: usize = 64 * 1024;

/// The keys outside any section.
const SETTING_KEYS: [&str; 10] = [
    "theme",
    "pieces",
    "blocks",
    "ascii",
    "animation",
    "banner",
    "auto_flip",
    "bell",
    "flash",
    "screen_reader",
];
/// The sections.
const SECTION_NAMES: [&str; 4] = ["terms", "players", "engines", "keys"];
/// The keys of the section `terms`.
const TERMS_KEYS: [&str; 9] = [
    "variant",
    "time",
    "draws",
    "flag",
    "dead",
    "takebacks",
    "random_colors",
    "hints",
    "computer_resigns",
];
/// The keys of the section `players`.
const PLAYERS_KEYS: [&str; 2] = ["white", "black"];

impl Config {
    /// The path of the configuration file by the XDG base directory specification, for these values of
    /// `XDG_CONFIG_HOME` and `HOME`.
    #[must_use]
    pub fn path_for(xdg_config_home: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
        let config = xdg_config_home
            .filter(|path| path.is_absolute())
            .or_else(|| Some(home?.join(".config")))?;
        Some(config.join("touchmove").join("config.toml"))
    }

    /// Parses a configuration. A faulty setting keeps its default and is reported.
    #[must_use]
    pub fn read(text: &str) -> (Config, Vec<ConfigFault>) {
        let mut reading = ConfigParser {
            text,
            config: Config::default(),
            faults: Vec::new(),
        };
        if text.len() > MAX_FILE_BYTES {
            let what = format!("the file has more than {MAX_FILE_BYTES} bytes and was not read");
            reading.fault(0, what);
            return (reading.config, reading.faults);
        }
        if let Some(at) = find_too_deep(text) {
            reading.fault(at, "this is nested too deeply to be a setting".to_owned());
            return (reading.config, reading.faults);
        }
        match DeTable::parse(text) {
            Ok(table) => reading.read(table.get_ref()),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                reading.fault(at, error.message().to_owned());
            }
        }
        reading.faults.sort_by_key(|fault| fault.line);
        (reading.config, reading.faults)
    }
}

struct ConfigParser<'a> {
    text: &'a str,
    config: Config,
    faults: Vec<ConfigFault>,
}

impl ConfigParser<'_> {
    fn fault(&mut self, at: usize, what: String) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        self.faults.push(ConfigFault { line, what });
    }

    fn read(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            match (name, value.get_ref()) {
                ("terms" | "players" | "engines" | "keys", DeValue::Table(section)) => {
                    for (key, value) in section {
                        let (setting, at) = (key.get_ref().as_ref(), key.span().start);
                        self.set(&format!("{name}.{setting}"), at, value);
                    }
                }
                ("terms" | "players" | "engines" | "keys", _) => {
                    self.fault(at, format!("{name} is a section: write [{name}]"));
                }
                _ => self.set(name, at, value),
            }
        }
    }

    fn set(&mut self, name: &str, at: usize, value: &Spanned<DeValue<'_>>) {
        let setting = Setting {
            name,
            at: value.span().start,
            value: value.get_ref(),
        };
        let mut config = std::mem::take(&mut self.config);
        let result = config.set(&setting);
        self.config = config;
        match result {
            Some(Ok(())) => {}
            Some(Err(what)) => self.fault(setting.at, what),
            None => {
                let known = match name.split_once('.') {
                    Some(("terms", _)) => TERMS_KEYS.to_vec(),
                    Some(("players", _)) => PLAYERS_KEYS.to_vec(),
                    Some(_) => Action::ALL.map(Action::word).to_vec(),
                    None => SETTING_KEYS.iter().chain(&SECTION_NAMES).copied().collect(),
                };
                self.fault(
                    at,
                    format!(
                        "{name} is not a setting: there are {}",
                        listed(&known, "and")
                    ),
                );
            }
        }
    }
}

/// One setting in the file.
struct Setting<'a> {
    name: &'a str,
    at: usize,
    value: &'a DeValue<'a>,
}

impl Setting<'_> {
    /// The value as it is written.
    fn shown(&self) -> String {
        match self.value {
            DeValue::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
            DeValue::Boolean(value) => value.to_string(),
            other => format!("a value of type {}", other.type_str()),
        }
    }

    fn text(&self) -> Result<&str, String> {
        match self.value {
            DeValue::String(text) => Ok(text),
            _ => Err(format!(
                "{} cannot be {}: it is a text in quotes",
                self.name,
                self.shown()
            )),
        }
    }

    fn truth(&self) -> Result<bool, String> {
        match self.value {
            DeValue::Boolean(value) => Ok(*value),
            _ => Err(format!(
                "{} cannot be {}: it is true or false",
                self.name,
                self.shown()
            )),
        }
    }

    fn one_of<T: Copy>(&self, all: &[T], word: impl Fn(T) -> &'static str) -> Result<T, String> {
        let words: Vec<&str> = all.iter().map(|&value| word(value)).collect();
        let find = |text: &str| all.iter().copied().find(|&value| word(value) == text);
        self.named(find, &words)
    }

    fn named<T>(&self, find: impl Fn(&str) -> Option<T>, words: &[&str]) -> Result<T, String> {
        let found = match self.value {
            DeValue::String(text) => find(text),
            _ => None,
        };
        found.ok_or_else(|| {
            let words = listed(words, "or");
            format!("{} cannot be {}: it is {words}", self.name, self.shown())
        })
    }

    fn parsed<T: FromStr<Err: fmt::Display>>(&self) -> Result<T, String> {
        self.text()?
            .parse()
            .map_err(|error: T::Err| format!("{}: {error}", self.name))
    }
}

impl Config {
    /// Applies a setting; `None` if there is no such setting.
    fn set(&mut self, setting: &Setting<'_>) -> Option<Result<(), String>> {
        let (look, form) = (&mut self.look, &mut self.form);
        Some(match setting.name {
            "theme" => setting
                .named(Appearance::theme_choice, &Appearance::themes())
                .map(|theme| look.choose_theme(theme)),
            "pieces" => setting
                .named(
                    PieceRendering::named,
                    &PieceRendering::ALL.map(PieceRendering::word),
                )
                .map(|pieces| look.pieces = pieces),
            "blocks" => setting
                .named(block_choice, &BLOCK_WORDS)
                .map(|blocks| look.blocks = blocks),
            "banner" => setting.truth().map(|banner| look.banner = banner),
            "ascii" => setting.truth().map(|ascii| look.ascii = ascii),
            "animation" => setting.truth().map(|animation| look.animation = animation),
            "auto_flip" => setting.truth().map(|flip| self.auto_flip = flip),
            "bell" => setting.truth().map(|bell| self.call.bell = bell),
            "flash" => setting.truth().map(|flash| self.call.flash = flash),
            "screen_reader" => setting.truth().map(|reader| self.screen_reader = reader),
            "terms.variant" => setting
                .one_of(&Variant::ALL, Variant::name)
                .map(|variant| form.variant = variant),
            "terms.time" => setting
                .parsed::<TimeControls>()
                .map(|time| form.time = time.to_string()),
            "terms.draws" => setting
                .one_of(Draws::ALL, Draws::word)
                .map(|draws| form.draws = draws),
            "terms.flag" => setting
                .one_of(FlagLaw::ALL, FlagLaw::word)
                .map(|flag| form.flag = flag),
            "terms.dead" => setting
                .one_of(DeadLaw::ALL, DeadLaw::word)
                .map(|dead| form.dead = dead),
            "terms.takebacks" => setting.truth().map(|takebacks| form.takebacks = takebacks),
            "terms.random_colors" => setting.truth().map(|random| form.random_colors = random),
            "terms.hints" => setting.truth().map(|hints| self.customs.hints = hints),
            "terms.computer_resigns" => setting
                .truth()
                .map(|resigns| self.customs.plays_on = !resigns),
            "players.white" => setting.text().map(|name| name.clone_into(&mut form.white)),
            "players.black" => setting.text().map(|name| name.clone_into(&mut form.black)),
            name if name.starts_with("engines.") => self.add_engine(setting),
            name => {
                let word = name.strip_prefix("keys.")?;
                let action = Action::ALL
                    .into_iter()
                    .find(|action| action.word() == word)?;
                setting.parsed::<KeyChord>().and_then(|chord| {
                    self.keys.assign(action, chord).map_err(|holder| {
                        format!("{name}: {chord} is already the key of {}", holder.word())
                    })
                })
            }
        })
    }
}

impl Config {
    /// Adds a UCI engine under the name of its setting.
    fn add_engine(&mut self, setting: &Setting<'_>) -> Result<(), String> {
        let name = setting
            .name
            .strip_prefix("engines.")
            .unwrap_or(setting.name);
        let command = setting.text()?;
        let program = EngineProgram::read(name, command)
            .map_err(|error| format!("{}: {error}", setting.name))?;
        self.customs.engines.push(program);
        Ok(())
    }
}

/// The accepted words for the block characters that pieces are drawn with.
pub const BLOCK_WORDS: [&str; 5] = ["auto", "half", "quadrants", "sextants", "octants"];

/// Parses a word for block characters. `auto` gives `Some(None)`: the finest that the terminal is known to draw.
#[must_use]
pub fn block_choice(word: &str) -> Option<Option<Blocks>> {
    let found = Blocks::ALL.into_iter().find(|blocks| blocks.word() == word);
    (word == "auto" || found.is_some()).then_some(found)
}

fn listed(words: &[&str], joint: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} {joint} {last}", others.join(", ")),
    }
}

/// A text as a TOML string on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\t' => quoted += "\\t",
            letter if letter.is_control() => quoted += &format!("\\u{:04X}", u32::from(letter)),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

impl fmt::Display for Config {
    /// Writes the effective configuration as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Config {
            look,
            auto_flip,
            form,
            keys,
            customs,
            call,
            screen_reader,
            faults: _,
            encoding: _,
            keeps: _,
        } = self;
        let theme = match look.auto_theme {
            true => "auto",
            false => look.theme.name,
        };
        writeln!(
            f,
            "theme = {theme:?} # {}",
            listed(&Appearance::themes(), "or")
        )?;
        writeln!(
            f,
            "pieces = {:?} # {}",
            look.pieces.word(),
            listed(&PieceRendering::ALL.map(PieceRendering::word), "or")
        )?;
        let blocks = look.blocks.map_or("auto", Blocks::word);
        writeln!(f, "blocks = {blocks:?} # {}", listed(&BLOCK_WORDS, "or"))?;
        writeln!(f, "ascii = {}", look.ascii)?;
        writeln!(f, "animation = {}", look.animation)?;
        writeln!(f, "banner = {}", look.banner)?;
        writeln!(f, "auto_flip = {auto_flip}")?;
        writeln!(f, "bell = {} # opponent's move, short time, end", call.bell)?;
        writeln!(f, "flash = {} # the same to be seen", call.flash)?;
        writeln!(
            f,
            "screen_reader = {screen_reader} # plain mode: boards when asked"
        )?;
        writeln!(f, "\n[terms]")?;
        let variants = listed(&Variant::ALL.map(Variant::name), "or");
        writeln!(f, "variant = {:?} # {variants}", form.variant.name())?;
        match form.time.as_str() {
            "" => writeln!(f, "# time = \"5+3\"")?,
            time => writeln!(f, "time = {time:?}")?,
        }
        writeln!(f, "draws = {:?} # auto or claim", form.draws.word())?;
        writeln!(f, "flag = {:?} # fide or loses", form.flag.word())?;
        writeln!(f, "dead = {:?} # exact, material or off", form.dead.word())?;
        writeln!(f, "takebacks = {}", form.takebacks)?;
        writeln!(f, "random_colors = {}", form.random_colors)?;
        writeln!(f, "hints = {}", customs.hints)?;
        writeln!(f, "computer_resigns = {}", !customs.plays_on)?;
        writeln!(f, "\n[players]")?;
        for (setting, name) in [("white", &form.white), ("black", &form.black)] {
            match name.as_str() {
                "" => writeln!(f, "# {setting} = \"\"")?,
                name => writeln!(f, "{setting} = {}", quoted(name))?,
            }
        }
        writeln!(f, "\n[engines]")?;
        if customs.engines.is_empty() {
            writeln!(
                f,
                "# fish = \"stockfish; UCI_LimitStrength=true; UCI_Elo=1500\""
            )?;
        }
        for program in &customs.engines {
            let [name, text] = [program.name.as_str(), program.text()].map(quoted);
            writeln!(f, "{name} = {text}")?;
        }
        writeln!(f, "\n[keys]")?;
        for action in Action::ALL {
            writeln!(
                f,
                "{} = \"{}\" # {}",
                action.word(),
                keys.key(action),
                action.help()
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_several_lines_is_shown_on_one() {
        let name = "An\nna \\ \"\u{1b}\"";
        let (config, faults) = Config::read(&format!("[players]\nwhite = {}", quoted(name)));
        assert_eq!((config.form.white.as_str(), faults.len()), (name, 0));
        let shown = config.to_string();
        assert!(shown.contains("white = \"An\\nna \\\\ "), "{shown}");
    }

    #[test]
    fn what_is_shown_reads_back_without_a_fault() {
        let text = "theme = \"paper\"\nascii = true\n[terms]\nvariant = \"atomic\"\ntime = \"3+2\"\n\
                    [players]\nwhite = \"Anna \\\"A\\\"\"\n[keys]\nflip = \"f5\"\n";
        let (config, faults) = Config::read(text);
        assert_eq!(faults, []);
        assert_eq!(config.form.white, "Anna \"A\"");
        for config in [config, Config::default()] {
            let (again, faults) = Config::read(&config.to_string());
            assert_eq!((again, faults), (config, Vec::new()));
        }
    }

    #[test]
    fn every_fault_is_named_with_its_line_and_what_would_be_right() {
        let text = "theme = \"pink\"\ncolour = 1\nascii = \"yes\"\n\n[terms]\ntime = \"5+x\"\n\
                    variant = 3\nspeed = 1\n[keys]\nflip = \"e\"\ndraw = \"ctrl-r\"\nfly = \"f2\"\n";
        let (config, faults) = Config::read(text);
        assert_eq!(config, Config::default());
        let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
        for (fault, start) in said.iter().zip([
            "line 1: theme cannot be \"pink\": it is auto, wood, slate, paper, clear or tournament",
            "line 2: colour is not a setting: there are theme, pieces,",
            "line 3: ascii cannot be \"yes\": it is true or false",
            "line 6: terms.time: \"5+x\" is not a time control",
            "line 7: terms.variant cannot be a value of type integer: it is chess, chess960,",
            "line 8: terms.speed is not a setting: there are variant, time,",
            "line 10: keys.flip: \"e\" cannot be used: letters and digits are for typing moves",
            "line 11: keys.draw: ^R is already the key of resign",
            "line 12: keys.fly is not a setting: there are draw, accept,",
        ]) {
            assert!(fault.starts_with(start), "{fault}");
        }
        assert_eq!(said.len(), 9);
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let text = "theme = \"clear\"\n".repeat(10_000);
        let (config, faults) = Config::read(&text);
        assert_eq!(config, Config::default());
        assert_eq!(faults.len(), 1);
        assert!(
            faults[0].to_string().contains("65536 bytes"),
            "{}",
            faults[0]
        );
    }

    #[test]
    fn a_file_that_is_not_toml_is_told_where() {
        let (config, faults) = Config::read("theme = \"wood\"\nascii = = true\n");
        assert_eq!(config, Config::default());
        assert_eq!(faults[0].line, 2);
    }

    #[test]
    fn the_file_is_where_the_specification_says() {
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(
            Config::path_for(path("/c"), path("/h")),
            path("/c/touchmove/config.toml")
        );
        assert_eq!(
            Config::path_for(None, path("/h")),
            path("/h/.config/touchmove/config.toml")
        );
    }
}
