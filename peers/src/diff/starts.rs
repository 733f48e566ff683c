//! Where random games begin: arrays of the game, and men scattered over the board. The games
//! themselves are not played here.

use fastrand::Rng;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Color, EnPassantMode, File, Piece, Position, Rank, Role, Setup,
    Square,
};

use super::game::Game;

/// A start that shakmaty takes for a possible position, as FEN.
pub fn random<G: Game>(rng: &mut Rng) -> String {
    loop {
        let setup = match rng.u8(..8) {
            0..4 => array::<G>(rng),
            _ => scattered::<G>(rng),
        };
        if let Ok(position) = setup.position::<G::Theirs>(G::CASTLING)
            && !position.is_game_over()
        {
            return Fen::from_position(&position, EnPassantMode::Legal).to_string();
        }
    }
}

/// The usual array; where kings and rooks may castle from anywhere also shuffled ones, in half of
/// those with different shuffles for the two sides.
fn array<G: Game>(rng: &mut Rng) -> Setup {
    if G::CASTLING == CastlingMode::Standard || G::KINGS_TOUCH && rng.bool() {
        return Setup::initial();
    }
    let white = shuffled(rng);
    let black = if rng.bool() { white } else { shuffled(rng) };
    let mut setup = Setup::initial();
    setup.castling_rights = Bitboard::EMPTY;
    for (color, rank, roles) in [
        (Color::White, Rank::First, white),
        (Color::Black, Rank::Eighth, black),
    ] {
        for (file, role) in File::ALL.into_iter().zip(roles) {
            let square = Square::from_coords(file, rank);
            setup.board.set_piece_at(square, Piece { color, role });
            if role == Role::Rook {
                setup.castling_rights.add(square);
            }
        }
    }
    setup
}

/// A back rank of Chess960: bishops on different colours, the king between the rooks.
fn shuffled(rng: &mut Rng) -> [Role; 8] {
    let mut roles = [
        Role::Bishop,
        Role::Bishop,
        Role::Knight,
        Role::Knight,
        Role::Queen,
        Role::Rook,
        Role::King,
        Role::Rook,
    ];
    loop {
        rng.shuffle(&mut roles);
        let files = |role| (0..8).filter(move |&file| roles[file] == role);
        let bishops: usize = files(Role::Bishop).sum();
        let king = files(Role::King).sum::<usize>();
        let rooks_left = files(Role::Rook).filter(|&rook| rook < king).count();
        if bishops % 2 == 1 && rooks_left == 1 {
            return roles;
        }
    }
}

/// Kings and a few men anywhere, sometimes with rights to castle; often not a possible position.
fn scattered<G: Game>(rng: &mut Rng) -> Setup {
    let mut setup = Setup {
        board: Board::empty(),
        ..Setup::initial()
    };
    setup.castling_rights = Bitboard::EMPTY;
    setup.turn = if rng.bool() {
        Color::White
    } else {
        Color::Black
    };
    for color in Color::ALL {
        if rng.u8(..3) == 0 {
            ready_to_castle::<G>(&mut setup, color, rng);
        } else {
            let square = anywhere(rng);
            setup.board.set_piece_at(
                square,
                Piece {
                    color,
                    role: Role::King,
                },
            );
        }
    }
    for _ in 0..rng.usize(1..=18) {
        let square = anywhere(rng);
        let role = match rng.u8(..10) {
            0..5 => Role::Pawn,
            5 => Role::Queen,
            6 => Role::Rook,
            7 => Role::Bishop,
            _ => Role::Knight,
        };
        let at_the_edge = (Bitboard::from(Rank::First) | Rank::Eighth).contains(square);
        if setup.board.piece_at(square).is_none() && !(role == Role::Pawn && at_the_edge) {
            let color = if rng.bool() {
                Color::White
            } else {
                Color::Black
            };
            setup.board.set_piece_at(square, Piece { color, role });
        }
    }
    setup
}

/// Puts a king and its rooks on the back rank, with the right to castle.
fn ready_to_castle<G: Game>(setup: &mut Setup, color: Color, rng: &mut Rng) {
    let rank = color.backrank();
    let (king, rooks) = match G::CASTLING {
        CastlingMode::Standard => (File::E, [File::A, File::H]),
        CastlingMode::Chess960 => {
            let king = rng.u32(1..7);
            (
                File::new(king),
                [File::new(rng.u32(..king)), File::new(rng.u32(king + 1..8))],
            )
        }
    };
    setup.board.set_piece_at(
        Square::from_coords(king, rank),
        Piece {
            color,
            role: Role::King,
        },
    );
    for file in rooks {
        if rng.u8(..4) > 0 {
            let square = Square::from_coords(file, rank);
            setup.board.set_piece_at(
                square,
                Piece {
                    color,
                    role: Role::Rook,
                },
            );
            setup.castling_rights.add(square);
        }
    }
}

fn anywhere(rng: &mut Rng) -> Square {
    Square::new(rng.u32(..64))
}
