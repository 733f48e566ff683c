//! Validation finds every fault at once; one line of data says what is wrong with a setup.

use touchmove_rules::{AnyPosition, Fen, Variant};

#[test]
fn every_setup_has_just_the_faults_that_its_line_names() {
    let mut codes_seen = std::collections::BTreeSet::new();
    for line in include_str!("data/faults.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let [variant, fen, codes, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not four columns: {line:?}");
        };
        let variant: Variant = variant.parse().unwrap();
        let setup = fen.parse::<Fen>().unwrap().0;
        let found = match AnyPosition::from_setup(&setup, variant) {
            Ok(_) => "-".to_string(),
            Err(faults) => {
                for fault in &faults {
                    codes_seen.insert(fault.code());
                    let sentence = fault.to_string();
                    assert!(
                        sentence.len() > 10 && !sentence.contains('\n'),
                        "{sentence}"
                    );
                    assert!(
                        fault
                            .squares()
                            .into_iter()
                            .all(|at| sentence.contains(&at.to_string())),
                        "{sentence}"
                    );
                }
                let codes: Vec<_> = faults.into_iter().map(|fault| fault.code()).collect();
                codes.join(" ")
            }
        };
        assert_eq!(found, codes, "{variant} {fen}: {why}");
    }
    assert_eq!(
        codes_seen.len(),
        18,
        "every fault is in the data: {codes_seen:?}"
    );
}
