// The data of the page, and what can be asked of an execution.

const page = JSON.parse(document.getElementById("data").textContent);

const $ = (id) => document.getElementById(id);

/** The text that a reference points at; 0 points at none. */
const textAt = (ref) => (ref ? page.texts[ref - 1] : "");

const siteAt = (ref) => (ref ? page.sites[ref - 1] : null);

const escapeText = (text) =>
  String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

const grouped = (number) => number.toLocaleString("en");

/** The place of the last element that is not greater than `most` in ascending numbers; -1 if there is none. */
function lastNotAfter(numbers, most) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= most) low = middle + 1; else high = middle;
  }
  return low - 1;
}

/** Why there is an arrow, by its number in the data. */
const WHY = [
  { name: "spawn, join", colour: "--life", group: 0 },
  { name: "spawn, join", colour: "--life", group: 0 },
  { name: "reads from", colour: "--rf", group: 1 },
  { name: "lock handed over", colour: "--lock", group: 2 },
  { name: "message", colour: "--message", group: 3 },
  { name: "woken", colour: "--wake", group: 4 },
  { name: "other races", colour: "--race", group: 5, dashed: true },
  { name: "no interleaving keeps these", colour: "--bad", group: 6 },
];

/** Turns the arrows of some columns into [from, to, why]. */
function arrowsOf(columns) {
  const found = [];
  let to = 0;
  for (let i = 0; i < columns.arrows.length; i += 3) {
    to += columns.arrows[i];
    found.push([to - columns.arrows[i + 1], to, columns.arrows[i + 2]]);
  }
  return found;
}

/** An execution. Moments are counted in steps taken: 0 is before the first step. */
class Execution {
  constructor(cast, columns, arrows, about, extra) {
    this.threads = cast.threads;
    this.objects = cast.objects;
    this.columns = columns;
    this.arrows = arrows;
    this.about = about;
    this.schedule = extra.schedule || "";
    this.commands = extra.commands || [];
    this.length = columns.thread.length;
    this.#index();
  }

  #index() {
    const { thread, object, value } = this.columns;
    this.stepsOf = this.threads.map(() => []);
    this.changesOf = this.objects.map(() => ({ moments: [], values: [] }));
    for (let step = 0; step < this.length; step++) {
      this.stepsOf[thread[step]].push(step);
      if (object[step] && value[step]) {
        const changes = this.changesOf[object[step] - 1];
        changes.moments.push(step + 1);
        changes.values.push(value[step]);
      }
    }
    this.waitsOf = this.threads.map(() => ({ moments: [], values: [] }));
    const waits = this.columns.waits;
    for (let i = 0; i < waits.length; i += 3) {
      const changes = this.waitsOf[waits[i + 1]];
      changes.moments.push(waits[i]);
      changes.values.push(waits[i + 2]);
    }
    this.spawnedBy = this.threads.map(() => null);
    for (const [from, to, why] of this.arrows) {
      if (why === 0) this.spawnedBy[thread[to]] = from;
    }
    // Threads that take part: others are of other executions.
    this.lanes = [];
    const waiting = new Set(this.about.waiting.map((wait) => wait.thread));
    this.threads.forEach((_, t) => {
      if (this.stepsOf[t].length > 0 || waiting.has(t)) this.lanes.push(t);
    });
    this.laneOf = new Map(this.lanes.map((t, lane) => [t, lane]));
    this.failureAt = new Map();
    for (const failure of this.about.failures) {
      if (failure.step !== null) this.failureAt.set(failure.step, failure);
    }
    this.signs = new Map();
    for (const { against } of this.about.failures) if (against !== null) this.signs.set(against, "⚡");
    (this.about.pivot || []).forEach((step, i) => this.signs.set(step, "①②"[i]));
  }

  thread(step) { return this.threads[this.columns.thread[step]]; }
  text(step) { return textAt(this.columns.text[step]); }
  site(step) { return siteAt(this.columns.site[step]); }

  /** What an object is like at a moment; "" before it is known. */
  valueAt(object, moment) {
    const changes = this.changesOf[object];
    const place = lastNotAfter(changes.moments, moment);
    return textAt(place < 0 ? this.objects[object].first : changes.values[place]);
  }

  /** Whether an object is part of this execution. */
  uses(object) { return this.changesOf[object].moments.length > 0; }

  /** What a thread waits for at a moment; "" if for nothing. */
  waitAt(thread, moment) {
    const changes = this.waitsOf[thread];
    const place = lastNotAfter(changes.moments, moment);
    return place < 0 ? "" : textAt(changes.values[place]);
  }

  /** The last step of a thread before a moment; null if there is none. */
  lastOf(thread, moment) {
    const place = lastNotAfter(this.stepsOf[thread], moment - 1);
    return place < 0 ? null : this.stepsOf[thread][place];
  }

  /** The step that the page shows first: where it fails. */
  firstShown() {
    const failing = this.about.failures.map((failure) => failure.step).filter((step) => step !== null);
    return failing.length ? Math.min(...failing) : this.length - 1;
  }
}

/** The executions of the findings. */
function executionOfFinding(finding) {
  return new Execution(finding.cast, finding.columns, arrowsOf(finding.columns), finding.about, finding);
}

/** An execution of the tree: its own steps after those that it shares with the ones it branches from. */
function executionOfTree(place) {
  const nodes = page.tree.executions;
  const parts = [];
  let end = nodes[place].steps;
  for (let at = place; at !== null && at !== undefined; at = nodes[at].parent) {
    const node = nodes[at];
    if (node.shared < end || node.parent === null) {
      parts.unshift({ node, from: node.shared, end });
      end = Math.min(end, node.shared);
    }
  }
  const columns = { thread: [], text: [], site: [], object: [], value: [], waits: [] };
  const arrows = [];
  for (const { node, from, end } of parts) {
    for (const name of ["thread", "text", "site", "object", "value"]) {
      columns[name].push(...node.columns[name].slice(0, end - from));
    }
    arrows.push(...arrowsOf(node.columns).filter(([, to]) => to < end));
    const waits = node.columns.waits;
    for (let i = 0; i < waits.length; i += 3) {
      if (waits[i] <= end) columns.waits.push(waits[i], waits[i + 1], waits[i + 2]);
    }
  }
  return new Execution(page.tree.cast, columns, arrows, nodes[place].about, {});
}
