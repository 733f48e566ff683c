//! The positions whose move trees are counted, with depths and known counts. Why these: the chess
//! ones are those everybody publishes, the Atomic ones differ in phase, checks and touching kings.

/// A tree of moves to count.
pub struct Tree {
    /// What the table calls the position.
    pub name: &'static str,
    /// The root.
    pub fen: &'static str,
    /// How deep to count, and the right number of leaves there.
    pub full: (u32, u64),
    /// The same for a quick run.
    pub quick: (u32, u64),
}

impl Tree {
    /// The depth to count, and the right number of leaves there.
    pub fn size(&self, quick: bool) -> (u32, u64) {
        if quick { self.quick } else { self.full }
    }
}

/// Start, kiwipete, and positions 3, 4 and 6 of the Chess Programming Wiki.
pub const CHESS: [Tree; 5] = [
    Tree {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        full: (6, 119_060_324),
        quick: (5, 4_865_609),
    },
    Tree {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        full: (5, 193_690_690),
        quick: (4, 4_085_603),
    },
    Tree {
        name: "rook endgame",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        full: (7, 178_633_661),
        quick: (6, 11_030_083),
    },
    Tree {
        name: "promotions",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        full: (6, 706_045_033),
        quick: (5, 15_833_292),
    },
    Tree {
        name: "middlegame",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        full: (5, 164_075_551),
        quick: (4, 3_894_594),
    },
];

/// Start, a sharp opening with pins, an opening with many checks, kings in the open, and queens
/// against touching kings.
pub const ATOMIC: [Tree; 5] = [
    Tree {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        full: (6, 118_926_425),
        quick: (5, 4_864_979),
    },
    Tree {
        name: "pins",
        fen: "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1",
        full: (5, 50_504_249),
        quick: (4, 1_434_825),
    },
    Tree {
        name: "threats",
        fen: "rnbqkbnr/ppp4p/4p1p1/3pNp2/7Q/4P3/PPPP1PPP/RNB1KB1R b KQkq - 1 5",
        full: (5, 53_833_718),
        quick: (4, 1_792_336),
    },
    Tree {
        name: "open kings",
        fen: "r4b1r/p1N1k1p1/2pNp2p/5p2/1n1P1P2/6PP/PP6/R1B1K3 b Q - 4 17",
        full: (6, 139_075_307),
        quick: (5, 5_470_489),
    },
    Tree {
        name: "touching kings",
        fen: "8/4N3/8/7p/1r3q1P/6K1/7k/q7 b - - 21 61",
        full: (6, 96_323_713),
        quick: (5, 11_357_575),
    },
];
