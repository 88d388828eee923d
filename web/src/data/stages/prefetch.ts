import { skip, type Element, type Pipeline, type Stage } from '../pipeline.js';

/** Maximum number of pending reads, whatever the bounds: each takes memory before it resolves, even past the end. */
const kMaxPending = 1000;

/** A requested element. */
interface Slot<T> {
  isReady: boolean;
  element?: Element<T>;
  failed?: { reason: Error };
}

/** A waiting call of next(). */
interface Waiter<T> {
  readonly resolve: (element: Element<T> | undefined) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Stage that reads ahead: up to `count` elements are pending or ready before they are requested, as long as the bytes
 * ahead stay within their bound. They are emitted in order, or as they are ready.
 */
export class PrefetchStage<T> implements Stage<T> {
  readonly #ahead: Slot<T>[] = [];
  readonly #waiting: Waiter<T>[] = [];
  #pending = 0;
  #started = false;
  #ended = false;
  #isReading = false;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly count: number,
    private readonly maxBytes?: number,
    private readonly inOrder = true,
    private readonly handles = 1,
  ) {
    pipeline.onChange(() => this.#read());
  }

  next(): Promise<Element<T> | undefined> {
    this.#started = true;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#read();
    });
  }

  skip(count: number): Promise<number> {
    return skip(this.pipeline, this.upstream, count);
  }

  #read(): void {
    // Stages report elements that they drop during next(). A nested read would overtake the one that is being started.
    if (this.#isReading) return;
    this.#isReading = true;
    this.#deliver();
    while (this.#started && !this.#ended && !this.pipeline.closed && this.#canRead()) this.#startRead();
    this.#isReading = false;
  }

  #startRead(): void {
    const slot: Slot<T> = { isReady: false };
    this.#pending++;
    if (this.inOrder) this.#ahead.push(slot);
    this.upstream.next().then(
      (element) => {
        slot.element = element;
        this.#onSettled(slot);
      },
      (reason: Error) => {
        slot.failed = { reason };
        this.#onSettled(slot);
      },
    );
  }

  /**
   * True if another element may be read. If next() waits and nothing is pending, one is read in any case; more need
   * room.
   */
  #canRead(): boolean {
    if (this.#pending === 0 && this.#waiting.length > 0) return true;
    if (this.#pending >= kMaxPending) return false;
    const unclaimed = this.#ahead.length - this.#waiting.length;
    if (Math.max(unclaimed, this.#pending) >= this.count) return false;
    const { pipeline } = this;
    return (
      pipeline.hasRoom(this.#pending, undefined, this.handles) &&
      pipeline.hasRoom(this.#pending, this.maxBytes, this.handles)
    );
  }

  #onSettled(slot: Slot<T>): void {
    this.#pending--;
    slot.isReady = true;
    if (slot.element === undefined) this.#ended = true;
    if (!this.inOrder && (slot.element !== undefined || slot.failed)) this.#ahead.push(slot);
    this.#read();
  }

  #deliver(): void {
    while (this.#waiting.length > 0 && this.#ahead[0]?.isReady) {
      const { resolve, reject } = this.#waiting.shift()!;
      const { element, failed } = this.#ahead.shift()!;
      if (failed) reject(failed.reason);
      else resolve(element);
    }
    const isOver = this.pipeline.closed || (this.#ended && this.#pending === 0 && this.#ahead.length === 0);
    if (isOver) for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
  }
}
