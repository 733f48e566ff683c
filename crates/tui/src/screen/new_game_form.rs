//! The new-game form, and the terms that follow from it. The [start screen](crate::screen::start_screen) fills it
//! in.

use touchmove_client::{NewTable, SideRequest, TermsRequest};
use touchmove_game::{DeadLaw, Draws, FlagLaw, Game, Players, Terms, TimeControls};
use touchmove_rules::{AnyPosition, FaultSeverity, Fen, Setup, SetupFaults, Variant};

/// The values of the form.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct NewGameForm {
    pub variant: Variant,
    /// The time control as typed; empty for no clocks.
    pub time: String,
    pub white: String,
    pub black: String,
    pub random_colors: bool,
    pub draws: Draws,
    pub flag: FlagLaw,
    pub dead: DeadLaw,
    pub takebacks: bool,
    /// The FEN to start from, or the number of a Chess960 start position; empty for the usual start.
    pub position: String,
}

impl Default for NewGameForm {
    fn default() -> NewGameForm {
        NewGameForm {
            variant: Variant::default(),
            time: String::new(),
            white: String::new(),
            black: String::new(),
            random_colors: false,
            draws: Draws::default(),
            flag: FlagLaw::default(),
            dead: DeadLaw::default(),
            takebacks: true,
            position: String::new(),
        }
    }
}

impl NewGameForm {
    /// A form for another game like this one, from the usual start.
    #[must_use]
    pub fn from_game(game: &Game) -> NewGameForm {
        let terms = game.terms();
        let players = game.players();
        NewGameForm {
            variant: terms.variant(),
            time: terms
                .time
                .as_ref()
                .map_or_else(String::new, ToString::to_string),
            white: players.white,
            black: players.black,
            random_colors: false,
            draws: terms.draws,
            flag: terms.flag,
            dead: terms.dead,
            takebacks: terms.takebacks,
            position: String::new(),
        }
    }

    /// The terms of the form; `luck` chooses the start position of a Chess960 game.
    ///
    /// # Errors
    /// A sentence about the first fault.
    pub fn terms(&self, luck: u64) -> Result<Terms, String> {
        let start = self.start(luck)?;
        let time = match self.time.trim() {
            "" => None,
            text => Some(
                text.parse::<TimeControls>()
                    .map_err(|error| error.to_string())?,
            ),
        };
        Ok(Terms {
            draws: self.draws,
            flag: self.flag,
            dead: self.dead,
            time,
            takebacks: self.takebacks,
            ..Terms::from(start)
        })
    }

    /// The request for a table on the network. The user takes White's name and colour, or a random colour if
    /// colours are drawn.
    ///
    /// ```
    /// use touchmove_client::SideRequest;
    /// use touchmove_tui::screen::NewGameForm;
    ///
    /// let proposal = NewGameForm { time: "5+3".to_owned(), ..NewGameForm::default() }.new_table().unwrap();
    /// assert_eq!((proposal.side, proposal.terms.time.as_deref()), (SideRequest::White, Some("5+3")));
    /// ```
    ///
    /// # Errors
    /// A sentence about the first fault.
    pub fn new_table(&self) -> Result<NewTable, String> {
        let terms = self.terms(0)?;
        let start = match self.position.trim() {
            "" => None,
            _ => Some(terms.start.fen().to_string().into()),
        };
        Ok(NewTable {
            terms: TermsRequest {
                variant: Some(terms.variant().to_string()),
                start,
                time: terms.time.map(|time| time.to_string()),
                draws: Some(terms.draws),
                flag: Some(terms.flag),
                dead: Some(terms.dead),
                clock_start: None,
                takebacks: Some(terms.takebacks),
            },
            side: if self.random_colors {
                SideRequest::Random
            } else {
                SideRequest::White
            },
            name: Some(self.white.trim().to_owned())
                .filter(|name| !name.is_empty() && !name.starts_with("Computer (")),
        })
    }

    fn start(&self, luck: u64) -> Result<AnyPosition, String> {
        let written = self.position.trim();
        let setup = match (written.parse::<u16>(), self.variant) {
            (Ok(number), _) => Setup::chess960(number).ok_or_else(|| {
                format!("{number} is not a start of Chess960: those are 0 to 959")
            })?,
            (Err(_), Variant::Chess960) if written.is_empty() => {
                let number = u16::try_from(luck % 960).unwrap_or_default();
                Setup::chess960(number).unwrap_or_else(Setup::start)
            }
            (Err(_), variant) if written.is_empty() => return Ok(AnyPosition::start(variant)),
            (Err(_), _) => written
                .parse::<Fen>()
                .map(|Fen(setup)| setup)
                .map_err(|error| error.to_string())?,
        };
        let faults = setup.faults_at_start(self.variant);
        let illegal = |faults: &SetupFaults| format!("illegal position: {faults}");
        match faults.weight() {
            Some(FaultSeverity::Impossible) => Err(illegal(&faults)),
            _ => AnyPosition::from_setup(&setup, self.variant).map_err(|faults| illegal(&faults)),
        }
    }

    /// Draws another random start position of Chess960, in that variant.
    ///
    /// ```
    /// use touchmove_rules::Variant;
    /// use touchmove_tui::screen::NewGameForm;
    ///
    /// let mut form = NewGameForm { variant: Variant::Chess960, ..NewGameForm::default() };
    /// form.redraw(960 + 518);
    /// assert_eq!(form.position, "518");
    /// ```
    pub fn redraw(&mut self, luck: u64) {
        if self.variant == Variant::Chess960 {
            self.position = (luck % 960).to_string();
        }
    }

    /// The players' names by colour; `luck` decides where colours are drawn at random.
    #[must_use]
    pub fn players(&self, luck: bool) -> Players {
        let (first, second) = (self.white.trim().to_owned(), self.black.trim().to_owned());
        match self.random_colors && luck {
            true => Players {
                white: second,
                black: first,
            },
            false => Players {
                white: first,
                black: second,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_that_is_left_alone_asks_for_a_standard_game() {
        let terms = NewGameForm::default().terms(7).unwrap();
        assert_eq!(terms, Terms::of(Variant::Chess));
    }

    #[test]
    fn a_wrong_form_is_told_what_is_wrong() {
        let fen = NewGameForm {
            position: "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(),
            ..NewGameForm::default()
        };
        assert!(fen.terms(7).unwrap_err().contains("king"));
        let blown_up = NewGameForm {
            variant: Variant::Atomic,
            position: "8/8/8/3k4/8/8/8/8 w - - 0 1".to_owned(),
            ..NewGameForm::default()
        };
        assert_eq!(
            blown_up.terms(7).unwrap_err(),
            "illegal position: White has no king",
            "[004-6] the end of a game is not the start of one"
        );
        let time = NewGameForm {
            time: "5+x".to_owned(),
            ..NewGameForm::default()
        };
        assert!(time.terms(7).unwrap_err().contains("\"x\""));
    }

    #[test]
    fn chess960_starts_by_number_or_by_lot() {
        let form = NewGameForm {
            variant: Variant::Chess960,
            ..NewGameForm::default()
        };
        let classic = NewGameForm {
            position: "518".to_owned(),
            ..form.clone()
        };
        assert_eq!(
            classic.terms(7).unwrap().start,
            AnyPosition::start(Variant::Chess960)
        );
        assert_eq!(
            form.terms(518).unwrap().start,
            AnyPosition::start(Variant::Chess960)
        );
        let none = NewGameForm {
            position: "960".to_owned(),
            ..form
        };
        assert!(none.terms(7).unwrap_err().contains("0 to 959"));
    }

    #[test]
    fn the_lot_swaps_names_and_nothing_else() {
        let form = NewGameForm {
            white: "Anna".to_owned(),
            black: "Ben".to_owned(),
            random_colors: true,
            ..NewGameForm::default()
        };
        assert_eq!(form.players(false).white, "Anna");
        assert_eq!(form.players(true).white, "Ben");
    }
}
