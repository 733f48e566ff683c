# Every form of time control [004-12].

story without a time control nobody has a clock and no flag can fall
play e4
99:00 - -> nothing
= clock white none
= deadline none
99:00 black e5 -> moved e5

story only the clock of the player on move runs
terms time=5
= deadline 5:00.000
0:10 - -> nothing
= clock white 4:50.000
= clock black 5:00.000
0:10 white e4 -> moved e4
1:00 - -> nothing
= clock white 4:50.000
= clock black 4:10.000
= deadline 5:10.000

story an increment is added when the move is made, not before
terms time=5+3
0:02 - -> nothing
= clock white 4:58.000
0:02 white e4 -> moved e4
= clock white 5:01.000
0:07 black e5 -> moved e5
= clock black 4:58.000
= deadline 5:08.000

story a simple delay is waited out before the clock runs, and never added
terms time=5d3
= deadline 5:03.000
0:02.999 - -> nothing
= clock white 5:00.000
0:04 - -> nothing
= clock white 4:59.000
0:04 white e4 -> moved e4
= clock white 4:59.000
0:05 black e5 -> moved e5
= clock black 5:00.000

story Bronstein gives back what the move took, up to the delay
terms time=5b3
= deadline 5:00.000
0:02 - -> nothing
= clock white 4:58.000
0:02 white e4 -> moved e4
= clock white 5:00.000
0:12 black e5 -> moved e5
= clock black 4:53.000

story seconds may be given for minutes
terms time=0:30+0.5
= deadline 0:30.000
0:10 white e4 -> moved e4
= clock white 0:20.500

story the second stage's time comes with the last move of the first stage
terms time=2/0:30+1,0:10+2
0:05 white Nf3 -> moved Nf3
= clock white 0:26.000
0:05 black Nf6 -> moved Nf6
= clock black 0:31.000
0:10 white Ng1 -> moved Ng1
= clock white 0:32.000
0:20 black Ng8 -> moved Ng8
= clock black 0:32.000
0:21 white e4 -> moved e4
= clock white 0:33.000

story a last stage that counts moves begins again and again
terms time=1/0:10
0:04 white Nf3 -> moved Nf3
= clock white 0:16.000
0:05 black Nf6 -> moved Nf6
= clock black 0:19.000
0:06 white Ng1 -> moved Ng1
= clock white 0:25.000

story the clock of the side on move runs first when that is Black
terms time=1
start 4k3/8/8/8/8/8/8/R3K3 b - - 0 1
0:10 - -> nothing
= clock black 0:50.000
= clock white 1:00.000
= deadline 1:00.000
1:00 - -> ended flag_fall 1-0 at 1:00.000

story a clock that is told an earlier time does not gain
terms time=1
0:30 white e4 -> moved e4
0:20 black e5 -> moved e5
= clock black 1:00.000
0:40 white Nf3 -> moved Nf3
= clock white 0:20.000

story an illegal move costs nothing but the time it took to try
terms time=1+5
0:10 white e2e5 -> refused wrong_way
= clock white 0:50.000
= turn white
0:12 white e4 -> moved e4
= clock white 0:53.000

story the clocks of a finished game stand still
terms time=1
0:10 white e4 -> moved e4
0:15 black resign -> ended resignation 1-0 at 0:15.000
2:00 - -> nothing
= clock white 0:50.000
= clock black 0:55.000
= deadline none
