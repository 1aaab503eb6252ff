// Small helpers around the document. Texts of the report only ever become text nodes.
'use strict';

/** An element; attributes whose names begin with "on" are listeners. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') setStyle(element, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets properties of the style, and variables, whose names begin with "--". */
function setStyle(element, properties) {
  for (const [name, value] of Object.entries(properties))
    if (name.startsWith('--')) element.style.setProperty(name, value);
    else element.style[name] = value;
}

/** A table with a head; cells are texts or elements, numbers stand to the right. */
function table(head, rows, { onrow } = {}) {
  const cell = (value, tag) =>
    el(tag, { class: typeof value === 'number' ? 'number' : null },
      typeof value === 'number' ? value.toLocaleString('en') : value);
  const isNumber = (column) => rows.length > 0 && typeof rows[0][column] === 'number';
  return el('table', {},
    el('thead', {}, el('tr', {}, head.map((title, column) =>
      el('th', { scope: 'col', class: isNumber(column) ? 'number' : null }, title)))),
    el('tbody', {}, rows.map((row, index) => {
      const tr = el('tr', {}, row.map((value) => cell(value, 'td')));
      if (onrow) {
        tr.tabIndex = 0;
        tr.classList.add('clickable');
        tr.addEventListener('click', () => onrow(index, tr));
        tr.addEventListener('keydown', (event) => {
          if (event.key === 'Enter') onrow(index, tr);
        });
      }
      return tr;
    })));
}

function section(title, ...children) {
  return el('section', { class: 'card' }, el('h2', {}, title), ...children);
}

const bytesText = (bytes) =>
  bytes >= 1024 && bytes % 512 === 0 ? `${bytes / 1024} KiB` : `${bytes.toLocaleString('en')} B`;

const plural = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** A value of a CSS variable of the theme, for canvases. */
const themeColor = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();

/** The one tooltip of the page. */
const tooltip = {
  show(event, ...content) {
    this.element ||= document.body.appendChild(el('div', { class: 'tooltip', role: 'tooltip' }));
    this.element.replaceChildren(...content);
    this.element.hidden = false;
    const { width, height } = this.element.getBoundingClientRect();
    const x = Math.min(event.clientX + 14, innerWidth - width - 8);
    const y = event.clientY + 18 + height > innerHeight ? event.clientY - height - 10
                                                         : event.clientY + 18;
    Object.assign(this.element.style, { left: `${Math.max(4, x)}px`, top: `${Math.max(4, y)}px` });
  },
  hide() {
    if (this.element) this.element.hidden = true;
  },
};

/** Buttons of which one is chosen. */
function choice(label, options, chosen, onchoose) {
  const group = el('div', { class: 'choice', role: 'radiogroup', 'aria-label': label });
  const buttons = options.map(([value, title]) => el('button', {
    type: 'button', role: 'radio', 'aria-checked': String(value === chosen),
    onclick: () => {
      buttons.forEach((button) => button.setAttribute('aria-checked', 'false'));
      buttons[options.findIndex(([other]) => other === value)].setAttribute('aria-checked', 'true');
      onchoose(value);
    },
  }, title));
  group.append(...buttons);
  return group;
}
