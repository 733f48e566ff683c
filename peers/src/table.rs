//! Tables of text in columns, aligned and valid as Markdown. What the cells say is not decided
//! here.

use std::fmt;

/// To which side of its column a text is moved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// Columns with titles, and rows below them.
pub struct TextTable {
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these columns and no rows.
    pub fn new<T: Into<String>>(columns: impl IntoIterator<Item = (T, Align)>) -> TextTable {
        let (titles, aligns) = columns
            .into_iter()
            .map(|(title, align)| (title.into(), align))
            .unzip();
        TextTable {
            aligns,
            rows: vec![titles],
        }
    }

    /// Adds a row, which has one cell per column.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(
            row.len(),
            self.aligns.len(),
            "a row has one cell per column"
        );
        self.rows.push(row);
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            self.rows
                .iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        };
        let columns: Vec<(Align, usize)> = self
            .aligns
            .iter()
            .enumerate()
            .map(|(column, &align)| (align, width(column)))
            .collect();
        for (number, row) in self.rows.iter().enumerate() {
            for (cell, &(align, width)) in row.iter().zip(&columns) {
                match align {
                    Align::Left => write!(f, "| {cell:<width$} ")?,
                    Align::Right => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")?;
            if number == 0 {
                for &(align, width) in &columns {
                    match align {
                        Align::Left => write!(f, "| {:-<width$} ", "")?,
                        Align::Right => write!(f, "| {:->width$} ", ":")?,
                    }
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

/// A whole number with its digits in groups of three: `119 060 324`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
