import { raise, wasm } from '../runtime/runtime.js';
import { Holder } from './scope.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { describeType } from '../tensor/input.js';
import { Tensor, disposed } from '../tensor/tensor.js';

/**
 * Transfers a tensor to a holder and returns what the holder owns: the tensor itself or, if another holder owns it or `shared` is
 * true, a new tensor on the same buffer. Throws DisposedError. Errors name the function `where`.
 */
export function adopt(where: string, x: Tensor, shared = false): Tensor {
  syncCurrentScope();
  assertLive(where, x);
  const id = wasm._tn_adopt(x.id, shared ? 1 : 0);
  if (id === -1) raise();
  return id === x.id ? x : new Tensor(id, x.shape, x.dtype);
}

/** Throws unless `x` is a tensor, and DisposedError if it is disposed. Errors name the function `where`. */
export function assertLive(where: string, x: unknown): asserts x is Tensor {
  if (!(x instanceof Tensor)) {
    throw new Error(`Argument 'x' passed to '${where}' must be a Tensor, but got ${describeType(x)}`);
  }
  if (x.isDisposed) throw disposed(where, x as Tensor);
}

/** Throws unless all tensors can be adopted, and reserves room for them, so that a new holder takes all or none. */
export function assertAdoptable(where: string, tensors: readonly unknown[]): void {
  for (const x of tensors) assertLive(where, x);
  if (wasm._tn_reserve(tensors.length) === -1) raise();
}

/** Base class of holders of several tensors. A holder cannot be used after dispose(). */
export abstract class Collection extends Holder {
  #disposed = false;

  /** `kind` is the class name for messages, because minifiers rename classes. */
  constructor(private readonly kind: string) {
    super();
  }

  /** True once it was disposed. */
  get isDisposed(): boolean {
    return this.#disposed;
  }
  /** Frees all tensors that it owns. A second call does nothing. */
  dispose(): void {
    if (this.#disposed) return;
    this.clear();
    this.#disposed = true;
  }
  override [Symbol.dispose](): void {
    this.dispose();
  }
  /** Frees all tensors that it owns, and leaves it empty and usable. */
  abstract clear(): void;

  /** @internal */
  protected assertAlive(where: string): void {
    if (this.#disposed) throw new Error(`[${where}] this ${this.kind} is already disposed.`);
  }
}
