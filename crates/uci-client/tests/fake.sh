#!/bin/sh
# An engine that misbehaves: the first argument says how. It plays e2e4 and knows nothing of chess.
how=${1-}
say() { printf '%s\n' "$1"; }
case $how in
    '') say 'usage: fake HOW' >&2; exit 64 ;;
    mute) exec sleep 600 ;;
    gone) say 'no licence found' >&2; exit 3 ;;
    deaf) exec 0<&-; exec sleep 600 ;;
    closes) exec 1>&-; exec sleep 600 ;;
    leaves-child) sleep 611 & ;;
    floods-errors) i=0; while [ $i -lt 3000 ]; do say "warning $i: this line is written to standard error again and again" >&2; i=$((i + 1)); done ;;
    long-line) head -c 3000000 /dev/zero | tr '\0' 'x'; say '' ;;
    bytes) printf 'id name B\303(d \377\376\nid author \200\n' ;;
esac
while read -r word rest; do
    case $word in
        uci)
            [ "$how" = stubborn ] && trap '' TERM INT HUP
            say 'id name Fake 1.0'
            say 'id author nobody'
            say 'option name Hash type spin default 16 min 1 max 64'
            say 'option name Skill Level type spin default 20 min 0 max 20'
            say 'option name Clear Hash type button'
            [ "$how" = variants ] && say 'option name UCI_Variant type combo default chess var chess var atomic var simple-atomic'
            [ "$how" = variants ] && say 'option name UCI_Chess960 type check default false'
            [ "$how" = learns ] && say "option name UCI_Variant type combo default chess var chess${learnt-}"
            [ "$how" = learns ] && say 'option name VariantPath type string default <empty>'
            [ "$how" = many-options ] && while :; do say 'option name X type button'; done
            [ "$how" = long-options ] && while :; do printf 'option name X type combo'; head -c 60000 /dev/zero | sed 's/\x00/ var/g'; say ''; done
            [ "$how" = chatters ] && while :; do say 'info string still thinking about my name'; done
            [ "$how" = not-uci ] || say uciok
            ;;
        isready)
            [ "$how" = never-ready ] && continue
            [ "$how" = dies-when-asked ] && exit 139
            [ "$how" = stale ] && say 'bestmove a2a4'
            say readyok
            ;;
        setoption)
            case $rest in *Nonsense*) exit 1 ;; esac
            [ "$how" = learns ] && learnt=' var atomic'
            [ "$how" = writes-down ] && say "$rest" >>"$2"
            ;;
        position) [ "$how" = writes-down ] && say "$word $rest" >>"$2" ;;
        go)
            [ "$how" = writes-down ] && say "$word $rest" >>"$2"
            case $how in
                hangs) exec sleep 600 ;;
                waits-for-stop) continue ;;
                ignores-stop | stubborn) continue ;;
                dies) exit 7 ;;
                crashes) kill -s SEGV $$ ;;
                illegal) say 'bestmove e2e5' ;;
                junk-move) say 'bestmove 🐎x' ;;
                no-move) say 'bestmove (none)' ;;
                null-move) say 'bestmove 0000' ;;
                nothing) say 'bestmove' ;;
                chatters-on) while :; do say 'info depth 1 score cp 1'; done ;;
                junk) say 'bestmoves are rare'; say 'Segmentation fault (not really)'; printf '\001\002\033[31m\n'
                    say 'info depth 99 score cp 31 nodes 12 pv e2e4'; say 'bestmove   e2e4   ponder   e7e5' ;;
                no-newline) printf 'bestmove e2e4'; exit 0 ;;
                *) say 'info depth 1 score cp 31 nodes 12 pv e2e4'; say 'bestmove e2e4 ponder e7e5' ;;
            esac
            ;;
        stop) [ "$how" = waits-for-stop ] && say 'bestmove d2d4' ;;
        quit) [ "$how" = stubborn ] || exit 0 ;;
    esac
done
[ "$how" = stubborn ] && exec sleep 600
exit 0
