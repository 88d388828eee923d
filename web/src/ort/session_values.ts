// The inputs and outputs of a session: their declared types and shapes, and conversions of their values.
import { Tensor, type InferenceSession } from 'onnxruntime-common';
import { tensor as createTensor, type OnnxTensorInfo, type Tensor as EngineTensor } from '../index.js';
import { findType, type ElementType, type EngineValues } from './element_types.js';
import { canRetain, findRetained, retainInEngine } from './engine_tensors.js';

/** Names of values that are not tensors, for messages. */
const kContainers = {
  sequence: 'a sequence',
  optional: 'an optional value',
  'optional sequence': 'an optional sequence',
};

/** Type and shape of a value of the engine. */
type OutputSpec = Pick<EngineTensor, 'dtype' | 'shape'>;

/** An input or output of a model. */
export class SessionValue {
  readonly name: string;
  /** Extents, -1 for those that are unknown; undefined if the rank is. */
  readonly #shape: readonly number[] | undefined;
  readonly #symbols: readonly string[];
  readonly #type: ElementType;
  /** False if the file does not state the type, which then is that of the engine's tensor. */
  readonly #isTyped: boolean;
  readonly #kind: 'input' | 'output';

  constructor(info: OnnxTensorInfo, kind: 'input' | 'output') {
    if (info.container) {
      throw new TypeError(
        `The ${kind} "${info.name}" is ${kContainers[info.container]}, not a tensor. Sessions take and return only tensors, as ` +
          'in onnxruntime-web; tf.loadOnnxModel() runs this model.',
      );
    }
    const type = findType(info.type) ?? findType(info.dtype);
    if (!type) throw new TypeError(`The ${kind} "${info.name}" has the type ${info.type}, which is not supported.`);
    this.name = info.name;
    this.#shape = info.shape?.map((extent) => extent ?? -1);
    this.#symbols = info.symbols;
    this.#type = type;
    this.#isTyped = info.type !== '';
    this.#kind = kind;
  }

  /** Description in the form of onnxruntime-common. The shape is empty if the file states none. */
  get metadata(): InferenceSession.TensorValueMetadata {
    return { name: this.name, isTensor: true, type: this.#type.type, shape: this.#namedShape };
  }

  /** Creates the engine's tensor from a value. Throws an error that says what was expected if its type or shape is wrong. */
  read(value: Tensor): EngineTensor {
    this.#checkIsTensor(value);
    const retained = findRetained(value);
    if (!retained) this.#checkLocation(value);
    this.#checkType(value, this.#type);
    this.#checkDims(value.dims);
    const dims = this.#shape?.length === 0 ? [] : [...value.dims];
    if (retained) return retained.reshape(dims);
    return this.#convert(this.#type, () =>
      createTensor(this.#type.decode(value.data, value.size), dims, this.#type.dtype),
    );
  }

  /** Creates a value from the elements of the engine's tensor, or writes them into `target`. Returns the value. */
  write(elements: EngineValues, { dtype, shape: dims }: OutputSpec, target: Tensor | null): Tensor {
    const type = this.#typeOf(dtype);
    const data = this.#convert(type, () => type.encode(elements));
    if (!target) return new Tensor(type.type, data, dims);
    this.#checkLocation(target);
    this.#checkType(target, type);
    if (target.dims.length !== dims.length || target.dims.some((extent, axis) => extent !== dims[axis]))
      throw new RangeError(
        `${this.#label} has the shape [${dims.join(',')}], but the tensor to write it to has [${target.dims.join(',')}].`,
      );
    copy(data, target.data);
    return target;
  }

  /** True if values of a type of the engine may stay there. */
  canStay(dtype: EngineTensor['dtype']): boolean {
    return canRetain(this.#typeOf(dtype).type);
  }

  /** Returns a value that stays in the engine until it is disposed. Throws if canStay is false. */
  retain(output: EngineTensor): Tensor {
    const { type } = this.#typeOf(output.dtype);
    if (!canRetain(type)) throw new TypeError(`${this.#label} of type ${type} cannot stay in the engine.`);
    return retainInEngine(output, type, async (tensor) => this.write(await tensor.data(), tensor, null).data);
  }

  #checkIsTensor(value: unknown): void {
    if (typeof value === 'object' && value !== null && 'dims' in value && 'type' in value) return;
    const type = Object.prototype.toString.call(value).slice(8, -1);
    throw new TypeError(`${this.#label} must be a Tensor of onnxruntime-common, but got ${type}.`);
  }

  #checkLocation({ location }: Tensor): void {
    if (location !== 'cpu' && location !== 'cpu-pinned')
      throw new TypeError(`${this.#label} must be in the memory of JavaScript, but its location is ${location}.`);
  }

  #checkType({ type }: Tensor, expected: ElementType): void {
    if (type !== expected.type)
      throw new TypeError(`${this.#label} must have the type ${expected.type}, but got ${type}.`);
  }

  /** Returns the element type of values that have a type of the engine. */
  #typeOf(dtype: EngineTensor['dtype']): ElementType {
    return (this.#isTyped ? undefined : findType(dtype)) ?? this.#type;
  }

  /** Accepts one element of any rank for a scalar: programs give vectors of one element. */
  #checkDims(dims: readonly number[]): void {
    const shape = this.#shape;
    if (!shape || (shape.length === 0 && dims.every((extent) => extent === 1))) return;
    if (dims.length === shape.length && shape.every((extent, axis) => extent === -1 || extent === dims[axis])) return;
    throw new RangeError(
      `${this.#label} must have the shape [${this.#namedShape.join(',')}], but got [${dims.join(',')}].`,
    );
  }

  #convert<T>({ type }: ElementType, convert: () => T): T {
    try {
      return convert();
    } catch (error) {
      if (error instanceof Error) error.message = `${this.#label} of type ${type}: ${error.message}.`;
      throw error;
    }
  }

  get #label(): string {
    return `[InferenceSession.run] The ${this.#kind} "${this.name}"`;
  }

  /** Extents; of those that are unknown, the name, or -1. Empty if the rank is unknown. */
  get #namedShape(): (number | string)[] {
    const { length } = this.#symbols;
    return (this.#shape ?? []).map((extent, axis) =>
      extent === -1 && length > 0 ? this.#symbols[axis] || -1 : extent,
    );
  }
}

/** Copies elements between arrays of one type and length. A Float16Array and a Uint16Array have the same bytes. */
function copy(from: Tensor.DataType, to: Tensor.DataType): void {
  if (Array.isArray(from) || Array.isArray(to)) for (let i = 0; i < from.length; i++) Reflect.set(to, i, from[i]);
  else viewBytes(to).set(viewBytes(from));
}

function viewBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
