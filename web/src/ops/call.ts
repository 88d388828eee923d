import { doing } from '../debug/ledger.js';
import { DisposedError } from '../runtime/errors.js';
import { Op, opInputs, opNames } from '../generated/ops.js';
import { checkDtype, inputOf, type Expected, type Given, type Input } from '../tensor/input.js';
import { kIdWords, lastError, scratch, wasm, writeId } from '../runtime/runtime.js';
import { follow } from '../runtime/scope_following.js';
import { createTensor, takeResult, takeResults } from '../tensor/create.js';
import { Tensor, nameOf } from '../tensor/tensor.js';

/** Writes attributes into the scratch words from `at`; gives their number. */
export type Writer<A> = (at: number, attrs: A) => number;

interface Argument {
  readonly name: string;
  readonly expected?: Expected;
}

const signatures: Argument[][] = [];

/** The i-th input of an op as its row declares it. */
function argument(op: Op, i: number): Argument {
  const signature = (signatures[op] ??= opInputs[op]!.split(' ').map((words) => {
    const [name, expected] = words.split(':');
    return { name: name!, expected: expected as Expected };
  }));
  const { name, expected } = signature[Math.min(i, signature.length - 1)]!;
  return { name: name.replace('...', () => `[${i - signature.length + 1}]`), expected };
}

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
    // The logical ops come last, and take no numbers.
    return a instanceof Tensor && typeof b === 'number' && op < Op.logicalAnd
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
  const inputs = given.map((x, i) => {
    if (x === kMissing) return undefined;
    const { name, expected } = argument(op, i);
    return inputOf(x, name, opNames[op]!, expected);
  });
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

/** Throws what a failed call left behind: for an input that is no tensor any more with its name, shape and type. */
function fail(op: Op, tensors: readonly (Tensor | undefined)[]): never {
  const error = lastError();
  if (error instanceof DisposedError) {
    error.message = error.message.replace(/argument (\d+)/, (words, number: string) => {
      const tensor = tensors[Number(number) - 1];
      return tensor ? `${words} ('${argument(op, Number(number) - 1).name}'), ${nameOf(tensor)}` : words;
    });
    throw error;
  }
  tensors.forEach((tensor, i) => {
    const { name, expected } = argument(op, i);
    if (tensor) checkDtype(tensor.dtype, name, opNames[op]!, expected ?? 'numeric');
  });
  throw error;
}
