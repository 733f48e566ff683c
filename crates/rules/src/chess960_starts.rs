//! The 960 starting positions of Chess960, by the numbers that Reinhard Scharnagl gave them: 0 to
//! 959, of which 518 is the start of chess. Picking one at random is up to the caller.

use crate::{Color, File, Rank, Role, Setup, Square};

/// A first rank, from the a-file to the h-file.
type BackRank = [Role; 8];

/// How many starting positions there are.
const START_COUNT: u16 = 960;

/// Where the two knights stand among the five squares that bishops and queen leave free.
const KNIGHT_PLACEMENTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// The first rank with a number below [`START_COUNT`].
fn array(number: u16) -> BackRank {
    let number = usize::from(number);
    let (rest, light) = (number / 4, number % 4);
    let (rest, dark) = (rest / 4, rest % 4);
    let (knights, queen) = (rest / 6, rest % 6);
    let (first, second) = KNIGHT_PLACEMENTS[knights];
    let mut men = [None; 8];
    men[2 * light + 1] = Some(Role::Bishop);
    men[2 * dark] = Some(Role::Bishop);
    let mut place = |nth: usize, role| {
        if let Some(free) = men.iter_mut().filter(|man| man.is_none()).nth(nth) {
            *free = Some(role);
        }
    };
    place(queen, Role::Queen);
    // The second knight first: then the first one's index still counts the same squares.
    place(second, Role::Knight);
    place(first, Role::Knight);
    // Rook, king and rook take what is left, in this order.
    place(0, Role::Rook);
    place(0, Role::King);
    men.map(|man| man.unwrap_or(Role::Rook))
}

/// The number of a first rank, if it is one of the 960.
fn number(men: &BackRank) -> Option<u16> {
    let on = |role: Role| (0..8).filter(move |&file| men[file] == role);
    let light = on(Role::Bishop).find(|file| file % 2 == 1)? / 2;
    let dark = on(Role::Bishop).find(|file| file % 2 == 0)? / 2;
    let free = |without: &'static [Role], file: usize| {
        men[..file]
            .iter()
            .filter(|role| !without.contains(role))
            .count()
    };
    let queen = free(&[Role::Bishop], on(Role::Queen).next()?);
    let mut knights = on(Role::Knight).map(|file| free(&[Role::Bishop, Role::Queen], file));
    let pair = (knights.next()?, knights.next()?);
    let knights = KNIGHT_PLACEMENTS.iter().position(|&known| known == pair)?;
    let number = ((knights * 6 + queen) * 4 + dark) * 4 + light;
    let number = u16::try_from(number)
        .ok()
        .filter(|&number| number < START_COUNT)?;
    // Pieces that were not looked at may still be wrong.
    (array(number) == *men).then_some(number)
}

impl Setup {
    /// The start of a Chess960 game by its number, 0 to 959 (518 is chess), or `None` for other
    /// numbers.
    ///
    /// ```
    /// use touchmove_rules::Setup;
    /// assert_eq!(Setup::chess960(518), Some(Setup::start()));
    /// assert_eq!(Setup::chess960(960), None);
    /// ```
    #[must_use]
    pub fn chess960(number: u16) -> Option<Setup> {
        if number >= START_COUNT {
            return None;
        }
        let mut setup = Setup::empty();
        for (file, role) in File::ALL.into_iter().zip(array(number)) {
            for color in Color::ALL {
                let back = Square::at(file, Rank::First.of(color));
                setup.board.set(back, role.of(color));
                setup.board.set(
                    Square::at(file, Rank::Second.of(color)),
                    Role::Pawn.of(color),
                );
                if role == Role::Rook {
                    setup.castling.insert(back);
                }
            }
        }
        Some(setup)
    }

    /// The number of this setup among the starts of Chess960, if it is one: nothing has moved, both
    /// sides have all their rights, and White begins.
    ///
    /// ```
    /// use touchmove_rules::Setup;
    ///
    /// assert_eq!(Setup::start().chess960_number(), Some(518));
    /// assert_eq!(Setup::chess960(0).unwrap().chess960_number(), Some(0));
    /// assert_eq!(Setup::empty().chess960_number(), None);
    /// ```
    #[must_use]
    pub fn chess960_number(&self) -> Option<u16> {
        let mut men = [Role::Pawn; 8];
        for (man, file) in men.iter_mut().zip(File::ALL) {
            *man = self.board.role_at(Square::at(file, Rank::First))?;
        }
        number(&men).filter(|&number| Setup::chess960(number).as_ref() == Some(self))
    }
}
