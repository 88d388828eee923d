// Factories of the functions in unary.ts and binary.ts, which are generated.
import { callBinary, callUnary } from '../call.js';
import { type Op, opNames } from '../../generated/ops.js';
import { toInput, type Input } from '../../tensor/input.js';
import { Tensor } from '../../tensor/tensor.js';
import type { TensorLike } from '../../runtime/types.js';

export type Unary = <T extends Tensor>(x: T | TensorLike) => T;

export function unary(op: Op): Unary {
  return <T extends Tensor>(x: T | TensorLike) => callUnary(op, x);
}

/** Returns a unary op of float32 only: as in TensorFlow.js, it throws for another dtype, and converts values to float32. */
export function unaryOfFloats(op: Op): Unary {
  return <T extends Tensor>(x: T | TensorLike) => callUnary(op, toFloatInput(op, x));
}

export function toFloatInput(op: Op, x: Tensor | TensorLike): Input {
  return x instanceof Tensor && x.dtype === 'float32' ? x : toInput(x, 'x', opNames[op]!, 'float32');
}

export type Binary = <T extends Tensor>(a: Tensor | TensorLike, b: Tensor | TensorLike) => T;

export function binary(op: Op): Binary {
  return <T extends Tensor>(a: Tensor | TensorLike, b: Tensor | TensorLike) => callBinary<T>(op, a, b);
}
