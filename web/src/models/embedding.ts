import { notEqual } from '../ops/binary.js';
import type { Tensor } from '../tensor/tensor.js';
import { EngineLayer } from './engine_layer.js';
import { toList } from './lists.js';

/** Knows the mask of its indices before it has its table. */
export class Embedding extends EngineLayer {
  static readonly className = 'Embedding';
  override computeMask(inputs: Tensor | Tensor[]): Tensor | null {
    return this.values['maskZero'] ? notEqual(toList(inputs)[0]!, 0) : null;
  }
}
