//! SQL for games, their decisions and seats, and when they are due. Every function that writes runs inside a
//! transaction of the caller.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::game_list_sql::GAME_COLUMNS;
use crate::sqlite::revocations;
use crate::{
    AppendAttempt, AppendDecision, CreateResult, Digest, DueChange, DueGame, GameChanges, GameHead,
    GameId, GameRow, GameSummary, Holder, Moment, NewGame, PersonId, PlayerSummary,
    RevocationTarget, SeatColor, SeatHolders, SetDueResult, SitResult, StoredDecision, StoredGame,
    WriteId,
};

/// Reads a row of [`GAME_COLUMNS`].
pub(super) fn game_row(row: &Row<'_>) -> Result<GameRow> {
    Ok(GameRow {
        id: row.get(0)?,
        created: row.get(1)?,
        summary: GameSummary {
            variant: row.get(2)?,
            source: row.get(3)?,
            public: row.get(4)?,
            white: PlayerSummary {
                name: row.get(5)?,
                person: row.get(6)?,
            },
            black: PlayerSummary {
                name: row.get(7)?,
                person: row.get(8)?,
            },
            phase: row.get(9)?,
            status: row.get(10)?,
            result: row.get(11)?,
            plies: row.get(12)?,
            last_activity: row.get(13)?,
        },
    })
}

/// The internal key by which other tables refer to a game.
pub(super) fn key(db: &Connection, id: GameId) -> Result<Option<i64>> {
    db.prepare_cached("SELECT key FROM games WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()
}

fn mark_at(db: &Connection, key: i64, number: u64) -> Result<Option<WriteId>> {
    db.prepare_cached("SELECT mark FROM decisions WHERE game = ?1 AND seq = ?2")?
        .query_row(params![key, number], |row| row.get(0))
        .optional()
}

fn insert_events(
    db: &Connection,
    key: i64,
    (first, last): (u64, u64),
    mark: WriteId,
    text: &str,
    plies: Option<u32>,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO decisions (game, seq, last, mark, text, plies) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![key, first, last, mark, text, plies])?;
    Ok(())
}

/// See [`Store::create_game`](crate::Store::create_game).
pub(super) fn create(db: &Connection, game: &NewGame) -> Result<CreateResult> {
    if let Some(key) = key(db, game.id)? {
        let is_same = mark_at(db, key, 0)? == Some(game.mark);
        return Ok(if is_same {
            CreateResult::Already
        } else {
            CreateResult::IdTaken
        });
    }
    let summary = &game.summary;
    db.prepare_cached(
        "INSERT INTO games (id, created, variant, source, public, white_name, white_person,
             black_name, black_person, phase, status, result, plies, last_activity)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute(params![
        game.id,
        game.created,
        summary.variant,
        summary.source,
        summary.public,
        summary.white.name,
        summary.white.person,
        summary.black.name,
        summary.black.person,
        summary.phase,
        summary.status,
        summary.result,
        summary.plies,
        summary.last_activity,
    ])?;
    let key = db.last_insert_rowid();
    insert_events(db, key, (0, 0), game.mark, &game.opening, None)?;
    for (seat, holder) in [
        (SeatColor::White, game.seats.white),
        (SeatColor::Black, game.seats.black),
    ] {
        if let Some(holder) = holder {
            insert_seat(db, key, seat, &holder)?;
        }
    }
    if let Some(due) = game.due {
        set_due(db, key, DueChange::By(due))?;
    }
    Ok(CreateResult::Written)
}

/// See [`Store::append_decision`](crate::Store::append_decision).
pub(super) fn append(db: &Connection, append: &AppendDecision) -> Result<AppendAttempt> {
    let decision = &append.decision;
    let found: Option<(i64, u64, Option<u32>)> = db
        .prepare_cached(
            "SELECT decisions.game, decisions.last, decisions.plies FROM games
             JOIN decisions ON decisions.game = games.key
             WHERE games.id = ?1 ORDER BY decisions.seq DESC LIMIT 1",
        )?
        .query_row([append.game], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let Some((key, last, plies)) = found else {
        return Ok(AppendAttempt::NoGame);
    };
    if decision.first != last + 1 {
        let is_same = mark_at(db, key, decision.first)? == Some(decision.mark);
        return Ok(if is_same {
            AppendAttempt::Already
        } else {
            AppendAttempt::Behind { last }
        });
    }
    if let Some((seat, holder)) = append.seat {
        match holder_of(db, key, seat)? {
            None => insert_seat(db, key, seat, &holder)?,
            Some(other) if other == holder => {}
            Some(_) => return Ok(AppendAttempt::SeatHeld),
        }
    }
    let StoredDecision {
        first,
        last,
        mark,
        ref text,
    } = *decision;
    // Without plies in the changes they stay as they were.
    let plies = append.changes.plies.or(plies);
    insert_events(db, key, (first, last), mark, text, plies)?;
    change(db, key, &append.changes, plies)?;
    set_due(db, key, append.due)?;
    Ok(AppendAttempt::Written)
}

/// Writes what has changed, and touches indexes only where their columns change. The plies alone are stored in
/// the decision's row.
fn change(db: &Connection, key: i64, changes: &GameChanges, plies: Option<u32>) -> Result<()> {
    let GameChanges {
        white,
        black,
        phase,
        status,
        result,
        plies: _,
        last_activity,
        public,
    } = changes;
    if changes.touches_row() {
        db.prepare_cached(
            "UPDATE games SET plies = coalesce(?2, plies), last_activity = coalesce(?3, last_activity),
                 status = coalesce(?4, status), result = coalesce(?5, result) WHERE key = ?1",
        )?
        .execute(params![key, plies, last_activity, status, result])?;
    }
    if phase.is_some() || public.is_some() {
        db.prepare_cached(
            "UPDATE games SET phase = coalesce(?2, phase), public = coalesce(?3, public) WHERE key = ?1",
        )?
        .execute(params![key, phase, public])?;
    }
    if let Some(phase) = phase {
        db.prepare_cached("UPDATE seats SET game_phase = ?2 WHERE game = ?1")?
            .execute(params![key, phase])?;
    }
    if let Some(white) = white {
        db.prepare_cached("UPDATE games SET white_name = ?2, white_person = ?3 WHERE key = ?1")?
            .execute(params![key, white.name, white.person])?;
    }
    if let Some(black) = black {
        db.prepare_cached("UPDATE games SET black_name = ?2, black_person = ?3 WHERE key = ?1")?
            .execute(params![key, black.name, black.person])?;
    }
    Ok(())
}

fn set_due(db: &Connection, key: i64, due: DueChange) -> Result<()> {
    match due {
        DueChange::Keep => {}
        DueChange::By(at) => {
            db.prepare_cached(
                "INSERT INTO due (game, at) VALUES (?1, ?2) ON CONFLICT (game) DO UPDATE
                 SET at = excluded.at, leased_until = NULL WHERE excluded.at < due.at",
            )?
            .execute(params![key, at])?;
        }
        DueChange::Never => {
            db.prepare_cached("DELETE FROM due WHERE game = ?1")?
                .execute([key])?;
        }
    }
    Ok(())
}

/// See [`Store::lease_due_games`](crate::Store::lease_due_games).
pub(super) fn due(
    db: &Connection,
    now: Moment,
    lease: Duration,
    limit: usize,
) -> Result<Vec<DueGame>> {
    let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
    let found: Vec<(i64, DueGame)> = db
        .prepare_cached(
            "SELECT due.game, games.id, due.at FROM due JOIN games ON games.key = due.game
             WHERE due.at <= ?1 AND (due.leased_until IS NULL OR due.leased_until <= ?1)
             ORDER BY due.at, due.game LIMIT ?2",
        )?
        .query_map(params![now, limit], |row| {
            let game = row.get(1)?;
            let at = row.get(2)?;
            Ok((row.get(0)?, DueGame { game, at }))
        })?
        .collect::<Result<_>>()?;
    let mut claim = db.prepare_cached("UPDATE due SET leased_until = ?2 WHERE game = ?1")?;
    for (key, _) in &found {
        claim.execute(params![key, now.plus_millis(lease)])?;
    }
    Ok(found.into_iter().map(|(_, due)| due).collect())
}

/// See [`Store::set_due`](crate::Store::set_due).
pub(super) fn rearm(
    db: &Connection,
    id: GameId,
    seen: u64,
    due: Option<Moment>,
) -> Result<SetDueResult> {
    let Some(key) = key(db, id)? else {
        return Ok(SetDueResult::NoGame);
    };
    let last: u64 = db
        .prepare_cached("SELECT last FROM decisions WHERE game = ?1 ORDER BY seq DESC LIMIT 1")?
        .query_row([key], |row| row.get(0))?;
    if last != seen {
        return Ok(SetDueResult::Behind);
    }
    set_due(db, key, DueChange::Never)?;
    set_due(db, key, due.map_or(DueChange::Keep, DueChange::By))?;
    Ok(SetDueResult::Done)
}

fn holder_of(db: &Connection, key: i64, seat: SeatColor) -> Result<Option<Holder>> {
    db.prepare_cached("SELECT person, guest FROM seats WHERE game = ?1 AND seat = ?2")?
        .query_row(params![key, seat], |row| Holder::from_row(row, 0))
        .optional()
}

fn insert_seat(db: &Connection, key: i64, seat: SeatColor, holder: &Holder) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO seats (game, seat, person, guest, game_phase, game_created, game_id)
         SELECT key, ?2, ?3, ?4, phase, created, id FROM games WHERE key = ?1",
    )?
    .execute(params![key, seat, holder.person(), holder.guest()])?;
    Ok(())
}

/// See [`Store::sit`](crate::Store::sit).
pub(super) fn sit(
    db: &Connection,
    id: GameId,
    seat: SeatColor,
    holder: &Holder,
) -> Result<SitResult> {
    let Some(key) = key(db, id)? else {
        return Ok(SitResult::NoGame);
    };
    match holder_of(db, key, seat)? {
        None => insert_seat(db, key, seat, holder).map(|()| SitResult::Taken),
        Some(other) if other == *holder => Ok(SitResult::Already),
        Some(_) => Ok(SitResult::Held),
    }
}

/// See [`Store::move_seats`](crate::Store::move_seats).
pub(super) fn move_seats(
    db: &Connection,
    guest: Digest,
    person: PersonId,
    limit: usize,
) -> Result<Vec<GameId>> {
    // A guest may have both seats of a game: the game is chosen once, by the first of them, before any seat is
    // changed.
    let games: Vec<(i64, GameId)> = db
        .prepare_cached(
            "SELECT game, game_id FROM seats WHERE guest = ?1 AND NOT EXISTS
             (SELECT 1 FROM seats AS other WHERE other.game = seats.game
              AND (other.person = ?2 OR other.guest = ?1 AND other.seat < seats.seat)) LIMIT ?3",
        )?
        .query_map(params![guest, person, limit], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<Result<_>>()?;
    for (key, _) in &games {
        db.prepare_cached(
            "UPDATE seats SET person = ?2, guest = NULL WHERE guest = ?1 AND game = ?3",
        )?
        .execute(params![guest, person, key])?;
    }
    revocations::note(db, RevocationTarget::Secret(guest))?;
    Ok(games.into_iter().map(|(_, id)| id).collect())
}

fn decision(row: &Row<'_>) -> Result<StoredDecision> {
    Ok(StoredDecision {
        first: row.get(0)?,
        last: row.get(1)?,
        mark: row.get(2)?,
        text: row.get(3)?,
    })
}

fn decisions_after(db: &Connection, key: i64, after: u64) -> Result<Vec<StoredDecision>> {
    // A decision whose last event is newer may begin a few numbers earlier.
    let from = after
        .saturating_sub(crate::limits::MAX_DECISION_EVENTS)
        .max(1);
    db.prepare_cached(
        "SELECT seq, last, mark, text FROM decisions
         WHERE game = ?1 AND seq >= ?2 AND last > ?3 ORDER BY seq",
    )?
    .query_map(params![key, bounded(from), bounded(after)], decision)?
    .collect()
}

/// Converts a number for a comparison, clamped to the largest `i64`; no game has so many events.
fn bounded(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// See [`Store::decisions_after`](crate::Store::decisions_after).
pub(super) fn newer(db: &Connection, games: &[(GameId, u64)]) -> Result<Vec<Vec<StoredDecision>>> {
    let snapshot = db.unchecked_transaction()?;
    games
        .iter()
        .map(|&(id, after)| match key(&snapshot, id)? {
            Some(key) => decisions_after(&snapshot, key, after),
            None => Ok(Vec::new()),
        })
        .collect()
}

/// See [`Store::decisions`](crate::Store::decisions).
pub(super) fn decisions(
    db: &Connection,
    game: GameId,
    after: u64,
    limit: usize,
) -> Result<Vec<StoredDecision>> {
    db.prepare_cached(
        "SELECT decisions.seq, decisions.last, decisions.mark, decisions.text
         FROM games JOIN decisions ON decisions.game = games.key
         WHERE games.id = ?1 AND decisions.seq > ?2 ORDER BY decisions.seq LIMIT ?3",
    )?
    .query_map(params![game, bounded(after), limit], decision)?
    .collect()
}

fn head(db: &Connection, key: i64) -> Result<GameHead> {
    let row = db
        .prepare_cached(&format!("SELECT {GAME_COLUMNS} FROM games WHERE key = ?1"))?
        .query_row([key], game_row)?;
    let opening = db
        .prepare_cached("SELECT text FROM decisions WHERE game = ?1 AND seq = 0")?
        .query_row([key], |row| row.get(0))?;
    Ok(GameHead {
        row,
        opening,
        seats: SeatHolders {
            white: holder_of(db, key, SeatColor::White)?,
            black: holder_of(db, key, SeatColor::Black)?,
        },
    })
}

/// See [`Store::heads`](crate::Store::heads).
pub(super) fn heads(db: &Connection, games: &[GameId]) -> Result<Vec<GameHead>> {
    let snapshot = db.unchecked_transaction()?;
    let mut heads = Vec::with_capacity(games.len());
    for &id in games {
        if let Some(key) = key(&snapshot, id)? {
            heads.push(head(&snapshot, key)?);
        }
    }
    Ok(heads)
}

/// See [`Store::load_games`](crate::Store::load_games).
pub(super) fn load(db: &Connection, games: &[GameId]) -> Result<Vec<StoredGame>> {
    let snapshot = db.unchecked_transaction()?;
    let mut loaded = Vec::with_capacity(games.len());
    for &id in games {
        let Some(key) = key(&snapshot, id)? else {
            continue;
        };
        let GameHead {
            row,
            opening,
            seats,
        } = head(&snapshot, key)?;
        loaded.push(StoredGame {
            row,
            opening,
            seats,
            decisions: decisions_after(&snapshot, key, 0)?,
        });
    }
    Ok(loaded)
}
