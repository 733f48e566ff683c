//! SQL of the lists of games, shared by all stores. It only builds statements.

use crate::{GameCursor, GamePage, GameQuery, GameRow, Holder, Moment};

/// The columns of a game in lists. The plies of a running game are read from its newest decision, because a
/// move does not write the game's row.
pub(crate) const GAME_COLUMNS: &str = "games.id, games.created, games.variant, games.source, games.public, \
     games.white_name, games.white_person, games.black_name, games.black_person, games.phase, games.status, \
     games.result, CASE WHEN games.phase = 1 THEN coalesce((SELECT newest.plies FROM decisions AS newest \
     WHERE newest.game = games.key ORDER BY newest.seq DESC LIMIT 1), games.plies) ELSE games.plies END AS plies, \
     games.last_activity";

/// The statement for a query: an index scan for each phase and each seat that is asked for, whose first rows
/// are merged. So a page costs the same however many games there are.
///
/// Its parameters are `:created`, `:id`, `:limit`, and if they are asked for `:person`, `:holder`, `:variant`
/// and `:phase`. The tables have the same columns in every store. `join` is the join operator with which the
/// store scans the seats of a holder and looks up each game, never the other way round.
pub(crate) fn statement(query: &GameQuery, join: &str) -> String {
    let (from, phase_of, [created, id]) = match query.holder {
        Some(_) => (
            format!("seats {join} games ON games.key = seats.game"),
            "game_phase",
            ["game_created", "game_id"],
        ),
        None => ("games".to_owned(), "phase", ["created", "id"]),
    };
    let seats: &[&str] = match (query.holder, query.person) {
        (Some(Holder::Person(_)), _) => &[
            "seats.person = :holder AND seat = 0 AND ",
            "seats.person = :holder AND seat = 1 AND ",
        ],
        (Some(Holder::Guest(_)), _) => &[
            "seats.guest = :holder AND seat = 0 AND ",
            "seats.guest = :holder AND seat = 1 AND ",
        ],
        (None, Some(_)) => &["white_person = :person AND ", "black_person = :person AND "],
        (None, None) => &[""],
    };
    let mut only = String::new();
    if query.holder.is_some() && query.person.is_some() {
        only += ":person IN (white_person, black_person) AND ";
    }
    if query.variant.is_some() {
        only += "variant = :variant AND ";
    }
    if query.public {
        only += "public AND ";
    }
    let phases: &[&str] = match query.phase {
        Some(_) => &[":phase"],
        None => &["0", "1", "2"],
    };
    let mut walks = Vec::new();
    for seat in seats {
        for phase in phases {
            walks.push(format!(
                "SELECT * FROM (SELECT {GAME_COLUMNS} FROM {from} WHERE {seat}{only}{phase_of} = {phase} \
                 AND ({created}, {id}) < (:created, :id) ORDER BY {created} DESC, {id} DESC LIMIT :limit) \
                 AS walk",
            ));
        }
    }
    // A player may have both seats of a game: UNION lists that game once.
    format!(
        "{} ORDER BY 2 DESC, 1 DESC LIMIT :limit",
        walks.join(" UNION ")
    )
}

/// The parameters `:created` and `:id` of a page that begins after this cursor.
pub(crate) fn from(after: Option<GameCursor>) -> (Moment, String) {
    // Ids are letters and digits, and the tilde sorts after all of them.
    let first = (Moment(i64::MAX), "~".to_owned());
    after.map_or(first, |after| (after.created, after.id.to_string()))
}

/// A page of these games. The query asked for one more than `limit`, which shows whether there is a next page.
pub(crate) fn page(mut games: Vec<GameRow>, limit: usize) -> GamePage {
    let is_last = games.len() <= limit;
    games.truncate(limit);
    let next = games.last().filter(|_| !is_last).map(GameRow::cursor);
    GamePage { games, next }
}
