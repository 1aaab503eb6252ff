// The tab Simulation: what a simulated run counted, by line of the source and by loop.
'use strict';

const trafficKinds = [
  ['global_loads', 'loads', 'sectors'], ['global_stores', 'stores', 'sectors'],
  ['global_atomics', 'atomics', 'sectors'], ['shared_loads', 'shared loads', 'transactions'],
  ['shared_stores', 'shared stores', 'transactions'], ['shared_atomics', 'shared atomics', 'transactions'],
];

/** What a line's traffic costs beyond the least: [unit, count, least]. */
function trafficOf(traffic, kind, unit) {
  const counts = traffic[kind];
  return counts && [counts[unit], counts[`ideal_${unit}`]];
}

class SimulationView {
  constructor(model) {
    this.model = model;
    const { simulation, trace } = model.document;
    this.chart = trace?.events.length ? new TraceChart(trace) : null;
    this.element = el('div', { class: 'stack' },
      section('Traffic by line of the source',
        el('p', { class: 'hint' }, 'Sectors of global memory and passes through the banks of shared memory, of all warps: what was used, and the least that holds the data. Red: more than half of it in vain.'),
        this.lines(simulation.lines)),
      this.chart?.element,
      simulation.loops?.length ? section('Loops', this.loops(simulation.loops)) : null,
      section('Counts', table(['', ''], [
        ['blocks', simulation.blocks], ['threads', simulation.threads], ['barriers', simulation.barriers],
        ['warp-wide operations', simulation.warp_operations],
        ['copies that nobody waited for', simulation.unawaited_copies],
        ...Object.entries(simulation.operations || {}),
      ])));
  }

  open() {
    this.chart?.open();
  }

  lines(lines) {
    const most = Math.max(1, ...lines.flatMap(({ traffic }) => trafficKinds.map(([kind, , unit]) =>
      trafficOf(traffic, kind, unit)?.[0] || 0)));
    return table(['line', 'source', ...trafficKinds.map(([, title]) => title)], lines.map(({ file, line, traffic }) => [
      line, this.sourceOf(file, line),
      ...trafficKinds.map(([kind, , unit]) => {
        const found = trafficOf(traffic, kind, unit);
        if (!found) return '';
        const [count, least] = found;
        return el('span', { class: count > 2 * least ? 'bad' : null },
          `${count.toLocaleString('en')}${count > least ? ` / ${least.toLocaleString('en')}` : ''}`,
          el('span', { class: 'bar thin' }, el('i', { style: { width: `${(100 * count) / most}%` } })));
      }),
    ]), { onrow: (index) => app.goToSource(lines[index].file, lines[index].line) });
  }

  sourceOf(file, line) {
    const text = this.model.texts.find((each) => each.file !== null && each.title === file);
    return text ? text.text.split('\n')[line - 1].trim().slice(0, 60) : '';
  }

  loops(loops) {
    return table(['line', 'depth', 'turns of warps', 'instructions', 'most of them'], loops.map((loop) => {
      const counts = Object.entries(loop.instructions).sort(([, a], [, b]) => b - a);
      return [loop.line, loop.depth, loop.iterations, counts.reduce((sum, [, count]) => sum + count, 0),
        counts.slice(0, 5).map(([name, count]) => `${name} × ${count}`).join('  ')];
    }), { onrow: (index) => app.goToSource(loops[index].file, loops[index].line) });
  }
}
