// Elementwise functions of two tensors, whose shapes broadcast. They take tensors or values in their place.
import { callBinary } from './call.js';
import { Op } from '../generated/ops.js';
import type { Tensor } from '../tensor/tensor.js';
import type { TensorLike } from '../runtime/types.js';

type Binary = <T extends Tensor>(a: Tensor | TensorLike, b: Tensor | TensorLike) => T;

function binary(op: Op): Binary {
  return <T extends Tensor>(a: Tensor | TensorLike, b: Tensor | TensorLike) => callBinary(op, a, b) as T;
}

/** a + b */
export const add: Binary = binary(Op.add);
/** a - b */
export const sub: Binary = binary(Op.sub);
/** a * b */
export const mul: Binary = binary(Op.mul);
/** a / b; of integers, rounded down. */
export const div: Binary = binary(Op.div);
/** a / b, and 0 where b is 0. */
export const divNoNan: Binary = binary(Op.divNoNan);
/** a / b, rounded down. */
export const floorDiv: Binary = binary(Op.floorDiv);
/** What is left of a / b rounded down; it has the sign of b. */
export const mod: Binary = binary(Op.mod);
/** a to the power b */
export const pow: Binary = binary(Op.pow);
export const maximum: Binary = binary(Op.maximum);
export const minimum: Binary = binary(Op.minimum);
/** (a - b) * (a - b) */
export const squaredDifference: Binary = binary(Op.squaredDifference);
/** The angle of the point (b, a). */
export const atan2: Binary = binary(Op.atan2);
/** x above 0, alpha * x below. */
export const prelu: Binary = binary(Op.prelu);
/** a === b, as bool. */
export const equal: Binary = binary(Op.equal);
export const notEqual: Binary = binary(Op.notEqual);
export const less: Binary = binary(Op.less);
export const lessEqual: Binary = binary(Op.lessEqual);
export const greater: Binary = binary(Op.greater);
export const greaterEqual: Binary = binary(Op.greaterEqual);
/** a && b, of bool tensors. */
export const logicalAnd: Binary = binary(Op.logicalAnd);
export const logicalOr: Binary = binary(Op.logicalOr);
export const logicalXor: Binary = binary(Op.logicalXor);
