// The tree of executions: each is a row below the one it branches from, its steps dots from left to right.

const TREE_ROW = 25;
const TREE_LEFT = 64;

class Tree {
  constructor(tree, onChoose) {
    this.nodes = tree.executions;
    this.onChoose = onChoose;
    this.box = $("tree-rows");
    this.svg = $("tree-drawing");
    $("tree").hidden = false;
    document.body.classList.add("tree");
    const longest = Math.max(...this.nodes.map((node) => node.steps), 1);
    this.dot = Math.max(3, Math.min(19, 620 / longest));
    this.words = TREE_LEFT + longest * this.dot + 22;
    this.arrange();
    // A small tree takes no more room than it needs.
    $("tree").style.height = `min(44vh, ${this.rows.length * TREE_ROW + 60}px)`;
    this.describe(tree);
    this.box.addEventListener("scroll", () => requestAnimationFrame(() => this.draw()));
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.svg.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.choose(Number(row.dataset.row));
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  /** The order of rows: an execution, then those that branch from it, the latest branch first, so that no lines cross. */
  arrange() {
    const children = this.nodes.map(() => []);
    const roots = [];
    this.nodes.forEach((node, i) => (node.parent === null ? roots : children[node.parent]).push(i));
    for (const list of children) list.sort((a, b) => this.nodes[b].shared - this.nodes[a].shared || a - b);
    this.rows = [];
    const left = roots.reverse();
    while (left.length) {
      const at = left.pop();
      this.rows.push(at);
      left.push(...[...children[at]].reverse());
    }
    this.rowOf = [];
    this.rows.forEach((node, row) => { this.rowOf[node] = row; });
    this.children = children;
    this.lastChildRow = this.nodes.map((_, i) => Math.max(-1, ...children[i].map((child) => this.rowOf[child])));
    this.svg.setAttribute("height", this.rows.length * TREE_ROW + 8);
  }

  describe(tree) {
    const count = (kind) => this.nodes.filter((node) => node.about.kind === kind).length;
    const kinds = ["completed", "failure", "deadlock", "cut", "given up"].map((kind) => [kind, count(kind)]).filter(([, n]) => n > 0);
    const words = { failure: "failed", deadlock: "deadlocked" };
    const sample = tree.told > this.nodes.length ? `A sample of ${grouped(this.nodes.length)} of ${grouped(tree.told)}: ` : `${grouped(tree.told)}: `;
    $("tree-note").textContent = sample + kinds.map(([kind, n]) => `${grouped(n)} ${words[kind] || kind}`).join(", ");
    $("tree-legend").innerHTML = tree.cast.threads.slice(0, 12).map((name, thread) =>
      `<span><i class="dot" style="display:inline-block;background:var(--t${thread % 8});color:var(--t${thread % 8})"></i> ${escapeText(name)}</span>`).join("");
  }

  key(event) {
    const row = this.rowOf[this.chosen];
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    const wanted = Math.max(0, Math.min(this.rows.length - 1, row + moves[event.key]));
    this.choose(this.rows[wanted]);
  }

  choose(node) {
    this.chosen = node;
    const y = this.rowOf[node] * TREE_ROW, { scrollTop, clientHeight } = this.box;
    if (y < scrollTop || y + 2 * TREE_ROW > scrollTop + clientHeight) this.box.scrollTop = y - clientHeight / 2;
    this.box.setAttribute("aria-activedescendant", `branch-${node}`);
    this.draw();
    this.onChoose(node);
  }

  draw() {
    const all = document.body.classList.contains("printing");
    const first = all ? 0 : Math.max(0, Math.floor(this.box.scrollTop / TREE_ROW) - 4);
    const end = all ? Math.min(this.rows.length, 2000) : Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / TREE_ROW) + 9);
    this.svg.setAttribute("width", Math.max(this.words + 760, this.box.clientWidth - 2));
    let stems = "", rows = "";
    // Lines from executions above to those that branch from them.
    for (let row = 0; row < end; row++) {
      const node = this.rows[row];
      if (this.lastChildRow[node] < first) continue;
      for (const child of this.children[node]) {
        const to = this.rowOf[child];
        if (to < first || row > end) continue;
        const x = this.x(this.nodes[child].shared) - this.dot / 2, y = this.y(to);
        stems += `<path d="M${x},${this.y(row)} V${y - 6} Q${x},${y} ${x + Math.min(6, this.dot / 2)},${y}"/>`;
      }
    }
    for (let row = first; row < end; row++) rows += this.drawRow(row);
    this.svg.innerHTML = rows + stems.replace(/<path/g, '<path pointer-events="none"') + this.drawDots(first, end);
  }

  x(step) { return TREE_LEFT + step * this.dot + this.dot / 2; }
  y(row) { return row * TREE_ROW + TREE_ROW / 2; }

  drawRow(row) {
    const at = this.rows[row], node = this.nodes[at], y = this.y(row) + 4;
    const why = this.why(node);
    const kind = node.about.kind;
    const isBad = kind === "failure" || kind === "deadlock";
    const end = kind === "completed" ? "" : `<tspan class="${isBad ? "bad" : ""}" style="${isBad ? "fill:var(--bad);font-weight:600" : "font-style:italic"}">${escapeText(node.about.headline)}</tspan>${why ? " · " : ""}`;
    return `<g class="branch ${at === this.chosen ? "chosen" : ""} ${kind.replace(" ", "-")}" data-row="${at}" id="branch-${at}" role="option" aria-selected="${at === this.chosen}" aria-label="${escapeText(`Execution ${node.number}, ${node.about.headline}. ${why}`)}">`
      + `<rect x="0" y="${row * TREE_ROW}" width="100%" height="${TREE_ROW}"/><title>${escapeText(`${node.number}: ${node.about.headline}\n${why}`)}</title>`
      + `<text class="number" x="${TREE_LEFT - 22}" y="${y}">${grouped(node.number)}</text>`
      + `<text x="${this.words}" y="${y}">${end}<tspan class="why" style="fill:var(--soft)">${escapeText(why)}</tspan></text></g>`;
  }

  drawDots(first, end) {
    let text = "";
    for (let row = first; row < end; row++) {
      const at = this.rows[row], node = this.nodes[at], y = this.y(row);
      const from = node.parent === null ? 0 : node.shared;
      if (from < node.steps) text += `<line x1="${this.x(from) - (node.parent === null ? 0 : this.dot / 2 - 6)}" y1="${y}" x2="${this.x(node.steps - 1)}" y2="${y}" pointer-events="none"/>`;
      const radius = Math.min(7, this.dot / 2 - 0.5);
      for (let step = from; step < node.steps; step++) {
        const thread = node.columns.thread[step - from];
        text += `<circle cx="${this.x(step)}" cy="${y}" r="${radius}" fill="var(--t${thread % 8})" pointer-events="none"/>`;
        if (radius >= 6) text += `<text class="initial" x="${this.x(step)}" y="${y + 3.2}">${escapeText(initials(page.tree.cast.threads[thread]).slice(0, 2))}</text>`;
      }
      text += this.drawEnd(node, y);
    }
    return text;
  }

  /** How an execution ended, behind its last step. */
  drawEnd(node, y) {
    const x = this.x(node.steps - 1) + Math.max(9, this.dot / 2 + 6);
    const sign = { failure: "✗", deadlock: "⊗", cut: "✂", "given up": "▢" }[node.about.kind] || "";
    const colour = node.about.kind === "failure" || node.about.kind === "deadlock" ? "var(--bad)" : "var(--soft)";
    return sign ? `<text x="${x - 4}" y="${y + 4}" style="fill:${colour};font-weight:700" pointer-events="none">${sign}</text>` : "";
  }

  /** Why an execution was explored. */
  why(node) {
    if (node.parent === null) return "the first execution";
    if (node.why) return node.why;
    const race = node.reverses;
    if (race) {
      return `reverses ${race.texts[0]} (step ${race.first}) and ${race.texts[1]}${race.second ? ` (step ${race.second})` : ""} of execution ${grouped(race.of)}`;
    }
    return `after step ${node.shared} of execution ${grouped(this.nodes[node.parent].number)}, another step is taken`;
  }
}
