//! SQL for lists of games, chat and heartbeats.

use rusqlite::{Connection, OptionalExtension, Result, ToSql, params};

use crate::sqlite::games;
use crate::{
    ChatLine, ChatRoom, GameCursor, GameId, GamePage, GameQuery, Heartbeat, Holder, Moment,
    NewChatLine, game_list_sql, limits,
};

/// SQLite does not reorder the tables of a CROSS JOIN.
pub(super) const JOIN_SQL: &str = "CROSS JOIN";

/// See [`Store::list_games`](crate::Store::list_games).
pub(super) fn games(
    db: &Connection,
    query: &GameQuery,
    after: Option<GameCursor>,
    limit: usize,
) -> Result<GamePage> {
    if limit == 0 {
        return Ok(GamePage {
            games: Vec::new(),
            next: after,
        });
    }
    let (created, id) = game_list_sql::from(after);
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
    let games = db
        .prepare_cached(&game_list_sql::statement(query, JOIN_SQL))?
        .query_map(values.as_slice(), games::game_row)?
        .collect::<Result<Vec<_>>>()?;
    Ok(game_list_sql::page(games, limit))
}

/// See [`Store::add_chat_line`](crate::Store::add_chat_line).
pub(super) fn say(db: &Connection, line: &NewChatLine) -> Result<Option<u64>> {
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
            number.saturating_sub(limits::MAX_CHAT_LINES)
        ])?;
    Ok(Some(number))
}

/// See [`Store::chat_lines`](crate::Store::chat_lines).
pub(super) fn chat(
    db: &Connection,
    game: GameId,
    room: ChatRoom,
    after: u64,
    limit: usize,
) -> Result<Vec<ChatLine>> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    db.prepare_cached(
        "SELECT chat.number, chat.at, chat.name, chat.person, chat.text
         FROM games JOIN chat ON chat.game = games.key
         WHERE games.id = ?1 AND chat.room = ?2 AND chat.number > ?3 ORDER BY chat.number LIMIT ?4",
    )?
    .query_map(params![game, room, after, limit], |row| {
        Ok(ChatLine {
            number: row.get(0)?,
            at: row.get(1)?,
            name: row.get(2)?,
            person: row.get(3)?,
            text: row.get(4)?,
        })
    })?
    .collect()
}

/// See [`Store::heartbeat`](crate::Store::heartbeat).
pub(super) fn beat(db: &Connection, at: Moment) -> Result<Heartbeat> {
    let before = db
        .prepare_cached("SELECT at FROM heartbeat WHERE one = 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    db.prepare_cached(
        "INSERT INTO heartbeat (one, at) VALUES (1, ?1)
         ON CONFLICT (one) DO UPDATE SET at = max(at, ?1)",
    )?
    .execute([at])?;
    Ok(Heartbeat { at, before })
}
