# The fall of the flag [004-13], FIDE 6.9.

story a flag falls at its deadline, not when somebody looks
terms time=0:10
0:03 white e4 -> moved e4
1:00 - -> ended flag_fall 1-0 at 0:13.000
= winner white
= clock black 0:00.000
= says Black's time has run out; White wins.

story the last millisecond counts
terms time=0:10
0:09.999 white e4 -> moved e4
0:19.998 black e5 -> moved e5
= status ongoing

story a move at the very deadline comes too late
terms time=0:10
0:10 white e4 -> ended flag_fall 0-1 at 0:10.000, refused flag_fallen
= fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

story a move entered after the fall does not count, even mate
terms time=0:10
play f3 e5 g4
0:11 black Qh4# -> ended flag_fall 1-0 at 0:10.000, refused flag_fallen
= status flag_fall

story a mate made before the fall stands
terms time=0:10
play f3 e5 g4
0:09.999 black Qh4# -> moved Qh4#, ended checkmate 0-1 at 0:09.999
9:00 - -> nothing
= status checkmate

story a stalemate made before the fall stands
terms time=0:10
start 8/k1P5/2K5/8/8/8/8/8 w - - 0 1
0:09 white c8=Q -> moved c8=Q, ended stalemate 1/2-1/2 at 0:09.000
9:00 - -> nothing
= status stalemate

story a flag does not win for a bare king
terms time=0:10
start 8/8/8/3k4/8/3KQ3/8/8 w - - 0 1
0:10 - -> ended flag_fall_draw 1/2-1/2 at 0:10.000
= winner none
= says no series of legal moves lets Black win

story a flag wins for a bare king where the flag always loses
terms time=0:10 flag=loses
start 8/8/8/3k4/8/3KQ3/8/8 w - - 0 1
0:10 - -> ended flag_fall 0-1 at 0:10.000

story a bishop cannot win on time against a rook
terms time=0:10
start 8/8/8/3kb3/8/3KR3/8/8 w - - 0 1
0:10 - -> ended flag_fall_draw 1/2-1/2 at 0:10.000

story a knight wins on time against a rook, which may hem in its own king
terms time=0:10
start 8/8/8/3kn3/8/3KR3/8/8 w - - 0 1
0:10 - -> ended flag_fall 0-1 at 0:10.000

story in Atomic a bare king does not win on time either
terms variant=atomic time=0:10
start 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1
0:10 - -> ended flag_fall_draw 1/2-1/2 at 0:10.000

story in simple Atomic a single pawn wins on time
terms variant=simple-atomic time=0:10
start 4k3/7p/8/8/8/8/8/Q3K3 w - - 0 1
0:10 - -> ended flag_fall 0-1 at 0:10.000

story nothing is granted after the fall, and the refusal says so once
terms time=0:10
play e4 e5
0:11 black draw -> ended flag_fall 0-1 at 0:10.000, refused flag_fallen
0:12 black draw -> refused game_over
0:13 white resign -> refused game_over

story resigning after one's own flag has fallen changes nothing
terms time=0:10
0:10.001 black resign -> ended flag_fall 0-1 at 0:10.000, refused flag_fallen
= winner black

story a simple delay puts the fall off
terms time=0:10d5
0:14.999 - -> nothing
0:15 - -> ended flag_fall 0-1 at 0:15.000

story Bronstein does not put the fall off
terms time=0:10b5
0:09.999 - -> nothing
0:10 - -> ended flag_fall 0-1 at 0:10.000
