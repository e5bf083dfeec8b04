// The steps as a table: what a screen reader reads, and whoever prefers it.

const ROWS_ON_A_PAGE = 500;

class StepTable {
  constructor(onChoose, diagram) {
    this.diagram = diagram;
    this.onChoose = onChoose;
    $("table").tBodies[0].addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (!row) return;
      if (row.dataset.fold) { this.diagram.unfold(JSON.parse(row.dataset.fold)); this.fill(); }
      else if (row.dataset.step) onChoose(Number(row.dataset.step) - 1);
    });
    $("table-pages").addEventListener("click", (event) => {
      if (event.target.dataset.page === undefined) return;
      this.page = Number(event.target.dataset.page);
      this.fill();
    });
  }

  show(execution) {
    this.execution = execution;
    this.page = 0;
    this.fill();
  }

  fill() {
    const { execution, diagram } = this;
    const rows = diagram.rows;
    const pages = Math.max(1, Math.ceil(rows.length / ROWS_ON_A_PAGE));
    this.page = Math.min(this.page, pages - 1);
    this.filled = rows;
    const from = this.page * ROWS_ON_A_PAGE;
    $("table").caption.textContent = `${execution.about.headline}: ${grouped(execution.length)} steps`;
    $("table").tHead.innerHTML = "<tr><th scope=col>step</th><th scope=col>thread</th><th scope=col>does</th><th scope=col>where</th><th scope=col>after</th></tr>";
    $("table").tBodies[0].innerHTML = rows.slice(from, from + ROWS_ON_A_PAGE).map((row) => this.row(row)).join("");
    $("table-pages").innerHTML = pages === 1 ? "" : `Page ${this.page + 1} of ${pages} `
      + (this.page > 0 ? `<button type="button" data-page="${this.page - 1}">Page before</button> ` : "")
      + (this.page + 1 < pages ? `<button type="button" data-page="${this.page + 1}">Page after</button>` : "");
  }

  row({ step, fold, failure, isEnd }) {
    const { execution } = this;
    if (isEnd) return execution.about.waiting.map((wait) => `<tr class="bad"><td></td><td>${escapeText(execution.threads[wait.thread])}</td><td colspan=3>${escapeText(wait.reason)}</td></tr>`).join("");
    if (fold) return `<tr data-fold="${JSON.stringify(fold)}"><td></td><td></td><td colspan=3><button type="button">${grouped(fold[1] - fold[0])} steps, ${grouped(fold[0] + 1)} to ${grouped(fold[1])}: show them</button></td></tr>`;
    if (failure) return `<tr class="bad"><td></td><td>${escapeText(execution.threads[failure.thread])}</td><td colspan=3>✗ ${escapeText(failure.text)}</td></tr>`;
    const site = execution.site(step);
    const befores = execution.beforeOf(step).map((from) => from + 1);
    const sign = execution.signs.get(step);
    return `<tr data-step="${step + 1}"><th scope=row>${step + 1}</th><td>${escapeText(execution.thread(step))}</td>`
      + `<td class=code>${escapeText(execution.text(step))}${sign ? ` ${sign}` : ""}</td><td>${site ? escapeText(site.label) : ""}</td><td>${befores.join(", ")}</td></tr>`;
  }

  choose(step) {
    if (this.filled !== this.diagram.rows) this.fill();
    const body = $("table").tBodies[0];
    body.querySelectorAll(".chosen").forEach((row) => row.classList.remove("chosen"));
    const page = Math.floor(this.diagram.rowOf[step] / ROWS_ON_A_PAGE);
    if (page !== this.page) { this.page = page; this.fill(); }
    const row = body.querySelector(`[data-step="${step + 1}"]`);
    if (!row) return;
    row.classList.add("chosen");
    if (!$("table-view").classList.contains("unseen")) row.scrollIntoView({ block: "nearest" });
  }
}
