import { nodeProcess } from '../runtime/node_builtins.js';
import type { PipelineStats, ProgressOptions } from './options.js';

/** A line that shows how far a pass is, and how much of its time it waits for data. */
export interface Progress {
  /** Updates the line after an element; `now` is in milliseconds. */
  show(elements: number, stats: PipelineStats, now: number): void;
  /** Writes the last state and ends the line. */
  end(): void;
}

const kIntervalMs = 100;
const kDefaultColumns = 80;

/** Returns the progress line that the options ask for, or undefined if they ask for none or there is no terminal. */
export function createProgress(
  asked: boolean | string | ProgressOptions | undefined,
  size: number | null,
): Progress | undefined {
  if (asked === undefined || asked === false) return undefined;
  const { label = '', to = terminal() } = typeof asked === 'object' ? asked : { label: asked === true ? '' : asked };
  return to && new Bar(to, label, size === Infinity ? null : size);
}

function terminal(): ProgressOptions['to'] {
  const stderr = nodeProcess?.stderr;
  return stderr?.isTTY ? stderr : undefined;
}

class Bar implements Progress {
  #start: { at: number; elements: number } | undefined;
  #writtenAt = -Infinity;
  #isWritten = true;
  #line = '';

  constructor(
    private readonly to: NonNullable<ProgressOptions['to']>,
    private readonly label: string,
    private readonly size: number | null,
  ) {}

  show(elements: number, { waitedForProducer, waitedForConsumer, bytesAhead }: PipelineStats, now: number): void {
    this.#start ??= { at: now, elements: elements - 1 };
    const seconds = (now - this.#start.at) / 1000;
    const rate = seconds > 0 ? (elements - this.#start.elements) / seconds : 0;
    const waits = Math.round((100 * waitedForProducer) / Math.max(1e-9, waitedForProducer + waitedForConsumer));
    const ahead = bytesAhead > 0 ? `, ${(bytesAhead / 1e6).toFixed(1)} MB ahead` : '';
    const left =
      this.size === null || rate === 0 ? '' : `, ${Math.max(0, Math.round((this.size - elements) / rate))} s left`;
    const text = `${rate < 100 ? rate.toPrecision(3) : Math.round(rate)}/s${left}, ${waits} % waiting for data${ahead}`;
    this.#line = this.size === null ? `${this.label} ${elements} ${text}` : this.#withBar(elements, this.size, text);
    this.#isWritten = false;
    if (now - this.#writtenAt < kIntervalMs) return;
    this.#writtenAt = now;
    this.#write();
  }
  end(): void {
    if (!this.#start) return;
    if (!this.#isWritten) this.#write();
    this.#start = undefined;
    this.to.write('\n');
  }

  #withBar(elements: number, size: number, text: string): string {
    const before = `${this.label} ${elements}/${size} [`;
    const room = Math.max(4, Math.min(40, (this.to.columns ?? kDefaultColumns) - before.length - text.length - 3));
    const done = Math.round(room * Math.min(1, elements / Math.max(1, size)));
    return `${before}${'='.repeat(done)}${' '.repeat(room - done)}] ${text}`;
  }

  #write(): void {
    this.#isWritten = true;
    this.to.write(`\r${this.#line.trimStart().slice(0, (this.to.columns ?? kDefaultColumns) - 1)}\x1b[K`);
  }
}
