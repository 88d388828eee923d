import type { Tf } from './tf.js';
import { works, type Work, type WorkName } from './works.js';

/** The debug build's record of a line of the loops' code. */
export interface LineReport {
  readonly line: number;
  readonly numTensors: number;
  readonly numBytes: number;
  /** Tensors whose JavaScript object was garbage collected. */
  readonly numLost: number;
}

const kEvery = 333;
/** Turns of each workload, so that it takes 35 MB at most. */
const kMaxTurns = 60;

/**
 * The debug build beside the loops' engine: it also runs the leaking way, three times a second, and reports what each line has
 * left behind.
 */
export class Witness {
  readonly tf: Tf;
  readonly #onReport: () => void;
  readonly #onError: (error: unknown) => void;
  #name: WorkName | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(tf: Tf, onReport: () => void, onError: (error: unknown) => void) {
    this.tf = tf;
    this.#onReport = onReport;
    this.#onError = onError;
  }

  /** Switches to another workload; leaked tensors stay. */
  async watch(name: WorkName): Promise<void> {
    if (name === this.#name) return;
    this.#name = name;
    clearInterval(this.#timer);
    const work = await works[name](this.tf);
    if (name !== this.#name) return work.dispose();
    let turns = 0;
    this.#timer = setInterval(() => {
      if (++turns > kMaxTurns) {
        clearInterval(this.#timer);
        work.dispose();
      } else {
        this.#turn(work, turns).catch(this.#onError);
      }
    }, kEvery);
  }

  /** Returns the lines of the file `name` that have made live tensors. */
  linesOf(name: string): LineReport[] {
    const lines = new Map<number, LineReport>();
    for (const { key, numTensors, numBytes, numLost } of this.tf.debug.groups({ by: 'site' })) {
      const [, file, at] = /([^/\s]+):(\d+):\d+$/.exec(key) ?? [];
      if (file !== name) continue;
      const line = Number(at);
      const before = lines.get(line);
      lines.set(line, {
        line,
        numTensors: numTensors + (before?.numTensors ?? 0),
        numBytes: numBytes + (before?.numBytes ?? 0),
        numLost: numLost + (before?.numLost ?? 0),
      });
    }
    return [...lines.values()];
  }

  async #turn({ ways, numInputs }: Work, turn: number): Promise<void> {
    await ways.leaking(turn % numInputs).values;
    this.#onReport();
  }
}

/** Loads the debug build, a second engine, when the page is idle. */
export async function loadWitness(onReport: () => void, onError: (error: unknown) => void): Promise<Witness> {
  const tf: Tf = await import('tenure/debug');
  await tf.ready();
  await tf.setBackend('wasm');
  return new Witness(tf, onReport, onError);
}
