// Elementwise functions of one tensor: the result has its shape. They take a tensor or values in its place.
import { callUnary, callWith } from './call.js';
import { Op, opNames, writeAlpha, writeClip } from '../generated/ops.js';
import { inputOf, type Input } from '../tensor/input.js';
import { Tensor } from '../tensor/tensor.js';
import type { TensorLike } from '../runtime/types.js';
import { assert } from '../util/checks.js';

type Unary = <T extends Tensor>(x: T | TensorLike) => T;

function unary(op: Op): Unary {
  return <T extends Tensor>(x: T | TensorLike) => callUnary(op, x) as T;
}

/** Likewise, of float32 alone: as in TensorFlow.js, another type is an error and values in its place become floats. */
function ofFloats(op: Op): Unary {
  return <T extends Tensor>(x: T | TensorLike) => callUnary(op, floats(op, x)) as T;
}
function floats(op: Op, x: Tensor | TensorLike): Input {
  return x instanceof Tensor && x.dtype === 'float32' ? x : inputOf(x, 'x', opNames[op]!, 'float32');
}

/** -x */
export const neg: Unary = unary(Op.neg);
/** |x| */
export const abs: Unary = unary(Op.abs);
/** -1, 0 or 1 */
export const sign: Unary = unary(Op.sign);
/** x * x */
export const square: Unary = unary(Op.square);
/** max(x, 0) */
export const relu: Unary = unary(Op.relu);
/** min(max(x, 0), 6) */
export const relu6: Unary = unary(Op.relu6);
/** The smallest integer not below x. */
export const ceil: Unary = ofFloats(Op.ceil);
/** The largest integer not above x. */
export const floor: Unary = ofFloats(Op.floor);
/** The nearest integer, halves to the even one. */
export const round: Unary = unary(Op.round);
/** 1 / x */
export const reciprocal: Unary = unary(Op.reciprocal);
/** The square root. */
export const sqrt: Unary = ofFloats(Op.sqrt);
/** 1 / sqrt(x) */
export const rsqrt: Unary = ofFloats(Op.rsqrt);
/** e to the power x */
export const exp: Unary = unary(Op.exp);
/** exp(x) - 1, exact also near 0. */
export const expm1: Unary = unary(Op.expm1);
/** The natural logarithm. */
export const log: Unary = ofFloats(Op.log);
/** log(1 + x), exact also near 0. */
export const log1p: Unary = unary(Op.log1p);
export const sin: Unary = ofFloats(Op.sin);
export const cos: Unary = ofFloats(Op.cos);
export const tan: Unary = ofFloats(Op.tan);
export const asin: Unary = unary(Op.asin);
export const acos: Unary = unary(Op.acos);
export const atan: Unary = unary(Op.atan);
export const sinh: Unary = unary(Op.sinh);
export const cosh: Unary = ofFloats(Op.cosh);
export const tanh: Unary = ofFloats(Op.tanh);
export const asinh: Unary = unary(Op.asinh);
export const acosh: Unary = unary(Op.acosh);
export const atanh: Unary = unary(Op.atanh);
/** The Gauss error function. */
export const erf: Unary = unary(Op.erf);
/** 1 / (1 + exp(-x)) */
export const sigmoid: Unary = ofFloats(Op.sigmoid);
/** log(1 + exp(x)) */
export const softplus: Unary = unary(Op.softplus);
/** The scaled exponential linear unit. */
export const selu: Unary = unary(Op.selu);
/** Which elements are NaN, as bool. */
export const isNaN: Unary = unary(Op.isNan);
/** Which elements are infinite, as bool. */
export const isInf: Unary = unary(Op.isInf);
/** Which elements are neither NaN nor infinite, as bool. */
export const isFinite: Unary = unary(Op.isFinite);
/** !x, of a bool tensor. */
export const logicalNot: Unary = unary(Op.logicalNot);

/** x above 0, exp(x) - 1 below. */
export function elu<T extends Tensor>(x: T | TensorLike): T {
  return callWith(Op.elu, floats(Op.elu, x), writeAlpha, { alpha: 1 }) as T;
}

/** x above 0, alpha * x below. */
export function leakyRelu<T extends Tensor>(x: T | TensorLike, alpha = 0.2): T {
  return callWith(Op.leakyRelu, x, writeAlpha, { alpha }) as T;
}

/** 1 above 0, alpha elsewhere. */
export function step<T extends Tensor>(x: T | TensorLike, alpha = 0): T {
  return callWith(Op.step, x, writeAlpha, { alpha }) as T;
}

/** min(max(x, clipValueMin), clipValueMax). Throws when the first limit is above the second. */
export function clipByValue<T extends Tensor>(x: T | TensorLike, clipValueMin: number, clipValueMax: number): T {
  assert(
    clipValueMin <= clipValueMax,
    () => `Error in clip: min (${clipValueMin}) must be less than or equal to max (${clipValueMax}).`,
  );
  return callWith(Op.clipByValue, x, writeClip, { min: clipValueMin, max: clipValueMax }) as T;
}
