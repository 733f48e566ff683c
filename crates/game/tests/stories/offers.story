# Draw offers, resignation and abortion [000-36, 000-39, 003-17, 004-14, 004-18].

story a draw may not be offered before each side has moved
0:01 white draw -> refused draw_offer_too_early
play e4
0:02 black draw -> refused draw_offer_too_early
play e5
0:03 white draw -> draw_offered white
= draw_offer white

story an offer that is accepted draws the game
play e4 e5
0:01 white draw -> draw_offered white
0:02 black accept -> ended agreement 1/2-1/2 at 0:02.000
= says The players have agreed to a draw; the game is drawn.
= draw_offer none

story an offer that is declined is gone
play e4 e5
0:01 white draw -> draw_offered white
0:02 black decline -> draw_declined black
= draw_offer none
0:03 black accept -> refused no_draw_offer

story an offer stands until the opponent has answered, also when the offerer moves
play e4 e5
0:01 white draw -> draw_offered white
0:02 white Nf3 -> moved Nf3
= draw_offer white
0:03 black accept -> ended agreement 1/2-1/2 at 0:03.000

story moving on declines the opponent's offer
play e4 e5
0:01 white draw -> draw_offered white
0:02 white Nf3 -> moved Nf3
0:03 black Nc6 -> draw_declined black, moved Nc6
= draw_offer none

story the player who has just moved may offer
play e4 e5
0:01 black draw -> draw_offered black
0:02 white accept -> ended agreement 1/2-1/2 at 0:02.000

story offers that cross are an agreement
play e4 e5
0:01 white draw -> draw_offered white
0:01 black draw -> ended agreement 1/2-1/2 at 0:01.000

story an offer is made once
play e4 e5
0:01 white draw -> draw_offered white
0:02 white draw -> refused draw_already_offered

story nobody accepts or declines his own offer
play e4 e5
0:01 white draw -> draw_offered white
0:02 white accept -> refused no_draw_offer
0:02 white decline -> refused no_draw_offer
= draw_offer white

story nothing offered, nothing to answer
play e4 e5
0:01 white accept -> refused no_draw_offer
0:01 black decline -> refused no_draw_offer

story an illegal move does not decline an offer
play e4 e5
0:01 black draw -> draw_offered black
0:02 white e1e3 -> refused wrong_way
= draw_offer black

story mate ends the game whatever was offered
play f3 e5 g4
0:01 white draw -> draw_offered white
0:02 black Qh4# -> draw_declined black, moved Qh4#, ended checkmate 0-1 at 0:02.000
= draw_offer none

story the player on move may resign
play e4
0:01 black resign -> ended resignation 1-0 at 0:01.000
= says Black has resigned; White wins.

story the player off move may resign too
play e4
0:01 white resign -> ended resignation 0-1 at 0:01.000
= winner black

story one may resign before the first move
0:01 black resign -> ended resignation 1-0 at 0:01.000

story resigning wins for the opponent even with a bare king
start 8/8/8/3k4/8/3KQ3/8/8 w - - 0 1
0:01 white resign -> ended resignation 0-1 at 0:01.000

story a game may be aborted before both sides have moved
play e4
0:01 white abort -> ended aborted * at 0:01.000
= result *
= says White broke the game off before both sides had moved; there is no result.

story a game may not be aborted after both sides have moved
play e4 e5
0:01 white abort -> refused too_late_to_abort

story nobody moves out of turn
0:01 black e7e5 -> refused not_your_turn
play e4
0:02 white d2d4 -> refused not_your_turn
= moves e4
