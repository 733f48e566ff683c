# Simple Atomic [002].

story a king that is blown up loses
terms variant=simple-atomic
play Nf3 a6 Ng5 a5
0:01 white g5f7 -> moved Nxf7#, ended king_exploded 1-0 at 0:01.000

story a player may blow up his own king, and loses
terms variant=simple-atomic
play Nc3 e5 Nd5 c6 Ne7
0:01 black d8e7 -> moved Qxe7, ended king_exploded 1-0 at 0:01.000

story a capture that removes both kings is refused
terms variant=simple-atomic
play e4 d5 Ke2 Kd7 Kd3 Kd6 Kc4 Kc5
0:01 white e4d5 -> refused both_kings_explode
= turn white
0:02 white a3 -> moved a3

story check need not be answered
terms variant=simple-atomic
play f3 e5 g4 Qh4
= status ongoing
play a3
0:01 black h4e1 -> moved Qxe1#, ended king_exploded 0-1 at 0:01.000

story there is no castling, no capture en passant and no promotion
terms variant=simple-atomic
play e4 e5 Nf3 Nc6 Bc4 Nf6
0:01 white e1g1 -> refused no_castling_in_variant

story a king has no way to take
terms variant=simple-atomic
play e4 d5 Ke2 d4 Ke3 d3
0:01 white e3d3 -> refused king_cannot_capture

story no legal move is a draw
terms variant=simple-atomic
start 8/8/8/8/8/p1p5/PpP5/KB2k3 w - - 0 1
= status stalemate

story a move that blows up one's own king is still a move
terms variant=simple-atomic
start 8/8/8/8/8/2p5/ppP5/KB2k3 w - - 0 1
= status ongoing
0:01 white b1a2 -> moved Bxa2, ended king_exploded 0-1 at 0:01.000
= says has blown up White's king; Black wins.

story kings with pawns that cannot move any more are dead
terms variant=simple-atomic
start Pk6/8/8/8/8/8/8/pK6 w - - 0 1
= status dead_position

story a lone knight is alive, for kings can be taken
terms variant=simple-atomic
start 8/8/8/3k4/8/3K4/8/6N1 w - - 0 1
= status ongoing

story a missing king has lost
terms variant=simple-atomic
start 4k3/8/8/8/8/8/8/R7 w - - 0 1
= status king_exploded
= winner black

story repetition counts here too
terms variant=simple-atomic
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
0:01 black Ng8 -> moved Ng8, ended threefold_repetition 1/2-1/2 at 0:01.000
