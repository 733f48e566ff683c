//! The statements for lists of games, for chat, and for signs of life. Nothing here changes a game.

use rusqlite::{Connection, OptionalExtension, Result, ToSql, params};

use super::games;
use crate::{Beat, Cursor, GameId, Holder, Line, Moment, NewLine, Page, Query, Room, limits};

/// The statement for a query: a walk down one index for each phase and each seat that is asked for, and
/// their first rows merged. So a page costs the same however many games there are.
pub(super) fn statement(query: &Query) -> String {
    // A walk over the seats of a holder looks up each game, never the other way round: CROSS JOIN.
    let (from, phase_of, place) = match query.holder {
        Some(_) => (
            "seats CROSS JOIN games ON games.key = seats.game",
            "game_phase",
            ["game_created", "game_id"],
        ),
        None => ("games", "phase", ["created", "id"]),
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
        only += "public = 1 AND ";
    }
    let phases: &[&str] = match query.phase {
        Some(_) => &[":phase"],
        None => &["0", "1", "2"],
    };
    let [created, id] = place;
    let mut walks = Vec::new();
    for seat in seats {
        for phase in phases {
            walks.push(format!(
                "SELECT * FROM (SELECT {} FROM {from} WHERE {seat}{only}{phase_of} = {phase} \
                 AND ({created}, {id}) < (:created, :id) ORDER BY {created} DESC, {id} DESC LIMIT :limit)",
                games::COLUMNS
            ));
        }
    }
    // A player may sit on both sides of a board: UNION lists that game once.
    format!(
        "{} ORDER BY 2 DESC, 1 DESC LIMIT :limit",
        walks.join(" UNION ")
    )
}

/// See [`Store::games`](crate::Store::games).
pub(super) fn games(
    db: &Connection,
    query: &Query,
    after: Option<Cursor>,
    limit: usize,
) -> Result<Page> {
    if limit == 0 {
        return Ok(Page {
            games: Vec::new(),
            next: after,
        });
    }
    // Ids are letters and digits: the tilde comes after all of them.
    let first = (Moment(i64::MAX), "~".to_owned());
    let (created, id) = after.map_or(first, |after| (after.created, after.id.to_string()));
    // One more than asked for tells whether there is another page.
    let limit_and_one = limit + 1;
    let mut values: Vec<(&str, &dyn ToSql)> = vec![
        (":created", &created),
        (":id", &id),
        (":limit", &limit_and_one),
    ];
    match &query.holder {
        Some(Holder::Person(person)) => values.push((":holder", person)),
        Some(Holder::Guest(guest)) => values.push((":holder", guest)),
        None => {}
    }
    if let Some(person) = &query.person {
        values.push((":person", person));
    }
    if let Some(variant) = &query.variant {
        values.push((":variant", variant));
    }
    if let Some(phase) = &query.phase {
        values.push((":phase", phase));
    }
    let mut games = db
        .prepare_cached(&statement(query))?
        .query_map(values.as_slice(), games::game_row)?
        .collect::<Result<Vec<_>>>()?;
    let is_last = games.len() <= limit;
    games.truncate(limit);
    let next = games
        .last()
        .filter(|_| !is_last)
        .map(crate::GameRow::cursor);
    Ok(Page { games, next })
}

/// See [`Store::say`](crate::Store::say).
pub(super) fn say(db: &Connection, line: &NewLine) -> Result<Option<u64>> {
    let Some(key) = games::key(db, line.game)? else {
        return Ok(None);
    };
    let last: Option<u64> = db
        .prepare_cached("SELECT max(number) FROM chat WHERE game = ?1 AND room = ?2")?
        .query_row(params![key, line.room], |row| row.get(0))?;
    let number = last.unwrap_or(0) + 1;
    db.prepare_cached(
        "INSERT INTO chat (game, room, number, at, name, person, text)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        key,
        line.room,
        number,
        line.at,
        line.name,
        line.person,
        line.text
    ])?;
    db.prepare_cached("DELETE FROM chat WHERE game = ?1 AND room = ?2 AND number <= ?3")?
        .execute(params![
            key,
            line.room,
            number.saturating_sub(limits::LINES)
        ])?;
    Ok(Some(number))
}

/// See [`Store::chat`](crate::Store::chat).
pub(super) fn chat(
    db: &Connection,
    game: GameId,
    room: Room,
    after: u64,
    limit: usize,
) -> Result<Vec<Line>> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    db.prepare_cached(
        "SELECT chat.number, chat.at, chat.name, chat.person, chat.text
         FROM games JOIN chat ON chat.game = games.key
         WHERE games.id = ?1 AND chat.room = ?2 AND chat.number > ?3 ORDER BY chat.number LIMIT ?4",
    )?
    .query_map(params![game, room, after, limit], |row| {
        Ok(Line {
            number: row.get(0)?,
            at: row.get(1)?,
            name: row.get(2)?,
            person: row.get(3)?,
            text: row.get(4)?,
        })
    })?
    .collect()
}

/// See [`Store::beat`](crate::Store::beat).
pub(super) fn beat(db: &Connection, at: Moment) -> Result<Beat> {
    let before = db
        .prepare_cached("SELECT at FROM heartbeat WHERE one = 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    db.prepare_cached(
        "INSERT INTO heartbeat (one, at) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET at = ?1",
    )?
    .execute([at])?;
    Ok(Beat { at, before })
}
