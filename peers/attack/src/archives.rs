//! Compressed files that become very large: little on the disk, a gibibyte in memory for whoever keeps what he reads.
//! Small ones beside them show that the program reads the format at all.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;

use crate::Plan;
use crate::harm::harm;
use crate::process::{Launch, Run};
use crate::report::Report;

/// How long the program may take with one.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most memory that it may take.
const MAX_MEMORY: u64 = 700 << 20;
/// How many bytes come out of a bomb.
const BOMB_BYTES: usize = 1 << 30;
/// What a tag begins with that never ends.
const TAG: &str = "[White \"";
/// The same for a comment.
const COMMENT: &str = "[White \"a\"]\n[Result \"*\"]\n\n1. e4 {";
/// A game that is read without trouble.
const SMALL: &str = "[White \"SMALLGAME\"]\n[Result \"*\"]\n\n1. e4 e5 *\n";

/// What reads games: `{}` stands for the file.
const COMMANDS: &[&[&str]] = &[
    &["pgn", "check", "{}"],
    &["pgn", "stats", "{}"],
    &["pgn", "fmt", "{}"],
    &["pgn", "show", "{}", "--ply", "1"],
    &["review", "{}", "--nodes", "100"],
];

/// Gives each of them to every command that reads games.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let home = plan.folder.join("archives");
    std::fs::create_dir_all(&home)?;
    let write = |name: &str, bytes: Vec<u8>| -> anyhow::Result<PathBuf> {
        let path = home.join(name);
        std::fs::write(&path, bytes).context("an archive cannot be written")?;
        Ok(path)
    };
    let small = [
        write("small.pgn.gz", gzip(SMALL, 0))?,
        write("small.pgn.zst", zstd(SMALL, 0))?,
        write("small.pgn.bz2", bytes_of(SMALL_BZIP2)?)?,
    ];
    for path in &small {
        for words in COMMANDS {
            let run = read(plan, &home, words, path).await?;
            report.must(run.code == Some(0), || {
                let output = String::from_utf8_lossy(&run.output()).into_owned();
                format!(
                    "{words:?} with a small {}: {:?} {output}",
                    path.display(),
                    run.code
                )
            });
        }
    }
    let mut bombs = vec![
        write("tag.pgn.gz", gzip(TAG, BOMB_BYTES))?,
        write("tag.pgn.zst", zstd(TAG, BOMB_BYTES))?,
        write("tag.pgn.bz2", bytes_of(TAG_BZIP2)?)?,
    ];
    if plan.is_long {
        bombs.push(write("comment.pgn.gz", gzip(COMMENT, BOMB_BYTES))?);
        bombs.push(write("comment.pgn.zst", zstd(COMMENT, BOMB_BYTES))?);
    }
    let mut most = 0;
    for path in &bombs {
        for words in COMMANDS {
            report.count(1);
            let run = read(plan, &home, words, path).await?;
            most = most.max(run.peak_memory);
            let name = path.file_name().unwrap_or_default().display();
            judge(
                &format!("touchmove {} with {name}", words.join(" ")),
                &run,
                report,
            );
        }
    }
    report.note(format!(
        "archives of {} MB: {} MB of memory at most",
        BOMB_BYTES >> 20,
        most >> 20
    ));
    Ok(())
}

fn judge(what: &str, run: &Run, report: &mut Report) {
    let output = run.output();
    if run.peak_memory > MAX_MEMORY {
        let peak = run.peak_memory >> 20;
        report.fail(&format!("{what}: {peak} MB of memory"), b"");
        // It was ended for that.
        return;
    }
    if run.is_late {
        report.fail(&format!("{what}: did not end within {PATIENCE:?}"), &output);
    } else if !matches!(run.code, Some(0..=2)) {
        report.fall(&format!("{what}: exit code {:?}", run.code), &output);
    }
    for channel in [&run.out, &run.err] {
        if let Some(harm) = harm(channel, false) {
            report.fail(&format!("{what}: {harm}"), channel);
        }
    }
}

async fn read(plan: &Plan, home: &Path, words: &[&str], path: &Path) -> anyhow::Result<Run> {
    let word = |word: &&str| match *word {
        "{}" => path.as_os_str().to_owned(),
        word => OsString::from(word),
    };
    let arguments: Vec<OsString> = words.iter().map(word).collect();
    let launch = Launch {
        program: &plan.program,
        arguments: &arguments,
        home,
        input: b"",
        stays: Duration::ZERO,
        until: None,
        environment: &[],
        patience: PATIENCE,
        max_memory: MAX_MEMORY,
        has_terminal: false,
    };
    launch.run().await
}

/// Bits as deflate packs them.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    waiting: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        self.waiting |= u64::from(value) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.waiting as u8);
            self.waiting >>= 8;
            self.count -= 8;
        }
    }

    /// A code of Huffman's, which goes with its highest bit first.
    fn push_code(&mut self, code: u32, count: u32) {
        self.push(code.reverse_bits() >> (32 - count), count);
    }

    fn finish(mut self) -> Vec<u8> {
        self.push(0, (8 - self.count) % 8);
        self.bytes
    }
}

/// A text, and so many times `x`, by gzip (RFC 1951 and 1952). The checksum is right where there is only the text.
fn gzip(text: &str, more: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // The last block, with the codes that are fixed.
    bits.push(0b011, 3);
    let mut literal = |byte: u8| bits.push_code(0x30 + u32::from(byte), 8);
    text.bytes().for_each(&mut literal);
    if more > 0 {
        literal(b'x');
    }
    for _ in 0..more / 258 {
        // What stands one before, 258 times.
        bits.push_code(0b1100_0101, 8);
        bits.push_code(0, 5);
    }
    bits.push_code(0, 7);
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    bytes.extend(bits.finish());
    bytes.extend(checksum(text.as_bytes()).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes
}

/// The checksum of gzip.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |mut sum: u32, byte: &u8| {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
        sum
    };
    !bytes.iter().fold(u32::MAX, step)
}

/// The same by zstd (RFC 8878): a frame of blocks, one as it is and the others of one byte each.
fn zstd(text: &str, more: usize) -> Vec<u8> {
    const BLOCK_BYTES: usize = 128 << 10;
    // No length, no checksum, a window of a mebibyte.
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 10 << 3];
    let mut block = |length: usize, kind: u32, is_last: bool, content: &[u8]| {
        let head = (length as u32) << 3 | kind << 1 | u32::from(is_last);
        bytes.extend(&head.to_le_bytes()[..3]);
        bytes.extend(content);
    };
    let blocks = more / BLOCK_BYTES;
    block(text.len(), 0, blocks == 0, text.as_bytes());
    for number in 0..blocks {
        block(BLOCK_BYTES, 1, number + 1 == blocks, b"x");
    }
    bytes
}

/// A small game by bzip2, whose compression is too much to write down here.
const SMALL_BZIP2: &str = "\
    425a6839314159265359cbafe1b900000fdf800010501126002286188a02640e00200021aa7ea40f4ca36a69ea1e90a0\
    006819322e4e930a8a836e28acd50f62e1ee62a505074c3b8f31699c7e2ee48a70a121975fc372";
/// The tag that never ends, by bzip2.
const TAG_BZIP2: &str = "\
    425a683931415926535937ff2f410000019380d00000880260044000082000310030135543d4319d66f5f7fac915012d\
    6e88a80970c50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d66d3ad528005\
    7e380202010000208000c20135190a8096a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a80\
    96a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d66d3ad528005\
    7e380202010000208000c20135190a8096a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a80\
    96a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d66d3ad528005\
    7e380202010000208000c20135190a8096a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a80\
    96a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d66d3ad528005\
    7e380202010000208000c20135190a8096a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a80\
    96a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d66d3ad528005\
    7e380202010000208000c20135190a8096a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a80\
    96a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d66d3ad528005\
    7e380202010000208000c20135190a8096a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a80\
    96a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d66d3ad528005\
    7e380202010000208000c20135190a8096a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a80\
    96a42a025cc50564994d66d3ad5280057e380202010000208000c20135190a8096a42a025cc50564994d659ce67f4802\
    295622020010010000208000c33014a69c6a89121b1512243c5dc914e1424343675070";

/// The bytes that are written as hexadecimal numbers.
fn bytes_of(text: &str) -> anyhow::Result<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let bytes = pairs.map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?));
    bytes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_gzip() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
    }
}
