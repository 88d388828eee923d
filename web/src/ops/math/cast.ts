import { Op, writeCast } from '../../generated/ops.js';
import { callWithAttrs } from '../call.js';
import { dtypeCode } from '../dtypes.js';
import { clone } from '../movement/reshape.js';
import type { DataType, TensorLike } from '../../runtime/types.js';
import { asTensor, toInput } from '../../tensor/input.js';
import type { Tensor } from '../../tensor/tensor.js';
import { isValidDtype } from '../../util/values.js';

/**
 * Casts a tensor to another dtype: to int32 by truncation, to bool by comparison with 0. Throws between strings and numbers.
 * @example
 * tf.cast([1.7, -1.7], 'int32'); // [1, -1]
 * tf.cast([0, 2], 'bool'); // [false, true]
 */
export function cast<T extends Tensor>(x: T | TensorLike, dtype: DataType): T {
  if (!isValidDtype(dtype)) throw new Error(`Failed to cast to unknown dtype ${dtype as string}`);
  const input = toInput(x, 'x', 'cast', 'string_or_numeric');
  if ((dtype === 'string') !== (input.dtype === 'string')) throw new Error('Only strings can be casted to strings');
  if (dtype === input.dtype) return clone(asTensor<T>(input));
  return callWithAttrs(Op.cast, input, writeCast, { dtype: dtypeCode(dtype) });
}
