//! The last pass over a screen that may show only ASCII: whatever else was drawn, such as a name, a dash or an
//! arrow, is replaced. What has a better ASCII form is drawn in it before.

use ratatui::buffer::Buffer;

/// Replaces every other character by an ASCII one. Nothing moves: each has one cell.
pub(super) fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            let letter = cell.symbol().chars().next().map_or(' ', spelt);
            cell.set_char(letter);
        }
    }
}

/// The nearest ASCII character; a question mark if there is none.
const fn spelt(letter: char) -> char {
    match letter {
        '\u{a0}' => ' ',
        '‐'..='―' | '−' | '·' | '─' | '━' | '═' => '-',
        '…' => '~',
        '•' | '∙' | '✶' | '★' => '*',
        '‘' | '’' | '‚' | '′' => '\'',
        '“' | '”' | '„' | '″' => '"',
        '›' | '»' | '→' | '▶' | '▸' => '>',
        '‹' | '«' | '←' | '◀' | '◂' => '<',
        '↑' | '▲' => '^',
        '↓' | '▼' => 'v',
        '│' | '┃' | '║' => '|',
        '┌'..='╋' | '╔'..='╬' | '╭'..='╰' => '+',
        '×' => 'x',
        '█' | '▓' => '#',
        '░' | '▒' => '.',
        '♔' => 'K',
        '♕' => 'Q',
        '♖' => 'R',
        '♗' => 'B',
        '♘' => 'N',
        '♙' => 'P',
        '♚' => 'k',
        '♛' => 'q',
        '♜' => 'r',
        '♝' => 'b',
        '♞' => 'n',
        '♟' => 'p',
        'À'..='Æ' | 'Ā' | 'Ă' | 'Ą' => 'A',
        'à'..='æ' | 'ā' | 'ă' | 'ą' => 'a',
        'Ç' | 'Ć' | 'Ĉ' | 'Ċ' | 'Č' => 'C',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'Ď' | 'Đ' | 'Ð' => 'D',
        'ď' | 'đ' | 'ð' => 'd',
        'È'..='Ë' | 'Ē' | 'Ĕ' | 'Ė' | 'Ę' | 'Ě' => 'E',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'Ğ' | 'Ģ' => 'G',
        'ğ' | 'ģ' => 'g',
        'Ì'..='Ï' | 'Ī' | 'Į' | 'İ' => 'I',
        'ì'..='ï' | 'ī' | 'į' | 'ı' => 'i',
        'Ķ' => 'K',
        'ķ' => 'k',
        'Ĺ' | 'Ļ' | 'Ľ' | 'Ł' => 'L',
        'ĺ' | 'ļ' | 'ľ' | 'ł' => 'l',
        'Ñ' | 'Ń' | 'Ņ' | 'Ň' => 'N',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'Ò'..='Ö' | 'Ø' | 'Ō' | 'Ő' | 'Œ' => 'O',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' | 'œ' => 'o',
        'Ŕ' | 'Ř' => 'R',
        'ŕ' | 'ř' => 'r',
        'Ś' | 'Ş' | 'Š' | 'Ș' => 'S',
        'ß' | 'ś' | 'ş' | 'š' | 'ș' => 's',
        'Ţ' | 'Ť' | 'Ț' | 'Þ' => 'T',
        'ţ' | 'ť' | 'ț' | 'þ' => 't',
        'Ù'..='Ü' | 'Ū' | 'Ů' | 'Ű' | 'Ų' => 'U',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => 'u',
        'Ý' | 'Ÿ' => 'Y',
        'ý' | 'ÿ' => 'y',
        'Ź' | 'Ż' | 'Ž' => 'Z',
        'ź' | 'ż' | 'ž' => 'z',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn every_character_becomes_ascii_in_its_own_cell() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 24, 1));
        buffer.set_string(0, 0, "Zoë – 王 · ♞\u{fe0e} ╭─╮ …x", Style::new());
        to_ascii(&mut buffer);
        let row: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(row.trim_end(), "Zoe - ?  - n +-+ ~x");
    }

    #[test]
    fn what_every_character_becomes_is_ascii() {
        assert!(('\u{80}'..=char::MAX).all(|letter| spelt(letter).is_ascii()));
    }
}
