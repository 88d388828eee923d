import type { DTypeCode } from '../generated/ops.js';
import { kDataTypes, type DataType } from '../runtime/types.js';

/** The number of an element type that kernels compute in; float32 for null. Throws for the others. */
export function dtypeCode(dtype: DataType | null): DTypeCode {
  const code: number = kDataTypes.indexOf(dtype ?? 'float32');
  if (code === -1) throw new Error(`Unknown data type ${dtype}`);
  if (code > 2) throw new Error(`Tensors of dtype ${dtype} are not supported yet.`);
  return code;
}
