//! Writes a review into a game's PGN: `[%eval]` after every move, annotation glyphs for errors, and the better lines as
//! variations. Everything that was there before stays.

use touchmove_engine::Score;
use touchmove_pgn::{Document, MoveId, Nag, StartError, commands};
use touchmove_rules::{AnyPosition, Move, SanError};

use crate::{MoveError, Review, TurningPoint};

/// The main line of a game as far as it is legal.
#[derive(Clone, Debug)]
pub struct MainLine {
    /// The start position.
    pub start: AnyPosition,
    /// The moves.
    pub moves: Vec<Move>,
    /// The ids of the moves in the document.
    pub ids: Vec<MoveId>,
    /// Why the line breaks off, if it does: the text there, and the error.
    pub broken: Option<(String, SanError)>,
}

impl MainLine {
    /// Reads the main line of a game.
    ///
    /// # Errors
    /// If the game has an invalid start position.
    pub fn of(document: &Document) -> Result<MainLine, StartError> {
        let start = document.start()?;
        let mut line = MainLine {
            start,
            moves: Vec::new(),
            ids: Vec::new(),
            broken: None,
        };
        let mut position = start;
        for id in document.main_line() {
            let san = document.node(id).san();
            match position.read_san(san) {
                Ok(mv) => {
                    position.play(mv);
                    line.moves.push(mv);
                    line.ids.push(id);
                }
                Err(error) => {
                    line.broken = Some((san.to_owned(), error));
                    break;
                }
            }
        }
        Ok(line)
    }
}

/// Writes a review of a main line into its game. Existing annotations are kept.
///
/// ```
/// use touchmove_coach::{MainLine, annotate, review};
/// use touchmove_engine::NoObserver;
/// use touchmove_pgn::Document;
///
/// let mut game = Document::read_all(b"1. f3 e5 2. g4 {[%clk 0:01:00]} Qh4# 0-1").remove(0);
/// let line = MainLine::of(&game).unwrap();
/// let found = review(&line.start, &line.moves, 1000, &mut NoObserver, &mut |_, _| {});
/// annotate(&mut game, &line, &found);
/// let text = game.to_string().replace('\n', " ");
/// assert!(text.contains("[%clk 0:01:00]") && text.contains("[%eval #-1]"), "{text}");
/// assert!(text.contains("2. g4 $"), "{text}");
/// ```
pub fn annotate(document: &mut Document, line: &MainLine, review: &Review) {
    for (ply, (&id, reviewed)) in line.ids.iter().zip(&review.plies).enumerate() {
        let node = document.node(id);
        let is_judged = node.nags().iter().any(|nag| (1..=6).contains(&nag.0));
        let mut comments = node.comments().iter();
        let has_eval = comments.any(|text| commands(text.as_bytes()).any(|it| it.name == b"eval"));
        if let Some(slip) = MoveError::of(reviewed.loss).filter(|_| !is_judged) {
            document.add_nag(id, Nag(slip.nag()));
        }
        let eval = review.judged.get(ply + 1).and_then(|it| written(it.score));
        if let Some(eval) = eval.filter(|_| !has_eval) {
            document.add_comment(id, &format!("[%eval {eval}]"));
        }
    }
    for turning in &review.turnings {
        add_variation(document, line, turning);
    }
}

/// Adds the better line as a variation to the move, unless it is there already.
fn add_variation(document: &mut Document, line: &MainLine, turning: &TurningPoint) {
    let Some(&id) = line.ids.get(turning.ply) else {
        return;
    };
    let mut position = line.start;
    for &mv in &line.moves[..turning.ply] {
        position.play(mv);
    }
    let mut after = None;
    for &mv in &turning.better {
        let san = position.san(mv).to_string();
        let known = document.node(id).variations().iter();
        let is_known = known.map(|&it| document.node(it).san()).any(|it| it == san);
        if after.is_none() && is_known {
            return;
        }
        let added = match after {
            None => document.add_variation(id, &san),
            Some(before) => document.play(Some(before), &san),
        };
        // Moves that we write ourselves can be read.
        let Ok(added) = added else { return };
        after = Some(added);
        position.play(mv);
    }
}

/// White's score as `[%eval]` has it; `None` for a game that is over.
fn written(score: Score) -> Option<String> {
    match score {
        Score::Mate(0) => None,
        Score::Mate(moves) => Some(format!("#{moves}")),
        Score::Centipawns(value) => Some(format!("{:.2}", f64::from(value) / 100.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review;
    use std::collections::BTreeMap;
    use touchmove_engine::NoObserver;
    use touchmove_pgn::WalkStep;

    /// Every piece of text in a game, with how often it occurs.
    fn pieces(document: &Document) -> BTreeMap<String, i32> {
        let mut pieces = BTreeMap::new();
        let text = document.to_string();
        let mut add = |piece: String| *pieces.entry(piece).or_insert(0) += 1;
        for line in text.lines().filter(|line| line.starts_with('[')) {
            add(line.to_owned());
        }
        for step in document.walk() {
            let WalkStep::Move(id) = step else { continue };
            let node = document.node(id);
            add(node.san().to_owned());
            node.nags().iter().for_each(|nag| add(nag.to_string()));
            node.comments().iter().for_each(|text| add(text.clone()));
            node.comments_before()
                .iter()
                .for_each(|text| add(text.clone()));
        }
        document
            .comments_before_first_move()
            .iter()
            .for_each(|text| add(text.clone()));
        pieces
    }

    const GAME: &[u8] = b"[Event \"A\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"x\"]\n\
        [Black \"y\"]\n[Result \"*\"]\n[Annotator \"me\"]\n\n{before} 1. e4 $1 {good [%clk 0:09:58]} e5 (1... c5 2. Nf3 \
        {open} (2. c3)) 2. Nf3 {[%eval 0.3,20]} Nc6 3. Bc4 Qg5 $4 {a gift} (3... Nf6 4. d3) 4. Nxg5 Nh6 $6 $146 \
        5. d3 *";

    #[test]
    fn nothing_that_stood_in_the_game_is_lost() {
        let mut game = Document::read_all(GAME).remove(0);
        let before = pieces(&game);
        let line = MainLine::of(&game).unwrap();
        assert_eq!((line.moves.len(), line.broken.is_some()), (9, false));
        let found = review(
            &line.start,
            &line.moves,
            2000,
            &mut NoObserver,
            &mut |_, _| {},
        );
        annotate(&mut game, &line, &found);
        let after = pieces(&game);
        for (piece, count) in &before {
            assert!(after.get(piece) >= Some(count), "{piece} is lost");
        }
        let again = Document::read_all(game.to_string().as_bytes()).remove(0);
        assert_eq!(pieces(&again), after, "it reads back as it was written");
        let queen = game.node(line.ids[5]);
        assert_eq!(queen.nags(), [Nag(4)], "what was judged is left to stand");
        let text = game.to_string();
        assert_eq!(text.matches("[%eval").count(), 9, "{text}");
        assert!(text.contains("[%eval 0.3,20]"), "{text}");
    }

    #[test]
    fn a_second_review_adds_nothing() {
        let mut game = Document::read_all(GAME).remove(0);
        let line = MainLine::of(&game).unwrap();
        let found = review(
            &line.start,
            &line.moves,
            1000,
            &mut NoObserver,
            &mut |_, _| {},
        );
        annotate(&mut game, &line, &found);
        let once = game.to_string();
        annotate(&mut game, &line, &found);
        assert_eq!(game.to_string(), once);
    }

    #[test]
    fn a_line_that_breaks_off_says_where() {
        let game = Document::read_all(b"1. e4 e5 2. Ke3 Nc6 *").remove(0);
        let line = MainLine::of(&game).unwrap();
        assert_eq!(line.moves.len(), 2);
        assert_eq!(line.broken.unwrap().0, "Ke3");
    }
}
