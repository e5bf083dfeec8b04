//! Requests and replies.

use super::life::{Process, Tells};
use super::message::Message;
use super::process::{Core, checkpoint};
use crate::mailbox::Mailbox;
use model::{Pattern, Tag};
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

/// Why there is no reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoReply {
    /// The actor dropped the request.
    Dropped,
    /// The actor ended before it replied.
    Ended,
    /// The time was up.
    TimedOut,
}

impl fmt::Display for NoReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoReply::Dropped => "the actor dropped the request without a reply",
            NoReply::Ended => "the actor ended without a reply",
            NoReply::TimedOut => "the time was up before there was a reply",
        })
    }
}

impl std::error::Error for NoReply {}

type Answer<R> = Result<R, NoReply>;

/// Where the reply to a request is to be sent, once.
pub struct ReplyTo<R: Send + 'static> {
    answers: Option<Arc<Mailbox<Answer<R>>>>,
}

/// A request that was sent.
pub(super) struct Request<R>(Arc<Mailbox<Answer<R>>>);

impl<R: Send + 'static> ReplyTo<R> {
    /// Sends the reply.
    #[track_caller]
    pub fn send(mut self, reply: R)
    where
        R: fmt::Debug,
    {
        let location = Location::caller();
        checkpoint(location);
        if let Some(answers) = self.answers.take() {
            answer(&answers, &format!("{reply:?}"), Ok(reply), location);
        }
    }
}

/// What the text of no reply is.
fn refuse<R>(answers: &Mailbox<Answer<R>>, why: NoReply, location: &'static Location<'static>) {
    answer(answers, &why.to_string(), Err(why), location);
}

fn answer<R>(answers: &Mailbox<Answer<R>>, text: &str, answer: Answer<R>, location: &'static Location<'static>) {
    let tag = Tag::new(0, 0).expect("the first kind");
    // Given back only when the run is being given up.
    let _ = answers.send(tag, fiber::number_of(text), answer, location);
}

impl<R: Send + 'static> Drop for ReplyTo<R> {
    #[track_caller]
    fn drop(&mut self) {
        if let Some(answers) = self.answers.take()
            && !fiber::abandoned()
        {
            refuse(&answers, NoReply::Dropped, Location::caller());
        }
    }
}

impl<R: Send + 'static> fmt::Debug for ReplyTo<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReplyTo")
    }
}

/// Sends the message that `make` makes, and asks to be told when the actor ends.
pub(super) fn request<M: Message, R: Send + 'static>(
    core: &Arc<Core<M>>,
    make: impl FnOnce(ReplyTo<R>) -> M,
    location: &'static Location<'static>,
) -> Request<R> {
    let answers = Arc::new(Mailbox::new("reply", location));
    fiber::name_object(answers.id(), &format!("reply of {}", core.actor_id()));
    fiber::name_kinds(answers.id(), &["reply"], "reply");
    let theirs = answers.clone();
    let watcher = Box::new(move |_| refuse(&theirs, NoReply::Ended, location));
    if core.life().watch(Tells::Somebody, watcher, location).is_err() {
        refuse(&answers, NoReply::Ended, location);
    }
    core.deliver(make(ReplyTo { answers: Some(answers.clone()) }), location);
    Request(answers)
}

impl<R> Request<R> {
    /// Waits for the reply.
    pub(super) fn wait(self, location: &'static Location<'static>) -> Answer<R> {
        let taken = self.0.receive(Pattern::ANY, location);
        taken.and_then(|taken| taken.letter).unwrap_or(Err(NoReply::Ended))
    }

    /// The reply, if it is there.
    pub(super) fn look(self, location: &'static Location<'static>) -> Answer<R> {
        let taken = self.0.try_receive(Pattern::ANY, location);
        taken.and_then(|taken| taken.letter).unwrap_or(Err(NoReply::TimedOut))
    }
}
