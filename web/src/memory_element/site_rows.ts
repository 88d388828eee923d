import { formatBytes } from '../debug/records.js';
import type { Watched } from './watched.js';

const kMaxRows = 12;
const kHeads = ['Made by', 'Alive', 'New', 'Bytes', 'Lost'];

/**
 * A table of the lines that created the live tensors, those that grew most first. In a release build it only has a
 * note.
 */
export class SiteRows {
  readonly element = document.createElement('div');
  readonly #body: HTMLTableSectionElement;
  readonly #note = document.createElement('p');
  readonly #scroll = document.createElement('div');
  /** Number of live tensors when the table was first shown, by line. */
  #first: Map<string, number> | undefined;

  constructor() {
    const table = document.createElement('table');
    const heads = table.createTHead().insertRow();
    for (const text of kHeads) heads.append(cell(text, 'col'));
    this.#body = table.createTBody();
    this.#scroll.className = 'scroll';
    this.#scroll.tabIndex = 0;
    this.#scroll.setAttribute('role', 'region');
    this.#scroll.setAttribute('aria-label', 'Lines that made what is alive');
    this.#scroll.append(table);
    this.#note.textContent = 'The debug build, tenure/debug, would name the lines that made them.';
    this.element.append(this.#note, this.#scroll);
  }

  show({ debug }: Watched): void {
    const hasDebug = debug?.enabled === true;
    this.#note.hidden = hasDebug;
    this.#scroll.hidden = !hasDebug;
    if (!hasDebug) return;
    const groups = debug.groups();
    this.#first ??= new Map(groups.map(({ key, numTensors }) => [key, numTensors]));
    const rows = groups
      .map((group) => ({ ...group, growth: group.numTensors - (this.#first!.get(group.key) ?? 0) }))
      .sort((a, b) => b.growth - a.growth || b.numBytes - a.numBytes)
      .slice(0, kMaxRows);
    this.#body.replaceChildren(
      ...rows.map(({ key, numTensors, growth, numBytes, numLost }) => {
        const row = document.createElement('tr');
        row.classList.toggle('more', growth > 0);
        row.append(cell(key, 'row'));
        const grown = growth > 0 ? `+${growth}` : String(growth);
        for (const text of [String(numTensors), grown, formatBytes(numBytes), String(numLost)])
          row.insertCell().textContent = text;
        return row;
      }),
    );
  }
}

function cell(text: string, scope: string): HTMLTableCellElement {
  return Object.assign(document.createElement('th'), { textContent: text, scope });
}
