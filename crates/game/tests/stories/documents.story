# What the documents that touchmove began from ask of a game, where no other file of stories says so.
# The number behind a story's name is the requirement's in tests/data/requirements.tsv.

story two players move in turn until one is mated [000-3, 004-2, 004-4]
= status ongoing
= turn white
0:01 white e4 -> moved e4
= turn black
= status ongoing
0:02 black e5 -> moved e5
= turn white
play Bc4 Nc6 Qh5 Nf6
= status ongoing
0:03 white Qxf7# -> moved Qxf7#, ended checkmate 1-0 at 0:03.000
0:04 black f6e4 -> refused game_over

story who moves onto a man takes it [000-16]
play e4 d5
0:01 white exd5 -> moved exd5
= fen rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2

story the king castles two squares and the rook jumps to his other side [000-24, 003-1, 003-2]
start r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
0:01 white O-O -> moved O-O
0:02 black O-O-O -> moved O-O-O
= fen 2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2

story a pawn taken en passant is gone from the square beside [000-30, 000-32, 003-7]
play h3 b5 h4 b4 a4
0:01 black bxa3 -> moved bxa3
= fen rnbqkbnr/p1pppppp/8/8/7P/p7/1PPPPPP1/RNBQKBNR w KQkq - 0 4

story the draws of all documents end one game without a word about terms: agreement [000-40, 003-22]
play e4 e5
0:01 white draw -> draw_offered white
0:02 black accept -> ended agreement 1/2-1/2 at 0:02.000

story … repetition [000-40, 004-19]
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
0:01 black Ng8 -> moved Ng8, ended threefold_repetition 1/2-1/2 at 0:01.000

story … and fifty moves, which are a hundred plies [000-40, 004-17, 004-23]
start 6k1/8/8/8/8/8/8/R5K1 w - - 98 80
0:01 white Ra2 -> moved Ra2
= status ongoing
0:02 black Kh8 -> moved Kh8, ended fifty_moves 1/2-1/2 at 0:02.000

story a clock is the document's too that names none [003-22]
terms time=0:10
0:10 - -> ended flag_fall 0-1 at 0:10.000

story the player on move is stalemated [003-18, 004-16]
start 7k/8/5KQ1/8/8/8/8/8 w - - 0 1
0:01 white Qf7 -> moved Qf7, ended stalemate 1/2-1/2 at 0:01.000

story both kings alone [003-20, 004-15, 004-20]
start 8/8/8/3k4/8/3Kq3/8/8 w - - 0 1
0:01 white Kxe3 -> moved Kxe3, ended dead_position 1/2-1/2 at 0:01.000

story any number of bishops on one colour against a king [004-20]
terms dead=material
start 8/8/8/3k4/8/B1BK4/8/B1B5 w - - 0 1
= status dead_position

story bishops of both sides on one colour [004-20]
terms dead=material
start 8/b7/1b6/3k4/8/2BK4/1B6/8 w - - 0 1
= status dead_position

story a knight against a king [004-20]
terms dead=material
start 8/8/8/3k4/8/3K4/8/6N1 b - - 0 1
= status dead_position

story two knights are not on the list [004-20]
terms dead=material
start 8/8/8/3k4/8/3K4/8/5NN1 w - - 0 1
= status ongoing

story a blocked position is dead although there are pawns [004-21, 004-15]
start 4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1
= status dead_position

story the list of material alone knows nothing of a blocked position [004-21]
terms dead=material
start 4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1
= status ongoing

story a game that is over at its start is over before the first move [004-1]
start R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1
= status checkmate
0:01 black h7h6 -> refused game_over

story mate, time and resignation lose alike and are told apart: mate [004-8]
play f3 e5 g4
0:01 black Qh4# -> moved Qh4#, ended checkmate 0-1 at 0:01.000
= winner black

story … time [004-8]
terms time=0:10
0:10 - -> ended flag_fall 0-1 at 0:10.000
= winner black

story … resignation [004-8]
0:01 white resign -> ended resignation 0-1 at 0:01.000
= winner black

story a king that cannot flee from a check that can be blocked is not mated [004-9]
start 7k/8/8/8/8/5N2/6PP/r6K w - - 0 1
= status ongoing
0:01 white Ng1 -> moved Ng1
= status ongoing

story a draw that may be claimed is not automatic, and the other way round [004-24]
terms draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
= status ongoing
0:01 white claim -> draw_claimed white threefold_repetition, ended threefold_repetition 1/2-1/2 at 0:01.000

story a mate on the move that would give the right to claim is mate [004-24]
terms draws=claim
start 6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80
= claims
0:01 white Ra8# -> moved Ra8#, ended checkmate 1-0 at 0:01.000

story the captor goes up with his victim, and pawns nearby stay [002-12, 002-13, 002-14]
terms variant=simple-atomic
play d4 g5
0:01 white Bxg5 -> moved Bxg5
= fen rnbqkbnr/pppppp1p/8/8/3P4/8/PPP1PPPP/RN1QKBNR b - - 0 2

story of two pawns that meet none is left [002-14]
terms variant=simple-atomic
play e4 d5
0:01 white exd5 -> moved exd5
= fen rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR b - - 0 2

story a king blown up is a king taken [002-9, 002-17]
terms variant=simple-atomic
start 3qk3/8/8/8/8/8/8/3RK3 w - - 0 1
0:01 white Rxd8# -> moved Rxd8#, ended king_exploded 1-0 at 0:01.000

story a king taken is a king taken [002-9, 002-17]
terms variant=simple-atomic
start 4k3/8/8/8/8/8/8/4R1K1 w - - 0 1
0:01 white Rxe8# -> moved Rxe8#, ended king_exploded 1-0 at 0:01.000

story White goes first in simple Atomic too, from the same array [002-2, 002-3]
terms variant=simple-atomic
= fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1
0:01 black e7e5 -> refused not_your_turn
0:02 white e4 -> moved e4
0:03 white d2d4 -> refused not_your_turn
0:04 black e5 -> moved e5

story a pawn on the last rank stays a pawn, does not move and survives blasts [002-a]
terms variant=simple-atomic
start 3n3k/4P3/8/8/8/8/8/K2R4 w - - 0 1
0:01 white e7e8 -> moved e8
0:02 black Kh7 -> moved Kh7
0:03 white e8e7 -> refused wrong_way
0:04 white Rxd8 -> moved Rxd8, ended dead_position 1/2-1/2 at 0:04.000
= fen 4P3/7k/8/8/8/8/8/K7 b - - 0 2

story who blows up only his own king has moved legally and lost [002-b]
terms variant=simple-atomic
start 7k/8/8/3p3R/3K4/8/8/8 w - - 0 1
0:01 white Rxd5 -> moved Rxd5, ended king_exploded 0-1 at 0:01.000
= winner black

story both kings at once is refused, nothing has changed, and the player moves again [002-c]
terms variant=simple-atomic
start 8/8/3k4/3p3R/3K4/8/8/8 w - - 0 1
0:01 white h5d5 -> refused both_kings_explode
= fen 8/8/3k4/3p3R/3K4/8/8/8 w - - 0 1
= turn white
0:02 white Rh6 -> moved Rh6
= turn black

story a king beside the other is not taken from there either [002-c]
terms variant=simple-atomic
start 8/8/3k3R/3K4/8/8/8/8 w - - 0 1
0:01 white h6d6 -> refused both_kings_explode

story kings may touch, walk into fire and leave a check alone, but never take [002-d]
terms variant=simple-atomic
start 4r3/8/8/3k4/8/3K4/8/7N w - - 0 1
0:01 white Kd4 -> moved Kd4
0:02 black d5d4 -> refused king_cannot_capture
0:03 black Kc6 -> moved Kc6
0:04 white Ke3 -> moved Ke3
0:05 black Kb6 -> moved Kb6
0:06 white Ng3 -> moved Ng3
= status ongoing

story nobody to move and no move: a draw [002-e]
terms variant=simple-atomic
start 8/8/8/8/8/p1p5/PpP5/KB2k3 w - - 0 1
= status stalemate
= winner none

story kings with nothing but pawns on their last rank are dead [002-f]
terms variant=simple-atomic
start Pk6/8/8/8/8/8/8/pK6 w - - 0 1
= status dead_position

story blocked pawns are alive, for a king may step onto their diagonal [002-f]
terms variant=simple-atomic
start 8/8/4k3/4p3/4P3/4K3/8/8 w - - 0 1
= status ongoing

story king and knight against king is alive [002-f]
terms variant=simple-atomic
start 8/8/8/3k4/8/3K4/8/6N1 w - - 0 1
= status ongoing

story repetition and quiet moves count in simple Atomic under the same terms [002-g]
terms variant=simple-atomic draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
= claims threefold_repetition
0:01 white claim -> draw_claimed white threefold_repetition, ended threefold_repetition 1/2-1/2 at 0:01.000

story fifty moves in simple Atomic [002-g]
terms variant=simple-atomic
start 6k1/8/8/8/8/8/8/R5K1 w - - 99 80
0:01 white Ra2 -> moved Ra2, ended fifty_moves 1/2-1/2 at 0:01.000

story White wins what White has won, kings do not take, and a refused capture leaves the board alone [002-i]
terms variant=simple-atomic
start 8/8/3k4/3p3R/3K4/8/8/r7 w - - 0 1
0:01 white d4d5 -> refused king_cannot_capture
0:02 white h5d5 -> refused both_kings_explode
= fen 8/8/3k4/3p3R/3K4/8/8/r7 w - - 0 1
0:03 white Kc3 -> moved Kc3
0:04 black Ke6 -> moved Ke6
0:05 white Rxd5# -> moved Rxd5#, ended king_exploded 1-0 at 0:05.000
= winner white

story mate in Atomic: the king cannot take the queen beside him [A5]
terms variant=atomic
start 7k/7p/8/8/8/8/1q6/K7 w - - 0 1
= status checkmate
= winner black

story … in chess he can [A5]
start 7k/7p/8/8/8/8/1q6/K7 w - - 0 1
0:01 white Kxb2 -> moved Kxb2
= status ongoing

story stalemate in Atomic: the king cannot take the rook beside him [A5]
terms variant=atomic
start 7k/8/8/8/8/8/1r6/K7 w - - 0 1
= status stalemate
= winner none

story a capture that wins at once is a legal move, so that it is no mate [A5]
terms variant=atomic
start 8/8/8/8/8/1kp5/1q6/K1R5 w - - 0 1
= status ongoing
0:01 white Rxc3# -> moved Rxc3#, ended king_exploded 1-0 at 0:01.000

story repetition counts in Atomic as in chess [A8]
terms variant=atomic
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
0:01 black Ng8 -> moved Ng8, ended threefold_repetition 1/2-1/2 at 0:01.000

story quiet moves count in Atomic as in chess [A8]
terms variant=atomic
start 6k1/8/8/8/8/8/8/Q5K1 w - - 99 80
0:01 white Qa2+ -> moved Qa2+, ended fifty_moves 1/2-1/2 at 0:01.000

story a knight wins on time in Atomic where a bare king does not [A8]
terms variant=atomic time=0:10
start 4k2n/8/8/8/8/8/8/Q3K3 w - - 0 1
0:10 - -> ended flag_fall 0-1 at 0:10.000

story a queen or three knights are enough in Atomic; a rook, a minor piece or two knights are not [A9]
terms variant=atomic
start 8/3k4/8/8/8/4K3/8/5NN1 w - - 0 1
= status dead_position

story … three knights [A9]
terms variant=atomic
start 8/3k4/8/8/8/4K3/8/4NNN1 w - - 0 1
= status ongoing

story … a knight on each side [A9]
terms variant=atomic
start 8/3k1n2/8/8/8/4K3/8/5N2 w - - 0 1
= status ongoing
