import { doing } from '../debug/ledger.js';
import { DisposedError } from '../runtime/errors.js';
import { Op, opNames } from '../generated/ops.js';
import { checkDtype, inputOf, type Expected, type Given, type Input } from '../tensor/input.js';
import { kIdWords, lastError, scratch, wasm, writeId } from '../runtime/runtime.js';
import { follow } from '../runtime/scope_following.js';
import { createTensor, takeResult, takeResults } from '../tensor/create.js';
import { Tensor, nameOf } from '../tensor/tensor.js';

/** Writes attributes into the scratch words from `at`; gives their number. */
export type Writer<A> = (at: number, attrs: A) => number;

/** What messages call the inputs of ops where it is not 'x', or 'a' and 'b'. */
const kArguments: Partial<Record<Op, readonly string[]>> = {
  [Op.batchNorm]: ['x', 'mean', 'variance', 'offset', 'scale'],
  [Op.conv2d]: ['x', 'filter', 'bias'],
  [Op.conv2dTranspose]: ['x', 'filter'],
  [Op.depthwiseConv2d]: ['x', 'filter', 'bias'],
  [Op.dot]: ['t1', 't2'],
  [Op.gather]: ['x', 'indices'],
  [Op.logSoftmax]: ['logits'],
  [Op.matMul]: ['a', 'b', 'bias'],
  [Op.oneHot]: ['indices'],
  [Op.pow]: ['base', 'exp'],
  [Op.prelu]: ['x', 'alpha'],
  [Op.resizeBilinear]: ['images'],
  [Op.resizeNearestNeighbor]: ['images'],
  [Op.softmax]: ['logits'],
  [Op.where]: ['condition', 'a', 'b'],
};
const kLists: readonly Op[] = [Op.concat, Op.stack];

/** Types that inputs must have where any number will not do. */
const kExpected: Partial<Record<Op, readonly Expected[]>> = {
  [Op.all]: ['bool'],
  [Op.any]: ['bool'],
  [Op.gather]: ['numeric', 'int32'],
  [Op.logicalAnd]: ['bool', 'bool'],
  [Op.logicalNot]: ['bool'],
  [Op.logicalOr]: ['bool', 'bool'],
  [Op.logicalXor]: ['bool', 'bool'],
  [Op.oneHot]: ['int32'],
  [Op.where]: ['bool', 'numeric', 'numeric'],
};

/** Stands for an optional input that was not given. */
export const kMissing = Symbol('missing input');
type Inputs = readonly (Given | typeof kMissing)[];

/** One input, no attributes. */
export function callUnary(op: Op, x: Given): Tensor {
  if (!(x instanceof Tensor)) return call(op, [x]);
  if (__DEBUG__) doing(opNames[op]!);
  follow();
  if (wasm._tn_unary(op, x.id, 0) === -1) fail(op, [x]);
  return takeResult();
}

/** Two inputs, no attributes. */
export function callBinary(op: Op, a: Given, b: Given): Tensor {
  if (!(a instanceof Tensor && b instanceof Tensor)) {
    return a instanceof Tensor && typeof b === 'number' && !(op in kExpected)
      ? callWithNumber(op, a, b)
      : call(op, [a, b]);
  }
  if (__DEBUG__) doing(opNames[op]!);
  follow();
  if (wasm._tn_binary(op, a.id, b.id) === -1) fail(op, [a, b]);
  return takeResult();
}

/** x.mul(2) is common enough to be spared the lists of callAll(). */
function callWithNumber(op: Op, a: Tensor, b: number): Tensor {
  const scalar = createTensor(b, [], 'float32');
  if (__DEBUG__) doing(opNames[op]!);
  const status = wasm._tn_binary(op, a.id, scalar.id);
  scalar.dispose();
  if (status === -1) fail(op, [a, scalar]);
  return takeResult();
}

/** One input and attributes. */
export function callWith<A>(op: Op, x: Given, write: Writer<A>, attrs: A): Tensor {
  if (!(x instanceof Tensor)) return call(op, [x], write, attrs);
  if (__DEBUG__) doing(opNames[op]!);
  follow();
  if (wasm._tn_unary(op, x.id, write(0, attrs)) === -1) fail(op, [x]);
  return takeResult();
}

/** Any op of one result. */
export function call<A>(op: Op, given: Inputs, write?: Writer<A>, attrs?: A): Tensor {
  return callAll(op, given, write, attrs)[0]!;
}

/** Any op. What is made of values given in a tensor's place is freed at the end, also on a throw. */
export function callAll<A>(op: Op, given: Inputs, write?: Writer<A>, attrs?: A): Tensor[] {
  const inputs = given.map((x, i) =>
    x === kMissing ? undefined : inputOf(x, argumentName(op, i), opNames[op]!, kExpected[op]?.[i]),
  );
  follow();
  const made: Tensor[] = [];
  try {
    const tensors = inputs.map((input) => (input === undefined ? undefined : tensorOf(input, made)));
    const words = scratch();
    for (let i = 0; i < tensors.length; i++) writeId(words, kIdWords * i, tensors[i]?.id ?? 0);
    if (__DEBUG__) doing(opNames[op]!);
    const count = wasm._tn_op(op, tensors.length, write ? write(kIdWords * tensors.length, attrs!) : 0);
    if (count === -1) fail(op, tensors);
    return takeResults(count);
  } finally {
    for (const tensor of made) tensor.dispose();
  }
}

function tensorOf(input: Input, made: Tensor[]): Tensor {
  if (input instanceof Tensor) return input;
  const tensor = input.toTensor();
  made.push(tensor);
  return tensor;
}

function argumentName(op: Op, i: number): string {
  return kLists.includes(op) ? `tensors[${i}]` : (kArguments[op]?.[i] ?? (opIsBinary(op) ? 'ab'[i]! : 'x'));
}

function opIsBinary(op: Op): boolean {
  return op >= Op.add && op <= Op.logicalXor;
}

/** Throws what a failed call left behind: for an input that is no tensor any more with its name, shape and type. */
function fail(op: Op, tensors: readonly (Tensor | undefined)[]): never {
  const error = lastError();
  if (error instanceof DisposedError) {
    error.message = error.message.replace(/argument (\d+)/, (words, number: string) => {
      const tensor = tensors[Number(number) - 1];
      return tensor ? `${words} ('${argumentName(op, Number(number) - 1)}'), ${nameOf(tensor)}` : words;
    });
    throw error;
  }
  kExpected[op]?.forEach((expected, i) => {
    const tensor = tensors[i];
    if (tensor) checkDtype(tensor.dtype, argumentName(op, i), opNames[op]!, expected);
  });
  throw error;
}
