import { bytes, count } from './format.js';
import { byId } from './page.js';
import source from './ways.ts?raw';
import { kWays, type WayName, type WorkName } from './works.js';
import type { LineReport } from './witness.js';

/** The displayed file, as the debug build's reports name it. */
export const kFile = 'ways.ts';

/** The displayed lines of both functions, by their line numbers in the file. */
const shown = new Map<number, HTMLElement>();

/** Shows the functions of a workload. */
export function showCode(name: WorkName): void {
  shown.clear();
  for (const way of kWays) {
    const { first, lines } = bodyOf(name === 'camera' ? 'camera' : 'model', way);
    const indent = Math.min(...lines.map((line) => line.search(/\S/)));
    byId(`${way}-code`).replaceChildren(
      ...lines.map((line, i) => {
        const row = document.createElement('span');
        row.className = 'line';
        row.dataset.line = String(first + i);
        row.textContent = line.slice(indent);
        shown.set(first + i, row);
        return row;
      }),
    );
  }
}

/** Highlights the lines that have left tensors behind. */
export function lightUp(reports: readonly LineReport[]): void {
  for (const { line, numTensors, numBytes } of reports) {
    const row = shown.get(line);
    if (!row) continue;
    row.classList.add('leaks');
    row.dataset.note = `${count(numTensors)} × ${bytes(numBytes / numTensors)}`;
  }
}

/** Returns the lines of a function's body in the file, and the number of the first. */
function bodyOf(pair: string, way: WayName): { first: number; lines: string[] } {
  const all = source.split('\n');
  const start = all.findIndex(
    (line, i) =>
      line.startsWith(`  ${way}(`) && all.lastIndexOf(`export const ${pair} = {`, i) > all.lastIndexOf('};', i),
  );
  const end = all.indexOf('  },', start);
  return { first: start + 2, lines: all.slice(start + 1, end) };
}
