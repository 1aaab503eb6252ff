// The tab Code: the texts of all stages side by side. A line that is pointed at shows the lines that
// belong to it, a line that is clicked keeps them and brings them into view.
'use strict';

const modeOf = { python: 'python', mlir: 'mlir', llvm: 'llvm', assembly: 'assembly' };

/** A read-only text with line numbers. Only lines in view are in the document. */
function textView(parent, text, language, label) {
  return CodeMirror(parent, {
    value: text,
    mode: modeOf[language] || null,
    lineNumbers: true,
    readOnly: true,
    gutters: ['marks', 'CodeMirror-linenumbers'],
    screenReaderLabel: label,
    extraKeys: { Tab: false, 'Shift-Tab': false },
  });
}

/** The colour of a line of the source, so that neighbours differ. */
const hueOfLine = (line) => (line * 137.508) % 360;

class CodePane {
  constructor(view, text) {
    Object.assign(this, { view, text, marked: new Map(), pointed: new Map() });
    this.count = el('span', { class: 'hint' }, plural(text.lineCount, 'line'));
    this.body = el('div', { class: 'pane-body' });
    this.element = el('div', { class: 'pane', 'data-pane': text.id },
      el('div', { class: 'pane-title' }, el('b', {}, text.title), this.count), this.body);
  }

  /** Makes the editor: it has to be in the document to know its size. */
  open() {
    if (this.editor) return this.editor.refresh();
    const { text, view } = this;
    this.editor = textView(this.body, text.text, text.language, text.title);
    this.editor.on('renderLine', (editor, line, element) => this.colorLine(line, element));
    this.editor.on('cursorActivity', (editor) => {
      if (!view.isMoving) view.select(this, editor.getCursor().line);
    });
    this.editor.getWrapperElement().addEventListener('mousemove', (event) => {
      const line = this.editor.lineAtHeight(event.clientY, 'client');
      view.point(this, line < this.editor.lineCount() ? line : null);
    });
    this.editor.getWrapperElement().addEventListener('mouseleave', () => view.point(this, null));
    for (const [line, mark] of view.marksOf(text))
      this.editor.setGutterMarker(line, 'marks', mark);
    this.editor.refresh();
  }

  colorLine(handle, element) {
    const line = this.editor.getLineNumber(handle);
    const number = this.text.placesOf(line)[0];
    if (number === undefined) return;
    const place = this.text.model.places[number];
    element.style.boxShadow = `inset 3px 0 0 hsl(${hueOfLine(place.line)} var(--stripe))`;
  }

  /** Gives lines the classes `linked-exact` and `linked-near`, or those of a passing pointer. */
  show(lines, prefix, before) {
    this.editor.operation(() => {
      for (const [line, kind] of before)
        if (lines.get(line) !== kind)
          this.editor.removeLineClass(line, 'background', `${prefix}-${kind}`);
      for (const [line, kind] of lines)
        if (before.get(line) !== kind)
          this.editor.addLineClass(line, 'background', `${prefix}-${kind}`);
    });
    return lines;
  }

  mark(lines) {
    this.marked = this.show(lines, 'linked', this.marked);
    this.count.textContent = lines.size ? `${plural(lines.size, 'line')} of ${this.text.lineCount}`
                                        : plural(this.text.lineCount, 'line');
  }

  point(lines) {
    this.pointed = this.show(lines, 'pointed', this.pointed);
  }

  /** Brings the first linked line into the middle, unless one is in view. */
  reveal() {
    const lines = [...this.marked].sort(([a], [b]) => a - b);
    const best = lines.find(([, kind]) => kind === 'exact') || lines[0];
    if (!best) return;
    const { top, clientHeight } = this.editor.getScrollInfo();
    const isInView = lines.some(([line, kind]) => {
      const y = this.editor.heightAtLine(line, 'local');
      return kind === best[1] && y >= top && y < top + clientHeight - 20;
    });
    if (!isInView)
      this.editor.scrollTo(null, this.editor.heightAtLine(best[0], 'local') - clientHeight / 3);
  }
}

class CodeView {
  constructor(model, details) {
    Object.assign(this, { model, details, isMoving: false, marks: new Map() });
    this.panes = model.texts.map((text) => new CodePane(this, text));
    const isNarrow = innerWidth < 900;
    const stages = model.document.stages.map(({ id }) => id);
    const initial = isNarrow ? ['file0', stages.at(-1)] : ['file0', 'ttgir', stages.at(-1)];
    this.shown = new Set(initial.filter((id) => model.textOf(id)));
    if (!this.shown.size) this.shown.add(model.texts[0].id);
    this.bar = el('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Texts' },
      this.panes.map((pane) => this.switchOf(pane)),
      el('span', { class: 'hint' }, 'Click a line to see what it became. Solid: the same place of the source. Pale: the same line, or a call of it.'));
    this.grid = el('div', { class: 'panes' });
    this.element = el('div', { class: 'code-view' }, this.bar, this.grid);
  }

  switchOf(pane) {
    const { id, title } = pane.text;
    const button = el('button', {
      type: 'button', class: 'switch', 'aria-pressed': String(this.shown.has(id)), 'data-switch': id,
      onclick: () => {
        if (this.shown.has(id) && this.shown.size > 1) this.shown.delete(id);
        else this.shown.add(id);
        button.setAttribute('aria-pressed', String(this.shown.has(id)));
        this.arrange();
      },
    }, title.split('/').pop());
    return button;
  }

  /** Marks in the margin: [line, element] of a text, from the findings. */
  marksOf(text) {
    const marks = new Map();
    for (const finding of this.model.document.findings) {
      const line = text.file !== null && finding.file === text.title ? finding.line - 1
                 : text.id === 'ttgir' && finding.ir_line ? finding.ir_line - 1 : -1;
      if (line < 0 || line >= text.lineCount) continue;
      const before = marks.get(line);
      if (before && before.dataset.severity >= finding.severity) {
        before.title += `\n${finding.message}`;
        continue;
      }
      marks.set(line, el('span', {
        class: `mark severity-${finding.severity}`, 'data-severity': finding.severity,
        title: `${before ? before.title + '\n' : ''}${finding.message}`,
      }));
    }
    return marks;
  }

  /** Puts the panes that are shown side by side. */
  arrange() {
    const shown = this.panes.filter((pane) => this.shown.has(pane.text.id));
    this.grid.style.setProperty('--panes', shown.length);
    this.grid.replaceChildren(...shown.map((pane) => pane.element));
    shown.forEach((pane) => pane.open());
    if (this.selected) this.select(...this.selected);
  }

  open() {
    this.arrange();
  }

  visiblePanes() {
    return this.panes.filter((pane) => this.shown.has(pane.text.id) && pane.editor);
  }

  select(origin, line) {
    this.selected = [origin, line];
    this.isMoving = true;
    for (const pane of this.visiblePanes()) {
      pane.mark(this.model.linked(origin.text, line, pane.text));
      if (pane !== origin) pane.reveal();
    }
    this.isMoving = false;
    this.details.replaceChildren(...describeLine(this.model, origin.text, line));
  }

  point(origin, line) {
    const key = line === null ? '' : `${origin.text.id}:${line}`;
    if (key === this.pointedKey) return;
    this.pointedKey = key;
    for (const pane of this.visiblePanes())
      pane.point(line === null ? new Map() : this.model.linked(origin.text, line, pane.text));
  }

  /** Selects a line of a text from elsewhere, and shows both. */
  goTo(id, line) {
    const pane = this.panes.find(({ text }) => text.id === id);
    if (!pane) return;
    if (!this.shown.has(id)) {
      this.shown.add(id);
      this.bar.querySelector(`[data-switch="${id}"]`).setAttribute('aria-pressed', 'true');
      this.arrange();
    }
    this.isMoving = true;
    pane.editor.setCursor(line, 0);
    this.isMoving = false;
    this.select(pane, line);
    this.center(id, line);
  }

  /** Brings a line of a text that is shown into view. */
  center(id, line) {
    const { editor } = this.panes.find(({ text }) => text.id === id) || {};
    if (editor)
      editor.scrollTo(0, editor.heightAtLine(line, 'local') - editor.getScrollInfo().clientHeight / 3);
  }
}

/** The instructions of the machine code that come from `line` of `text`, by how many there are. */
function countInstructions(model, text, line) {
  const code = model.textOf('code');
  const counts = new Map();
  if (!code) return counts;
  code.split ||= code.text.split('\n');
  for (const [found, kind] of model.linked(text, line, code)) {
    if (kind !== 'exact') continue;
    const name = instructionName(code.split[found]);
    if (name) counts.set(name, (counts.get(name) || 0) + 1);
  }
  return counts;
}

/** The name of the instruction on a line of assembly; empty for labels, directives and comments. */
function instructionName(line) {
  const match = /^\s*(?:@!?%?\w+\s+)?\{?\s*([a-z][\w.:]*)/.exec(line);
  return match && !line.trimEnd().endsWith(':') ? match[1] : '';
}

/** What is known of a line, for the bar below the texts. */
function describeLine(model, text, line) {
  const { document } = model;
  const parts = [el('span', { class: 'where' }, `${text.title.split('/').pop()}:${line + 1}`)];
  const places = text.placesOf(line);
  if (text.file === null && places.length)
    parts.push(el('span', {}, places.slice(0, 3).map((number) => model.describePlace(number)).join(', ')));
  const counts = [...countInstructions(model, text, line)].sort(([, a], [, b]) => b - a);
  if (counts.length) {
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    parts.push(el('span', {}, el('b', {}, plural(total, 'instruction')), ' ',
      counts.slice(0, 6).map(([name, count]) => `${name} × ${count}`).join('  ')));
  }
  const ttgir = model.textOf('ttgir');
  const lines = ttgir ? [...model.linked(text, line, ttgir)].filter(([, kind]) => kind === 'exact')
                                                            .map(([found]) => found + 1) : [];
  const at = (list) => list.filter((fact) => lines.includes(fact.line));
  for (const fact of at(document.global))
    parts.push(el('span', { class: fact.sectors > 1.5 * fact.least_sectors ? 'bad' : null },
      `${fact.op}: ${fact.sectors} sectors a warp access, ${fact.least_sectors} at least`));
  for (const fact of [...at(document.conversions), ...at(document.local)])
    if (fact.transactions)
      parts.push(el('span', { class: fact.conflicts ? 'bad' : null },
        `${fact.op}: ${plural(fact.transactions, 'pass').replace('passs', 'passes')} through shared memory, ${plural(fact.conflicts, 'conflict')}`));
  const registers = document.registers.filter(([found]) => lines.includes(found));
  if (registers.length)
    parts.push(el('span', {}, `up to ${Math.max(...registers.map(([, count]) => count))} registers alive`));
  const layouts = new Set(document.values.filter(([found]) => lines.includes(found))
    .map(([, , layout]) => layout));
  for (const layout of [...layouts].slice(0, 4))
    parts.push(el('button', {
      type: 'button', class: 'link',
      onclick: () => app.show('layouts', (view) => view.choose(layout)),
    }, `${shortName(document.layouts[layout])} ${document.layouts[layout].shape.join('×')}`));
  return parts;
}
