// The page: puts its parts together, and listens to the keyboard.

Execution.prototype.beforeOf = function (step) {
  if (!this.befores) {
    this.befores = new Map();
    for (const [from, to] of this.arrows) {
      if (!this.befores.has(to)) this.befores.set(to, []);
      this.befores.get(to).push(from);
    }
  }
  return this.befores.get(step) || [];
};

const view = { execution: null, step: null, hits: [], hit: -1 };

const diagram = new Diagram((step) => choose(step), (step) => panes.point(step));
const panes = new Panes();
const table = new StepTable((step) => choose(step), diagram);

/** Shows an execution at the step that matters most. */
function showExecution(execution) {
  view.execution = execution;
  view.step = null;
  view.hits = [];
  $("search").value = "";
  $("hits").textContent = "";
  const { about } = execution;
  $("badge").textContent = about.kind;
  $("badge").className = about.kind.replace(" ", "-");
  $("headline").textContent = about.headline;
  $("pivot").innerHTML = whatMatters(about).join("<br>");
  $("slider").max = Math.max(0, execution.length - 1);
  $("folding").hidden = about.folds.length === 0;
  $("folding").setAttribute("aria-pressed", "false");
  $("main").hidden = false;
  $("player").hidden = execution.length === 0;
  diagram.show(execution);
  panes.show(execution);
  showWaits(execution);
  showArrows(execution);
  table.show(execution);
  if (execution.length > 0) choose(execution.firstShown()); else panes.at(null);
}

/** What to look at first, in words. */
function whatMatters({ pivot, failures, reasons }) {
  const lines = failures.filter(({ step, against }) => step !== null && against !== null).map(({ step, against }) =>
    `<b>What is wrong:</b> nothing orders ⚡ (step ${grouped(against + 1)}) and ✗ (step ${grouped(step + 1)}): they can happen at the same time.`);
  if (pivot) {
    lines.push("<b>What makes the difference:</b> ① comes before ② here; the other way round, this does not happen. "
      + `(Steps ${grouped(pivot[0] + 1)} and ${grouped(pivot[1] + 1)}.)`);
  }
  return lines.concat(reasons.map((reason, i) => (i === 0 ? "<b>Why:</b> " : "") + escapeText(reason)));
}

/** Goes to a step. */
function choose(step) {
  const { execution } = view;
  if (execution.length === 0) return;
  step = Math.max(0, Math.min(execution.length - 1, step));
  view.step = step;
  diagram.choose(step);
  panes.at(step);
  table.choose(step);
  $("slider").value = step;
  $("slider").setAttribute("aria-valuetext", `Step ${step + 1}, ${execution.thread(step)}: ${execution.text(step)}`);
  $("place").textContent = `step ${grouped(step + 1)} of ${grouped(execution.length)}`;
}

/** The kinds of arrows that there are, to be shown or not. */
function showArrows(execution) {
  const kinds = new Map();
  for (const [, , why] of execution.arrows) kinds.set(WHY[why].group, WHY[why]);
  $("arrows").innerHTML = [...kinds].sort(([a], [b]) => a - b).map(([group, why]) =>
    `<label><input type="checkbox" data-group="${group}"${diagram.shownArrows.has(group) ? " checked" : ""}>`
    + `<i class="${why.dashed ? "dashed" : ""}" style="color:var(${why.colour})"></i>${why.name}</label>`).join("");
}

$("arrows").addEventListener("change", (event) => {
  const group = Number(event.target.dataset.group);
  if (event.target.checked) diagram.shownArrows.add(group); else diagram.shownArrows.delete(group);
  diagram.draw();
});

function search() {
  const words = $("search").value.trim().toLowerCase();
  view.hits = [];
  view.hit = -1;
  if (words) {
    const { execution } = view;
    const found = page.texts.map((text) => text.toLowerCase().includes(words));
    const threads = execution.threads.map((name) => name.toLowerCase().includes(words));
    const sites = page.sites.map((site) => site.label.toLowerCase().includes(words));
    const { text, thread, site } = execution.columns;
    for (let step = 0; step < execution.length; step++) {
      if (found[text[step] - 1] || threads[thread[step]] || (site[step] && sites[site[step] - 1])) view.hits.push(step);
    }
  }
  diagram.mark(view.hits);
  if (view.hits.length) nextHit(1, true); else $("hits").textContent = words ? "nothing found" : "";
}

function nextHit(direction, isNew) {
  if (!view.hits.length) return;
  view.hit = isNew ? Math.max(0, view.hits.findIndex((step) => step >= view.step)) : (view.hit + direction + view.hits.length) % view.hits.length;
  const step = view.hits[view.hit];
  const fold = diagram.rows[diagram.rowOf[step]].fold;
  if (fold && fold[1] - fold[0] <= 2000) diagram.unfold(fold);
  choose(step);
  $("hits").textContent = `${grouped(view.hit + 1)} of ${grouped(view.hits.length)}`;
}

$("search").addEventListener("input", search);
$("search").addEventListener("keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); nextHit(event.shiftKey ? -1 : 1, false); }
  if (event.key === "Escape") { $("search").value = ""; search(); $("drawing").focus(); }
});

function toggleFolding() {
  const isOpen = diagram.hasOpen;
  diagram.foldAll(isOpen);
  $("folding").setAttribute("aria-pressed", String(!isOpen));
  $("folding").textContent = isOpen ? "Unfold all" : "Fold";
  table.fill();
}

function toggleTable() {
  const isTable = $("table-view").classList.toggle("unseen") === false;
  $("drawing").hidden = isTable;
  $("as-table").setAttribute("aria-pressed", String(isTable));
  if (isTable) table.choose(view.step); else diagram.measure();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").textContent = theme === "dark" ? "Light" : "Dark";
}

const toggleTheme = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");

function sameThread(direction) {
  const steps = view.execution.stepsOf[view.execution.columns.thread[view.step]];
  const place = steps.indexOf(view.step) + direction;
  if (place >= 0 && place < steps.length) choose(steps[place]);
}

function choosePivot() {
  const { pivot } = view.execution.about;
  if (pivot) choose(view.step === pivot[0] ? pivot[1] : pivot[0]);
}

const KEYS = {
  ArrowDown: () => choose(diagram.neighbour(view.step, 1)),
  ArrowUp: () => choose(diagram.neighbour(view.step, -1)),
  ArrowRight: () => choose(view.step + 1),
  ArrowLeft: () => choose(view.step - 1),
  j: () => choose(diagram.neighbour(view.step, 1)),
  k: () => choose(diagram.neighbour(view.step, -1)),
  PageDown: () => choose(diagram.neighbour(view.step, 10)),
  PageUp: () => choose(diagram.neighbour(view.step, -10)),
  Home: () => choose(0),
  End: () => choose(view.execution.length - 1),
  "]": () => sameThread(1),
  "[": () => sameThread(-1),
  f: () => choose(view.execution.firstShown()),
  p: choosePivot,
  " ": () => { const { fold } = diagram.rows[diagram.rowOf[view.step]]; if (fold) { diagram.unfold(fold); choose(view.step); table.fill(); } },
  u: toggleFolding,
  t: toggleTable,
  d: toggleTheme,
  "/": () => $("search").focus(),
  "?": () => $("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !view.execution || $("keys").open) return;
  const target = event.target;
  if (target.matches("input[type=search], textarea") || (target.matches("button, input, a") && [" ", "Enter"].includes(event.key))) return;
  if (target.id === "source" && event.key.startsWith("Page")) return;
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act || (view.step === null && !["d", "?"].includes(event.key))) return;
  event.preventDefault();
  act();
});

$("first").addEventListener("click", KEYS.Home);
$("last").addEventListener("click", KEYS.End);
$("previous").addEventListener("click", KEYS.ArrowUp);
$("next").addEventListener("click", KEYS.ArrowDown);
$("slider").addEventListener("input", () => choose(Number($("slider").value)));
$("folding").addEventListener("click", toggleFolding);
$("as-table").addEventListener("click", toggleTable);
$("theme").addEventListener("click", toggleTheme);
$("help").addEventListener("click", KEYS["?"]);

window.addEventListener("beforeprint", () => { diagram.isPrinted = true; document.body.classList.add("printing"); if (view.execution) diagram.draw(); if (tree) tree.draw(); });
window.addEventListener("afterprint", () => { diagram.isPrinted = false; document.body.classList.remove("printing"); if (view.execution) diagram.draw(); if (tree) tree.draw(); });

/** What the search counted, and its plots. */
function showFacts() {
  $("facts-pane").hidden = page.facts.length === 0 && page.plots.length === 0;
  $("facts").innerHTML = page.facts.map(([label, value]) => `<div><dt>${escapeText(label.trim())}</dt><dd>${escapeText(value)}</dd></div>`).join("");
  $("plots").innerHTML = page.plots.join("");
}

function showFindings() {
  const nav = $("findings");
  nav.hidden = page.findings.length < 2;
  nav.innerHTML = page.findings.map((finding, i) => `<button type="button" data-finding="${i}">${i + 1}: ${escapeText(finding.about.headline)}</button>`).join("");
  const show = (i) => {
    nav.querySelectorAll("button").forEach((button, j) => button.setAttribute("aria-current", String(i === j)));
    showExecution(executionOfFinding(page.findings[i]));
  };
  nav.addEventListener("click", (event) => { if (event.target.dataset.finding !== undefined) show(Number(event.target.dataset.finding)); });
  show(0);
}

setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
$("top").hidden = false;
$("subject").textContent = page.title;
showFacts();
let tree = null;
if (page.tree && page.tree.executions.length) {
  tree = new Tree(page.tree, (node) => showExecution(executionOfTree(node)));
  const bad = page.tree.executions.findIndex((node) => ["failure", "deadlock"].includes(node.about.kind));
  tree.choose(Math.max(0, bad));
  $("tree-rows").focus({ preventScroll: true });
} else if (page.findings.length) {
  showFindings();
  $("drawing").focus({ preventScroll: true });
} else {
  $("badge").textContent = "nothing found";
  $("badge").className = "completed";
  $("headline").textContent = "No failure and no deadlock was found.";
  document.body.classList.add("alone");
}
document.body.dataset.ready = String(Math.round(performance.now()));
