import { raise, wasm } from '../runtime/runtime.js';
import { Holder } from './scope.js';
import { follow } from '../runtime/scope_following.js';
import { kindOf } from '../tensor/input.js';
import { Tensor, disposed } from '../tensor/tensor.js';

/**
 * Gives a tensor to a holder: the tensor itself or, where another holder has it or `shared` asks for it, a tensor of the
 * holder's own on the same bytes. Throws DisposedError.
 */
export function adopt(where: string, x: Tensor, shared = false): Tensor {
  follow();
  assertLive(where, x);
  const id = wasm._tn_adopt(x.id, shared ? 1 : 0);
  if (id === -1) raise();
  return id === x.id ? x : new Tensor(id, x.shape, x.dtype);
}

/** Throws unless it is a tensor, and alive. */
export function assertLive(where: string, x: unknown): asserts x is Tensor {
  if (!(x instanceof Tensor)) {
    throw new Error(`Argument 'x' passed to '${where}' must be a Tensor, but got ${kindOf(x)}`);
  }
  if (x.isDisposed) throw disposed(where, x as Tensor);
}

/** Throws unless all of them can be adopted, so that a new holder takes all or none. */
export function assertAdoptable(where: string, tensors: readonly unknown[]): void {
  for (const x of tensors) assertLive(where, x);
  if (wasm._tn_reserve(tensors.length) === -1) raise();
}

/** What holders of several tensors share: they free them once, and are of no use after. */
export abstract class Collection extends Holder {
  #disposed = false;

  /** `kind` is what messages call it: names of classes are gone where a bundler minifies. */
  constructor(private readonly kind: string) {
    super();
  }

  /** True once it was disposed. */
  get isDisposed(): boolean {
    return this.#disposed;
  }
  /** Frees everything that it owns. A second time does nothing. */
  dispose(): void {
    if (this.#disposed) return;
    this.clear();
    this.#disposed = true;
  }
  override [Symbol.dispose](): void {
    this.dispose();
  }
  /** Frees everything that it owns, and goes on empty. */
  abstract clear(): void;

  /** @internal */
  protected assertAlive(where: string): void {
    if (this.#disposed) throw new Error(`[${where}] this ${this.kind} is already disposed.`);
  }
}
