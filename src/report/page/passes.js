// The tab Passes: what each pass changed.
'use strict';

const stageTitles = { source: 'Read', ttir: 'To TTIR', ttgir: 'To TTGIR', llvm: 'To the LLVM dialect', llir: 'LLVM IR' };
const contextLines = 3;

class PassesView {
  constructor(model) {
    this.model = model;
    this.wantsAll = false;
    this.wantsUnchanged = false;
    this.list = el('nav', { class: 'list', 'aria-label': 'Passes' });
    this.body = el('div', { class: 'pane-body' });
    this.title = el('div', { class: 'pane-title' });
    this.element = el('div', { class: 'split' }, this.list,
      el('div', { class: 'pane' }, this.title, this.body));
  }

  async open() {
    this.filled ||= this.fill();
    await this.filled;
    this.editor?.refresh();
  }

  async fill() {
    this.passes = await this.model.passes();
    let text = '';
    for (const pass of this.passes) {
      pass.before = text;
      if (pass.text !== undefined) text = pass.text;
      pass.added = (pass.hunks || []).reduce((sum, hunk) => sum + hunk[3], 0);
      pass.removed = (pass.hunks || []).reduce((sum, hunk) => sum + hunk[1], 0);
    }
    this.fillList();
    const first = this.passes.findIndex((pass) => pass.hunks && pass.flag);
    this.choose(Math.max(first, 0));
  }

  fillList() {
    const items = [el('label', { class: 'hint' },
      el('input', { type: 'checkbox', onchange: (event) => {
        this.wantsUnchanged = event.target.checked;
        this.fillList();
      }, ...(this.wantsUnchanged ? { checked: true } : {}) }), ' those that changed nothing, too')];
    let stage = null;
    this.passes.forEach((pass, index) => {
      if (!pass.hunks && !this.wantsUnchanged) return;
      if (pass.stage !== stage) items.push(el('h3', {}, stageTitles[(stage = pass.stage)]));
      items.push(el('button', {
        type: 'button', class: pass.hunks ? 'item' : 'item unchanged', 'data-pass': index,
        'aria-current': index === this.chosen ? 'true' : null,
        title: pass.flag, onclick: () => this.choose(index),
      }, el('span', {}, pass.name),
      pass.hunks ? el('span', { class: 'delta' },
        el('ins', {}, `+${pass.added}`), ' ', el('del', {}, `−${pass.removed}`)) : null));
    });
    this.list.replaceChildren(...items);
  }

  choose(index) {
    this.chosen = index;
    for (const button of this.list.querySelectorAll('[data-pass]'))
      button.toggleAttribute('aria-current', Number(button.dataset.pass) === index);
    const pass = this.passes[index];
    this.title.replaceChildren(el('b', {}, pass.name),
      el('code', { class: 'hint' }, pass.flag ? `--${pass.flag}` : ''),
      choice('How much of the text', [[false, 'changes'], [true, 'whole text']], this.wantsAll,
        (value) => {
          this.wantsAll = value;
          this.showDiff(pass);
        }));
    this.showDiff(pass);
  }

  /** Lines [kind, text, number]; kinds: same, add, del, gap. */
  diffLines(pass) {
    const before = pass.before.split('\n'), after = (pass.text ?? pass.before).split('\n');
    const lines = [];
    const hunks = pass.hunks || [];
    const keep = (from, to, isFirst, isLast) => {
      const count = to - from;
      const whole = this.wantsAll || count <= 2 * contextLines + 1;
      const push = (begin, end) => {
        for (let i = begin; i < end; ++i) lines.push(['same', after[i], i + 1]);
      };
      if (whole) return push(from, to);
      if (!isFirst) push(from, from + contextLines);
      const hidden = count - (isFirst ? 0 : contextLines) - (isLast ? 0 : contextLines);
      lines.push(['gap', `   ⋯ ${plural(hidden, 'line')} as before`, null]);
      if (!isLast) push(to - contextLines, to);
    };
    let at = 0;
    hunks.forEach(([oldLine, oldCount, newLine, newCount], index) => {
      keep(at, newLine - 1, index === 0, false);
      for (let i = 0; i < oldCount; ++i) lines.push(['del', before[oldLine - 1 + i], null]);
      for (let i = 0; i < newCount; ++i) lines.push(['add', after[newLine - 1 + i], newLine + i]);
      at = newLine - 1 + newCount;
    });
    if (at < after.length) keep(at, after.length, !hunks.length, true);
    return lines;
  }

  showDiff(pass) {
    const lines = this.diffLines(pass);
    const text = lines.map(([, line]) => line).join('\n');
    if (!this.editor) this.editor = textView(this.body, '', 'mlir', 'The IR after the pass');
    this.editor.setOption('lineNumberFormatter', (line) => String(lines[line - 1]?.[2] ?? ''));
    this.editor.setOption('mode', pass.stage === 'llir' ? 'llvm' : 'mlir');
    this.editor.operation(() => {
      this.editor.setValue(text);
      lines.forEach(([kind], index) => {
        if (kind !== 'same') this.editor.addLineClass(index, 'wrap', `diff-${kind}`);
      });
    });
    const first = lines.findIndex(([kind]) => kind === 'add' || kind === 'del');
    this.editor.scrollTo(0, this.editor.heightAtLine(Math.max(0, first - 2), 'local'));
    this.editor.refresh();
  }
}
