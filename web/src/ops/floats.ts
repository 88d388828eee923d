import { cast } from './math/cast.js';
import type { Input } from '../tensor/input.js';
import { asTensor } from '../tensor/input.js';

/** Casts a tensor or values to float32. */
export function castToFloat32(input: Input): Input {
  return input.dtype === 'float32' ? input : cast(asTensor(input), 'float32');
}
