import type { DTypeCode } from '../generated/ops.js';
import { kDataTypes, type DataType } from '../runtime/types.js';

/** The number of an element type that kernels compute in. Throws for the others. */
export function dtypeCode(dtype: DataType): DTypeCode {
  const code: number = kDataTypes.indexOf(dtype);
  if (code === -1) throw new Error(`Unknown data type ${dtype}`);
  if (code > 2) throw new Error(`Tensors of dtype ${dtype} are not supported yet.`);
  return code;
}
