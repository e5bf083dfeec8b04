//! Several workers on a search that is a set of tasks which share nothing.
//!
//! A worker keeps its own stack of tasks and works on the latest. When others are idle, it gives away its oldest tasks: they are the
//! largest subtrees. Idle workers sleep until then. The search is over when all of them are idle.
//!
//! When a checkpoint is due, each worker shows its tasks to the others between two runs, and waits. Then no run is under
//! way, so that the tasks shown, those that nobody has taken yet, and what is counted in common are the whole search.
//!
//! What a task is and how it is explored is its [`Search`]'s affair, what the workers have in common that of their [`Common`].

mod pool;

pub use pool::Pool;
use std::collections::VecDeque;
use std::thread;

/// What one worker explores tasks with.
pub trait Search {
    /// A part of the search.
    type Task;
    /// Why a search ends before its end.
    type Stop;

    /// Explores one task; what comes of it goes to the end of `tasks`. Whatever the result is, all that is left to do is there
    /// afterwards.
    fn run(&mut self, task: Self::Task, tasks: &mut VecDeque<Self::Task>) -> Result<(), Self::Stop>;

    /// The task to go on with: one of the latest, so that there are never many.
    fn next(&mut self, tasks: &mut VecDeque<Self::Task>) -> Option<Self::Task> {
        tasks.pop_back()
    }

    /// What was counted and found goes to what the workers have in common.
    fn hand_in(&mut self);
}

/// What the workers of a search have in common.
pub trait Common: Sync {
    /// A part of the search.
    type Task: Clone + Send;
    /// Why a search ends before its end.
    type Stop: Send;

    /// Every worker stops before its next run.
    fn end(&self);

    /// Whether every worker is to say what it has left to do.
    fn is_checkpoint_due(&self) -> bool;

    /// Writes a checkpoint. No worker is in a run, and all have handed in.
    fn write_checkpoint(&self, tasks: &[Self::Task]) -> Result<(), Self::Stop>;

    /// Of two workers' results, the one that says why the search ended.
    fn first_cause(one: Result<(), Self::Stop>, other: Result<(), Self::Stop>) -> Result<(), Self::Stop>;
}

/// The other workers, as one of them sees them.
pub trait Others {
    /// A part of the search.
    type Task;
    /// Why a search ends before its end.
    type Stop;

    /// A task from somebody else; none when the search is over. The worker must have handed in.
    fn take(&self) -> Result<Option<Self::Task>, Self::Stop>;

    /// Gives the oldest of a worker's tasks to those who have none. It keeps one.
    fn feed(&self, tasks: &mut VecDeque<Self::Task>) -> Result<(), Self::Stop>;

    /// A worker says what it has left to do, and waits until a checkpoint is written. It must have handed in.
    fn show(&self, tasks: &VecDeque<Self::Task>) -> Result<(), Self::Stop>;
}

/// Why a worker ended, and what it has left to do.
pub type Ended<C> = (Result<(), <C as Common>::Stop>, VecDeque<<C as Common>::Task>);

/// Works without others, for so many runs at the most.
pub fn work_alone<C: Common, S: Search<Task = C::Task, Stop = C::Stop>>(
    common: &C,
    search: &mut S,
    tasks: &mut VecDeque<C::Task>,
    mut runs: usize,
) -> Result<(), C::Stop> {
    while runs > 0
        && let Some(task) = search.next(tasks)
    {
        search.run(task, tasks)?;
        runs -= 1;
        if common.is_checkpoint_due() {
            search.hand_in();
            common.write_checkpoint(tasks.make_contiguous())?;
        }
    }
    Ok(())
}

/// Works until nobody has anything left to do.
pub fn work<C: Common, S: Search<Task = C::Task, Stop = C::Stop>>(
    common: &C,
    search: &mut S,
    tasks: &mut VecDeque<C::Task>,
    others: &impl Others<Task = C::Task, Stop = C::Stop>,
) -> Result<(), C::Stop> {
    loop {
        let task = match search.next(tasks) {
            Some(task) => task,
            None => {
                // Who is idle is not asked at a checkpoint.
                search.hand_in();
                let Some(task) = others.take()? else { return Ok(()) };
                task
            }
        };
        search.run(task, tasks)?;
        others.feed(tasks)?;
        if common.is_checkpoint_due() {
            search.hand_in();
            others.show(tasks)?;
        }
    }
}

/// The threads of this process work together: this one does what `this` says, each other what `another` says. The result is why the
/// search ended, and what is left to do.
pub fn together<C: Common>(
    common: &C,
    workers: usize,
    this: impl FnOnce(&Pool<'_, C>) -> Ended<C>,
    another: impl Fn(&Pool<'_, C>) -> Ended<C> + Sync,
) -> Ended<C> {
    let pool = Pool::new(common, workers);
    thread::scope(|scope| {
        let join = || pool.attend(|| another(&pool));
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(join)).collect();
        let (mut result, mut left) = pool.attend(|| this(&pool));
        for other in others {
            let (other, tasks) = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = C::first_cause(result, other);
            left.extend(tasks);
        }
        left.extend(pool.take_all());
        (result, left)
    })
}
