//! The date as PGN writes it, from a count of days. Which day it is, others know.

/// The date of a day counted from 1970, as PGN writes it.
///
/// ```
/// use touchmove_tui::screen::calendar::date;
///
/// assert_eq!(date(20_773), "2026.11.16");
/// ```
#[must_use]
pub fn date(days: u64) -> String {
    // Years are counted from March, so that the leap day is the last of its year.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}.{month:02}.{day:02}", 400 * era + year + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, shown) in [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (20_772, "2026.11.15"),
        ] {
            assert_eq!(date(days), shown);
        }
    }
}
