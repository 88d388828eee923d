import { raise, wasm } from '../runtime/runtime.js';
import { Holder } from './scope.js';
import { left } from '../runtime/scope_following.js';
import { Tensor, disposed } from '../tensor/tensor.js';

/**
 * Gives a tensor to a holder: the tensor itself or, where another holder has it or `shared` asks for it, a tensor of the
 * holder's own on the same bytes. Throws DisposedError.
 */
export function adopt(where: string, x: Tensor, shared = false): Tensor {
  if (x.isDisposed) throw disposed(where, x);
  const id = wasm._tn_adopt(x.id, shared ? 1 : 0);
  if (id === -1) raise();
  left(id);
  return id === x.id ? x : new Tensor(id, x.shape, x.dtype);
}

/** What holders of several tensors share: they free them once, and are of no use after. */
export abstract class Collection extends Holder {
  #disposed = false;

  /** @internal Fills a new holder; where that throws, nobody would be left to free it. */
  protected fill(put: () => void): void {
    try {
      put();
    } catch (error) {
      this.dispose();
      throw error;
    }
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
    if (this.#disposed) throw new Error(`[${where}] this holder is already disposed.`);
  }
}
