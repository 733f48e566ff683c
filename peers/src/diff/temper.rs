//! What random players like to play, so that walks meet captures, promotions, checks and kings
//! that approach each other. Which moves are legal is not decided here.

use fastrand::Rng;
use shakmaty::{Move, Position, Role};

/// The taste of a random player.
#[derive(Clone, Copy)]
pub enum RandomPlayerStyle {
    /// No preference.
    Even,
    /// Keeps the men on the board.
    Peaceful,
    /// Takes what it can.
    Greedy,
    /// Pushes pawns, to promote them.
    Pushing,
    /// Gives check.
    Checking,
    /// Walks the kings towards each other.
    Approaching,
}

impl RandomPlayerStyle {
    /// Any temper.
    pub fn random(rng: &mut Rng) -> RandomPlayerStyle {
        match rng.u8(..6) {
            0 => RandomPlayerStyle::Even,
            1 => RandomPlayerStyle::Peaceful,
            2 => RandomPlayerStyle::Greedy,
            3 => RandomPlayerStyle::Pushing,
            4 => RandomPlayerStyle::Checking,
            _ => RandomPlayerStyle::Approaching,
        }
    }

    /// How much this player likes the move, which is written so in SAN. Rare kinds of moves are
    /// liked by all.
    pub fn weight<P: Position>(self, position: &P, m: Move, san: &str) -> u32 {
        let rare = if m.is_en_passant() || m.is_castle() || offers_en_passant(position, m) {
            8
        } else if m.is_promotion() {
            2
        } else {
            1
        };
        let liked = match self {
            RandomPlayerStyle::Even => 1,
            RandomPlayerStyle::Peaceful => return if m.is_capture() { rare } else { 10 * rare },
            RandomPlayerStyle::Greedy if m.is_capture() => 6,
            RandomPlayerStyle::Pushing if m.role() == Role::Pawn => 5,
            RandomPlayerStyle::Checking if san.ends_with('+') => 10,
            RandomPlayerStyle::Approaching if approaches(position, m) => 12,
            _ => 1,
        };
        liked * rare
    }
}

/// Whether a pawn's double step ends beside an enemy pawn.
fn offers_en_passant<P: Position>(position: &P, m: Move) -> bool {
    let Move::Normal {
        role: Role::Pawn,
        from,
        to,
        ..
    } = m
    else {
        return false;
    };
    let beside = [to.offset(-1), to.offset(1)].into_iter().flatten();
    from.distance(to) == 2
        && beside
            .filter(|square| square.rank() == to.rank())
            .any(|square| (position.their(Role::Pawn)).contains(square))
}

/// Whether the king steps closer to the other king.
fn approaches<P: Position>(position: &P, m: Move) -> bool {
    let Move::Normal {
        role: Role::King,
        from,
        to,
        ..
    } = m
    else {
        return false;
    };
    let other = position.board().king_of(position.turn().other());
    other.is_some_and(|other| to.distance(other) < from.distance(other))
}

/// An index, each as likely as its weight says.
pub fn weighted(weights: &[u32], rng: &mut Rng) -> usize {
    let mut rest = rng.u32(..weights.iter().sum::<u32>());
    weights
        .iter()
        .position(|&weight| {
            let found = rest < weight;
            rest = rest.wrapping_sub(weight);
            found
        })
        .expect("the rest is below the sum of the weights")
}
