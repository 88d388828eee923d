// In a separate file: TypeScript loses imports of a declaration file that augments another module.
import type { TensorBuffer } from '../tensor/buffer.js';
import type { DataType, Rank } from '../runtime/types.js';
import type { Methods } from './methods.js';

declare module '../tensor/tensor.js' {
  interface Tensor<R extends Rank = Rank> extends Methods {
    /** Copies the elements to a buffer, to read and write them one by one. Blocks until a GPU has computed them. */
    bufferSync<D extends DataType = 'float32'>(): TensorBuffer<R, D>;
    /** Copies the elements to a buffer, to read and write them one by one, without blocking. */
    buffer<D extends DataType = 'float32'>(): Promise<TensorBuffer<R, D>>;
  }
}
