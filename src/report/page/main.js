// The page: its head, its tabs, and where links between them lead.
'use strict';

/** Name, title and view of each tab, and for which reports it is there. */
const allTabs = [
  ['summary', 'Summary', (model) => new SummaryView(model)],
  ['code', 'Code', (model) => new CodeView(model, app.details)],
  ['passes', 'Passes', (model) => new PassesView(model)],
  ['layouts', 'Layouts', (model) => new LayoutsView(model)],
  ['conversions', 'Conversions', (model) => new ConversionsView(model)],
  ['memory', 'Memory', (model) => new MemoryView(model)],
  ['loops', 'Loops', (model) => new LoopsView(model)],
  ['simulation', 'Simulation', (model) => new SimulationView(model), (model) => model.document.simulation],
  ['tuning', 'Tuning', (model) => new TuningView(model), (model) => model.document.tuning],
  ['compare', 'Compare', () => new CompareView(app.models.slice(0, 2)), () => app.models.length > 1],
];

const themes = ['system', 'light', 'dark'];
const darkSystem = matchMedia('(prefers-color-scheme: dark)');

const app = {
  details: el('div', { class: 'details', role: 'status', 'aria-live': 'polite' }),

  async start() {
    this.setTheme(this.stored('theme') || 'system');
    darkSystem.addEventListener('change', () => {
      this.applyTheme();
      this.view.open();
    });
    this.models = await Promise.all(Array.from({ length: countReports() }, (_, i) => loadModel(i)));
    this.panel = el('main', { id: 'panel', tabindex: '-1' });
    addEventListener('resize', () => this.view.open());
    addEventListener('keydown', (event) => this.key(event));
    this.choose(0);
    document.body.dataset.ready = 'true';
  },

  /** Shows one of the reports. */
  choose(number) {
    this.model = this.models[number];
    this.views = {};
    this.tabs = allTabs.filter(([, , , isThere]) => !isThere || isThere(this.model));
    document.title = `${this.model.document.kernel.name} - Tilewright report`;
    document.getElementById('app').replaceChildren(this.head(), this.tabBar(), this.panel, this.details);
    const wanted = location.hash.slice(1);
    this.show(this.tabs.some(([id]) => id === wanted) ? wanted : 'summary');
  },

  stored(key) {
    try {
      return localStorage.getItem(`tilewright.${key}`);
    } catch {
      return null;
    }
  },

  setTheme(theme) {
    this.theme = theme;
    this.applyTheme();
    try {
      localStorage.setItem('tilewright.theme', theme);
    } catch {
      // Pages of files may have no storage: the theme then lasts as long as the page.
    }
  },

  /** Sets the colours: the chosen ones, or the system's. */
  applyTheme() {
    const system = darkSystem.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = this.theme === 'system' ? system : this.theme;
  },

  head() {
    const { kernel, findings, occupancy, machine } = this.model.document;
    const serious = findings.filter((finding) => finding.severity >= 2).length;
    const fact = (name, value, title) => el('span', { class: 'fact', title }, el('span', {}, name), value);
    const button = el('button', {
      type: 'button', title: 'Colours', onclick: () => {
        this.setTheme(themes[(themes.indexOf(this.theme) + 1) % themes.length]);
        button.textContent = `theme: ${this.theme}`;
        this.view.open();
      },
    }, `theme: ${this.theme}`);
    const chooser = this.models.length > 1 ? el('select', {
      'aria-label': 'Report', onchange: (event) => this.choose(Number(event.target.value)),
    }, this.models.map((model, number) => el('option', {
      value: number, selected: model === this.model,
    }, model.title))) : null;
    return el('header', {},
      el('h1', {}, kernel.name), chooser, fact('', kernel.target, kernel.target_description),
      fact('warps', String(kernel.num_warps), `of ${kernel.threads_per_warp} threads`),
      fact('shared', bytesText(kernel.shared_bytes), `of ${bytesText(machine.shared_bytes)}`),
      fact('registers', `~${occupancy.registers_per_thread}`, 'of a thread, estimated'),
      fact('blocks', String(occupancy.blocks), `that fit a multiprocessor, limited by ${occupancy.limit}`),
      serious ? fact('findings', el('b', { class: 'bad' }, String(serious)), 'that cost time') : null,
      el('span', { class: 'grow' }), button);
  },

  tabBar() {
    this.tabButtons = this.tabs.map(([id, title], index) => el('button', {
      type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': 'panel', title: `key ${index + 1}`,
      onclick: () => this.show(id),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = this.tabButtons[(index + step + this.tabs.length) % this.tabs.length];
        next.focus();
        next.click();
      },
    }, title));
    return el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' }, this.tabButtons);
  },

  /** The numbers choose tabs, but not where one writes. */
  key(event) {
    const isText = event.target.closest?.('input, select, textarea') && !event.target.closest('.CodeMirror');
    if (isText || event.ctrlKey || event.altKey || event.metaKey) return;
    const tab = this.tabs[Number(event.key) - 1];
    if (tab) this.show(tab[0]);
  },

  /** Shows a tab; `then` is called with its view. */
  async show(id, then) {
    this.views[id] ||= this.tabs.find(([other]) => other === id)[2](this.model);
    const view = this.view = this.views[id];
    tooltip.hide();
    this.tabs.forEach(([other], index) => {
      this.tabButtons[index].setAttribute('aria-selected', String(other === id));
      this.tabButtons[index].tabIndex = other === id ? 0 : -1;
    });
    this.panel.setAttribute('aria-labelledby', `tab-${id}`);
    delete this.panel.dataset.view;
    this.details.hidden = id !== 'code';
    this.panel.replaceChildren(view.element);
    history.replaceState(null, '', `#${id}`);
    await view.open();
    // Another tab may have been chosen while this one read its data.
    if (this.view !== view) return;
    this.panel.dataset.view = id;
    then?.(view);
  },

  goToSource(file, line, irLine) {
    const number = this.model.fileNumber(file);
    this.show('code', (view) => {
      if (!this.model.textOf(`file${number}`)) return irLine && view.goTo('ttgir', irLine - 1);
      view.goTo(`file${number}`, line - 1);
      if (irLine) view.center('ttgir', irLine - 1);
    });
  },

  goToIr(line) {
    this.show('code', (view) => view.goTo('ttgir', line - 1));
  },

  goToPlace(number) {
    const place = this.model.places[number];
    this.goToSource(this.model.document.files[place.file].name, place.line);
  },
};

app.start();
