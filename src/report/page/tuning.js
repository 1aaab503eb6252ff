// The tab Tuning: the times of all configurations that were measured.
'use strict';

class TuningView {
  constructor(model) {
    this.tuning = model.document.tuning;
    this.order = 'time';
    this.body = el('div');
    this.element = el('div', { class: 'stack' }, section(`Configurations on ${this.tuning.device}`,
      choice('Order', [['time', 'by time'], ['given', 'as given']], this.order, (order) => {
        this.order = order;
        this.draw();
      }), this.body));
    this.draw();
  }

  open() {}

  draw() {
    const all = this.tuning.configurations.map((each, index) => ({ ...each, index }));
    const measured = all.filter(({ ms }) => ms !== undefined);
    const best = Math.min(...measured.map(({ ms }) => ms)), most = Math.max(...measured.map(({ ms }) => ms));
    if (this.order === 'time')
      all.sort((a, b) => (a.ms ?? Infinity) - (b.ms ?? Infinity) || a.index - b.index);
    this.body.replaceChildren(table(['configuration', 'ms', 'of the best', ''], all.map(({ text, ms, error }) => [
      text, ms === undefined ? '' : ms.toPrecision(4),
      ms === undefined ? el('span', { class: 'bad' }, error) : `${(ms / best).toFixed(2)} ×`,
      ms === undefined ? '' : el('span', { class: 'bar wide' },
        el('i', { class: ms === best ? 'good-fill' : null, style: { width: `${(100 * ms) / most}%` } })),
    ])));
  }
}
