//! SQL for games, their seats, and when they are due. `append` has the SQL that appends decisions.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio_postgres::Row;

use crate::game_list_sql::GAME_COLUMNS;
use crate::postgres::append::LOCK_GAMES_SQL;
use crate::postgres::columns::{
    QueryError, StoredAsNumber, bounded, column, count, halves, holder,
};
use crate::postgres::connection_pool::{BEGIN_READ_SQL, BEGIN_WRITE_SQL, Db, SqlParam};
use crate::postgres::revocations;
use crate::postgres::revocations::NOW;
use crate::{
    CreateResult, Digest, DueGame, GameHead, GameId, GameRow, GameSummary, Holder, Moment, NewGame,
    PersonId, PlayerSummary, SeatColor, SeatHolders, SetDueResult, SitResult, StoredDecision,
    StoredGame, WriteId, limits,
};

/// Reads a row of [`GAME_COLUMNS`]; `at` is the index of the first of them.
pub(super) fn game_row(row: &Row, at: usize) -> Result<GameRow, QueryError> {
    Ok(GameRow {
        id: column(row, at)?,
        created: column(row, at + 1)?,
        summary: GameSummary {
            variant: column(row, at + 2)?,
            source: column(row, at + 3)?,
            public: column(row, at + 4)?,
            white: PlayerSummary {
                name: column(row, at + 5)?,
                person: column(row, at + 6)?,
            },
            black: PlayerSummary {
                name: column(row, at + 7)?,
                person: column(row, at + 8)?,
            },
            phase: column(row, at + 9)?,
            status: column(row, at + 10)?,
            result: column(row, at + 11)?,
            plies: u32::try_from(count(row, at + 12)?).unwrap_or(u32::MAX),
            last_activity: column(row, at + 13)?,
        },
    })
}

/// The statement that creates a game if `condition` holds, together with the statements in `also`; it returns a
/// row if it did. Its parameters are those of [`NewGameColumns`], followed by those of the condition.
pub(super) fn beginning(condition: &str, also: &str) -> String {
    format!(
        "WITH begun AS (
             INSERT INTO games (id, created, variant, source, public, white_name, white_person,
                 black_name, black_person, phase, status, result, plies, last_activity)
             SELECT $1, $2::int8, $3, $4, $5::bool, $6, $7, $8, $9, $10::int2, $11, $12, $13::int8, $14::int8
             WHERE {condition} ON CONFLICT (id) DO NOTHING RETURNING key, created, phase, id
         ), opened AS (
             INSERT INTO decisions (game, seq, last, mark, text)
             SELECT key, 0, 0, $15::bytea, $16 FROM begun
         ), seated AS (
             INSERT INTO seats (game, game_created, game_phase, seat, game_id, person, guest)
             SELECT key, created, phase, seat, id, person, guest FROM begun CROSS JOIN (
                 VALUES (0::int2, $17::text, $18::bytea), (1::int2, $19::text, $20::bytea)
             ) AS held (seat, person, guest) WHERE person IS NOT NULL OR guest IS NOT NULL
         ), armed AS (
             INSERT INTO due (game, at) SELECT key, $21::int8 FROM begun WHERE $21::int8 IS NOT NULL
         ){also} SELECT key FROM begun"
    )
}

/// The parameters of [`beginning`].
pub(super) struct NewGameColumns<'a> {
    game: &'a NewGame,
    id: &'a str,
    phase: i16,
    plies: i64,
    mark: Vec<u8>,
    people: [Option<&'a str>; 4],
    guests: [Option<&'a [u8]>; 2],
    due: Option<i64>,
}

impl<'a> NewGameColumns<'a> {
    pub(super) fn of(game: &'a NewGame) -> NewGameColumns<'a> {
        let summary = &game.summary;
        let player =
            |player: &'a PlayerSummary| player.person.as_ref().map(|person| person.as_str());
        let (white, white_guest) = halves(game.seats.white.as_ref());
        let (black, black_guest) = halves(game.seats.black.as_ref());
        NewGameColumns {
            game,
            id: game.id.as_str(),
            phase: summary.phase.number(),
            plies: i64::from(summary.plies),
            mark: game.mark.to_bytes().to_vec(),
            people: [player(&summary.white), player(&summary.black), white, black],
            guests: [white_guest, black_guest],
            due: game.due.map(|due| due.0),
        }
    }

    /// The parameters of [`beginning`], in order.
    pub(super) fn values(&self) -> Vec<SqlParam<'_>> {
        let (game, summary) = (self.game, &self.game.summary);
        let [white_player, black_player, white, black] = &self.people;
        let [white_guest, black_guest] = &self.guests;
        vec![
            &self.id,
            &game.created.0,
            &summary.variant,
            &summary.source,
            &summary.public,
            &summary.white.name,
            white_player,
            &summary.black.name,
            black_player,
            &self.phase,
            &summary.status,
            &summary.result,
            &self.plies,
            &summary.last_activity.0,
            &self.mark,
            &game.opening,
            white,
            white_guest,
            black,
            black_guest,
            &self.due,
        ]
    }
}

/// Selects the write id of the opening of a game.
pub(super) const SELECT_MARK_SQL: &str = "SELECT decisions.mark FROM games
     JOIN decisions ON decisions.game = games.key AND decisions.seq = 0 WHERE games.id = $1";

/// Whether the game that [`SELECT_MARK_SQL`] found was created by this write.
pub(super) fn is_same_write(found: &[Row], mark: WriteId) -> Result<bool, QueryError> {
    match found.first() {
        Some(row) => Ok(column::<WriteId>(row, 0)? == mark),
        None => Ok(false),
    }
}

/// See [`Store::create_game`](crate::Store::create_game).
pub(super) async fn create(db: Db<'_>, game: &NewGame) -> Result<CreateResult, QueryError> {
    let sql = beginning("true", "");
    let values = NewGameColumns::of(game);
    let id = game.id.as_str();
    let steps = [
        (sql.as_str(), &values.values()[..]),
        (SELECT_MARK_SQL, &[&id]),
    ];
    let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
    let [begun, marks] = &answers[..] else {
        return Ok(CreateResult::IdTaken);
    };
    Ok(match begun.first() {
        Some(_) => CreateResult::Written,
        None if is_same_write(marks, game.mark)? => CreateResult::Already,
        None => CreateResult::IdTaken,
    })
}

/// See [`Store::sit`](crate::Store::sit).
pub(super) async fn sit(
    db: Db<'_>,
    game: GameId,
    seat: SeatColor,
    sitter: &Holder,
) -> Result<SitResult, QueryError> {
    let (id, number) = (game.as_str(), seat.number());
    let (person, guest) = halves(Some(sitter));
    let answers = db
        .transaction(
            BEGIN_WRITE_SQL,
            &[
                (LOCK_GAMES_SQL, &[&[id].as_slice()]),
                (
                    "INSERT INTO seats (game, game_created, game_phase, seat, game_id, person, guest)
                     SELECT key, created, phase, $2, id, $3, $4 FROM games WHERE id = $1
                     ON CONFLICT DO NOTHING RETURNING game",
                    &[&id, &number, &person, &guest],
                ),
                (
                    "SELECT seats.person, seats.guest FROM games
                     JOIN seats ON seats.game = games.key AND seats.seat = $2 WHERE games.id = $1",
                    &[&id, &number],
                ),
            ],
        )
        .await?;
    let first = |step: usize| answers.get(step).and_then(|rows| rows.first());
    Ok(match (first(0), first(1), first(2)) {
        (None, ..) => SitResult::NoGame,
        (_, Some(_), _) => SitResult::Taken,
        (_, None, Some(row)) if holder(row, 0)?.as_ref() == Some(sitter) => SitResult::Already,
        _ => SitResult::Held,
    })
}

/// See [`Store::move_seats`](crate::Store::move_seats).
pub(super) async fn move_seats(
    db: Db<'_>,
    guest: Digest,
    person: PersonId,
    limit: usize,
) -> Result<Vec<GameId>, QueryError> {
    let (guest, person, limit) = (guest.0.as_slice(), person.as_str(), bounded(limit));
    let note = format!("INSERT INTO revocations (at, secret) VALUES ({NOW}, $1)");
    let answers = db
        .transaction(
            BEGIN_WRITE_SQL,
            &[
                (revocations::LOCK, &[]),
                (
                    // A guest may have both seats of a game: the game is chosen once, by the first of them.
                    "WITH chosen AS MATERIALIZED (
                         SELECT game FROM seats WHERE guest = $1 AND NOT EXISTS
                         (SELECT FROM seats AS other WHERE other.game = seats.game
                          AND (other.person = $2 OR other.guest = $1 AND other.seat < seats.seat)) LIMIT $3
                     )
                     UPDATE seats SET person = $2, guest = NULL FROM chosen
                     WHERE seats.game = chosen.game AND seats.guest = $1 RETURNING seats.game_id",
                    &[&guest, &person, &limit],
                ),
                (&note, &[&guest]),
            ],
        )
        .await?;
    let moved = answers.get(1).into_iter().flatten();
    let games: HashSet<GameId> = moved.map(|row| column(row, 0)).collect::<Result<_, _>>()?;
    Ok(games.into_iter().collect())
}

fn decision(row: &Row, at: usize) -> Result<StoredDecision, QueryError> {
    Ok(StoredDecision {
        first: count(row, at)?,
        last: count(row, at + 1)?,
        mark: column(row, at + 2)?,
        text: column(row, at + 3)?,
    })
}

/// The decisions of several games after event numbers, each with the index of its game. A decision whose last
/// event is newer may begin a few numbers earlier. OFFSET 0 keeps the planner from flattening the subquery, so
/// that the index is scanned from that number on.
const NEWER_SQL: &str = "SELECT asked.place, newer.* FROM
     unnest($1::text[], $2::int8[]) WITH ORDINALITY AS asked (id, after, place)
     JOIN games ON games.id = asked.id
     CROSS JOIN LATERAL (
         SELECT seq, last, mark, text FROM decisions WHERE game = games.key
         AND seq >= greatest(asked.after - $3, 1) AND last > asked.after OFFSET 0
     ) AS newer ORDER BY asked.place, newer.seq";

fn by_place(rows: &[Row], count_of_games: usize) -> Result<Vec<Vec<StoredDecision>>, QueryError> {
    let mut found = vec![Vec::new(); count_of_games];
    for row in rows {
        let place = usize::try_from(count(row, 0)?).unwrap_or(usize::MAX);
        // ORDINALITY counts from 1.
        if let Some(decisions) = found.get_mut(place.wrapping_sub(1)) {
            decisions.push(decision(row, 1)?);
        }
    }
    Ok(found)
}

/// See [`Store::decisions_after`](crate::Store::decisions_after).
pub(super) async fn newer(
    db: Db<'_>,
    games: &[(GameId, u64)],
) -> Result<Vec<Vec<StoredDecision>>, QueryError> {
    let ids: Vec<_> = games.iter().map(|(id, _)| id.as_str()).collect();
    let after: Vec<_> = games.iter().map(|(_, after)| bounded(*after)).collect();
    let rows = db
        .query(
            NEWER_SQL,
            &[&ids, &after, &bounded(limits::MAX_DECISION_EVENTS)],
        )
        .await?;
    by_place(&rows, games.len())
}

/// See [`Store::decisions`](crate::Store::decisions).
pub(super) async fn decisions(
    db: Db<'_>,
    game: GameId,
    after: u64,
    limit: usize,
) -> Result<Vec<StoredDecision>, QueryError> {
    let rows = db
        .query(
            "SELECT decisions.seq, decisions.last, decisions.mark, decisions.text
             FROM games JOIN decisions ON decisions.game = games.key
             WHERE games.id = $1 AND decisions.seq > $2 ORDER BY decisions.seq LIMIT $3",
            &[&game.as_str(), &bounded(after), &bounded(limit)],
        )
        .await?;
    rows.iter().map(|row| decision(row, 0)).collect()
}

/// Selects games without their decisions.
fn heads_statement() -> String {
    format!(
        "SELECT opening.text, white.person, white.guest, black.person, black.guest, {GAME_COLUMNS} FROM games
         JOIN decisions AS opening ON opening.game = games.key AND opening.seq = 0
         LEFT JOIN seats AS white ON white.game = games.key AND white.seat = 0
         LEFT JOIN seats AS black ON black.game = games.key AND black.seat = 1
         WHERE games.id = ANY($1)"
    )
}

/// The games that [`heads_statement`] found, by id.
fn heads_by_id(rows: &[Row]) -> Result<HashMap<GameId, GameHead>, QueryError> {
    rows.iter()
        .map(|row| {
            let head = GameHead {
                row: game_row(row, 5)?,
                opening: column(row, 0)?,
                seats: SeatHolders {
                    white: holder(row, 1)?,
                    black: holder(row, 3)?,
                },
            };
            Ok((head.row.id, head))
        })
        .collect()
}

/// See [`Store::heads`](crate::Store::heads).
pub(super) async fn heads(db: Db<'_>, games: &[GameId]) -> Result<Vec<GameHead>, QueryError> {
    let ids: Vec<_> = games.iter().map(GameId::as_str).collect();
    let rows = db.query(&heads_statement(), &[&ids]).await?;
    let heads = heads_by_id(&rows)?;
    let found = games.iter().filter_map(|game| heads.get(game).cloned());
    Ok(found.collect())
}

/// See [`Store::load_games`](crate::Store::load_games).
pub(super) async fn load(db: Db<'_>, games: &[GameId]) -> Result<Vec<StoredGame>, QueryError> {
    let ids: Vec<_> = games.iter().map(GameId::as_str).collect();
    let after = vec![0_i64; ids.len()];
    let heads = heads_statement();
    let steps: [(&str, &[SqlParam<'_>]); 2] = [
        (&heads, &[&ids]),
        (
            NEWER_SQL,
            &[&ids, &after, &bounded(limits::MAX_DECISION_EVENTS)],
        ),
    ];
    let answers = db.transaction(BEGIN_READ_SQL, &steps).await?;
    let [heads, newer] = &answers[..] else {
        return Ok(Vec::new());
    };
    let heads = heads_by_id(heads)?;
    let mut loaded = Vec::with_capacity(games.len());
    for (game, decisions) in games.iter().zip(by_place(newer, games.len())?) {
        if let Some(head) = heads.get(game).cloned() {
            loaded.push(StoredGame {
                row: head.row,
                opening: head.opening,
                seats: head.seats,
                decisions,
            });
        }
    }
    Ok(loaded)
}

/// See [`Store::lease_due_games`](crate::Store::lease_due_games).
pub(super) async fn due(
    db: Db<'_>,
    now: Moment,
    lease: Duration,
    limit: usize,
) -> Result<Vec<DueGame>, QueryError> {
    let until = now.plus_millis(bounded(lease.as_millis()));
    let rows = db
        .query(
            "WITH found AS MATERIALIZED (
                 SELECT game, at FROM due
                 WHERE at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
                 ORDER BY at, game LIMIT $2 FOR UPDATE SKIP LOCKED
             ), leased AS (
                 UPDATE due SET leased_until = $3 FROM found WHERE due.game = found.game
             )
             SELECT games.id, found.at FROM found JOIN games ON games.key = found.game
             ORDER BY found.at, found.game",
            &[&now.0, &bounded(limit), &until.0],
        )
        .await?;
    rows.iter()
        .map(|row| {
            let (game, at) = (column(row, 0)?, column(row, 1)?);
            Ok(DueGame { game, at })
        })
        .collect()
}

/// See [`Store::set_due`](crate::Store::set_due).
pub(super) async fn rearm(
    db: Db<'_>,
    game: GameId,
    seen: u64,
    due: Option<Moment>,
) -> Result<SetDueResult, QueryError> {
    let (id, seen, due) = (game.as_str(), bounded(seen), due.map(|due| due.0));
    let answers = db
        .transaction(
            BEGIN_WRITE_SQL,
            &[
                (LOCK_GAMES_SQL, &[&[id].as_slice()]),
                (
                    "WITH found AS MATERIALIZED (
                         SELECT key FROM games CROSS JOIN LATERAL (
                             SELECT last FROM decisions WHERE game = games.key ORDER BY seq DESC LIMIT 1
                         ) AS newest WHERE id = $1 AND newest.last = $2
                     ), armed AS (
                         INSERT INTO due (game, at) SELECT key, $3::int8 FROM found WHERE $3::int8 IS NOT NULL
                         ON CONFLICT (game) DO UPDATE SET at = excluded.at, leased_until = NULL
                     ), disarmed AS (
                         DELETE FROM due USING found WHERE due.game = found.key AND $3::int8 IS NULL
                     )
                     SELECT key FROM found",
                    &[&id, &seen, &due],
                ),
            ],
        )
        .await?;
    Ok(match &answers[..] {
        [locked, _] if locked.is_empty() => SetDueResult::NoGame,
        [_, armed] if armed.is_empty() => SetDueResult::Behind,
        _ => SetDueResult::Done,
    })
}
