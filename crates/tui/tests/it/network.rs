//! A network game on the screen: server events, commands sent, and what the player sees when the connection breaks.
//! There is no server here.

use touchmove_client::{
    ChatMessage, ClientCommand, JoinedTable, PresenceSummary, ReceivedRefusal, RematchState,
    ServerEvent, SideRequest, TableLink,
};
use touchmove_game::{
    Command, Decision, Event, Game, Intent, Opening, Seat as Chair, Seats, Submission, Terms,
    Timestamp,
};
use touchmove_rules::{Color, Variant};
use touchmove_tui::screen::Message;

use crate::support::screen_player::Seat;

/// The server's game, and a player's screen.
struct Network {
    game: Game,
    screen: Seat,
    link: TableLink,
    now: u64,
}

impl Network {
    /// A table with a clock; Anna has White.
    fn new(you: Option<Color>, black: Chair) -> Network {
        let terms = Terms {
            time: Some("5+3".parse().expect("a time control")),
            ..Terms::of(Variant::Chess)
        };
        let seats = Seats {
            white: Chair::taken("Anna"),
            black,
        };
        let at = Timestamp(1_000_000);
        let game = Game::open(Opening { at, seats, terms });
        let mut network = Network {
            screen: Seat::at_start(80, 24),
            game,
            link: "http://192.168.1.5:8000/Ab3dE6gH".parse().expect("a link"),
            now: at.0,
        };
        network.tell(ServerEvent::Arrived(Box::new(network.arrival(you))));
        network
    }

    fn arrival(&self, you: Option<Color>) -> JoinedTable {
        JoinedTable {
            link: self.link.clone(),
            game: self.game.clone(),
            you,
            at: Timestamp(self.now),
            attendance: PresenceSummary::default(),
            remarks: Vec::new(),
            rematch: RematchState::default(),
        }
    }

    fn tell(&mut self, told: ServerEvent) {
        self.screen.send(Message::Told(Box::new(told)));
    }

    /// The server decides about a command and sends the events.
    fn decide(&mut self, by: Color, command: Command) -> Vec<Event> {
        let request = Submission::new(Timestamp(self.now), by, command);
        let Ok(Decision::Granted(events)) = self.game.decide(&request) else {
            panic!("refused: {request:?}");
        };
        self.game.evolve_all(&events);
        let at = Timestamp(self.now);
        self.tell(ServerEvent::Decided {
            events: events.clone(),
            at,
        });
        events
    }

    fn play(&mut self, text: &str) {
        let mv = self.game.read_move(text).expect("a move");
        let attempt = self.game.position().uci(mv);
        self.decide(self.game.turn(), attempt.into());
    }

    /// The last command is granted.
    fn grant(&mut self) {
        let said = self.screen.sent.last().cloned();
        self.tell(ServerEvent::Answered { said, denied: None });
    }
}

fn bea() -> Chair {
    Chair::taken("Bea")
}

#[test]
fn a_move_is_sent_and_shows_when_the_server_tells_it() {
    let mut network = Network::new(Some(Color::White), bea());
    network.screen.strike("e4<enter>");
    assert_eq!(network.screen.moves(), "", "nothing has happened yet");
    let Some(ClientCommand::Wish(Intent::Move(attempt))) = network.screen.sent.last() else {
        panic!("{:?}", network.screen.sent);
    };
    assert_eq!(attempt.to_string(), "e2e4");
    assert!(
        network.screen.words().contains("Sending e4"),
        "{}",
        network.screen.text()
    );
    network.screen.strike("d4<enter>");
    assert_eq!(network.screen.sent.len(), 1, "one move at a time");
    network.play("e4");
    network.grant();
    assert_eq!(network.screen.moves(), "e4");
    assert!(!network.screen.words().contains("Sending"));
}

#[test]
fn only_the_own_side_moves_and_an_illegal_move_does_not_leave_the_house() {
    let mut network = Network::new(Some(Color::Black), bea());
    network.screen.strike("e5<enter>");
    assert!(network.screen.sent.is_empty());
    network.play("e4");
    assert!(network.screen.words().contains("Black to move"));
    network.screen.strike("<esc>Ke7<enter>");
    assert!(network.screen.sent.is_empty(), "{:?}", network.screen.sent);
    assert!(
        network.screen.said().contains("e7"),
        "{}",
        network.screen.said()
    );
    network.screen.strike("e5<enter>");
    assert_eq!(network.screen.sent.len(), 1);
    let denied = ReceivedRefusal {
        reason: "try_again".to_owned(),
        text: "the store is full".to_owned(),
        squares: vec!["e7".to_owned()],
        ..ReceivedRefusal::default()
    };
    let said = network.screen.sent.last().cloned();
    let denied = Some(denied);
    network.tell(ServerEvent::Answered { said, denied });
    assert_eq!(network.screen.said(), "The store is full.");
    assert!(network.screen.table().evidence.any());
}

#[test]
fn what_is_typed_while_the_opponent_moves_is_kept() {
    let mut network = Network::new(Some(Color::Black), bea());
    network.screen.strike("Nf6");
    network.play("e4");
    network.screen.strike("<enter>");
    assert_eq!(network.screen.sent.len(), 1);
}

#[test]
fn what_is_typed_before_the_opponent_sits_down_is_kept() {
    let mut network = Network::new(Some(Color::White), Chair::Open);
    network.screen.strike("e4<enter>");
    assert!(network.screen.sent.is_empty());
    assert!(network.screen.said().contains("still open"));
    let name = "Bea".to_owned();
    network.decide(Color::Black, Command::Sit { name });
    network.screen.strike("<enter>");
    assert_eq!(network.screen.sent.len(), 1);
    // It makes way for another.
    let mut network = Network::new(Some(Color::White), Chair::Open);
    network.screen.strike("e4<enter>d4");
    assert_eq!(network.screen.table().line.text(), "d4");
}

#[test]
fn a_flag_falls_when_the_server_says_so_and_the_screen_sleeps_until_then() {
    let mut network = Network::new(Some(Color::White), bea());
    network.play("e4");
    network.play("e5");
    network.screen.wait(400_000);
    assert!(network.screen.table().game.ending().is_none());
    assert_eq!(
        network.screen.model.next_wakeup(),
        None,
        "no clock shows anything new"
    );
    network.now += 400_000;
    let fallen = network.game.tick(Timestamp(network.now));
    network.game.evolve_all(&fallen);
    let at = Timestamp(network.now);
    network.tell(ServerEvent::Decided { events: fallen, at });
    assert!(network.screen.table().game.flag().is_some());
    assert!(network.screen.doubted.is_none(), "the server looks");
}

#[test]
fn a_line_that_breaks_is_told_and_a_move_waits_for_it() {
    let mut network = Network::new(Some(Color::White), bea());
    network.tell(ServerEvent::Lost("the server closes".to_owned()));
    assert!(network.screen.words().contains("The line is lost"));
    network.screen.strike("e4<enter>");
    assert_eq!(network.screen.sent.len(), 1);
    network.tell(ServerEvent::Arrived(Box::new(
        network.arrival(Some(Color::White)),
    )));
    assert!(network.screen.words().contains("The line is back."));
    network.play("e4");
    network.grant();
    assert_eq!(network.screen.moves(), "e4");
}

#[test]
fn an_open_seat_shows_the_link_and_who_comes_and_goes_is_told() {
    let mut network = Network::new(Some(Color::White), Chair::Open);
    let text = network.screen.words();
    assert!(
        text.contains("Send this link: http://192.168.1.5:8000/ Ab3dE6gH"),
        "{text}"
    );
    assert!(text.contains("Black (open)"), "{text}");
    network.screen.strike("<c-v>");
    assert_eq!(network.screen.copied, ["http://192.168.1.5:8000/Ab3dE6gH"]);
    let name = "Bea".to_owned();
    network.decide(Color::Black, Command::Sit { name });
    assert!(network.screen.words().contains("Bea sits down."));
    network.tell(ServerEvent::Presence(PresenceSummary {
        black_away: Some(Timestamp(5)),
        watching: 3,
        ..PresenceSummary::default()
    }));
    let text = network.screen.words();
    assert!(
        text.contains("Bea (away)") && text.contains("3 watching"),
        "{text}"
    );
    network.play("e4");
    network.play("e5");
    network.screen.strike("gone<enter>");
    let absence = ClientCommand::Wish(Intent::ClaimAbsence { draw: false });
    assert_eq!(network.screen.sent.last(), Some(&absence));
}

#[test]
fn players_talk_and_their_words_ask_for_nothing() {
    let mut network = Network::new(Some(Color::White), bea());
    network.screen.strike("say how are you?<enter>");
    let words = ClientCommand::Remark("how are you?".to_owned());
    assert_eq!(network.screen.sent.last(), Some(&words));
    network.grant();
    network.tell(ServerEvent::Chat(ChatMessage {
        number: 1,
        name: "Bea".to_owned(),
        text: "fine, and you?".to_owned(),
    }));
    assert_eq!(network.screen.said(), "Bea: fine, and you?");
    network.screen.strike("<esc>");
    assert!(
        network.screen.words().contains("Bea: fine"),
        "it stays beside the board"
    );
    network.screen.strike("<c-k>ok<enter>");
    assert_eq!(
        network.screen.sent.last(),
        Some(&ClientCommand::Remark("ok".to_owned()))
    );
}

#[test]
fn offers_are_answered_by_whom_they_are_made_to() {
    let mut network = Network::new(Some(Color::White), bea());
    network.play("e4");
    network.play("e5");
    network.decide(Color::White, Command::OfferDraw);
    network.screen.strike("y");
    assert!(network.screen.sent.is_empty(), "one's own offer");
    network.screen.strike("<esc>");
    assert!(network.screen.words().contains("Black has not answered"));
    network.decide(Color::Black, Command::DeclineDraw);
    network.decide(Color::Black, Command::OfferDraw);
    network.screen.strike("y");
    assert_eq!(
        network.screen.sent.last(),
        Some(&ClientCommand::Wish(Intent::Accept(None)))
    );
}

#[test]
fn who_watches_can_do_nothing_but_look_and_leave() {
    let mut network = Network::new(None, bea());
    network.play("e4");
    network.screen.strike("e5<enter>");
    network.screen.strike("<esc><c-r>");
    assert!(network.screen.table().dialog.is_none());
    assert!(network.screen.sent.is_empty(), "{:?}", network.screen.sent);
    network.screen.strike("<c-q>");
    assert!(network.screen.is_over, "nobody is asked twice");
}

#[test]
fn a_rematch_is_asked_for_answered_and_followed() {
    let mut network = Network::new(Some(Color::White), bea());
    network.decide(Color::Black, Command::Resign);
    network.screen.strike("r");
    assert_eq!(network.screen.sent, [ClientCommand::Rematch]);
    network.grant();
    let offer = Some(Color::White);
    network.tell(ServerEvent::Rematch(RematchState { offer, game: None }));
    assert!(network.screen.words().contains("Bea has not answered"));
    let game = Some("Zz9yX8wV".to_owned());
    network.tell(ServerEvent::Rematch(RematchState { offer: None, game }));
    assert_eq!(
        network.screen.joined[0].to_string(),
        "http://192.168.1.5:8000/Zz9yX8wV"
    );
    let mut other = Network::new(Some(Color::Black), bea());
    other.decide(Color::Black, Command::Resign);
    other.tell(ServerEvent::Rematch(RematchState { offer, game: None }));
    assert!(other.screen.words().contains("Anna wants to play again"));
    other.screen.strike("l<c-n>");
    assert_eq!(other.screen.sent, [ClientCommand::NoRematch]);
}

#[test]
fn nobody_is_taken_along_from_a_running_game_or_from_table_to_table() {
    let rematch = || {
        ServerEvent::Rematch(RematchState {
            offer: None,
            game: Some("Zz9yX8wV".to_owned()),
        })
    };
    let mut network = Network::new(Some(Color::White), bea());
    network.tell(rematch());
    assert!(network.screen.joined.is_empty(), "the game runs");
    network.decide(Color::Black, Command::Resign);
    network.tell(rematch());
    assert_eq!(network.screen.joined.len(), 1);
    // The next game is over as well, and names another at once.
    network.link = "http://192.168.1.5:8000/Zz9yX8wV".parse().expect("a link");
    let arrival = network.arrival(Some(Color::White));
    network.tell(ServerEvent::Arrived(Box::new(arrival)));
    network.tell(rematch());
    assert_eq!(network.screen.joined.len(), 1);
    assert!(network.screen.words().contains("rematch leads there"));
    network.screen.wait(3_000);
    network.tell(rematch());
    assert_eq!(network.screen.joined.len(), 2);
}

#[test]
fn leaving_says_what_becomes_of_the_game() {
    let mut network = Network::new(Some(Color::White), bea());
    network.screen.strike("<c-q>");
    assert!(
        network.screen.words().contains("The game goes on"),
        "{}",
        network.screen.text()
    );
    network.screen.strike("n<c-r>");
    assert!(network.screen.words().contains("Does White resign?"));
    network.screen.strike("y");
    assert_eq!(network.screen.sent, [ClientCommand::Wish(Intent::Resign)]);
}

#[test]
fn the_start_screen_hosts_and_joins() {
    let mut start = Seat::at_start(80, 24);
    start.strike("<up><up><up><up>nonsense<enter>");
    assert!(
        start.words().contains("is not the link of a table"),
        "{}",
        start.text()
    );
    start.strike("<esc>http://127.0.0.1:8000/Ab3dE6gH<enter>");
    assert_eq!(start.joined[0].game(), "Ab3dE6gH");
    start.tell_over("127.0.0.1:8000 cannot be reached");
    assert!(start.words().contains("cannot be reached"));
    start.strike("<up><enter>");
    assert_eq!(
        start.proposed.as_ref().map(|proposal| proposal.side),
        Some(SideRequest::White)
    );
}
