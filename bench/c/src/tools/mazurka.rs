//! Mazurka, by its command, and bare replay by this program.

use super::{Measured, Tool, last_line, version_of};
use crate::bare;
use crate::process::{Limit, run};
use crate::workloads::Workload;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

pub struct Mazurka;

/// The release build of the command, or what the environment variable `MAZURKA` says.
fn command() -> PathBuf {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/mazurka");
    std::env::var_os("MAZURKA").map_or_else(|| built.into(), PathBuf::from)
}

impl Tool for Mazurka {
    fn name(&self) -> &'static str {
        "mazurka"
    }

    fn version(&self) -> Result<String, String> {
        let advice =
            "run `cargo build --release -p mazurka-cli` at the root, or set MAZURKA to the path of the command";
        version_of(&command().to_string_lossy(), "--version", advice)
    }

    fn measure(&self, workload: &Workload, limit: Limit) -> Result<Measured, String> {
        let mut check = Command::new(command());
        check.args(["check", "--json", "--keep-going"]).arg(&workload.source).arg("--").args(&workload.flags);
        let ran = run(check, limit)?;
        // What the compilers say comes after the JSON.
        let json = serde_json::Deserializer::from_str(&ran.out).into_iter::<Value>().next();
        let Some(Ok(summary)) = json else { return Err(last_line(&ran.out)) };
        let executions = summary["counts"]["executions"].as_u64().ok_or("its JSON has no counts")?;
        let blocked = summary["counts"]["sleep_set_blocked"].as_u64().unwrap_or(0);
        Ok(Measured {
            executions: executions + blocked,
            cpu: ran.cpu,
            search: summary["seconds"].as_f64(),
            memory: summary["peak_memory_bytes"].as_u64().unwrap_or(ran.memory),
            over_bare: bare::measure(workload, limit),
        })
    }
}
