// In a separate file: TypeScript loses imports of a declaration file that augments another module.
import type { Variable } from './variable.js';
import type { DataType, Rank } from '../runtime/types.js';

declare module '../tensor/tensor.js' {
  interface Tensor<R extends Rank = Rank> {
    /**
     * Returns a new variable with the value of the tensor. The caller owns it. Throws if another variable has the name.
     * @param trainable True (default) if optimizers update the variable by default.
     * @param name Name: a number by default.
     * @param dtype Type to which the value is cast: that of the tensor by default.
     */
    variable(trainable?: boolean, name?: string, dtype?: DataType): Variable<R>;
  }
}
