//! `touchmove rules`: the law book as a document to read. What it says stands in the law book itself;
//! here it is only laid out.

use std::io::{self, Write as _};

use anyhow::Result;
use touchmove_diagram::{Diagram, Men, TextStyle};
use touchmove_rules::law::book::{self, Article};
use touchmove_rules::law::chapters::{self, Chapter};
use touchmove_rules::law::{Condition, Ruleset};
use touchmove_rules::{AnyPosition, MoveKind, Role, SquareSet, Variant};

use crate::cli::Answer;

/// Print the laws: setup, every kind of move with its conditions, check, endings and draws.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove rules --variant atomic
  touchmove rules --piece pawn
  touchmove rules --markdown > RULES.md")]
pub struct Args {
    /// Only the laws of this variant, in full; without it, chess and how the others differ.
    #[arg(long, value_name = "VARIANT")]
    variant: Option<Variant>,

    /// Only the moves of this piece: pawn, knight, bishop, rook, queen or king.
    #[arg(long, value_name = "PIECE", value_parser = role)]
    piece: Option<Role>,

    /// Print Markdown.
    #[arg(long)]
    markdown: bool,
}

/// Prints the law book.
pub fn run(args: &Args) -> Result<Answer> {
    let mut page = Page {
        markdown: args.markdown,
        text: String::new(),
    };
    match (args.variant, args.piece) {
        (variant, Some(piece)) => {
            let rules = Ruleset::of(variant.unwrap_or_default());
            page.heading(1, &format!("{}: the {piece}", rules.variant.title()));
            page.moves_of(piece, &rules);
        }
        (Some(variant), None) => {
            page.heading(1, &format!("The laws of {}", variant.title()));
            page.variant(&Ruleset::of(variant));
        }
        (None, None) => page.whole_book(),
    }
    io::stdout().lock().write_all(page.text.as_bytes())?;
    Ok(Answer::Yes)
}

fn role(name: &str) -> Result<Role, String> {
    Role::ALL
        .into_iter()
        .find(|role| role.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| "it is pawn, knight, bishop, rook, queen or king".into())
}

/// The order in which the law book treats the men.
const PIECES: [Role; 6] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Queen,
    Role::King,
];

/// A document under way.
struct Page {
    markdown: bool,
    text: String,
}

impl Page {
    fn whole_book(&mut self) {
        self.heading(1, "The law book");
        self.paragraph(
            "Chess by FIDE's Laws of 2023 in full, then what the other variants change. Each law names \
             its source: an article of the Laws, a rule of the variant, or a numbered requirement of \
             this project. This page is what `touchmove rules --markdown` prints; `touchmove explain` \
             applies the same book to a move.",
        );
        let chess = Ruleset::of(Variant::Chess);
        self.heading(2, chess.variant.title());
        self.variant(&chess);
        for variant in Variant::ALL
            .into_iter()
            .filter(|&other| other != Variant::Chess)
        {
            self.heading(2, variant.title());
            self.differences(&chess, &Ruleset::of(variant));
        }
    }

    /// Everything about one variant.
    fn variant(&mut self, rules: &Ruleset) {
        for chapter in chapters::BEFORE_MOVES {
            self.chapter(&chapter, rules);
        }
        self.heading(3, "What every move needs");
        let kinds = |condition: Condition| {
            MoveKind::ALL
                .into_iter()
                .filter(move |&kind| rules.has(kind) && condition.applies(kind, rules))
        };
        for condition in book::ANY_MOVE
            .into_iter()
            .chain(book::FIRST)
            .chain(book::LAST)
        {
            let particular = matches!(
                condition,
                Condition::MovesThatWay
                    | Condition::KingTakesNothing
                    | Condition::PromotionChosen
                    | Condition::NothingPromoted
            );
            if let Some(kind) = kinds(condition).next().filter(|_| !particular) {
                self.law(condition.text(), condition.source(kind, rules));
            }
        }
        for piece in PIECES {
            self.moves_of(piece, rules);
        }
        for chapter in chapters::AFTER_MOVES {
            self.chapter(&chapter, rules);
        }
    }

    fn chapter(&mut self, chapter: &Chapter, rules: &Ruleset) {
        let mut laws = chapter.laws(rules).peekable();
        if laws.peek().is_some() {
            self.heading(3, chapter.title);
        }
        for law in laws {
            self.law(law.text, law.source);
        }
    }

    fn moves_of(&mut self, piece: Role, rules: &Ruleset) {
        self.heading(3, &capitalised(piece.name()));
        for article in &book::ARTICLES {
            if article.kind.role() == piece && rules.has(article.kind) {
                self.article(article, rules);
            }
        }
    }

    fn article(&mut self, article: &Article, rules: &Ruleset) {
        let kind = article.kind;
        self.heading(4, kind.name());
        let source = Condition::MovesThatWay.source(kind, rules);
        self.paragraph(&format!("{} ({source})", article.movement(rules)));
        self.board(article, rules);
        let own = article.conditions.iter().copied();
        let of_the_kind = [Condition::KingTakesNothing, Condition::PromotionChosen];
        for condition in own
            .chain(of_the_kind)
            .filter(|condition| condition.applies(kind, rules))
        {
            self.law(condition.text(), condition.source(kind, rules));
        }
    }

    /// What a variant changes in the laws of chess.
    fn differences(&mut self, chess: &Ruleset, rules: &Ruleset) {
        for chapter in chapters::BEFORE_MOVES
            .into_iter()
            .chain(chapters::AFTER_MOVES)
        {
            let in_chess: Vec<_> = chapter.laws(chess).map(|law| law.text).collect();
            let mut laws = chapter
                .laws(rules)
                .filter(|law| !in_chess.contains(&law.text))
                .peekable();
            if laws.peek().is_some() {
                self.heading(3, chapter.title);
            }
            for law in laws {
                self.law(law.text, law.source);
            }
        }
        let missing = MoveKind::ALL.into_iter().filter(|&kind| !rules.has(kind));
        let missing: Vec<_> = missing.map(|kind| kind.to_string()).collect();
        if !missing.is_empty() {
            self.heading(3, "Moves that do not exist");
            self.paragraph(&format!("{}.", missing.join(", ")));
        }
        self.changed_conditions("Further conditions", rules, chess, rules);
        self.changed_conditions("Conditions that fall away", chess, rules, rules);
    }

    /// The conditions that moves need under one set of rules and not under the other.
    fn changed_conditions(&mut self, title: &str, with: &Ruleset, without: &Ruleset, of: &Ruleset) {
        let mut changed: Vec<(Condition, Vec<MoveKind>)> = Vec::new();
        for kind in MoveKind::ALL.into_iter().filter(|&kind| of.has(kind)) {
            for condition in book::conditions(kind, with) {
                if book::conditions(kind, without).any(|other| other == condition) {
                    continue;
                }
                match changed.iter_mut().find(|(known, _)| *known == condition) {
                    Some((_, kinds)) => kinds.push(kind),
                    None => changed.push((condition, vec![kind])),
                }
            }
        }
        if changed.is_empty() {
            return;
        }
        changed.sort();
        let all = MoveKind::ALL
            .into_iter()
            .filter(|&kind| of.has(kind))
            .count();
        self.heading(3, title);
        for (condition, kinds) in changed {
            let names: Vec<_> = kinds.iter().map(ToString::to_string).collect();
            let moves = match kinds.len() == all {
                true => "every move".to_owned(),
                false => names.join(", "),
            };
            let text = format!("{}: {moves}", condition.text());
            self.law(&text, condition.source(kinds[0], with));
        }
    }

    /// The example of an article, with the squares marked that moves of its kind go to.
    fn board(&mut self, article: &Article, rules: &Ruleset) {
        let example = article.example;
        let position = AnyPosition::from_fen(example.fen, rules.variant);
        let Some((position, mv)) = position
            .ok()
            .and_then(|position| Some((position, position.read_uci(example.uci).ok()?)))
        else {
            return;
        };
        let targets: SquareSet = position
            .moves_from(mv.from())
            .into_iter()
            .filter(|other| other.kind() == article.kind)
            .map(|other| other.to())
            .collect();
        let men = match self.markdown {
            true => Men::Figurines,
            false => Men::Letters,
        };
        let style = TextStyle {
            men,
            ..TextStyle::default()
        };
        let board = Diagram::new(position.board()).marks(targets).text(style);
        let fence = if self.markdown { "```text\n" } else { "" };
        let end = if self.markdown { "\n```\n\n" } else { "\n\n" };
        self.text.extend([fence, &board, end]);
    }

    fn heading(&mut self, level: usize, title: &str) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
        if self.markdown {
            self.text
                .extend(["#".repeat(level).as_str(), " ", title, "\n\n"]);
            return;
        }
        let line = match level {
            1 => "=",
            2 => "-",
            _ => "",
        };
        let title = match level {
            1..=3 => title.to_uppercase(),
            _ => title.to_owned(),
        };
        self.text.extend([title.as_str(), "\n"]);
        if !line.is_empty() {
            self.text.push_str(&line.repeat(title.chars().count()));
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    fn paragraph(&mut self, text: &str) {
        self.wrapped("", "", text);
        self.text.push('\n');
    }

    fn law(&mut self, text: &str, source: &str) {
        let stop = if text.ends_with('.') { "" } else { "." };
        self.wrapped("- ", "  ", &format!("{text}{stop} ({source})"));
    }

    /// Text in lines of a readable length, after a mark.
    fn wrapped(&mut self, mark: &str, indent: &str, text: &str) {
        const WIDTH: usize = 96;
        let mut line = mark.to_owned();
        for word in text.split_whitespace() {
            let has_words = line.len() > mark.len().max(indent.len());
            if has_words && line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.text.extend([line.as_str(), "\n"]);
                indent.clone_into(&mut line);
                line.push_str(word);
                continue;
            }
            if has_words {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.text.extend([line.as_str(), "\n"]);
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
