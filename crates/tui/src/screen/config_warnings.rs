//! Configuration warnings, shortened to the room there is. The caller reads the configuration.

/// As many of the sentences as fit, and how many more there are; `None` if there are none.
pub(super) fn limited(faults: &[String], fits: impl Fn(&str) -> bool) -> Option<String> {
    let said = |count: usize| {
        let (shown, rest) = faults.split_at(count);
        match (shown, rest.len()) {
            ([], 1) => "touchmove config shows a fault.".to_owned(),
            ([], all) => format!("touchmove config shows {all} faults."),
            (shown, 0) => shown.join(" "),
            (shown, more) => format!("{} And {more} more: touchmove config.", shown.join(" ")),
        }
    };
    let most = (0..=faults.len()).rev().map(said).find(|text| fits(text));
    (!faults.is_empty()).then(|| most.unwrap_or_else(|| said(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_faults_are_told_as_fit_and_the_others_are_counted() {
        let faults = ["Settings, line 1: so.", "Line 2: so.", "Line 3: so."].map(str::to_owned);
        for (room, text) in [
            (99, "Settings, line 1: so. Line 2: so. Line 3: so."),
            (44, "touchmove config shows 3 faults."),
        ] {
            let said = limited(&faults, |text| text.len() <= room);
            assert_eq!(said.as_deref(), Some(text));
        }
        let said = limited(&faults, |text| !text.contains("line 1: so. Line 2"));
        let first = "Settings, line 1: so. And 2 more: touchmove config.";
        assert_eq!(said.as_deref(), Some(first));
        assert_eq!(limited(&[], |_| true), None);
    }
}
