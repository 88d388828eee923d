import { Holder } from '../../owner/scope.js';
import { assert } from '../../util/checks.js';
import { getHardwareConcurrency } from '../hardware_concurrency.js';
import { toMessage, fromMessage } from './message.js';
import { resolveModuleUrl, startThread, type Answer, type Thread } from './thread.js';
import { getErrorMessage } from '../../runtime/errors.js';

/** Options of workers(). */
export interface WorkersOptions {
  /** Maximum number of workers; by default one less than the processor count, from 1 to 7. */
  workers?: number;
  /** Name of the export to call; 'default' by default. */
  name?: string;
  /** False copies typed arrays to a worker. By default they are transferred, which leaves them empty here. */
  transfer?: boolean;
}

interface Task {
  readonly value: unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A pool of workers that call a module's function, started on demand. A holder: close() ends them. Idle workers of a
 * pool that was never closed do not keep a Node process alive.
 */
export class WorkerPool extends Holder {
  /** Maximum number of workers. */
  readonly size: number;
  /** @internal True if typed arrays are transferred, and so detached here. */
  readonly transfers: boolean;
  readonly #module: string;
  readonly #name: string;
  readonly #all = new Map<Thread, Task | undefined>();
  readonly #waiting: Task[] = [];
  #closed = false;

  /** @internal */
  constructor(
    module: string | URL,
    { workers = Math.max(1, getHardwareConcurrency() - 1), name = 'default', transfer = true }: WorkersOptions = {},
  ) {
    super();
    assert(
      Number.isInteger(workers) && workers >= 1,
      () => `[workers] expected an integer of at least 1, got ${workers}`,
    );
    this.size = workers;
    this.transfers = transfer;
    this.#module = resolveModuleUrl(module);
    this.#name = name;
  }

  /** Resolves to what a worker returns for a value. Rejects with what the function threw, and the worker's stack. */
  async map(value: unknown): Promise<unknown> {
    const result = await new Promise((resolve, reject) => {
      this.#waiting.push({ value, resolve, reject });
      this.#assign();
    });
    return fromMessage(result);
  }
  /** Terminates all workers, including busy ones. Pending calls of map() reject. */
  async close(): Promise<void> {
    this.#closed = true;
    const tasks = [...this.#all.values(), ...this.#waiting.splice(0)];
    const threads = [...this.#all.keys()];
    this.#all.clear();
    for (const task of tasks) task?.reject(closed());
    await Promise.all(threads.map((thread) => thread.end()));
  }
  /** Closes the pool without waiting. */
  dispose(): void {
    void this.close();
  }
  override [Symbol.dispose](): void {
    this.dispose();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      if (this.#closed) {
        for (const task of this.#waiting.splice(0)) task.reject(closed());
        return;
      }
      const thread = this.#freeThread();
      if (!thread) return;
      const task = this.#waiting.shift()!;
      this.#all.set(thread, task);
      void this.#send(thread, task);
    }
  }

  #freeThread(): Thread | undefined {
    for (const [thread, task] of this.#all) if (!task) return thread;
    if (this.#all.size >= this.size) return undefined;
    const thread: Thread = startThread(
      (answer) => this.#onAnswer(thread, answer),
      (error) => this.#onThreadEnd(thread, error),
    );
    return thread;
  }

  async #send(thread: Thread, task: Task): Promise<void> {
    thread.setRef(true);
    try {
      const transfer = this.transfers ? new Set<ArrayBuffer>() : undefined;
      const value = await toMessage(task.value, transfer);
      if (this.#all.get(thread) === task)
        thread.post({ module: this.#module, name: this.#name, value }, [...(transfer ?? [])]);
    } catch (error) {
      const hint = this.transfers
        ? ' (typed arrays are transferred: give new ones each time, or say {transfer: false})'
        : '';
      this.#free(thread);
      task.reject(
        new Error(`[workers] cannot send an element to a worker: ${getErrorMessage(error)}${hint}`, { cause: error }),
      );
      this.#assign();
    }
  }

  #onAnswer(thread: Thread, { result, error }: Answer): void {
    const task = this.#all.get(thread);
    if (!task) return;
    this.#free(thread);
    if (error) task.reject(toError(error, this.#module));
    else task.resolve(result);
    this.#assign();
  }

  /** Marks a thread as idle. */
  #free(thread: Thread): void {
    if (!this.#all.has(thread)) return;
    thread.setRef(false);
    this.#all.set(thread, undefined);
  }

  /** Removes a worker that has ended. Starts another if tasks are waiting. */
  #onThreadEnd(thread: Thread, error: Error): void {
    const task = this.#all.get(thread);
    if (!this.#all.delete(thread)) return;
    task?.reject(new Error(`[workers] ${this.#module}: ${error.message}`, { cause: error }));
    void thread.end();
    this.#assign();
  }
}

function toError({ name, message, stack }: NonNullable<Answer['error']>, module: string): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = `${stack ?? message}\n    in a worker of ${module}`;
  return error;
}

function closed(): Error {
  return new Error('[workers] the workers were closed');
}

/**
 * Returns a pool of workers that map elements: `dataset.mapAsync(workers)`. The module's function gets an element, with
 * its tensors as {dtype, shape, values}; objects of that form in its result become tensors. A page's content security
 * policy must allow workers from blob:.
 * @example
 * const code = 'export default (x) => x * 2;';
 * const pool = tf.data.workers(`data:text/javascript,${encodeURIComponent(code)}`, { workers: 1 });
 * await tf.data.array([1, 2]).mapAsync(pool).toArray(); // [2, 4]
 * pool.close();
 */
export function workers(module: string | URL, options?: WorkersOptions): WorkerPool {
  return new WorkerPool(module, options);
}
