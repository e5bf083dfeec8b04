//! A browser, driven by the DevTools protocol over a pipe.
//!
//! Messages are JSON texts that end in a zero byte. The browser reads them from its file descriptor 3 and writes to 4, which
//! a shell makes of its standard input and output.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// No page takes so long unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where the browser is, if it is installed.
pub(crate) fn find() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    next: u64,
    /// What the page wrote to the console, and what went wrong in it.
    pub(crate) console: Vec<String>,
    /// What the page asked for by the network, or from a file.
    pub(crate) requests: Vec<String>,
    profile: PathBuf,
}

impl Browser {
    /// Starts one.
    pub(crate) fn start(program: &Path) -> Self {
        let profile = std::env::temp_dir().join(format!("mazurka-browser-{}-{}", std::process::id(), nth()));
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"])
            .arg(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"])
            .args(["--disable-dev-shm-usage", "--disable-background-networking", "--force-color-profile=srgb"])
            .args(["--hide-scrollbars", "--window-size=1440,900"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell can be started");
        let to = process.stdin.take().expect("it is a pipe");
        let from = listen(process.stdout.take().expect("it is a pipe"));
        let (console, requests) = (Vec::new(), Vec::new());
        let mut browser = Browser { process, to, from, session: None, next: 0, console, requests, profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(1440, 900);
        browser
    }

    /// Sets the size of the window.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Opens a file, and waits until it is shown. Says how many milliseconds the page took by its own clock.
    pub(crate) fn open(&mut self, path: &Path) -> f64 {
        self.console.clear();
        self.requests.clear();
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        self.wait_for("document.body && document.body.dataset.ready !== undefined");
        self.evaluate("Number(document.body.dataset.ready)").as_f64().expect("a number")
    }

    /// Waits until an expression holds.
    pub(crate) fn wait_for(&mut self, condition: &str) {
        let started = Instant::now();
        while self.evaluate(condition) != true {
            assert!(started.elapsed() < PATIENCE, "{condition} does not come true: {:?}", self.console);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// The text of the first element that a selector finds.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.evaluate(&format!("document.querySelector({selector:?})?.textContent"));
        text.as_str().unwrap_or_else(|| panic!("there is no {selector}")).to_owned()
    }

    /// How many elements a selector finds that can be seen.
    pub(crate) fn count(&mut self, selector: &str) -> u64 {
        let count = self.evaluate(&format!(
            "[...document.querySelectorAll({selector:?})].filter((e) => !e.closest('[hidden]')).length"
        ));
        count.as_u64().expect("a number")
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { json!(key) } else { Value::Null };
        let code = match key {
            "Enter" => 13,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_null() {
                event["text"] = text.clone();
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Types a text.
    pub(crate) fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// A picture of the window.
    pub(crate) fn picture(&mut self, path: &Path) {
        let answer = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        std::fs::write(path, from_base64(answer["data"].as_str().expect("a text"))).expect("it can be written");
    }

    /// The page on paper, as PDF.
    pub(crate) fn print(&mut self) -> Vec<u8> {
        let answer = self.call("Page.printToPDF", json!({ "printBackground": true, "landscape": true }));
        from_base64(answer["data"].as_str().expect("a text"))
    }

    /// What people with another taste see.
    pub(crate) fn prefer_dark(&mut self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// The names and roles that a screen reader is given.
    pub(crate) fn accessible(&mut self) -> Vec<(String, String)> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let of = |node: &Value, what: &str| node[what]["value"].as_str().unwrap_or_default().to_owned();
        tree["nodes"].as_array().expect("a list").iter().map(|node| (of(node, "role"), of(node, "name"))).collect()
    }

    /// Calls a method of the protocol.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        self.to.flush().expect("the browser listens");
        loop {
            let answer = self.from.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.consoleAPICalled" => self.console.push(params["args"].to_string()),
            "Runtime.exceptionThrown" => self.console.push(params["exceptionDetails"].to_string()),
            "Log.entryAdded" => self.console.push(params["entry"]["text"].to_string()),
            "Network.requestWillBeSent" => {
                self.requests.push(params["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

fn nth() -> u128 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

fn listen(output: ChildStdout) -> Receiver<Value> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(output);
        let mut message = Vec::new();
        while reader.read_until(0, &mut message).is_ok_and(|read| read > 0) {
            message.pop();
            let Ok(value) = serde_json::from_slice(&message) else { return };
            if tell.send(value).is_err() {
                return;
            }
            message.clear();
        }
    });
    told
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = group.iter().fold(0u32, |bits, &c| bits << 6 | u32::from(value(c))) << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}
