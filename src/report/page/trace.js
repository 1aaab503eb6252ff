// The time line of a simulated run, in the tab Simulation: what each warp of a block does, step by
// step, and its asynchronous copies below it.
'use strict';

const traceKinds = [
  ['global', 'access to global memory', 210], ['shared', 'access to shared memory', 150],
  ['operation', 'operation of a warp', 275], ['wait', 'wait', null], ['copy', 'asynchronous copy', 35],
];

/** The events of the report as objects. */
function readTrace({ names, lines, events }) {
  return events.map(([kind, block, warp, name, line, begin, duration, units, least]) => ({
    kind, block, warp, name: names[name], file: lines[line][0], line: lines[line][1],
    begin, duration, units, least,
  }));
}

/** Gives each event a key of its row: copies that overlap have several below their warp's. */
function assignRows(events) {
  const ends = new Map();
  for (const event of [...events].sort((a, b) => a.begin - b.begin)) {
    event.key = 1000 * event.warp;
    if (event.kind !== 4) continue;
    const warp = `${event.block}:${event.warp}`;
    if (!ends.has(warp)) ends.set(warp, []);
    const slots = ends.get(warp);
    let slot = slots.findIndex((end) => end <= event.begin);
    if (slot < 0) slot = slots.length;
    slots[slot] = event.begin + event.duration;
    event.key += 1 + slot;
  }
  return events;
}

/** Chrome's JSON of trace events, which Perfetto opens; a step is a microsecond. */
function toTraceEvents(events) {
  return JSON.stringify({
    traceEvents: events.map((event) => ({
      ph: 'X', name: event.name, cat: traceKinds[event.kind][0], pid: event.block,
      tid: event.key, ts: event.begin, dur: event.duration,
      args: { source: `${event.file}:${event.line}`, units: event.units, least: event.least },
    })),
  });
}

class TraceChart {
  constructor(trace) {
    this.events = assignRows(readTrace(trace));
    this.blocks = [...new Set(this.events.map(({ block }) => block))];
    this.canvas = el('canvas', { 'aria-label': 'Time line of the warps; the tables above have the counts' });
    this.frame = el('div', { class: 'trace-canvas' }, this.canvas);
    this.zoom = d3.zoom().scaleExtent([1, 4000]).on('zoom', () => {
      this.transform = d3.event.transform;
      this.draw();
    });
    d3.select(this.canvas).call(this.zoom);
    this.canvas.addEventListener('mousemove', (event) => this.point(event));
    this.canvas.addEventListener('mouseleave', () => tooltip.hide());
    this.canvas.addEventListener('click', (event) => {
      const found = this.eventAt(event);
      if (found) app.goToSource(found.file, found.line);
    });
    this.element = section('Time line of the warps',
      el('p', { class: 'hint' }, 'Steps, not cycles: a sector or a pass through the banks is one, as is any other operation. Warps that meet at a barrier go on together. Scroll to zoom, drag to move, click for the source.',
        trace.is_cut ? ' There were more events than are kept.' : ''),
      el('div', { class: 'toolbar' },
        el('label', {}, 'block ', el('select', { onchange: (event) => this.choose(Number(event.target.value)) },
          this.blocks.map((block) => el('option', { value: block }, String(block))))),
        traceKinds.map(([, title, hue]) => el('span', { class: 'legend', style: { '--color': hue === null ? 'var(--line)' : `hsl(${hue} 50% 55%)` } }, title)),
        el('button', { type: 'button', onclick: () => this.download() }, 'save for Perfetto')),
      this.frame);
    this.choose(this.blocks[0]);
  }

  download() {
    const url = URL.createObjectURL(new Blob([toTraceEvents(this.events)], { type: 'application/json' }));
    el('a', { href: url, download: 'trace.json' }).click();
    URL.revokeObjectURL(url);
  }

  choose(block) {
    this.shown = this.events.filter((event) => event.block === block);
    const rows = new Map();
    [...new Set(this.shown.map(({ key }) => key))].sort((a, b) => a - b)
      .forEach((key, index) => rows.set(key, index));
    this.shown.forEach((event) => { event.row = rows.get(event.key); });
    this.rows = [...rows.keys()].map((key) =>
      (key % 1000 === 0 ? `warp ${key / 1000}` : key % 1000 === 1 ? 'copies' : ''));
    this.end = Math.max(1, ...this.shown.map(({ begin, duration }) => begin + duration));
    this.transform = d3.zoomIdentity;
    this.frame.style.height = `${this.rows.length * 20 + 30}px`;
    this.open();
  }

  open() {
    const { clientWidth, clientHeight } = this.frame;
    if (!clientWidth) return;
    this.canvas.width = clientWidth * devicePixelRatio;
    this.canvas.height = clientHeight * devicePixelRatio;
    this.draw();
  }

  get scale() {
    return this.transform.rescaleX(d3.scaleLinear([0, this.end], [70, this.frame.clientWidth - 8]));
  }

  eventAt({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const step = this.scale.invert(clientX - box.left), row = Math.floor((clientY - box.top - 22) / 20);
    return this.shown.find((event) => event.row === row && event.begin <= step && step < event.begin + event.duration);
  }

  point(event) {
    const found = this.eventAt(event);
    if (!found) return tooltip.hide();
    const { name, kind, file, line, begin, duration, units, least } = found;
    tooltip.show(event, el('div', {}, el('b', {}, name)), el('div', {}, traceKinds[kind][1]),
      el('div', {}, `${file.split('/').pop()}:${line}`), el('div', {}, `steps ${begin} to ${begin + duration}`),
      kind === 4 ? (units === 1 ? 'a copy' : `${units} copies`) : units ? el('div', { class: units > least ? 'bad' : null }, `${units} ${kind === 0 ? 'sectors' : 'passes'}, ${least} at least`) : '');
  }

  draw() {
    const context = this.canvas.getContext('2d');
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const { clientWidth: width, clientHeight: height } = this.frame;
    context.clearRect(0, 0, width, height);
    const x = this.scale, isDark = themeColor('--is-dark') === '1';
    for (const event of this.shown) {
      const from = x(event.begin), to = x(event.begin + event.duration);
      if (to < 70 || from > width) continue;
      const hue = traceKinds[event.kind][2];
      const isWaste = event.units > 1.5 * event.least;
      context.fillStyle = event.kind === 3 ? themeColor('--line')
        : `hsl(${hue} ${isDark ? 45 : 55}% ${isDark ? 45 : 62}%)`;
      context.fillRect(from, 22 + event.row * 20, Math.max(1, to - from - 0.5), 17);
      if (isWaste) {
        context.fillStyle = themeColor('--bad');
        context.fillRect(from, 22 + event.row * 20 + 14, Math.max(1, to - from - 0.5), 3);
      }
    }
    this.drawAxes(context, x, width, height);
  }

  drawAxes(context, x, width, height) {
    context.fillStyle = themeColor('--panel');
    context.fillRect(0, 0, 68, height);
    context.fillStyle = themeColor('--dim');
    context.font = '11px monospace';
    context.textBaseline = 'middle';
    this.rows.forEach((name, row) => context.fillText(name, 4, 31 + row * 20));
    for (const tick of x.ticks(8)) context.fillText(String(tick), Math.max(70, x(tick)), 10);
  }
}
