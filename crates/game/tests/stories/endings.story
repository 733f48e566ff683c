# Endings on the board [000-35, 000-37, 000-38, 003-15..21, 004-3].

story fool's mate
play f3 e5 g4
0:01 black Qh4# -> moved Qh4#, ended checkmate 0-1 at 0:01.000
= says Checkmate: the white king on e1 is attacked by the queen on h4, and White has no legal move; Black wins.
0:02 white e1e2 -> refused game_over

story a check that can only be blocked is not mate
start 4k3/8/8/8/8/5R2/6PP/4r2K w - - 0 1
= status ongoing
= says White is to move, in check from the rook on e1, and has 1 legal move.
0:01 white Rf1 -> moved Rf1

story a double check names both attackers
start 4k3/8/8/8/1b6/8/4r3/4K3 w - - 0 1
= says White is to move, in check from the rook on e2 and the bishop on b4, and has 3 legal moves.

story a promotion stalemates
start 8/k1P5/2K5/8/8/8/8/8 w - - 0 1
0:01 white c8=Q -> moved c8=Q, ended stalemate 1/2-1/2 at 0:01.000
= says Stalemate: Black has no legal move and is not in check; the game is drawn.

story a game from a mated position is over before it begins
start 8/7K/8/1Q1Q4/Nr6/2R5/1k6/2R5 b - - 0 1
= status checkmate
= winner white
0:00 black b2b1 -> refused game_over

story a game from a stalemated position is over before it begins
start kn2R3/5R2/8/8/7K/4B3/8/8 b - - 0 1
= status stalemate
0:00 black resign -> refused game_over

story taking the last queen leaves a dead position
start 8/8/8/3k4/8/3Kq3/8/8 w - - 0 1
0:01 white Kxe3 -> moved Kxe3, ended dead_position 1/2-1/2 at 0:01.000
= says Dead position: with king against king, no series of legal moves lets either side win; the game is drawn.

story a knight alone is dead
start 8/8/8/3k4/8/3K4/8/6N1 w - - 0 1
= status dead_position
= says with king and knight against king

story bishops of one colour are dead, however many
start 8/b7/1b6/2bk4/8/2BK4/1B6/8 w - - 0 1
= status dead_position

story bishops of both colours are alive
start 8/8/3k4/5b2/8/8/3K4/2B5 w - - 0 1
= status ongoing

story two knights are alive: mate is possible with help
start 8/8/3k4/8/8/8/1N1K1N2/8 w - - 0 1
= status ongoing

story nothing is dead where the terms say so
terms dead=off
start 8/8/8/3k4/8/3K4/8/8 w - - 0 1
= status ongoing
0:01 white Kc3 -> moved Kc3

story the list of material knows the lone knight
terms dead=material
start 8/8/8/3k4/8/3K4/8/6N1 w - - 0 1
= status dead_position

story mate on the hundredth quiet ply is mate
start 6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80
0:01 white Ra8# -> moved Ra8#, ended checkmate 1-0 at 0:01.000

story mate on the hundred and fiftieth quiet ply is mate
terms draws=claim
start 6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 105
0:01 white Ra8# -> moved Ra8#, ended checkmate 1-0 at 0:01.000

story a finished game refuses every command
play f3 e5 g4 Qh4#
0:01 white e2e4 -> refused game_over
0:01 black e7e5 -> refused game_over
0:01 white draw -> refused game_over
0:01 white accept -> refused game_over
0:01 white decline -> refused game_over
0:01 white claim -> refused game_over
0:01 white resign -> refused game_over
0:01 white takeback -> refused game_over
0:01 white allow -> refused game_over
0:01 white deny -> refused game_over
0:01 white abort -> refused game_over
