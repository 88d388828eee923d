import { tidy } from '../owner/scope.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { raise, wasm } from '../runtime/runtime.js';
import { writeTensorIds } from '../tensor/scratch_ids.js';
import { takeResult } from '../tensor/create.js';
import { isTensor, Tensor } from '../tensor/tensor.js';
import { assert } from '../util/checks.js';

/** Function that saves tensors for the gradient, until the gradient has been computed. */
export type GradSaveFunc = (save: Tensor[]) => void;

/**
 * Function with a custom gradient: of the inputs and, last, of `save`, which saves tensors for the gradient. It returns its
 * value, and the function that computes the gradients of the inputs from that of the value and the saved tensors.
 */
export type CustomGradientFunc<T extends Tensor> = (...inputs: (Tensor | GradSaveFunc)[]) => {
  /** Value of the function. */
  value: T;
  /** Computes the gradient of each input, from that of the value and the tensors that `save` was called with. */
  gradFunc: (dy: T, saved: Tensor[]) => Tensor | Tensor[];
};

interface CustomGradient {
  gradFunc: (dy: Tensor, saved: Tensor[]) => Tensor | Tensor[];
  saved: Tensor[];
  inputs: number;
}

/** Gradients of custom functions by the number in the tapes, until the outermost gradient has been computed. */
const customGradients = new Map<number, CustomGradient>();
let lastNumber = 0;

const kMessage = 'The function f passed in customGrad(f) must return an object where ';

/**
 * Returns the function `f` with the gradient that it defines (see CustomGradientFunc) instead of that of its ops.
 * @example
 * const clipped = tf.customGrad((x) => ({ value: x.square(), gradFunc: (dy) => dy.mul(x.mul(2)).clipByValue(-1, 1) }));
 * tf.grad(clipped)(tf.tensor([0.1, 5])); // [0.2, 1]
 */
export function customGrad<T extends Tensor>(f: CustomGradientFunc<T>): (...args: Tensor[]) => T {
  assert(typeof f === 'function', () => 'The f passed in customGrad(f) must be a function.');
  return (...inputs) => {
    assert(
      inputs.every((x: unknown) => x instanceof Tensor),
      () => 'The args passed in customGrad(f)(x1, x2,...) must all be tensors',
    );
    return tidy(() => {
      const saved: Tensor[] = [];
      const { value, gradFunc } = runUnrecorded(() => f(...inputs, (tensors: Tensor[]) => void saved.push(...tensors)));
      assert(isTensor(value), () => `${kMessage}\`obj.value\` is a tensor`);
      assert(typeof gradFunc === 'function', () => `${kMessage}\`obj.gradFunc\` is a function.`);
      return record(value, inputs, {
        gradFunc: gradFunc as CustomGradient['gradFunc'],
        saved,
        inputs: inputs.length,
      }) as T;
    });
  };
}

/** Computes the gradients of the inputs of a custom function from that of its value. */
export function callGradient(number: number, dy: Tensor): Tensor[] {
  const { gradFunc, saved, inputs } = customGradients.get(number)!;
  const result = gradFunc(dy, saved);
  const list = Array.isArray(result) ? result : [result];
  assert(
    list.length === inputs,
    () =>
      `${kMessage}\`obj.gradFunc\` is a function that returns the same number of tensors as inputs passed to f(...).`,
  );
  assert(
    list.every((one: unknown) => one instanceof Tensor),
    () => `${kMessage}\`obj.gradFunc\` is a function that returns a list of only tensors.`,
  );
  return list;
}

/** Drops the recorded custom gradients and frees the tensors that they saved. */
export function dropCustomGradients(): void {
  for (const { saved } of customGradients.values()) for (const tensor of saved) tensor.dispose();
  customGradients.clear();
}

/** Runs `body` without recording it on the open tapes. */
function runUnrecorded<R>(body: () => R): R {
  const paused = wasm._tn_pause_tapes();
  try {
    return body();
  } finally {
    wasm._tn_resume_tapes(paused);
  }
}

function record(value: Tensor, inputs: readonly Tensor[], custom: CustomGradient): Tensor {
  for (const tensor of [value, ...inputs, ...custom.saved]) tensor.throwIfDisposed();
  writeTensorIds(0, inputs);
  syncCurrentScope();
  const number = ++lastNumber;
  const status = wasm._tn_record_custom(number, inputs.length, value.id);
  if (status === -1) raise();
  const result = takeResult();
  if (status === 1) customGradients.set(number, { ...custom, saved: custom.saved.map(retainCopy) });
  return result;
}

/** Returns a new tensor, owned by no scope, with the value of another. */
function retainCopy(tensor: Tensor): Tensor {
  const id = wasm._tn_adopt(tensor.id, 1);
  if (id === -1) raise();
  return new Tensor(id, tensor.shape, tensor.dtype);
}
