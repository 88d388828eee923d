import { bytes, count } from './format.js';
import type { Tf } from './tf.js';

const kMaxRows = 8;
const kMaxTypes = 3;

/** The table of live tensors by creation line, which only the debug build can fill. */
export class SiteTable {
  readonly #tf: Tf;
  readonly #body: HTMLTableSectionElement;
  #before = new Map<string, number>();

  constructor(tf: Tf, body: HTMLTableSectionElement) {
    this.#tf = tf;
    this.#body = body;
  }

  /** Shows live tensors, the most recent growth first. */
  update(): void {
    const groups = this.#tf.debug.groups({ by: 'site' });
    const growth = (key: string, now: number) => now - (this.#before.get(key) ?? 0);
    const rows = groups
      .map((group) => ({ ...group, growth: growth(group.key, group.numTensors) }))
      .sort((a, b) => b.growth - a.growth || b.numBytes - a.numBytes)
      .slice(0, kMaxRows);
    this.#before = new Map(groups.map(({ key, numTensors }) => [key, numTensors]));
    this.#body.replaceChildren(
      ...rows.map(({ key, types, numTensors, numBytes, numLost, growth }) => {
        const grown = growth > 0 ? `▲ ${count(growth)}` : '–';
        const more = types.length > kMaxTypes ? ', ...' : '';
        const heading = `${key} (${types.slice(0, kMaxTypes).join(', ')}${more})`;
        const row = rowOf(heading, count(numTensors), grown, bytes(numBytes), count(numLost));
        row.classList.toggle('grows', growth > 0);
        return row;
      }),
    );
  }
}

function rowOf(heading: string, ...values: string[]): HTMLTableRowElement {
  const row = document.createElement('tr');
  const first = document.createElement('th');
  first.scope = 'row';
  first.textContent = heading;
  row.append(first);
  for (const value of values) row.insertCell().textContent = value;
  return row;
}
