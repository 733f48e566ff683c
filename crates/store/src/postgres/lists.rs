//! SQL for lists of games, chat and heartbeats.

use std::sync::Arc;

use crate::postgres::append::LOCK_GAMES_SQL;
use crate::postgres::batch_writer::BatchedWrite;
use crate::postgres::columns::{QueryError, StoredAsNumber, bounded, column, count};
use crate::postgres::connection_pool::{BEGIN_WRITE_SQL, ConnectionFuture, Db, SqlParam};
use crate::postgres::games::game_row;
use crate::{
    ChatLine, ChatRoom, GameCursor, GameId, GamePage, GameQuery, Heartbeat, HeartbeatGap, Holder,
    Moment, NewChatLine, OUTAGE_THRESHOLD_MILLIS, game_list_sql, limits,
};

/// A plain join: the options of our connections make the planner look up row by row.
pub(super) const JOIN_SQL: &str = "JOIN";

/// See [`Store::list_games`](crate::Store::list_games).
pub(super) async fn games(
    db: Db<'_>,
    query: &GameQuery,
    after: Option<GameCursor>,
    limit: usize,
) -> Result<GamePage, QueryError> {
    let (created, id) = game_list_sql::from(after);
    let limit_and_one = bounded(limit + 1);
    let person = query.person.as_ref().map(|person| person.as_str());
    let phase = query.phase.map(StoredAsNumber::number);
    let (guest, held_by);
    let holder: SqlParam<'_> = match &query.holder {
        Some(Holder::Guest(digest)) => {
            guest = digest.0.as_slice();
            &guest
        }
        Some(Holder::Person(holder)) => {
            held_by = holder.as_str();
            &held_by
        }
        None => &person,
    };
    let named: [(&str, SqlParam<'_>); 7] = [
        (":created", &created.0),
        (":id", &id),
        (":limit", &limit_and_one),
        (":person", &person),
        (":holder", holder),
        (":variant", &query.variant),
        (":phase", &phase),
    ];
    let (sql, values) = numbered(game_list_sql::statement(query, JOIN_SQL), &named);
    let rows = db.query(&sql, &values).await?;
    let games = rows.iter().map(|row| game_row(row, 0));
    let games = games.collect::<Result<Vec<_>, _>>()?;
    Ok(game_list_sql::page(games, limit))
}

/// Replaces named parameters by numbered ones, and returns the statement with the values that it uses.
pub(super) fn numbered<V: Copy>(mut sql: String, named: &[(&str, V)]) -> (String, Vec<V>) {
    let mut values = Vec::new();
    for (name, value) in named {
        if sql.contains(name) {
            values.push(*value);
            sql = sql.replace(name, &format!("${}", values.len()));
        }
    }
    (sql, values)
}

const INSERT_CHAT_SQL: &str = "
WITH found AS MATERIALIZED (
    SELECT asked.*, games.key,
        row_number() OVER (PARTITION BY games.key, asked.room ORDER BY asked.place) + coalesce((
            SELECT max(number) FROM chat WHERE chat.game = games.key AND chat.room = asked.room
        ), 0) AS number
    FROM unnest($1::text[], $2::int2[], $3::int8[], $4::text[], $5::text[], $6::text[])
    WITH ORDINALITY AS asked (id, room, at, name, person, text, place)
    JOIN games ON games.id = asked.id
), said AS (
    INSERT INTO chat (game, room, number, at, name, person, text)
    SELECT key, room, number, at, name, person, text FROM found
), forgotten AS (
    DELETE FROM chat USING (SELECT key, room, max(number) AS newest FROM found GROUP BY key, room) AS rooms
    WHERE chat.game = rooms.key AND chat.room = rooms.room AND chat.number <= rooms.newest - $7
)
SELECT place, number FROM found";

/// See [`Store::add_chat_line`](crate::Store::add_chat_line).
impl BatchedWrite for NewChatLine {
    type Answer = Option<u64>;
    const ONE_PER_GAME: bool = false;

    fn game(&self) -> GameId {
        self.game
    }

    fn write(db: Db<'_>, batch: Arc<Vec<NewChatLine>>) -> ConnectionFuture<'_, Vec<Option<u64>>> {
        Box::pin(async move {
            let ids: Vec<_> = batch.iter().map(|line| line.game.as_str()).collect();
            let rooms: Vec<_> = batch.iter().map(|line| line.room.number()).collect();
            let times: Vec<_> = batch.iter().map(|line| line.at.0).collect();
            let names: Vec<_> = batch.iter().map(|line| line.name.as_str()).collect();
            let people: Vec<_> = batch
                .iter()
                .map(|line| line.person.as_ref().map(|person| person.as_str()))
                .collect();
            let texts: Vec<_> = batch.iter().map(|line| line.text.as_str()).collect();
            let kept = bounded(limits::MAX_CHAT_LINES);
            let values: [SqlParam<'_>; 7] = [&ids, &rooms, &times, &names, &people, &texts, &kept];
            let steps = [
                (LOCK_GAMES_SQL, &values[..1]),
                (INSERT_CHAT_SQL, &values[..]),
            ];
            let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
            let mut told = vec![None; batch.len()];
            for row in answers.iter().skip(1).flatten() {
                let place = usize::try_from(count(row, 0)?).unwrap_or(usize::MAX);
                // ORDINALITY counts from 1.
                if let Some(told) = told.get_mut(place.wrapping_sub(1)) {
                    *told = Some(count(row, 1)?);
                }
            }
            Ok(told)
        })
    }
}

/// See [`Store::chat_lines`](crate::Store::chat_lines).
pub(super) async fn chat(
    db: Db<'_>,
    game: GameId,
    room: ChatRoom,
    after: u64,
    limit: usize,
) -> Result<Vec<ChatLine>, QueryError> {
    let (after, limit) = (bounded(after), bounded(limit));
    let rows = db
        .query(
            "SELECT chat.number, chat.at, chat.name, chat.person, chat.text
             FROM games JOIN chat ON chat.game = games.key
             WHERE games.id = $1 AND chat.room = $2 AND chat.number > $3
             ORDER BY chat.number LIMIT $4",
            &[&game.as_str(), &room.number(), &after, &limit],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(ChatLine {
                number: count(row, 0)?,
                at: column(row, 1)?,
                name: column(row, 2)?,
                person: column(row, 3)?,
                text: column(row, 4)?,
            })
        })
        .collect()
}

/// The current time of the database in milliseconds, not the start of the transaction.
const NOW_SQL: &str = "floor(extract(epoch FROM clock_timestamp()) * 1000)::int8";

/// See [`Store::now`](crate::Store::now).
pub(super) async fn now(db: Db<'_>) -> Result<Moment, QueryError> {
    let row = db.query(&format!("SELECT {NOW_SQL}"), &[]).await?;
    row.first()
        .map_or(Ok(Moment(0)), |row| column::<Moment>(row, 0))
}

/// See [`Store::heartbeat`](crate::Store::heartbeat). The row is locked from the beginning to the end, so that
/// only one heartbeat sees and records each gap, and every later one sees the record.
pub(super) async fn beat(db: Db<'_>) -> Result<Heartbeat, QueryError> {
    let sql = format!(
        "WITH beat AS (
             UPDATE heartbeat SET before = at, at = {NOW_SQL} WHERE one = 1 RETURNING at, before
         ), silence AS (
             INSERT INTO silences (since, until) SELECT before, at FROM beat WHERE at - before > $1
         )
         SELECT at, before FROM beat"
    );
    let rows = db.query(&sql, &[&OUTAGE_THRESHOLD_MILLIS]).await?;
    match rows.first() {
        Some(row) => Ok(Heartbeat {
            at: column(row, 0)?,
            before: column(row, 1)?,
        }),
        None => Err(crate::Error::Damaged("the row of the heartbeat is gone".to_owned()).into()),
    }
}

/// See [`Store::heartbeat_gaps`](crate::Store::heartbeat_gaps).
pub(super) async fn silences(db: Db<'_>, after: u64) -> Result<Vec<HeartbeatGap>, QueryError> {
    let rows = db
        .query(
            "SELECT number, since, until FROM silences WHERE number > $1 ORDER BY number",
            &[&bounded(after)],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(HeartbeatGap {
                number: count(row, 0)?,
                from: column(row, 1)?,
                until: column(row, 2)?,
            })
        })
        .collect()
}
