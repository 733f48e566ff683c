//! Appending decisions in batches: one transaction of two statements, however many games are in the batch.
//!
//! The first statement locks the games in the order of their keys, so that batches of several nodes do not
//! deadlock. The second sees everything that was committed before it got the locks, and decides about each row:
//! a decision that is not the next of its game is not written.

use std::sync::Arc;

use crate::postgres::batch_writer::BatchedWrite;
use crate::postgres::columns::{QueryError, StoredAsNumber, bounded, column, count, halves};
use crate::postgres::connection_pool::{BEGIN_WRITE_SQL, ConnectionFuture, Db, SqlParam};
use crate::{AppendAttempt, AppendDecision, DueChange, Error, GameChanges, GameId};

/// Locks games until the end of the transaction. Every statement whose result depends on the current state of a
/// game runs after it.
pub(super) const LOCK_GAMES_SQL: &str =
    "SELECT key FROM games WHERE id = ANY($1) ORDER BY key FOR NO KEY UPDATE";

/// Result codes of the statement below.
const CODE_WRITTEN: i32 = 0;
const CODE_ALREADY: i32 = 1;
const CODE_BEHIND: i32 = 2;
const CODE_SEAT_HELD: i32 = 3;

/// The table `due` is written only where a deadline comes nearer, and the indexed columns of games only where
/// they change.
const APPEND_SQL: &str = "
WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[], $4::bytea[], $5::text[], $6::int2[],
        $7::text[], $8::bytea[], $9::bool[], $10::int8[], $11::int8[], $12::text[], $13::text[],
        $14::int2[], $15::bool[], $16::bool[], $17::text[], $18::text[], $19::bool[], $20::text[],
        $21::text[], $22::bool[], $23::int8[])
    WITH ORDINALITY AS asked (id, first, last, mark, text, seat, person, guest, is_changed, plies,
        last_activity, status, result, phase, public, is_white, white_name, white_person, is_black,
        black_name, black_person, is_never, due, place)
), found AS MATERIALIZED (
    SELECT asked.*, games.key, games.created, newest.last AS newest, seats.game IS NULL AS is_free,
        coalesce(asked.plies, newest.plies) AS plies_now,
        coalesce(asked.phase, games.phase) AS phase_now,
        CASE
            WHEN newest.last + 1 <> asked.first THEN CASE
                WHEN EXISTS (SELECT FROM decisions WHERE decisions.game = games.key
                    AND decisions.seq = asked.first AND decisions.mark = asked.mark)
                THEN 1 ELSE 2 END
            WHEN seats.person <> coalesce(asked.person, '') OR seats.guest <> coalesce(asked.guest, '')
                THEN 3
            ELSE 0
        END AS verdict
    FROM asked
    JOIN games ON games.id = asked.id
    CROSS JOIN LATERAL (
        SELECT decisions.last, decisions.plies FROM decisions WHERE decisions.game = games.key
        ORDER BY decisions.seq DESC LIMIT 1
    ) AS newest
    LEFT JOIN seats ON seats.game = games.key AND seats.seat = asked.seat
), written AS (
    INSERT INTO decisions (game, seq, last, mark, text, plies)
    SELECT key, first, last, mark, text, plies_now FROM found WHERE verdict = 0 ORDER BY key
), seated AS (
    INSERT INTO seats (game, game_created, game_phase, seat, game_id, person, guest)
    SELECT key, created, phase_now, seat, id, person, guest FROM found
    WHERE verdict = 0 AND seat IS NOT NULL AND is_free
), moved AS (
    UPDATE seats SET game_phase = found.phase FROM found
    WHERE seats.game = found.key AND found.verdict = 0 AND found.phase IS NOT NULL
), changed AS (
    UPDATE games SET
        plies = coalesce(found.plies_now, games.plies),
        last_activity = coalesce(found.last_activity, games.last_activity),
        status = coalesce(found.status, games.status),
        result = coalesce(found.result, games.result),
        phase = found.phase_now,
        public = coalesce(found.public, games.public),
        white_name = CASE WHEN is_white THEN found.white_name ELSE games.white_name END,
        white_person = CASE WHEN is_white THEN found.white_person ELSE games.white_person END,
        black_name = CASE WHEN is_black THEN found.black_name ELSE games.black_name END,
        black_person = CASE WHEN is_black THEN found.black_person ELSE games.black_person END
    FROM found WHERE games.key = found.key AND found.verdict = 0 AND found.is_changed
), armed AS (
    INSERT INTO due (game, at) SELECT key, due FROM found
    WHERE verdict = 0 AND due IS NOT NULL
    AND NOT EXISTS (SELECT FROM due AS known WHERE known.game = found.key AND known.at <= found.due)
    ORDER BY key
    ON CONFLICT (game) DO UPDATE SET at = excluded.at, leased_until = NULL WHERE excluded.at < due.at
), disarmed AS (
    DELETE FROM due USING found WHERE due.game = found.key AND found.verdict = 0 AND found.is_never
)
SELECT place, verdict, newest FROM found";

impl BatchedWrite for AppendDecision {
    type Answer = AppendAttempt;
    const ONE_PER_GAME: bool = true;

    fn game(&self) -> GameId {
        self.game
    }

    fn news(&self, answer: &AppendAttempt) -> Option<(GameId, u64)> {
        (*answer == AppendAttempt::Written).then_some((self.game, self.decision.last))
    }

    fn write(
        db: Db<'_>,
        batch: Arc<Vec<AppendDecision>>,
    ) -> ConnectionFuture<'_, Vec<AppendAttempt>> {
        Box::pin(async move {
            let columns = DecisionColumns::of(&batch);
            let ids: &[SqlParam<'_>] = &[&columns.id];
            let steps = [(LOCK_GAMES_SQL, ids), (APPEND_SQL, &columns.values())];
            let answers = db.transaction(BEGIN_WRITE_SQL, &steps).await?;
            let mut told = vec![AppendAttempt::NoGame; batch.len()];
            for row in answers.iter().skip(1).flatten() {
                let place = usize::try_from(count(row, 0)?).unwrap_or(0);
                let verdict = match column(row, 1)? {
                    CODE_WRITTEN => AppendAttempt::Written,
                    CODE_ALREADY => AppendAttempt::Already,
                    CODE_BEHIND => AppendAttempt::Behind {
                        last: count(row, 2)?,
                    },
                    CODE_SEAT_HELD => AppendAttempt::SeatHeld,
                    other => return Err(Error::Damaged(format!("{other} is no verdict")).into()),
                };
                // ORDINALITY counts from 1.
                *told.get_mut(place.wrapping_sub(1)).ok_or_else(|| {
                    QueryError::from(Error::Damaged("an answer to nobody".to_owned()))
                })? = verdict;
            }
            Ok(told)
        })
    }
}

/// A batch as columns, in the order of the statement's parameters.
#[derive(Default)]
struct DecisionColumns<'a> {
    id: Vec<&'a str>,
    first: Vec<i64>,
    last: Vec<i64>,
    mark: Vec<Vec<u8>>,
    text: Vec<&'a str>,
    seat: Vec<Option<i16>>,
    person: Vec<Option<&'a str>>,
    guest: Vec<Option<&'a [u8]>>,
    is_changed: Vec<bool>,
    plies: Vec<Option<i64>>,
    last_activity: Vec<Option<i64>>,
    status: Vec<Option<&'a str>>,
    result: Vec<Option<&'a str>>,
    phase: Vec<Option<i16>>,
    public: Vec<Option<bool>>,
    is_white: Vec<bool>,
    white_name: Vec<Option<&'a str>>,
    white_person: Vec<Option<&'a str>>,
    is_black: Vec<bool>,
    black_name: Vec<Option<&'a str>>,
    black_person: Vec<Option<&'a str>>,
    is_never: Vec<bool>,
    due: Vec<Option<i64>>,
}

impl<'a> DecisionColumns<'a> {
    fn of(batch: &'a [AppendDecision]) -> DecisionColumns<'a> {
        let mut columns = DecisionColumns::default();
        for append in batch {
            columns.push(append);
        }
        columns
    }

    fn push(&mut self, append: &'a AppendDecision) {
        let decision = &append.decision;
        self.id.push(append.game.as_str());
        self.first.push(bounded(decision.first));
        self.last.push(bounded(decision.last));
        self.mark.push(decision.mark.to_bytes().to_vec());
        self.text.push(&decision.text);
        let (person, guest) = halves(append.seat.as_ref().map(|(_, holder)| holder));
        self.seat.push(append.seat.map(|(seat, _)| seat.number()));
        self.person.push(person);
        self.guest.push(guest);
        let GameChanges {
            white,
            black,
            phase,
            status,
            result,
            plies,
            last_activity,
            public,
        } = &append.changes;
        self.is_changed.push(append.changes.touches_row());
        self.plies.push(plies.map(i64::from));
        self.last_activity.push(last_activity.map(|at| at.0));
        self.status.push(status.as_deref());
        self.result.push(result.as_deref());
        self.phase.push(phase.map(StoredAsNumber::number));
        self.public.push(*public);
        let name = |player: &'a Option<crate::PlayerSummary>| player.as_ref()?.name.as_deref();
        let person = |player: &'a Option<crate::PlayerSummary>| {
            Some(player.as_ref()?.person.as_ref()?.as_str())
        };
        self.is_white.push(white.is_some());
        self.white_name.push(name(white));
        self.white_person.push(person(white));
        self.is_black.push(black.is_some());
        self.black_name.push(name(black));
        self.black_person.push(person(black));
        self.is_never.push(append.due == DueChange::Never);
        self.due.push(match append.due {
            DueChange::By(at) => Some(at.0),
            DueChange::Keep | DueChange::Never => None,
        });
    }

    fn values(&self) -> [SqlParam<'_>; 23] {
        [
            &self.id,
            &self.first,
            &self.last,
            &self.mark,
            &self.text,
            &self.seat,
            &self.person,
            &self.guest,
            &self.is_changed,
            &self.plies,
            &self.last_activity,
            &self.status,
            &self.result,
            &self.phase,
            &self.public,
            &self.is_white,
            &self.white_name,
            &self.white_person,
            &self.is_black,
            &self.black_name,
            &self.black_person,
            &self.is_never,
            &self.due,
        ]
    }
}
