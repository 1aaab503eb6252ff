// The tab Memory: what lives where in shared memory over the program, and registers by line.
'use strict';

class MemoryView {
  constructor(model) {
    this.model = model;
    this.picture = el('div', { class: 'picture' });
    this.registers = el('div', { class: 'picture' });
    this.element = el('div', { class: 'stack' },
      section('Shared memory over the program', this.hint(), this.picture, this.tableOfPieces()),
      section('Registers of a thread, by line of the TTGIR',
        el('p', { class: 'hint' }, 'Registers of 32 bits for the tensors that are alive at the line; addresses and counters come to these.'),
        this.registers));
  }

  get pieces() {
    return this.model.document.shared_memory.pieces;
  }

  hint() {
    const { kernel, machine } = this.model.document;
    return el('p', { class: 'hint' }, this.pieces.length
      ? `Across: the ops of the kernel in their order. Down: bytes, ${bytesText(kernel.shared_bytes)} of ${bytesText(machine.shared_bytes)} that a block may have. Strong: allocations. Pale: scratch memory of one op.`
      : 'The kernel uses no shared memory.');
  }

  tableOfPieces() {
    if (!this.pieces.length) return '';
    return table(['op', 'name', 'bytes', 'from', 'ops', 'source'], this.pieces.map((piece) => [
      piece.op, piece.name, piece.bytes, piece.offset,
      piece.spans.map(([begin, end]) => `${begin}-${end - 1}`).join(', '),
      piece.places.length ? this.model.describePlace(piece.places[0]) : '',
    ]), { onrow: (index) => this.goTo(this.pieces[index].places) });
  }

  goTo(places) {
    if (places.length) app.goToPlace(places[0]);
  }

  open() {
    this.drawPieces();
    this.drawRegisters();
  }

  /** An SVG of the width of `parent`, with room for axes. */
  chart(parent, height) {
    const width = Math.max(320, parent.clientWidth);
    parent.replaceChildren();
    const svg = d3.select(parent).append('svg').attr('width', width).attr('height', height);
    return { svg, width, height, left: 64, right: 12, top: 8, bottom: 24 };
  }

  drawPieces() {
    if (!this.pieces.length) return;
    const { ops } = this.model.document.shared_memory;
    const box = this.chart(this.picture, 260);
    const x = d3.scaleLinear([0, ops.length], [box.left, box.width - box.right]);
    const most = Math.max(...this.pieces.map((piece) => piece.offset + piece.bytes));
    const y = d3.scaleLinear([0, most], [box.top, box.height - box.bottom]);
    this.axes(box, x, y);
    const marks = this.pieces.flatMap((piece) => piece.spans.map((span) => ({ piece, span })));
    this.addRects(box.svg, marks, x, y);
  }

  addRects(svg, marks, x, y) {
    svg.append('g').selectAll('rect').data(marks).enter().append('rect')
      .attr('x', ({ span }) => x(span[0])).attr('width', ({ span }) => Math.max(2, x(span[1]) - x(span[0]) - 0.5))
      .attr('y', ({ piece }) => y(piece.offset))
      .attr('height', ({ piece }) => Math.max(2, y(piece.offset + piece.bytes) - y(piece.offset) - 1))
      .attr('fill', ({ piece }) => `hsl(${this.pieces.indexOf(piece) * 67 + 210} 55% 55%)`)
      .attr('fill-opacity', ({ piece }) => (piece.scratch ? 0.45 : 0.85))
      .attr('tabindex', 0)
      .attr('aria-label', ({ piece, span }) => `${piece.op} ${piece.name}, ${piece.bytes} bytes at ${piece.offset}, ops ${span[0]} to ${span[1] - 1}`)
      .on('click', ({ piece }) => this.goTo(piece.places))
      .on('mousemove', ({ piece, span }) => tooltip.show(d3.event,
        el('div', {}, el('b', {}, `${piece.op} ${piece.name}`)),
        el('div', {}, `${bytesText(piece.bytes)} at ${piece.offset}`),
        el('div', {}, `ops ${span[0]} to ${span[1] - 1}`),
        piece.places.length ? el('div', { class: 'hint' }, this.model.describePlace(piece.places[0])) : ''))
      .on('mouseleave', () => tooltip.hide());
  }

  axes({ svg, left, height, bottom }, x, y) {
    svg.append('g').attr('class', 'axis').attr('transform', `translate(0 ${height - bottom})`)
      .call(d3.axisBottom(x).ticks(8));
    svg.append('g').attr('class', 'axis').attr('transform', `translate(${left} 0)`)
      .call(d3.axisLeft(y).ticks(5));
  }

  drawRegisters() {
    const { registers, machine } = this.model.document;
    if (!registers.length) return;
    const box = this.chart(this.registers, 180);
    const x = d3.scaleLinear([1, registers.at(-1)[0] + 1], [box.left, box.width - box.right]);
    const most = Math.max(...registers.map(([, count]) => count), 1);
    const y = d3.scaleLinear([most * 1.1, 0], [box.top, box.height - box.bottom]);
    this.axes(box, x, y);
    box.svg.append('g').selectAll('rect').data(registers).enter().append('rect')
      .attr('x', ([line]) => x(line)).attr('width', Math.max(1, x(2) - x(1) - 0.5))
      .attr('y', ([, count]) => y(count)).attr('height', ([, count]) => y(0) - y(count))
      .attr('class', ([, count]) => (count > machine.max_registers ? 'bar-bad' : 'bar-fill'))
      .on('click', ([line]) => app.goToIr(line))
      .on('mousemove', ([line, count]) => tooltip.show(d3.event, `line ${line}: ${count} registers`))
      .on('mouseleave', () => tooltip.hide());
  }
}
