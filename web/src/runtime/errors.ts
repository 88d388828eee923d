import { ErrorCode } from '../generated/boundary.js';
import type { DataType } from './types.js';

/** Live tensors of one type and shape, and in a debug build of one site. */
export interface MemoryHolder {
  dtype: DataType;
  shape: number[];
  count: number;
  /** Of all of them together. */
  bytes: number;
  /** What made them, and where, in a debug build: " from add at app.ts:41:20". */
  site: string;
}

/**
 * A tensor was used after it was disposed.
 * @example
 * const x = tf.ones([2]);
 * x.dispose();
 * x.add(1); // throws DisposedError: [add]
 */
export class DisposedError extends Error {
  override name = 'DisposedError';
}

/**
 * The memory or the budget has no room for a tensor. Nothing of the call that failed is left, and work can go on.
 * @example
 * tf.setMemoryBudget(tf.memory().detail.heapUsed + 1e6);
 * let found;
 * try { tf.zeros([1e6]); } catch (error) { found = error; }
 * tf.setMemoryBudget(null);
 * found instanceof tf.OutOfMemoryError; // true
 */
export class OutOfMemoryError extends Error {
  override name = 'OutOfMemoryError';
  /** The tensors that were alive, those of one type and shape together, the largest first. */
  holders: MemoryHolder[] = [];
}

/**
 * A scope that was told to throw was closed over tensors that were neither returned nor adopted.
 * @example
 * const scope = tf.scope('frame', { onExit: 'throw' });
 * scope.run(() => tf.ones([2]));
 * scope.close(); // throws LeakError: scope 'frame' closed over 1 tensors (8 bytes)
 */
export class LeakError extends Error {
  override name = 'LeakError';
}

/**
 * A shape, rank or axis does not fit.
 * @example
 * tf.add([1, 2], [1, 2, 3]); // throws ShapeError: [add] Operands could not be broadcast together with shapes [2] and [3].
 */
export class ShapeError extends Error {
  override name = 'ShapeError';
}

/**
 * The GPU context was lost, and a tensor that lived there with it.
 * @example
 * new tf.ContextLostError('the GPU is gone').name; // 'ContextLostError'
 */
export class ContextLostError extends Error {
  override name = 'ContextLostError';
}

/**
 * The engine's wasm could not be had or made, or was not waited for.
 * @example
 * new tf.LoadError('tenure.wasm is not there').name; // 'LoadError'
 */
export class LoadError extends Error {
  override name = 'LoadError';
}

/**
 * The engine refuses all calls, as a time limit of node:vm or the end of JavaScript's stack cut an earlier call short while the
 * engine changed its own lists. Most cuts are repaired by the next call. After this error, go on in a new process, worker or page.
 * @example
 * new tf.InterruptedError('calls are refused').name; // 'InterruptedError'
 */
export class InterruptedError extends Error {
  override name = 'InterruptedError';
}

const kClasses: Partial<Record<ErrorCode, new (message: string) => Error>> = {
  [ErrorCode.disposed]: DisposedError,
  [ErrorCode.outOfMemory]: OutOfMemoryError,
  [ErrorCode.shape]: ShapeError,
  [ErrorCode.contextLost]: ContextLostError,
  [ErrorCode.interrupted]: InterruptedError,
};

/** The engine's last error as the JavaScript error that it stands for. */
export function errorOf(code: ErrorCode, message: string): Error {
  return new (kClasses[code] ?? Error)(message);
}
