import type { DTypeCode } from '../generated/ops.js';
import { kDataTypes, type DataType } from '../runtime/types.js';

/** The number of an element type of numbers; float32 for null. Throws for the others. */
export function dtypeCode(dtype: DataType | null): DTypeCode {
  const code: number = kDataTypes.indexOf(dtype ?? 'float32');
  if (code === -1) throw new Error(`Unknown data type ${dtype}`);
  if (dtype === 'string') throw new Error('A tensor of strings cannot be made of numbers.');
  return code;
}
