import type { Tenure } from './tf.js';

/** Record of the debug build on a line: the tensors that it has made and that are alive. */
export interface LineRecord {
  readonly line: number;
  readonly numTensors: number;
  readonly numBytes: number;
  /** The functions that made them, in the order of the most bytes. */
  readonly ops: readonly string[];
}

export type Ledger = ReadonlyMap<number, LineRecord>;

/** Returns the records of the lines of a file of this page. */
export function readLedger(tf: Tenure, file: string): Ledger {
  const lines = new Map<number, LineRecord>();
  for (const { key, numTensors, numBytes } of tf.debug.groups({ by: 'site' })) {
    const [, op, name, at] = /^(\S+) at (?:\S*\/)?([^/\s]+):(\d+):\d+$/.exec(key) ?? [];
    if (!op || name !== file) continue;
    const line = Number(at);
    const known = lines.get(line);
    lines.set(line, {
      line,
      numTensors: numTensors + (known?.numTensors ?? 0),
      numBytes: numBytes + (known?.numBytes ?? 0),
      ops: [...new Set([...(known?.ops ?? []), op])],
    });
  }
  return lines;
}

/** Returns the later records of the lines that own more tensors than before, the one with the most bytes first. */
export function grownLines(before: Ledger, after: Ledger): LineRecord[] {
  return [...after.values()]
    .filter(({ line, numTensors }) => numTensors > (before.get(line)?.numTensors ?? 0))
    .sort((a, b) => b.numBytes - a.numBytes);
}

/** Finds the lines of a file that leak: those whose tensors become more and more. */
export class LeakFinder {
  #before: Ledger | undefined;
  /** Lines that have grown between the last two looks. */
  #suspects = new Set<number>();

  /** Looks at the ledger, and returns the line with the most bytes of those that have grown twice in a row. */
  look(ledger: Ledger): LineRecord | undefined {
    const grown = this.#before ? grownLines(this.#before, ledger) : [];
    const leak = grown.find(({ line }) => this.#suspects.has(line));
    this.#before = ledger;
    this.#suspects = new Set(grown.map(({ line }) => line));
    return leak;
  }
}
