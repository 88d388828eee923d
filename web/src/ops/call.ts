import { beginOp, setCurrentOp, startsCapture } from '../debug/ledger.js';
import { DisposedError } from '../runtime/errors.js';
import { Op, opInputs, opNames } from '../generated/ops.js';
import { checkDtype, toInput, type ExpectedDType, type TensorOrLike, type Input } from '../tensor/input.js';
import { lastError, wasm } from '../runtime/runtime.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { createTensor, takeResult, takeResults } from '../tensor/create.js';
import { writeTensorIds } from '../tensor/scratch_ids.js';
import { Tensor, describeTensor } from '../tensor/tensor.js';

/** Function that writes attributes to the scratch words from `at`, and returns the number of words. */
export type Writer<A> = (at: number, attrs: A) => number;

interface Argument {
  readonly name: string;
  readonly expected?: ExpectedDType;
}

const signatures: Argument[][] = [];

/** Returns name and types of an op's i-th input, as its row in ops.def declares them. */
function argument(op: Op, i: number): Argument {
  const signature = (signatures[op] ??= opInputs[op]!.split(' ').map((words) => {
    const [name, expected] = words.split(':');
    return { name: name!, expected: expected as ExpectedDType };
  }));
  const { name, expected } = signature[Math.min(i, signature.length - 1)]!;
  return { name: name.replace('...', () => `[${i - signature.length + 1}]`), expected };
}

/** Sentinel for an optional input that is not given. */
export const kOmitted = Symbol('missing input');
type Inputs = readonly (TensorOrLike | typeof kOmitted)[];

// The functions below return the type that their caller declares: the rank of a result follows from the op, which types do not know.

/** Runs an op of one input without attributes. */
export function callUnary<T extends Tensor = Tensor>(op: Op, x: TensorOrLike): T {
  if (!(x instanceof Tensor)) return call(op, [x]);
  syncCurrentScope();
  if (__DEBUG__) beginOp(opNames[op]!, startsCapture() ? new Error() : undefined);
  if (wasm._tn_unary(op, x.id, 0) === -1) throwCallError(op, [x]);
  return takeResult();
}

/** Runs an op of two inputs without attributes. */
export function callBinary<T extends Tensor = Tensor>(op: Op, a: TensorOrLike, b: TensorOrLike): T {
  if (!(a instanceof Tensor && b instanceof Tensor)) {
    // The logical ops, which come last, take no numbers.
    return a instanceof Tensor && typeof b === 'number' && op < Op.logicalAnd
      ? callWithNumber(op, a, b)
      : call(op, [a, b]);
  }
  syncCurrentScope();
  if (__DEBUG__) beginOp(opNames[op]!, startsCapture() ? new Error() : undefined);
  if (wasm._tn_binary(op, a.id, b.id) === -1) throwCallError(op, [a, b]);
  return takeResult();
}

/** Runs a binary op of a tensor and a number without the arrays of callAll(): x.mul(2) is a common case. */
function callWithNumber<T extends Tensor>(op: Op, a: Tensor, b: number): T {
  const scalar = createTensor(b, [], 'float32');
  if (__DEBUG__) beginOp(opNames[op]!, startsCapture() ? new Error() : undefined);
  const status = wasm._tn_binary(op, a.id, scalar.id);
  scalar.dispose();
  if (status === -1) throwCallError(op, [a, scalar]);
  return takeResult();
}

/** Runs an op of one input with attributes. */
export function callWithAttrs<A, T extends Tensor = Tensor>(op: Op, x: TensorOrLike, write: Writer<A>, attrs: A): T {
  if (!(x instanceof Tensor)) return call(op, [x], write, attrs);
  syncCurrentScope();
  const attrWords = write(0, attrs);
  if (__DEBUG__) beginOp(opNames[op]!, startsCapture() ? new Error() : undefined);
  if (wasm._tn_unary(op, x.id, attrWords) === -1) throwCallError(op, [x]);
  return takeResult();
}

/** Runs any op and returns its first result. */
export function call<A, T extends Tensor = Tensor>(op: Op, given: Inputs, write?: Writer<A>, attrs?: A): T {
  return callAll<A, T>(op, given, write, attrs)[0]!;
}

/** Runs any op on inputs that toInput() has checked, and returns its first result. */
export function callWithInputs<A, T extends Tensor = Tensor>(
  op: Op,
  inputs: readonly Input[],
  write: Writer<A>,
  attrs: A,
): T {
  return runOnInputs<A, T>(op, inputs, write, attrs)[0]!;
}

/** Runs any op and returns its results. */
export function callAll<A, T extends Tensor = Tensor>(op: Op, given: Inputs, write?: Writer<A>, attrs?: A): T[] {
  const inputs = given.map((x, i) => {
    if (x === kOmitted) return undefined;
    const { name, expected } = argument(op, i);
    return toInput(x, name, opNames[op]!, expected);
  });
  return runOnInputs(op, inputs, write, attrs);
}

/** Runs any op. Tensors of literals are freed at the end, also if it throws. */
function runOnInputs<A, T extends Tensor>(
  op: Op,
  inputs: readonly (Input | undefined)[],
  write?: Writer<A>,
  attrs?: A,
): T[] {
  syncCurrentScope();
  const made: Tensor[] = [];
  try {
    const tensors = inputs.map((input) => (input === undefined ? undefined : inputToTensor(input, made)));
    const at = writeTensorIds(0, tensors);
    const attrWords = write ? write(at, attrs!) : 0;
    if (__DEBUG__) beginOp(opNames[op]!, startsCapture() ? new Error() : undefined);
    const count = wasm._tn_op(op, tensors.length, attrWords);
    if (count === -1) throwCallError(op, tensors);
    return takeResults(count);
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

function inputToTensor(input: Input, made: Tensor[]): Tensor {
  if (input instanceof Tensor) return input;
  const tensor = input.toTensor();
  made.push(tensor);
  return tensor;
}

/** Throws the error of a failed call, with the name, shape and dtype of an input that is disposed. */
function throwCallError(op: Op, tensors: readonly (Tensor | undefined)[]): never {
  // Forgets the call site, which would become that of the next tensor.
  if (__DEBUG__) setCurrentOp(opNames[op]!);
  const error = lastError();
  if (error instanceof DisposedError) {
    error.message = error.message.replace(/argument (\d+)/, (words, number: string) => {
      const tensor = tensors[Number(number) - 1];
      return tensor ? `${words} ('${argument(op, Number(number) - 1).name}'), ${describeTensor(tensor)}` : words;
    });
    throw error;
  }
  tensors.forEach((tensor, i) => {
    const { name, expected } = argument(op, i);
    if (tensor) checkDtype(tensor.dtype, name, opNames[op]!, expected ?? 'numeric');
  });
  throw error;
}
