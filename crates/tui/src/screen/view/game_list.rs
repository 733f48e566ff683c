//! The game list: who played, with what result, when and where, as wide as the window allows.

use ratatui::Frame;
use ratatui::layout::{Alignment, Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::library::Statistics;
use crate::screen::appearance::Appearance;
use crate::screen::game_list::{GameList, GameListEntry};
use crate::screen::model::Model;
use crate::screen::view::{cut, end_of, longest_fitting};

/// Rows above the games: the title and the column names, each with an empty row.
const HEADER_ROWS: u16 = 3;
/// Rows below: an empty one, the search text, the key hints.
const FOOTER_ROWS: u16 = 3;
/// The largest width of the list.
const MAX_LIST_WIDTH: u16 = 110;

/// How many games fit into a window.
pub(in crate::screen) fn games_shown(window: Size) -> isize {
    let rows = window
        .height
        .saturating_sub(HEADER_ROWS + FOOTER_ROWS)
        .max(1);
    rows.cast_signed().into()
}

/// The columns of the list.
struct GameListColumns {
    number: usize,
    name: usize,
    date: bool,
    event: usize,
}

impl GameListColumns {
    fn new(contents: &GameList, width: u16) -> GameListColumns {
        let width = usize::from(width);
        let number = contents.collection().list().len().to_string().len().max(3);
        let date = width >= 60;
        // The selection pointer, and two columns between neighbouring values.
        let fixed = 2 + number + 2 + 2 + 2 + RESULT_WIDTH + if date { 2 + DATE_WIDTH } else { 0 };
        let room = width.saturating_sub(fixed);
        let is_library = contents.collection().is_library();
        let event = match room {
            room if room > 60 => room - 50,
            room if is_library && room > 40 => room - 24,
            _ => 0,
        };
        let name = (room - event) / 2;
        GameListColumns {
            number,
            name,
            date,
            event: event.saturating_sub(2),
        }
    }

    fn row(&self, look: &Appearance, number: &str, game: [&str; 5]) -> String {
        let ellipsis = look.glyph("…", "~");
        let [white, black, result, date, event] = game;
        let name = |name: &str| padded(name, self.name, ellipsis);
        let mut row = format!(
            "{number:>width$}  {}  {}  {result:<RESULT_WIDTH$}",
            name(white),
            name(black),
            width = self.number,
        );
        if self.date {
            row += &format!("  {date:<DATE_WIDTH$}");
        }
        if self.event > 0 {
            row += &format!("  {}", padded(event, self.event, ellipsis));
        }
        row
    }
}

/// The widths of a result and of a date.
const RESULT_WIDTH: usize = 7;
const DATE_WIDTH: usize = 10;

/// A text cut or padded to a width.
fn padded(text: &str, width: usize, ellipsis: &str) -> String {
    let text = cut(text, u16::try_from(width).unwrap_or(u16::MAX), ellipsis);
    let missing = width.saturating_sub(text.width());
    text + &" ".repeat(missing)
}

fn area(window: Size) -> Rect {
    let width = window.width.min(MAX_LIST_WIDTH);
    Rect::new((window.width - width) / 2, 0, width, window.height)
}

/// The index, among the shown games, of the one in the first row.
fn first(contents: &GameList, window: Size) -> usize {
    let rows = games_shown(window).unsigned_abs();
    let most = contents.found().len().saturating_sub(rows);
    contents.place().saturating_sub(rows / 2).min(most)
}

/// Draws the list.
pub(super) fn draw(model: &Model, contents: &GameList, frame: &mut Frame<'_>) {
    let look = &model.look;
    let window = frame.area().as_size();
    let area = area(window);
    let row = |y: u16| Rect::new(area.x, y, area.width, 1);
    draw_title(model, contents, row(0), frame);
    let columns = GameListColumns::new(contents, area.width);
    if let Some(scrolled) = contents.statistics {
        return draw_statistics(model, contents, scrolled, area, frame);
    }
    let remark = match contents.collection().is_library() {
        true => "Variant, ending",
        false => "Event",
    };
    let names = columns.row(look, "", ["White", "Black", "Result", "Date", remark]);
    frame.render_widget(Line::styled(format!("  {names}"), look.muted()), row(2));
    let first = first(contents, window);
    let rows = games_shown(window).unsigned_abs();
    let games = contents.found().enumerate().skip(first).take(rows);
    for (y, (place, (number, listed))) in (HEADER_ROWS..).zip(games) {
        let is_chosen = place == contents.place();
        let GameListEntry {
            white, black, date, ..
        } = listed;
        let remark = match contents.collection().is_library() {
            true => listed.remark(),
            false => listed.event.clone(),
        };
        let game = [white, black, listed.result, date, &remark];
        let words = columns.row(look, &(number + 1).to_string(), game);
        let (pointer, style) = match is_chosen {
            true => (
                look.glyph("▶ ", "> "),
                look.accent().add_modifier(Modifier::REVERSED),
            ),
            false => ("  ", Style::new()),
        };
        let words = vec![
            Span::styled(pointer, look.accent()),
            Span::styled(words, style),
        ];
        frame.render_widget(Line::from(words), row(y));
    }
    let line = row(window.height - 2);
    draw_search(model, contents, line, frame);
    draw_keys(model, contents, row(window.height - 1), frame);
    let typed = contents
        .export
        .as_ref()
        .map_or(contents.wanted().width(), |path| {
            EXPORT_PROMPT.width() + path.width()
        });
    let typed = u16::try_from(typed).unwrap_or(u16::MAX);
    let caret = (line.x + 2).saturating_add(typed).min(line.right() - 1);
    frame.set_cursor_position(Position::new(caret, line.y));
}

fn draw_title(model: &Model, contents: &GameList, area: Rect, frame: &mut Frame<'_>) {
    let (found, all) = (contents.found().len(), contents.collection().list().len());
    let count = match found == all {
        true if all == 1 => "1 game".to_owned(),
        true => format!("{all} games"),
        false => format!("{found} of {all} games"),
    };
    let brand = "touchmove";
    frame.render_widget(Span::styled(brand, model.look.accent()), area);
    let dot = model.look.glyph(" · ", " - ");
    let room = area
        .width
        .saturating_sub((brand.len() + 2 + 3 + count.len()) as u16);
    let name = contents.collection().name();
    let title = format!(
        "{}{dot}{count}",
        end_of(name, room, model.look.glyph("…", "~"))
    );
    frame.render_widget(Line::raw(title).alignment(Alignment::Right), area);
}

fn draw_search(model: &Model, contents: &GameList, area: Rect, frame: &mut Frame<'_>) {
    let look = &model.look;
    let prompt = Span::styled(look.glyph("› ", "> "), look.accent());
    let ellipsis = look.glyph("…", "~");
    let room = area.width.saturating_sub(2);
    let words = match (&contents.notice, contents.wanted()) {
        _ if contents.export.is_some() => {
            let path = contents.export.as_deref().unwrap_or_default();
            let style = Style::new().add_modifier(Modifier::BOLD);
            Span::styled(
                end_of(&format!("{EXPORT_PROMPT}{path}"), room, ellipsis),
                style,
            )
        }
        (Some(notice), _) => Span::styled(cut(notice, room, ellipsis), look.alarm()),
        (None, "") => {
            let hints = [
                "Type to find a name, an event or a date",
                "Type to find a name or a date",
            ];
            Span::styled(longest_fitting(hints, room), look.muted())
        }
        (None, wanted) => {
            let style = Style::new().add_modifier(Modifier::BOLD);
            Span::styled(wanted.to_owned(), style)
        }
    };
    frame.render_widget(Line::from(vec![prompt, words]), area);
}

/// The prompt for the path of an export.
const EXPORT_PROMPT: &str = "Export to: ";

/// Draws the statistics of the shown games, scrolled.
fn draw_statistics(
    model: &Model,
    contents: &GameList,
    scrolled: u16,
    area: Rect,
    frame: &mut Frame<'_>,
) {
    let statistics = Statistics::of(contents.found().map(|(_, listed)| listed)).to_string();
    let lines: Vec<&str> = statistics.lines().collect();
    let room = area.height.saturating_sub(4);
    let most = lines.len().saturating_sub(usize::from(room));
    let first = usize::from(scrolled).min(most);
    for (y, line) in (2..).zip(lines.into_iter().skip(first).take(usize::from(room))) {
        let line = cut(line, area.width, model.look.glyph("…", "~"));
        frame.render_widget(Line::raw(line), Rect::new(area.x, y, area.width, 1));
    }
    let keys = Line::styled(
        "Up and down scroll; any other key: the list",
        model.look.muted(),
    );
    frame.render_widget(keys, Rect::new(area.x, area.height - 1, area.width, 1));
}

fn draw_keys(model: &Model, contents: &GameList, area: Rect, frame: &mut Frame<'_>) {
    let look = &model.look;
    let mut keys = vec![("Enter", "look through"), ("Esc", "back"), ("?", "help")];
    if contents.collection().is_library() {
        keys.extend([("Del", "delete"), ("^S", "export"), ("F2", "statistics")]);
    }
    let words = keys.into_iter().flat_map(|(key, does)| {
        [
            Span::styled(key, look.accent()),
            Span::styled(format!(" {does}  "), look.muted()),
        ]
    });
    frame.render_widget(words.collect::<Line<'_>>(), area);
}

/// The index, among the shown games, of the one at a cell.
pub(in crate::screen) fn game_at(
    contents: &GameList,
    window: Size,
    cell: Position,
) -> Option<usize> {
    let row = usize::from(cell.y.checked_sub(HEADER_ROWS)?);
    let place = first(contents, window) + row;
    let is_inside = area(window).contains(cell) && row < games_shown(window).unsigned_abs();
    (is_inside && place < contents.found().len()).then_some(place)
}
