//! The end of every game of a file, as touchmove and as pgn-reader with shakmaty replay it: how many
//! plies, and the position they lead to. Speed is not measured here.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor as PeerVisitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode, FromSetup, Position};
use touchmove_pgn::{MoveText, Tag, VisitControl, Visitor, read};
use touchmove_rules::{AnyPosition, Variant};

use super::ours::Replay;

/// Where a game ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// How many plies could be replayed.
    pub plies: u64,
    /// The position after them.
    pub fen: String,
}

/// The ends as touchmove sees them.
pub fn ours(text: &[u8], variant: Variant) -> Vec<End> {
    let mut games = Ends {
        replay: Replay::from(AnyPosition::start(variant)),
        before: 0,
        ends: Vec::new(),
    };
    read(text, &mut games);
    games.ends
}

/// Notes the end of each game that is replayed.
struct Ends {
    replay: Replay,
    /// The plies of the games before.
    before: u64,
    ends: Vec<End>,
}

impl Visitor for Ends {
    fn begin_game(&mut self, offset: u64) {
        self.replay.begin_game(offset);
        self.before = self.replay.tally.plies;
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        self.replay.tag(tag);
    }

    fn ply(&mut self, text: &MoveText<'_>) {
        self.replay.ply(text);
    }

    fn begin_variation(&mut self) -> VisitControl {
        VisitControl::Skip
    }

    fn end_game(&mut self, _: u64) {
        self.ends.push(End {
            plies: self.replay.tally.plies - self.before,
            fen: self.replay.position.fen().to_string(),
        });
    }
}

/// The ends as pgn-reader and shakmaty see them.
pub fn theirs<P: Position + FromSetup + Default + Clone>(text: &[u8]) -> Vec<End> {
    let mut games = PeerEnds::<P>(PhantomData);
    let mut reader = Reader::new(std::io::Cursor::new(text));
    let mut ends = Vec::new();
    while let Ok(Some(end)) = reader.read_game(&mut games) {
        ends.push(end);
    }
    ends
}

struct PeerEnds<P>(PhantomData<P>);

impl<P: Position + FromSetup + Default + Clone> PeerEnds<P> {
    fn end(position: &P, plies: u64) -> End {
        let fen = Fen::from_position(position, EnPassantMode::Legal);
        End {
            plies,
            fen: fen.to_string(),
        }
    }
}

impl<P: Position + FromSetup + Default + Clone> PeerVisitor for PeerEnds<P> {
    type Tags = Option<P>;
    type Movetext = (P, u64);
    type Output = End;

    fn begin_tags(&mut self) -> ControlFlow<End, Option<P>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Option<P>, name: &[u8], value: RawTag<'_>) -> ControlFlow<End> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
                Some(position) => *tags = Some(position),
                None => return ControlFlow::Break(PeerEnds::end(&P::default(), 0)),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Option<P>) -> ControlFlow<End, (P, u64)> {
        ControlFlow::Continue((tags.unwrap_or_default(), 0))
    }

    fn begin_variation(&mut self, _: &mut (P, u64)) -> ControlFlow<End, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (position, plies): &mut (P, u64), san: SanPlus) -> ControlFlow<End> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                *plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(PeerEnds::end(position, *plies)),
        }
    }

    fn end_game(&mut self, (position, plies): (P, u64)) -> End {
        PeerEnds::end(&position, plies)
    }
}
