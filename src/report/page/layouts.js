// The tab Layouts: who holds what of a tensor, as a grid that is computed from the layout's bases.
//
// A layout is linear over F2: the element in a location is the XOR of the bases of its set bits.
'use strict';

/** "slice 1 of #mma" for a slice, which has no short name in the text. */
function shortName({ name }) {
  const slice = /^#ttg\.slice<\{dim = (\d+), parent = (.*)\}>$/.exec(name);
  if (slice) return `slice ${slice[1]} of ${shortName({ name: slice[2] })}`;
  return name.length > 30 ? `${name.slice(0, 29)}…` : name;
}

/** The types of a layout's values: numbers first, addresses only where there is nothing else. */
const elementsOf = ({ elements }) => {
  const numbers = elements.filter((element) => !element.startsWith('!'));
  return numbers.length ? numbers : elements;
};

/** A layout written out. */
class LayoutTable {
  constructor(fact, machine) {
    this.fact = fact;
    this.isShared = fact.space === 'shared';
    this.inputs = Object.entries(fact.map.in);
    this.outputs = Object.entries(fact.map.out);
    this.shape = this.outputs.map(([, size]) => size);
    this.count = this.shape.reduce((product, size) => product * size, 1);
    this.machine = machine;
    this.strides = this.shape.map((_, d) => this.shape.slice(d + 1).reduce((p, s) => p * s, 1));
    // Each input bit's basis as the number of an element, row-major: XOR of coordinates is XOR of
    // numbers, since sizes are powers of two.
    this.bases = this.inputs.flatMap(([name]) =>
      fact.map.bases[name].map((basis) =>
        basis.reduce((sum, value, d) => sum + value * this.strides[d], 0)));
    const total = 1 << this.bases.length;
    this.elementOf = new Int32Array(total);
    for (let bit = 0; bit < this.bases.length; ++bit)
      for (let i = 1 << bit, rest = 0; i < 2 << bit; ++i, ++rest)
        this.elementOf[i] = this.elementOf[rest] ^ this.bases[bit];
    this.firstOwner = new Int32Array(this.count).fill(-1);
    this.owners = new Uint16Array(this.count);
    for (let location = total - 1; location >= 0; --location) {
      this.firstOwner[this.elementOf[location]] = location;
      ++this.owners[this.elementOf[location]];
    }
  }

  /** The values of the inputs of a location: {register, lane, warp, block} or {offset, block}. */
  partsOf(location) {
    const parts = {};
    for (const [name, size] of this.inputs) {
      parts[name] = location % size;
      location = Math.floor(location / size);
    }
    return parts;
  }

  locationOf(parts) {
    let location = 0, factor = 1;
    for (const [name, size] of this.inputs) {
      location += (parts[name] || 0) * factor;
      factor *= size;
    }
    return location;
  }

  coordinatesOf(element) {
    return this.strides.map((stride, d) => Math.floor(element / stride) % this.shape[d]);
  }

  sizeOf(input) {
    return this.fact.map.in[input] || 1;
  }

  bankOf(offset) {
    const { banks, bank_bytes: bankBytes } = this.machine;
    return Math.floor((offset * this.fact.bits) / 8 / bankBytes) % banks;
  }

  /** All owners of an element. */
  ownersOf(element) {
    const found = [];
    for (let location = 0; location < this.elementOf.length && found.length < 8; ++location)
      if (this.elementOf[location] === element) found.push(this.partsOf(location));
    return found;
  }
}

/** What a cell's colour shows, by name: a hue and a lightness from 0 to 1. */
const layoutColors = {
  warp: (table, parts) => [parts.warp * 137.5, (parts.lane || 0) / table.sizeOf('lane')],
  lane: (table, parts) => [((parts.lane || 0) * 360) / table.sizeOf('lane'), 0.35],
  register: (table, parts) => [((parts.register || 0) * 300) / table.sizeOf('register'), 0.35],
  bank: (table, parts) => [(table.bankOf(parts.offset) * 360) / table.machine.banks, 0.35],
  offset: (table, parts) => [(parts.offset * 300) / table.sizeOf('offset'), 0.35],
};

class LayoutGrid {
  constructor(onpoint) {
    this.onpoint = onpoint;
    this.canvas = el('canvas', { tabindex: '0', 'aria-label': 'Grid of the layout: arrows move, + and - zoom' });
    this.element = el('div', { class: 'grid-canvas' }, this.canvas);
    this.zoom = d3.zoom().scaleExtent([0.02, 60]).on('zoom', () => {
      this.transform = d3.event.transform;
      this.draw();
    });
    d3.select(this.canvas).call(this.zoom).on('dblclick.zoom', null);
    this.canvas.addEventListener('mousemove', (event) => this.point(event));
    this.canvas.addEventListener('mouseleave', () => {
      this.pointed = null;
      tooltip.hide();
      this.draw();
    });
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** `view`: 'tensor' or 'hardware'; `color`: of layoutColors. */
  show(layout, view, color) {
    Object.assign(this, { layout, view, color, pointed: null });
    if (view === 'tensor') {
      this.columns = layout.shape.at(-1);
      this.rows = layout.count / this.columns;
    } else if (layout.isShared) {
      const { banks, bank_bytes: bankBytes } = layout.machine;
      this.columns = Math.max(1, Math.min(layout.sizeOf('offset'), (banks * bankBytes * 8) / layout.fact.bits));
      this.rows = Math.ceil(layout.elementOf.length / this.columns);
    } else {
      this.columns = layout.sizeOf('lane');
      this.rows = layout.elementOf.length / this.columns;
    }
    this.fit();
  }

  /** The location that a cell shows. */
  locationAt(row, column) {
    const { layout } = this;
    if (this.view === 'tensor') return layout.firstOwner[row * this.columns + column];
    if (layout.isShared) return row * this.columns + column;
    const registers = layout.sizeOf('register');
    return layout.locationOf({
      register: row % registers, lane: column,
      warp: Math.floor(row / registers) % layout.sizeOf('warp'),
      block: Math.floor(row / registers / layout.sizeOf('warp')),
    });
  }

  resize() {
    const { clientWidth, clientHeight } = this.element;
    const scale = devicePixelRatio;
    if (!clientWidth) return;
    this.canvas.width = clientWidth * scale;
    this.canvas.height = clientHeight * scale;
    if (this.layout) this.fit();
  }

  fit() {
    const { clientWidth, clientHeight } = this.element;
    if (!clientWidth) return;
    const cell = Math.min((clientWidth - 48) / this.columns, (clientHeight - 32) / this.rows);
    const k = Math.max(0.02, Math.min(cell, 40) / 20);
    this.transform = d3.zoomIdentity.translate(44, 22).scale(k);
    d3.select(this.canvas).call(this.zoom.transform, this.transform);
  }

  /** The cell under a place of the window, or null. */
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = this.transform.invert([event.clientX - box.left, event.clientY - box.top]);
    const column = Math.floor(x / 20), row = Math.floor(y / 20);
    return row >= 0 && column >= 0 && row < this.rows && column < this.columns ? { row, column } : null;
  }

  point(event) {
    const cell = this.cellAt(event);
    this.pointAt(cell);
    if (cell) tooltip.show(event, ...this.describe(cell));
    else tooltip.hide();
  }

  pointAt(cell) {
    this.pointed = cell;
    this.draw();
    this.onpoint(cell ? this.describe(cell).map((line) => line.textContent).join('; ') : '');
  }

  key(event) {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key === '+' || event.key === '-')
      return d3.select(this.canvas).call(this.zoom.scaleBy, event.key === '+' ? 1.5 : 1 / 1.5);
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const { row, column } = this.pointed || { row: -move[0], column: -move[1] };
    this.pointAt({
      row: Math.max(0, Math.min(this.rows - 1, row + move[0])),
      column: Math.max(0, Math.min(this.columns - 1, column + move[1])),
    });
  }

  describe({ row, column }) {
    const { layout } = this;
    const location = this.locationAt(row, column);
    if (location < 0) return [el('div', {}, 'a hole: nobody holds it')];
    const element = layout.elementOf[location];
    const lines = [el('div', {}, el('b', {}, `element (${layout.coordinatesOf(element).join(', ')})`))];
    for (const parts of layout.ownersOf(element)) {
      const text = layout.isShared
        ? `offset ${parts.offset}, byte ${(parts.offset * layout.fact.bits) / 8}, bank ${layout.bankOf(parts.offset)}`
        : `register ${parts.register || 0}, lane ${parts.lane || 0}, warp ${parts.warp || 0}`;
      lines.push(el('div', {}, parts.block ? `${text}, block ${parts.block}` : text));
    }
    if (layout.owners[element] > 8)
      lines.push(el('div', { class: 'hint' }, `and ${layout.owners[element] - 8} more`));
    return lines;
  }

  /** The text of a cell: a short and a long one. */
  label(location) {
    const { layout } = this;
    if (this.view === 'hardware') return [layout.coordinatesOf(layout.elementOf[location]).join(',')];
    const parts = layout.partsOf(location);
    if (layout.isShared) return [String(parts.offset), `b${layout.bankOf(parts.offset)}`];
    const thread = (parts.warp || 0) * layout.sizeOf('lane') + (parts.lane || 0);
    return [`T${thread}:${parts.register || 0}`];
  }

  draw() {
    if (!this.layout || !this.canvas.width) return;
    const context = this.canvas.getContext('2d');
    const scale = devicePixelRatio;
    const { x: dx, y: dy, k } = this.transform;
    const size = 20 * k;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const width = this.canvas.width / scale, height = this.canvas.height / scale;
    context.clearRect(0, 0, width, height);
    const fromColumn = Math.max(0, Math.floor(-dx / size)), fromRow = Math.max(0, Math.floor(-dy / size));
    const toColumn = Math.min(this.columns, Math.ceil((width - dx) / size));
    const toRow = Math.min(this.rows, Math.ceil((height - dy) / size));
    const isDark = themeColor('--is-dark') === '1';
    const colorOf = layoutColors[this.color];
    const gap = size >= 6 ? 1 : 0;
    context.font = `${Math.min(12, size / 3.4)}px var(--mono), monospace`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const pointedParts = this.pointed && this.partsAt(this.pointed);
    for (let row = fromRow; row < toRow; ++row)
      for (let column = fromColumn; column < toColumn; ++column) {
        const location = this.locationAt(row, column);
        if (location < 0) continue;
        const parts = this.layout.partsOf(location);
        const [hue, light] = colorOf(this.layout, parts);
        const isSame = pointedParts && this.isSameOwner(parts, pointedParts);
        const lightness = isDark ? 24 + 26 * light : 88 - 26 * light;
        context.fillStyle = `hsl(${hue % 360} ${isSame ? 90 : isDark ? 38 : 60}% ${isSame ? (isDark ? 60 : 50) : lightness}%)`;
        context.fillRect(dx + column * size, dy + row * size, size - gap + 0.3 * !gap, size - gap + 0.3 * !gap);
        if (size >= 30) {
          context.fillStyle = isDark ? '#f2f2f2' : '#1c1c1c';
          const lines = this.label(location);
          lines.forEach((line, index) => context.fillText(line, dx + (column + 0.5) * size,
            dy + (row + 0.5) * size + (index - (lines.length - 1) / 2) * size / 3));
        }
      }
    this.drawRulers(context, { fromColumn, toColumn, fromRow, toRow, size, dx, dy });
    if (this.pointed) {
      context.strokeStyle = isDark ? '#fff' : '#000';
      context.lineWidth = 1.5;
      context.strokeRect(dx + this.pointed.column * size, dy + this.pointed.row * size, size, size);
    }
  }

  partsAt({ row, column }) {
    const location = this.locationAt(row, column);
    return location < 0 ? null : this.layout.partsOf(location);
  }

  /** Whether both are of one thread, or in one bank. */
  isSameOwner(a, b) {
    if (this.layout.isShared) return this.layout.bankOf(a.offset) === this.layout.bankOf(b.offset);
    return a.lane === b.lane && a.warp === b.warp && (a.block || 0) === (b.block || 0);
  }

  drawRulers(context, { fromColumn, toColumn, fromRow, toRow, size, dx, dy }) {
    context.fillStyle = themeColor('--dim');
    context.font = '11px var(--mono), monospace';
    const step = Math.max(1, 2 ** Math.ceil(Math.log2(26 / size)));
    const top = Math.max(10, dy - 10), left = Math.max(34, dx - 6);
    const cover = (x, y, w, h) => {
      context.fillStyle = themeColor('--panel');
      context.fillRect(x, y, w, h);
      context.fillStyle = themeColor('--dim');
    };
    if (dy < 20) cover(0, 0, this.canvas.width, 20);
    for (let column = Math.ceil(fromColumn / step) * step; column < toColumn; column += step)
      context.fillText(String(column), dx + (column + 0.5) * size, top);
    if (dx < 40) cover(0, 0, 38, this.canvas.height);
    context.textAlign = 'right';
    for (let row = Math.ceil(fromRow / step) * step; row < toRow; row += step)
      context.fillText(this.rowName(row), left, dy + (row + 0.5) * size);
    context.textAlign = 'center';
  }

  rowName(row) {
    if (this.view === 'tensor' || this.layout.isShared) return String(row);
    const registers = this.layout.sizeOf('register');
    return row % registers ? `r${row % registers}` : `w${Math.floor(row / registers)} r0`;
  }
}

class LayoutsView {
  constructor(model) {
    this.model = model;
    this.side = 'tensor';
    this.list = el('nav', { class: 'list', 'aria-label': 'Layouts' });
    this.title = el('div', { class: 'pane-title' });
    this.said = el('div', { class: 'visually-hidden', 'aria-live': 'polite' });
    this.grid = new LayoutGrid((text) => { this.said.textContent = text; });
    this.facts = el('div', { class: 'layout-facts' });
    this.element = el('div', { class: 'split' }, this.list,
      el('div', { class: 'pane' }, this.title, this.grid.element, this.said, this.facts));
    this.list.append(...this.sorted().map(([fact, index]) => el('button', {
      type: 'button', class: 'item', 'data-layout': index, onclick: () => this.choose(index),
    }, el('span', {}, shortName(fact)),
    el('span', { class: 'hint' }, `${fact.shape.join('×')} ${elementsOf(fact)[0]}${fact.space === 'shared' ? ' in shared memory' : ''}`))));
  }

  /** The layouts by their names, the largest tensors of each first. */
  sorted() {
    const size = (fact) => fact.shape.reduce((product, each) => product * each, 1);
    return this.model.document.layouts.map((fact, index) => [fact, index]).sort(([a], [b]) =>
      a.name.localeCompare(b.name, 'en', { numeric: true }) || size(b) - size(a));
  }

  open() {
    if (this.chosen === undefined && this.model.document.layouts.length) this.choose(this.largest());
    this.grid.resize();
  }

  /** The first of those with the most elements, in two dimensions if there are such. */
  largest() {
    const sizes = this.model.document.layouts.map((fact) =>
      fact.shape.reduce((product, size) => product * size, fact.shape.length > 1 ? 2 : 1));
    return sizes.indexOf(Math.max(...sizes));
  }

  choose(index) {
    this.chosen = index;
    for (const button of this.list.querySelectorAll('[data-layout]'))
      button.toggleAttribute('aria-current', Number(button.dataset.layout) === index);
    const fact = this.model.document.layouts[index];
    this.layout = new LayoutTable(fact, this.model.document.machine);
    const colors = this.layout.isShared ? ['bank', 'offset'] : ['warp', 'lane', 'register'];
    if (!colors.includes(this.color)) this.color = colors[0];
    const redraw = () => this.grid.show(this.layout, this.side, this.color);
    this.title.replaceChildren(el('b', {}, shortName(fact)),
      el('span', {}, `${fact.shape.join(' × ')}, elements of ${elementsOf(fact).join(', ')}`),
      choice('Side', [['tensor', 'tensor'], ['hardware', 'hardware']], this.side, (side) => {
        this.side = side;
        redraw();
      }),
      choice('Colour', colors.map((name) => [name, name]), this.color, (color) => {
        this.color = color;
        redraw();
      }),
      el('button', { type: 'button', onclick: () => this.grid.fit() }, 'fit'));
    this.describe(fact, index);
    redraw();
  }

  describe(fact, index) {
    const values = this.model.document.values.filter(([, , layout]) => layout === index);
    const copies = Math.max(...this.layout.owners);
    this.facts.replaceChildren(
      el('p', {}, el('code', {}, fact.text)),
      el('p', { class: 'hint' }, copies > 1 ? `Each element is held ${copies} times.` : 'Each element is held once.'),
      table(['bit', 'moves the element by'], this.layout.inputs.flatMap(([name]) =>
        fact.map.bases[name].map((basis, bit) => [`${name} ${1 << bit}`, `(${basis.join(', ')})`]))),
      el('p', {}, `${plural(values.length, 'value')}: `,
        values.slice(0, 40).map(([line, name]) => [el('button', {
          type: 'button', class: 'link', onclick: () => app.goToIr(line),
        }, name), ' '])));
  }
}
