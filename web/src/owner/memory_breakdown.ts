import { formatCount } from '../debug/records.js';
import { describeSite } from '../debug/sites.js';
import type { TensorGroup, OutOfMemoryError } from '../runtime/errors.js';
import { kIdWords, readId, scratch, wasm } from '../runtime/runtime.js';
import { kDataTypes, type DataType } from '../runtime/types.js';
import { sizeInBytes } from '../util/values.js';

const kMaxGroups = 10;

/** Calls `visit` for each live tensor that a scope and those inside own, without borrowed ones; for all tensors if `scope` is 0. */
function forEachTensor(scope: number, visit: (id: number, dtype: DataType, shape: number[]) => void): void {
  for (let first = 1; first !== 0; ) {
    const count = wasm._tn_list(scope, first);
    const words = scratch();
    first = words[0]!;
    for (let i = 0, at = 1; i < count; i++) {
      const extents = at + kIdWords + 2;
      const end = extents + words[extents - 1]!;
      visit(readId(words, at), kDataTypes[words[extents - 2]!]!, Array.from(words.subarray(extents, end)));
      at = end;
    }
  }
}

/**
 * Returns the live tensors of a scope and those inside, or all if `scope` is 0, grouped by type, shape and call site, the group
 * with the most bytes first. `isIncluded` returns true for the ids of tensors to include.
 */
export function groupTensors(scope: number, isIncluded: (id: number) => boolean = () => true): TensorGroup[] {
  const groups = new Map<string, TensorGroup>();
  forEachTensor(scope, (id, dtype, shape) => {
    if (!isIncluded(id)) return;
    const site = describeSite(id);
    const key = `${dtype}[${shape}]${site}`;
    const group = groups.get(key) ?? { dtype, shape, count: 0, bytes: 0, site };
    group.count++;
    group.bytes += sizeInBytes(shape, dtype);
    groups.set(key, group);
  });
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes);
}

/** Returns the first groups, 10 at most, as text: "2 x float32[3] (24 bytes), int32[] (4 bytes)". */
export function listGroups(groups: TensorGroup[]): string {
  const lines = groups.slice(0, kMaxGroups).map(({ dtype, shape, count, bytes, site }) => {
    return `${count > 1 ? `${count} x ` : ''}${dtype}[${shape}]${site} (${formatCount(bytes, 'byte')})`;
  });
  return lines.join(', ') + (groups.length > kMaxGroups ? ', ...' : '');
}

/** Adds the groups of live tensors to an error, and the largest of them to its message. */
export function attachLargestTensors(error: OutOfMemoryError): void {
  error.largestTensors = groupTensors(0);
  if (error.largestTensors.length > 0) error.message += `. The largest: ${listGroups(error.largestTensors)}`;
}
