//! One position, asked of both programs: every answer must be the same. Which positions are asked
//! about is not decided here.

use std::fmt::{Debug, Display, Write as _};

use fastrand::Rng;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus, Suffix};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::{Zobrist64, ZobristHash};
use shakmaty::{EnPassantMode, MoveList, Position as _, Role};
use touchmove_rules::{Color, Outcome, Position};

use super::game::Game;

/// The same position in both programs.
pub struct Pair<G: Game> {
    pub ours: Position<G::Ours>,
    pub theirs: G::Theirs,
}

/// A legal move, as both programs have it, and its SAN.
pub struct MatchedMove {
    pub ours: touchmove_rules::Move,
    pub theirs: shakmaty::Move,
    pub san: String,
}

/// A move as numbers: from, to (when castling: the rook's square), promotion.
type Key = (u8, u8, u8);

fn our_key(mv: touchmove_rules::Move) -> Key {
    let to = mv.castling_rook().unwrap_or(mv.to());
    let promotion = mv.promotes_to().map_or(0, |role| role.char() as u8);
    (mv.from().index() as u8, to.index() as u8, promotion)
}

fn their_key(mv: shakmaty::Move) -> Key {
    let from = mv.from().map_or(u8::MAX, |square| square.to_u32() as u8);
    (
        from,
        mv.to().to_u32() as u8,
        mv.promotion().map_or(0, |role| role.char() as u8),
    )
}

impl<G: Game> Pair<G> {
    /// The position of a FEN; `None` if touchmove refuses what shakmaty does not.
    pub fn from_fen(fen: &str) -> Option<Pair<G>> {
        let theirs = fen.parse::<Fen>().ok()?.into_position(G::CASTLING).ok()?;
        Some(Pair {
            ours: Position::from_fen(fen).ok()?,
            theirs,
        })
    }

    /// Compares everything the two say about this position, and what they make of SAN written for
    /// other positions. Gives back the legal moves, or the first difference.
    pub fn compare(&self, foreign: &[String], rng: &mut Rng) -> Result<Vec<MatchedMove>, String> {
        let legal = self.theirs.legal_moves();
        let moves = self.compare_moves(&legal)?;
        same("checkers", self.ours.checkers().0, self.theirs.checkers().0)?;
        let outcome = if legal.is_empty() {
            self.their_outcome()
        } else {
            None
        };
        same("outcome", self.ours.outcome(), outcome)?;
        let Zobrist64(key) = self.theirs.zobrist_hash(EnPassantMode::PseudoLegal);
        same("Polyglot key", self.ours.polyglot_key(), key)?;
        for san in foreign {
            self.compare_reading_san(san, &legal)?;
        }
        for _ in 0..4 {
            self.compare_reading_uci(&random_uci(rng))?;
        }
        Ok(moves)
    }

    /// Plays a move in both.
    pub fn play(&mut self, agreed: &MatchedMove) {
        self.ours.play(agreed.ours);
        self.theirs.play_unchecked(agreed.theirs);
    }

    /// The same moves, listed and counted, written alike, leading to the same positions.
    fn compare_moves(&self, legal: &MoveList) -> Result<Vec<MatchedMove>, String> {
        let mut ours: Vec<_> = self.ours.legal_moves().into_iter().collect();
        let mut theirs: Vec<_> = legal.iter().copied().collect();
        ours.sort_unstable_by_key(|&mv| our_key(mv));
        theirs.sort_unstable_by_key(|&mv| their_key(mv));
        let their_keys = theirs.iter().map(|&mv| their_key(mv));
        if !ours.iter().map(|&mv| our_key(mv)).eq(their_keys) {
            return Err(different_moves(&ours, &theirs));
        }
        same("count", self.ours.legal_move_count() as usize, theirs.len())?;
        let captures = theirs.iter().filter(|mv| mv.is_capture()).count();
        same("number of captures", self.ours.captures().len(), captures)?;
        ours.into_iter()
            .zip(theirs)
            .map(|(ours, theirs)| self.compare_move(ours, theirs, legal))
            .collect()
    }

    /// The same move, written alike and read back, leading to the same position.
    fn compare_move(
        &self,
        ours: touchmove_rules::Move,
        theirs: shakmaty::Move,
        legal: &MoveList,
    ) -> Result<MatchedMove, String> {
        let uci = self.ours.uci(ours).to_string();
        let their_uci = theirs.to_uci(G::uci_castling(theirs)).to_string();
        same("UCI", &uci, &their_uci)?;
        same("UCI read back", self.ours.read_uci(&uci).ok(), Some(ours))?;
        same("capture", ours.is_capture(), theirs.is_capture())?;
        same("legal", self.ours.is_legal(ours), true)?;

        let mut their_child = self.theirs.clone();
        their_child.play_unchecked(theirs);
        let san = San::disambiguate(theirs, legal);
        let suffix = Suffix::from_position(&their_child);
        let san = SanPlus { san, suffix }.to_string();
        same("SAN", &self.ours.san(ours).to_string(), &san)?;
        same("SAN read back", self.ours.read_san(&san).ok(), Some(ours))?;

        let fen = Fen::from_position(&their_child, EnPassantMode::Legal).to_string();
        let our_fen = self.ours.after(ours).fen().to_string();
        same(format_args!("FEN after {san}"), &our_fen, &fen)?;
        Ok(MatchedMove { ours, theirs, san })
    }

    /// The end of the game as touchmove would say it, from what shakmaty says.
    fn their_outcome(&self) -> Option<Outcome> {
        let color = |color: shakmaty::Color| match color {
            shakmaty::Color::White => Color::White,
            shakmaty::Color::Black => Color::Black,
        };
        if let Some(winner) = self.theirs.variant_outcome().winner() {
            Some(Outcome::KingExploded {
                winner: color(winner),
            })
        } else if self.theirs.is_checkmate() {
            Some(Outcome::Checkmate {
                winner: color(self.theirs.turn().other()),
            })
        } else {
            self.theirs.is_stalemate().then_some(Outcome::Stalemate)
        }
    }

    /// A text of SAN means the same move, or none, to both. touchmove does not hold a missing or
    /// needless `x` against a piece's move, so shakmaty is asked with and without it.
    fn compare_reading_san(&self, text: &str, legal: &MoveList) -> Result<(), String> {
        let ours = self.ours.read_san(text).ok().map(our_key);
        let san = San::from_ascii(text.trim_end_matches(['+', '#']).as_bytes())
            .map_err(|error| format!("reading the SAN {text}: {error} for shakmaty"))?;
        let readings = match san {
            San::Normal {
                role,
                file,
                rank,
                to,
                promotion,
                ..
            } if role != Role::Pawn => [false, true].map(|capture| San::Normal {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            }),
            _ => [san; 2],
        };
        let theirs = readings
            .into_iter()
            .find_map(|san| san.find_move(legal).ok().copied());
        same(
            format_args!("reading the SAN {text}"),
            ours,
            theirs.map(their_key),
        )
    }

    /// A text of UCI means the same move, or none, to both; except that shakmaty overlooks a
    /// promotion letter behind a capture en passant, and that touchmove takes the king's steps for
    /// castling from wherever the king stands.
    fn compare_reading_uci(&self, text: &str) -> Result<(), String> {
        let ours = self.ours.read_uci(text).ok();
        let theirs = text
            .parse::<UciMove>()
            .ok()
            .and_then(|uci| uci.to_move(&self.theirs).ok());
        let overlooked = theirs.is_some_and(|mv| mv.is_en_passant() && text.len() > 4);
        let stepped = theirs.is_none()
            && ours.is_some_and(|mv| mv.castling_rook().is_some() && mv.from() != mv.to());
        if overlooked || stepped {
            return Ok(());
        }
        same(
            format_args!("reading the UCI {text}"),
            ours.map(our_key),
            theirs.map(their_key),
        )
    }
}

fn same<T: PartialEq + Debug>(what: impl Display, ours: T, theirs: T) -> Result<(), String> {
    if ours == theirs {
        Ok(())
    } else {
        Err(format!(
            "{what}: {ours:?} for touchmove, {theirs:?} for shakmaty"
        ))
    }
}

/// Which moves only one of the two has.
fn different_moves(ours: &[touchmove_rules::Move], theirs: &[shakmaty::Move]) -> String {
    let mut text = "moves:".to_owned();
    for &mv in ours
        .iter()
        .filter(|&&mv| theirs.iter().all(|&their| their_key(their) != our_key(mv)))
    {
        write!(text, " only touchmove has {mv:?};").expect("a string takes any text");
    }
    for &mv in theirs
        .iter()
        .filter(|&&mv| ours.iter().all(|&our| our_key(our) != their_key(mv)))
    {
        write!(text, " only shakmaty has {mv};").expect("a string takes any text");
    }
    text
}

/// Any move from anywhere to anywhere.
fn random_uci(rng: &mut Rng) -> String {
    let mut square = || shakmaty::Square::new(rng.u32(..64));
    let (from, to) = (square(), square());
    let promotion = ["", "", "", "q", "n", "k", "p"][rng.usize(..7)];
    format!("{from}{to}{promotion}")
}
