import { stack } from '../../ops/movement/concat.js';
import { tensor } from '../../ops/movement/tensor_creation.js';
import { unstack } from '../../ops/movement/split.js';
import { Tensor } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';
import { canTensorify, deepZip, isIterable, mapTensors } from '../element.js';
import { dropNext, skip, type Element, type Pipeline, type Stage } from '../pipeline.js';
import { SerialStage } from './stage.js';

/**
 * Stage that combines `size` elements into one: numbers, arrays and tensors at the same position become a tensor with a
 * new first dimension.
 */
export class BatchStage extends SerialStage<unknown> {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage,
    private readonly size: number,
    private readonly smallLast: boolean,
  ) {
    super();
  }

  async skip(count: number): Promise<number> {
    const skipped = await skip(this.pipeline, this.upstream, count * this.size);
    return (this.smallLast ? Math.ceil : Math.floor)(skipped / this.size);
  }

  protected override async read(): Promise<Element | undefined> {
    const rows: Element[] = [];
    while (rows.length < this.size) {
      const element = await this.upstream.next();
      if (!element) break;
      rows.push(element);
    }
    if (this.pipeline.closed) return undefined;
    if (rows.length === 0 || (rows.length < this.size && !this.smallLast)) {
      for (const row of rows) this.pipeline.drop(row);
      return undefined;
    }
    return this.pipeline.map(rows, () =>
      deepZip(
        rows.map(({ value }) => value),
        batchColumn,
      ),
    );
  }
}

function batchColumn(rows: readonly unknown[]): { value: unknown } | 'children' {
  if (!canTensorify(rows[0])) return 'children';
  const other = rows.findIndex((row) => !canTensorify(row));
  if (other > 0)
    throw new Error(
      `elements must have the same structure: element ${other} holds values by name, and the first is one value`,
    );
  if (rows.some(holdsObjects)) {
    throw new Error('an array of objects cannot become a tensor: batch it as an object with integer keys');
  }
  if (rows[0] instanceof Tensor) return { value: stack(rows as Tensor[]) };
  // A text column may have empty cells, and cells that were parsed as numbers.
  const values = typeof rows[0] === 'string' ? rows.map(toText) : rows;
  return { value: tensor(values as TensorLike) };
}

function toText(cell: unknown): unknown {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : cell;
}

function holdsObjects(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => isIterable(one) && (!Array.isArray(one) || holdsObjects(one)));
}

/** Stage that splits elements along the first dimension of their tensors, as the inverse of BatchStage. */
export class UnbatchStage extends SerialStage<unknown> {
  readonly #ready: Element[] = [];

  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage,
  ) {
    super();
  }

  protected override async read(): Promise<Element | undefined> {
    while (this.#ready.length === 0) {
      const element = await this.upstream.next();
      if (!element || this.pipeline.closed) return undefined;
      const parts = this.pipeline.run(() => unstackElement(element));
      this.#ready.push(...parts.map((part) => this.pipeline.adopt(part)));
      this.pipeline.drop(element);
    }
    return this.pipeline.closed ? undefined : this.#ready.shift();
  }
}

function unstackElement({ value, tensors }: Element): unknown[] {
  const [count] = tensors[0]?.shape ?? [];
  if (count === undefined || tensors.some(({ shape }) => shape[0] !== count)) {
    const shapes = tensors.map(({ shape }) => `[${shape}]`).join(', ');
    throw new Error(`unbatch() expects tensors with the same first dimension, got ${shapes || 'no tensor'}`);
  }
  const lists = new Map<unknown, Tensor[]>(tensors.map((one) => [one, unstack(one)]));
  return Array.from({ length: count }, (_, i) => mapTensors(value, (tensor) => lists.get(tensor)![i]));
}

/**
 * Stage that groups `size` consecutive elements into arrays, each of which begins `shift` elements after the one
 * before.
 */
export class WindowStage<T> extends SerialStage<T[]> {
  #rows: Element<T>[] = [];
  #skip = 0;
  #ended = false;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly upstream: Stage<T>,
    private readonly size: number,
    private readonly shift: number,
    private readonly smallLast: boolean,
  ) {
    super();
  }

  async skip(count: number): Promise<number> {
    // Only building the windows shows whether the last one is complete.
    if (!this.smallLast) return dropNext(this.pipeline, this, count);
    return Math.ceil((await skip(this.pipeline, this.upstream, count * this.shift)) / this.shift);
  }

  protected override async read(): Promise<Element<T[]> | undefined> {
    while (!this.#ended && this.#rows.length < this.size) {
      const element = await this.upstream.next();
      if (!element) this.#ended = true;
      else if (this.#skip-- > 0) this.pipeline.drop(element);
      else this.#rows.push(element);
    }
    if (this.pipeline.closed) return undefined;
    if (this.#rows.length === 0 || (this.#rows.length < this.size && !this.smallLast)) {
      this.#drop(this.#rows.splice(0));
      return undefined;
    }
    const window = this.pipeline.share(this.#rows.map(({ value }) => value));
    this.#skip = Math.max(0, this.shift - this.#rows.length);
    this.#drop(this.#rows.splice(0, this.shift));
    return window;
  }

  #drop(rows: Element[]): void {
    for (const row of rows) this.pipeline.drop(row);
  }
}
