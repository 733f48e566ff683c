//! Every target over its committed inputs, without libFuzzer. New inputs are found by fuzzing, not
//! here.

use std::fs;
use std::path::Path;

use touchmove_fuzz::TARGETS;

#[test]
fn the_laws_hold_on_every_input_of_the_corpus() {
    for (name, law) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("corpus")
            .join(name);
        let mut inputs = 0;
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}")) {
            let path = entry.unwrap().path();
            println!("{}", path.display());
            law(&fs::read(&path).unwrap());
            inputs += 1;
        }
        assert!(inputs >= 5, "{folder:?} has only {inputs} inputs");
    }
}

#[test]
fn every_target_of_libfuzzer_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_targets");
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    assert_eq!(files, TARGETS.map(|(name, _)| name));
}
