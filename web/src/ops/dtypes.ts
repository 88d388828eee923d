import type { DTypeCode } from '../generated/ops.js';
import { kDataTypes, type DataType } from '../runtime/types.js';
import { assert } from '../util/checks.js';

/** Returns the engine's code of a dtype other than string; null is float32. Throws for string and unknown dtypes. */
export function dtypeCode(dtype: DataType | null): DTypeCode {
  const code: number = kDataTypes.indexOf(dtype ?? 'float32');
  if (code === -1) throw new Error(`Unknown data type ${dtype}`);
  if (dtype === 'string') throw new Error('A tensor of strings cannot be made of numbers.');
  return code;
}

/** Throws for complex64, with the engine's message. */
export function assertNotComplex({ dtype }: { dtype: string }, name: string): void {
  assert(dtype !== 'complex64', () => `[${name}] ${name} does not support complex64 tensors`);
}
