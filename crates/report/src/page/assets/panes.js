// What stands beside the diagram: the step in words, the source, threads, objects, calls, commands.

const MOST_OBJECTS = 400;

class Panes {
  show(execution) {
    this.execution = execution;
    this.file = undefined;
    this.showStacks();
    this.showCommands();
  }

  /** Moves to a step; null is before the first. */
  at(step) {
    this.step = step;
    this.showNow(step);
    this.showSource(step);
    this.showThreads(step);
    this.showObjects(step);
  }

  /** The source follows the pointer, and goes back when it leaves. */
  point(step) { this.showSource(step === null ? this.step : step); }

  showNow(step) {
    const { execution } = this;
    if (step === null) { $("now").textContent = "No step was taken."; return; }
    const site = execution.site(step);
    const failure = execution.failureAt.get(step);
    const sign = execution.signs.get(step);
    $("now").innerHTML = `Step ${grouped(step + 1)} of ${grouped(execution.length)}, <b>${escapeText(execution.thread(step))}</b>: `
      + `<code>${escapeText(execution.text(step))}</code>${site ? ` <span class="where">at ${escapeText(site.label)}</span>` : ""}`
      + (sign ? ` <b class="bad">${sign}</b>` : "")
      + (failure ? `<br><b class="bad">✗ ${escapeText(failure.text)}</b>` : "")
      + this.sources(step);
  }

  /** Where the step's arrows come from, in words. */
  sources(step) {
    const words = ["after it was spawned by", "after the end of", "reads what was written by", "takes what was released by",
      "receives what was sent by", "was woken by", "comes after", "in any interleaving would come after"];
    const { execution } = this;
    const lines = execution.arrows.filter(([, to]) => to === step).map(([from, , why]) =>
      `${words[why]} step ${grouped(from + 1)}, ${escapeText(execution.thread(from))}: <code>${escapeText(execution.text(from))}</code>`);
    return lines.length ? `<br><span class="why">${lines.slice(0, 6).join("<br>")}</span>` : "";
  }

  showSource(step) {
    const site = step === null ? null : this.execution.site(step);
    const file = site && site.file !== undefined ? page.files[site.file] : null;
    const pane = $("source-pane");
    pane.hidden = !page.files.some((one) => one.parts.length > 0);
    if (pane.hidden) return;
    if (!file || file.parts.length === 0) {
      $("source-name").textContent = site ? `· ${site.label}` : "";
      this.markLines(null);
      return;
    }
    const name = file.name.split("/").pop();
    $("source-name").textContent = `· ${name}:${site.line}`;
    $("source-name").title = file.name;
    if (this.file !== site.file) {
      this.file = site.file;
      this.fillSource(file);
    }
    this.markLines(site.line);
  }

  fillSource(file) {
    const rows = [];
    file.parts.forEach(([first, lines], i) => {
      if (i > 0) rows.push('<div class="gap"><b>⋮</b></div>');
      lines.forEach((line, j) => rows.push(`<div data-line="${first + j}"><b>${first + j}</b><em></em>${escapeText(line) || " "}</div>`));
    });
    $("source").innerHTML = rows.join("");
  }

  /** Marks the line of the step, and where the other threads are. */
  markLines(line) {
    const box = $("source");
    box.querySelectorAll(".here, .fails").forEach((row) => row.classList.remove("here", "fails"));
    box.querySelectorAll("em:not(:empty)").forEach((chips) => { chips.innerHTML = ""; });
    const { execution } = this;
    const moment = this.step === null ? 0 : this.step + 1;
    for (const thread of execution.lanes) {
      const last = execution.lastOf(thread, moment);
      const site = last === null ? null : execution.site(last);
      if (!site || site.file !== this.file) continue;
      const chips = box.querySelector(`[data-line="${site.line}"] em`);
      if (chips && chips.childElementCount < 4) {
        const name = escapeText(execution.threads[thread]);
        chips.innerHTML += `<span style="--c:var(--t${execution.laneOf.get(thread) % 8})" title="${name} is here">${escapeText(initials(execution.threads[thread]))}</span>`;
      }
    }
    for (const failure of execution.about.failures) {
      const site = siteAt(failure.site);
      if (site && site.file === this.file && failure.step !== null && failure.step < moment) {
        box.querySelector(`[data-line="${site.line}"]`)?.classList.add("fails");
      }
    }
    const row = line === null ? null : box.querySelector(`[data-line="${line}"]`);
    if (!row) return;
    row.classList.add("here");
    const top = row.offsetTop - box.offsetTop;
    if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 50) box.scrollTop = top - box.clientHeight / 3;
  }

  showThreads(step) {
    const { execution } = this;
    const moment = step === null ? 0 : step + 1;
    const current = step === null ? -1 : execution.columns.thread[step];
    const isOver = moment === execution.length;
    $("threads").tBodies[0].innerHTML = execution.lanes.map((thread) => {
      const last = execution.lastOf(thread, moment);
      const steps = execution.stepsOf[thread];
      const waits = execution.waitAt(thread, moment);
      const failed = execution.about.failures.some((failure) => failure.thread === thread && failure.step !== null && failure.step < moment);
      const stays = execution.about.waiting.some((wait) => wait.thread === thread);
      const ended = !stays && !failed && last !== null && last === steps[steps.length - 1] && (isOver || execution.about.kind !== "given up");
      const state = failed ? "failed" : waits ? `waits ${waits}` : ended ? "ended" : "";
      return `<tr class="${thread === current ? "chosen" : ""}"><th scope="row"><i style="--c:var(--t${execution.laneOf.get(thread) % 8})"></i>${escapeText(execution.threads[thread])}</th>`
        + `<td class="code">${last === null ? "" : `${last + 1}: ${escapeText(execution.text(last))}`}</td><td class="${waits || failed ? "waits" : ""}">${escapeText(state)}</td></tr>`;
    }).join("");
  }

  showObjects(step) {
    const { execution } = this;
    const moment = step === null ? 0 : step + 1;
    const changed = step === null ? -1 : execution.columns.object[step] - 1;
    const used = execution.objects.map((_, i) => i).filter((object) => execution.uses(object));
    // Where there are too many, those that were used last before this step.
    const shown = used.length <= MOST_OBJECTS ? used : used
      .map((object) => [lastNotAfter(execution.changesOf[object].moments, moment) < 0 ? -1 : execution.changesOf[object].moments[lastNotAfter(execution.changesOf[object].moments, moment)], object])
      .sort((a, b) => b[0] - a[0]).slice(0, MOST_OBJECTS).map(([, object]) => object).sort((a, b) => a - b);
    $("objects-note").textContent = shown.length < used.length ? `· ${grouped(shown.length)} of ${grouped(used.length)}, those used last` : "";
    $("objects-pane").hidden = used.length === 0;
    $("objects").tBodies[0].innerHTML = shown.map((object) =>
      `<tr class="${object === changed ? "changed" : ""}"><th scope="row" class="code">${escapeText(execution.objects[object].name)}</th>`
      + `<td class="code">${escapeText(execution.valueAt(object, moment))}</td></tr>`).join("");
  }

  showStacks() {
    const { stacks } = this.execution.about;
    $("stacks-pane").hidden = stacks.length === 0;
    $("stacks").innerHTML = stacks.map((stack) =>
      `<p><b>${escapeText(stack.thread)}</b> ${escapeText(stack.what)}</p><ol>${stack.calls.map((call) => `<li>${escapeText(call)}</li>`).join("")}</ol>`).join("");
  }

  showCommands() {
    const { commands } = this.execution;
    $("again-pane").hidden = commands.length === 0;
    $("again").innerHTML = commands.map(([what, line], i) =>
      `<p>${escapeText(what)}</p><div class="line"><pre>${escapeText(line)}</pre><button type="button" data-copy="${i}" aria-label="Copy: ${escapeText(what)}">Copy</button></div>`).join("");
    $("again").querySelectorAll("[data-copy]").forEach((button) => button.addEventListener("click", () => {
      navigator.clipboard?.writeText(commands[Number(button.dataset.copy)][1]).then(() => { button.textContent = "Copied"; }, () => {});
    }));
  }
}

/** A short name for a chip: T1, main, w2. */
function initials(name) {
  if (name.length <= 4) return name;
  const digits = name.match(/\d+(?=\D*$)/);
  return name[0] + (digits ? digits[0] : name.slice(1, 3));
}
