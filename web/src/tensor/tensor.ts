import { DisposedError } from '../runtime/errors.js';
import { disposeOf, doing, made, usedLate } from '../debug/ledger.js';
import { describe } from './format.js';
import type { Methods } from '../ops/methods.js';
import { readFromDevice, warnOfWaiting } from './read.js';
import { raise, scratch, wasm } from '../runtime/runtime.js';
import { follow } from '../owner/scope_following.js';
import { TensorBuffer } from './buffer.js';
import type { Rank} from './types.js';
import { kDataTypes, type ArrayMap, type DataType, type DataTypeMap, type ShapeMap, type TypedArray } from './types.js';
import { computeStrides, sizeFromShape } from '../util/shape.js';
import { toNestedArray } from '../util/values.js';

/** Stands for the bytes behind a tensor. */
export type DataId = object;

const dataIds = new WeakMap<Tensor, DataId>();

// Here and not beside the methods: TypeScript loses imports of a declaration file that augments another module.
// eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
export interface Tensor<R extends Rank = Rank> extends Methods {}

/**
 * A value on the engine. It has exactly one owner: the scope it was made in, a holder such as a variable or a model,
 * or, outside any scope, you.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class Tensor<R extends Rank = Rank> {
  /** The handle: slot and generation. */
  readonly id: number;
  readonly shape: ShapeMap[R];
  readonly dtype: DataType;

  /** @internal */
  constructor(id: number, shape: number[], dtype: DataType) {
    this.id = id;
    this.shape = shape as ShapeMap[R];
    this.dtype = dtype;
    if (__DEBUG__) made(this, id);
  }

  /** Number of dimensions. */
  get rank(): number {
    return this.shape.length;
  }
  get rankType(): R {
    return (this.rank < 5 ? `R${this.rank}` : 'higher') as R;
  }
  /** Number of elements. */
  get size(): number {
    return sizeFromShape(this.shape);
  }
  /** Steps between neighbours of each dimension but the last, in elements. */
  get strides(): number[] {
    return computeStrides(this.shape);
  }
  get dataId(): DataId {
    let dataId = dataIds.get(this);
    if (!dataId) dataIds.set(this, (dataId = {}));
    return dataId;
  }

  /** True once the tensor was disposed, by itself, by its scope or by its holder. */
  get isDisposed(): boolean {
    return wasm._tn_alive(this.id) === 0;
  }
  /** Frees the tensor now. A second time does nothing. */
  dispose(): void {
    follow();
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
  dataSync<D extends DataType = 'float32'>(): DataTypeMap[D] {
    if (__DEBUG__) warnOfWaiting(this.id);
    return asArray<D>(copyOut(this, 'dataSync'), this.dtype);
  }
  /** The elements, copied out as they are now: what is disposed before the promise resolves is read all the same. */
  async data<D extends DataType = 'float32'>(): Promise<DataTypeMap[D]> {
    return asArray<D>(await copyOutLater(this, 'data'), this.dtype);
  }
  /** The elements as nested arrays; a scalar's as a number. */
  arraySync(): ArrayMap[R] {
    return toNestedArray(this.shape, this.dataSync()) as ArrayMap[R];
  }
  async array(): Promise<ArrayMap[R]> {
    return toNestedArray(this.shape, await this.data()) as ArrayMap[R];
  }
  /** The bytes of the elements, copied out: little endian, four each, of bool one. */
  bytesSync(): Uint8Array {
    return copyOut(this, 'bytesSync');
  }
  async bytes(): Promise<Uint8Array> {
    return copyOutLater(this, 'bytes');
  }
  /** The elements, copied out, to read and write one by one. */
  bufferSync<D extends DataType = 'float32'>(): TensorBuffer<R, D> {
    return new TensorBuffer<R, D>(this.shape, this.dtype as D, this.dataSync<D>());
  }
  async buffer<D extends DataType = 'float32'>(): Promise<TensorBuffer<R, D>> {
    return new TensorBuffer<R, D>(this.shape, this.dtype as D, await this.data<D>());
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

export type Scalar = Tensor<Rank.R0>;
export type Tensor1D = Tensor<Rank.R1>;
export type Tensor2D = Tensor<Rank.R2>;
export type Tensor3D = Tensor<Rank.R3>;
export type Tensor4D = Tensor<Rank.R4>;
export type Tensor5D = Tensor<Rank.R5>;
export type Tensor6D = Tensor<Rank.R6>;
export type NamedTensorMap = Record<string, Tensor>;

function copyOut(tensor: Tensor, where: string): Uint8Array<ArrayBuffer> {
  const address = wasm._tn_data(tensor.id);
  if (address === -1) {
    if (tensor.isDisposed) throw disposed(where, tensor);
    raise();
  }
  const start = address >>> 0;
  return wasm.HEAPU8.slice(start, start + (scratch()[0]! >>> 0));
}

/** The same without waiting for the GPU; what is on the CPU is copied before this returns. */
function copyOutLater(tensor: Tensor, where: string): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  return wasm._tn_on_device(tensor.id) === 1 ? readFromDevice(tensor.id) : copyOut(tensor, where);
}

function asArray<D extends DataType>({ buffer }: Uint8Array<ArrayBuffer>, dtype: DataType): DataTypeMap[D] {
  switch (dtype) {
    case 'int32':
      return new Int32Array(buffer) as DataTypeMap[D];
    case 'bool':
      return new Uint8Array(buffer) as DataTypeMap[D];
    default:
      return new Float32Array(buffer) as DataTypeMap[D];
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

/** The result that the last call described in the scratch words. */
export function takeResult(): Tensor {
  return describedAt(scratch(), 0);
}

/** The `count` results that the last call described, one behind the other. */
export function takeResults(count: number): Tensor[] {
  const words = scratch();
  const results: Tensor[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    results.push(describedAt(words, at));
    at += 3 + words[at + 2]!;
  }
  return results;
}

function describedAt(words: Int32Array, at: number): Tensor {
  const dtype = kDataTypes[words[at + 1]!]!;
  const id = words[at]!;
  const rank = words[at + 2]!;
  // Literals of known length are several times faster than a loop that pushes.
  switch (rank) {
    case 0:
      return new Tensor(id, [], dtype);
    case 1:
      return new Tensor(id, [words[at + 3]!], dtype);
    case 2:
      return new Tensor(id, [words[at + 3]!, words[at + 4]!], dtype);
    case 4:
      return new Tensor(id, [words[at + 3]!, words[at + 4]!, words[at + 5]!, words[at + 6]!], dtype);
    default:
      return new Tensor(id, Array.from(words.subarray(at + 3, at + 3 + rank)), dtype);
  }
}

/** A tensor of a shape and type, its elements copied from as many `values`. Throws OutOfMemoryError. */
export function createTensor(values: TypedArray | number, shape: readonly number[], dtype: DataType): Tensor {
  if (__DEBUG__) doing('tensor');
  follow();
  const words = scratch();
  if (shape.length > 8) throw new Error(`at most 8 dimensions are supported, got ${shape.length}`);
  for (let i = 0; i < shape.length; i++) words[i] = shape[i]!;
  const address = wasm._tn_create(kDataTypes.indexOf(dtype), shape.length);
  if (address === -1) raise();
  const heap = dtype === 'float32' ? wasm.HEAPF32 : dtype === 'int32' ? wasm.HEAP32 : wasm.HEAPU8;
  const at = dtype === 'bool' ? address >>> 0 : address >>> 2;
  if (typeof values === 'number') heap[at] = values;
  else heap.set(values, at);
  return takeResult();
}
