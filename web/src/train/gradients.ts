import { runInInternalScope, tidy } from '../owner/scope.js';
import { syncCurrentScope, onStaleFrames } from '../runtime/async_scope_tracking.js';
import { kIdWords, raise, scratch, wasm } from '../runtime/runtime.js';
import { writeTensorIds } from '../tensor/scratch_ids.js';
import type { TensorLike } from '../runtime/types.js';
import { takeResult } from '../tensor/create.js';
import { toInput, toInputs, type Input } from '../tensor/input.js';
import { isTensor, Tensor, type NamedTensorMap, type Scalar } from '../tensor/tensor.js';
import { assert, assertShapesMatch } from '../util/checks.js';
import { callGradient, dropCustomGradients } from './custom_grad.js';
import { Variable, registeredVariables } from './variable.js';

type TensorOrLike = Tensor | TensorLike;

const kDisconnected = `Cannot compute gradient of y=f(x) with respect to x. Make sure that
    the f you passed encloses all operations that lead from x to y.`;

let depth = 0;

// A time limit or a stack overflow that ended gradients() has left its tapes open.
onStaleFrames(() => {
  wasm._tn_resume_tapes(0);
  wasm._tn_drop_tape(0);
  depth = 0;
  dropCustomGradients();
});

/** True while gradients are being computed. */
export function isTapeOn(): boolean {
  return depth > 0;
}

/**
 * Returns a function of x that computes the gradient of f(x) with respect to x. Its argument `dy` weights the elements of f(x);
 * they are summed without it. Throws if f(x) does not depend on x.
 * @example
 * const slope = tf.grad((x) => x.square());
 * slope(tf.tensor([1, 2, 3])); // [2, 4, 6]
 * tf.grad(slope)(tf.scalar(5)); // 2: gradients of gradients
 */
export function grad(f: (x: Tensor) => Tensor): (x: TensorOrLike, dy?: TensorOrLike) => Tensor {
  assert(typeof f === 'function', () => 'The f passed in grad(f) must be a function');
  return (x, dy) => {
    const input = toInput(x, 'x', 'tf.grad', 'string_or_numeric');
    const weights = given(dy, 'tf.grad');
    return tidy(() => {
      const words = 'The shape of dy passed in grad(f)(x, dy) must match the shape returned by f(x)';
      const result = gradients((xs) => f(xs[0]!), [inputToTensor(input)], weights, words);
      return requireGradients(result.grads)[0]!;
    });
  };
}

/**
 * Returns a function of an array of tensors that computes the gradient of f, a function of these tensors, with respect to each.
 * Its argument `dy` weights the elements of the value; they are summed without it. Throws if the value does not depend on one.
 * @example
 * const [da, db] = tf.grads((a, b) => a.mul(b))([tf.scalar(2), tf.scalar(3)]); // [3, 2]
 */
export function grads(f: (...args: Tensor[]) => Tensor): (args: TensorOrLike[], dy?: TensorOrLike) => Tensor[] {
  assert(typeof f === 'function', () => 'The f passed in grads(f) must be a function');
  return (args, dy) => {
    assert(
      Array.isArray(args),
      () => 'The args passed in grads(f)(args) must be an array of `Tensor`s or `TensorLike`s',
    );
    const inputs = toInputs(args, 'args', 'tf.grads', 'string_or_numeric');
    const weights = given(dy, 'tf.grads');
    return tidy(() => {
      const words = 'The shape of dy passed in grads(f)([x1,...], dy) must match the shape returned by f([x1,...])';
      return requireGradients(gradients((xs) => f(...xs), inputs.map(inputToTensor), weights, words).grads);
    });
  };
}

/**
 * Returns a function of x that computes f(x) and its gradient with respect to x, as grad() does.
 * @example
 * const { value, grad } = tf.valueAndGrad((x) => x.square())(tf.scalar(3)); // { value: 9, grad: 6 }
 */
export function valueAndGrad<I extends Tensor, O extends Tensor>(
  f: (x: I) => O,
): (
  x: I,
  dy?: O,
) => {
  /** Value of f. */
  value: O;
  /** Gradient of the value with respect to x. */
  grad: I;
} {
  assert(typeof f === 'function', () => 'The f passed in valueAndGrad(f) must be a function');
  return (x, dy) => {
    assert(isTensor(x), () => 'The x passed in valueAndGrad(f)(x) must be a tensor');
    assert(isMissing(dy) || isTensor(dy), () => 'The dy passed in valueAndGrad(f)(x, dy) must be a tensor');
    return tidy(() => {
      const words = 'The shape of dy passed in valueAndGrad(f)(x, dy) must match the shape returned by f(x)';
      const { value, grads: all } = gradients((xs) => f(xs[0] as I), [x], dy, words);
      return { grad: requireGradients(all)[0] as I, value: value as O };
    });
  };
}

/**
 * Returns a function of an array of tensors that computes the value of f and its gradients, as grads() does.
 * @example
 * const { value, grads } = tf.valueAndGrads((a, b) => a.mul(b))([tf.scalar(2), tf.scalar(3)]);
 * value; // 6
 * grads; // [3, 2]
 */
export function valueAndGrads<O extends Tensor>(
  f: (...args: Tensor[]) => O,
): (
  args: Tensor[],
  dy?: O,
) => {
  /** Gradient of the value with respect to each argument. */
  grads: Tensor[];
  /** Value of f. */
  value: O;
} {
  assert(typeof f === 'function', () => 'The f passed in valueAndGrads(f) must be a function');
  return (args, dy) => {
    assert(
      Array.isArray(args) && args.every((arg: unknown) => arg instanceof Tensor),
      () => 'The args passed in valueAndGrads(f)(args) must be array of tensors',
    );
    assert(isMissing(dy) || isTensor(dy), () => 'The dy passed in valueAndGrads(f)(args, dy) must be a tensor');
    return tidy(() => {
      const words =
        'The shape of dy passed in valueAndGrads(f)([x1,...], dy) must match the shape returned by f([x1,...])';
      const { value, grads: all } = gradients((xs) => f(...xs), args, dy, words);
      return { grads: requireGradients(all), value: value as O };
    });
  };
}

/** Throws, with TensorFlow.js's message, if none of the variables is trainable. */
export function checkSomeTrain(trainable: number, all: number): void {
  assert(
    trainable > 0,
    () =>
      `variableGrads() expects at least one of the input variables to be trainable, ` +
      `but none of the ${all} variables is trainable.`,
  );
}

/**
 * Returns the value of f(), a scalar, and its gradients with respect to variables by name: those of `varList`, or all trainable
 * ones. A variable that f() does not use has no gradient; one of `varList` that is not trainable has null. Throws if f() uses
 * none of the variables, or none is trainable.
 * @example
 * const w = tf.variable(tf.scalar(3), true, 'w');
 * const { value, grads } = tf.variableGrads(() => w.square());
 * value; // 9
 * grads; // { w: 6 }
 * w.dispose();
 */
export function variableGrads(
  f: () => Scalar,
  varList?: Variable[],
): {
  /** Value of f. */
  value: Scalar;
  /** Gradients by the names of the variables. */
  grads: NamedTensorMap;
} {
  assert(typeof f === 'function', () => 'The f passed in variableGrads(f) must be a function');
  assert(
    isMissing(varList) || (Array.isArray(varList) && varList.every((v: unknown) => v instanceof Variable)),
    () => 'The varList passed in variableGrads(f, varList) must be an array of variables',
  );
  const list = varList ?? Object.values(registeredVariables);
  const trainable = list.filter((v) => v.trainable);
  checkSomeTrain(trainable.length, list.length);
  return tidy(() => {
    const { value, grads: all } = gradients(() => f(), trainable, undefined, '', true);
    assert(
      all.some((one) => one !== undefined),
      () =>
        'Cannot find a connection between any variable and the result of the loss function y=f(x). Please make sure ' +
        'the operations that use variables are inside the function f passed to minimize().',
    );
    assert(
      value.rank === 0,
      () => `The f passed in variableGrads(f) must return a scalar, but it returned a rank-${value.rank} tensor`,
    );
    const named: Record<string, Tensor | null> = {};
    for (const [i, { name }] of trainable.entries()) if (all[i]) named[name] = all[i];
    if (varList) for (const { name, trainable: counts } of varList) if (!counts) named[name] = null;
    return { value: value as Scalar, grads: named as NamedTensorMap };
  });
}

/**
 * Returns the value of f, and its gradient with respect to each of xs: undefined if the value does not depend on it. To be
 * called inside a tidy().
 */
function gradients(
  f: (xs: Tensor[]) => Tensor,
  xs: Tensor[],
  dy: Input | undefined,
  words: string,
  mayFindNone = false,
): { value: Tensor; grads: (Tensor | undefined)[] } {
  assert(xs.length > 0, () => 'gradients() received an empty list of xs.');
  if (dy && dy.dtype !== 'float32') throw new Error(`dy must have 'float32' dtype, but has '${dy.dtype}'`);
  const tape = openTape(xs);
  depth++;
  try {
    let value: Tensor;
    try {
      value = f(xs);
    } finally {
      wasm._tn_close_tape(tape);
    }
    assert(isTensor(value), () => 'The result y returned by f() must be a tensor.');
    const isRecorded = wasm._tn_is_recorded(tape, value.id);
    if (isRecorded === -1) raise();
    if (isRecorded === 0 && !mayFindNone) throw new Error(kDisconnected);
    if (dy) assertShapesMatch(value.shape, dy.shape, words);
    // In a separate scope, as f may have closed the enclosing ones.
    const all = runInInternalScope(() => {
      runBackward(tape, value, dy && inputToTensor(dy));
      return xs.map((_, i) => takeGradient(tape, i));
    });
    return { value, grads: all };
  } finally {
    wasm._tn_drop_tape(tape);
    if (--depth === 0) dropCustomGradients();
  }
}

function openTape(xs: Tensor[]): number {
  for (const x of xs) x.throwIfDisposed();
  writeIds(xs);
  const tape = wasm._tn_open_tape(xs.length);
  if (tape === -1) raise();
  return tape;
}

function runBackward(tape: number, value: Tensor, dy: Tensor | undefined): void {
  syncCurrentScope();
  let custom = wasm._tn_walk_back(tape, value.id, dy?.id ?? 0);
  while (custom > 0) {
    const results = callGradient(custom, takeResult());
    writeIds(results);
    syncCurrentScope();
    custom = wasm._tn_supply(tape, results.length);
  }
  if (custom === -1) raise();
}

function takeGradient(tape: number, i: number): Tensor | undefined {
  const status = wasm._tn_gradient(tape, i);
  if (status === -1) raise();
  return status === 1 ? takeResult() : undefined;
}

function writeIds(tensors: readonly Tensor[]): void {
  assert(kIdWords * tensors.length <= scratch().length, () => `too many tensors: ${tensors.length}`);
  writeTensorIds(0, tensors);
}

function given(dy: TensorOrLike | undefined | null, name: string): Input | undefined {
  return isMissing(dy) ? undefined : toInput(dy!, 'dy', name);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function inputToTensor(input: Input): Tensor {
  return input instanceof Tensor ? input : input.toTensor();
}

function requireGradients(all: (Tensor | undefined)[]): Tensor[] {
  if (all.includes(undefined)) throw new Error(kDisconnected);
  return all as Tensor[];
}
