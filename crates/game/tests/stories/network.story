# What games need whose players do not sit at one board: seats, odds, days, gifts, allowances for the way,
# clocks that are held, free first moves, players who do not come or leave, commands that come late or
# twice.

story a seat is taken once, and the game waits for both
terms open=both
0:01 white e4 -> refused seat_open
0:02 white sit Cleo -> seated white Cleo
= by white
0:03 white sit Dora -> refused seat_taken
0:04 white e4 -> refused seat_open
0:05 black sit Emil -> seated black Emil
= names Cleo Emil
0:06 white e4 -> moved e4

story clocks stand until both have sat down
terms open=black time=1
0:30 - -> nothing
= clock white 1:00.000
0:40 black sit Emil -> seated black Emil
0:50 - -> nothing
= clock white 0:50.000
= deadline 1:40.000

story who sits down while the clocks are held does not start them
terms open=black time=1
0:10 arbiter hold fire -> clocks_held
0:20 black sit Emil -> seated black Emil
= deadline none
0:30 arbiter release -> clocks_released
= deadline 1:30.000

story whose turn it is not is told so before anything else
terms open=black
0:01 black e2e4 -> refused not_your_turn

story a name that is too long is none
terms open=black
0:01 black sit xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx -> refused bad_name

story each player has his own time
terms time=5_v_1+1
= clock white 5:00.000
= clock black 1:00.000
0:10 white e4 -> moved e4
= clock white 4:50.000
0:20 black e5 -> moved e5
= clock black 0:51.000

story days for each move begin anew with every move
terms time=3d
1440:00 white e4 -> moved e4
= clock white 4320:00.000
1441:00 black e5 -> moved e5
= clock black 4320:00.000
5761:00 - -> ended flag_fall 0-1 at 5761:00.000

story a player gives the opponent time
terms time=1
0:10 white give 0:15 -> time_given black 0:15.000
= by white
= clock black 1:15.000
= clock white 0:50.000
0:11 black give 0:15 -> time_given white 0:15.000
= deadline 1:15.000
0:12 white give 0:00.999 -> refused bad_gift
0:12 white give 10:00.001 -> refused bad_gift
0:12 white give 10:00 -> time_given black 10:00.000

story time is given only where there are clocks and the terms allow it
0:01 white give 0:15 -> refused no_clocks

story time is not given where the terms do not allow it
terms time=1 gifts=off
0:01 white give 0:15 -> refused gifts_off

story what was given is not taken back with a move
terms time=1
0:05 white e4 -> moved e4
0:06 black give 0:15 -> time_given white 0:15.000
0:10 white takeback -> takeback_offered white
0:11 black allow -> taken_back 1
= by black
= clock white 1:15.000
= clock black 1:00.000

story the arbiter gives time too
terms time=1
0:10 arbiter give white 0:30 -> time_given white 0:30.000
= by arbiter
= clock white 1:20.000

story an allowance for the way is bounded by the move, by the game and by what was spent
terms time=1 lag=0:00.500/0:01
0:02 white e4 lag=0:00.300 -> moved e4 lag 0:00.300
= clock white 0:58.300
0:04 black e5 lag=0:02 -> moved e5 lag 0:00.500
= clock black 0:58.500
0:05 white Nf3 lag=0:02 -> moved Nf3 lag 0:00.500
0:06 black Nc6 -> moved Nc6
0:07 white Bb5 lag=0:02 -> moved Bb5 lag 0:00.200
0:08 black a6 -> moved a6
0:09 white Ba4 lag=0:02 -> moved Ba4
0:09.100 black Nf6 lag=0:00.500 -> moved Nf6 lag 0:00.100

story without such a term nothing is allowed for the way
terms time=1
0:02 white e4 lag=0:00.300 -> moved e4
= clock white 0:58.000

story a steady round trip is given back for each move until the share of the game is used up
terms time=1 lag=0:00.500/0:01
0:01 white e4 lag=0:00.200 -> moved e4 lag 0:00.200
0:02 black e5 -> moved e5
0:03 white Nf3 lag=0:00.200 -> moved Nf3 lag 0:00.200
0:04 black Nc6 -> moved Nc6
0:05 white Bb5 lag=0:00.200 -> moved Bb5 lag 0:00.200
0:06 black a6 -> moved a6
0:07 white Ba4 lag=0:00.200 -> moved Ba4 lag 0:00.200
0:08 black Nf6 -> moved Nf6
0:09 white O-O lag=0:00.200 -> moved O-O lag 0:00.200
0:10 black Be7 -> moved Be7
0:11 white Re1 lag=0:00.200 -> moved Re1
= clock white 0:55.000

story an allowance never saves a fallen flag
terms time=0:02 lag=0:01/0:10
0:02 white e4 lag=0:01 -> ended flag_fall 0-1 at 0:02.000, refused flag_fallen

story held clocks are nobody's time, and the game stands
terms time=1
0:10 arbiter hold the lights went out -> clocks_held
= by arbiter
= held the lights went out
= says The arbiter holds the clocks: the lights went out.
= deadline none
0:20 white e4 -> refused clocks_held
0:20 arbiter hold again -> refused clocks_held
0:20 white draw -> refused draw_offer_too_early
9:00 - -> nothing
= clock white 0:50.000
9:00 arbiter release -> clocks_released
= held no
= deadline 9:50.000
9:10 white e4 -> moved e4
= clock white 0:40.000
9:11 arbiter release -> refused clocks_not_held

story one may resign while the clocks are held
terms time=1
0:10 arbiter hold dinner -> clocks_held
0:20 white resign -> ended resignation 0-1 at 0:20.000

story an outage of the house is held and released in one go
terms time=1
0:10 arbiter outage 0:20 0:50 -> clocks_held, clocks_released
= clock white 0:40.000
= deadline 1:30.000

story a flag that fell before the outage has fallen
terms time=0:15
0:50 arbiter outage 0:20 0:50 -> nothing
0:50 - -> ended flag_fall 0-1 at 0:15.000

story a delay goes on where it stood after an outage
terms time=1d5
0:10 arbiter outage 0:03 0:50 -> clocks_held, clocks_released
0:52 - -> nothing
= clock white 1:00.000
0:53 - -> nothing
= clock white 0:59.000

story games without clocks can be held too
0:01 arbiter hold dinner -> clocks_held
0:02 white e4 -> refused clocks_held
0:03 arbiter release -> clocks_released
0:04 white e4 -> moved e4

story there is nothing to give where there is no clock
0:01 arbiter give white 0:10 -> refused no_clocks

story the clocks may start with the first move
terms time=1+2 clock_start=first-move
9:00 - -> nothing
= deadline none
9:00 white e4 -> moved e4
= clock white 1:00.000
9:10 black e5 -> moved e5
= clock black 0:52.000
9:20 white Nf3 -> moved Nf3
= clock white 0:52.000

story the clocks may start when both have moved
terms time=1+2 clock_start=both-moved
5:00 white e4 -> moved e4
9:00 black e5 -> moved e5
= clock black 1:00.000
= deadline 10:00.000

story a takeback to before the clocks had started stops them
terms time=1 clock_start=both-moved
0:05 white e4 -> moved e4
0:10 black e5 -> moved e5
0:20 black takeback -> takeback_offered black
0:21 white allow -> taken_back 1
= deadline none
= clock white 1:00.000
1:30 black e5 -> moved e5
= deadline 2:30.000

story moves that cost nothing still count for the stage
terms time=2/1,0:30 clock_start=both-moved
play e4 e5
0:10 white Nf3 -> moved Nf3
= clock white 1:20.000

story who does not come may be claimed against
terms no_show=0:30
0:10 black noshow -> refused no_show_not_yet
0:10 white noshow -> refused no_no_show
0:30 black noshow -> ended no_show 0-1 at 0:30.000
= by black
= says White has not come to the board in time; Black wins.

story Black's first move is waited for from White's on
terms no_show=0:30
0:20 white e4 -> moved e4
0:49 white noshow -> refused no_show_not_yet
0:50 white noshow -> ended no_show 1-0 at 0:50.000

story who has moved has come
terms no_show=0:30
play e4 e5
9:00 black noshow -> refused no_no_show

story who has taken a move back has come all the same
terms no_show=0:30
0:01 white e4 -> moved e4
0:02 white takeback -> takeback_offered white
0:03 black allow -> taken_back 1
9:00 black noshow -> refused no_no_show

story who does not come is waited for where the terms say nothing
9:00 black noshow -> refused no_show_off

story an outage is not held against who did not come
terms no_show=0:30 time=1 clock_start=both-moved
0:10 arbiter hold fire -> clocks_held
5:00 arbiter release -> clocks_released
5:20 black noshow -> refused no_show_not_yet
5:30 black noshow -> ended no_show 0-1 at 5:30.000

story an outage before the first move is held against nobody either
terms no_show=0:30
0:10 arbiter outage 0:10 5:00 -> clocks_held, clocks_released
5:20 black noshow -> refused no_show_not_yet
5:30 black noshow -> ended no_show 0-1 at 5:30.000

story an outage of clocks that have not been started does not start them
terms no_show=0:30 time=1 clock_start=both-moved
0:10 arbiter outage 0:10 5:00 -> clocks_held, clocks_released
= deadline none
= clock white 1:00.000

story an outage that nothing waits for is none
0:10 arbiter outage 0:10 5:00 -> nothing

story who has left may be claimed against after the time of the terms
terms absence=1:00
play e4 e5
1:00 white absence -> refused opponent_present
1:30 white absence away=0:40 -> refused absence_not_yet
1:40 white absence away=0:40 -> absence_claimed 0:40.000, ended abandonment 1-0 at 1:40.000
= by white
= says Black has left the game; White wins.

story who was left alone may be content with a draw
terms absence=1:00
play e4 e5
1:40 black absence draw away=0:30 -> absence_claimed 0:30.000, ended abandonment_draw 1/2-1/2 at 1:40.000
= says White has left the game, and Black asked for a draw; the game is drawn.

story nobody is claimed against for leaving where the terms say nothing
play e4 e5
9:00 black absence away=0:30 -> refused absence_off

story the same command again is the same command
0:01 white e4 id=a1 -> moved e4
0:02 white e2e4 id=a1 -> repeated 1
0:03 black e5 id=a1 -> moved e5
0:04 white e2e4 id=a1 -> repeated 1
= seq 2

story a repeated command is known after the game has ended, too
0:01 white resign id=over -> ended resignation 0-1 at 0:01.000
0:02 white resign id=over -> repeated 1
0:02 white resign id=more -> refused game_over

story a move for a board that is not there any more comes too late
0:01 white e4 seen=0 -> moved e4
0:02 black e5 seen=1 -> moved e5
0:03 white Nf3 seen=1 -> refused too_late
0:03 white Nf3 seen=2 -> moved Nf3
0:04 black Nc6 seen=9 -> refused not_yet_seen

story an offer in between does not make a move late
play e4 e5
0:03 black draw seen=2 -> draw_offered black
0:04 white Nf3 seen=2 -> draw_declined white, moved Nf3

story an offer that was not seen cannot be answered
play e4 e5
0:03 black draw -> draw_offered black
0:04 white accept seen=2 -> refused too_late
0:04 white accept seen=3 -> ended agreement 1/2-1/2 at 0:04.000
= by white

story a takeback that was not seen cannot be allowed
play e4 e5
0:03 black takeback -> takeback_offered black
0:04 white allow seen=2 -> refused too_late
0:04 white deny seen=3 -> takeback_declined white

story who gives up does so whatever has happened since
play e4 e5
0:03 black resign seen=0 -> ended resignation 1-0 at 0:03.000
= by black

story a fallen flag stops the game before it is known what it means
terms time=0:10 settle=off
play e4 e5
0:10 - -> flag_fell white at 0:10.000
= flag white
= status ongoing
= deadline none
= clock white 0:00.000
= says White's flag has fallen; whether Black can still win is being looked into.
0:11 white Nf3 -> refused flag_fallen
0:11 black resign -> refused flag_fallen
0:11 arbiter hold late -> refused flag_fallen
0:12 - -> nothing
9:00 settle -> ended flag_fall 0-1 at 0:10.000
= by arbiter
= proved true

story after a fallen flag nothing can be claimed
terms time=0:10 settle=off draws=claim
play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
= claims threefold_repetition
0:10 - -> flag_fell white at 0:10.000
= claims
0:11 white claim -> refused flag_fallen

story what a flag means against a bare king is seen at once
start 4k3/8/8/8/8/8/8/4K2R w - - 0 1
terms time=0:10 settle=off
0:12 - -> ended flag_fall_draw 1/2-1/2 at 0:10.000

story where the flag always loses there is nothing to look into
terms time=0:10 settle=off flag=loses
0:12 - -> ended flag_fall 0-1 at 0:10.000

story the arbiter may declare a game lost
0:05 arbiter forfeit black it made an illegal move -> ended forfeit 1-0 at 0:05.000
= by arbiter
= says Black forfeits the game: it made an illegal move; White wins.

story the arbiter may break a game off at any time
play e4 e5 Nf3
0:05 arbiter abort fire -> ended aborted * at 0:05.000
= says The arbiter broke the game off: fire; there is no result.
0:06 arbiter abort fire -> refused game_over

story a mate that completes the claimed position stands over the claim # [004-24]
start 7k/R7/6K1/8/8/8/8/8 w - - 99 100
terms draws=claim
0:01 white claim Ra8 -> moved Ra8#, ended checkmate 1-0 at 0:01.000
= winner white

story a king blown up by the claimed move is blown up # [004-24]
start rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
terms draws=claim variant=atomic
play Nf3 Nc6 Ng5 Nb8
0:01 white claim Nxf7 -> moved Nxf7#, ended king_exploded 1-0 at 0:01.000
