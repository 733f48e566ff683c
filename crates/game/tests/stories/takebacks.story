# Takebacks: position and clocks go back together.

story the player who has just moved takes back one ply
terms time=5
0:10 white e4 -> moved e4
0:20 white takeback -> takeback_offered white
= takeback_offer white
0:30 black allow -> taken_back 1
= fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
= clock white 5:00.000
= clock black 5:00.000
= deadline 5:30.000

story the player on move takes back the reply and the move before it
terms time=5+3
0:10 white e4 -> moved e4
0:15 black e5 -> moved e5
0:20 white Nf3 -> moved Nf3
0:30 black Nc6 -> moved Nc6
0:40 white takeback -> takeback_offered white
0:50 black allow -> taken_back 2
= moves e4 e5
= turn white
= clock white 4:53.000
= clock black 4:58.000
= deadline 5:43.000

story taking back a stage gives its time back
terms time=1/0:10,0:20
0:01 white e4 -> moved e4
= clock white 0:29.000
0:02 white takeback -> takeback_offered white
0:03 black allow -> taken_back 1
= clock white 0:10.000
0:04 white d4 -> moved d4
= clock white 0:29.000

story a declined takeback changes nothing
play e4 e5
0:01 black takeback -> takeback_offered black
0:02 white deny -> takeback_declined white
= takeback_offer none
= moves e4 e5

story the opponent declines by moving on
play e4 e5
0:01 black takeback -> takeback_offered black
0:02 white Nf3 -> takeback_declined white, moved Nf3
= takeback_offer none

story the asker withdraws by moving on
play e4 e5
0:01 white takeback -> takeback_offered white
0:02 white Nf3 -> takeback_withdrawn white, moved Nf3
= takeback_offer none

story nobody takes back who has not moved
0:01 white takeback -> refused nothing_to_take_back
0:01 black takeback -> refused nothing_to_take_back
play e4
0:02 black takeback -> refused nothing_to_take_back

story only one takeback is asked for at a time
play e4 e5
0:01 white takeback -> takeback_offered white
0:02 black takeback -> refused takeback_already_offered
0:02 white takeback -> refused takeback_already_offered

story nobody allows or denies his own takeback
play e4 e5
0:01 white allow -> refused no_takeback_offer
0:01 white takeback -> takeback_offered white
0:02 white allow -> refused no_takeback_offer
0:02 white deny -> refused no_takeback_offer

story terms without takebacks have none
terms takebacks=off
play e4 e5
0:01 white takeback -> refused takebacks_off

story a takeback does not raise a fallen flag
terms time=0:10
play e4
0:09 white takeback -> takeback_offered white
0:10 black allow -> ended flag_fall 1-0 at 0:10.000, refused flag_fallen
0:11 black allow -> refused game_over

story a takeback in time stops the clock that was running out
terms time=0:10
play e4
0:09 white takeback -> takeback_offered white
0:09.999 black allow -> taken_back 1
= deadline 0:19.999
= clock black 0:10.000

story a takeback takes the repetition back with it
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1
0:01 white takeback -> takeback_offered white
0:01 black allow -> taken_back 1
= repetitions 2
0:02 white Ng1 -> moved Ng1
0:03 black Ng8 -> moved Ng8, ended threefold_repetition 1/2-1/2 at 0:03.000

story a takeback ends a pending draw offer
play e4 e5
0:01 white draw -> draw_offered white
0:02 black takeback -> takeback_offered black
0:03 white allow -> taken_back 1
= draw_offer none
= moves e4
