// The tab Loops: how iterations of pipelined loops overlap.
'use strict';

class LoopsView {
  constructor(model) {
    this.model = model;
    const { schedules, loops } = model.document;
    this.element = el('div', { class: 'stack' },
      schedules.length ? schedules.map((loop, index) => this.schedule(loop, index))
                       : section('Schedules', el('p', {}, 'No loop of the kernel is pipelined.')),
      loops.length ? this.finalLoops(loops) : null);
  }

  open() {}

  schedule(loop, index) {
    const where = loop.places.length ? this.model.describePlace(loop.places[0]) : `loop ${index}`;
    return section(`Loop at ${where}: ${plural(loop.stages, 'stage')}`,
      el('p', { class: 'hint' }, 'A row is an iteration of the source, a column one turn of the pipelined loop. In a turn, ops run from top to bottom by their clusters: those of several iterations side by side.'),
      this.timeLine(loop), this.units(loop), this.roofline(loop), this.clusters(loop));
  }

  /** For how long an iteration keeps each unit busy; the longest bounds the loop from below. */
  units(loop) {
    const units = loop.units.filter(({ cycles }) => cycles > 0);
    const most = Math.max(...units.map(({ cycles }) => cycles), loop.interval, 1);
    const bar = (name, cycles, kind) => [
      el('span', {}, name),
      el('span', { class: 'bar' }, el('i', { class: kind, style: { width: `${(100 * cycles) / most}%` } })),
      el('span', { class: 'number' }, String(Math.round(cycles))),
    ];
    const busiest = Math.max(...units.map(({ cycles }) => cycles));
    return el('div', {},
      el('h3', {}, 'Cycles of an iteration, by unit'),
      el('div', { class: 'bars' },
        units.map(({ name, cycles }) => bar(name, cycles, cycles === busiest ? 'limit' : null)),
        bar('from one to the next', loop.interval)),
      el('p', { class: 'hint' }, 'Of one warp, by the model that schedules are compared with: an estimate. The next iteration cannot begin before the busiest unit is free.'));
  }

  /** Operations a cycle over operations a byte: what matrix unit and copies allow, and the loop. */
  roofline(loop) {
    const sum = (member) => loop.ops.reduce((total, op) => total + op[member], 0);
    const cycles = (name) => loop.units.find((unit) => unit.name === name).cycles;
    const flops = sum('flops'), bytes = sum('bytes');
    if (!flops || !bytes || !cycles('matrix') || !cycles('copy') || !loop.interval) return null;
    const roof = flops / cycles('matrix'), slope = bytes / cycles('copy');
    const intensity = flops / bytes, ridge = roof / slope, rate = flops / loop.interval;
    const bound = Math.min(roof, slope * intensity);
    const box = { width: 460, height: 210, left: 56, right: 12, top: 12, bottom: 34 };
    const xs = [Math.min(intensity, ridge) / 8, Math.max(intensity, ridge) * 8];
    const x = d3.scaleLog(xs, [box.left, box.width - box.right]);
    const y = d3.scaleLog([Math.min(rate, slope * xs[0]) / 1.5, roof * 2], [box.height - box.bottom, box.top]);
    const holder = el('div', { class: 'roofline' });
    const svg = d3.select(holder).append('svg').attr('width', box.width).attr('height', box.height)
      .attr('role', 'img').attr('aria-label', `Roofline: ${intensity.toFixed(1)} operations a byte, ${rate.toFixed(0)} of at most ${bound.toFixed(0)} operations a cycle`);
    const axis = (make, scale) => make(scale).ticks(5, '~s');
    svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${box.height - box.bottom})`).call(axis(d3.axisBottom, x));
    svg.append('g').attr('class', 'axis').attr('transform', `translate(${box.left},0)`).call(axis(d3.axisLeft, y));
    svg.append('text').attr('class', 'title').attr('x', box.width - box.right).attr('y', box.height - 4)
      .attr('text-anchor', 'end').text('operations for each byte loaded');
    svg.append('text').attr('class', 'title').attr('x', box.left + 6).attr('y', box.top + 4)
      .text('operations a cycle');
    svg.append('path').attr('class', 'roof').attr('d', d3.line()(
      [[xs[0], slope * xs[0]], [ridge, roof], [xs[1], roof]].map(([a, b]) => [x(a), y(b)])));
    svg.append('line').attr('class', 'gap').attr('x1', x(intensity)).attr('x2', x(intensity))
      .attr('y1', y(rate)).attr('y2', y(bound));
    svg.append('circle').attr('class', 'loop').attr('cx', x(intensity)).attr('cy', y(rate)).attr('r', 5);
    const limit = intensity < ridge ? 'copies from global memory' : 'the matrix unit';
    return el('div', {}, el('h3', {}, 'Roofline'), holder,
      el('p', {}, `${intensity.toFixed(1)} operations for each byte loaded; from ${ridge.toFixed(1)} on the matrix unit is the limit, so here ${limit}. The schedule reaches ${Math.round((100 * rate) / bound)}% of that.`));
  }

  /** Iterations by turns: stage s of iteration i is in turn i + s. */
  timeLine(loop) {
    const iterations = loop.stages + 2, turns = iterations + loop.stages - 1;
    const opsOf = Array.from({ length: loop.stages }, (_, stage) => loop.ops.filter((op) => op.stage === stage));
    const grid = el('div', { class: 'timeline', style: { gridTemplateColumns: `5.5em repeat(${turns}, minmax(7em, 1fr))` } });
    grid.append(el('span', {}), ...Array.from({ length: turns }, (_, turn) =>
      el('span', { class: 'hint' }, turn < loop.stages - 1 ? `prologue ${turn}`
        : turn >= iterations ? 'epilogue' : `turn ${turn - loop.stages + 1}`)));
    for (let iteration = 0; iteration < iterations; ++iteration) {
      grid.append(el('span', { class: 'hint' }, `iteration ${iteration}`));
      for (let turn = 0; turn < turns; ++turn) {
        const ops = opsOf[turn - iteration];
        grid.append(ops ? this.cell(ops, turn - iteration) : el('span'));
      }
    }
    return el('div', { class: 'scroll' }, grid);
  }

  cell(ops, stage) {
    const shown = ops.filter((op) => op.load || op.product);
    const others = ops.length - shown.length;
    return el('span', { class: 'slot', style: { '--hue': stage * 80 + 210 } },
      el('b', {}, `stage ${stage}`),
      shown.map((op) => el('span', { class: op.product ? 'op product' : 'op load' }, this.nameOf(op))),
      others ? el('span', { class: 'hint' }, `${shown.length ? 'and ' : ''}${plural(others, 'other op')}`) : null);
  }

  nameOf(op) {
    return `${op.op.split('.').pop()}${op.name ? ` ${op.name}` : ''}`;
  }

  clusters(loop) {
    return el('details', {}, el('summary', {}, `The ${plural(loop.ops.length, 'op')} of a turn in order`),
      table(['cluster', 'stage', 'op', 'name', 'source'], loop.ops.map((op) => [
        op.cluster, op.stage, op.op, op.name, op.places.length ? this.model.describePlace(op.places[0]) : '',
      ]), { onrow: (index) => loop.ops[index].places.length && app.goToPlace(loop.ops[index].places[0]) }));
  }

  finalLoops(loops) {
    return section('Loops of the final TTGIR', table(['lines', 'source', 'product', 'copies ahead', 'loads waited for'],
      loops.map((loop) => [
        `${loop.line}-${loop.end_line}`, loop.places.length ? this.model.describePlace(loop.places[0]) : '',
        loop.product ? 'yes' : 'no', loop.async_copies ? 'yes' : 'no',
        loop.waited_loads.length ? el('b', { class: loop.product ? 'bad' : null }, String(loop.waited_loads.length)) : '0',
      ]), { onrow: (index) => app.goToIr(loops[index].line) }));
  }
}
