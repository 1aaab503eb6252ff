// The tab Compare: two reports side by side, and what differs.
'use strict';

class CompareView {
  constructor(models) {
    this.models = models;
    this.names = models.map((model) => model.title);
    this.element = el('div', { class: 'stack' }, this.figures(), this.instructions(), this.findings(),
      this.layouts(), this.text());
  }

  open() {
    if (this.editor) return this.editor.refresh();
    this.showText('ttgir');
  }

  /** A row for each name: its two values, and how the second differs from the first. */
  differences(rows) {
    return table(['', ...this.names, ''], rows.map(([name, a, b]) => {
      const isNumber = typeof a === 'number' && typeof b === 'number';
      const change = !isNumber || a === b ? '' : a === 0 ? 'new' : `${b > a ? '+' : '−'}${Math.round(Math.abs((100 * (b - a)) / a))} %`;
      return [name, a ?? '', b ?? '', a === b ? '' : el('b', {}, change || 'differs')];
    }));
  }

  figures() {
    const [a, b] = this.models.map(({ document }) => document);
    const of = (read) => [read(a), read(b)];
    const conflicts = ({ conversions, local }) => [...conversions, ...local].reduce((sum, fact) => sum + fact.conflicts, 0);
    const passes = ({ conversions, local }) => [...conversions, ...local].reduce((sum, fact) => sum + fact.transactions, 0);
    const sectors = ({ global }) => global.reduce((sum, fact) => sum + fact.sectors, 0);
    return section('Figures', this.differences([
      ['target', ...of(({ kernel }) => kernel.target)],
      ['warps', ...of(({ kernel }) => kernel.num_warps)],
      ...(a.signature === b.signature ? [] : [['signature', a.signature, b.signature]]),
      ['stages of loops', ...of(({ kernel }) => kernel.loop_stages.join(', ') || 'none')],
      ['shared memory, bytes', ...of(({ kernel }) => kernel.shared_bytes)],
      ['registers a thread, estimated', ...of(({ occupancy }) => occupancy.registers_per_thread)],
      ['blocks a multiprocessor', ...of(({ occupancy }) => occupancy.blocks)],
      ['changes of layout', ...of(({ conversions }) => conversions.length)],
      ['passes through shared memory', ...of(passes)],
      ['of these conflicts', ...of(conflicts)],
      ['sectors of the accesses of a warp', ...of(sectors)],
      ['lines of TTGIR', ...this.models.map((model) => model.textOf('ttgir').lineCount)],
      ['lines of machine code', ...this.models.map((model) => model.textOf('code')?.lineCount ?? 0)],
    ]));
  }

  instructions() {
    const counts = this.models.map((model) => instructionHistogram(model.textOf('code')?.text || ''));
    const names = [...new Set(counts.flatMap((map) => [...map.keys()]))];
    const rows = names.map((name) => [name, counts[0].get(name) || 0, counts[1].get(name) || 0])
      .filter(([, a, b]) => a !== b).sort(([, a, b], [, c, d]) => Math.abs(d - c) - Math.abs(b - a));
    return section('Instructions that differ', rows.length ? this.differences(rows.slice(0, 40))
                                                           : el('p', {}, 'None.'));
  }

  findings() {
    const key = ({ kind, line, message }) => `${kind}, line ${line}: ${message}`;
    const sets = this.models.map(({ document }) => new Set(document.findings.map(key)));
    const only = (index) => [...sets[index]].filter((each) => !sets[1 - index].has(each));
    return section('Findings of one alone', this.names.map((name, index) => [
      el('h3', {}, name), only(index).length ? el('ul', {}, only(index).map((each) => el('li', {}, each)))
                                             : el('p', { class: 'hint' }, 'none')]));
  }

  layouts() {
    const sets = this.models.map(({ document }) => new Set(document.layouts.map(({ text, shape }) => `${text} on ${shape.join(' × ')}`)));
    const only = (index) => [...sets[index]].filter((each) => !sets[1 - index].has(each));
    return section('Layouts of one alone', this.names.map((name, index) => [
      el('h3', {}, name), only(index).length ? el('ul', {}, only(index).map((each) => el('li', {}, el('code', {}, each))))
                                             : el('p', { class: 'hint' }, 'none')]));
  }

  text() {
    this.body = el('div', { class: 'pane-body tall' });
    const ids = [...new Set(this.models.flatMap((model) => model.document.stages.map(({ id }) => id)))];
    return section('Texts', choice('Stage', ids.map((id) => [id, this.models[0].textOf(id)?.title || id]), 'ttgir',
      (id) => this.showText(id)), this.body);
  }

  showText(id) {
    const [old, now] = this.models.map((model) => (model.textOf(id)?.text || '').split('\n'));
    const lines = diffLines(old, now);
    this.editor ||= textView(this.body, '', 'mlir', 'Differences of the texts');
    this.editor.setOption('mode', modeOf[this.models[0].textOf(id)?.language] || null);
    this.editor.setOption('lineNumberFormatter', (line) => String(lines[line - 1]?.[2] ?? ''));
    this.editor.operation(() => {
      this.editor.setValue(lines.map(([, line]) => line).join('\n'));
      lines.forEach(([kind], index) => {
        if (kind !== 'same') this.editor.addLineClass(index, 'wrap', `diff-${kind}`);
      });
    });
    this.editor.refresh();
  }
}

/**
 * Lines [kind, text, number] of two texts, aligned by lines that both have once and by runs around
 * them: enough for texts that are mostly different, in time that grows as their lengths.
 */
function diffLines(old, now) {
  const lines = [];
  const push = (kind, list, begin, end, number = false) => {
    for (let i = begin; i < end; ++i) lines.push([kind, list[i], number ? i + 1 : null]);
  };
  const anchors = uniqueMatches(old, now);
  let a = 0, b = 0;
  for (const [i, j] of [...anchors, [old.length, now.length]]) {
    if (i < a || j < b) continue;
    // Equal lines before the anchor belong to it.
    let k = 0;
    while (i - k > a && j - k > b && old[i - k - 1] === now[j - k - 1]) ++k;
    push('del', old, a, i - k);
    push('add', now, b, j - k, true);
    push('same', now, j - k, j, true);
    [a, b] = [i, j];
    while (a < old.length && b < now.length && old[a] === now[b]) {
      push('same', now, b, b + 1, true);
      ++a, ++b;
    }
  }
  return lines;
}

/** Pairs of lines that stand once in each text, in an order that holds in both. */
function uniqueMatches(old, now) {
  const count = (list) => {
    const map = new Map();
    list.forEach((line, index) => map.set(line, map.has(line) ? -1 : index));
    return map;
  };
  const inOld = count(old), inNow = count(now);
  const pairs = [...inOld].filter(([line, index]) => index >= 0 && inNow.get(line) >= 0)
    .map(([line, index]) => [index, inNow.get(line)]).sort(([a], [b]) => a - b);
  // The longest ascending sequence of the second numbers, by patience sorting.
  const piles = [];
  const before = new Map();
  for (const pair of pairs) {
    let low = 0, high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (piles[middle][1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    before.set(pair, low > 0 ? piles[low - 1] : null);
    piles[low] = pair;
  }
  const result = [];
  for (let pair = piles.at(-1); pair; pair = before.get(pair)) result.push(pair);
  return result.reverse();
}
