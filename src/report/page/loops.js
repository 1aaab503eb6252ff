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
      this.timeLine(loop), this.clusters(loop));
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
