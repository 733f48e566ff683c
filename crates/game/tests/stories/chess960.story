# Chess960: the same game from another array.

story castling as king takes rook
terms variant=chess960 time=3+2
start 1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w HBhb - 0 1
0:01 white e1h1 -> moved O-O
0:02 black e8b8 -> moved O-O-O
= fen 2kr3r/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2

story castling in place, where king and rook only change squares
terms variant=chess960
start 4k3/8/8/8/8/8/8/5KR1 w G - 0 1
0:01 white O-O -> moved O-O
0:02 white takeback -> takeback_offered white
0:03 black allow -> taken_back 1
= fen 4k3/8/8/8/8/8/8/5KR1 w K - 0 1
0:04 white Kf2 -> moved Kf2
