// In a file of its own: TypeScript loses imports of a declaration file that augments another module.
import type { Variable } from './variable.js';
import type { DataType, Rank } from '../runtime/types.js';

declare module '../tensor/tensor.js' {
  interface Tensor<R extends Rank = Rank> {
    /** A variable that begins with this value. */
    variable(trainable?: boolean, name?: string, dtype?: DataType): Variable<R>;
  }
}
