import { BaseCallback, type Logs } from './callbacks.js';

interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const kWidth = 30;
/** Minimum number of milliseconds between two redraws of the bar. */
const kRedrawIntervalMs = 100;

/** Returns stderr if it is a terminal. */
function terminal(): Terminal | undefined {
  const out = (globalThis as { process?: { stderr?: Terminal } }).process?.stderr;
  return out?.isTTY ? out : undefined;
}

/** Callback that draws a progress bar of each epoch, as Keras does; it draws nothing if stderr is not a terminal. */
export class ProgressBar extends BaseCallback {
  readonly #out = terminal();
  #epochs = 0;
  #steps: number | undefined;
  #begin = 0;
  #drawn = 0;
  #done = 0;
  #seen = 0;
  #totals: Logs = {};

  override onTrainBegin(): Promise<void> {
    this.#epochs = this.params.epochs as number;
    const { steps, samples, batchSize } = this.params as Record<string, number | null | undefined>;
    this.#steps = steps ?? (samples && batchSize ? Math.ceil(samples / batchSize) : undefined);
    return Promise.resolve();
  }
  override onEpochBegin(epoch: number): Promise<void> {
    this.#begin = this.#drawn = performance.now();
    this.#done = this.#seen = 0;
    this.#totals = {};
    this.#out?.write(`Epoch ${epoch + 1}/${this.#epochs}\n`);
    return Promise.resolve();
  }
  override onBatchEnd(_batch: number, logs: Logs = {}): Promise<void> {
    const { size = 1 } = logs;
    this.#done++;
    this.#seen += size;
    for (const [name, value] of Object.entries(logs)) {
      if (name === 'size' || name === 'batch') continue;
      this.#totals[name] = (this.#totals[name] ?? 0) + size * value;
    }
    const now = performance.now();
    if (now - this.#drawn > kRedrawIntervalMs) {
      this.#drawn = now;
      this.#draw(
        Object.fromEntries(Object.entries(this.#totals).map(([name, total]) => [name, total / this.#seen])),
        '',
      );
    }
    return Promise.resolve();
  }
  override onEpochEnd(_epoch: number, logs: Logs = {}): Promise<void> {
    this.#draw(logs, '\n');
    return Promise.resolve();
  }

  #draw(logs: Logs, end: string): void {
    if (!this.#out) return;
    const part = this.#steps ? Math.min(1, this.#done / this.#steps) : 0;
    const filled = Math.floor(part * kWidth);
    const bar = this.#steps
      ? `${this.#done}/${this.#steps} [${'='.repeat(filled)}${filled < kWidth ? '>' : ''}${'.'.repeat(Math.max(0, kWidth - filled - 1))}]`
      : `${this.#done}`;
    const elapsed = performance.now() - this.#begin;
    const time = end ? `${(elapsed / 1000).toFixed(1)}s ${(elapsed / Math.max(1, this.#done)).toFixed(1)}ms/step` : '';
    const values = Object.entries(logs).map(([name, value]) => `${name}: ${value.toPrecision(4)}`);
    const line = [bar, time, ...values]
      .filter(Boolean)
      .join(' - ')
      .slice(0, (this.#out.columns ?? 80) - 1);
    this.#out.write(`\r${line}\u001b[K${end}`);
  }
}
