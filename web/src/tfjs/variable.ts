import { variable as makeVariable, type DataType, type Rank, type Tensor, type TensorLike, type Variable } from '../index.js';

/**
 * tf.variable() of which optimizers keep their slots until their next update: TensorFlow.js's own layers make their weights by
 * it, and expect model.dispose() to leave an optimizer as it is.
 */
export function variable<R extends Rank>(initialValue: Tensor<R> | TensorLike, trainable = true, name?: string, dtype?: DataType): Variable<R> {
  const made = makeVariable(initialValue, trainable, name, dtype);
  made.isLayerWeight = true;
  return made;
}
