//! Finding codes with their severities, and the [`Finding`] that carries a code. The modules that create
//! findings document when they do.

use std::fmt;
use std::str::FromStr;

use touchmove_text::display_line;

/// The severity of a finding.
///
/// ```
/// use touchmove_pgn::{FindingCode, Severity};
///
/// assert!(Severity::Info < Severity::Error);
/// assert_eq!(FindingCode::IllegalMove.severity(), Severity::Error);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Not in the form of the standard, but fully understood.
    Warning,
    /// The game contradicts the laws or itself, or part of it could not be read.
    Error,
}

impl Severity {
    /// `info`, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $severity:ident;)*) => {
        /// The kind of a finding.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum FindingCode {
            $($(#[$doc])* $name,)*
        }

        impl FindingCode {
            /// All codes.
            pub const ALL: &'static [FindingCode] = &[$(FindingCode::$name,)*];

            /// The stable name, in snake case.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(FindingCode::$name => $text,)*
                }
            }

            /// The default severity; a single finding may have another.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(FindingCode::$name => Severity::$severity,)*
                }
            }
        }
    };
}

codes! {
    /// The text is UTF-16, which PGN does not allow; it is read nevertheless.
    Utf16 = "utf16_text", Warning;
    /// NUL bytes, read as white space.
    NulByte = "nul_byte", Warning;
    /// Text between the games that is neither tag nor movetext.
    Junk = "junk_between_games", Warning;
    /// A line that begins with `%`, which PGN reserves for other programs. Only reported on request.
    EscapedLine = "escaped_line", Info;

    /// A tag that is misspelt but could be read.
    MalformedTag = "malformed_tag", Warning;
    /// The file ends inside a tag.
    TruncatedTag = "truncated_tag", Error;
    /// Two tags, or a tag and moves, on one line.
    SharedLine = "tags_share_line", Warning;
    /// Moves without any tag.
    NoTags = "no_tags", Warning;
    /// Tags without moves or result.
    NoMovetext = "no_movetext", Warning;
    /// One of the seven tags that every game should have is missing.
    MissingRosterTag = "missing_roster_tag", Info;
    /// The same tag twice.
    DuplicateTag = "duplicate_tag", Warning;

    /// A closing brace without a comment.
    StrayBrace = "stray_brace", Warning;
    /// A bracket or quote in the movetext.
    StrayBracket = "stray_bracket", Warning;
    /// A comment that is never closed.
    UnclosedComment = "unclosed_comment", Error;
    /// A closing parenthesis without a variation.
    StrayParenthesis = "stray_parenthesis", Warning;
    /// A variation that is never closed.
    UnclosedVariation = "unclosed_variation", Error;
    /// A variation before there was a move to vary.
    VariationBeforeMove = "variation_before_move", Warning;
    /// A variation without moves; its other content is kept without the parentheses.
    EmptyVariation = "empty_variation", Warning;
    /// A word in the movetext that has no meaning.
    UnknownToken = "unknown_token", Warning;
    /// A sign such as `+=` where a NAG belongs.
    TextSign = "text_sign", Warning;
    /// A separate `e.p.`, `ch`, `dbl` or the like after a move.
    DetachedRemark = "detached_remark", Warning;
    /// A `$` without a number from 0 to 255.
    BadNag = "bad_nag", Warning;
    /// A blank line inside the movetext.
    BlankLine = "blank_line_in_movetext", Warning;

    /// No result at the end of the movetext.
    MissingResult = "missing_result", Warning;
    /// The result twice.
    RepeatedResult = "repeated_result", Warning;
    /// A result in another spelling than PGN's.
    LooseResult = "loose_result", Warning;
    /// Moves after the result.
    MovesAfterResult = "moves_after_result", Error;
    /// The `Result` tag and the movetext disagree.
    ResultMismatch = "result_mismatch", Error;
    /// The `Result` tag holds no result.
    BadResultTag = "bad_result_tag", Warning;

    /// An unknown variant.
    UnknownVariant = "unknown_variant", Error;
    /// The starting position does not fit the variant.
    VariantMismatch = "variant_mismatch", Warning;
    /// A FEN that is not a position of this variant.
    BadFen = "bad_fen", Error;
    /// A FEN without its counters.
    ShortFen = "short_fen", Warning;
    /// A FEN without `SetUp "1"`.
    FenWithoutSetUp = "fen_without_setup", Warning;
    /// `SetUp "1"` without a FEN.
    SetUpWithoutFen = "setup_without_fen", Warning;
    /// `SetUp "0"` with a FEN.
    SetUpContradiction = "setup_contradiction", Warning;
    /// `PlyCount` is not the number of plies.
    PlyCount = "wrong_ply_count", Warning;

    /// A token that was meant as a move but cannot be read.
    UnreadableMove = "unreadable_move", Error;
    /// An illegal move.
    IllegalMove = "illegal_move", Error;
    /// A move that several pieces could make.
    AmbiguousMove = "ambiguous_move", Error;
    /// A null move in the main line.
    NullMove = "null_move", Error;
    /// An unreadable, illegal or ambiguous move inside a variation.
    BadVariationMove = "bad_variation_move", Warning;
    /// A variation too deep to be replayed.
    DeepVariation = "deep_variation", Warning;

    /// Castling with zeros, small letters or odd dashes.
    LooseCastling = "loose_castling", Warning;
    /// Coordinates (`g1f3`, `Ng1-f3`) instead of SAN.
    CoordinateMove = "coordinate_move", Warning;
    /// A capture without `x`, or `x` without a capture.
    CaptureMark = "wrong_capture_mark", Warning;
    /// A file or rank that was not needed to tell the pieces apart.
    NeedlessDisambiguation = "needless_disambiguation", Warning;
    /// A promotion without `=`.
    LoosePromotion = "loose_promotion", Warning;
    /// Figurines instead of letters.
    Figurine = "figurine", Warning;
    /// An `e.p.` after the move.
    EnPassantSuffix = "en_passant_suffix", Warning;
    /// Letters or punctuation that SAN does not have.
    LooseSan = "loose_san", Warning;
    /// A check or mate mark that is wrong or old-fashioned.
    WrongCheckMark = "wrong_check_mark", Warning;
    /// A check without `+`.
    MissingCheckMark = "missing_check_mark", Info;
    /// Mate, or an exploded king, without `#`.
    MissingMateMark = "missing_mate_mark", Warning;
    /// A wrong move number.
    WrongMoveNumber = "wrong_move_number", Warning;

    /// A move after checkmate.
    MoveAfterCheckmate = "move_after_checkmate", Error;
    /// A move after a king exploded.
    MoveAfterExplosion = "move_after_explosion", Error;
    /// A move after stalemate.
    MoveAfterStalemate = "move_after_stalemate", Error;
    /// A move after the position had occurred five times.
    MoveAfterFivefold = "move_after_fivefold", Error;
    /// A move after 75 moves of each side without capture or pawn move.
    MoveAfterSeventyFive = "move_after_seventy_five", Error;
    /// A move after a dead position. If that takes a proof, it is only an info.
    MoveAfterDeadPosition = "move_after_dead_position", Error;
    /// The result contradicts the final position.
    ResultContradictsPosition = "result_contradicts_position", Error;
    /// A win for a side that cannot win, such as a bare king.
    WinWithoutMaterial = "win_without_material", Error;
    /// A draw by threefold repetition could have been claimed.
    ThreefoldMissed = "threefold_missed", Info;
    /// A draw by the fifty-move rule could have been claimed.
    FiftyMissed = "fifty_missed", Info;
    /// A position that looks repeated three times but was not, because of an en passant right.
    RepetitionLookAlike = "repetition_look_alike", Info;

    /// A clock or elapsed time that cannot be read.
    BadClock = "bad_clock", Warning;
    /// A player's clock went up by more than the increment.
    ClockGained = "clock_gained_time", Warning;
    /// A player's clock shows more than the game's time control gives.
    ClockAboveControl = "clock_above_time_control", Warning;
    /// A player moved on with a clock at zero.
    ClockAtZero = "clock_at_zero", Info;

    /// A game longer than [`MAX_GAME_BYTES`](crate::MAX_GAME_BYTES): the rest is cut off.
    GameTooLong = "game_too_long", Error;
}

impl FindingCode {
    /// Codes of content that a [`Document`](crate::Document) of the game does not keep, or keeps without
    /// understanding it. Everything else survives reading and writing, in the spelling of the export format.
    pub const LOSSY_CODES: [FindingCode; 28] = [
        FindingCode::Utf16,
        FindingCode::Junk,
        FindingCode::EscapedLine,
        FindingCode::MalformedTag,
        FindingCode::TruncatedTag,
        FindingCode::StrayBrace,
        FindingCode::StrayBracket,
        FindingCode::UnclosedComment,
        FindingCode::StrayParenthesis,
        FindingCode::UnclosedVariation,
        FindingCode::VariationBeforeMove,
        FindingCode::EmptyVariation,
        FindingCode::UnknownToken,
        FindingCode::DetachedRemark,
        FindingCode::BadNag,
        FindingCode::RepeatedResult,
        FindingCode::MovesAfterResult,
        FindingCode::ResultMismatch,
        FindingCode::BadResultTag,
        FindingCode::SetUpContradiction,
        FindingCode::UnknownVariant,
        FindingCode::BadFen,
        FindingCode::UnreadableMove,
        FindingCode::IllegalMove,
        FindingCode::AmbiguousMove,
        FindingCode::BadVariationMove,
        FindingCode::DeepVariation,
        FindingCode::GameTooLong,
    ];
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// There is no code with this name.
///
/// ```
/// use touchmove_pgn::FindingCode;
///
/// assert_eq!("illegal_move".parse(), Ok(FindingCode::IllegalMove));
/// assert!("no_such_code".parse::<FindingCode>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no finding has the code \"{0}\"")]
pub struct ParseFindingCodeError(pub String);

impl FromStr for FindingCode {
    type Err = ParseFindingCodeError;

    fn from_str(text: &str) -> Result<FindingCode, ParseFindingCodeError> {
        let known = FindingCode::ALL.iter().find(|code| code.as_str() == text);
        known
            .copied()
            .ok_or_else(|| ParseFindingCodeError(text.to_owned()))
    }
}

/// A finding: one problem in one game.
///
/// ```
/// use touchmove_pgn::{Batch, AuditReport, audit};
///
/// let text = b"1. e4 e5 2. Ke3 *\n".to_vec();
/// let mut report = AuditReport::default();
/// audit(&Batch { text, offset: 0, line: 1 }, &mut report);
/// let illegal = report.findings.iter().find(|finding| finding.ply == Some(3)).unwrap();
/// assert!(illegal.to_string().starts_with("game 1, line 1, ply 3: error[illegal_move]: "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind of problem.
    pub code: FindingCode,
    /// The severity.
    pub severity: Severity,
    /// The game, counted from 1. Text before the first game belongs to game 1.
    pub game: u64,
    /// The byte offset in the file, counted from 0.
    pub offset: u64,
    /// The line in the file, counted from 1.
    pub line: u64,
    /// The number of plies replayed up to and including the one in question; `None` for findings outside the
    /// moves.
    pub ply: Option<u32>,
    /// A sentence for people.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            code,
            severity,
            game,
            line,
            message,
            ..
        } = self;
        write!(f, "game {game}, line {line}")?;
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        // The message may quote the file.
        write!(f, ": {severity}[{code}]: {}", display_line(message))
    }
}
