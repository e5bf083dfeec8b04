//! The connection to the server: statements are tried again until they are answered.

use crate::address::Address;
use crate::{Problem, schema};
use postgres::Client;
use postgres::error::SqlState;
use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Default of how long a server may be away before a worker gives up.
const PATIENCE: Duration = Duration::from_secs(3600);
/// How long to wait before the next attempt: from this, doubled each time, to that.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(2));
/// How long a connection may take, and how long a packet may be unanswered.
const CONNECTING: Duration = Duration::from_secs(10);
const UNANSWERED: Duration = Duration::from_secs(30);

/// Who leases tasks: the name of a process, unlike any other's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owner(pub(crate) String);

impl Owner {
    /// This process, on this machine.
    pub fn here() -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        Owner::this(if host.trim().is_empty() { "host" } else { host.trim() })
    }

    /// This process, on a machine of this name.
    pub fn this(host: &str) -> Self {
        let random = fastrand::Rng::new().u32(..);
        Owner(format!("{}:{}:{random:08x}", host.replace(['!', ':'], "-"), std::process::id()))
    }
}

/// Tables of runs on a server.
pub struct Store {
    address: Address,
    client: Option<Client>,
    pub(crate) owner: Owner,
    pub(crate) lease: Duration,
    patience: Duration,
    is_server_gone: bool,
    /// Whether a reply may have been lost since it was last asked.
    pub(crate) lost_reply: bool,
    /// Set when this process is to stop.
    pub(crate) stop: Arc<AtomicBool>,
    random: fastrand::Rng,
}

/// Default of how long a task belongs to who leased it without a sign of life.
const LEASE: Duration = Duration::from_secs(60);

impl Store {
    /// Connects, and makes the tables if there are none.
    pub fn open(url: &str, owner: Owner) -> Result<Self, Problem> {
        let mut address = Address::parse(url)?;
        let config = &mut address.config;
        config.connect_timeout(CONNECTING).keepalives_idle(UNANSWERED).tcp_user_timeout(UNANSWERED);
        if config.get_application_name().is_none() {
            config.application_name("mazurka");
        }
        let stop = Arc::new(AtomicBool::new(false));
        let random = fastrand::Rng::new();
        let mut store = Store {
            address,
            client: None,
            owner,
            lease: LEASE,
            patience: PATIENCE,
            is_server_gone: false,
            lost_reply: false,
            stop,
            random,
        };
        let mut client = store.connect().map_err(|error| Problem::NoServer(in_words(&error)))?;
        schema::ensure(&mut client)?;
        store.client = Some(client);
        Ok(store)
    }

    /// The same server, by a connection of its own that is opened when it is needed.
    pub(crate) fn another(&self) -> Store {
        Store {
            address: self.address.clone(),
            client: None,
            owner: self.owner.clone(),
            lease: self.lease,
            patience: self.patience,
            is_server_gone: false,
            lost_reply: false,
            stop: self.stop.clone(),
            random: fastrand::Rng::new(),
        }
    }

    /// Tasks belong to this process for so long without a sign of life.
    pub fn set_lease(&mut self, lease: Duration) {
        self.lease = lease;
    }

    /// A server that does not answer for so long is taken to be gone for good.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Whether the server was found to be gone for good.
    pub fn is_server_gone(&self) -> bool {
        self.is_server_gone
    }

    /// When this becomes true, nobody waits for the server any more.
    pub fn set_stop(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    fn connect(&self) -> Result<Client, postgres::Error> {
        let mut client = self.address.connect()?;
        // What is lost when the server's machine loses power is done again. Where that will not do, it says so. Nobody waits for
        // one who was paused in the middle of a transaction.
        client.batch_execute("SET synchronous_commit = off; SET idle_in_transaction_session_timeout = '10s'")?;
        Ok(client)
    }

    /// Does something until the server has answered.
    pub(crate) fn with<T>(
        &mut self,
        mut act: impl FnMut(&mut Client) -> Result<T, postgres::Error>,
    ) -> Result<T, Problem> {
        let started = Instant::now();
        let mut pause = PAUSES.0;
        loop {
            let result = match self.client.as_mut().filter(|client| !client.is_closed()) {
                Some(client) => act(client),
                None => self.connect().and_then(|client| act(self.client.insert(client))),
            };
            let error = match result {
                Ok(answer) => return Ok(answer),
                Err(error) if !is_passing(&error) => return Err(refused(error)),
                Err(error) => error,
            };
            if !is_conflict(&error) {
                self.client = None;
                self.lost_reply = true;
            }
            if self.stop.load(Ordering::Relaxed) && started.elapsed() > CONNECTING {
                return Err(Problem::Stopped);
            }
            if started.elapsed() > self.patience {
                self.is_server_gone = true;
                return Err(Problem::ServerGone(in_words(&error)));
            }
            // Not all at once when the server is back.
            thread::sleep(pause.mul_f64(0.5 + self.random.f64()));
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    pub(crate) fn random(&mut self) -> &mut fastrand::Rng {
        &mut self.random
    }
}

/// Whether it may be over when it is tried again.
fn is_passing(error: &postgres::Error) -> bool {
    let is_io = error.source().is_some_and(|source| source.is::<io::Error>());
    match error.code() {
        None => error.is_closed() || is_io,
        Some(code) => {
            is_conflict(error)
                || code.code().starts_with("08")
                || [
                    SqlState::ADMIN_SHUTDOWN,
                    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                    SqlState::CRASH_SHUTDOWN,
                    SqlState::CANNOT_CONNECT_NOW,
                    SqlState::TOO_MANY_CONNECTIONS,
                ]
                .contains(code)
        }
    }
}

/// Whether two did something at once that can only be done one after the other.
fn is_conflict(error: &postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED))
}

pub(crate) fn refused(error: postgres::Error) -> Problem {
    Problem::Refused(in_words(&error))
}

/// With the cause, which is where the words are.
pub(crate) fn in_words(error: &postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => said.message().to_owned(),
        (_, Some(source)) => format!("{error}: {source}"),
        _ => error.to_string(),
    }
}
