import type { DataType } from '../runtime/types.js';

/**
 * The element type that holds both, by TensorFlow's rules. Throws for a string with anything else.
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
 * The type of a sum: bools are counted.
 * @example
 * tf.sumOutType('bool'); // 'int32'
 */
export function sumOutType(type: DataType): DataType {
  return upcastType(type, 'int32');
}
