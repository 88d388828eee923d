import { nodeBuiltin } from '../runtime/node_builtins.js';
import { Tensor } from '../tensor/tensor.js';
import { encodeFileVersion, encodeHistogram, encodeScalar } from './event_file.js';
import { countBuckets } from './histogram.js';

const kDefaultBuckets = 30;

/** Writers by their folders: two writers in one folder would be two runs of the same name. */
const writers = new Map<string, SummaryFileWriter>();
let filesCreated = 0;

/** A writer of a TensorBoard event file. Its events are written when its queue is full, after a time, and when the process exits. */
export class SummaryFileWriter {
  readonly #logdir: string;
  readonly #maxQueue: number;
  readonly #flushMillis: number;
  readonly #suffix: string;
  #file: string;
  #queue: Uint8Array[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @internal Use tf.node.summaryFileWriter(). */
  constructor(logdir: string, maxQueue: number, flushMillis: number, filenameSuffix: string) {
    this.#logdir = logdir;
    this.#maxQueue = maxQueue;
    this.#flushMillis = flushMillis;
    this.#suffix = filenameSuffix;
    this.#file = this.#createFile();
  }

  /**
   * Writes a scalar. Throws if the value is not a single number or the step not an integer.
   * @param name Name of the series in TensorBoard; its parts before slashes group the series.
   * @param value Number, or tensor of rank 0, which the caller keeps.
   * @param step Step of the value, an integer.
   * @param description Text that TensorBoard shows with the series, as Markdown.
   */
  scalar(name: string, value: Tensor | number, step: number, description?: string): void {
    checkStep('scalar', step);
    if (value instanceof Tensor && value.rank !== 0)
      throw new Error(`[scalar] expected a number or a tensor of rank 0, got shape [${value.shape}]`);
    const number = typeof value === 'number' ? value : readNumbers('scalar', value)[0]!;
    this.#enqueue(encodeScalar(name, number, step, Date.now() / 1000, description));
  }

  /**
   * Writes a histogram of values. Throws if `buckets` is not a positive integer or the step not an integer.
   * @param name Name of the series in TensorBoard; its parts before slashes group the series.
   * @param data Tensor of numbers of any shape, which the caller keeps. NaN and infinities are not counted.
   * @param step Step of the histogram, an integer.
   * @param buckets Number of buckets of equal width between the least and the greatest value; 30 by default.
   * @param description Text that TensorBoard shows with the series, as Markdown.
   */
  histogram(name: string, data: Tensor, step: number, buckets = kDefaultBuckets, description?: string): void {
    checkStep('histogram', step);
    if (!Number.isInteger(buckets) || buckets <= 0)
      throw new Error(`[histogram] buckets must be a positive integer, but got ${buckets}`);
    const counted = countBuckets(readNumbers('histogram', data), buckets);
    this.#enqueue(encodeHistogram(name, counted, step, Date.now() / 1000, description));
  }

  /** Writes all queued events to the file. If it was removed, a new one is begun. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queue.length === 0) return;
    const fs = nodeBuiltin('node:fs')!;
    if (!fs.existsSync(this.#file)) this.#file = this.#createFile();
    fs.appendFileSync(this.#file, Buffer.concat(this.#queue));
    this.#queue = [];
  }

  #enqueue(record: Uint8Array): void {
    this.#queue.push(record);
    if (this.#queue.length > this.#maxQueue) this.flush();
    else this.#timer ??= setTimeout(() => this.flushOrWarn(), this.#flushMillis).unref();
  }

  /** @internal Flushes, and warns if that fails: for callers without a program that could catch the error. */
  flushOrWarn(): void {
    try {
      this.flush();
    } catch (error) {
      console.warn(`[summaryFileWriter] ${this.#queue.length} events cannot be written: ${(error as Error).message}`);
    }
  }

  /** Creates the folder and an event file in it, named as TensorFlow does; returns the file's path. */
  #createFile(): string {
    const fs = nodeBuiltin('node:fs')!;
    const seconds = Date.now() / 1000;
    const host = nodeBuiltin('node:os')!.hostname();
    fs.mkdirSync(this.#logdir, { recursive: true });
    for (;;) {
      const name = `events.out.tfevents.${String(Math.floor(seconds)).padStart(10, '0')}.${host}.${process.pid}.${filesCreated++}${this.#suffix}`;
      const file = nodeBuiltin('node:path')!.join(this.#logdir, name);
      // Another thread of the process counts its own files.
      if (fs.existsSync(file)) continue;
      fs.writeFileSync(file, encodeFileVersion(seconds));
      return file;
    }
  }
}

/**
 * Returns a writer of TensorBoard event files in a folder: the same writer for the same folder. Throws if the folder cannot be
 * created.
 * @param logdir Folder of the files, which is created if needed: a run in TensorBoard.
 * @param maxQueue Number of events that are held back before they are written; 10 by default.
 * @param flushMillis Time after which held back events are written, in milliseconds; 120000 by default.
 * @param filenameSuffix End of the files' names; '.v2' by default.
 * @example
 * const logdir = 'build/example-logs';
 * const writer = tf.node.summaryFileWriter(logdir);
 * for (let step = 0; step < 100; step++) writer.scalar('sine', Math.sin(step / 8), step);
 * writer.flush(); // then: tensorboard --logdir build/example-logs
 * tf.node.summaryFileWriter(logdir) === writer; // true
 */
export function summaryFileWriter(
  logdir: string,
  maxQueue = 10,
  flushMillis = 120_000,
  filenameSuffix = '.v2',
): SummaryFileWriter {
  if (typeof logdir !== 'string' || logdir === '')
    throw new Error(`Invalid logdir: ${String(logdir)}. Expected a non-empty string for logdir.`);
  const folder = nodeBuiltin('node:path')!.resolve(logdir);
  let writer = writers.get(folder);
  if (!writer) {
    writer = new SummaryFileWriter(folder, maxQueue, flushMillis, filenameSuffix);
    if (writers.size === 0) process.once('exit', flushAll);
    writers.set(folder, writer);
  }
  return writer;
}

function flushAll(): void {
  for (const writer of writers.values()) writer.flushOrWarn();
}

function checkStep(name: string, step: number): void {
  if (!Number.isSafeInteger(step))
    throw new Error(`[${name}] step is expected to be an integer, but is instead ${step}`);
}

function readNumbers(name: string, tensor: Tensor): ArrayLike<number> {
  if (!(tensor instanceof Tensor)) throw new Error(`[${name}] expected a tensor, got ${typeof tensor}`);
  if (tensor.dtype === 'string' || tensor.dtype === 'complex64')
    throw new Error(`[${name}] expected real numbers, got dtype ${tensor.dtype}`);
  return tensor.dataSync();
}
