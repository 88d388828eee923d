import { DisposedError } from '../runtime/errors.js';
import { disposeOf, keeping, made, usedLate } from '../debug/ledger.js';
import { describe } from './format.js';
import { readFromDevice, warnOfWaiting } from './read.js';
import { heapOf, placeOf } from '../runtime/heap.js';
import { raise, scratch, wasm } from '../runtime/runtime.js';
import { followToFree } from '../runtime/scope_following.js';
import type { ArrayMap, DataType, DataTypeMap, NumericDataType, Rank, ShapeMap, TypedArray } from '../runtime/types.js';
import { decodeString } from '../util/numbers.js';
import { computeStrides, sizeFromShape } from '../util/shape.js';
import { toNestedArray } from '../util/values.js';

/** Stands for the bytes behind a tensor. */
export type DataId = object;

const dataIds = new WeakMap<Tensor, DataId>();
const keptTensors = new WeakSet<Tensor>();
const kNotCloneable = Symbol('a tensor is a handle of its engine: send its values, await x.data(), and its shape');

/**
 * A value on the engine. It has exactly one owner: the scope it was made in, a holder such as a variable or a model,
 * or, outside any scope, you.
 * @example
 * const x = tf.tensor([[1, 2], [3, 4]]);
 * x.shape; // [2, 2]
 * x.add(1).mean(); // 3.5
 * await x.data(); // [1, 2, 3, 4]
 * x.dispose();
 * x.isDisposed; // true
 */
export class Tensor<R extends Rank = Rank> {
  /** The handle: slot and generation. */
  readonly id: number;
  /** The extents of its dimensions. */
  readonly shape: ShapeMap[R];
  /** The type of its elements. */
  readonly dtype: DataType;
  /** @internal No symbol can be cloned: structuredClone() and postMessage() throw rather than give a tensor that is none. */
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
  /** Steps between neighbours of each dimension but the last, in elements. */
  get strides(): number[] {
    return computeStrides(this.shape);
  }
  /** An object that stands for its data, the same each time. */
  get dataId(): DataId {
    let dataId = dataIds.get(this);
    if (!dataId) dataIds.set(this, (dataId = {}));
    return dataId;
  }

  /** Whether it was kept. Setting it keeps the tensor; unset, it is said to be kept no longer, and stays the caller's. */
  get kept(): boolean {
    return keptTensors.has(this);
  }
  set kept(isKept: boolean) {
    if (!isKept) {
      keptTensors.delete(this);
      return;
    }
    if (__DEBUG__) keeping(this.id);
    wasm._tn_keep(this.id);
    keptTensors.add(this);
  }
  /** True once the tensor was disposed, by itself, by its scope or by its holder. */
  get isDisposed(): boolean {
    return wasm._tn_alive(this.id) === 0;
  }
  /** Frees the tensor now. A second time does nothing. */
  dispose(): void {
    followToFree();
    if (__DEBUG__) disposeOf(this.id);
    else wasm._tn_dispose(this.id);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
  /** Throws DisposedError once the tensor was disposed. */
  throwIfDisposed(): void {
    if (this.isDisposed) throw disposed('throwIfDisposed', this);
  }

  /** The elements, copied out; waits for the GPU where they are there alone. Throws DisposedError. */
  dataSync<D extends DataType = NumericDataType>(): DataTypeMap[D] {
    if (__DEBUG__) warnOfWaiting(this.id);
    const start = addressOf(this, 'dataSync');
    return valuesAt(this, start, start + byteLength()) as DataTypeMap[D];
  }
  /** The elements, copied out as they are now: what is disposed before the promise resolves is read all the same. */
  async data<D extends DataType = NumericDataType>(): Promise<DataTypeMap[D]> {
    if (wasm._tn_on_device(this.id) === 1) return asArray(await readFromDevice(this.id), this.dtype) as DataTypeMap[D];
    const start = addressOf(this, 'data');
    return valuesAt(this, start, start + byteLength()) as DataTypeMap[D];
  }
  /** The elements as nested arrays; a scalar's as a number. */
  arraySync(): ArrayMap[R] {
    return nested(this, this.dataSync());
  }
  /** arraySync() without waiting for the GPU. Rejects with DisposedError. */
  async array(): Promise<ArrayMap[R]> {
    return nested(this, await this.data());
  }
  /** The bytes of the elements, copied out: little endian, four each, of bool one; of strings, those of each. */
  bytesSync(): Uint8Array | Uint8Array[] {
    const bytes = copyOut(this, 'bytesSync');
    return this.dtype === 'string' ? textsOf(bytes, this.size) : bytes;
  }
  /** bytesSync() without waiting for the GPU. */
  async bytes(): Promise<Uint8Array | Uint8Array[]> {
    const bytes = await copyOutLater(this, 'bytes');
    return this.dtype === 'string' ? textsOf(bytes, this.size) : bytes;
  }
  /** The values as text; with `verbose`, type, rank and shape before them. */
  toString(verbose = false): string {
    return describe(this.dataSync(), this.shape, this.dtype, verbose);
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

/** Where the elements of a tensor begin on the heap, which they are brought to. */
function addressOf(tensor: Tensor, where: string): number {
  const address = wasm._tn_data(tensor.id);
  if (address === -1) {
    if (tensor.isDisposed) throw disposed(where, tensor);
    raise();
  }
  return address >>> 0;
}

/** How many bytes begin there. */
const byteLength = (): number => scratch()[0]! >>> 0;

/** The elements between two addresses, copied out as what they are: a view of a copy of their bytes takes four times as long. */
function valuesAt(tensor: Tensor, start: number, end: number): TypedArray | string[] {
  const { dtype, size } = tensor;
  if (dtype === 'string') return textsOf(wasm.HEAPU8.slice(start, end), size).map(decoded);
  return heapOf(dtype).slice(placeOf(start, dtype), placeOf(end, dtype));
}

function copyOut(tensor: Tensor, where: string): Uint8Array<ArrayBuffer> {
  const start = addressOf(tensor, where);
  return wasm.HEAPU8.slice(start, start + byteLength());
}

/** The same without waiting for the GPU; what is on the CPU is copied before this returns. */
function copyOutLater(tensor: Tensor, where: string): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  return wasm._tn_on_device(tensor.id) === 1 ? readFromDevice(tensor.id) : copyOut(tensor, where);
}

/** The bytes of each string, behind the offsets of all. */
function textsOf({ buffer }: Uint8Array<ArrayBuffer>, count: number): Uint8Array[] {
  const offsets = new Uint32Array(buffer, 0, count + 1);
  const first = offsets.byteLength;
  return Array.from({ length: count }, (_, i) => new Uint8Array(buffer.slice(first + offsets[i]!, first + offsets[i + 1]!)));
}

function decoded(text: Uint8Array): string {
  try {
    return decodeString(text);
  } catch (cause) {
    throw new Error('Failed to decode the string bytes into utf-8. To get the original bytes, call tensor.bytes().', { cause });
  }
}

function nested<R extends Rank>(tensor: Tensor<R>, values: ArrayLike<unknown>): ArrayMap[R] {
  return toNestedArray(tensor.shape, values, tensor.dtype === 'complex64') as ArrayMap[R];
}

/** The bytes that were read from a device, where no strings are. */
function asArray({ buffer }: Uint8Array<ArrayBuffer>, dtype: DataType): TypedArray {
  switch (dtype) {
    case 'int32':
      return new Int32Array(buffer);
    case 'bool':
      return new Uint8Array(buffer);
    default:
      return new Float32Array(buffer);
  }
}

/** What a tensor that is gone is called in messages: "#812 float32[3]". A debug build tells its story. */
export function nameOf(tensor: Tensor): string {
  const name = `#${tensor.id} ${tensor.dtype}[${tensor.shape}]`;
  return __DEBUG__ ? usedLate(tensor.id, name) : name;
}

export function disposed(where: string, tensor: Tensor): DisposedError {
  return new DisposedError(`[${where}] Tensor is disposed: ${nameOf(tensor)}`);
}
