//! Damaged FENs, shown to touchmove where it is strict and to shakmaty: touchmove may refuse more, never
//! less, and what both accept must have the same moves. How FENs are damaged is in `damage`.

mod damage;

use std::collections::BTreeMap;
use std::process::ExitCode;

use fastrand::Rng;
use shakmaty::fen::Fen;
use touchmove_rules::Position;
use touchmove_rules::fen::FenError;

use crate::diff::compare::Pair;
use crate::diff::game::{Atomic, Chess, Chess960, Choice, Game};
use crate::diff::starts;
use crate::table::{Align, TextTable, grouped};

/// How many FENs to damage.
#[derive(clap::Args)]
pub struct Arguments {
    /// FENs to damage, for each game
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    fens: u64,
    /// The seed of the damage
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Which game
    #[arg(long, value_enum, default_value_t = Choice::All)]
    variant: Choice,
}

/// Compares and reports. The exit code is 1 if touchmove accepts what shakmaty refuses, or if the
/// two differ about a position that both accept.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut all_right = true;
    for (choice, name, judge) in [
        (
            Choice::Chess,
            Chess::NAME,
            judge_all::<Chess> as fn(&Arguments) -> Verdicts,
        ),
        (Choice::Chess960, Chess960::NAME, judge_all::<Chess960>),
        (Choice::Atomic, Atomic::NAME, judge_all::<Atomic>),
    ] {
        if ![Choice::All, choice].contains(&arguments.variant) {
            continue;
        }
        let verdicts = judge(arguments);
        println!("{name}: {} damaged FENs", grouped(arguments.fens));
        println!();
        println!("{}", table(&verdicts));
        all_right &= verdicts.keys().all(|(verdict, _)| verdict.is_fine());
    }
    Ok(if all_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What the two say about a FEN.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    BothAccept,
    BothRefuse,
    OnlyTouchmoveRefuses,
    OnlyShakmatyRefuses,
    Differ,
}

impl Verdict {
    fn is_fine(self) -> bool {
        !matches!(self, Verdict::OnlyShakmatyRefuses | Verdict::Differ)
    }

    fn name(self) -> &'static str {
        match self {
            Verdict::BothAccept => "both accept",
            Verdict::BothRefuse => "both refuse",
            Verdict::OnlyTouchmoveRefuses => "only touchmove refuses",
            Verdict::OnlyShakmatyRefuses => "only shakmaty refuses",
            Verdict::Differ => "both accept and differ",
        }
    }
}

/// How often there was which verdict, for which reason, and the first example.
type Verdicts = BTreeMap<(Verdict, String), (u64, String)>;

fn judge_all<G: Game>(arguments: &Arguments) -> Verdicts {
    let mut rng = Rng::with_seed(arguments.seed);
    let mut verdicts = Verdicts::new();
    for _ in 0..arguments.fens {
        let mut fen = starts::random::<G>(&mut rng);
        for _ in 0..rng.u8(1..=3) {
            fen = damage::once(&fen, &mut rng);
        }
        let verdict = judge::<G>(&fen, &mut rng);
        verdicts.entry(verdict).or_insert((0, fen)).0 += 1;
    }
    verdicts
}

fn judge<G: Game>(fen: &str, rng: &mut Rng) -> (Verdict, String) {
    let ours = fen
        .parse::<touchmove_rules::Fen>()
        .map_err(FenError::from)
        .and_then(|fen| Ok(Position::<G::Ours>::from_setup_strictly(&fen.0)?));
    let theirs = match fen.parse::<Fen>() {
        Ok(fen) => fen
            .into_position::<G::Theirs>(G::CASTLING)
            .map_err(|error| format!("{:?}", error.kinds())),
        Err(error) => Err(error.to_string()),
    };
    match (ours, theirs) {
        (Ok(_), Ok(_)) => {
            let pair = Pair::<G>::from_fen(fen).expect("both accept the FEN");
            match pair.compare(&[], rng) {
                Ok(_) => (Verdict::BothAccept, String::new()),
                Err(difference) => (Verdict::Differ, difference),
            }
        }
        (Ok(_), Err(reason)) => (Verdict::OnlyShakmatyRefuses, reason),
        (Err(_), Err(_)) => (Verdict::BothRefuse, String::new()),
        (Err(FenError::Syntax(error)), Ok(_)) => (
            Verdict::OnlyTouchmoveRefuses,
            format!("the text of {}", error.field),
        ),
        (Err(FenError::Position(faults)), Ok(_)) => {
            let names: Vec<&str> = faults.into_iter().map(|fault| fault.code()).collect();
            (Verdict::OnlyTouchmoveRefuses, names.join(", "))
        }
    }
}

fn table(verdicts: &Verdicts) -> TextTable {
    let mut table = TextTable::new([
        ("verdict", Align::Left),
        ("reason", Align::Left),
        ("FENs", Align::Right),
        ("first example", Align::Left),
    ]);
    for ((verdict, reason), (count, example)) in verdicts {
        let name = verdict.name().to_owned();
        table.push(vec![
            name,
            reason.clone(),
            grouped(*count),
            format!("`{example}`"),
        ]);
    }
    table
}
