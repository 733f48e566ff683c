//! The names and forms of Lichess's API: variants, speeds, perfs, statuses, users.

use serde::Serialize;
use serde_json::{Value, json};
use touchmove_accounts::Scope;
use touchmove_game::{
    Draw, Ending, Game, Millis, MoveBonus, NoResult, Seat, Terms, TimeControl, TimeControls,
    Victory,
};
use touchmove_rules::{AnyPosition, Color, Variant};
use touchmove_store::{Holder, Person, PersonKind};

use crate::Server;
use crate::games::table::{LiveGame, seat};

/// The milliseconds that mean "no clock" to clients.
pub(super) const UNLIMITED_MILLIS: u64 = 2_147_483_647;

/// The rating where clients need a number. There are no ratings here: this is the one that new players have
/// elsewhere, and it is always marked as provisional.
pub(super) const PLACEHOLDER_RATING: u32 = 1_500;

/// A variant in this API.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct VariantJson {
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    short: &'static str,
}

const fn variant_form(key: &'static str, name: &'static str, short: &'static str) -> VariantJson {
    VariantJson { key, name, short }
}

/// Whether a game begins from the usual position of its variant.
pub(super) fn is_usual(terms: &Terms) -> bool {
    terms.start.fen() == AnyPosition::start(terms.variant()).fen()
}

/// The variant in this API: chess from a custom position is a variant of its own here.
pub(super) fn variant(terms: &Terms) -> VariantJson {
    match terms.variant() {
        Variant::Chess if is_usual(terms) => variant_form("standard", "Standard", "Std"),
        Variant::Chess => variant_form("fromPosition", "From Position", "FEN"),
        Variant::Chess960 => variant_form("chess960", "Chess960", "960"),
        Variant::Atomic => variant_form("atomic", "Atomic", "Atom"),
        Variant::SimpleAtomic => variant_form("simpleAtomic", "Simple Atomic", "SAtom"),
    }
}

/// The FEN of the start position, or `startpos`.
pub(super) fn initial_fen(terms: &Terms) -> String {
    match is_usual(terms) && terms.variant() != Variant::Chess960 {
        true => "startpos".to_owned(),
        false => terms.start.fen().to_string(),
    }
}

/// The speed of a game: by the estimated time for forty moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speed {
    UltraBullet,
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

impl Speed {
    /// The speed of a time control; without clocks it is the slowest.
    pub(super) fn of(times: Option<&TimeControls>) -> Speed {
        let Some(times) = times.filter(|times| !times[Color::White].is_correspondence()) else {
            return Speed::Correspondence;
        };
        let stage = times[Color::White].stage(0);
        let seconds = (stage.base.0 + 40 * bonus(stage.pace).0) / 1_000;
        match seconds {
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1_500 => Speed::Rapid,
            1_500.. => Speed::Classical,
        }
    }

    /// Its key.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Speed::UltraBullet => "ultraBullet",
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Speed::UltraBullet => "UltraBullet",
            Speed::Bullet => "Bullet",
            Speed::Blitz => "Blitz",
            Speed::Rapid => "Rapid",
            Speed::Classical => "Classical",
            Speed::Correspondence => "Correspondence",
        }
    }
}

/// Every perf key.
pub(super) const PERF_KEYS: [&str; 9] = [
    "ultraBullet",
    "bullet",
    "blitz",
    "rapid",
    "classical",
    "correspondence",
    "chess960",
    "atomic",
    "simpleAtomic",
];

/// The perf of a game, its key and name: its speed, or its variant.
pub(super) fn perf(terms: &Terms) -> (&'static str, &'static str) {
    let speed = Speed::of(terms.time.as_ref());
    let variant = variant(terms);
    match terms.variant() {
        Variant::Chess => (speed.key(), speed.name()),
        Variant::Chess960 | Variant::Atomic | Variant::SimpleAtomic => (variant.key, variant.name),
    }
}

/// The time that each move adds.
pub(super) const fn bonus(pace: MoveBonus) -> Millis {
    match pace {
        MoveBonus::Increment(bonus) | MoveBonus::Delay(bonus) | MoveBonus::Bronstein(bonus) => {
            bonus
        }
        MoveBonus::Plain | MoveBonus::Afresh => Millis::ZERO,
    }
}

/// The clock of a live game: initial time and increment.
pub(super) fn clock(terms: &Terms, player: Color) -> Option<(Millis, Millis)> {
    let control: &TimeControl = &terms.time.as_ref()?[player];
    let stage = control.stage(0);
    (!control.is_correspondence()).then(|| (stage.base, bonus(stage.pace)))
}

/// The days for each move, in correspondence.
pub(super) fn days(terms: &Terms) -> Option<u64> {
    let control = &terms.time.as_ref()?[Color::White];
    let base = control.stage(0).base.0;
    control
        .is_correspondence()
        .then_some(base / (24 * 60 * 60 * 1_000))
}

/// The time control of an offer.
pub(super) fn time_control(terms: &Terms) -> Value {
    match (clock(terms, Color::White), days(terms)) {
        (Some((base, bonus)), _) => json!({
            "type": "clock",
            "limit": base.0 / 1_000,
            "increment": bonus.0 / 1_000,
            "show": shown(base, bonus),
        }),
        (None, Some(days)) => json!({ "type": "correspondence", "daysPerTurn": days }),
        (None, None) => json!({ "type": "unlimited" }),
    }
}

/// A short form of a clock: `5+3`, with the usual fractions of a minute.
fn shown(base: Millis, bonus: Millis) -> String {
    let seconds = base.0 / 1_000;
    let minutes = match seconds {
        15 => "¼".to_owned(),
        30 => "½".to_owned(),
        45 => "¾".to_owned(),
        90 => "1.5".to_owned(),
        _ if seconds.is_multiple_of(60) => (seconds / 60).to_string(),
        _ => format!("{}:{:02}", seconds / 60, seconds % 60),
    };
    format!("{minutes}+{}", bonus.0 / 1_000)
}

/// The status of a game: number and name.
pub(super) const fn status(ending: Option<Ending>, is_waiting: bool) -> (u32, &'static str) {
    match ending {
        None if is_waiting => (10, "created"),
        None => (20, "started"),
        Some(Ending::NoResult(NoResult::Aborted | NoResult::IllegalPosition)) => (25, "aborted"),
        Some(Ending::Win { by, .. }) => match by {
            Victory::Checkmate => (30, "mate"),
            Victory::Resignation => (31, "resign"),
            Victory::Abandonment => (33, "timeout"),
            Victory::FlagFall => (35, "outoftime"),
            Victory::NoShow => (37, "noStart"),
            Victory::Forfeit => (38, "unknownFinish"),
            Victory::KingExploded => (60, "variantEnd"),
        },
        Some(Ending::Draw(draw)) => match draw {
            Draw::Stalemate => (32, "stalemate"),
            Draw::Abandonment { .. } => (33, "timeout"),
            Draw::FlagFall { .. } => (35, "outoftime"),
            Draw::DeadPosition
            | Draw::Agreement
            | Draw::ThreefoldRepetition
            | Draw::FivefoldRepetition
            | Draw::FiftyMoves
            | Draw::SeventyFiveMoves => (34, "draw"),
        },
    }
}

/// The status of a game.
pub(super) fn status_of(game: &Game) -> (u32, &'static str) {
    let is_waiting = Color::ALL
        .into_iter()
        .any(|color| game.seats()[color].is_open());
    status(game.ending(), is_waiting)
}

/// The name of a colour.
pub(super) const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The ply with this index from the end, 0 for the last one, in UCI.
pub(super) fn ply_from_end(game: &Game, back: usize) -> Option<String> {
    let index = game.plies().len().checked_sub(back + 1)?;
    let before = game.position_after(index)?;
    Some(before.uci(game.plies()[index].mv).to_string())
}

/// The scopes of a token, by the names that clients request.
pub(super) fn scopes(scopes: touchmove_accounts::Scopes) -> String {
    let words: Vec<_> = scopes.iter().map(Scope::word).collect();
    words.join(",")
}

/// A user in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LightUser {
    pub(super) name: String,
    pub(super) is_bot: bool,
    pub(super) has_account: bool,
}

impl LightUser {
    pub(super) fn of(person: &Person) -> LightUser {
        LightUser {
            name: person.name.clone(),
            is_bot: person.kind == PersonKind::Bot,
            has_account: true,
        }
    }

    /// A user without an account.
    pub(super) fn guest(name: &str) -> LightUser {
        LightUser {
            name: match name {
                "" => "Anonymous".to_owned(),
                name => name.to_owned(),
            },
            is_bot: false,
            has_account: false,
        }
    }

    /// The id: the name in lower case, for users with an account.
    pub(super) fn id(&self) -> Option<String> {
        self.has_account.then(|| id(&self.name))
    }

    /// `{id, name, title}`.
    pub(super) fn json(&self) -> Value {
        self.with_name_as("name")
    }

    /// The same with the placeholder rating, as players and challengers are shown.
    pub(super) fn player(&self) -> Value {
        rated(self.json())
    }

    /// `{id, username, title}` with the placeholder rating, as opponents are shown.
    pub(super) fn opponent(&self) -> Value {
        rated(self.with_name_as("username"))
    }

    fn with_name_as(&self, key: &str) -> Value {
        let mut json = json!({ "id": self.id() });
        json[key] = self.name.as_str().into();
        if self.is_bot {
            json["title"] = "BOT".into();
        }
        json
    }
}

/// Adds the placeholder rating.
pub(super) fn rated(mut json: Value) -> Value {
    json["rating"] = PLACEHOLDER_RATING.into();
    json["provisional"] = true.into();
    json
}

/// The id for a name.
pub(super) fn id(name: &str) -> String {
    name.to_lowercase()
}

impl Server {
    /// The holder of a seat or an offer, in short.
    pub(super) async fn light_user(
        &self,
        holder: Option<Holder>,
        name: &str,
    ) -> Result<LightUser, touchmove_store::Error> {
        match holder {
            Some(Holder::Person(id)) => Ok(match self.store.person(id).await? {
                Some(person) => LightUser::of(&person),
                None => LightUser::guest(name),
            }),
            Some(Holder::Guest(_)) | None => Ok(LightUser::guest(name)),
        }
    }

    /// The player at a table.
    pub(super) async fn light_at(
        &self,
        core: &LiveGame,
        color: Color,
    ) -> Result<LightUser, touchmove_store::Error> {
        let name = match &core.game.seats()[color] {
            Seat::Taken(name) => name.as_str(),
            Seat::Open => "",
        };
        self.light_user(core.holders.of(seat(color)), name).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(time: &str) -> Terms {
        Terms {
            time: Some(time.parse().unwrap()),
            ..Terms::of(Variant::Chess)
        }
    }

    #[test]
    fn the_speed_is_what_forty_moves_take() {
        for (time, key) in [
            ("0:15", "ultraBullet"),
            ("1", "bullet"),
            ("2+1", "bullet"),
            ("3", "blitz"),
            ("5+3", "blitz"),
            ("5+5", "rapid"),
            ("15+10", "rapid"),
            ("30", "classical"),
            ("3d", "correspondence"),
        ] {
            assert_eq!(perf(&terms(time)).0, key, "{time}");
        }
        assert_eq!(Speed::of(None), Speed::Correspondence);
    }

    #[test]
    fn a_variant_has_the_key_that_clients_know() {
        let chess = Terms::of(Variant::Chess);
        assert_eq!(variant(&chess).key, "standard");
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let own = Terms::from(AnyPosition::from_fen(fen, Variant::Chess).unwrap());
        assert_eq!(
            (variant(&own).key, initial_fen(&own)),
            ("fromPosition", fen.to_owned())
        );
        assert_eq!(
            variant(&Terms::of(Variant::SimpleAtomic)).key,
            "simpleAtomic"
        );
        assert_eq!(perf(&Terms::of(Variant::Atomic)), ("atomic", "Atomic"));
        assert_eq!(initial_fen(&Terms::of(Variant::Atomic)), "startpos");
    }

    #[test]
    fn clocks_are_shown_as_people_write_them() {
        let shows = |time: &str| time_control(&terms(time))["show"].clone();
        assert_eq!(shows("5+3"), "5+3");
        assert_eq!(shows("0:30"), "½+0");
        assert_eq!(shows("1:30+2"), "1.5+2");
        assert_eq!(time_control(&terms("3d"))["daysPerTurn"], 3);
    }
}
