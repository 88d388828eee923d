// In a file of its own: TypeScript loses imports of a declaration file that augments another module.
import type { TensorBuffer } from '../tensor/buffer.js';
import type { DataType, Rank } from '../runtime/types.js';
import type { Methods } from './methods.js';

declare module '../tensor/tensor.js' {
  interface Tensor<R extends Rank = Rank> extends Methods {
    /** The elements, copied out, to read and write one by one. */
    bufferSync<D extends DataType = 'float32'>(): TensorBuffer<R, D>;
    /** bufferSync() without waiting for the GPU. */
    buffer<D extends DataType = 'float32'>(): Promise<TensorBuffer<R, D>>;
  }
}
