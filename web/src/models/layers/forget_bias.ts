import { concat } from '../../ops/movement/concat.js';
import { ones } from '../../ops/movement/create.js';
import { runInInternalScope } from '../../owner/scope.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { FieldValues } from './layer_fields.js';
import { Initializer } from './initializers.js';

/** Initializer of an LSTM's bias, gates [i, f, c, o], with ones for the forget gate f. */
class ForgetBias extends Initializer {
  static readonly className = 'CustomInit';
  constructor(private readonly others: Initializer) {
    super();
  }
  apply(shape: number[]): Tensor {
    const units = shape[0]! / 4;
    return runInInternalScope(() =>
      concat([this.others.apply([units]), ones([units]), this.others.apply([2 * units])]),
    );
  }
}

/** Returns the initializer, wrapped in ForgetBias for the bias of an LSTM with unitForgetBias. */
export function withForgetBias(part: string, { unitForgetBias }: FieldValues, initializer: Initializer): Initializer {
  return part === 'bias' && unitForgetBias === true ? new ForgetBias(initializer) : initializer;
}
