//! Computers and the coach on the screen: the questions they are asked, and the effects of their answers. No search
//! runs here; the tests give the answers.

use touchmove_coach::review;
use touchmove_engine::NoObserver;
use touchmove_game::{Game, Players, Terms, Timestamp};
use touchmove_rules::{Color, Square, Variant};
use touchmove_tui::opponents::{
    CoachAnswer, CoachQuestion, CoachReply, ComputerAnswer, ComputerReply, TaskKind,
};
use touchmove_tui::screen::{Dialog, Message};

use crate::support::screen_player::Seat;

fn against(white: &str, black: &str) -> Seat {
    let players = Players {
        white: white.to_owned(),
        black: black.to_owned(),
    };
    let game = Game::begin(Terms::of(Variant::Chess), players, Timestamp(0));
    let mut seat = Seat::at_game(game, 80, 24);
    seat.wait(0);
    seat
}

/// Answers the last question to a computer.
fn answer(seat: &mut Seat, said: ComputerAnswer) {
    let task = seat.asked.last().expect("a question").clone();
    seat.send(Message::Answered(Box::new(ComputerReply {
        seq: task.seq,
        matter: task.matter,
        color: task.color,
        said,
    })));
}

fn play(seat: &mut Seat, uci: &str) {
    let task = seat.asked.last().expect("a question").clone();
    let mut position = task.start;
    task.moves.iter().for_each(|&mv| position.play(mv));
    let mv = position.read_uci(uci).expect("a move");
    answer(seat, ComputerAnswer::Move(mv.to_uci()));
}

fn advise(seat: &mut Seat, advice: CoachAnswer) {
    let number = seat.coached.last().expect("a question").number;
    seat.send(Message::Advised(Box::new(CoachReply { number, advice })));
}

#[test]
fn a_computer_moves_when_it_is_its_turn_and_what_is_typed_meanwhile_is_kept() {
    let mut seat = against("Anna", "Computer (Casual)");
    assert!(seat.asked.is_empty());
    seat.play("e4");
    assert_eq!(seat.asked.len(), 1);
    assert!(
        seat.text().contains("The computer is thinking"),
        "{}",
        seat.text()
    );
    seat.strike("Nf3");
    play(&mut seat, "e7e5");
    assert_eq!(seat.moves(), "e4 e5");
    assert_eq!(seat.table().line.text(), "Nf3");
    seat.strike("<enter>");
    assert_eq!(seat.moves(), "e4 e5 Nf3");
    assert!(
        seat.journal.matches("moved").count() >= 3,
        "{}",
        seat.journal
    );
}

#[test]
fn a_move_that_is_entered_while_the_computer_thinks_waits_in_the_line() {
    let mut seat = against("Anna", "Computer (Casual)");
    seat.play("e4");
    // The second could be a move of the computer's pieces, too.
    for text in ["Nf3", "a6"] {
        seat.strike(&format!("{text}<enter>"));
        assert_eq!(seat.table().line.text(), text);
        assert_eq!(seat.moves(), "e4");
        let words = seat.words();
        assert!(words.contains("it waits for your turn"), "{words}");
        seat.strike("<esc>");
    }
    seat.strike("Nf3<enter>");
    play(&mut seat, "e7e5");
    assert!(seat.words().contains("night g1 to f3"), "{}", seat.text());
    seat.strike("<enter>");
    assert_eq!(seat.moves(), "e4 e5 Nf3");
    assert!(seat.table().line.is_empty());
}

#[test]
fn a_move_that_is_entered_while_the_board_shows_an_earlier_position_stays() {
    let mut seat = against("Anna", "Ben");
    seat.play("e4 e5").strike("<pgup>Nf3<enter>");
    assert_eq!(seat.moves(), "e4 e5");
    assert!(seat.said().contains("End goes back"), "{}", seat.said());
    seat.strike("<end><enter>");
    assert_eq!(seat.moves(), "e4 e5 Nf3");
}

#[test]
fn men_of_a_computer_cannot_be_moved_by_a_person() {
    let mut seat = against("Anna", "Computer (Casual)");
    seat.play("e4 e5");
    assert_eq!(seat.moves(), "e4");
    seat.click(Square::E7).click(Square::E5);
    assert_eq!(seat.moves(), "e4");
}

#[test]
fn a_person_with_black_sits_below() {
    let mut seat = against("Computer (Club)", "Ben");
    assert_eq!(seat.table().near, Color::Black);
    assert_eq!(seat.asked.len(), 1);
    play(&mut seat, "e2e4");
    assert_eq!(seat.moves(), "e4");
}

#[test]
fn a_takeback_takes_both_plies_and_a_late_answer_is_not_heard() {
    let mut seat = against("Anna", "Computer (Casual)");
    seat.play("e4");
    play(&mut seat, "e7e5");
    seat.strike("<c-t>");
    assert_eq!(seat.moves(), "");
    seat.play("d4").strike("<c-t>");
    assert_eq!(seat.moves(), "");
    play(&mut seat, "d7d5");
    assert_eq!(seat.moves(), "", "that move was for another game");
}

#[test]
fn nobody_is_asked_whether_the_computer_resigns() {
    let mut seat = against("Anna", "Computer (Casual)");
    seat.play("e4").strike("resign black<enter>");
    assert_eq!(seat.table().dialog, None);
    assert_eq!(seat.said(), "You play White, not Black.");
    seat.strike("<c-r>");
    assert!(seat.text().contains("Does White resign?"));
    assert!(!seat.text().contains("the other player"), "{}", seat.text());
    seat.strike("o");
    let asked = Some(Dialog::Resign { by: Color::White });
    assert_eq!(seat.table().dialog, asked);
}

#[test]
fn whoever_watches_two_computers_does_nothing_for_them() {
    for keys in [
        "<c-r>",
        "<c-d>",
        "<c-t>",
        "resign black<enter>",
        "draw white<enter>",
    ] {
        let mut seat = against("Computer (Club)", "Computer (Casual)");
        play(&mut seat, "e2e4");
        seat.strike(keys);
        assert_eq!(seat.table().dialog, None, "{keys}");
        let said = seat.said();
        assert_eq!(
            said, "You watch this game: only its players move.",
            "{keys}"
        );
        assert_eq!(seat.table().game.ending(), None, "{keys}");
    }
}

#[test]
fn offers_are_answered_and_troubles_forfeit() {
    let mut seat = against("Anna", "Computer (Casual)");
    seat.play("e4");
    play(&mut seat, "e7e5");
    seat.strike("<c-d>");
    assert_eq!(
        seat.asked.last().map(|task| task.matter),
        Some(TaskKind::Offer)
    );
    answer(&mut seat, ComputerAnswer::Draw(false));
    assert!(seat.said().contains("declines"), "{}", seat.said());
    seat.play("Nf3");
    answer(
        &mut seat,
        ComputerAnswer::Note("it has left; it is started again".to_owned()),
    );
    assert!(seat.said().contains("started again"));
    answer(
        &mut seat,
        ComputerAnswer::Trouble("it plays nothing".to_owned()),
    );
    assert!(seat.table().game.ending().is_some());
    assert!(seat.text().contains("1-0"), "{}", seat.text());
}

#[test]
fn people_are_helped_against_computers_only_unless_they_agree() {
    let mut people = against("Anna", "Ben");
    people.strike("<f2>");
    assert!(people.coached.is_empty() && people.said().contains("both agree"));
    let mut agreed = against("Anna", "Ben");
    agreed.model.customs.hints = true;
    agreed.strike("<f2>");
    assert!(
        agreed.coached.is_empty(),
        "it is agreed before the game begins"
    );
    let mut seat = against("Anna", "Computer (Casual)");
    seat.strike("<f2>");
    assert_eq!(
        seat.coached.last().map(|it| it.what),
        Some(CoachQuestion::Hint)
    );
    let squares = Square::E2.set() | Square::E4.set();
    advise(
        &mut seat,
        CoachAnswer::Words("Hint: e4".to_owned(), squares),
    );
    assert_eq!(
        (seat.said().as_str(), seat.table().evidence),
        ("Hint: e4", squares)
    );
    seat.strike("threat<enter>");
    assert_eq!(
        seat.coached.last().map(|it| it.what),
        Some(CoachQuestion::Threat)
    );
    seat.play("e4");
    seat.strike("<f2>");
    assert_eq!(seat.coached.len(), 2, "not at the computer's turn");
}

#[test]
fn a_game_is_reviewed_with_progress_and_can_be_broken_off() {
    let mut seat = against("Anna", "Ben");
    seat.strike("<f4>");
    assert!(seat.said().contains("when it is over"), "{}", seat.said());
    seat.play("f3 e5 g4 Qh4");
    seat.strike("v");
    assert_eq!(seat.coached.last().map(|it| it.moves.len()), Some(4));
    advise(&mut seat, CoachAnswer::Progress(3, 10));
    assert!(seat.text().contains(" 30 %"), "{}", seat.text());
    seat.strike("<esc>");
    assert!(seat.is_hushed);
    let wanted = seat.coached.last().expect("a question").clone();
    let found = review(
        &wanted.start,
        &wanted.moves,
        500,
        &mut NoObserver,
        &mut |_, _| {},
    );
    advise(&mut seat, CoachAnswer::Review(Box::new(found)));
    let text = seat.text();
    assert!(
        text.contains("Anna  accuracy") && text.contains("2. g4: White"),
        "{text}"
    );
    seat.strike("1");
    assert!(!seat.table().coaching.is_open && seat.table().shown.is_some());
    seat.strike("<f4>");
    assert!(seat.table().coaching.is_open, "it is still there");
    assert_eq!(seat.coached.len(), 1);
}

#[test]
fn the_start_screen_goes_through_all_levels() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><down><down><down>");
    let mut seen = Vec::new();
    for _ in 0..9 {
        seat.strike("<right>");
        let text = seat.text();
        let line = text
            .lines()
            .find(|line| line.contains("Black   "))
            .unwrap_or_default();
        seen.push(line.trim().to_owned());
    }
    assert!(
        seen[0].contains("First steps") && seen[8].contains("Full strength"),
        "{seen:?}"
    );
    seat.strike("<right>");
    assert!(!seat.text().contains("Computer"));
    seat.strike("<right>B");
    assert!(!seat.text().contains("Computer"), "a name is typed instead");
    seat.strike("en<enter>");
    assert!(seat.text().contains("Ben"));
}
