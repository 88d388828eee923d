import { concat } from '../ops/concat.js';
import { ones } from '../ops/create.js';
import { composed } from '../owner/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import type { FieldValues } from './fields.js';
import { Initializer } from './initializers.js';

/** Initializer of an LSTM's bias, gates [i, f, c, o], with ones for the forget gate f. */
class ForgetBias extends Initializer {
  static readonly className = 'CustomInit';
  constructor(private readonly others: Initializer) {
    super();
  }
  apply(shape: number[]): Tensor {
    const units = shape[0]! / 4;
    return composed(() => concat([this.others.apply([units]), ones([units]), this.others.apply([2 * units])]));
  }
}

/** Returns the initializer, wrapped in ForgetBias for the bias of an LSTM with unitForgetBias. */
export function splitForgetBias(part: string, { unitForgetBias }: FieldValues, initializer: Initializer): Initializer {
  return part === 'bias' && unitForgetBias === true ? new ForgetBias(initializer) : initializer;
}
