# Repetition and quiet moves [003-19, 003-21, 004-22..24], FIDE 9.2, 9.3, 9.6.

story the third occurrence ends the game where draws are automatic
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
= repetitions 2
0:01 black Ng8 -> moved Ng8, ended threefold_repetition 1/2-1/2 at 0:01.000
= repetitions 3
= says The position has come 3 times; the game is drawn.

story occurrences need not follow from the same moves
play Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1
0:01 black Nb8 -> moved Nb8, ended threefold_repetition 1/2-1/2 at 0:01.000

story a lost castling right makes another position
play h4 h5 Rh3 Rh6 Rh1 Rh8 Rh3 Rh6 Rh1
0:01 black Rh8 -> moved Rh8
= repetitions 2

story a capture en passant that was legal makes another position
play e4 a6 e5 d5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
0:01 black Ng8 -> moved Ng8
= repetitions 2

story a capture en passant that a pin forbids does not
start k3r3/3p4/8/4P3/8/8/8/4K3 b - - 0 1
play d5 Kd1 Kb8 Ke1 Ka8 Kd1 Kb8 Ke1
0:01 black Ka8 -> moved Ka8, ended threefold_repetition 1/2-1/2 at 0:01.000

story the other side to move makes another position
start 6k1/8/8/8/8/8/8/R5K1 w - - 0 1
play Ra2 Kh8 Rb2 Kg8 Rb1 Kh8 Ra1
= repetitions 1

story fifty moves by each side end the game where draws are automatic
start 6k1/8/8/8/8/8/8/R5K1 w - - 98 80
0:01 white Ra2 -> moved Ra2
0:02 black Kh8 -> moved Kh8, ended fifty_moves 1/2-1/2 at 0:02.000
= says 50 moves by each side have passed without a capture or a pawn's move; the game is drawn.

story a pawn's move on the hundredth ply starts the count again
start 6k1/8/8/8/8/8/7P/R5K1 w - - 99 80
0:01 white h3 -> moved h3
= status ongoing

story a capture on the hundredth ply starts the count again
start 6k1/n4ppp/8/8/8/8/8/R5K1 w - - 99 80
0:01 white Rxa7 -> moved Rxa7
= status ongoing

story a game that starts with fifty quiet moves is drawn where draws are automatic
start 6k1/8/8/8/8/8/8/R5K1 w - - 100 80
= status fifty_moves

story the third occurrence may be claimed, and need not be
terms draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
= status ongoing
= claims threefold_repetition
= says White is to move and has 20 legal moves, and may claim a draw by threefold repetition.
0:01 white claim -> draw_claimed white threefold_repetition, ended threefold_repetition 1/2-1/2 at 0:01.000
= says White has claimed a draw by threefold repetition, rightly; the game is drawn.

story a claim lapses when the player moves on
terms draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4
= claims
0:01 black claim -> refused claim_unfounded

story a claim with an announced move needs the position only after it
terms draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
= claims
0:01 black claim -> refused claim_unfounded
0:01 black claim Ng8 -> draw_claimed black threefold_repetition f6g8, ended threefold_repetition 1/2-1/2 at 0:01.000
= says Black has claimed a draw by threefold repetition with the move Ng8, rightly; the game is drawn.
= moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1

story a claim with a move that does not repeat is wrong and costs nothing
terms draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
0:01 black claim Nd5 -> refused claim_unfounded
= status ongoing
= turn black

story a claim with an illegal move is refused for the move
terms draws=claim
play Nf3 Nf6 Ng1
0:01 black claim e7e4 -> refused wrong_way

story only the player on move may claim
terms draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
0:01 black claim -> refused claim_off_turn

story there is nothing to claim where draws are automatic
play e4 e5
0:01 white claim -> refused claim_needless

story the fifth occurrence ends the game by itself
terms draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
0:01 black Ng8 -> moved Ng8, ended fivefold_repetition 1/2-1/2 at 0:01.000
= repetitions 5

story fifty moves may be claimed from the hundredth ply on
terms draws=claim
start 6k1/8/8/8/8/8/8/R5K1 w - - 98 80
play Ra2
0:01 black claim -> refused claim_unfounded
play Kh8
= claims fifty_moves
0:02 white claim -> draw_claimed white fifty_moves, ended fifty_moves 1/2-1/2 at 0:02.000

story fifty moves may be claimed with the move that completes them
terms draws=claim
start 6k1/8/8/8/8/8/8/R5K1 w - - 99 80
0:01 white claim Ra2 -> draw_claimed white fifty_moves a1a2, ended fifty_moves 1/2-1/2 at 0:01.000

story seventy-five moves end the game by themselves
terms draws=claim
start 6k1/8/8/8/8/8/8/R5K1 w - - 149 105
0:01 white Ra2 -> moved Ra2, ended seventyfive_moves 1/2-1/2 at 0:01.000
= says 75 moves by each side have passed without a capture or a pawn's move; the game is drawn.

story a claim takes time on the claimer's clock
terms draws=claim time=0:10
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
0:10 white claim -> ended flag_fall 0-1 at 0:10.000, refused flag_fallen
