//! `touchmove explain`: the verdict on a move, with the evidence on the board and the checklist of
//! conditions. The law book decides; here it is only laid out.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::{Value, json};
use touchmove_diagram::{Diagram, Men, TextStyle};
use touchmove_rules::law::Check;
use touchmove_rules::{Attempt, Explanation, Illegal, Misread, Move, Outcome, SquareSet, Wish};

use crate::cli::Answer;
use crate::position::{Line, PositionArgs};

/// Say why a move is legal or not: what it does, or the law that it breaks and what proves it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove explain e2e5
  touchmove explain O-O --moves \"e4 e5 Nf3 Nc6 Bc4 Bc5\"
  touchmove explain exd6 --moves \"e4 a6 e5 d5 h3 h6\"
  touchmove explain Kxd5 --variant atomic --fen \"4k3/8/8/3p4/3K4/8/8/8 w - - 0 1\" --json

Exit codes: 0 the move is legal, 1 it is not, 2 could not be answered.")]
pub struct Args {
    /// The move as you would type it: e2e4, e2 e4, Nf3, exd5, O-O, e8=Q.
    #[arg(value_name = "MOVE", required = true, num_args = 1.., allow_hyphen_values = false)]
    words: Vec<String>,

    #[command(flatten)]
    position: PositionArgs,

    /// Letters instead of figurines, and no other signs beyond ASCII.
    #[arg(long)]
    ascii: bool,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Everything there is to say about what was typed.
struct Report {
    line: Line,
    text: String,
    answer: Result<Move, Misread>,
    /// The judge's checklist, where it is clear what was asked for.
    explanation: Option<Explanation>,
}

/// Prints the verdict; the answer is whether the move is legal.
pub fn run(args: &Args) -> Result<Answer> {
    let report = Report::new(args.position.line()?, args.words.join(" "));
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", report.to_json())?;
    } else {
        report.print(&mut out, args.ascii)?;
    }
    Ok(match report.answer {
        Ok(_) => Answer::Yes,
        Err(_) => Answer::No,
    })
}

impl Report {
    fn new(line: Line, text: String) -> Report {
        let position = &line.position;
        let answer = position.read_typed_after(&line.past, &text);
        let wish = match &answer {
            Ok(mv) => Some(Wish::from(position.uci(*mv))),
            Err(Misread::Illegal { wish, .. }) => Some(*wish),
            Err(Misread::PromotionMissing { attempt, .. }) => Some(Wish::from(*attempt)),
            Err(_) => None,
        };
        let explanation = wish.map(|wish| position.explain(&line.past, wish));
        Report {
            line,
            text,
            answer,
            explanation,
        }
    }

    /// The verdict in one sentence.
    fn sentence(&self) -> String {
        let position = &self.line.position;
        match &self.answer {
            Ok(mv) => {
                let (san, kind) = (position.san(*mv), mv.kind());
                let effects = position.effects(*mv);
                let effects: Vec<_> = effects.iter().map(ToString::to_string).collect();
                match effects.as_slice() {
                    [] => format!("{san} is legal: {kind}."),
                    effects => format!("{san} is legal: {kind}. It {}.", effects.join("; it ")),
                }
            }
            Err(misread @ (Misread::Invalid { .. } | Misread::Ambiguous { .. })) => {
                format!("{misread}.")
            }
            Err(misread) => format!("{} is illegal: {misread}.", self.text.trim()),
        }
    }

    fn illegal(&self) -> Option<Illegal> {
        self.explanation.as_ref()?.verdict().err()
    }

    /// The squares that prove the verdict; for a legal move, what its blast removes.
    fn evidence(&self) -> SquareSet {
        match &self.answer {
            Ok(mv) => self.line.position.casualties(*mv),
            Err(_) => self
                .illegal()
                .map_or(SquareSet::EMPTY, |illegal| illegal.squares()),
        }
    }

    /// What the typed text asks for, square to square.
    fn attempt(&self) -> Option<Attempt> {
        let position = &self.line.position;
        match &self.answer {
            Ok(mv) => Some(position.uci(*mv)),
            Err(Misread::PromotionMissing { attempt, .. }) => Some(*attempt),
            Err(Misread::Illegal { wish, .. }) => match wish {
                Wish::Attempt(attempt) => Some(*attempt),
                Wish::Castle(wing) => {
                    let king = position.board().king_of(position.turn())?;
                    Some(Attempt::new(king, wing.king_target(position.turn())))
                }
            },
            Err(_) => None,
        }
    }

    fn suggestions(&self) -> Vec<String> {
        let position = &self.line.position;
        match &self.answer {
            Ok(_) => Vec::new(),
            Err(Misread::Ambiguous { candidates, .. }) => candidates.clone(),
            Err(Misread::PromotionMissing { choices, .. }) => choices.clone(),
            Err(_) => position
                .did_you_mean(&self.text)
                .into_iter()
                .map(|mv| position.san(mv).to_string())
                .collect(),
        }
    }

    fn checklist(&self) -> &[Check] {
        self.explanation
            .as_ref()
            .map_or(&[], |explanation| explanation.checklist())
    }

    fn to_json(&self) -> Value {
        let position = &self.line.position;
        let legal = self.answer.as_ref().ok().copied();
        let names = |set: SquareSet| {
            set.into_iter()
                .map(|square| square.to_string())
                .collect::<Vec<_>>()
        };
        let conditions: Vec<Value> = self
            .checklist()
            .iter()
            .map(|check| {
                json!({
                    "name": check.condition.text(),
                    "source": check.source,
                    "holds": check.holds(),
                })
            })
            .collect();
        let broken: Vec<Value> = self
            .checklist()
            .iter()
            .filter_map(|check| check.broken)
            .map(|illegal| {
                json!({
                    "reason": illegal.code(),
                    "evidence": names(illegal.squares()),
                    "text": illegal.to_string(),
                })
            })
            .collect();
        let effects = legal.map_or(Vec::new(), |mv| position.effects(mv));
        let kind = self.explanation.as_ref().and_then(|found| found.kind());
        json!({
            "variant": position.variant().name(),
            "fen": position.fen().to_string(),
            "move": self.text,
            "legal": legal.is_some(),
            "kind": kind.map(|kind| kind.to_string()),
            "san": legal.map(|mv| position.san(mv).to_string()),
            "uci": self.attempt().map(|attempt| attempt.to_string()),
            "reason": self.answer.as_ref().err().map(Misread::code),
            "evidence": names(self.evidence()),
            "conditions": conditions,
            "broken": broken,
            "effects": effects.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "text": self.sentence(),
            "suggestions": self.suggestions(),
            "warnings": self.line.warnings,
        })
    }

    fn print(&self, out: &mut impl Write, ascii: bool) -> io::Result<()> {
        writeln!(out, "{}", self.sentence())?;
        self.print_ending(out)?;
        writeln!(out)?;
        let men = match ascii {
            true => Men::Letters,
            false => Men::Figurines,
        };
        let style = TextStyle {
            men,
            ..TextStyle::default()
        };
        let mut diagram = Diagram::new(self.line.position.board()).marks(self.evidence());
        if let Some(attempt) = self.attempt() {
            diagram = diagram.last_move(attempt.from, attempt.to);
        }
        writeln!(out, "{}", diagram.text(style))?;
        self.print_checklist(out, ascii)?;
        let rest: Vec<_> = self
            .explanation
            .iter()
            .flat_map(Explanation::broken)
            .skip(1)
            .collect();
        for illegal in rest {
            writeln!(out, "Also, {illegal}.")?;
        }
        let suggestions = self.suggestions();
        if !suggestions.is_empty() {
            writeln!(out, "Did you mean {}?", suggestions.join(" or "))?;
        }
        Ok(())
    }

    /// Says so if the position has ended the game, in which case no move can be legal.
    fn print_ending(&self, out: &mut impl Write) -> io::Result<()> {
        match self.line.position.outcome() {
            Some(Outcome::Checkmate { winner }) => {
                writeln!(out, "The game is over: {winner} has given checkmate.")
            }
            Some(Outcome::Stalemate) => {
                writeln!(
                    out,
                    "The game is over: {} is stalemated.",
                    self.line.position.turn()
                )
            }
            Some(Outcome::KingExploded { .. }) | None => Ok(()),
        }
    }

    fn print_checklist(&self, out: &mut impl Write, ascii: bool) -> io::Result<()> {
        let checklist = self.checklist();
        if checklist.is_empty() {
            return Ok(());
        }
        let kind = self.explanation.as_ref().and_then(|found| found.kind());
        let title = kind.map_or("Any move".to_owned(), |kind| kind.to_string());
        writeln!(out, "\n{title} needs:")?;
        let first = checklist.iter().position(|check| !check.holds());
        for (index, check) in checklist.iter().enumerate() {
            let sign = match (check.holds(), ascii) {
                (true, false) => "✓",
                (false, false) => "✗",
                (true, true) => "yes",
                (false, true) => "NO ",
            };
            let arrow = match first == Some(index) {
                true => "   <- broken",
                false => "",
            };
            let (text, source) = (check.condition.text(), check.source);
            writeln!(out, "  {sign} {text} ({source}){arrow}")?;
        }
        Ok(())
    }
}
