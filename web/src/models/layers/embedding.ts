import { notEqual } from '../../ops/math/binary.js';
import type { Tensor } from '../../tensor/tensor.js';
import { EngineLayer } from './engine_layer.js';
import { toList } from '../../util/array_utils.js';

/** Embedding layer. Its mask depends on the indices alone, so that computeMask() works before the layer is built. */
export class Embedding extends EngineLayer {
  static readonly className = 'Embedding';
  override computeMask(inputs: Tensor | Tensor[]): Tensor | null {
    return this.values['maskZero'] ? notEqual(toList(inputs)[0]!, 0) : null;
  }
}
