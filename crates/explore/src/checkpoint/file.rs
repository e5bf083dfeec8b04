//! The file: a line that says what follows, how long it is and its check sum, then the text.

use super::CheckpointProblem;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const MAGIC: &str = "mazurka-checkpoint";
const FORMAT: &str = "2";

/// Puts `text` in the place of the file as a whole: whatever happens, either the old file is there or the new one.
pub(super) fn write(path: &Path, text: &str) -> Result<(), CheckpointProblem> {
    replace(path, text).map_err(|error| CheckpointProblem::CannotWrite(error.to_string()))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let temporary = beside(path);
    let mut file = File::create(&temporary)?;
    writeln!(file, "{MAGIC} {FORMAT} {} {:08x}", text.len(), crc32fast::hash(text.as_bytes()))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary, path)?;
    // The new name is to outlive a loss of power too. Where a folder cannot be opened, there is nothing to be done.
    if let Ok(folder) = File::open(folder_of(path)) {
        folder.sync_all()?;
    }
    Ok(())
}

/// A file in the same folder, so that it can take the place of the other.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The text of a file that is as it was written.
pub(super) fn read(path: &Path) -> Result<String, CheckpointProblem> {
    let bytes = fs::read(path).map_err(|error| CheckpointProblem::CannotRead(error.to_string()))?;
    check(&bytes)
}

fn check(bytes: &[u8]) -> Result<String, CheckpointProblem> {
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else {
        let is_begun = bytes.starts_with(MAGIC.as_bytes());
        return Err(if is_begun { CheckpointProblem::CutShort } else { CheckpointProblem::NoCheckpoint });
    };
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| CheckpointProblem::NoCheckpoint)?;
    let body = &bytes[end + 1..];
    let mut words = head.split(' ');
    if words.next() != Some(MAGIC) {
        return Err(CheckpointProblem::NoCheckpoint);
    }
    let format = words.next().unwrap_or_default();
    if format != FORMAT {
        return Err(CheckpointProblem::OtherVersion(format!("a version with format '{format}'")));
    }
    let length: Option<usize> = words.next().and_then(|word| word.parse().ok());
    let sum = words.next().and_then(|word| u32::from_str_radix(word, 16).ok());
    let (Some(length), Some(sum)) = (length, sum) else { return Err(CheckpointProblem::Damaged) };
    if body.len() < length {
        return Err(CheckpointProblem::CutShort);
    }
    if body.len() > length || crc32fast::hash(body) != sum {
        return Err(CheckpointProblem::Damaged);
    }
    String::from_utf8(body.to_vec()).map_err(|_| CheckpointProblem::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<u8> {
        let path = std::env::temp_dir().join(format!("mazurka-file-{}-{}", std::process::id(), text.len()));
        write(&path, text).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(!beside(&path).exists());
        fs::remove_file(path).unwrap();
        bytes
    }

    #[test]
    fn what_was_written_is_read() {
        for text in ["", "{}", "two\nlines ≲"] {
            assert_eq!(check(&written(text)).unwrap(), text);
        }
    }

    #[test]
    fn whatever_is_missing_or_changed_is_noticed() {
        let whole = written("{\"tasks\":[1,2,3]}");
        for length in 0..whole.len() {
            let problem = check(&whole[..length]).unwrap_err();
            let is_cut = matches!(problem, CheckpointProblem::CutShort);
            assert!(is_cut || length < MAGIC.len(), "the first {length} bytes: {problem:?}");
        }
        for place in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[place] ^= 1 << bit;
                // A digit of the check sum is the same in capitals.
                assert!(check(&changed).is_err() || changed.eq_ignore_ascii_case(&whole), "bit {bit} of byte {place}");
            }
        }
    }
}
