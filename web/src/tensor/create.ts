import { setCurrentOp } from '../debug/ledger.js';
import { getHeapArray, getHeapIndex } from '../runtime/heap.js';
import { kIdWords, raise, readId, scratch, wasm } from '../runtime/runtime.js';
import { syncCurrentScope } from '../runtime/async_scope_tracking.js';
import { kMaxBytes } from '../runtime/wasm_memory.js';
import { ShapeError } from '../runtime/errors.js';
import { kDataTypes, type DataType, type Text } from '../runtime/types.js';
import { sizeFromShape } from '../util/shape.js';
import { encodeTexts, isTypedArray, typedArrayLength, toTypedArray } from '../util/values.js';
import { Tensor } from './tensor.js';

/** Returns the output tensor, of the type that the caller declares, that the last engine call described. */
export function takeResult<T extends Tensor = Tensor>(): T {
  return readTensor(scratch(), 0) as T;
}

/** Returns the `count` output tensors, of the type that the caller declares, that the last engine call described. */
export function takeResults<T extends Tensor = Tensor>(count: number): T[] {
  const words = scratch();
  const results: T[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    results.push(readTensor(words, at) as T);
    at += kIdWords + 2 + words[at + 3]!;
  }
  return results;
}

function readTensor(words: Int32Array, at: number): Tensor {
  const id = readId(words, at);
  const dtype = kDataTypes[words[at + 2]!]!;
  const rank = words[at + 3]!;
  // Literals of known length are several times faster than a loop that pushes.
  switch (rank) {
    case 0:
      return new Tensor(id, [], dtype);
    case 1:
      return new Tensor(id, [words[at + 4]!], dtype);
    case 2:
      return new Tensor(id, [words[at + 4]!, words[at + 5]!], dtype);
    case 4:
      return new Tensor(id, [words[at + 4]!, words[at + 5]!, words[at + 6]!, words[at + 7]!], dtype);
    default:
      return new Tensor(id, Array.from(words.subarray(at + 4, at + 4 + rank)), dtype);
  }
}

/** Values to create a tensor from. Complex numbers are interleaved: real part, imaginary part. */
export type Values = ArrayLike<number> | readonly Text[] | number;

/**
 * Creates a tensor of the given shape and dtype from a copy of `values`. Throws an Error if the number of values does
 * not match the shape, ShapeError for a shape that the engine cannot represent, and OutOfMemoryError. The tensor has the
 * type, such as its rank, that the caller declares.
 */
export function createTensor<T extends Tensor = Tensor>(values: Values, shape: readonly number[], dtype: DataType): T {
  if (__DEBUG__) setCurrentOp('tensor');
  syncCurrentScope();
  if (dtype === 'string') return createStrings(values as readonly Text[], shape);
  if (typeof values === 'number') {
    const made = allocate<T>(shape.length === 0 ? shape : checkSingleElement(shape), dtype);
    getHeapArray(dtype)[heapOffset] = values;
    return made;
  }
  const extents = Array.isArray(shape) ? shape.slice() : Array.from(shape);
  const perElement = dtype === 'complex64' ? 2 : 1;
  const source = isTypedArray(values)
    ? values
    : toTypedArray(Array.from(values as ArrayLike<number>), perElement === 2 ? 'float32' : dtype);
  const size = sizeFromShape(extents) * perElement;
  checkCount(extents, typedArrayLength(source), size);
  const made = allocate<T>(extents, dtype);
  try {
    // Bounded by the size of the tensor: a buffer that is shared with other threads may have grown since it was
    // measured.
    const heap = getHeapArray(dtype);
    if (size > kMaxLoopCopy) heap.subarray(heapOffset, heapOffset + size).set(source);
    else for (let i = 0; i < size; i++) heap[heapOffset + i] = source[i]!;
    return made;
  } catch (error) {
    made.dispose();
    throw error;
  }
}

function checkCount(shape: readonly number[], count: number, size: number): void {
  if (count === size) return;
  throw new Error(`Based on the provided shape, [${shape}], the tensor should have ${size} values but has ${count}`);
}

/**
 * Creates a tensor of strings. Its data are the uint32 offset of each string, the end of the last one, and their bytes.
 */
function createStrings<T extends Tensor>(values: readonly Text[], shape: readonly number[]): T {
  const extents = Array.from(shape);
  const encoded = encodeTexts(values);
  checkCount(extents, encoded.length, sizeFromShape(extents));
  const bytes = encoded.reduce((total, text) => total + text.length, 0);
  writeExtents(extents);
  const address = wasm._tn_create_strings(extents.length, Math.min(bytes, kMaxBytes));
  if (address === -1) raise();
  const made = takeResult<T>();
  const offsets = wasm.HEAPU32.subarray(address >>> 2);
  let at = (address >>> 0) + 4 * (encoded.length + 1);
  const first = at;
  encoded.forEach((text, i) => {
    offsets[i] = at - first;
    wasm.HEAPU8.set(text, at);
    at += text.length;
  });
  offsets[encoded.length] = at - first;
  return made;
}

/** Up to this many elements, a loop is faster than creating a subarray. */
const kMaxLoopCopy = 32;

/** Offset on the heap of the tensor that was allocated last, in elements. */
let heapOffset = 0;

/** Allocates a tensor with uninitialized elements, and sets `heapOffset`. */
function allocate<T extends Tensor>(shape: readonly number[], dtype: DataType): T {
  writeExtents(shape);
  const address = wasm._tn_create(kDataTypes.indexOf(dtype), shape.length);
  if (address === -1) raise();
  heapOffset = getHeapIndex(address, dtype);
  return takeResult();
}

/**
 * Writes a shape into the scratch words. Throws ShapeError for more than 8 dimensions, or an extent that is not an int32.
 */
export function writeExtents(shape: readonly number[]): void {
  if (shape.length > 8) throw new ShapeError(`at most 8 dimensions are supported, got ${shape.length}`);
  const words = scratch();
  for (let i = 0; i < shape.length; i++) {
    words[i] = shape[i]!;
    if (words[i] !== shape[i]) throw new ShapeError(`a shape holds integers of 32 bits, got [${shape}]`);
  }
}

function checkSingleElement(shape: readonly number[]): readonly number[] {
  if (sizeFromShape(shape) === 1) return Array.from(shape);
  const size = sizeFromShape(shape);
  throw new Error(`Based on the provided shape, [${shape}], the tensor should have ${size} values but has 1`);
}
