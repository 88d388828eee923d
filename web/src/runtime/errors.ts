import { ErrorCode } from '../generated/boundary.js';
import type { DataType } from './types.js';

/** A group of live tensors of one type and shape and, in a debug build, of one call site. */
export interface TensorGroup {
  /** Element type of each tensor. */
  dtype: DataType;
  /** Shape of each tensor. */
  shape: number[];
  /** Number of tensors in the group. */
  count: number;
  /** Bytes of all tensors in the group. */
  bytes: number;
  /** The op and the call site in a debug build: " from add at app.ts:41:20". Empty in a release build. */
  site: string;
}

/**
 * The former name of `TensorGroup`.
 * @deprecated Use `TensorGroup`.
 */
export type MemoryHolder = TensorGroup;

/**
 * Error thrown when a tensor is used after it was disposed.
 * @example
 * const x = tf.ones([2]);
 * x.dispose();
 * x.add(1); // throws DisposedError: [add]
 */
export class DisposedError extends Error {
  override name = 'DisposedError';
}

/**
 * Error thrown when the memory or the budget has no room for a tensor. The failed call leaves nothing allocated, and the
 * engine stays usable.
 * @example
 * tf.setMemoryBudget(tf.memory().detail.heapUsed + 1e6);
 * let found;
 * try { tf.zeros([1e6]); } catch (error) { found = error; }
 * tf.setMemoryBudget(null);
 * found instanceof tf.OutOfMemoryError; // true
 */
export class OutOfMemoryError extends Error {
  override name = 'OutOfMemoryError';
  /** The tensors that were alive, grouped by type and shape, the group with the most bytes first. */
  largestTensors: TensorGroup[] = [];

  /**
   * The former name of `largestTensors`.
   * @deprecated Use `largestTensors`.
   */
  get holders(): TensorGroup[] {
    return this.largestTensors;
  }
}

/**
 * Error thrown when a scope with `onExit: 'throw'` closes with tensors still alive that were neither returned nor adopted, and
 * when expectNoLeaks() finds a leak.
 * @example
 * const scope = tf.scope('frame', { onExit: 'throw' });
 * scope.run(() => tf.ones([2]));
 * scope.close(); // throws LeakError: scope 'frame' closed with 1 tensor still alive (8 bytes)
 */
export class LeakError extends Error {
  override name = 'LeakError';
}

/**
 * Error thrown when a shape, rank or axis is invalid for an op.
 * @example
 * tf.add([1, 2], [1, 2, 3]); // throws ShapeError: [add] Operands could not be broadcast together with shapes [2] and [3].
 */
export class ShapeError extends Error {
  override name = 'ShapeError';
}

/**
 * Error thrown when the WebGL context or the WebGPU device was lost, and with it the data of a tensor.
 * @example
 * new tf.ContextLostError('the GPU is gone').name; // 'ContextLostError'
 */
export class ContextLostError extends Error {
  override name = 'ContextLostError';
}

/**
 * Error thrown when the engine's wasm cannot be loaded or instantiated, and when an op runs before it is loaded.
 * @example
 * new tf.LoadError('tenure.wasm is not there').name; // 'LoadError'
 */
export class LoadError extends Error {
  override name = 'LoadError';
}

/**
 * Error thrown by all calls after an earlier call was interrupted while the engine changed its internal state: by a time limit
 * of node:vm or a stack overflow. Other interruptions are repaired by the next call. After this error, use a new process, worker
 * or page.
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

/** Returns the JavaScript error for an error code of the engine and its message. */
export function createError(code: ErrorCode, message: string): Error {
  return new (kClasses[code] ?? Error)(message);
}

/** Returns the message of what was thrown. */
export function getErrorMessage(error: unknown): string {
  return (error as Error).message;
}
