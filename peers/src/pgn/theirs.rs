//! The same games by pgn-reader and shakmaty: replayed, and audited for repetition (by Zobrist keys),
//! the fifty and seventy-five move rules, dead material and the result.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::zobrist::{Zobrist64, ZobristHash};
use shakmaty::{CastlingMode, EnPassantMode, FromSetup, KnownOutcome, Outcome, Position};

use super::Tally;

/// Reads all games.
pub fn read<P: Position + FromSetup + Default + ZobristHash>(text: &[u8], is_audit: bool) -> Tally {
    let mut replay = Replay::<P> {
        is_audit,
        tally: Tally::default(),
        variant: PhantomData,
    };
    let mut reader = Reader::new(std::io::Cursor::new(text));
    while let Ok(Some(())) = reader.read_game(&mut replay) {
        replay.tally.games += 1;
    }
    replay.tally
}

struct Replay<P> {
    is_audit: bool,
    tally: Tally,
    variant: PhantomData<P>,
}

/// One game on the way.
struct Game<P> {
    position: P,
    keys: Vec<Zobrist64>,
    is_threefold: bool,
    is_fifty: bool,
    is_over: bool,
    has_moved_after_end: bool,
    result: Option<KnownOutcome>,
}

impl<P: Position + FromSetup + Default + ZobristHash> Replay<P> {
    fn audit(&mut self, game: &mut Game<P>, is_zeroing: bool) {
        game.has_moved_after_end |= game.is_over;
        if is_zeroing {
            game.keys.clear();
        }
        let key = game.position.zobrist_hash(EnPassantMode::Legal);
        let earlier = game.keys.iter().filter(|&&other| other == key).count();
        game.keys.push(key);
        game.is_threefold |= earlier >= 2;
        game.is_fifty |= game.position.halfmoves() >= 100;
        game.is_over |= earlier >= 4
            || game.position.halfmoves() >= 150
            || game.position.is_insufficient_material();
    }
}

impl<P: Position + FromSetup + Default + ZobristHash> Visitor for Replay<P> {
    type Tags = Option<P>;
    type Movetext = Game<P>;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<P>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Option<P>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
                Some(position) => *tags = Some(position),
                None => {
                    self.tally.findings += 1;
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Option<P>) -> ControlFlow<(), Game<P>> {
        let position = tags.unwrap_or_default();
        let mut keys = Vec::new();
        if self.is_audit {
            keys.push(position.zobrist_hash(EnPassantMode::Legal));
        }
        ControlFlow::Continue(Game {
            position,
            keys,
            is_threefold: false,
            is_fifty: false,
            is_over: false,
            has_moved_after_end: false,
            result: None,
        })
    }

    fn begin_variation(&mut self, _: &mut Game<P>) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, game: &mut Game<P>, san: SanPlus) -> ControlFlow<()> {
        let Ok(mv) = san.san.to_move(&game.position) else {
            self.tally.findings += 1;
            return ControlFlow::Break(());
        };
        let is_zeroing = mv.is_zeroing();
        game.position.play_unchecked(mv);
        self.tally.plies += 1;
        if self.is_audit {
            self.audit(game, is_zeroing);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Game<P>, outcome: Outcome) -> ControlFlow<()> {
        if let Outcome::Known(known) = outcome {
            game.result = Some(known);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game<P>) {
        if !self.is_audit {
            return;
        }
        let contradicts = match game.position.outcome() {
            Outcome::Known(known) => game.result != Some(known),
            Outcome::Unknown => false,
        };
        let found = [
            contradicts,
            game.is_threefold,
            game.is_fifty,
            game.has_moved_after_end,
        ];
        self.tally.findings += found.into_iter().map(u64::from).sum::<u64>();
    }
}
