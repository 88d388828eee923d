import type { Logs } from './callbacks.js';

/** Returns values by name. */
export function toLogs(names: readonly string[], values: readonly number[]): Logs {
  return Object.fromEntries(names.map((name, i) => [name, values[i]!]));
}

/** Running means of losses and metrics over batches, each weighted by its number of samples. */
export class Averages {
  readonly #totals: number[];
  #seen = 0;

  constructor(private readonly names: readonly string[]) {
    this.#totals = names.map(() => 0);
  }
  add(values: readonly number[], size: number): void {
    this.#seen += size;
    for (let i = 0; i < this.#totals.length; i++) this.#totals[i]! += size * values[i]!;
  }
  values(): number[] {
    return this.#totals.map((total) => total / this.#seen);
  }
  /** Returns the means by name; empty if there was no batch. */
  logs(): Logs {
    return this.#seen === 0 ? {} : toLogs(this.names, this.values());
  }
}
