import { doing } from '../debug/ledger.js';
import { kIdWords, raise, readId, scratch, wasm } from '../runtime/runtime.js';
import { follow } from '../runtime/scope_following.js';
import { kDataTypes, type DataType, type TypedArray } from '../runtime/types.js';
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
