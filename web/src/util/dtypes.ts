import type { DataType } from '../runtime/types.js';

/**
 * Returns the dtype that holds values of both dtypes, by TensorFlow's rules. Throws if only one of them is string.
 * @example
 * tf.upcastType('int32', 'float32'); // 'float32'
 */
export function upcastType(typeA: DataType, typeB: DataType): DataType {
  if (typeA === typeB) return typeA;
  if (typeA === 'string' || typeB === 'string') throw new Error(`Can not upcast ${typeA} with ${typeB}`);
  const order = ['bool', 'int32', 'float32', 'complex64'] as const;
  return order[Math.max(order.indexOf(typeA), order.indexOf(typeB))]!;
}

/**
 * Returns the dtype of a sum over elements of `type`. bool sums to int32, a count.
 * @example
 * tf.sumOutType('bool'); // 'int32'
 */
export function sumOutType(type: DataType): DataType {
  return upcastType(type, 'int32');
}
