import { Scope } from '../../owner/scope_object.js';
import { tensorsIn } from '../../owner/scope.js';
import { totalBytes, mapTensors, copyTypedArrays } from '../element.js';
import type { Element, Pipeline, Stage } from '../pipeline.js';
import { ArraySource } from './source.js';
import { SerialStage } from './stage.js';

/** The elements of one complete pass, retained for later passes. */
export class Cache<T> {
  #scope: Scope | undefined;
  #values: T[] | undefined;
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Opens a pass: over the cached elements, or over the dataset, whose elements it collects. */
  async open(pipeline: Pipeline, source: () => Promise<Stage<T>>): Promise<Stage<T>> {
    if (this.#values) return new ArraySource(pipeline, this.#values);
    return new CachingStage(pipeline, await source(), this);
  }

  /**
   * Returns a copy of a value, with clones of its tensors in a scope. Throws if the cache would exceed its maximum
   * size.
   * @param value Value of an element.
   * @param scope The scope that owns the clones.
   * @param bytes Bytes that the pass has collected so far.
   */
  cloneValue(value: T, scope: Scope, bytes: number): T {
    const tensors = tensorsIn(value);
    const all = bytes + totalBytes(tensors);
    if (all > this.maxBytes) throw new Error(`[cache] the elements need more than the ${this.maxBytes} bytes allowed`);
    if (tensors.length === 0) return value;
    return scope.run(() => mapTensors(value, (tensor) => tensor.clone()));
  }

  /** Retains the elements of the first pass that completes. Frees those that any other pass has collected meanwhile. */
  keep(values: T[], scope: Scope, bytes: number): void {
    if (this.#values) {
      scope.close();
      return;
    }
    this.#values = values;
    this.#scope = scope;
    this.#bytes = bytes;
  }

  /** Bytes of the cached tensors. */
  get bytes(): number {
    return this.#bytes;
  }

  dispose(): void {
    this.#scope?.close();
    this.#scope = undefined;
    this.#values = undefined;
    this.#bytes = 0;
  }
}

class CachingStage<T> extends SerialStage<T> {
  readonly #scope = new Scope(0, 'cache');
  readonly #values: T[] = [];
  #bytes = 0;
  #ended = false;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly cache: Cache<T>,
  ) {
    super();
    pipeline.onClose(() => {
      if (!this.#ended) this.#scope.close();
    });
  }

  protected override async read(): Promise<Element<T> | undefined> {
    const element = this.#ended ? undefined : await this.upstream.next();
    if (element && !this.#scope.closed) {
      const value = this.pipeline.transfersBuffers ? copyTypedArrays(element.value) : element.value;
      this.#values.push(this.cache.cloneValue(value, this.#scope, this.#bytes));
      this.#bytes += element.bytes;
    }
    if (element || this.#ended || this.#scope.closed) return element;
    this.#ended = true;
    this.cache.keep(this.#values, this.#scope, this.#bytes);
    return undefined;
  }
}
