// The tab Conversions: how tensors change their layouts, step by step.
'use strict';

/** The offset in elements that a linear map gives to a lane and a warp. */
function applyMap(map, values) {
  let offset = 0;
  for (const [name, bases] of Object.entries(map.bases)) {
    const value = values[name] || 0;
    bases.forEach((basis, bit) => {
      if (value & (1 << bit)) offset ^= basis[0];
    });
  }
  return offset;
}

/** Passes through the banks, in order: each is a Map from a bank to the lanes that it serves. */
function bankPasses(addresses, bytes, { banks, bank_bytes: bankBytes }) {
  const lanesAtOnce = Math.max(1, Math.floor((banks * bankBytes) / Math.max(bytes, bankBytes)));
  const passes = [];
  for (let from = 0; from < addresses.length; from += lanesAtOnce) {
    // Words that one bank has to give one after the other.
    const wordsOf = new Map();
    addresses.slice(from, from + lanesAtOnce).forEach((address, index) => {
      for (let byte = 0; byte < bytes; byte += bankBytes) {
        const word = Math.floor((address + byte) / bankBytes), bank = word % banks;
        if (!wordsOf.has(bank)) wordsOf.set(bank, new Map());
        const words = wordsOf.get(bank);
        if (!words.has(word)) words.set(word, []);
        words.get(word).push(from + index);
      }
    });
    const depth = Math.max(1, ...[...wordsOf.values()].map((words) => words.size));
    for (let pass = 0; pass < depth; ++pass)
      passes.push(new Map([...wordsOf].filter(([, words]) => words.size > pass)
        .map(([bank, words]) => [bank, [...words.values()][pass]])));
  }
  return passes;
}

class ConversionsView {
  constructor(model) {
    this.model = model;
    this.body = el('div', { class: 'column' });
    this.element = el('div', { class: 'stack' }, this.overview(), this.body);
  }

  open() {}

  layoutName(index) {
    const fact = this.model.document.layouts[index];
    return `${shortName(fact)} ${fact.shape.join('×')}`;
  }

  overview() {
    const { conversions, local } = this.model.document;
    const parts = [];
    if (conversions.length)
      parts.push(section('Changes of layout',
        table(['line', 'from', 'to', 'by', 'cost', 'scratch', 'passes', 'conflicts'], conversions.map((fact) => [
          fact.line, this.layoutName(fact.from), this.layoutName(fact.to), fact.kind, fact.cost,
          fact.scratch_bytes ? bytesText(fact.scratch_bytes) : '', fact.transactions,
          fact.conflicts ? el('b', { class: 'bad' }, String(fact.conflicts)) : '0',
        ]), { onrow: (index, row) => this.choose(index, row) }),
        el('p', { class: 'hint' }, 'Lines are those of the TTGIR. A pass serves one word of every bank; conflicts are the passes beyond the fewest. Click a row for its steps.')));
    if (local.length)
      parts.push(section('Accesses of shared memory',
        table(['line', 'op', 'bytes', 'instruction', 'a warp', 'passes', 'conflicts'], local.map((fact) => [
          fact.line, fact.op, fact.bytes, fact.atom, `${fact.accesses} ×`, fact.transactions,
          fact.conflicts ? el('b', { class: 'bad' }, String(fact.conflicts)) : '0',
        ]), { onrow: (index) => app.goToIr(local[index].line) })));
    if (!parts.length)
      parts.push(section('Changes of layout', el('p', {}, 'No tensor changes its layout, and none is in shared memory.')));
    return el('div', { class: 'column' }, parts);
  }

  choose(index, row) {
    for (const other of row.parentElement.children) other.removeAttribute('aria-current');
    row.setAttribute('aria-current', 'true');
    const fact = this.model.document.conversions[index];
    const { plan } = fact;
    const steps = plan.kind === 'shared_memory' ? this.sharedSteps(fact, plan.shared)
                : plan.kind === 'shuffles' ? this.shuffleSteps(plan.shuffles)
                : [el('p', {}, plan.kind === 'registers'
                    ? `Each thread keeps its data and renames registers: ${plan.source_registers.slice(0, 64).join(' ')}${plan.source_registers.length > 64 ? ' …' : ''}`
                    : 'Both layouts are the same map: nothing moves.')];
    this.body.replaceChildren(section(`Line ${fact.line}: ${this.layoutName(fact.from)} to ${this.layoutName(fact.to)}`,
      el('button', { type: 'button', class: 'link', onclick: () => app.goToIr(fact.line) }, 'show the line'), ...steps));
    this.body.scrollIntoView({ block: 'nearest' });
  }

  shuffleSteps(plan) {
    return [
      el('p', {}, `${plural(plan.shuffles, 'shuffle')}, ${plural(plan.selects, 'select')} and about ${plan.permutes} byte permutations a thread; a word holds ${plural(plan.elements_per_word, 'element')}.`),
      table(['shuffle', 'word', plan.shuffle_kind === 'xor' ? 'of lane, XOR' : 'of the source lane, XOR'],
        plan.routes.map((route, index) => [index, route.word, route.lane_xor])),
    ];
  }

  /** Stores and loads of all repetitions, with the banks that each touches. */
  sharedSteps(fact, plan) {
    const sides = [];
    plan.repetitions.forEach((round, number) => {
      for (const [side, accesses, title] of [[plan.store, round.stores, 'store'], [plan.load, round.loads, 'load']])
        accesses.forEach((access, index) => sides.push({ side, access, title: `${number}: ${title} ${index}` }));
    });
    const summary = [['stores', plan.store], ['loads', plan.load]].map(([name, side]) => [
      name, side.atom, side.accesses, `${side.bits} bits`, side.transactions,
      side.bank_conflicts ? el('b', { class: 'bad' }, String(side.bank_conflicts)) : '0', side.permutes,
    ]);
    const picture = el('div');
    const show = ({ side, access }) => picture.replaceChildren(this.banks(fact, side, access, plan.element_bytes));
    const select = el('select', { 'aria-label': 'Access', onchange: () => show(sides[select.value]) },
      sides.slice(0, 256).map(({ title }, index) => el('option', { value: index }, title)));
    show(sides[0]);
    return [
      el('p', {}, `${bytesText(plan.scratch_bytes)} of scratch memory, in ${plural(plan.repetitions.length, 'repetition')}, with a barrier of the ${plan.barrier} between stores and loads.`),
      table(['', 'instruction', 'accesses', 'each', 'passes', 'conflicts', 'byte permutations'], summary),
      el('label', {}, 'repetition and access of the first warp: ', select), picture,
    ];
  }

  /** The banks that one access of the first warp touches, pass by pass; cells name lanes. */
  banks(fact, side, access, elementBytes) {
    const { machine, kernel } = this.model.document;
    if (side.kind !== 'vector')
      return el('p', { class: 'hint' }, `${side.atom} takes whole matrices: ${side.transactions} passes in all, ${side.bank_conflicts} of them conflicts.`);
    const addresses = Array.from({ length: kernel.threads_per_warp }, (_, lane) =>
      (applyMap(side.base, { lane, warp: 0 }) ^ access.xor_offset ^ access.add_offset) * elementBytes);
    const passes = bankPasses(addresses, side.bits / 8, machine);
    return el('div', { class: 'bank-table', role: 'img', 'aria-label': `${passes.length} passes through ${machine.banks} banks` },
      el('div', { class: 'bank-row head' }, el('span', {}, 'bank'),
        Array.from({ length: machine.banks }, (_, bank) => el('span', {}, String(bank)))),
      passes.map((pass, number) => el('div', { class: 'bank-row' }, el('span', {}, `pass ${number}`),
        Array.from({ length: machine.banks }, (_, bank) => {
          const lanes = pass.get(bank);
          return el('span', lanes ? {
            class: 'used', title: `lanes ${lanes.join(', ')}`,
            style: { background: `hsl(${(lanes[0] * 360) / kernel.threads_per_warp} 55% var(--cell-light))` },
          } : {}, lanes ? String(lanes[0]) : '');
        }))));
  }
}
