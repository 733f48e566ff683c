//! Monomorphises the solver once for each variant here, so that it is not compiled again in every calling crate. The
//! solver itself is in `solver.rs`.

use std::any::Any;

use touchmove_rules::{Atomic, Chess, Chess960, Color, Position, Rules, SimpleAtomic};

use crate::{Budget, Solver, Winnability};

/// Asks the solver of these rules through code that is instantiated in this crate.
pub(crate) fn ask<R: Rules>(
    solver: &mut Solver<R>,
    position: &Position<R>,
    side: Color,
    budget: Budget,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Winnability {
    let (solver, position): (&mut dyn Any, &dyn Any) = (solver, position);
    ask_any(solver, position, side, budget, interrupted)
        .unwrap_or_else(|| unreachable!("{} is one of the variants below", R::VARIANT))
}

macro_rules! compile {
    ($($rules:ident)*) => {
        fn ask_any(
            solver: &mut dyn Any,
            position: &dyn Any,
            side: Color,
            budget: Budget,
            interrupted: &(dyn Fn() -> bool + Sync),
        ) -> Option<Winnability> {
            $(if let Some(solver) = solver.downcast_mut::<Solver<$rules>>() {
                let position = position.downcast_ref::<Position<$rules>>()?;
                return Some(solver.answer(position, side, budget, interrupted));
            })*
            None
        }
    };
}

compile! { Chess Chess960 Atomic SimpleAtomic }
