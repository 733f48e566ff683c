//! The actions of the full screen besides moves, each with its word, its key and a line of help.
//! [`update`](crate::screen::update) carries them out.

use std::fmt;
use std::str::FromStr;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Something a player can ask for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Action {
    Help,
    Flip,
    AutoFlip,
    Takeback,
    Draw,
    Accept,
    Decline,
    Claim,
    Resign,
    Abort,
    Back,
    Forward,
    First,
    Last,
    CopyFen,
    CopyPgn,
    Save,
    Theme,
    New,
    Rematch,
    Say,
    Invite,
    Gone,
    Hint,
    Threat,
    Review,
    Quit,
}

impl Action {
    /// All actions, in the order of the help page.
    pub const ALL: [Action; 27] = [
        Action::Draw,
        Action::Accept,
        Action::Decline,
        Action::Claim,
        Action::Takeback,
        Action::Resign,
        Action::Abort,
        Action::Hint,
        Action::Threat,
        Action::Review,
        Action::Back,
        Action::Forward,
        Action::First,
        Action::Last,
        Action::Flip,
        Action::AutoFlip,
        Action::Theme,
        Action::CopyFen,
        Action::CopyPgn,
        Action::Save,
        Action::Say,
        Action::Invite,
        Action::Gone,
        Action::Rematch,
        Action::New,
        Action::Help,
        Action::Quit,
    ];

    /// The word for typing it, also used in the configuration.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Action::Help => "help",
            Action::Flip => "flip",
            Action::AutoFlip => "autoflip",
            Action::Takeback => "takeback",
            Action::Draw => "draw",
            Action::Accept => "accept",
            Action::Decline => "decline",
            Action::Claim => "claim",
            Action::Resign => "resign",
            Action::Abort => "abort",
            Action::Back => "back",
            Action::Forward => "forward",
            Action::First => "start",
            Action::Last => "end",
            Action::CopyFen => "fen",
            Action::CopyPgn => "pgn",
            Action::Save => "save",
            Action::Theme => "theme",
            Action::New => "new",
            Action::Rematch => "rematch",
            Action::Say => "say",
            Action::Invite => "invite",
            Action::Gone => "gone",
            Action::Hint => "hint",
            Action::Threat => "threat",
            Action::Review => "review",
            Action::Quit => "quit",
        }
    }

    /// Its description on the help page.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Action::Help => "this page",
            Action::Flip => "turn the board round",
            Action::AutoFlip => "turn it after every move, on or off",
            Action::Takeback => "ask to take the last move back",
            Action::Draw => "offer a draw, or accept the offer",
            Action::Accept => "accept what is offered",
            Action::Decline => "decline what is offered",
            Action::Claim => "claim a draw; with a move: claim Nf3",
            Action::Resign => "resign",
            Action::Abort => "break off, before both sides have moved",
            Action::Back => "one ply back through the game",
            Action::Forward => "one ply forward",
            Action::First => "to the first position",
            Action::Last => "to the game as it stands",
            Action::CopyFen => "copy the position as FEN",
            Action::CopyPgn => "copy the game as PGN",
            Action::Save => "save the game as PGN",
            Action::Theme => "the next theme",
            Action::New => "a new game",
            Action::Rematch => "a new game with colours swapped",
            Action::Say => "talk to the opponent: say good luck",
            Action::Invite => "copy the link of this table",
            Action::Hint => "one good move, against a computer",
            Action::Threat => "what the opponent threatens",
            Action::Review => "where the game turned, when it is over",
            Action::Gone => "claim the game of an opponent who is away",
            Action::Quit => "leave; the game is kept",
        }
    }

    /// Its default key binding.
    #[must_use]
    pub const fn default_key(self) -> KeyChord {
        match self {
            Action::Help => KeyChord::plain(KeyCode::Char('?')),
            Action::Flip => KeyChord::ctrl('f'),
            Action::AutoFlip => KeyChord::ctrl('g'),
            Action::Takeback => KeyChord::ctrl('t'),
            Action::Draw => KeyChord::ctrl('d'),
            Action::Accept => KeyChord::ctrl('y'),
            Action::Decline => KeyChord::ctrl('n'),
            Action::Claim => KeyChord::ctrl('l'),
            Action::Resign => KeyChord::ctrl('r'),
            Action::Abort => KeyChord::ctrl('x'),
            Action::Back => KeyChord::plain(KeyCode::PageUp),
            Action::Forward => KeyChord::plain(KeyCode::PageDown),
            Action::First => KeyChord::plain(KeyCode::Home),
            Action::Last => KeyChord::plain(KeyCode::End),
            Action::CopyFen => KeyChord::ctrl('e'),
            Action::CopyPgn => KeyChord::ctrl('p'),
            Action::Save => KeyChord::ctrl('s'),
            Action::Theme => KeyChord::ctrl('o'),
            Action::New => KeyChord::ctrl('b'),
            Action::Rematch => KeyChord::ctrl('a'),
            Action::Say => KeyChord::ctrl('k'),
            Action::Invite => KeyChord::ctrl('v'),
            Action::Gone => KeyChord::ctrl('w'),
            Action::Hint => KeyChord::plain(KeyCode::F(2)),
            Action::Threat => KeyChord::plain(KeyCode::F(3)),
            Action::Review => KeyChord::plain(KeyCode::F(4)),
            Action::Quit => KeyChord::ctrl('q'),
        }
    }

    /// The actions whose word starts with this text; an exact match stands alone.
    ///
    /// ```
    /// use touchmove_tui::screen::Action;
    ///
    /// assert_eq!(Action::with_prefix("cl"), [Action::Claim]);
    /// assert_eq!(Action::with_prefix("d").len(), 2);
    /// assert!(Action::with_prefix("e4").is_empty());
    /// ```
    #[must_use]
    pub fn with_prefix(text: &str) -> Vec<Action> {
        let text = text.to_ascii_lowercase();
        let fits = |action: &Action| !text.is_empty() && action.word().starts_with(&text);
        let mut fitting: Vec<Action> = Action::ALL.into_iter().filter(fits).collect();
        if let Some(&exact) = fitting.iter().find(|action| action.word() == text) {
            fitting = vec![exact];
        }
        fitting
    }
}

/// A key with its modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyChord {
    code: KeyCode,
    ctrl: bool,
}

impl KeyChord {
    pub(super) const fn plain(code: KeyCode) -> KeyChord {
        KeyChord { code, ctrl: false }
    }

    const fn ctrl(letter: char) -> KeyChord {
        KeyChord {
            code: KeyCode::Char(letter),
            ctrl: true,
        }
    }

    /// The key event of this chord.
    #[must_use]
    pub fn from_event(self) -> KeyEvent {
        let modifiers = match self.ctrl {
            true => KeyModifiers::CONTROL,
            false => KeyModifiers::NONE,
        };
        KeyEvent::new(self.code, modifiers)
    }

    /// Whether a key event is this chord.
    #[must_use]
    pub fn matches(self, key: KeyEvent) -> bool {
        let code = match key.code {
            KeyCode::Char(letter) if self.ctrl => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        code == self.code && key.modifiers.contains(KeyModifiers::CONTROL) == self.ctrl
    }

    /// Whether the key may be part of a move: plain letters, digits and signs.
    fn is_typed_in_moves(self) -> bool {
        const KEY_SIGNS: &str = "-=+#:! ";
        match self.code {
            KeyCode::Char(c) => !self.ctrl && (c.is_ascii_alphanumeric() || KEY_SIGNS.contains(c)),
            _ => false,
        }
    }
}

impl fmt::Display for KeyChord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            KeyCode::Char(letter) if self.ctrl => write!(f, "^{}", letter.to_ascii_uppercase()),
            KeyCode::Char(letter) => write!(f, "{letter}"),
            KeyCode::F(number) => write!(f, "F{number}"),
            KeyCode::PageUp => f.write_str("PgUp"),
            KeyCode::PageDown => f.write_str("PgDn"),
            KeyCode::Home => f.write_str("Home"),
            KeyCode::End => f.write_str("End"),
            KeyCode::Insert => f.write_str("Ins"),
            code => write!(f, "{code}"),
        }
    }
}

/// Why a text is not a usable key.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseKeyChordError {
    /// It names no key.
    #[error(
        "{0:?} is not a key: write ctrl-f, f5, pageup, pagedown, home, end, insert or one sign"
    )]
    Unknown(String),
    /// The key is reserved.
    #[error("{0:?} cannot be used: letters and digits are for typing moves")]
    Taken(String),
}

impl FromStr for KeyChord {
    type Err = ParseKeyChordError;

    fn from_str(text: &str) -> Result<KeyChord, ParseKeyChordError> {
        let unknown = || ParseKeyChordError::Unknown(text.chars().take(40).collect());
        let lower = text.to_ascii_lowercase();
        let taken = || ParseKeyChordError::Taken(lower.clone());
        if let Some(letter) = lower
            .strip_prefix("ctrl-")
            .or_else(|| lower.strip_prefix('^'))
        {
            let mut chars = letter.chars();
            return match (chars.next(), chars.next()) {
                // In terminals these are the same bytes as Backspace, Tab and Enter; Ctrl-C always quits.
                (Some('h' | 'i' | 'j' | 'm' | 'c'), None) => Err(taken()),
                (Some(letter @ 'a'..='z'), None) => Ok(KeyChord::ctrl(letter)),
                _ => Err(unknown()),
            };
        }
        let code = match lower.as_str() {
            "pageup" | "pgup" => KeyCode::PageUp,
            "pagedown" | "pgdn" => KeyCode::PageDown,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "insert" | "ins" => KeyCode::Insert,
            _ => match (
                lower
                    .strip_prefix('f')
                    .and_then(|number| number.parse().ok()),
                text.len(),
            ) {
                (Some(number @ 1..=12), _) => KeyCode::F(number),
                (_, 1) => KeyCode::Char(text.chars().next().ok_or_else(unknown)?),
                _ => return Err(unknown()),
            },
        };
        let chord = KeyChord::plain(code);
        if chord.is_typed_in_moves() {
            Err(taken())
        } else {
            Ok(chord)
        }
    }
}

/// The key bindings: which key runs which action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyBindings(Vec<(Action, KeyChord)>);

impl Default for KeyBindings {
    fn default() -> KeyBindings {
        let mut keys = Action::ALL
            .map(|action| (action, action.default_key()))
            .to_vec();
        keys.sort_by_key(|&(action, _)| action);
        KeyBindings(keys)
    }
}

impl KeyBindings {
    /// The action bound to a key.
    #[must_use]
    pub fn action(&self, key: KeyEvent) -> Option<Action> {
        if key.code == KeyCode::F(1) {
            return Some(Action::Help);
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return Some(Action::Quit);
        }
        self.0
            .iter()
            .find(|(_, chord)| chord.matches(key))
            .map(|&(action, _)| action)
    }

    /// The key bound to an action.
    #[must_use]
    pub fn key(&self, action: Action) -> KeyChord {
        let own = self.0.iter().find(|(other, _)| *other == action);
        own.map_or(action.default_key(), |&(_, chord)| chord)
    }

    /// Binds an action to another key.
    ///
    /// # Errors
    /// The action that has this key already.
    pub fn assign(&mut self, action: Action, chord: KeyChord) -> Result<(), Action> {
        let holder = self
            .0
            .iter()
            .find(|&&(other, key)| key == chord && other != action);
        if let Some(&(holder, _)) = holder {
            return Err(holder);
        }
        self.0.retain(|&(other, _)| other != action);
        self.0.push((action, chord));
        self.0.sort_by_key(|&(action, _)| action);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_actions_share_a_key_or_a_word_and_none_takes_a_key_of_moves() {
        for (at, one) in Action::ALL.into_iter().enumerate() {
            assert!(!one.default_key().is_typed_in_moves(), "{one:?}");
            for other in &Action::ALL[..at] {
                assert_ne!(one.default_key(), other.default_key());
                assert_ne!(one.word(), other.word());
            }
        }
    }

    #[test]
    fn keys_are_read_as_they_are_written() {
        for (text, shown) in [
            ("ctrl-f", "^F"),
            ("^x", "^X"),
            ("F5", "F5"),
            ("PageUp", "PgUp"),
            ("?", "?"),
            ("/", "/"),
        ] {
            assert_eq!(text.parse::<KeyChord>().unwrap().to_string(), shown);
        }
        for text in [
            "", "ctrl-", "ctrl-ä", "f13", "meta-x", "ctrl-m", "ctrl-c", "e", "8", "ä", "-",
        ] {
            assert!(text.parse::<KeyChord>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_can_be_moved_but_not_taken_from_another() {
        let mut keys = KeyBindings::default();
        assert_eq!(
            keys.assign(Action::Flip, KeyChord::ctrl('d')),
            Err(Action::Draw)
        );
        assert_eq!(keys.assign(Action::Flip, KeyChord::ctrl('z')), Ok(()));
        let ctrl = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        assert_eq!(keys.action(ctrl('z')), Some(Action::Flip));
        assert_eq!(keys.action(ctrl('f')), None);
        assert_eq!(keys.action(ctrl('c')), Some(Action::Quit));
    }
}
