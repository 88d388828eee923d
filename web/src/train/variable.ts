import { runInInternalScope, dispose } from '../owner/scope.js';
import { raise, wasm } from '../runtime/runtime.js';
import { Tensor, disposed } from '../tensor/tensor.js';
import type { Rank } from '../runtime/types.js';
import { type DataType, type TensorLike } from '../runtime/types.js';
import { arraysEqual } from '../util/checks.js';
import { callUnary } from '../ops/call.js';
import { Op } from '../generated/ops.js';
import { asTensor, toInput } from '../tensor/input.js';
import { cast } from '../ops/math/cast.js';

/** All variables that are not disposed, by name. */
export const registeredVariables: Record<string, Variable> = {};

let nextName = 0;

/** Observer that is notified when a variable is disposed, to free what it keeps for the variable. */
export interface VariableObserver {
  variableDisposed(variable: Variable): void;
}

/**
 * Tensor whose value can be replaced. No scope frees it: its creator owns it and has to dispose it.
 * @example
 * const counter = tf.tidy(() => tf.variable(tf.scalar(0))); // no scope frees it
 * tf.tidy(() => counter.assign(counter.add(1)));
 * counter; // 1
 * counter.trainable; // true
 * counter.dispose();
 */
export class Variable<R extends Rank = Rank> extends Tensor<R> {
  #observers: Set<VariableObserver> | undefined;

  /** @internal */
  constructor(
    value: Tensor,
    public trainable: boolean,
    readonly name: string,
  ) {
    super(value.id, value.shape, value.dtype);
    wasm._tn_hold(value.id);
    registeredVariables[name] = this;
  }

  /** Replaces the value by one of the same shape and dtype. Throws if they differ, and DisposedError if either is disposed. */
  assign(newValue: Tensor<R>): void {
    for (const tensor of [this, newValue]) {
      if (tensor.isDisposed) throw disposed('assign', tensor);
    }
    if (newValue.dtype !== this.dtype) {
      throw new Error(`dtype of the new value (${newValue.dtype}) and previous value (${this.dtype}) must match`);
    }
    if (!arraysEqual(newValue.shape, this.shape)) {
      throw new Error(`shape of the new value (${newValue.shape}) and previous value (${this.shape}) must match`);
    }
    if (wasm._tn_assign(this.id, newValue.id) === -1) raise();
  }

  override dispose(): void {
    super.dispose();
    if (registeredVariables[this.name] === (this as Variable)) delete registeredVariables[this.name];
    const observers = this.#observers;
    this.#observers = undefined;
    for (const observer of observers ?? []) observer.variableDisposed(this);
  }

  /** @internal Adds an observer, which is notified once when the variable is disposed. */
  addObserver(observer: VariableObserver): void {
    (this.#observers ??= new Set()).add(observer);
  }
  /** @internal */
  removeObserver(observer: VariableObserver): void {
    this.#observers?.delete(observer);
  }
}

/**
 * Creates a variable with the value of a tensor. The caller owns it. Throws if another variable has the name.
 * @param initialValue Initial value.
 * @param trainable True if optimizers update the variable by default.
 * @param name Name: a number by default.
 * @param dtype Type to which the value is cast: that of the value by default.
 * @example
 * const w = tf.variable(tf.zeros([2]));
 * w.assign(tf.tensor([1, 2]));
 * w; // [1, 2]
 * w.dispose(); // no scope frees it
 */
export function variable<R extends Rank>(
  initialValue: Tensor<R> | TensorLike,
  trainable = true,
  name?: string,
  dtype?: DataType,
): Variable<R> {
  const initial = toInput(initialValue, 'initialValue', 'variable', 'string_or_numeric');
  const unique = name ?? String(nextName++);
  if (registeredVariables[unique]) throw new Error(`Variable with name ${unique} was already registered`);
  return runInInternalScope(() => {
    const typed = dtype && dtype !== initial.dtype ? cast(asTensor(initial), dtype) : initial;
    return new Variable<R>(callUnary(Op.identity, typed), trainable, unique);
  });
}

/** Adds the method `variable()` to tensors. */
export function installVariable(): void {
  Tensor.prototype.variable = function (this: Tensor, ...options: [boolean?, string?, DataType?]) {
    return variable(this, ...options);
  };
}

/**
 * Frees all variables.
 * @example
 * const w = tf.variable(tf.zeros([2]));
 * tf.disposeVariables();
 * w.isDisposed; // true
 */
export function disposeVariables(): void {
  dispose(Object.values(registeredVariables));
}
