import { Scope } from '../../owner/scope_object.js';
import { tensorsIn } from '../../owner/scope.js';
import { bytesOf, mapTensors, withOwnArrays } from '../element.js';
import type { Element, Pipeline, Stage } from '../pipeline.js';
import { ArraySource } from './source.js';
import { SerialStage } from './stage.js';

/** The elements of one whole pass, owned for all that follow. */
export class Cache<T> {
  #scope: Scope | undefined;
  #values: T[] | undefined;
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** A pass: over what is kept, or over the dataset, keeping what it gives. */
  async open(pipeline: Pipeline, source: () => Promise<Stage<T>>): Promise<Stage<T>> {
    if (this.#values) return new ArraySource(pipeline, this.#values);
    return new KeepingStage(pipeline, await source(), this);
  }

  /** Keeps handles of its own on what a pass gives. Throws where there are more bytes than allowed. */
  copyOf(value: T, scope: Scope, bytes: number): T {
    const tensors = tensorsIn(value);
    const all = bytes + bytesOf(tensors);
    if (all > this.maxBytes) throw new Error(`[cache] the elements need more than the ${this.maxBytes} bytes allowed`);
    if (tensors.length === 0) return value;
    return scope.run(() => mapTensors(value, (tensor) => tensor.clone()));
  }

  /** The first pass that came to its end is kept; what another one has collected meanwhile is freed. */
  keep(values: T[], scope: Scope, bytes: number): void {
    if (this.#values) {
      scope.close();
      return;
    }
    this.#values = values;
    this.#scope = scope;
    this.#bytes = bytes;
  }

  /** Bytes of the tensors that are kept. */
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

class KeepingStage<T> extends SerialStage<T> {
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
      const value = this.pipeline.sendsAway ? withOwnArrays(element.value) : element.value;
      this.#values.push(this.cache.copyOf(value, this.#scope, this.#bytes));
      this.#bytes += element.bytes;
    }
    if (element || this.#ended || this.#scope.closed) return element;
    this.#ended = true;
    this.cache.keep(this.#values, this.#scope, this.#bytes);
    return undefined;
  }
}
