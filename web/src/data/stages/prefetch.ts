import { skip, type Element, type Pipeline, type Stage } from '../pipeline.js';

/** However much may be read ahead: each request takes memory before it is answered, also behind the end. */
const kMaxPending = 1000;

/** An element that was asked for. */
interface Place<T> {
  isReady: boolean;
  element?: Element<T>;
  failed?: { reason: Error };
}

/** Whoever waits for an element. */
interface Asker<T> {
  readonly resolve: (element: Element<T> | undefined) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Reads ahead: up to `count` elements are under way or ready before they are asked for, as long as the bytes ahead keep
 * within their bound. In order, or as they come.
 */
export class PrefetchStage<T> implements Stage<T> {
  readonly #ahead: Place<T>[] = [];
  readonly #waiting: Asker<T>[] = [];
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
    // Stages tell of what they drop while they are being asked: a second question would overtake the first.
    if (this.#isReading) return;
    this.#isReading = true;
    this.#hand();
    while (this.#started && !this.#ended && !this.pipeline.closed && this.#mayRead()) this.#ask();
    this.#isReading = false;
  }

  #ask(): void {
    const place: Place<T> = { isReady: false };
    this.#pending++;
    if (this.inOrder) this.#ahead.push(place);
    this.upstream.next().then(
      (element) => {
        place.element = element;
        this.#arrived(place);
      },
      (reason: Error) => {
        place.failed = { reason };
        this.#arrived(place);
      },
    );
  }

  /** One element that somebody waits for is read in any case; more, and what is ahead, where there is room. */
  #mayRead(): boolean {
    if (this.#pending === 0 && this.#waiting.length > 0) return true;
    if (this.#pending >= kMaxPending) return false;
    const unclaimed = this.#ahead.length - this.#waiting.length;
    if (Math.max(unclaimed, this.#pending) >= this.count) return false;
    const { pipeline } = this;
    return pipeline.hasRoom(this.#pending, undefined, this.handles) && pipeline.hasRoom(this.#pending, this.maxBytes, this.handles);
  }

  #arrived(place: Place<T>): void {
    this.#pending--;
    place.isReady = true;
    if (place.element === undefined) this.#ended = true;
    if (!this.inOrder && (place.element !== undefined || place.failed)) this.#ahead.push(place);
    this.#read();
  }

  #hand(): void {
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
