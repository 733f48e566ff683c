//! Whole sessions of plain mode, line for line: typed input after `>`, and the output. Times are given; nothing
//! waits.

use touchmove_game::position_status::DeadProof;
use touchmove_game::{AnalysisAnswer, AnalysisResult, Draws, Game, Players, Terms, Timestamp};
use touchmove_rules::{AnyPosition, Color, Variant};
use touchmove_tui::opponents::ComputerOptions;
use touchmove_tui::plain::{PlainSession, PlainStyle};
use touchmove_winnability::Proof;

/// A session against a computer that plays Black, with this seed, if any.
fn against_computer(style: PlainStyle, seed: Option<u64>) -> PlainSession {
    let players = Players {
        white: "Anna".to_owned(),
        black: "Computer (Casual)".to_owned(),
    };
    let game = Game::begin(Terms::of(Variant::Chess), players, Timestamp(0));
    let customs = ComputerOptions {
        seed,
        ..ComputerOptions::default()
    };
    PlainSession::open(game, style)
        .0
        .with_computer_options(&customs, 7)
}

/// The colour and the seed of the computer that is asked for a move.
fn asked(session: &mut PlainSession) -> Option<(Color, u64)> {
    let (_, task) = session.next_computer_task(Timestamp(0));
    task.map(|task| (task.color, task.seed))
}

/// Plays the lines, one second apart, and returns the whole transcript.
fn transcript(terms: Terms, style: PlainStyle, lines: &str) -> String {
    let players = Players {
        white: "Anna".to_owned(),
        black: "Ben".to_owned(),
    };
    let game = Game::begin(terms, players, Timestamp(0));
    let (mut session, opening) = PlainSession::open(game, style);
    let mut said = opening.text;
    let mut now = 0;
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        now += 1000;
        let prompt = prompt(style, &session);
        let output = session.line(Timestamp(now), line);
        said += &format!("{prompt}{line}\n{}", output.text);
        if let Some(save) = output.save {
            said += &format!("(saves {} bytes to {})\n", save.contents.len(), save.path);
        }
        if output.quit {
            return said;
        }
    }
    said += &session.end(Timestamp(now)).text;
    said
}

fn prompt(style: PlainStyle, session: &PlainSession) -> String {
    if style.interactive {
        session.prompt()
    } else {
        "> ".to_owned()
    }
}

fn from_fen(fen: &str, variant: Variant) -> Terms {
    Terms::from(AnyPosition::from_fen(fen, variant).unwrap())
}

fn timed(terms: Terms, control: &str) -> Terms {
    Terms {
        time: Some(control.parse().unwrap()),
        ..terms
    }
}

#[test]
fn a_game_that_ends_in_mate() {
    let lines = "f3 \n e5 \n g4 \n Qh4 \n Ke2 \n draw \n quit";
    let terms = Terms::of(Variant::Chess);
    insta::assert_snapshot!(transcript(terms, PlainStyle::default(), lines));
}

#[test]
fn a_game_that_ends_in_an_explosion() {
    let lines = "Nf3 \n a6 \n Ng5 \n a5 \n Nxf7 \n a4 \n quit";
    let terms = Terms::of(Variant::Atomic);
    insta::assert_snapshot!(transcript(terms, PlainStyle::default(), lines));
}

#[test]
fn questions_that_need_no_board() {
    let lines = "where knight \n where black queen \n rank 1 \n file e \n rank 5 \n last \n history
        moves g1 \n moves e7 \n moves e5 \n explain e2e5 \n explain Nf3 \n explain castle
        e4 \n last \n history \n fen \n clock \n rank 9 \n moves z1 \n where \n save \n hlep \n # note";
    let terms = Terms::of(Variant::Chess);
    insta::assert_snapshot!(transcript(terms, PlainStyle::default(), lines));
}

#[test]
fn offers_takebacks_and_agreement() {
    let lines =
        "draw \n e4 \n e5 \n accept \n takeback \n decline \n takeback \n accept \n c5 \n draw
        takeback \n accept \n accept draw";
    let terms = Terms::of(Variant::Chess);
    insta::assert_snapshot!(transcript(terms, PlainStyle::default(), lines));
}

#[test]
fn a_claim_with_an_announced_move() {
    let lines = "Nf3 \n Nf6 \n Ng1 \n claim \n claim Ng8 \n Nf3 \n Nf6 \n Ng1 \n claim Ng8";
    let terms = Terms {
        draws: Draws::Claim,
        ..Terms::of(Variant::Chess)
    };
    insta::assert_snapshot!(transcript(terms, PlainStyle::default(), lines));
}

#[test]
fn a_flag_that_falls_while_somebody_types() {
    let lines = "e4 \n e5 \n clock \n help me \n Nf3 \n Nc6";
    let terms = timed(Terms::of(Variant::Chess), "0:03");
    insta::assert_snapshot!(transcript(terms, PlainStyle::default(), lines));
}

#[test]
fn at_a_terminal_promotion_and_resignation_are_asked_about() {
    let style = PlainStyle {
        interactive: true,
        banner: true,
        color: true,
        ..PlainStyle::default()
    };
    let lines =
        "a8 \n king \n a8 \n knight \n resign \n no \n resign white \n yes \n save game.pgn";
    let terms = from_fen("8/P5k1/8/8/8/8/8/K6R w - - 0 1", Variant::Chess);
    insta::assert_snapshot!(transcript(terms, style, lines));
}

#[test]
fn in_a_pipe_a_promotion_says_what_to_type() {
    let lines = "flip \n a8 \n a8=q";
    let terms = from_fen("6k1/P7/8/8/8/8/8/K6R w - - 0 1", Variant::Chess);
    insta::assert_snapshot!(transcript(terms, PlainStyle::default(), lines));
}

#[test]
fn a_position_that_is_proved_dead_in_the_background_ends_the_game() {
    // A dead-position proof is trusted here; winnability's tests check the proofs.
    let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    let finding = AnalysisResult {
        question: game.pending_analysis().expect("is it dead?"),
        answer: AnalysisAnswer::Unwinnable(DeadProof::Winnability(Proof::Visited {
            positions: 9_213,
        })),
    };
    let (mut session, _) = PlainSession::open(game, PlainStyle::default());
    session.line(Timestamp(1_000), "e4");
    let said = session.on_analysis(Timestamp(1_500), &finding);
    assert_eq!(said, None, "the game has gone on");
    session.line(Timestamp(2_000), "takeback");
    session.line(Timestamp(3_000), "accept");
    let said = session.on_analysis(Timestamp(4_000), &finding);
    let said = said.unwrap();
    assert!(
        said.starts_with("Game Over\nDead position: no series of legal moves"),
        "{said}"
    );
    let names = said
        .replace('\n', " ")
        .matches("9,213 positions visited")
        .count();
    assert_eq!(
        names, 2,
        "the sentence and the record name the proof: {said}"
    );
    let said = session.on_analysis(Timestamp(5_000), &finding);
    assert_eq!(said, None, "over is over");
}

#[test]
fn what_a_longer_look_did_not_find_out_is_said() {
    let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    let finding = AnalysisResult {
        question: game.pending_analysis().expect("is it dead?"),
        answer: AnalysisAnswer::Undecided { positions: 9_213 },
    };
    let (mut session, _) = PlainSession::open(game, PlainStyle::default());
    let said = session.on_analysis(Timestamp(500), &finding);
    assert_eq!(
        said.as_deref(),
        Some(
            "Whether the position is dead was not decided in time: the game goes on as long as it is \
             not.\n"
        )
    );
    session.line(Timestamp(1_000), "e4");
    let said = session.on_analysis(Timestamp(1_500), &finding);
    assert_eq!(said, None, "the game has gone on");
}

#[test]
fn nothing_that_is_typed_makes_the_session_panic() {
    let mut dice = 1_u64;
    let words = [
        "help",
        "board",
        "moves",
        "explain",
        "claim",
        "where",
        "rank",
        "file",
        "resign",
        "draw",
        "e4",
        "e2e4",
        "é4",
        "♘f3",
        "0-0",
        "\u{0}",
        "accept",
        "takeback",
        "O-O-O-O",
        "x",
        "=",
        "e8=",
        "1.",
        "1...",
        "9999999999999999999",
        "{\"move\":1}",
        "a1",
        "+",
        "#",
        "\u{feff}",
        "-",
        "..",
    ];
    let terms = timed(Terms::of(Variant::SimpleAtomic), "0:30+1");
    let game = Game::begin(terms, Players::default(), Timestamp(0));
    let (mut session, _) = PlainSession::open(game, PlainStyle::default());
    for now in 0..20_000 {
        let mut pick = || {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            words[(dice >> 33) as usize % words.len()]
        };
        let line = format!("{} {}", pick(), pick());
        let said = session.line(Timestamp(now), &line);
        assert!(said.text.len() < 10_000);
    }
}

#[test]
fn in_a_rematch_the_computer_changes_sides_with_its_name() {
    let mut session = against_computer(PlainStyle::default(), None);
    assert_eq!(asked(&mut session), None);
    session.line(Timestamp(1_000), "resign");
    session.line(Timestamp(2_000), "rematch");
    let (color, _) = asked(&mut session).expect("a question to the computer");
    assert_eq!(color, Color::White);
    let said = session.line(Timestamp(3_000), "e4").text;
    assert_eq!(said, "It is the computer's turn.\n");
}

#[test]
fn without_a_seed_another_game_has_another_and_with_one_the_same() {
    for (seed, is_same) in [(None, false), (Some(7), true)] {
        let mut session = against_computer(PlainStyle::default(), seed);
        session.line(Timestamp(1_000), "e4");
        let first = asked(&mut session);
        assert_eq!(first, Some((Color::Black, 7)));
        session.line(Timestamp(2_000), "new");
        session.line(Timestamp(3_000), "e4");
        let second = asked(&mut session);
        assert_eq!(second.map(|it| it.0), Some(Color::Black));
        assert_eq!(first == second, is_same, "{seed:?}");
    }
}

#[test]
fn nobody_resigns_offers_or_takes_back_for_the_computer() {
    let interactive = PlainStyle {
        interactive: true,
        ..PlainStyle::default()
    };
    for style in [PlainStyle::default(), interactive] {
        let mut session = against_computer(style, None);
        session.line(Timestamp(1_000), "e4");
        for line in ["resign black", "draw black", "takeback black"] {
            let said = session.line(Timestamp(2_000), line).text;
            assert_eq!(said, "You play White, not Black.\n", "{line}");
        }
        let game = session.game();
        assert_eq!((game.ending(), game.draw_offer()), (None, None));
    }
}

#[test]
fn whoever_watches_two_computers_does_nothing_for_them() {
    let players = Players {
        white: "Computer (Club)".to_owned(),
        black: "Computer (Casual)".to_owned(),
    };
    let game = Game::begin(Terms::of(Variant::Chess), players, Timestamp(0));
    let session = PlainSession::open(game, PlainStyle::default()).0;
    let mut session = session.with_computer_options(&ComputerOptions::default(), 7);
    for line in ["resign", "resign black", "draw", "abort"] {
        let said = session.line(Timestamp(1_000), line).text;
        assert_eq!(
            said, "You watch this game: only its players move.\n",
            "{line}"
        );
    }
}

#[test]
fn whoever_begins_another_game_is_told_whether_this_one_is_kept() {
    let interactive = PlainStyle {
        interactive: true,
        ..PlainStyle::default()
    };
    for (word, is_kept, question) in [
        (
            "new",
            true,
            "Begin another game? This one is kept and can be resumed. yes or no\n",
        ),
        (
            "rematch",
            true,
            "Begin a rematch? This game is kept and can be resumed. yes or no\n",
        ),
        (
            "rematch",
            false,
            "Leave the game? It is NOT kept; it is shown as PGN on the way out. yes or no\n",
        ),
    ] {
        let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
        let (mut session, _) = PlainSession::open(game, interactive);
        session.set_saved(is_kept);
        session.line(Timestamp(1_000), "d4");
        assert_eq!(session.line(Timestamp(2_000), word).text, question);
        let said = session.line(Timestamp(3_000), "yes").text;
        assert_eq!(said.contains("1. d4 *"), !is_kept, "{said}");
        assert!(session.game().plies().is_empty());
    }
}

#[test]
fn in_a_pipe_a_game_that_is_kept_nowhere_is_shown_before_another_begins() {
    let lines = "new \n d4 \n d5 \n new \n e4";
    let said = transcript(Terms::of(Variant::Chess), PlainStyle::default(), lines);
    assert_eq!(said.matches("The game is unfinished.").count(), 2, "{said}");
    assert!(said.contains("1. d4 d5 *") && said.contains("1. e4 *"));
}

#[test]
fn a_game_that_goes_on_tells_what_is_offered() {
    let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    let (mut session, opening) = PlainSession::open(game, PlainStyle::default());
    assert!(!opening.text.contains("offers"));
    for line in ["e4", "e5", "draw white", "takeback black"] {
        session.line(Timestamp(1_000), line);
    }
    let (mut session, opening) = PlainSession::open(session.game().clone(), PlainStyle::default());
    for words in [
        "White offers a draw. Black: accept or decline; a move declines it.\n",
        "Black asks to take back. White: accept or decline; a move declines it.\n",
    ] {
        assert!(opening.text.contains(words), "{}", opening.text);
    }
    session.line(Timestamp(2_000), "accept draw");
    let (_, opening) = PlainSession::open(session.game().clone(), PlainStyle::default());
    assert!(!opening.text.contains("offers a draw"), "{}", opening.text);
}

#[test]
fn the_record_of_a_game_that_is_over_before_it_begins_has_its_date() {
    let terms = from_fen("8/8/8/8/8/8/8/KBk5 w - - 0 1", Variant::Chess);
    let game = Game::begin(terms, Players::default(), Timestamp(0));
    let session = PlainSession::new(game, PlainStyle::default());
    let said = session.dated("2026.11.17").opening().text;
    assert!(said.contains("[Date \"2026.11.17\"]"), "{said}");
}

#[test]
fn nobody_is_asked_for_a_move_while_the_computer_thinks() {
    let style = PlainStyle {
        interactive: true,
        ..PlainStyle::default()
    };
    let mut session = against_computer(style, None);
    assert_eq!(session.prompt(), "Anna (White)> ");
    session.line(Timestamp(1_000), "e4");
    assert_eq!(session.prompt(), "The computer is thinking. ");
    session.line(Timestamp(2_000), "rematch");
    let said = session.line(Timestamp(3_000), "yes").text;
    assert!(!said.contains("Type a move"), "{said}");
    assert_eq!(session.prompt(), "The computer is thinking. ");
}
