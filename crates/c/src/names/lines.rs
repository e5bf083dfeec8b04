//! Lines of the program's text, by the debugging information.

use addr2line::{Loader, Location};
use model::Site;
use std::path::Path;

/// What says which line an address is of.
pub(crate) struct Lines(Option<Loader>);

impl Lines {
    /// Of the program in this file.
    pub(crate) fn read(path: &Path) -> Self {
        Lines(Loader::new(path).ok())
    }

    /// File and line, as people read them.
    pub(crate) fn site(&self, site: Site) -> Option<String> {
        file_and_line(&self.location(site)?)
    }

    /// File, as the compiler was given it, and line.
    pub(crate) fn file_and_line(&self, site: Site) -> Option<model::Location> {
        let location = self.location(site)?;
        Some(model::Location { file: location.file?.to_owned(), line: location.line? })
    }

    /// Whether the line is of the program's own text, not of a header of the system.
    pub(crate) fn is_own(&self, site: Site) -> bool {
        self.location(site).as_ref().is_some_and(is_own)
    }

    /// The text of the line.
    pub(crate) fn source(&self, site: Site) -> Option<String> {
        let location = self.location(site)?;
        let text = std::fs::read_to_string(location.file?).ok()?;
        text.lines().nth(location.line?.checked_sub(1)? as usize).map(str::to_owned)
    }

    /// The functions that a return address is in, each with the place of the call, the innermost first: functions that the
    /// compiler put into others are told, too.
    pub(crate) fn functions_and_sites(&self, site: Site) -> Vec<String> {
        let mut calls = Vec::new();
        let Some(mut frames) = self.frames(site) else { return calls };
        while let Ok(Some(frame)) = frames.next() {
            let Some(at) = frame.location.as_ref().and_then(file_and_line) else { continue };
            let name = frame.function.as_ref().and_then(|function| Some(function.demangle().ok()?.into_owned()));
            calls.push(name.map_or(at.clone(), |name| format!("{name} at {at}")));
        }
        calls
    }

    /// File and line of a return address: the call is before it. Of functions that are put into each other, that of the
    /// program's own text counts.
    fn location(&self, site: Site) -> Option<Location<'_>> {
        let mut frames = self.frames(site)?;
        let mut innermost = None;
        while let Ok(Some(frame)) = frames.next() {
            if frame.location.as_ref().is_some_and(is_own) {
                return frame.location;
            }
            innermost = innermost.or(frame.location);
        }
        innermost
    }

    fn frames(&self, site: Site) -> Option<Frames<'_>> {
        let loader = self.0.as_ref().filter(|_| site != Site::UNKNOWN)?;
        loader.find_frames(u64::from(site.0).wrapping_sub(1)).ok()
    }
}

/// The functions that an address is in.
type Frames<'a> = addr2line::FrameIter<'a, addr2line::LoaderReader<'a>>;

fn is_own(location: &Location<'_>) -> bool {
    location.file.is_some_and(|file| !["/usr/include/", "/usr/lib/", "/usr/bin/"].iter().any(|of| file.starts_with(of)))
}

fn file_and_line(location: &Location<'_>) -> Option<String> {
    let file = location.file?;
    let file = file.rsplit('/').next().unwrap_or(file);
    Some(format!("{file}:{}", location.line?))
}
