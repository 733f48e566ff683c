# Atomic as the servers play it [A1..A9].

story a capture beside the king blows it up
terms variant=atomic
play Nf3 a6 Ng5 a5
0:01 white Nxf7 -> moved Nxf7#, ended king_exploded 1-0 at 0:01.000
= says has blown up Black's king; White wins.
0:02 black a5a4 -> refused game_over

story one's own king may not be blown up
terms variant=atomic
start rnbqkbnr/pppNp1pp/5p2/3p4/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 3
0:01 black d8d7 -> refused own_king_explodes
= status ongoing

story a king never captures
terms variant=atomic
start 4k3/8/8/8/8/8/4n3/4K2R w - - 0 1
0:01 white e1e2 -> refused king_cannot_capture

story an ordinary mate exists too
terms variant=atomic
start 1k6/8/8/8/8/8/PP5r/K7 b - - 0 1
0:01 black Rh1# -> moved Rh1#, ended checkmate 0-1 at 0:01.000

story blowing up the king goes before answering check
terms variant=atomic
start k1K5/pp5R/8/8/3Q4/P7/1P6/2r5 w - - 0 1
= status ongoing
0:01 white d4a7 -> moved Qxa7#, ended king_exploded 1-0 at 0:01.000

story a rook cannot win against a bare king
terms variant=atomic
start 8/3k4/8/8/4R3/4K3/8/8 w - - 0 1
= status dead_position

story a blast may leave a dead position
terms variant=atomic
start k7/3bbn2/3rqn2/3qr3/8/7B/8/1K6 w - - 0 1
0:01 white Bxe6 -> moved Bxe6, ended dead_position 1/2-1/2 at 0:01.000

story kings may touch, and there is no check while they do
terms variant=atomic
start r1bq1bnr/pppp1ppp/5k2/4p3/4P1K1/8/PPPP1PPP/RNBQ1B1R b - - 5 6
0:01 black Kf5 -> moved Kf5
= status ongoing

story a game from a position whose king is gone is over
terms variant=atomic
start rnb1kbnr/ppp1pppp/8/8/8/7P/PPP2PP1/RN3BNR w kq - 0 2
= status king_exploded
= winner black
