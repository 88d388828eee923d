import { skip, type Element, type Pipeline, type Stage } from '../pipeline.js';

type Answer<T> = (element: Promise<Element<T> | undefined>) => void;

/**
 * Reads ahead: up to `count` elements are under way or ready before they are asked for, as long as the bytes ahead keep
 * within their bound. In order, or as they come.
 */
export class PrefetchStage<T> implements Stage<T> {
  readonly #ahead: Promise<Element<T> | undefined>[] = [];
  readonly #waiting: Answer<T>[] = [];
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
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
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
    while (this.#started && !this.#ended && !this.pipeline.closed && this.#mayRead()) {
      this.#pending++;
      const element = this.upstream.next();
      if (this.inOrder) this.#ahead.push(element);
      element.then(
        (found) => this.#arrived(element, found !== undefined, found === undefined),
        () => this.#arrived(element, true, true),
      );
      this.#hand();
    }
    this.#isReading = false;
  }

  /** What somebody waits for is read in any case; what is ahead, where there is room. */
  #mayRead(): boolean {
    if (this.#waiting.length > this.#pending) return true;
    if (Math.max(this.#ahead.length, this.#pending) >= this.count) return false;
    return [undefined, this.maxBytes].every((bound) => this.pipeline.hasRoom(this.#pending, bound, this.handles));
  }

  #arrived(element: Promise<Element<T> | undefined>, isElement: boolean, isEnd: boolean): void {
    this.#pending--;
    this.#ended ||= isEnd;
    if (!this.inOrder && isElement) this.#ahead.push(element);
    this.#read();
  }

  #hand(): void {
    while (this.#waiting.length > 0 && this.#ahead.length > 0) this.#waiting.shift()!(this.#ahead.shift()!);
    const isOver = this.pipeline.closed || (this.#ended && this.#pending === 0 && this.#ahead.length === 0);
    if (isOver) for (const answer of this.#waiting.splice(0)) answer(Promise.resolve(undefined));
  }
}
