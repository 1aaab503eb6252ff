// The tab Summary: what makes the kernel slow, with its place, and the figures of the kernel.
'use strict';

const severityName = ['good to know', 'may cost time', 'costs time', 'wrong'];

class SummaryView {
  constructor(model) {
    this.model = model;
    this.element = el('div', { class: 'summary' },
      el('div', { class: 'column' }, this.findings()),
      el('div', { class: 'column side' }, this.kernel(), this.occupancy(), this.products(),
        this.instructions(), this.times()));
  }

  open() {}

  findings() {
    const { findings } = this.model.document;
    if (!findings.length)
      return section('Findings', el('p', { class: 'good' },
        'Nothing stands out: accesses are coalesced, shared memory is free of conflicts, loops are pipelined.'));
    return section(`Findings`, el('ol', { class: 'findings' },
      findings.map((finding) => this.finding(finding))));
  }

  finding(finding) {
    const text = this.model.texts.find((each) => each.file !== null && each.title === finding.file);
    const source = text && finding.line ? text.text.split('\n')[finding.line - 1] : '';
    return el('li', { class: `finding severity-${finding.severity}` },
      el('div', { class: 'finding-head' },
        el('span', { class: 'tag' }, finding.kind),
        el('span', { class: 'hint' }, severityName[finding.severity]),
        finding.line ? el('button', {
          type: 'button', class: 'link where', 'data-finding-line': finding.line,
          onclick: () => app.goToSource(finding.file, finding.line, finding.ir_line),
        }, `${finding.file.split('/').pop()}:${finding.line}`) : null),
      el('p', {}, finding.message),
      source ? el('pre', { class: 'snippet' }, source.trim()) : null,
      finding.remedy ? el('p', { class: 'remedy' }, finding.remedy) : null);
  }

  facts(title, rows) {
    return section(title, el('dl', { class: 'facts' },
      rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])));
  }

  kernel() {
    const { kernel, machine } = this.model.document;
    const stages = kernel.loop_stages.length ? kernel.loop_stages.join(', ') : 'none';
    return section('Kernel', el('dl', { class: 'facts' }, [
      ['target', `${kernel.target} - ${kernel.target_description}`],
      ['block', `${plural(kernel.num_warps, 'warp')} of ${kernel.threads_per_warp} threads` +
        (kernel.num_ctas > 1 ? `, ${kernel.num_ctas} blocks a cluster` : '')],
      ['shared memory', `${bytesText(kernel.shared_bytes)} of ${bytesText(machine.shared_bytes)}`],
      ['stages of loops', stages],
    ].flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])),
    table(['argument', 'type', 'known'], kernel.arguments.map((argument) => [
      argument.name, argument.type,
      argument.value !== undefined ? `= ${argument.value}`
        : argument.divisibility > 1 ? `divisible by ${argument.divisibility}` : '',
    ])));
  }

  occupancy() {
    const { occupancy } = this.model.document;
    const rows = [['registers', occupancy.by_registers], ['threads', occupancy.by_threads]];
    if (occupancy.by_shared !== undefined) rows.splice(1, 0, ['shared memory', occupancy.by_shared]);
    const most = Math.max(...rows.map(([, blocks]) => blocks), 1);
    return section('Blocks that fit a multiprocessor',
      el('p', {}, el('b', {}, plural(occupancy.blocks, 'block')), ` of ${occupancy.threads_per_block} threads; limited by ${occupancy.limit}`),
      el('div', { class: 'bars' }, rows.map(([name, blocks]) => [
        el('span', {}, name),
        el('span', { class: 'bar' }, el('i', {
          class: blocks === occupancy.blocks ? 'limit' : null,
          style: { width: `${Math.max(2, (100 * Math.min(blocks, most)) / most)}%` },
        })),
        el('span', { class: 'number' }, String(blocks)),
      ])),
      el('p', { class: 'hint' }, `Estimated: about ${occupancy.registers_per_thread} registers a thread, which the back end is expected to allocate.`));
  }

  products() {
    const { products, global } = this.model.document;
    if (!products.length && !global.length) return null;
    const inLoops = (list) => list.filter((fact) => fact.loop_depth > 0);
    const flops = inLoops(products).reduce((sum, fact) => sum + fact.flops, 0);
    const bytes = inLoops(global).filter((fact) => !fact.store).reduce((sum, fact) => sum + fact.bytes, 0);
    return section('Work of a program',
      products.length ? table(['product', 'types', 'flops', 'by'], products.map((fact) => [
        fact.shape.join(' × '), fact.types, fact.flops, fact.matrix_unit ? 'matrix unit' : 'multiply-adds',
      ]), { onrow: (index) => app.goToIr(products[index].line) }) : null,
      global.length ? table(['access', 'tile', 'a lane', 'sectors / least'], global.map((fact) => [
        `${fact.store ? 'store' : fact.async ? 'copy' : 'load'}${fact.loop_depth ? ' in a loop' : ''}`,
        bytesText(fact.bytes), plural(fact.elements, 'element'),
        el('span', { class: fact.sectors > 1.5 * fact.least_sectors ? 'bad' : null },
          `${fact.sectors} / ${fact.least_sectors}`),
      ]), { onrow: (index) => app.goToIr(global[index].line) }) : null,
      flops && bytes ? el('p', {}, `In loops: ${(flops / bytes).toFixed(1)} operations for each byte loaded.`) : null);
  }

  instructions() {
    const code = this.model.textOf('code');
    if (!code) return null;
    const counts = instructionHistogram(code.text);
    const rows = [...counts].sort(([, a], [, b]) => b - a);
    const most = rows.length ? rows[0][1] : 1;
    return section(`Instructions in ${code.title}`,
      el('p', {}, plural(rows.reduce((sum, [, count]) => sum + count, 0), 'instruction'), ' in the text'),
      el('div', { class: 'bars' }, rows.slice(0, 12).map(([name, count]) => [
        el('code', {}, name),
        el('span', { class: 'bar' }, el('i', { style: { width: `${(100 * count) / most}%` } })),
        el('span', { class: 'number' }, String(count)),
      ])));
  }

  times() {
    const { times } = this.model.document;
    return section('Time to compile', table(['stage', 'ms'],
      times.map(([stage, time]) => [stage, Number(time.toFixed(1))])));
  }
}

/** How often each instruction stands in an assembly text. */
function instructionHistogram(text) {
  const counts = new Map();
  for (const line of text.split('\n')) {
    const name = instructionName(line);
    if (name) counts.set(name, (counts.get(name) || 0) + 1);
  }
  return counts;
}
