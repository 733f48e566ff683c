# How often offers and gifts may be repeated: a journal does not grow for ever.

story a draw is offered three times at a move, and again after the next one
play e4 e5
0:01 white draw -> draw_offered white
0:01 black decline -> draw_declined black
0:01 white draw -> draw_offered white
0:01 black decline -> draw_declined black
0:01 white draw -> draw_offered white
0:01 black decline -> draw_declined black
0:02 white draw -> refused too_often
0:02 black draw -> draw_offered black
0:02 white decline -> draw_declined white
0:03 white Nf3 -> moved Nf3
0:04 white draw -> draw_offered white

story an offer that meets the opponent's is agreement, however often one has offered
play e4 e5
0:01 white draw -> draw_offered white
0:01 black decline -> draw_declined black
0:01 white draw -> draw_offered white
0:01 black decline -> draw_declined black
0:01 white draw -> draw_offered white
0:01 black decline -> draw_declined black
0:02 black draw -> draw_offered black
0:02 white draw -> ended agreement 1/2-1/2 at 0:02.000

story a move is taken back five times, and then stands
0:01 white e4 -> moved e4
0:01 white takeback -> takeback_offered white
0:01 black allow -> taken_back 1
0:01 white e4 -> moved e4
0:01 white takeback -> takeback_offered white
0:01 black allow -> taken_back 1
0:01 white e4 -> moved e4
0:01 white takeback -> takeback_offered white
0:01 black allow -> taken_back 1
0:01 white e4 -> moved e4
0:01 white takeback -> takeback_offered white
0:01 black allow -> taken_back 1
0:01 white e4 -> moved e4
0:01 white takeback -> takeback_offered white
0:01 black allow -> taken_back 1
0:01 white e4 -> moved e4
0:02 white takeback -> refused too_often
= moves e4
0:03 black e5 -> moved e5
0:04 white takeback -> takeback_offered white
0:04 black allow -> taken_back 2
0:05 white d4 -> moved d4
0:06 white takeback -> refused too_often

story each player has takebacks of his own
play e4 e5
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:02 white takeback -> refused too_often
0:02 black takeback -> takeback_offered black
0:02 white allow -> taken_back 1
= moves e4

story a takeback that is withdrawn by moving on counts too
play e4 e5
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:01 black deny -> takeback_declined black
0:01 white takeback -> takeback_offered white
0:02 white Nf3 -> takeback_withdrawn white, moved Nf3
0:03 white takeback -> takeback_offered white
0:03 black allow -> taken_back 1
0:04 white takeback -> refused too_often

story time is given twenty times at a move, and the arbiter gives more
terms time=5
repeat 20 0:01 white give 0:15 -> time_given black 0:15.000
0:02 white give 0:15 -> refused too_often
0:02 black give 0:15 -> time_given white 0:15.000
0:03 arbiter give black 0:15 -> time_given black 0:15.000
= clock black 10:15.000
0:04 white e4 -> moved e4
0:05 white give 0:15 -> time_given black 0:15.000

story one player makes five hundred offers and gifts in a game, and moves go on
terms time=60
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white e4 -> moved e4
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black e5 -> moved e5
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white Nf3 -> moved Nf3
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black Nc6 -> moved Nc6
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white Bb5 -> moved Bb5
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black a6 -> moved a6
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white Ba4 -> moved Ba4
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black Nf6 -> moved Nf6
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white O-O -> moved O-O
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black Be7 -> moved Be7
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white Re1 -> moved Re1
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black b5 -> moved b5
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white Bb3 -> moved Bb3
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black d6 -> moved d6
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white c3 -> moved c3
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black O-O -> moved O-O
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white h3 -> moved h3
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black Nb8 -> moved Nb8
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white d4 -> moved d4
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black Nbd7 -> moved Nbd7
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white Nbd2 -> moved Nbd2
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black Bb7 -> moved Bb7
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 white Bc2 -> moved Bc2
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:01 black Re8 -> moved Re8
repeat 20 0:01 white give 0:01 -> time_given black 0:01.000
0:02 white give 0:01 -> refused too_often
0:03 white Nf1 -> moved Nf1
0:04 white give 0:01 -> refused too_many_offers
0:04 white draw -> refused too_many_offers
0:04 white takeback -> refused too_many_offers
0:05 black draw -> draw_offered black
0:05 white decline -> draw_declined white
0:06 black Bf8 -> moved Bf8
0:07 white Ng3 -> moved Ng3
0:08 black takeback -> takeback_offered black
0:08 white allow -> taken_back 2
0:09 white resign -> ended resignation 0-1 at 0:09.000
