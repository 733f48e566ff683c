//! The law book as sections to read: the request and the answer of `touchmove rules --json`. The texts come
//! from the law book; this module selects and orders them.

use serde::{Deserialize, Serialize};
use touchmove_rules::law::book::{self, Article};
use touchmove_rules::law::chapters::{self, Chapter};
use touchmove_rules::law::{Condition, Ruleset};
use touchmove_rules::{AnyPosition, Bitboard, MoveKind, Role, Setup, Variant};

use crate::Error;
use crate::budget::{MAX_TEXT_BYTES, bounded};

/// Read the laws: all of them, those of a variant or a piece, or those that contain all of some words.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RulesRequest {
    /// Only the laws of this variant, in full. Without it: chess, and how the other variants differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Variant>,
    /// Only the moves of this piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<Role>,
    /// Only sections and laws with all of these words, in any case and order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
}

impl RulesRequest {
    /// The sections that match; possibly none.
    ///
    /// # Errors
    /// If the search text is too long.
    pub fn answer(&self) -> Result<RulesReport, Error> {
        let mut book = RulesReport::of(self.variant, self.piece);
        if let Some(words) = &self.search {
            book.search(bounded("search", words, MAX_TEXT_BYTES)?);
        }
        Ok(book)
    }
}

/// The law book, or a part of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RulesReport {
    /// What it is about.
    pub title: String,
    /// An introduction; only for the whole book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'static str>,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// A section: a heading with its text and laws.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Section {
    /// The level of the heading: 2 for a variant, 3 for a subject, 4 for a kind of move.
    pub level: usize,
    /// The heading.
    pub title: String,
    /// The variant that the laws belong to.
    pub variant: Variant,
    /// The piece that the moves belong to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<Role>,
    /// How such a move goes, or an introduction to the laws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The source of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
    /// A position with such moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<ExampleReport>,
    /// The laws of the section.
    pub laws: Vec<LawReport>,
}

/// A position with the moves of one kind and piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExampleReport {
    /// The position.
    #[serde(rename = "fen")]
    pub setup: Setup,
    /// One of the moves.
    pub uci: &'static str,
    /// The squares that these moves go to.
    pub targets: Bitboard,
}

/// One law.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LawReport {
    /// The text.
    pub text: String,
    /// The source, such as a FIDE article.
    pub source: &'static str,
}

/// The order of the pieces in the law book.
const PIECE_ORDER: [Role; 6] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::Queen,
    Role::King,
];

const LAW_BOOK_INTRO: &str = "Chess by FIDE's Laws of 2023 in full, then what the other variants change. Each law names \
     its source: an article of the Laws, a rule of the variant, or a numbered requirement of \
     this project. This page is what `touchmove rules --markdown` prints; `touchmove explain` \
     applies the same book to a move.";

impl RulesReport {
    /// The laws of a variant, of a piece, or of both; without either, the whole book.
    #[must_use]
    pub fn of(variant: Option<Variant>, piece: Option<Role>) -> RulesReport {
        let mut sections = Vec::new();
        let (title, text) = match (variant, piece) {
            (variant, Some(piece)) => {
                let rules = Ruleset::of(variant.unwrap_or_default());
                sections.extend(moves_of(piece, &rules));
                (format!("{}: the {piece}", rules.variant.title()), None)
            }
            (Some(variant), None) => {
                sections.extend(whole_variant(&Ruleset::of(variant)));
                (format!("The laws of {}", variant.title()), None)
            }
            (None, None) => {
                sections.extend(whole_book());
                ("The law book".to_owned(), Some(LAW_BOOK_INTRO))
            }
        };
        RulesReport {
            title,
            text,
            sections,
        }
    }

    /// Keeps only what contains all of these words, in any case and order. A section whose heading or text
    /// contains them keeps all of its laws; another keeps its heading and the laws that contain them.
    ///
    /// ```
    /// use touchmove_arbiter::RulesReport;
    ///
    /// let mut book = RulesReport::of(None, None);
    /// book.search("castling attacked");
    /// assert!(!book.sections.is_empty());
    /// book.search("wizard");
    /// assert!(book.sections.is_empty());
    /// ```
    pub fn search(&mut self, words: &str) {
        self.text = None;
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let has_all = |texts: &[&str]| {
            let text = texts.join("\n").to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.sections.retain_mut(|section| {
            let Section {
                title,
                text,
                source,
                laws,
                ..
            } = section;
            let (text, source) = (
                text.as_deref().unwrap_or_default(),
                source.unwrap_or_default(),
            );
            if has_all(&[title, text, source]) {
                return true;
            }
            laws.retain(|law| has_all(&[title, &law.text, law.source]));
            !laws.is_empty()
        });
    }
}

impl Section {
    fn new(level: usize, title: impl Into<String>, rules: &Ruleset) -> Section {
        Section {
            level,
            title: title.into(),
            variant: rules.variant,
            piece: None,
            text: None,
            source: None,
            example: None,
            laws: Vec::new(),
        }
    }

    fn with(self, laws: impl IntoIterator<Item = LawReport>) -> Section {
        Section {
            laws: laws.into_iter().collect(),
            ..self
        }
    }
}

impl LawReport {
    fn new(text: impl Into<String>, source: &'static str) -> LawReport {
        LawReport {
            text: text.into(),
            source,
        }
    }
}

fn whole_book() -> Vec<Section> {
    let chess = Ruleset::of(Variant::Chess);
    let mut sections = vec![Section::new(2, chess.variant.title(), &chess)];
    sections.extend(whole_variant(&chess));
    for variant in Variant::ALL
        .into_iter()
        .filter(|&other| other != Variant::Chess)
    {
        let rules = Ruleset::of(variant);
        sections.push(Section::new(2, variant.title(), &rules));
        sections.extend(differences(&chess, &rules));
    }
    sections
}

/// All sections of one variant.
fn whole_variant(rules: &Ruleset) -> Vec<Section> {
    let of = |chapter: &Chapter| chapter_under(chapter, rules, &[]);
    let mut sections: Vec<_> = chapters::BEFORE_MOVES.iter().filter_map(of).collect();
    sections.push(every_move(rules));
    sections.extend(
        PIECE_ORDER
            .into_iter()
            .flat_map(|piece| moves_of(piece, rules)),
    );
    sections.extend(chapters::AFTER_MOVES.iter().filter_map(of));
    sections
}

/// The laws of a chapter without the `known` ones; `None` if no law is left.
fn chapter_under(chapter: &Chapter, rules: &Ruleset, known: &[&str]) -> Option<Section> {
    let laws = chapter.laws(rules).filter(|law| !known.contains(&law.text));
    let laws = laws.map(|law| LawReport::new(law.text, law.source));
    Some(Section::new(3, chapter.title, rules).with(laws))
        .filter(|section| !section.laws.is_empty())
}

fn every_move(rules: &Ruleset) -> Section {
    let kinds = |condition: Condition| {
        MoveKind::ALL
            .into_iter()
            .filter(move |&kind| rules.has(kind) && condition.applies(kind, rules))
    };
    let conditions = book::ANY_MOVE_CONDITIONS
        .into_iter()
        .chain(book::FIRST_CONDITIONS)
        .chain(book::LAST_CONDITIONS);
    let laws = conditions.filter_map(|condition| {
        let particular = matches!(
            condition,
            Condition::MovesThatWay
                | Condition::KingTakesNothing
                | Condition::PromotionChosen
                | Condition::NothingPromoted
        );
        let kind = kinds(condition).next().filter(|_| !particular)?;
        Some(LawReport::new(
            condition.text(),
            condition.source(kind, rules),
        ))
    });
    Section::new(3, "What every move needs", rules).with(laws)
}

fn moves_of(piece: Role, rules: &Ruleset) -> Vec<Section> {
    let articles = book::ARTICLES
        .iter()
        .filter(|article| article.kind.role() == piece && rules.has(article.kind))
        .map(|article| article_under(article, rules));
    let heading = Section {
        piece: Some(piece),
        ..Section::new(3, capitalised(piece.name()), rules)
    };
    [heading].into_iter().chain(articles).collect()
}

fn article_under(article: &Article, rules: &Ruleset) -> Section {
    let kind = article.kind;
    let own = article.conditions.iter().copied();
    let of_the_kind = [Condition::KingTakesNothing, Condition::PromotionChosen];
    let laws = own
        .chain(of_the_kind)
        .filter(|condition| condition.applies(kind, rules))
        .map(|condition| LawReport::new(condition.text(), condition.source(kind, rules)));
    Section {
        piece: Some(kind.role()),
        text: Some(article.movement(rules).to_owned()),
        source: Some(Condition::MovesThatWay.source(kind, rules)),
        example: example(article, rules),
        ..Section::new(4, kind.name(), rules).with(laws)
    }
}

/// The example of an article, with the target squares of moves of its kind.
fn example(article: &Article, rules: &Ruleset) -> Option<ExampleReport> {
    let book::Example { fen, uci } = article.example;
    let position = AnyPosition::from_fen(fen, rules.variant).ok()?;
    let mv = position.read_uci(uci).ok()?;
    let targets = position
        .moves_from(mv.from())
        .into_iter()
        .filter(|other| other.kind() == article.kind)
        .map(|other| other.to());
    Some(ExampleReport {
        setup: position.setup(),
        uci,
        targets: targets.collect(),
    })
}

/// How a variant's laws differ from those of chess.
fn differences(chess: &Ruleset, rules: &Ruleset) -> Vec<Section> {
    let all = chapters::BEFORE_MOVES.iter().chain(&chapters::AFTER_MOVES);
    let mut sections: Vec<_> = all
        .filter_map(|chapter| {
            let in_chess: Vec<_> = chapter.laws(chess).map(|law| law.text).collect();
            chapter_under(chapter, rules, &in_chess)
        })
        .collect();
    let missing = MoveKind::ALL.into_iter().filter(|&kind| !rules.has(kind));
    let missing: Vec<_> = missing.map(|kind| kind.to_string()).collect();
    if !missing.is_empty() {
        sections.push(Section {
            text: Some(format!("{}.", missing.join(", "))),
            ..Section::new(3, "Moves that do not exist", rules)
        });
    }
    sections.extend(changed_conditions(
        "Further conditions",
        rules,
        chess,
        rules,
    ));
    sections.extend(changed_conditions(
        "Conditions that fall away",
        chess,
        rules,
        rules,
    ));
    sections
}

/// The conditions that moves have under one set of rules and not under the other.
fn changed_conditions(
    title: &str,
    with: &Ruleset,
    without: &Ruleset,
    of: &Ruleset,
) -> Option<Section> {
    let existing: Vec<_> = MoveKind::ALL
        .into_iter()
        .filter(|&kind| of.has(kind))
        .collect();
    let mut changed: Vec<(Condition, Vec<MoveKind>)> = Vec::new();
    for &kind in &existing {
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
    changed.sort();
    let laws = changed.iter().map(|(condition, kinds)| {
        let names: Vec<_> = kinds.iter().map(ToString::to_string).collect();
        let moves = match kinds.len() == existing.len() {
            true => "every move".to_owned(),
            false => names.join(", "),
        };
        let text = format!("{}: {moves}", condition.text());
        LawReport::new(text, condition.source(kinds[0], with))
    });
    Some(Section::new(3, title, of).with(laws)).filter(|section| !section.laws.is_empty())
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
