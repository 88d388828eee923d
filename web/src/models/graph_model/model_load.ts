// A model's load, which ends when the model is disposed.
import type { ByteStream } from '../../io/bytes.js';

/** A model's load. Its waits, reads and requests end when it is aborted. */
export class ModelLoad {
  /** Removes its listener from the signal of the caller. To be called at the end of the load. */
  finish = (): void => {};
  #error: Error | undefined;
  readonly #onAbort = new Set<(error: Error) => void>();
  // Contexts of node:vm have no AbortController.
  readonly #controller = typeof AbortController === 'undefined' ? undefined : new AbortController();

  /** True once it was aborted. */
  get isAborted(): boolean {
    return this.#error !== undefined;
  }

  /** Rejects all waits, now and later, and aborts the requests. */
  abort(error: Error): void {
    this.#error ??= error;
    this.#controller?.abort(error);
    for (const end of this.#onAbort) end(error);
  }

  /** Resolves as a step of the load does. Rejects at once if the load is aborted; the result of the step is then lost. */
  wait<T>(step: T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Promise.race() would retain the results of all steps until the load ends.
      this.#onAbort.add(reject);
      void Promise.resolve(step)
        .then(resolve, reject)
        .finally(() => this.#onAbort.delete(reject));
      if (this.#error) reject(this.#error);
    });
  }

  /** Resolves to a stream of openBytes() whose chunks end when the load is aborted. */
  async open(opening: Promise<ByteStream>): Promise<ByteStream> {
    const { length, chunks } = await this.wait(opening);
    return { length, chunks: this.#readChunks(chunks as AsyncGenerator<Uint8Array>) };
  }

  /** Returns options whose requests are aborted with the load, or by the signal that they have. */
  withSignal<Options extends { requestInit?: RequestInit }>(options: Options): Options {
    const controller = this.#controller;
    if (!controller) return options;
    const given = options.requestInit?.signal;
    const forward = () => controller.abort(given?.reason);
    if (given?.aborted) forward();
    given?.addEventListener('abort', forward);
    this.finish = () => given?.removeEventListener('abort', forward);
    return { ...options, requestInit: { ...options.requestInit, signal: controller.signal } };
  }

  async *#readChunks(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = await this.wait(chunks.next());
        if (chunk.done) return;
        yield chunk.value;
      }
    } finally {
      // Not awaited: it waits for the chunk that is being read.
      chunks.return(undefined).catch(() => {});
    }
  }
}
