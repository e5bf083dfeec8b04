//! Many checks of programs that were built. A check of some milliseconds costs little if no process has to start for it: one does, and
//! each check runs in a copy of it.

use crate::checking::{Answer, TIMEOUT};
use std::io::{BufRead, BufReader, PipeReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

/// Ends what a check wrote; how it ended follows, and the end of the line.
const END: u8 = 0x1e;

/// A search adds this to its answer, so that no program under test ends the process with the same.
const ANSWER: i32 = 64;

/// Does checks one after the other. It is ended when this is dropped.
pub(crate) struct Checks {
    process: Child,
    /// What each check wrote, and how it ended.
    answers: Receiver<(String, i32)>,
}

impl Checks {
    pub(crate) fn start() -> Result<Self, String> {
        let start = || {
            let (reader, writer) = std::io::pipe()?;
            let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
            command.arg("checks").stdin(Stdio::piped()).stdout(writer.try_clone()?).stderr(writer);
            c::processes::prepare(&mut command);
            Ok((command.spawn()?, reader))
        };
        let (process, reader) = start().map_err(|error: std::io::Error| format!("cannot start: {error}"))?;
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || read_answers(reader, &sender));
        Ok(Checks { process, answers })
    }

    /// Checks a program that was built, with these options and this argument.
    pub(crate) fn check(&mut self, binary: &Path, options: &[&str], argument: usize) -> Result<Answer, String> {
        let (binary, argument) = (binary.to_string_lossy(), argument.to_string());
        let mut words = vec!["--built", &binary];
        words.extend(options);
        words.extend([&*binary, &argument]);
        let line = words.join("\t") + "\n";
        let input = self.process.stdin.as_mut().expect("it has an input");
        input.write_all(line.as_bytes()).map_err(|error| format!("cannot be asked: {error}"))?;
        let Ok((out, status)) = self.answers.recv_timeout(TIMEOUT) else {
            // The next one is asked of another process.
            *self = Checks::start()?;
            return Err(format!("no answer after {TIMEOUT:?}"));
        };
        let summary = out.find('{').and_then(|start| serde_json::from_str(&out[start..]).ok());
        let status = if status >= ANSWER { status - ANSWER } else { status };
        Ok(Answer { status, err: out.clone(), out, summary, states: None })
    }
}

impl Drop for Checks {
    fn drop(&mut self) {
        // Ended here, or ended by itself meanwhile: both is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read_answers(reader: PipeReader, sender: &mpsc::Sender<(String, i32)>) {
    let mut reader = BufReader::new(reader);
    loop {
        let (mut bytes, mut status) = (Vec::new(), String::new());
        let is_read = reader.read_until(END, &mut bytes).is_ok() && reader.read_line(&mut status).is_ok();
        let Some(status) = status.trim().parse().ok().filter(|_| is_read) else { return };
        bytes.pop();
        if sender.send((String::from_utf8_lossy(&bytes).into_owned(), status)).is_err() {
            return;
        }
    }
}
