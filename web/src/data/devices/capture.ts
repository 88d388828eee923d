import { Holder } from '../../owner/scope.js';
import { getErrorMessage } from '../../runtime/errors.js';

/** An iterator over what a device of a page captures, until it is stopped. A holder of the device. */
export abstract class Capture<T> extends Holder implements AsyncIterableIterator<T, null, void> {
  #stopped = false;

  /** @internal */
  protected constructor(private readonly stream: MediaStream) {
    super();
  }

  /** Resolves to the next capture. Its tensors belong to the current scope, or else to the caller. */
  async next(): Promise<IteratorResult<T, null>> {
    if (this.#stopped) return { value: null, done: true };
    const value = await this.read();
    return value === undefined ? { value: null, done: true } : { value, done: false };
  }
  /**
   * Resolves to the value of the next capture; to null, which its type leaves out as in TensorFlow.js, once it is
   * stopped.
   */
  async capture(): Promise<T> {
    return (await this.next()).value as T;
  }
  /** Releases the device. Does nothing if it was already stopped. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const track of this.stream.getTracks()) track.stop();
    this.release();
  }
  return(): Promise<IteratorResult<T, null>> {
    this.stop();
    return Promise.resolve({ value: null, done: true });
  }
  dispose(): void {
    this.stop();
  }
  override [Symbol.dispose](): void {
    this.stop();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    return Promise.resolve();
  }
  [Symbol.asyncIterator](): this {
    return this;
  }
  toArray(): never {
    throw new Error(`Can not convert infinite ${this.what} stream to array.`);
  }

  /** @internal Kind of the stream, for messages. */
  protected abstract readonly what: 'audio' | 'video';
  /** @internal Captures a value; undefined if it was stopped meanwhile. */
  protected abstract read(): Promise<T | undefined>;
  /** @internal Releases what the subclass holds. */
  protected abstract release(): void;

  /** @internal */
  protected get stopped(): boolean {
    return this.#stopped;
  }
}

/** Requests a device from the page's user. Rejects if it is not granted. */
export async function requestStream(constraints: MediaStreamConstraints): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia(constraints);
  } catch (error) {
    throw new Error(`Error thrown while initializing video stream: ${getErrorMessage(error)}`, { cause: error });
  }
}
