// The space–time diagram: rows are steps, folds and failures; lanes are threads. Only what is in sight is drawn.

const ROW = 27;
const GUTTER = 58;
const WIDEST_LANE = 300;
const NARROWEST_LANE = 165;
const CHARACTER = 7.6;

class Diagram {
  constructor(onChoose, onPoint) {
    this.box = $("drawing");
    this.svg = $("diagram");
    this.names = $("names");
    this.shownArrows = new Set([0, 1, 2, 3, 4, 6]);
    this.onPoint = onPoint;
    this.hits = new Set();
    this.box.addEventListener("scroll", () => this.later());
    new ResizeObserver(() => this.execution && this.measure()).observe(this.box);
    this.svg.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (!row) return;
      const at = this.rows[Number(row.dataset.row)];
      if (at.fold) this.unfold(at.fold); else onChoose(at.step);
    });
    this.svg.addEventListener("mouseover", (event) => this.point(event.target.closest("[data-row]")));
    this.svg.addEventListener("mouseleave", () => this.point(null));
  }

  show(execution) {
    this.execution = execution;
    this.open = new Set();
    this.hits = new Set();
    this.chosen = null;
    this.box.scrollTop = 0;
    this.box.scrollLeft = 0;
    this.fold();
    this.measure();
  }

  /** Makes the rows from the steps and the folds that are closed. */
  fold() {
    const { execution } = this;
    const rows = [];
    const rowOf = new Int32Array(execution.length);
    const closed = execution.about.folds.filter((fold) => !this.open.has(fold[0]));
    let next = 0;
    for (let step = 0; step < execution.length; step++) {
      const fold = closed[next];
      if (fold && step === fold[0]) {
        rowOf.fill(rows.length, fold[0], fold[1]);
        rows.push({ fold, step });
        step = fold[1] - 1;
        next++;
        continue;
      }
      rowOf[step] = rows.length;
      rows.push({ step });
      const failure = execution.failureAt.get(step);
      if (failure) rows.push({ failure, step });
    }
    // What threads wait for in the end has a row of its own.
    if (execution.about.waiting.length && execution.length) rows.push({ isEnd: true, step: execution.length - 1 });
    this.rows = rows;
    this.rowOf = rowOf;
  }

  isFolded(step) { return Boolean(this.rows[this.rowOf[step]].fold); }
  get hasOpen() { return this.open.size > 0; }

  unfold(fold) {
    this.open.add(fold[0]);
    this.fold();
    this.measure();
  }

  foldAll(fold) {
    this.open = new Set(fold ? [] : this.execution.about.folds.map(([first]) => first));
    this.fold();
    this.measure();
    if (this.chosen !== null) this.bringIntoSight(this.chosen);
  }

  /** Where the lanes are. With many threads there are marks in the lanes, and the words stand beside them. */
  measure() {
    const lanes = Math.max(1, this.execution.lanes.length);
    const room = this.box.clientWidth - GUTTER - 12;
    const isWide = lanes <= 8 || room / lanes >= NARROWEST_LANE;
    this.isWide = isWide;
    if (isWide) {
      this.lane = Math.max(NARROWEST_LANE, Math.min(WIDEST_LANE, room / lanes));
      this.width = Math.max(this.box.clientWidth - 2, GUTTER + lanes * this.lane + 8);
    } else {
      this.lane = Math.max(6, Math.min(60, room / lanes));
      this.width = Math.max(this.box.clientWidth - 2, GUTTER + lanes * this.lane + 8);
    }
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", this.rows.length * ROW + 10);
    this.nameLanes();
    this.draw();
  }

  x(thread) { return GUTTER + this.execution.laneOf.get(thread) * this.lane + (this.isWide ? 12 : this.lane / 2); }
  y(row) { return row * ROW + ROW / 2; }
  colour(thread) { return `var(--t${this.execution.laneOf.get(thread) % 8})`; }

  nameLanes() {
    const { execution } = this;
    const every = this.isWide ? 1 : Math.max(1, Math.ceil(18 / this.lane));
    const longest = Math.max(...execution.lanes.map((t) => execution.threads[t].length), 1);
    this.names.style.width = `${this.width}px`;
    this.names.style.height = this.isWide ? "30px" : `${Math.min(110, 24 + longest * 5)}px`;
    this.names.innerHTML = execution.lanes
      .filter((_, lane) => lane % every === 0)
      .map((t) => {
        const style = this.isWide
          ? `left:${this.x(t) - 6}px;max-width:${this.lane - 12}px`
          : `left:${this.x(t)}px`;
        const name = escapeText(execution.threads[t]);
        return `<span class="${this.isWide ? "" : "steep"}" style="${style};color:${this.colour(t)}" title="${name}">${name}</span>`;
      })
      .join("");
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  /** The rows in sight, and a few around them. */
  inSight() {
    if (this.isPrinted) return [0, Math.min(this.rows.length, 1500)];
    const top = Math.max(0, this.box.scrollTop - this.names.offsetHeight);
    const first = Math.max(0, Math.floor(top / ROW) - 8);
    return [first, Math.min(this.rows.length, first + Math.ceil(this.box.clientHeight / ROW) + 16)];
  }

  draw() {
    const [first, end] = this.inSight();
    const rows = [];
    for (let row = first; row < end; row++) rows.push(this.drawRow(row));
    this.svg.innerHTML = HEADS + this.drawFolds(first, end) + this.drawBacks(first, end) + this.drawLanes(first, end)
      + this.drawArrows(first, end) + rows.join("");
  }

  drawFolds(first, end) {
    let text = "";
    for (let row = first; row < end; row++) {
      if (this.rows[row].fold) text += `<rect class="folded" x="0" y="${row * ROW + 3}" width="${this.width}" height="${ROW - 6}"/>`;
    }
    return text;
  }

  /** The backgrounds of rows are below the lanes and arrows. */
  drawBacks(first, end) {
    let text = "";
    for (let row = first; row < end; row++) {
      const classes = this.classesOf(row);
      if (classes) text += `<g class="${classes}"><rect class="row" x="0" y="${row * ROW}" width="${this.width}" height="${ROW}"/></g>`;
    }
    return text;
  }

  classesOf(row) {
    const at = this.rows[row];
    if (at.failure || at.isEnd) return "";
    const isIn = (step) => step !== null && step !== undefined && this.rowOf[step] === row;
    const classes = [];
    if (isIn(this.chosen)) classes.push("chosen");
    if (at.fold ? this.hasHitIn(at.fold) : this.hits.has(at.step)) classes.push("hit");
    if (isIn(this.pointed)) classes.push("pointed");
    return classes.join(" ");
  }

  hasHitIn([from, to]) {
    if (this.hits.size === 0) return false;
    const place = lastNotAfter(this.sortedHits, to - 1);
    return place >= 0 && this.sortedHits[place] >= from;
  }

  drawLanes(first, end) {
    const { execution } = this;
    const top = first * ROW, bottom = end * ROW;
    const stays = new Set(execution.about.waiting.map((wait) => wait.thread));
    let text = "";
    for (const thread of execution.lanes) {
      const x = this.x(thread), steps = execution.stepsOf[thread];
      const spawn = execution.spawnedBy[thread];
      const born = spawn === null ? 0 : this.y(this.rowOf[spawn]);
      const ended = stays.has(thread) || steps.length === 0
        ? this.rows.length * ROW : this.y(this.rowOf[steps[steps.length - 1]]);
      const from = Math.max(born, top), to = Math.min(ended, bottom);
      if (from < to) {
        text += `<line class="life" x1="${x}" y1="${from}" x2="${x}" y2="${to}" stroke="${this.colour(thread)}"/>`;
      }
      text += this.drawWaits(thread, x, top, bottom);
    }
    return text;
  }

  drawWaits(thread, x, top, bottom) {
    const { moments, values } = this.execution.waitsOf[thread];
    const edge = (moment) => (moment === 0 ? 0 : this.y(this.rowOf[moment - 1]));
    let text = "";
    for (let i = 0; i < moments.length; i++) {
      if (!values[i]) continue;
      const from = Math.max(edge(moments[i]), top);
      const to = Math.min(i + 1 < moments.length ? edge(moments[i + 1]) : this.rows.length * ROW, bottom);
      if (from < to) text += `<line class="wait" x1="${x}" y1="${from}" x2="${x}" y2="${to}" stroke="var(--bad)"><title>waits ${escapeText(textAt(values[i]))}</title></line>`;
    }
    return text;
  }

  drawArrows(first, end) {
    const { execution, rowOf } = this;
    let text = "";
    const pivot = execution.about.pivot;
    if (pivot) text += this.drawArrow(pivot[0], pivot[1], { colour: "--bad" }, "near", first, end);
    for (const { step, against } of execution.about.failures) {
      if (step !== null && against !== null) text += this.drawArrow(against, step, { colour: "--bad", dashed: true }, "near", first, end);
    }
    for (const [from, to, why] of execution.arrows) {
      const kind = WHY[why];
      if (!this.isInSight(from, to, first, end) || rowOf[from] === rowOf[to]) continue;
      const isNear = from === this.chosen || to === this.chosen || kind.group === 6;
      if ((!isNear || kind.group === 6) && !this.shownArrows.has(kind.group)) continue;
      if (!isNear && this.rows[rowOf[from]].fold && this.rows[rowOf[to]].fold) continue;
      const isFar = !isNear && (why <= 1 || this.rows[rowOf[from]].fold || this.rows[rowOf[to]].fold);
      text += this.drawArrow(from, to, kind, isNear ? "near" : isFar ? "far" : "", first, end);
    }
    return text;
  }

  /** Whether a part of the arrow between two steps may be. Under memory models some lead upwards. */
  isInSight(from, to, first, end) {
    const [rowFrom, rowTo] = [this.rowOf[from], this.rowOf[to]];
    return Math.max(rowFrom, rowTo) >= first && Math.min(rowFrom, rowTo) < end;
  }

  drawArrow(from, to, kind, classes, first, end) {
    const { thread } = this.execution.columns;
    if (!this.isInSight(from, to, first, end)) return "";
    const down = from <= to ? 1 : -1;
    const [x1, y1] = [this.x(thread[from]), this.y(this.rowOf[from]) + 6 * down];
    const [x2, y2] = [this.x(thread[to]), this.y(this.rowOf[to]) - 7 * down];
    const bend = Math.min(60, Math.max(6, (y2 - y1) * down / 2)) * down;
    const dashes = kind.dashed ? ' stroke-dasharray="5 4"' : "";
    return `<path class="arrow ${classes}" d="M${x1},${y1} C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}"`
      + ` stroke="var(${kind.colour})" marker-end="url(#head${kind.colour})"${dashes}/>`;
  }

  drawRow(row) {
    const at = this.rows[row], y = this.y(row) + 4;
    if (at.failure) return this.drawFailure(at.failure, y);
    if (at.isEnd) return this.drawEnd(y);
    const body = at.fold ? this.drawFold(at.fold, y) : this.drawStep(at.step, y);
    return `<g class="${at.fold ? "foldrow" : "step"} ${this.classesOf(row)}" data-row="${row}"${at.fold ? "" : ` data-step="${at.step + 1}"`}>`
      + `<rect x="0" y="${row * ROW}" width="${this.width}" height="${ROW}" fill="transparent"/>${body}</g>`;
  }

  drawFailure(failure, y) {
    const text = `✗ ${this.execution.threads[failure.thread]}: ${failure.text}`;
    return `<g><title>${escapeText(text)}</title><text class="note halo" x="${GUTTER}" y="${y}">${escapeText(shortened(text, this.width - GUTTER - 10))}</text></g>`;
  }

  /** What the threads that are left wait for. */
  drawEnd(y) {
    const { execution } = this;
    if (!this.isWide) return `<text class="note halo" x="${GUTTER}" y="${y}">${execution.about.waiting.length} threads wait for ever</text>`;
    return execution.about.waiting.map((wait) => {
      const reason = wait.reason.split(",")[0];
      return `<g><title>${escapeText(wait.reason)}</title><text class="note halo" x="${this.x(wait.thread) + 13}" y="${y}">${escapeText(shortened(reason, this.lane - 30))}</text></g>`;
    }).join("");
  }

  drawFold([from, to], y) {
    const isHere = this.chosen !== null && this.chosen >= from && this.chosen < to;
    const here = isHere ? ` · now at step ${grouped(this.chosen + 1)}, ${this.execution.thread(this.chosen)}: ${this.execution.text(this.chosen)}` : "";
    return `<text class="number" x="${GUTTER - 16}" y="${y}">⋮</text>`
      + `<text class="fold" x="${GUTTER}" y="${y}">▸ ${grouped(to - from)} steps, ${grouped(from + 1)} to ${grouped(to)}${escapeText(here)}</text>`;
  }

  drawStep(step, y) {
    const { execution } = this;
    const thread = execution.columns.thread[step], x = this.x(thread);
    const sign = execution.signs.get(step);
    const failure = execution.failureAt.get(step);
    const full = execution.text(step);
    // A row has one step, so that its words may reach over the lanes to the right.
    const short = this.isWide ? shortened(full, this.width - x - 30 - (sign ? 20 : 0)) : full;
    const site = execution.site(step);
    const title = `${step + 1}  ${execution.threads[thread]}: ${full}${site ? `  (${site.label})` : ""}`;
    let text = `<title>${escapeText(title)}</title><text class="number" x="${GUTTER - 16}" y="${y}">${step + 1}</text>`;
    text += failure
      ? `<text class="sign" x="${x}" y="${y + 1}" fill="var(--bad)" style="fill:var(--bad);font-size:18px">✗</text>`
      : `<circle cx="${x}" cy="${y - 4}" r="${this.isWide ? 5 : Math.min(4.5, this.lane / 2)}" fill="${this.colour(thread)}"/>`;
    if (this.isWide) {
      text += `<text class="halo" x="${x + 13}" y="${y}">${escapeText(short)}</text>`;
      if (sign) text += `<text class="sign halo" x="${x + 27 + short.length * CHARACTER}" y="${y + 2}" style="fill:var(--bad);font-size:17px">${sign}</text>`;
      return text;
    }
    // With many lanes the words stand beside the mark, on the side where there is room, with the thread's name.
    const isLeft = x > this.width * 0.6;
    const name = `<tspan font-weight="600" style="fill:${this.colour(thread)}">${escapeText(execution.threads[thread])}</tspan>`;
    const words = sign ? `${short} ${sign}` : short;
    return `${text}<text class="halo" x="${isLeft ? x - 11 : x + 11}" y="${y}" text-anchor="${isLeft ? "end" : "start"}">${name} ${escapeText(words)}</text>`;
  }

  point(row) {
    const at = row ? this.rows[Number(row.dataset.row)] : null;
    const step = at && !at.fold ? at.step : null;
    if (step === this.pointed) return;
    this.pointed = step;
    this.onPoint(step);
    this.later();
  }

  choose(step) {
    this.chosen = step;
    this.bringIntoSight(step);
    this.draw();
  }

  mark(hits) {
    this.sortedHits = hits;
    this.hits = new Set(hits);
    this.draw();
  }

  bringIntoSight(step) {
    const y = this.rowOf[step] * ROW, head = this.names.offsetHeight;
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = this.box;
    const margin = Math.min(3 * ROW, clientHeight / 4);
    if (y < scrollTop + margin - head || y + head + ROW > scrollTop + clientHeight - margin) {
      this.box.scrollTop = Math.max(0, y - (clientHeight - head) / 2);
    }
    if (this.isWide) {
      const x = this.x(this.execution.columns.thread[step]);
      if (x < scrollLeft + 20 || x + this.lane > scrollLeft + clientWidth) this.box.scrollLeft = Math.max(0, x - GUTTER - 20);
    }
  }

  /** The step that comes after a chosen one by rows: a closed fold counts as one. */
  neighbour(step, rows) {
    let row = this.rowOf[step];
    for (let moved = 0; moved < Math.abs(rows);) {
      const next = row + Math.sign(rows);
      if (next < 0 || next >= this.rows.length) break;
      row = next;
      if (!this.rows[row].failure && !this.rows[row].isEnd) moved++;
    }
    while (this.rows[row].failure || this.rows[row].isEnd) row--;
    const at = this.rows[row];
    return at.fold && rows < 0 ? at.fold[1] - 1 : at.step;
  }
}

/** As much of a text as there is room for. */
function shortened(text, room) {
  const most = Math.max(4, Math.floor(room / CHARACTER));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The heads of arrows, one for each colour. */
const HEADS = `<defs>${[...new Set([...WHY.map((why) => why.colour), "--bad"])].map((colour) =>
  `<marker id="head${colour}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0.8 L7.5,4 L0,7.2 z" style="fill:var(${colour});stroke:none"/></marker>`).join("")}</defs>`;
