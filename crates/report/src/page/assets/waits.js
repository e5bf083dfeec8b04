// The wait-for graph of a deadlock.

/** Draws who waits for whom: the cycle as a ring, the other threads below. */
function showWaits(execution) {
  const { waiting, edges, cycle } = execution.about;
  $("graph-pane").hidden = waiting.length === 0;
  if (waiting.length === 0) return;
  $("graph-text").innerHTML = waiting.map((wait) => {
    const site = siteAt(wait.site);
    return `<li><b>${escapeText(execution.threads[wait.thread])}</b> ${escapeText(wait.reason)}${site ? ` (${escapeText(site.label)})` : ""}</li>`;
  }).join("") + (cycle.length ? `<li>Cycle: ${escapeText(cycle.join(" → "))}</li>` : "");
  $("graph").innerHTML = waiting.length <= 40 && edges.length > 0 ? graph(execution, edges) : "";
}

function graph(execution, edges) {
  const inCycle = [];
  const others = [];
  for (const edge of edges) {
    if (edge.in_cycle && !inCycle.includes(edge.from)) inCycle.push(edge.from);
  }
  order(inCycle, edges);
  for (const edge of edges) {
    for (const thread of [edge.from, edge.to]) {
      if (!inCycle.includes(thread) && !others.includes(thread)) others.push(thread);
    }
  }
  const name = (thread) => execution.threads[thread];
  const width = (thread) => Math.max(44, name(thread).length * 7.2 + 20);
  const widest = Math.max(...[...inCycle, ...others].map(width));
  const ring = inCycle.length === 0 ? 0 : inCycle.length === 1 ? 20 : Math.max(84, (inCycle.length * (widest + 40)) / (2 * Math.PI));
  const columns = Math.max(1, Math.min(others.length, Math.floor(520 / (widest + 30)) || 1));
  const total = Math.max(2 * ring + widest + 120, columns * (widest + 30) + 20, 260);
  const places = new Map();
  const middle = [total / 2, ring + 36];
  inCycle.forEach((thread, i) => {
    const angle = -Math.PI / 2 + (2 * Math.PI * i) / inCycle.length + (inCycle.length === 2 ? Math.PI / 2 : 0);
    places.set(thread, [middle[0] + ring * 1.25 * Math.cos(angle), middle[1] + ring * 0.8 * Math.sin(angle)]);
  });
  const below = ring ? middle[1] + ring * 0.8 + 80 : 30;
  others.forEach((thread, i) => {
    places.set(thread, [total / 2 + ((i % columns) - (columns - 1) / 2) * (widest + 30), below + Math.floor(i / columns) * 76]);
  });
  const height = Math.max(...[...places.values()].map(([, y]) => y)) + 34;
  const lines = edges.map((edge) => drawEdge(places, edge, width)).join("");
  const nodes = [...places].map(([thread, [x, y]]) => {
    const colour = inCycle.includes(thread) ? "var(--bad)" : "var(--line)";
    return `<rect x="${x - width(thread) / 2}" y="${y - 13}" width="${width(thread)}" height="26" rx="7" fill="var(--sheet)" stroke="${colour}" stroke-width="1.6"/><text x="${x}" y="${y + 4}">${escapeText(name(thread))}</text>`;
  }).join("");
  return `<svg viewBox="0 0 ${total} ${height}" width="${Math.min(total, 560)}" role="img" aria-label="${escapeText(edges.map((edge) => `${name(edge.from)} waits for ${name(edge.to)}`).join(", "))}">${HEADS}${lines}${nodes}</svg>`;
}

/** Puts the threads of a cycle in the order in which they wait for each other. */
function order(threads, edges) {
  const next = new Map(edges.filter((edge) => edge.in_cycle).map((edge) => [edge.from, edge.to]));
  let at = threads[0];
  threads.forEach((_, i) => { threads[i] = at; at = next.get(at); });
}

function drawEdge(places, edge, width) {
  const [x1, y1] = places.get(edge.from), [x2, y2] = places.get(edge.to);
  const colour = edge.in_cycle ? "--bad" : "--life";
  const label = edge.via || "its end";
  if (edge.from === edge.to) {
    return `<path d="M${x1 + 18},${y1 - 13} C${x1 + 60},${y1 - 50} ${x1 + 70},${y1 + 10} ${x1 + 30},${y1 + 6}" fill="none" stroke="var(${colour})" stroke-width="1.8" marker-end="url(#head${colour})"/><text x="${x1 + 78}" y="${y1 - 14}">${escapeText(label)}</text>`;
  }
  // Bent to the side, so that two threads that wait for each other have two lines.
  const [dx, dy] = [x2 - x1, y2 - y1], length = Math.hypot(dx, dy) || 1;
  const [cx, cy] = [(x1 + x2) / 2 + (dy / length) * 40, (y1 + y2) / 2 - (dx / length) * 40];
  // Lines begin and end at the edges of the boxes.
  const shorten = (fx, fy, tx, ty, half) => {
    const scale = Math.min(1, Math.min((half + 4) / (Math.abs(tx - fx) || 1e-9), 17 / (Math.abs(ty - fy) || 1e-9)));
    return [tx - (tx - fx) * scale, ty - (ty - fy) * scale];
  };
  const [ex, ey] = shorten(cx, cy, x2, y2, width(edge.to) / 2), [sx, sy] = shorten(cx, cy, x1, y1, width(edge.from) / 2);
  return `<path d="M${sx},${sy} Q${cx},${cy} ${ex},${ey}" fill="none" stroke="var(${colour})" stroke-width="1.8" marker-end="url(#head${colour})"/>`
    + `<text x="${(x1 + x2) / 2 + (dy / length) * 20}" y="${(y1 + y2) / 2 - (dx / length) * 20 + 4}" style="paint-order:stroke;stroke:var(--sheet);stroke-width:4px">${escapeText(label)}</text>`;
}
