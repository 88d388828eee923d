import { raise, scratch, wasm } from './runtime.js';
import { DisposedError } from './errors.js';
import { kDataTypes, type DataType, type DataTypeMap, type ShapeMap } from './types.js';

/**
 * A value on the engine. It has exactly one owner: the scope it was made in, a holder such as a variable or a model,
 * or, outside any scope, you.
 */
export class Tensor<R extends keyof ShapeMap = keyof ShapeMap> {
  /** The handle: slot and generation. */
  readonly id: number;
  readonly shape: ShapeMap[R];
  readonly dtype: DataType;

  /** @internal */
  constructor(id: number, shape: number[], dtype: DataType) {
    this.id = id;
    this.shape = shape as ShapeMap[R];
    this.dtype = dtype;
  }

  /** True once the tensor was disposed, by itself, by its scope or by its holder. */
  get isDisposed(): boolean {
    return wasm._tn_alive(this.id) === 0;
  }

  /** Frees the tensor now. A second time does nothing. */
  dispose(): void {
    wasm._tn_dispose(this.id);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The elements, copied out. */
  dataSync<D extends DataType = 'float32'>(): DataTypeMap[D] {
    const address = wasm._tn_data(this.id);
    if (address === -1) throw disposed('dataSync', this);
    const start = address >>> 0;
    const bytes = scratch()[0]! >>> 0;
    const copy = wasm.HEAPU8.slice(start, start + bytes);
    switch (this.dtype) {
      case 'int32':
        return new Int32Array(copy.buffer) as DataTypeMap[D];
      case 'bool':
        return copy as DataTypeMap[D];
      default:
        return new Float32Array(copy.buffer) as DataTypeMap[D];
    }
  }
}

export function disposed(where: string, tensor: Tensor): DisposedError {
  return new DisposedError(`[${where}] Tensor is disposed: #${tensor.id} ${tensor.dtype}[${tensor.shape}]`);
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
  // Literals of known length are several times faster than a loop that pushes.
  switch (words[at + 2]) {
    case 0:
      return new Tensor(id, [], dtype);
    case 1:
      return new Tensor(id, [words[at + 3]!], dtype);
    case 2:
      return new Tensor(id, [words[at + 3]!, words[at + 4]!], dtype);
    default:
      return new Tensor(id, Array.from(words.subarray(at + 3, at + 3 + words[at + 2]!)), dtype);
  }
}

/** A tensor of the given shape, its elements not yet written; `write` gets the address of the first byte. */
export function createTensor(shape: number[], dtype: 'float32' | 'int32' | 'bool', write: (address: number) => void): Tensor {
  const words = scratch();
  for (let i = 0; i < shape.length; i++) words[i] = shape[i]!;
  const address = wasm._tn_create(kDataTypes.indexOf(dtype), shape.length);
  if (address === -1) raise();
  const tensor = takeResult();
  write(address >>> 0);
  return tensor;
}
