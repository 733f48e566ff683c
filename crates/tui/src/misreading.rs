//! Why a typed text is not the move that somebody meant, and what may have been meant. The same words
//! in the line mode and on the full screen.

use touchmove_rules::{AnyPosition, Illegal, Misread};

use crate::sentence::sentence;

/// Whether the text may be a slip of the fingers; who wants to move a pinned man has meant it.
const fn is_slip(misread: &Misread) -> bool {
    match misread {
        Misread::Invalid { .. } | Misread::NoSuchMan { .. } | Misread::NoneGoesThere { .. } => true,
        Misread::Ambiguous { .. } | Misread::PromotionMissing { .. } => false,
        Misread::Illegal { reason, .. } => matches!(
            reason,
            Illegal::NoPiece { .. } | Illegal::NotYourPiece { .. } | Illegal::WrongWay { .. }
        ),
    }
}

/// The reason, and moves that are typed nearly so.
pub(crate) fn words(position: &AnyPosition, text: &str, misread: &Misread) -> String {
    let near = match is_slip(misread) {
        true => position.did_you_mean(text),
        false => Vec::new(),
    };
    let near: Vec<String> = near
        .iter()
        .map(|&mv| position.san(mv).to_string())
        .collect();
    let why = sentence(&misread.to_string());
    match near.is_empty() {
        true => why,
        false => format!("{why} Did you mean {}?", near.join(" or ")),
    }
}
