import { createTensor } from './create.js';
import { Tensor } from './tensor.js';
import type { DataType, TensorLike, Text, TypedArray } from '../runtime/types.js';
import { describeValues, flattenValues } from '../util/values.js';

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
  const { shape, dtype: inferred } = describeValues(x);
  const isConverted = expected === 'bool' || expected === 'int32' || expected === 'float32';
  const dtype = isConverted && inferred !== 'string' ? expected : inferred;
  checkDtype(dtype, argument, name, expected);
  if (shape.length === 0 && typeof x !== 'number' && typeof x !== 'boolean' && typeof x !== 'string') {
    throw new Error(
      `Argument '${argument}' passed to '${name}' must be a Tensor or TensorLike, but got ${describeType(x)}`,
    );
  }
  return new Literal(flattenValues(x, shape, dtype), shape, dtype);
}

/** Returns the name of the type of a value for error messages. */
export function describeType(x: unknown): string {
  if (x === null || x === undefined) return "'null'";
  const { dataSync, constructor: type } = x as Partial<Tensor>;
  if (dataSync)
    return 'a Tensor of another copy of the package, whose engine is its own: load one entry of one version';
  return `'${type?.name ?? typeof x}'`;
}

/** Converts a list of tensors or tensor-like values to an op's inputs. Throws if `list` is not an array. */
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
