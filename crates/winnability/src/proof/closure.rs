//! The closure: every position that legal moves lead to, each visited once, the promising ones
//! first. It ends with a win, with the proof that there is none, or when the budget is spent.
//!
//! **Why an ended search is a proof.** Let *S* be the set of positions put into the table. The root
//! is in *S*, every position of *S* is taken from the frontier exactly once, and then each of its
//! legal moves is either shown to lead to a position from which the side cannot win (by material, by
//! its structure or by outlines), or its position is put into *S*. Positions are compared whole, not
//! by a hash of them, so none is taken for another. A search that runs out of its budget stops before
//! it takes the next position, so one that goes on misses nothing. Hence a shortest winning line from
//! the root would stay in *S* until its last position, which is recognised as a win when it is taken
//! out; if the frontier is empty and no win was seen, there is no such line. The order of the visits
//! plays no part.
//! out; if the frontier is empty and no win was seen, there is no such line. The order of the visits does not matter.
//!
//! A position without a king cannot be packed, so it cannot be put into the table. The game is over there: the side has
//! won it, or it leads to no win. If the root, or a position where the game goes on, cannot be packed, the search says
//! so and proves nothing: an empty table is no proof.

mod certificate_text;

use touchmove_rules::{Color, Move, MoveList, Outcome, Packed, Position, Role, Rules, Square};

use crate::proof::exclusions::Exclusions;
use crate::proof::material;
use crate::proof::structure::ReachSurvey;
use crate::search::explosion_distance::NearestExplosion;
use crate::search::heuristic::MAX_DISTANCE_SCORE;
use crate::search::king_distances::KingDistances;
use crate::search::structure_visits::StructureVisits;
use crate::search::win_heuristic::SharedScoring;

/// The result of a search.
pub(crate) enum ClosureResult {
    /// These moves win.
    Win(Vec<Move>),
    /// There is no win; this many positions were visited.
    Nothing { positions: u64 },
    /// Interrupted, or the budget ran out.
    OutOfBudget,
    /// The root, or a position where the game goes on, cannot be put into the table.
    Unpackable,
}

/// The table of positions and the frontier. The memory is reused between searches.
#[derive(Debug)]
pub(crate) struct Closure<R: Rules> {
    positions: Vec<Packed<R>>,
    /// For each position, the number of its parent.
    parents: Vec<u32>,
    /// Whether a position needs no further visit.
    done: Vec<bool>,
    /// Open addressing: 0 for an empty slot, else the upper half of the hash and the number plus 1.
    slots: Vec<u64>,
    /// The waiting positions, ordered by the win heuristic.
    by_looks: Frontier,
    /// The waiting positions, ordered by the distance of the kings from a mate target.
    by_way: Frontier,
    /// The waiting positions, ordered by how often the structure has changed, and how long ago.
    by_change: Frontier,
    changes: Vec<u8>,
    structures: StructureVisits,
    /// For each position, the number of its structure, and its rank in the order by changes while that is current.
    structure: Vec<u32>,
    place: Vec<u16>,
    /// The first position that may still be waiting.
    oldest: usize,
    exclusions: Exclusions,
    /// The positions that an argument has excluded.
    excluded: Vec<u32>,
    /// How many positions were visited, and how many of them got a short search.
    visits: u64,
    glances: u64,
    /// The cost of the short searches.
    glanced: u64,
    /// How far the kings are from a mate. Computed once the win heuristic has failed for long enough.
    atlas: Option<KingDistances>,
}

impl<R: Rules> Default for Closure<R> {
    fn default() -> Closure<R> {
        Closure {
            positions: Vec::new(),
            parents: Vec::new(),
            done: Vec::new(),
            slots: Vec::new(),
            by_looks: Frontier::default(),
            by_way: Frontier::default(),
            by_change: Frontier::default(),
            changes: Vec::new(),
            structures: StructureVisits::default(),
            structure: Vec::new(),
            place: Vec::new(),
            oldest: 0,
            exclusions: Exclusions::new(0),
            excluded: Vec::new(),
            visits: 0,
            glances: 0,
            glanced: 0,
            atlas: None,
        }
    }
}

/// How often the interrupt callback is called, in visits.
const INTERRUPT_CHECK_INTERVAL: u64 = 1 << 8;

/// The number of positions that a table can hold.
const MAX_POSITIONS: u64 = u32::MAX as u64 - 1;

/// After this many visits without a win the heuristic is not trusted alone, and the other orders are used too.
const HEURISTIC_TRUST_VISITS: u64 = 400;

/// How far a position's rank may be out of date before it is queued again.
const REQUEUE_SLACK: usize = 4;

/// The minimum number of visits for each short search so far before a new structure gets another.
const VISITS_PER_SHORT_SEARCH: u64 = 256;

impl<R: Rules> Closure<R> {
    /// Starts from a position; `exclusions` limits the outlines. If it cannot be packed, the table stays empty, and the
    /// search reports that.
    pub fn begin(&mut self, root: &Position<R>, exclusions: Exclusions) {
        self.clear();
        self.exclusions = exclusions;
        if let Some(packed) = root.pack() {
            self.insert(packed, 0);
            self.structure[0] = self.structures.number_of(root);
            self.by_looks.push(0, 0);
        }
    }

    /// Continues the search for a win of `side` from the starting position, until the table holds `most` positions or
    /// so much work is done since the start. `glance` is a short search: it gets its budget and returns its cost.
    /// The survey is that of the position, if it has one.
    pub fn search(
        &mut self,
        root: &Position<R>,
        side: Color,
        survey: Option<&ReachSurvey>,
        (most, work): (u64, u64),
        interrupted: &(dyn Fn() -> bool + Sync),
        mut glance: impl FnMut(&Position<R>, u64) -> (Option<Vec<Move>>, u64),
    ) -> ClosureResult {
        if self.positions.is_empty() {
            return ClosureResult::Unpackable;
        }
        let most = most.min(MAX_POSITIONS);
        let mut moves = MoveList::new();
        loop {
            let is_spent = self.visited() > most || self.work() > work;
            if is_spent
                || self.visits % INTERRUPT_CHECK_INTERVAL == INTERRUPT_CHECK_INTERVAL - 1
                    && interrupted()
            {
                return ClosureResult::OutOfBudget;
            }
            let Some(number) = self.take() else {
                return ClosureResult::Nothing {
                    positions: self.positions.len() as u64,
                };
            };
            self.visits += 1;
            let structure = self.structure[number as usize];
            self.structures.visit(structure);
            if self.visits == HEURISTIC_TRUST_VISITS {
                self.atlas = survey.map(|survey| KingDistances::new(survey, side));
                self.look_up_ways(side);
            }
            let position = self.positions[number as usize].unpack();
            position.list_moves(&mut moves);
            if moves.is_empty() {
                if position.turn() != side && position.is_check() {
                    return ClosureResult::Win(self.line_to(root, number, None));
                }
                continue;
            }
            let Some((own, other)) = kings(&position, side) else {
                return ClosureResult::Unpackable;
            };
            let view =
                (!R::CAPTURES_EXPLODE).then(|| SharedScoring::new(&position, side, own, other));
            // A king in check at the root may stand where no king can go: a piece that leaves can be locked out.
            let is_odd = number == 0 && position.is_check();
            for &mv in &moves {
                let next = position.after(mv);
                let Some(packed) = next.pack() else {
                    match next.outcome().map(Outcome::winner) {
                        Some(winner) if winner == Some(side) => {
                            return ClosureResult::Win(self.line_to(root, number, Some(mv)));
                        }
                        Some(_) => continue,
                        None => return ClosureResult::Unpackable,
                    }
                };
                if changes_material(mv) && material::lacks_material(&next, side) {
                    continue;
                }
                let Some(child) = self.insert(packed, number) else {
                    continue;
                };
                let left = work.saturating_sub(self.work());
                if (is_odd || mv.is_irreversible())
                    && self
                        .exclusions
                        .exclude(&next, side, self.visits, left, interrupted)
                {
                    self.done[child as usize] = true;
                    self.excluded.push(child);
                    continue;
                }
                if mv.is_irreversible() && self.visits > VISITS_PER_SHORT_SEARCH * self.glances {
                    self.glances += 1;
                    let (found, cost) = glance(&next, work.saturating_sub(self.work()));
                    self.glanced += cost;
                    if let Some(rest) = found {
                        let mut line = self.line_to(root, child, None);
                        line.extend(rest);
                        return ClosureResult::Win(line);
                    }
                }
                let looks = match &view {
                    Some(view) => view.score_of(mv),
                    None => NearestExplosion { winner: side }.distance(&next),
                };
                self.by_looks.push(child, looks);
                let is_change = changes_structure(&position, mv);
                let changes = self.changes[number as usize].saturating_add(u8::from(is_change));
                self.changes[child as usize] = changes;
                let structure = match mv.is_irreversible() {
                    true => self.structures.number_of(&next),
                    false => structure,
                };
                self.structure[child as usize] = structure;
                let place = (255 - 6 * usize::from(changes).min(36)) + looks / 8;
                let place = place.min(MAX_DISTANCE_SCORE);
                self.place[child as usize] = place as u16;
                let weariness = self.structures.visit_penalty(structure);
                self.by_change.push(child, place + weariness);
                if let (Some(atlas), Some((own, other))) = (&self.atlas, kings(&next, side)) {
                    self.by_way.push(child, way(atlas, own, other, looks));
                }
            }
        }
    }

    /// How many positions were visited and outlines followed since the start.
    pub fn visited(&self) -> u64 {
        self.positions.len() as u64 + self.exclusions.outline_count()
    }

    /// The total cost since the start, in positions: the table, the arguments and the short searches.
    pub fn work(&self) -> u64 {
        self.positions.len() as u64 + self.exclusions.work() + self.glanced
    }

    /// Takes the next position: by the heuristic, and after some time in turn also by the changes of structure, by the
    /// distance of the kings and by age.
    fn take(&mut self) -> Option<u32> {
        loop {
            let number = match self.visits % 8 {
                _ if self.visits < HEURISTIC_TRUST_VISITS => self.by_looks.pop()?,
                0 | 2 | 4 | 6 => self.pop_by_change().or_else(|| self.by_looks.pop())?,
                1 | 5 => self.by_way.pop().or_else(|| self.by_looks.pop())?,
                3 => self.by_looks.pop()?,
                _ => self.pop_oldest()?,
            };
            if !std::mem::replace(&mut self.done[number as usize], true) {
                return Some(number);
            }
        }
    }

    /// Takes the next position by the changes of its structure. If the structure has been visited often since, the
    /// position is queued again at its new rank.
    fn pop_by_change(&mut self) -> Option<u32> {
        loop {
            let number = self.by_change.pop()?;
            let index = number as usize;
            if self.done[index] {
                continue;
            }
            let weariness = self.structures.visit_penalty(self.structure[index]);
            let place = usize::from(self.place[index]) + weariness;
            if place <= self.by_change.nearest + REQUEUE_SLACK {
                return Some(number);
            }
            self.by_change.push(number, place);
        }
    }

    fn pop_oldest(&mut self) -> Option<u32> {
        while self.oldest < self.done.len() {
            self.oldest += 1;
            if !self.done[self.oldest - 1] {
                return Some(self.oldest as u32 - 1);
            }
        }
        None
    }

    /// Puts all waiting positions into the order by king distances as well.
    #[cold]
    fn look_up_ways(&mut self, side: Color) {
        let Some(atlas) = &self.atlas else { return };
        for number in 0..self.positions.len() {
            if self.done[number] {
                continue;
            }
            if let Some((own, other)) = kings(&self.positions[number].unpack(), side) {
                self.by_way.push(number as u32, way(atlas, own, other, 0));
            }
        }
    }

    fn clear(&mut self) {
        const MAX_KEPT_SLOTS: usize = 1 << 16;
        if self.slots.len() > MAX_KEPT_SLOTS {
            *self = Closure::default();
        }
        self.positions.clear();
        self.parents.clear();
        self.done.clear();
        self.by_looks.clear();
        self.by_way.clear();
        self.by_change.clear();
        self.changes.clear();
        self.structures.clear();
        self.structure.clear();
        self.place.clear();
        self.excluded.clear();
        self.oldest = 0;
        self.visits = 0;
        self.glances = 0;
        self.glanced = 0;
        self.atlas = None;
        const MIN_TABLE_SLOTS: usize = 1 << 10;
        if self.slots.is_empty() {
            self.slots = vec![0; MIN_TABLE_SLOTS];
        } else {
            self.slots.fill(0);
        }
    }

    /// Inserts a position into the table, if it is new, and returns its number.
    fn insert(&mut self, packed: Packed<R>, parent: u32) -> Option<u32> {
        let hash = packed.mixed();
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            let entry = self.slots[slot];
            if (entry ^ hash) >> 32 == 0 && self.positions[(entry as u32 - 1) as usize] == packed {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        let number = self.positions.len() as u32;
        self.slots[slot] = hash >> 32 << 32 | u64::from(number + 1);
        self.positions.push(packed);
        self.parents.push(parent);
        self.done.push(false);
        self.changes.push(0);
        self.structure.push(0);
        self.place.push(0);
        if self.positions.len() * 2 > self.slots.len() {
            self.grow();
        }
        Some(number)
    }

    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![0; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for (number, packed) in self.positions.iter().enumerate() {
            let hash = packed.mixed();
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = hash >> 32 << 32 | (number as u64 + 1);
        }
        self.slots = slots;
    }

    /// The moves from the root to a position of the table, and `last`.
    fn line_to(&self, root: &Position<R>, mut number: u32, last: Option<Move>) -> Vec<Move> {
        let mut path = Vec::new();
        while number != 0 {
            path.push(self.positions[number as usize]);
            number = self.parents[number as usize];
        }
        let mut line = Vec::with_capacity(path.len() + 1);
        let mut at = *root;
        let mut moves = MoveList::new();
        for next in path.into_iter().rev() {
            let leads_there = |mv: &&Move| at.after(**mv).pack() == Some(next);
            at.list_moves(&mut moves);
            let Some(&mv) = moves.iter().find(leads_there) else {
                break;
            };
            line.push(mv);
            at.play(mv);
        }
        line.extend(last);
        line
    }
}

/// Whether the move is made by a pawn or captures one.
fn changes_structure<R: Rules>(position: &Position<R>, mv: Move) -> bool {
    mv.role() == Role::Pawn || position.board().role_at(mv.to()) == Some(Role::Pawn)
}

fn changes_material(mv: Move) -> bool {
    mv.is_capture() || mv.promotes_to().is_some()
}

/// The king of the side that should win, and the other king.
fn kings<R: Rules>(position: &Position<R>, side: Color) -> Option<(Square, Square)> {
    let board = position.board();
    Some((board.king_of(side)?, board.king_of(!side)?))
}

/// The rank of a position in the order by king distances.
fn way(atlas: &KingDistances, own: Square, other: Square, looks: usize) -> usize {
    4 * atlas.steps(other, own) + looks / 8
}

/// The last bucket of a queue.
const LAST_BUCKET: usize = 4 * MAX_DISTANCE_SCORE;

/// A priority queue of positions by estimated distance from a win; the newest first among equals.
#[derive(Debug, Default)]
struct Frontier {
    waiting: Vec<Vec<u32>>,
    nearest: usize,
}

impl Frontier {
    fn clear(&mut self) {
        for waiting in &mut self.waiting {
            waiting.clear();
        }
        self.nearest = 0;
    }

    fn push(&mut self, number: u32, distance: usize) {
        let distance = distance.min(LAST_BUCKET);
        if self.waiting.len() <= distance {
            self.waiting.resize(distance + 1, Vec::new());
        }
        self.waiting[distance].push(number);
        self.nearest = self.nearest.min(distance);
    }

    fn pop(&mut self) -> Option<u32> {
        while self.nearest < self.waiting.len() {
            if let Some(number) = self.waiting[self.nearest].pop() {
                return Some(number);
            }
            self.nearest += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use touchmove_rules::{Atomic, Chess, Color, Position};

    use super::{Closure, ClosureResult};
    use crate::proof::exclusions::Exclusions;

    #[test]
    fn a_root_that_cannot_be_packed_is_no_proof() {
        // The black king is gone: there is nothing to search, and White has won.
        let fen = "8/8/8/8/8/3K4/8/4R3 b - - 0 1";
        let root = Position::<Atomic>::from_fen(fen).expect("a position after the game");
        assert!(root.pack().is_none());
        let mut closure = Closure::default();
        for side in Color::ALL {
            closure.begin(&root, Exclusions::new(0));
            let found = closure.search(&root, side, None, (100, 100), &|| false, |_, _| (None, 0));
            assert!(matches!(found, ClosureResult::Unpackable), "for {side}");
        }
    }

    #[test]
    fn a_search_that_is_interrupted_stops_long_before_its_budget_is_spent() {
        let fen = "k7/3p1p1p/8/1p6/1P6/KP6/PP1P1P1P/8 b - - 0 1";
        let root = Position::<Chess>::from_fen(fen).expect("a position");
        let mut closure = Closure::default();
        closure.begin(&root, Exclusions::new(0));
        let most = (20_000, u64::MAX);
        let found = closure.search(&root, Color::White, None, most, &|| true, |_, _| (None, 0));
        assert!(matches!(found, ClosureResult::OutOfBudget));
        assert!(closure.visited() < 10_000, "{}", closure.visited());
    }
}
