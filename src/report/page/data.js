// The report's data: unpacking, and the places that lines of all texts come from.
//
// A place is a line and a column of a file, and perhaps the place of the call that led there. Lines
// of two texts belong together if they share a place (strongly), or a line of a file (weakly).
'use strict';

/** The text of a <script> that Page.cpp has packed: a letter for the packing, then base64. */
async function unpackText(id) {
  const packed = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(packed.slice(1)), (c) => c.charCodeAt(0));
  if (packed[0] === 'b') return new TextDecoder().decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).text();
}

const countReports = () => document.querySelectorAll('script[id^="report"]').length;

/** A text of the report with the places of its lines, which count from 0 here. */
class LinkedText {
  constructor(model, { id, title, language, text, links = [], file = null }) {
    Object.assign(this, { model, id, title, language, text, file });
    this.places = new Map(links.map(([line, ...places]) => [line - 1, places]));
  }

  get lineCount() {
    return this.text.split('\n').length;
  }

  /** The places that a line comes from. Those of a line of a source are all that lie in it. */
  placesOf(line) {
    if (this.file === null) return this.places.get(line) || [];
    return this.model.placesInLine(this.file, line + 1);
  }

  /** Lines by the keys of their places: {exact, line, call}, each from a key to an array. */
  get index() {
    if (this._index) return this._index;
    const index = { exact: new Map(), line: new Map(), call: new Map() };
    const put = (map, key, line) => {
      if (!map.has(key)) map.set(key, new Set());
      map.get(key).add(line);
    };
    for (const [line, places] of this.places)
      for (const number of places) {
        const place = this.model.places[number];
        put(index.exact, place.exactKey, line);
        put(index.line, place.lineKey, line);
        for (const caller of this.model.callersOf(place)) put(index.call, caller.lineKey, line);
      }
    return (this._index = index);
  }
}

class Model {
  constructor(document, number) {
    this.number = number;
    this.document = document;
    this.title = document.title || document.kernel.target;
    this.places = document.places.map(([file, line, column, caller]) => ({
      file, line, column, caller,
      exactKey: `${file}:${line}:${column}`,
      lineKey: `${file}:${line}`,
    }));
    this.byLine = new Map();
    this.places.forEach((place, index) => {
      if (!this.byLine.has(place.lineKey)) this.byLine.set(place.lineKey, []);
      this.byLine.get(place.lineKey).push(index);
    });
    this.texts = [
      ...document.files
        .map((file, number) => ({ file, number }))
        .filter(({ file }) => file.text !== undefined)
        .map(({ file, number }) => new LinkedText(this, {
          id: `file${number}`, title: file.name, text: file.text, file: number,
          language: file.name.endsWith('.py') ? 'python' : 'mlir',
        })),
      ...document.stages.map((stage) => new LinkedText(this, stage)),
    ];
  }

  textOf(id) {
    return this.texts.find((text) => text.id === id);
  }

  placesInLine(file, line) {
    return this.byLine.get(`${file}:${line}`) || [];
  }

  callersOf(place) {
    const callers = [];
    while (place.caller >= 0) {
      place = this.places[place.caller];
      callers.push(place);
    }
    return callers;
  }

  fileNumber(name) {
    return this.document.files.findIndex((file) => file.name === name);
  }

  /** "gemm.py:12:5" */
  describePlace(number) {
    const place = this.places[number];
    const name = this.document.files[place.file].name.split('/').pop();
    return `${name}:${place.line}:${place.column}`;
  }

  /**
   * The lines of `target` that belong to `line` of `origin`: a Map from line to 'exact' or 'near'.
   */
  linked(origin, line, target) {
    const result = new Map();
    const put = (lines, kind) => {
      for (const found of lines || [])
        if (result.get(found) !== 'exact') result.set(found, kind);
    };
    const places = origin.placesOf(line).map((number) => this.places[number]);
    if (origin === target) {
      result.set(line, 'exact');
    } else if (target.file !== null) {
      for (const place of places) {
        if (place.file === target.file) result.set(place.line - 1, 'exact');
        for (const caller of this.callersOf(place))
          if (caller.file === target.file) put([caller.line - 1], 'near');
      }
      return result;
    }
    for (const place of places) {
      const isWholeLine = origin.file !== null;
      put(target.index.line.get(place.lineKey), isWholeLine ? 'exact' : 'near');
      if (isWholeLine) put(target.index.call.get(place.lineKey), 'near');
      else put(target.index.exact.get(place.exactKey), 'exact');
    }
    return result;
  }

  /** The IR after each pass, unpacked when it is first asked for. */
  async passes() {
    this._passes ||= JSON.parse(await unpackText(`passes${this.number}`));
    return this._passes;
  }
}

async function loadModel(number) {
  return new Model(JSON.parse(await unpackText(`report${number}`)), number);
}
