import { DisposedError } from '../runtime/errors.js';
import { disposeTensor, onKeep, made, describeUseAfterDispose, startsDispose } from '../debug/ledger.js';
import { formatTensor } from './format.js';
import { readFromDevice, warnOfBlockingRead } from './read.js';
import { getHeapArray, getHeapIndex } from '../runtime/heap.js';
import { raise, scratch, wasm } from '../runtime/runtime.js';
import { syncBeforeFree } from '../runtime/async_scope_tracking.js';
import type { ArrayMap, DataType, DataTypeMap, NumericDataType, Rank, ShapeMap, TypedArray } from '../runtime/types.js';
import { decodeString } from '../util/numbers.js';
import { computeStrides, sizeFromShape } from '../util/shape.js';
import { toNestedArray } from '../util/values.js';

/** An object that identifies the data of a tensor. */
export type DataId = object;

const dataIds = new WeakMap<Tensor, DataId>();
const keptTensors = new WeakSet<Tensor>();
const kNotCloneable = Symbol('a tensor is a handle of its engine: send its values, await x.data(), and its shape');

/**
 * Handle of an n-dimensional array on the engine. A tensor has exactly one owner: the scope it was created in, a holder
 * such as a variable or a model, or, outside of any scope, the caller.
 * @example
 * const x = tf.tensor([[1, 2], [3, 4]]);
 * x.shape; // [2, 2]
 * x.add(1).mean(); // 3.5
 * await x.data(); // [1, 2, 3, 4]
 * x.dispose();
 * x.isDisposed; // true
 */
export class Tensor<R extends Rank = Rank> {
  /** Number of the handle, made of slot and generation. */
  readonly id: number;
  /** The extents of its dimensions. */
  readonly shape: ShapeMap[R];
  /** The type of its elements. */
  readonly dtype: DataType;
  /**
   * @internal A symbol, which cannot be cloned: structuredClone() and postMessage() throw instead of copying a dead
   * handle.
   */
  readonly notCloneable: symbol;

  /** @internal */
  constructor(id: number, shape: number[], dtype: DataType) {
    this.id = id;
    this.shape = shape as ShapeMap[R];
    this.dtype = dtype;
    this.notCloneable = kNotCloneable;
    if (__DEBUG__) made(this, id);
  }

  /** Number of dimensions. */
  get rank(): number {
    return this.shape.length;
  }
  /** The rank as a type: '0' to '4', or 'higher'. */
  get rankType(): R {
    return (this.rank < 5 ? String(this.rank) : 'higher') as R;
  }
  /** Number of elements. */
  get size(): number {
    return sizeFromShape(this.shape);
  }
  /** Row-major stride of each dimension but the last, in elements. */
  get strides(): number[] {
    return computeStrides(this.shape);
  }
  /** An object that identifies the tensor's data, the same on each access. */
  get dataId(): DataId {
    let dataId = dataIds.get(this);
    if (!dataId) dataIds.set(this, (dataId = {}));
    return dataId;
  }

  /**
   * True if the tensor was kept. Setting it to true keeps the tensor, as tf.keep() does. Setting it to false clears
   * only the flag: the tensor stays the caller's.
   */
  get kept(): boolean {
    return keptTensors.has(this);
  }
  set kept(isKept: boolean) {
    if (!isKept) {
      keptTensors.delete(this);
      return;
    }
    if (__DEBUG__) onKeep(this.id);
    wasm._tn_keep(this.id);
    keptTensors.add(this);
  }
  /** True once the tensor was disposed: by dispose(), by its scope or by its holder. */
  get isDisposed(): boolean {
    return wasm._tn_alive(this.id) === 0;
  }
  /** Frees the tensor now. Does nothing if it was already disposed. */
  dispose(): void {
    syncBeforeFree();
    if (__DEBUG__) disposeTensor(this.id, startsDispose(this.id) ? new Error() : undefined);
    else wasm._tn_dispose(this.id);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
  /** Throws DisposedError if the tensor was disposed. */
  throwIfDisposed(): void {
    if (this.isDisposed) throw disposed('throwIfDisposed', this);
  }

  /**
   * Returns a copy of the elements in row-major order. Blocks until the GPU has finished if they are only there. Throws
   * DisposedError if the tensor was disposed.
   */
  dataSync<D extends DataType = NumericDataType>(): DataTypeMap[D] {
    if (__DEBUG__) warnOfBlockingRead(this.id);
    const start = getAddress(this, 'dataSync');
    return valuesAt(this, start, start + byteLength());
  }
  /**
   * Resolves to a copy of the elements, in row-major order, as they are at the call, even if the tensor is disposed
   * before the promise resolves. Does not block on the GPU. Rejects with DisposedError if the tensor was disposed
   * before.
   */
  async data<D extends DataType = NumericDataType>(): Promise<DataTypeMap[D]> {
    if (wasm._tn_on_device(this.id) === 1) return viewAsTypedArray(await readFromDevice(this.id), this.dtype);
    const start = getAddress(this, 'data');
    return valuesAt(this, start, start + byteLength());
  }
  /**
   * Returns the elements as nested arrays; of a scalar, its value. Blocks until the GPU has finished if they are only
   * there. Throws DisposedError if the tensor was disposed.
   */
  arraySync(): ArrayMap[R] {
    return nested(this, this.dataSync());
  }
  /**
   * Resolves to the elements as nested arrays; of a scalar, to its value. Does not block on the GPU. Rejects with
   * DisposedError if the tensor was disposed.
   */
  async array(): Promise<ArrayMap[R]> {
    return nested(this, await this.data());
  }
  /**
   * Returns a copy of the elements' bytes, little-endian: 1 per bool, 8 per complex64, else 4 per element. Of strings,
   * returns the bytes of each. Blocks until the GPU has finished if they are only there.
   */
  bytesSync(): Uint8Array | Uint8Array[] {
    const bytes = copyOut(this, 'bytesSync');
    return this.dtype === 'string' ? splitStrings(bytes, this.size) : bytes;
  }
  /** Resolves to a copy of the elements' bytes, in the format of bytesSync(). Does not block on the GPU. */
  async bytes(): Promise<Uint8Array | Uint8Array[]> {
    const bytes = await copyOutAsync(this, 'bytes');
    return this.dtype === 'string' ? splitStrings(bytes, this.size) : bytes;
  }
  /** Returns the values as text; with `verbose`, dtype, rank and shape precede them. */
  toString(verbose = false): string {
    return formatTensor(this.dataSync(), this.shape, this.dtype, verbose);
  }
  /** Writes toString() to the console. */
  print(verbose = false): void {
    console.log(this.toString(verbose));
  }
}

/** A tensor of rank 0. */
export type Scalar = Tensor<Rank.R0>;
/** A vector. */
export type Tensor1D = Tensor<Rank.R1>;
/** A matrix. */
export type Tensor2D = Tensor<Rank.R2>;
/** A tensor of rank 3, such as an image. */
export type Tensor3D = Tensor<Rank.R3>;
/** A tensor of rank 4, such as a batch of images. */
export type Tensor4D = Tensor<Rank.R4>;
/** A tensor of rank 5, such as a batch of volumes. */
export type Tensor5D = Tensor<Rank.R5>;
/** A tensor of rank 6. */
export type Tensor6D = Tensor<Rank.R6>;
/** Tensors by name. */
export type NamedTensorMap = Record<string, Tensor>;

/**
 * Returns the address of a tensor's elements on the heap, after copying them there from the GPU if needed. Throws
 * DisposedError if the tensor was disposed.
 */
function getAddress(tensor: Tensor, where: string): number {
  const address = wasm._tn_data(tensor.id);
  if (address === -1) {
    if (tensor.isDisposed) throw disposed(where, tensor);
    raise();
  }
  return address >>> 0;
}

/** Returns the number of bytes at the address that getAddress() returned last. */
const byteLength = (): number => scratch()[0]! >>> 0;

/**
 * Returns a copy of the elements between two addresses. Slicing the typed heap takes a fourth of the time of viewing a
 * copy of the bytes.
 */
function valuesAt<D extends DataType>(tensor: Tensor, start: number, end: number): DataTypeMap[D];
function valuesAt(tensor: Tensor, start: number, end: number): TypedArray | string[] {
  const { dtype, size } = tensor;
  if (dtype === 'string') return splitStrings(wasm.HEAPU8.slice(start, end), size).map(decodeText);
  return getHeapArray(dtype).slice(getHeapIndex(start, dtype), getHeapIndex(end, dtype));
}

function copyOut(tensor: Tensor, where: string): Uint8Array<ArrayBuffer> {
  const start = getAddress(tensor, where);
  return wasm.HEAPU8.slice(start, start + byteLength());
}

/** Copies the bytes of a tensor without blocking on the GPU. Bytes on the CPU are copied before this returns. */
function copyOutAsync(tensor: Tensor, where: string): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  return wasm._tn_on_device(tensor.id) === 1 ? readFromDevice(tensor.id) : copyOut(tensor, where);
}

/** Splits the data of a string tensor, which begin with the offsets of all strings, into the bytes of each. */
function splitStrings({ buffer }: Uint8Array<ArrayBuffer>, count: number): Uint8Array[] {
  const offsets = new Uint32Array(buffer, 0, count + 1);
  const first = offsets.byteLength;
  return Array.from(
    { length: count },
    (_, i) => new Uint8Array(buffer.slice(first + offsets[i]!, first + offsets[i + 1]!)),
  );
}

function decodeText(text: Uint8Array): string {
  try {
    return decodeString(text);
  } catch (cause) {
    throw new Error('Failed to decode the string bytes into utf-8. To get the original bytes, call tensor.bytes().', {
      cause,
    });
  }
}

function nested<R extends Rank>(tensor: Tensor<R>, values: ArrayLike<unknown>): ArrayMap[R] {
  return toNestedArray(tensor.shape, values, tensor.dtype === 'complex64') as ArrayMap[R];
}

/** Views bytes that were read from the GPU as a typed array. Strings are never on the GPU. */
function viewAsTypedArray<D extends DataType>(bytes: Uint8Array<ArrayBuffer>, dtype: DataType): DataTypeMap[D];
function viewAsTypedArray({ buffer }: Uint8Array<ArrayBuffer>, dtype: DataType): TypedArray {
  switch (dtype) {
    case 'int32':
      return new Int32Array(buffer);
    case 'bool':
      return new Uint8Array(buffer);
    default:
      return new Float32Array(buffer);
  }
}

/**
 * Returns the name of a disposed tensor for messages, such as "#812 float32[3]". A debug build records the use, and
 * names where the tensor was created and disposed.
 */
export function describeTensor(tensor: Tensor): string {
  const name = `#${tensor.id} ${tensor.dtype}[${tensor.shape}]`;
  return __DEBUG__ ? describeUseAfterDispose(tensor.id, name) : name;
}

export function disposed(where: string, tensor: Tensor): DisposedError {
  return new DisposedError(`[${where}] Tensor is disposed: ${describeTensor(tensor)}`);
}

/** True if the value is a tensor, whatever its declared type is. */
export function isTensor(value: unknown): value is Tensor {
  return value instanceof Tensor;
}
