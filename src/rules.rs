//! `touchmove rules`: prints the law book. The rules crate contains it, the arbiter crate orders it; this file lays
//! it out.

use std::io::Write as _;

use anyhow::Result;
use touchmove_arbiter::{ExampleReport, RulesReport, Section};
use touchmove_diagram::{Diagram, PieceStyle, TextStyle};
use touchmove_rules::{Role, Variant};

use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::output;

/// Print the laws: setup, every kind of move with its conditions, check, endings and draws.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove rules --variant atomic
  touchmove rules --piece pawn
  touchmove rules --search \"en passant\" --json
  touchmove rules --markdown > RULES.md")]
pub struct Args {
    /// Only the laws of this variant, in full; without it, chess and how the others differ.
    #[arg(long, value_name = "VARIANT")]
    variant: Option<Variant>,

    /// Only the moves of this piece: pawn, knight, bishop, rook, queen or king.
    #[arg(long, value_name = "PIECE", value_parser = role)]
    piece: Option<Role>,

    /// Only what has all of these words, in any case and order.
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,

    /// Print Markdown.
    #[arg(long)]
    markdown: bool,

    /// Print JSON.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
}

/// Prints the law book; the answer is no if nothing is found in it.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let mut book = RulesReport::of(args.variant, args.piece);
    if let Some(words) = &args.search {
        book.search(words);
    }
    let mut out = output::answer(args.json);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&book)?)?;
    } else if let (true, Some(words)) = (book.sections.is_empty(), &args.search) {
        return Err(NegativeAnswer(format!(
            "nothing about {words:?} stands under {:?}",
            book.title
        ))
        .into());
    } else {
        let mut page = Page {
            markdown: args.markdown,
            text: String::new(),
        };
        page.heading(1, &book.title);
        if let Some(text) = book.text {
            page.paragraph(text);
        }
        for section in &book.sections {
            page.section(section);
        }
        out.write_all(page.text.as_bytes())?;
    }
    Ok(match book.sections.is_empty() {
        false => AnswerStatus::Yes,
        true => AnswerStatus::No,
    })
}

fn role(name: &str) -> Result<Role, String> {
    Role::ALL
        .into_iter()
        .find(|role| role.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| "it is pawn, knight, bishop, rook, queen or king".into())
}

/// The page being built.
struct Page {
    markdown: bool,
    text: String,
}

impl Page {
    fn section(&mut self, section: &Section) {
        self.heading(section.level, &section.title);
        match (&section.text, section.source) {
            (Some(text), Some(source)) => self.paragraph(&format!("{text} ({source})")),
            (Some(text), None) => self.paragraph(text),
            (None, _) => {}
        }
        if let Some(example) = &section.example {
            self.board(example);
        }
        for law in &section.laws {
            self.law(&law.text, law.source);
        }
    }

    /// The example of an article, with the target squares of its moves marked.
    fn board(&mut self, example: &ExampleReport) {
        let men = match self.markdown {
            true => PieceStyle::Figurines,
            false => PieceStyle::Letters,
        };
        let style = TextStyle {
            men,
            ..TextStyle::default()
        };
        let board = Diagram::new(&example.setup.board)
            .marks(example.targets)
            .text(style);
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

    /// Wraps text to a readable length, after a marker.
    fn wrapped(&mut self, mark: &str, indent: &str, text: &str) {
        const LINE_COLUMNS: usize = 96;
        let mut line = mark.to_owned();
        for word in text.split_whitespace() {
            let has_words = line.len() > mark.len().max(indent.len());
            if has_words && line.chars().count() + 1 + word.chars().count() > LINE_COLUMNS {
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
