import { createTensor } from './create.js';
import { Tensor } from './tensor.js';
import type { DataType, TensorLike, Text, TypedArray } from '../runtime/types.js';
import {
  flattenChecked,
  getTypedArrayFromDType,
  inferDtype,
  inferShape,
  isTypedArray,
  toTypedArray,
} from '../util/values.js';
import { sizeFromShape } from '../util/shape.js';

/** The dtype that a function expects of an argument. */
export type ExpectedDType = DataType | 'numeric' | 'string_or_numeric';

/**
 * A value passed where a tensor is expected. It is validated at once; a tensor of it exists only while the op that uses
 * it runs.
 */
export class Literal {
  /**
   * Creates an input without copying the values.
   * @param values Values in row-major order, or one number.
   * @param shape Shape.
   * @param dtype Type of the elements.
   */
  constructor(
    readonly values: TypedArray | number | Text[],
    readonly shape: number[],
    readonly dtype: DataType,
  ) {}
  /** Number of dimensions. */
  get rank(): number {
    return this.shape.length;
  }
  toTensor(): Tensor {
    return createTensor(this.values, this.shape, this.dtype);
  }
}

export type Input = Tensor | Literal;
export type TensorOrLike = Input | TensorLike;

/** Returns an input as a tensor, for the functions of `tf`, which take a Literal, too, and do not declare so. */
export function asTensor<T extends Tensor = Tensor>(input: Input): T {
  return input as T;
}

/**
 * Converts an argument to an op's input. Throws, with TensorFlow.js's message, if it is neither a tensor nor
 * tensor-like, if its arrays are ragged, or if its dtype is not the expected one.
 * @param x The argument.
 * @param argument Name of the argument, for messages.
 * @param name Name of the op, for messages.
 * @param expected The dtype that the op accepts.
 */
export function toInput(x: TensorOrLike, argument: string, name: string, expected: ExpectedDType = 'numeric'): Input {
  if (x instanceof Tensor || x instanceof Literal) {
    checkDtype(x.dtype, argument, name, expected);
    return x;
  }
  let dtype = inferDtype(x);
  if (dtype !== 'string' && (expected === 'bool' || expected === 'int32' || expected === 'float32')) dtype = expected;
  checkDtype(dtype, argument, name, expected);
  if (typeof x === 'number' || typeof x === 'boolean') return toLiteral(x, dtype);
  if (!Array.isArray(x) && !isTypedArray(x) && typeof x !== 'string') {
    throw new Error(
      `Argument '${argument}' passed to '${name}' must be a Tensor or TensorLike, but got ${describeType(x)}`,
    );
  }
  return toLiteral(x, dtype);
}

/** Returns what a value that is no tensor is called in messages. */
export function describeType(x: unknown): string {
  if (x === null || x === undefined) return "'null'";
  const { dataSync, constructor: type } = x as Partial<Tensor>;
  if (dataSync)
    return 'a Tensor of another copy of the package, whose engine is its own: load one entry of one version';
  return `'${type?.name ?? typeof x}'`;
}

/** Converts values to a Literal. Throws for ragged arrays and for complex64. */
export function toLiteral(values: TensorLike, dtype: DataType): Literal {
  if (dtype === 'string') {
    const shape = inferShape(values, dtype);
    return new Literal(
      Array.isArray(values) ? flattenChecked<Text[]>(values, shape, []) : [values as Text],
      shape,
      dtype,
    );
  }
  if (dtype === 'complex64') {
    throw new Error('Cannot construct a complex64 tensor directly. Please use tf.complex(real, imag).');
  }
  if (isTypedArray(values)) return new Literal(toTypedArray(values, dtype), [values.length], dtype);
  if (!Array.isArray(values)) {
    const value = Number(values);
    return new Literal(dtype === 'bool' ? Number(Math.round(value) !== 0) : value, [], dtype);
  }
  const shape = inferShape(values);
  return new Literal(flattenChecked(values, shape, getTypedArrayFromDType(dtype, sizeFromShape(shape))), shape, dtype);
}

/** Converts a list of tensors or tensor-like values to an op's inputs. Throws if `list` is no array. */
export function toInputs(
  list: readonly TensorOrLike[],
  argument: string,
  name: string,
  expected?: ExpectedDType,
): Input[] {
  if (!Array.isArray(list)) {
    throw new Error(`Argument ${argument} passed to ${name} must be a \`Tensor[]\` or \`TensorLike[]\``);
  }
  return list.map((x: TensorOrLike, i) => toInput(x, `${argument}[${i}]`, name, expected));
}

/** Throws unless `dtype` is the expected one. */
export function checkDtype(dtype: DataType, argument: string, name: string, expected: ExpectedDType): void {
  if (expected === 'string_or_numeric' || expected === dtype) return;
  if (expected !== 'numeric' || dtype === 'string') {
    throw new Error(`Argument '${argument}' passed to '${name}' must be ${expected} tensor, but got ${dtype} tensor`);
  }
}
