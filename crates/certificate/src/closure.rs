//! Checks proofs by closure: every position that legal moves lead to is visited once more, and the number of
//! positions and a sum over them must be what the certificate says. Positions that the certificate excludes
//! have proofs of their own and are not searched further.

use std::collections::{HashMap, HashSet};

use touchmove_rules::{Color, Fen, Move, MoveList, Outcome, Packed, Position, Rules, Setup};

use crate::material;
use crate::parser::{CertificateError, LineReader, hexadecimal};
use crate::{check_argument, read_position};

/// Checks a closure: `numbers` are the number of positions and their sum.
pub(crate) fn check<R: Rules>(
    lines: &mut LineReader<'_>,
    root: &Position<R>,
    side: Color,
    numbers: &str,
) -> Result<(), CertificateError> {
    let (count, sum) = numbers.split_once(' ').unwrap_or((numbers, ""));
    let (Ok(count), Some(sum)) = (count.parse::<usize>(), hexadecimal(sum)) else {
        return lines.refuse("a closure says how many positions it has, and their sum");
    };
    let mut excluded: HashMap<Packed<R>, bool> = HashMap::new();
    while let Some(text) = lines.expect_maybe("excluded") {
        let position = read_position::<R>(lines, text)?;
        let Some(packed) = position.pack() else {
            return lines.refuse("a king is gone");
        };
        if excluded.insert(packed, false).is_some() {
            return lines.refuse("this position has been excluded before");
        }
        check_argument(lines, &position, side)?;
    }
    let visited = visit(lines, root, side, count, &mut excluded)?;
    if let Some((unused, _)) = excluded.iter().find(|(_, is_met)| !**is_met) {
        return lines.refuse(format!("{unused:?} is excluded, but no moves lead there"));
    }
    let found = visited
        .iter()
        .fold(0_u64, |all, packed| all.wrapping_add(digest(packed)));
    if visited.len() != count || found != sum {
        return lines.refuse(format!(
            "there are {} positions with the sum {found:016x}, and not {count} with {sum:016x}",
            visited.len()
        ));
    }
    Ok(())
}

/// Follows all moves; none may win.
fn visit<R: Rules>(
    lines: &LineReader<'_>,
    root: &Position<R>,
    side: Color,
    count: usize,
    excluded: &mut HashMap<Packed<R>, bool>,
) -> Result<HashSet<Packed<R>>, CertificateError> {
    let Some(packed) = root.pack() else {
        return lines.refuse("a king is gone, so there is no closure");
    };
    let mut seen = HashSet::from([packed]);
    let mut waiting = vec![packed];
    let mut moves = MoveList::new();
    while let Some(packed) = waiting.pop() {
        if let Some(is_met) = excluded.get_mut(&packed) {
            *is_met = true;
            continue;
        }
        let position = packed.unpack();
        if position.outcome().and_then(Outcome::winner) == Some(side) {
            return lines.refuse(format!("{side} has won in {}", position.fen()));
        }
        position.list_moves(&mut moves);
        for &mv in &moves {
            let next = position.after(mv);
            let Some(packed) = next.pack() else {
                match next.outcome().map(Outcome::winner) {
                    Some(winner) if winner != Some(side) => continue,
                    _ => return lines.refuse(format!("{side} wins from {}", position.fen())),
                }
            };
            if changes_material(mv) && leaves_nothing(&next, side) {
                continue;
            }
            if seen.insert(packed) {
                if seen.len() > count {
                    return lines.refuse(format!("there are more than {count} positions"));
                }
                waiting.push(packed);
            }
        }
    }
    Ok(seen)
}

fn changes_material(mv: Move) -> bool {
    mv.is_capture() || mv.promotes_to().is_some()
}

/// Whether the material does not suffice to win. A mate on the board is a win all the same.
fn leaves_nothing<R: Rules>(position: &Position<R>, side: Color) -> bool {
    position.outcome().and_then(Outcome::winner) != Some(side)
        && material::lacks_material(position, side)
}

/// The hash of a position: FNV-1a, 64 bits, of its FEN with counters 0 and 1, in which the square that a pawn
/// has just passed is named if a pawn stands ready to capture there, legally or not.
fn digest<R: Rules>(packed: &Packed<R>) -> u64 {
    const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;
    let position = packed.unpack();
    let setup = Setup {
        en_passant: position.passed_square(),
        ..position.setup()
    };
    let text = Fen(setup).to_string();
    text.bytes().fold(FNV_BASIS, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
    })
}
