import { Op, writeCumulate } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';

type CumulativeOp =
  /**
   * @param x Tensor.
   * @param axis Axis: 0 by default. A negative one counts from the last.
   * @param exclusive True to leave out the element itself; false by default.
   * @param reverse True to run from the end of the axis; false by default.
   */
  <T extends Tensor>(x: Tensor | TensorLike, axis?: number, exclusive?: boolean, reverse?: boolean) => T;

function makeCumulativeOp(op: Op): CumulativeOp {
  return <T extends Tensor>(x: Tensor | TensorLike, axis = 0, exclusive = false, reverse = false): T =>
    callWithAttrs(op, x, writeCumulate, { axis, exclusive, reverse });
}

/**
 * Computes the cumulative sum along an axis. If `exclusive`, an element itself is not included; if `reverse`, the sum runs from
 * the end.
 * @example
 * tf.cumsum([1, 2, 3]); // [1, 3, 6]
 * tf.cumsum([1, 2, 3], 0, true); // [0, 1, 3]
 */
export const cumsum: CumulativeOp = makeCumulativeOp(Op.cumsum);
/**
 * Computes the cumulative product along an axis. If `exclusive`, an element itself is not included; if `reverse`, the product
 * runs from the end.
 * @example
 * tf.cumprod([1, 2, 3]); // [1, 2, 6]
 */
export const cumprod: CumulativeOp = makeCumulativeOp(Op.cumprod);
