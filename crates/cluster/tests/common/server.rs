//! A private PostgreSQL in a temporary folder, which ends with the test.
//!
//! It listens on a socket in that folder only. PostgreSQL refuses to run as root, so that root starts it as an ordinary user.

#![allow(dead_code, reason = "each test needs a part of it")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct Server {
    folder: PathBuf,
    bin: PathBuf,
    user: Option<(u32, u32)>,
    process: Option<Child>,
    /// Further settings, each as `-c` takes it.
    settings: Vec<String>,
    /// The network namespace that it runs in, if it is not that of this process.
    namespace: Option<String>,
}

/// Set where tests may not be left out.
const REQUIRED: &str = "MAZURKA_REQUIRE_TOOLS";

impl Server {
    /// A new one; none, with a line that says so, where PostgreSQL is not installed.
    pub(crate) fn start(name: &str) -> Option<Server> {
        let Some(bin) = find() else {
            assert!(std::env::var_os(REQUIRED).is_none(), "PostgreSQL is not installed, and {REQUIRED} is set");
            eprintln!("left out: PostgreSQL is not installed");
            return None;
        };
        let folder = std::env::temp_dir().join(format!("mazurka-pg-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let user = ordinary_user();
        if let Some((uid, gid)) = user {
            chown(&folder, Some(uid), Some(gid)).expect("the folder is root's");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("the folder is this process's");
        let mut server = Server { folder, bin, user, process: None, settings: Vec::new(), namespace: None };
        let data = server.data();
        let made = server
            .command("initdb")
            .args(["-U", "mazurka", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8", "-D"])
            .arg(data)
            .stdout(Stdio::null())
            .status();
        assert!(made.expect("initdb").success());
        server.launch();
        Some(server)
    }

    /// Where the socket is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// An address with a schema of its own for each name.
    pub(crate) fn url(&self, schema: &str) -> String {
        address(&self.folder, schema)
    }

    /// Starts it on what is in its folder.
    pub(crate) fn launch(&mut self) {
        let started = Instant::now();
        loop {
            let (data, folder) = (self.data(), self.folder.clone());
            let process = self
                .command("postgres")
                .arg("-D")
                .arg(data)
                .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=60", "-c"])
                .arg(format!("unix_socket_directories={}", folder.display()))
                .args(self.settings.iter().flat_map(|setting| ["-c", setting.as_str()]))
                .stdout(Stdio::null())
                .stderr(fs::File::create(folder.join("log")).expect("a log"))
                .spawn();
            self.process = Some(process.expect("postgres"));
            if self.is_ready() {
                return;
            }
            // The last processes of one that was killed may not have gone yet.
            assert!(started.elapsed() < Duration::from_secs(20), "postgres does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn is_ready(&mut self) -> bool {
        for _ in 0..200 {
            std::thread::sleep(Duration::from_millis(25));
            if self.process.as_mut().is_some_and(|process| process.try_wait().is_ok_and(|ended| ended.is_some())) {
                self.process = None;
                return false;
            }
            let ready = self.command("pg_isready").args(["-q", "-h"]).arg(&self.folder).status();
            if ready.is_ok_and(|ready| ready.success()) {
                return true;
            }
        }
        false
    }

    /// Starts it anew with further settings.
    pub(crate) fn launch_with(&mut self, settings: Vec<String>) {
        self.kill();
        self.settings = settings;
        self.launch();
    }

    /// Starts it anew in a network namespace, where it listens on an address and trusts whoever is on that network.
    pub(crate) fn move_to(&mut self, namespace: &str, address: &str, network: &str) {
        self.namespace = Some(namespace.to_owned());
        let hosts = self.data().join("pg_hba.conf");
        let known = fs::read_to_string(&hosts).expect("it is there");
        fs::write(&hosts, format!("{known}host all all {network} trust\n")).expect("it can be written");
        self.launch_with(vec![format!("listen_addresses={address}")]);
    }

    /// Ends it at once: what it has not written is lost.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("it is this process's");
            process.wait().expect("it was killed");
        }
    }

    /// Runs a script in a folder of its own as the user of the server, with the server's programs and others on its path.
    pub(crate) fn shell(&self, folder: &Path, programs: &[&str], script: &str) -> Output {
        fs::create_dir_all(folder).expect("a folder");
        if let Some((uid, gid)) = self.user {
            chown(folder, Some(uid), Some(gid)).expect("the folder is root's");
        }
        // They may be where this user cannot go.
        for program in programs {
            let name = Path::new(program).file_name().expect("a file");
            fs::copy(program, folder.join(name)).expect("a copy");
        }
        let mut path = folder.as_os_str().to_owned();
        for part in [self.bin.as_os_str(), &std::env::var_os("PATH").unwrap_or_default()] {
            path.push(":");
            path.push(part);
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
        if let Some((uid, gid)) = self.user {
            shell.uid(uid).gid(gid);
        }
        shell.output().expect("a shell")
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn command(&self, tool: &str) -> Command {
        if let (Some(namespace), Some((uid, gid)), "postgres") = (&self.namespace, self.user, tool) {
            // Only root may go there. Each becomes the next one, so that it is the same process at last.
            let mut command = Command::new("ip");
            command.args(["netns", "exec", namespace, "setpriv", "--clear-groups"]);
            command.args([format!("--reuid={uid}"), format!("--regid={gid}")]).arg(self.bin.join(tool));
            command.current_dir(&self.folder).stdin(Stdio::null());
            return command;
        }
        let mut command = Command::new(self.bin.join(tool));
        command.current_dir(&self.folder).stdin(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }
}

/// The address of a server with a socket in a folder.
pub(crate) fn address(folder: &Path, schema: &str) -> String {
    let folder = folder.display();
    format!("postgres://mazurka@/postgres?host={folder}&options=-c%20search_path%3D{schema}")
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        std::thread::sleep(Duration::from_millis(50));
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Where the server's programs are: Debian has them in a folder of their own for each version.
fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = fs::read_dir("/usr/lib/postgresql") {
        folders.extend(versions.flatten().map(|version| version.path().join("bin")));
    }
    let has_all = |folder: &PathBuf| ["initdb", "postgres", "pg_isready"].iter().all(|tool| folder.join(tool).exists());
    folders.into_iter().find(has_all)
}

/// Who runs the server, if this process is root's.
fn ordinary_user() -> Option<(u32, u32)> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let uid = status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().next()?;
    if uid != "0" {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("users");
    let find = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let fields: Vec<&str> = line.split(':').collect();
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    find("postgres").or_else(|| find("nobody"))
}
