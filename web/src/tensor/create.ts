import { doing } from '../debug/ledger.js';
import { heapOf, placeOf } from '../runtime/heap.js';
import { kIdWords, raise, readId, scratch, wasm } from '../runtime/runtime.js';
import { follow } from '../runtime/scope_following.js';
import { kMostBytes } from '../runtime/bytes.js';
import { ShapeError } from '../runtime/errors.js';
import { kDataTypes, type DataType, type Text } from '../runtime/types.js';
import { sizeFromShape } from '../util/shape.js';
import { encodeAll, isTypedArray, lengthOf, toTypedArray } from '../util/values.js';
import { Tensor } from './tensor.js';

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
    at += kIdWords + 2 + words[at + 3]!;
  }
  return results;
}

function describedAt(words: Int32Array, at: number): Tensor {
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

/** What a tensor may be made of; complex numbers are pairs of numbers, one behind the other. */
export type Values = ArrayLike<number> | readonly Text[] | number;

/**
 * A tensor of a shape and type, its elements copied from as many `values`. Throws when they are not as many as the shape
 * holds, and OutOfMemoryError.
 */
export function createTensor(values: Values, shape: readonly number[], dtype: DataType): Tensor {
  if (__DEBUG__) doing('tensor');
  follow();
  if (dtype === 'string') return createStrings(values as readonly Text[], shape);
  if (typeof values === 'number') {
    const made = allocate(shape.length === 0 ? shape : oneValue(shape), dtype);
    heapOf(dtype)[place] = values;
    return made;
  }
  const extents = Array.isArray(shape) ? shape.slice() : Array.from(shape);
  const perElement = dtype === 'complex64' ? 2 : 1;
  const source = isTypedArray(values) ? values : toTypedArray(Array.from(values as ArrayLike<number>), perElement === 2 ? 'float32' : dtype);
  const size = sizeFromShape(extents) * perElement;
  checkCount(extents, lengthOf(source), size);
  const made = allocate(extents, dtype);
  try {
    // Bounded by what there is room for: a buffer that other threads share may have grown since it was measured.
    const heap = heapOf(dtype);
    if (size > kFew) heap.subarray(place, place + size).set(source);
    else for (let i = 0; i < size; i++) heap[place + i] = source[i]!;
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

/** A tensor of strings: where each begins, where the last ends, and their bytes. */
function createStrings(values: readonly Text[], shape: readonly number[]): Tensor {
  const extents = Array.from(shape);
  const encoded = encodeAll(values);
  checkCount(extents, encoded.length, sizeFromShape(extents));
  const bytes = encoded.reduce((total, text) => total + text.length, 0);
  writeExtents(extents);
  const address = wasm._tn_create_strings(extents.length, Math.min(bytes, kMostBytes));
  if (address === -1) raise();
  const made = takeResult();
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

/** So many elements are written sooner than a view of their places is made. */
const kFew = 32;

/** Where the elements of the tensor made last begin, in elements. */
let place = 0;

/** A tensor whose elements are to be written. */
function allocate(shape: readonly number[], dtype: DataType): Tensor {
  writeExtents(shape);
  const address = wasm._tn_create(kDataTypes.indexOf(dtype), shape.length);
  if (address === -1) raise();
  place = placeOf(address, dtype);
  return takeResult();
}

/** Writes a shape into the scratch words. */
function writeExtents(shape: readonly number[]): void {
  if (shape.length > 8) throw new ShapeError(`at most 8 dimensions are supported, got ${shape.length}`);
  const words = scratch();
  for (let i = 0; i < shape.length; i++) {
    words[i] = shape[i]!;
    if (words[i] !== shape[i]) throw new ShapeError(`a shape holds integers of 32 bits, got [${shape}]`);
  }
}

function oneValue(shape: readonly number[]): readonly number[] {
  if (sizeFromShape(shape) === 1) return Array.from(shape);
  const size = sizeFromShape(shape);
  throw new Error(`Based on the provided shape, [${shape}], the tensor should have ${size} values but has 1`);
}
