//! Two players at a simulated screen: keys and clicks go in, drawn screens come out. Uses no terminal.

use std::path::PathBuf;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};
use touchmove_client::{ClientCommand, NewTable, ServerEvent, TableLink};
use touchmove_game::position_status::DeadProof;
use touchmove_game::{
    AnalysisAnswer, AnalysisKind, AnalysisQuestion, AnalysisResult, Budget, Game, Players, Terms,
    Timestamp,
};
use touchmove_rules::{AnyPosition, Square, Variant};
use touchmove_tui::opponents::{CoachRequest, ComputerTask};
use touchmove_tui::screen::{
    ActiveScreen, Effect, GameScreen, Layout, Message, Model, NewGameForm, StartScreen, update,
    view,
};

/// A screen, and all effects so far.
pub struct Seat {
    pub model: Model,
    pub now: u64,
    pub journal: String,
    pub copied: Vec<String>,
    pub saved: Vec<(String, String)>,
    pub doubted: Option<AnalysisQuestion>,
    pub sent: Vec<ClientCommand>,
    pub joined: Vec<TableLink>,
    pub proposed: Option<NewTable>,
    pub asked: Vec<ComputerTask>,
    pub coached: Vec<CoachRequest>,
    pub is_hushed: bool,
    pub paints: usize,
    pub shelved: Vec<Game>,
    pub rings: usize,
    pub changed: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    pub touched: Vec<PathBuf>,
    pub is_suspended: bool,
    pub is_over: bool,
}

impl Seat {
    /// At the start screen.
    pub fn at_start(columns: u16, rows: u16) -> Seat {
        let start = StartScreen::new(NewGameForm::default(), None);
        Seat::before(Model::new(
            Size::new(columns, rows),
            ActiveScreen::Start(Box::new(start)),
        ))
    }

    /// In a game from the usual start.
    pub fn at(variant: Variant, columns: u16, rows: u16) -> Seat {
        Seat::with(Terms::of(variant), columns, rows)
    }

    /// In a game of chess from this position, in a window of the usual size.
    pub fn from_fen(fen: &str) -> Seat {
        Seat::from_fen_of(Variant::Chess, fen)
    }

    pub fn from_fen_of(variant: Variant, fen: &str) -> Seat {
        let start = AnyPosition::from_fen(fen, variant).expect("a position");
        Seat::with(Terms::from(start), 80, 24)
    }

    pub fn with(terms: Terms, columns: u16, rows: u16) -> Seat {
        let game = Game::begin(terms, Players::default(), Timestamp(0));
        Seat::at_game(game, columns, rows)
    }

    pub fn at_game(game: Game, columns: u16, rows: u16) -> Seat {
        let table = GameScreen::new(game, Timestamp(0));
        Seat::before(Model::new(
            Size::new(columns, rows),
            ActiveScreen::Table(Box::new(table)),
        ))
    }

    fn before(model: Model) -> Seat {
        Seat {
            model,
            now: 0,
            journal: String::new(),
            copied: Vec::new(),
            saved: Vec::new(),
            doubted: None,
            sent: Vec::new(),
            joined: Vec::new(),
            proposed: None,
            asked: Vec::new(),
            coached: Vec::new(),
            is_hushed: false,
            paints: 0,
            shelved: Vec::new(),
            rings: 0,
            changed: Vec::new(),
            touched: Vec::new(),
            is_suspended: false,
            is_over: false,
        }
    }

    pub fn send(&mut self, message: Message) {
        let mut found = None;
        for effect in update(&mut self.model, Timestamp(self.now), message) {
            match effect {
                Effect::Draw => self.paints += 1,
                Effect::Begin(lines) => self.journal = lines,
                Effect::Record(lines) => self.journal += &lines,
                Effect::Copy(text) => self.copied.push(text),
                Effect::Save { name, pgn } => self.saved.push((name, pgn)),
                Effect::LookLonger(question) => {
                    self.doubted = Some(*question);
                    // The meaning of a fallen flag is analysed at once here.
                    if matches!(question.about, AnalysisKind::Flag(_)) {
                        let finding = question.answer(Budget::default());
                        found = Some(Message::LookedInto(Box::new(finding)));
                    }
                }
                Effect::Say { say, .. } => self.sent.push(say),
                Effect::Join { link, .. } => self.joined.push(link),
                Effect::Host(proposal) => self.proposed = Some(*proposal),
                Effect::Think(task) => self.asked.push(*task),
                Effect::Coach(wanted) => self.coached.push(*wanted),
                Effect::HushCoach => self.is_hushed = true,
                Effect::SaveAs { path, pgn } => self.saved.push((path, pgn)),
                Effect::Shelve(game) | Effect::PutIn(game) => self.shelved.push(*game),
                Effect::Ring => self.rings += 1,
                Effect::Change { game, text, .. } => self.changed.push((game, text)),
                Effect::Resume(path) | Effect::Discard(path) => self.touched.push(path),
                Effect::Suspend => self.is_suspended = true,
                Effect::Open(_) | Effect::OpenSaved | Effect::Seek | Effect::Part => {}
                Effect::Quit => self.is_over = true,
            }
        }
        if let Some(found) = found {
            self.send(found);
        }
    }

    /// Reports that the table cannot be reached.
    pub fn tell_over(&mut self, why: &str) {
        self.send(Message::Told(Box::new(ServerEvent::Over(why.to_owned()))));
    }

    /// Reports this proof as the result of the analysis.
    pub fn prove_dead(&mut self, question: AnalysisQuestion, proof: DeadProof) {
        let answer = AnalysisAnswer::Unwinnable(proof);
        let finding = AnalysisResult { question, answer };
        self.send(Message::LookedInto(Box::new(finding)));
    }

    /// Sends keys: letters as they are, others as `<enter>`, `<c-d>`, `<left>`.
    pub fn strike(&mut self, keys: &str) -> &mut Seat {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let (key, len) = match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                Some((name, _)) => (named(name), name.len() + 2),
                None => (
                    KeyEvent::new(KeyCode::Char(first), KeyModifiers::NONE),
                    first.len_utf8(),
                ),
            };
            self.send(Message::Key(key));
            rest = &rest[len..];
        }
        self
    }

    /// Plays moves by typing them.
    pub fn play(&mut self, moves: &str) -> &mut Seat {
        for word in moves.split_whitespace() {
            self.strike(&format!("{word}<enter>"));
        }
        self
    }

    pub fn wait(&mut self, millis: u64) -> &mut Seat {
        self.now += millis;
        self.send(Message::Time);
        self
    }

    fn mouse(&mut self, kind: MouseEventKind, cell: Position) {
        let (column, row) = (cell.x, cell.y);
        let modifiers = KeyModifiers::NONE;
        self.send(Message::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers,
        }));
    }

    pub fn cell_of(&self, square: Square) -> Position {
        let layout = Layout::of(self.model.size).expect("a layout");
        layout.board(self.table().near).middle(square)
    }

    pub fn point(&mut self, square: Square) -> &mut Seat {
        self.mouse(MouseEventKind::Moved, self.cell_of(square));
        self
    }

    pub fn click_cell(&mut self, cell: Position) -> &mut Seat {
        self.mouse(MouseEventKind::Down(MouseButton::Left), cell);
        self.mouse(MouseEventKind::Up(MouseButton::Left), cell);
        self
    }

    pub fn click(&mut self, square: Square) -> &mut Seat {
        self.click_cell(self.cell_of(square))
    }

    pub fn drag(&mut self, from: Square, to: Square) -> &mut Seat {
        let (from, to) = (self.cell_of(from), self.cell_of(to));
        self.mouse(MouseEventKind::Down(MouseButton::Left), from);
        self.mouse(MouseEventKind::Drag(MouseButton::Left), to);
        self.mouse(MouseEventKind::Up(MouseButton::Left), to);
        self
    }

    pub fn table(&self) -> &GameScreen {
        self.model.table().expect("a game on the screen")
    }

    /// The moves so far.
    pub fn moves(&self) -> String {
        let sans: Vec<&str> = self
            .table()
            .game
            .plies()
            .iter()
            .map(|ply| ply.san.as_str())
            .collect();
        sans.join(" ")
    }

    /// The last message to the players.
    pub fn said(&self) -> String {
        self.table()
            .notice
            .as_ref()
            .map(|notice| notice.text.clone())
            .unwrap_or_default()
    }

    fn painted(&self) -> Terminal<TestBackend> {
        let Size { width, height } = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        terminal
            .draw(|frame| view(&self.model, frame))
            .expect("a picture");
        terminal
    }

    /// The cells on the screen.
    pub fn buffer(&self) -> Buffer {
        self.painted().backend().buffer().clone()
    }

    /// The letters on the screen.
    pub fn text(&self) -> String {
        let terminal = self.painted();
        rows(&terminal, |cell| cell.symbol().to_owned())
    }

    /// The words on the screen, however they are wrapped: as they stand, and again those beside the board and those
    /// of the whole screen joined to one line each.
    pub fn words(&self) -> String {
        let text = self.text();
        let panel = Layout::of(self.model.size).map_or(0, |layout| layout.status.x);
        let beside = |row: &str| row.chars().skip(usize::from(panel)).collect::<String>();
        // Borders are not words.
        let bare = |rows: String| rows.replace(['│', '╭', '╮', '╰', '╯', '─'], " ");
        let in_one = |rows: String| {
            let rows = bare(rows);
            rows.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let panel = text.lines().map(beside).collect::<Vec<_>>().join(" ");
        format!("{}\n{}\n{text}", in_one(panel), in_one(text.clone()))
    }

    /// The letters on the screen, and below them a sign for the style of each cell, with a legend.
    pub fn picture(&self) -> String {
        let mut terminal = self.painted();
        let cursor = terminal.get_cursor_position().expect("a cursor");
        let mut legend: Vec<String> = Vec::new();
        let styles = rows(&terminal, |cell| {
            let style = style_of(cell);
            if style.is_empty() {
                return " ".to_owned();
            }
            let at = legend
                .iter()
                .position(|known| *known == style)
                .unwrap_or_else(|| {
                    legend.push(style);
                    legend.len() - 1
                });
            sign(at).to_string()
        });
        let text = rows(&terminal, |cell| cell.symbol().to_owned());
        let legend: Vec<String> = legend
            .iter()
            .enumerate()
            .map(|(at, style)| format!("{} {style}", sign(at)))
            .collect();
        format!("{text}\ncursor {cursor}\n{styles}\n{}\n", legend.join("\n"))
    }

    /// Where the cursor is.
    pub fn cursor(&self) -> Position {
        self.painted().get_cursor_position().expect("a cursor")
    }

    /// The style of the centre cell of a square.
    pub fn style_at(&self, square: Square) -> String {
        style_of(&self.painted().backend().buffer()[self.cell_of(square)])
    }
}

fn rows(terminal: &Terminal<TestBackend>, mut show: impl FnMut(&Cell) -> String) -> String {
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let row: String = (0..buffer.area.width)
            .map(|x| show(&buffer[(x, y)]))
            .collect();
        text += row.trim_end();
        text.push('\n');
    }
    text
}

fn sign(at: usize) -> char {
    let signs = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    signs.chain('Α'..='ω').nth(at).unwrap_or('?')
}

fn style_of(cell: &Cell) -> String {
    let mut words = Vec::new();
    if cell.fg != Color::Reset {
        words.push(format!("{}", cell.fg));
    }
    if cell.bg != Color::Reset {
        words.push(format!("on {}", cell.bg));
    }
    if cell.modifier != Modifier::empty() {
        words.push(format!("{:?}", cell.modifier));
    }
    words.join(" ")
}

fn named(name: &str) -> KeyEvent {
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "back" => KeyCode::Backspace,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "f1" => KeyCode::F(1),
        "f2" => KeyCode::F(2),
        "f3" => KeyCode::F(3),
        "f4" => KeyCode::F(4),
        "del" => KeyCode::Delete,
        _ => {
            let letter = name.strip_prefix("c-").and_then(|rest| rest.chars().next());
            let letter = letter.unwrap_or_else(|| panic!("no key is called {name}"));
            return KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        }
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}
