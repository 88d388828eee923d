import { getDefaultEnvironment, type Environment } from './environment.js';

/** Kinds of memory of tensors. Those of tenure/litert are in HOST_MEMORY. */
export const TensorBufferType = {
  HOST_MEMORY: 1,
  WEB_GPU_BUFFER: 20,
  WEB_GPU_BUFFER_FP16: 21,
  WEB_GPU_BUFFER_PACKED: 26,
} as const;
export type TensorBufferType = (typeof TensorBufferType)[keyof typeof TensorBufferType];

/** Accelerators of tensors. Those of tenure/litert are on 'wasm'. */
export type Accelerator = 'webgpu' | 'wasm';
/** Element types. */
export type DType = 'float32' | 'int32' | 'uint8' | 'int8';
export type TypedArray = Float32Array | Int32Array | Uint8Array | Int8Array;
/** A shape. */
export type Dimensions = Int32Array | number[];

/** Type and shape of a tensor. */
export interface TensorType {
  /** Element type. */
  dtype: DType;
  /** The shape, in LiteRT.js's form. */
  layout: {
    /** Extents, the outermost first. */
    dimensions: Dimensions;
  };
}

/** Options of copies. */
export interface CopyOptions {
  /** Environment of the copy. */
  environment?: Environment;
}

/** A function that copies a tensor to another kind of memory. */
export type TensorCopyFn = (tensor: Tensor, options?: CopyOptions) => Tensor | Promise<Tensor>;

const kArrays = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array, int8: Int8Array };

/** Returns an array of an element type with these values. */
export function toArray(dtype: DType, values: ArrayLike<number>): TypedArray {
  return new kArrays[dtype](values);
}

/**
 * A tensor that programs pass to models and get from them: an array of JavaScript with a shape. It needs no delete(), and after
 * delete() every use throws, as in LiteRT.js.
 */
export class Tensor {
  /** Type and shape. */
  readonly type: TensorType;
  /** Environment of the tensor. */
  readonly environment: Environment;
  #values: TypedArray | undefined;
  readonly #onDelete: (() => void) | undefined;

  /**
   * Creates a tensor. Throws if `data` has another number of elements than `shape`, or another type than those of DType.
   * @param data Values, which are copied.
   * @param shape Shape: by default one dimension.
   * @param environment Environment of the tensor.
   * @param onDelete Called by delete().
   */
  constructor(
    data: TypedArray,
    shape: Dimensions = [data.length],
    environment: Environment = getDefaultEnvironment(),
    onDelete?: () => void,
  ) {
    const dtype = Object.entries(kArrays).find(([, type]) => data instanceof type)?.[0] as DType | undefined;
    if (!dtype)
      throw new TypeError(
        `[Tensor] The data must be a Float32Array, Int32Array, Uint8Array or Int8Array, but got ${Object.prototype.toString.call(data).slice(8, -1)}.`,
      );
    const size = Array.from(shape).reduce((product, extent) => product * extent, 1);
    if (size !== data.length)
      throw new Error(`[Tensor] The shape [${Array.from(shape)}] has ${size} elements, the data has ${data.length}.`);
    this.type = { dtype, layout: { dimensions: Int32Array.from(shape) } };
    this.environment = environment;
    this.#values = data.slice();
    this.#onDelete = onDelete;
  }

  /**
   * Returns a tensor, as the constructor does.
   * @param data Values, which are copied.
   * @param shape Shape: by default one dimension.
   * @param environment Environment of the tensor.
   */
  static fromTypedArray(data: TypedArray, shape?: Dimensions, environment?: Environment): Tensor {
    return new Tensor(data, shape, environment);
  }

  /** Resolves to a copy of the values. Rejects after delete(). */
  data(): Promise<TypedArray> {
    return Promise.resolve().then(() => this.toTypedArray());
  }

  /** Returns a copy of the values. Throws after delete(). */
  toTypedArray(): TypedArray {
    if (!this.#values) throw new Error('[Tensor] The tensor is deleted.');
    return this.#values.slice();
  }

  /** Throws: the values are an array of JavaScript. */
  toGpuBuffer(): never {
    throw new Error('[toGpuBuffer] Tensors of tenure/litert are in JavaScript memory and have no GPUBuffer.');
  }

  /** Resolves to a copy. Rejects for a destination other than 'wasm' and HOST_MEMORY. */
  async copyTo(destination: Accelerator | TensorBufferType, options: CopyOptions = {}): Promise<Tensor> {
    if (destination !== 'wasm' && destination !== TensorBufferType.HOST_MEMORY)
      throw new Error(
        `[copyTo] The destination must be 'wasm' or TensorBufferType.HOST_MEMORY, but got ${destination}. Tensors of ` +
          'tenure/litert are in JavaScript memory.',
      );
    const { dimensions } = this.type.layout;
    return Promise.resolve(new Tensor(this.toTypedArray(), dimensions, options.environment ?? this.environment));
  }

  /** Resolves to a copy, and deletes this tensor. Rejects for a destination other than 'wasm' and HOST_MEMORY. */
  async moveTo(destination: Accelerator | TensorBufferType, options: CopyOptions = {}): Promise<Tensor> {
    const moved = await this.copyTo(destination, options);
    this.delete();
    return moved;
  }

  /** Kind of memory. */
  getBufferType(): TensorBufferType {
    return this.bufferType;
  }

  /** Kind of memory. */
  get bufferType(): TensorBufferType {
    return TensorBufferType.HOST_MEMORY;
  }

  /** Accelerator that holds the values: 'wasm'. */
  get accelerator(): Accelerator {
    return 'wasm';
  }

  /** True after delete(). */
  get deleted(): boolean {
    return this.#values === undefined;
  }

  /** Frees the values. Does nothing if they are freed. */
  delete(): void {
    if (this.deleted) return;
    this.#values = undefined;
    this.#onDelete?.();
  }
}
