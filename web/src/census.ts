import { describeSite } from './debug/sites.js';
import { kDataTypes } from './types.js';

const kMostLines = 10;

/**
 * Tensors as tn_list() describes them, those of one type and shape (and site, in a debug build) together and the largest
 * first: "2 x float32[3] (24 bytes), int32[] (4 bytes)".
 */
export function census(words: Int32Array, count: number): string {
  const groups = new Map<string, { count: number; bytes: number }>();
  for (let i = 0, at = 0; i < count; i++) {
    const dtype = kDataTypes[words[at + 1]!]!;
    const end = at + 3 + words[at + 2]!;
    const shape = Array.from(words.subarray(at + 3, end));
    const name = `${dtype}[${shape}]${describeSite(words[at]!)}`;
    const group = groups.get(name) ?? { count: 0, bytes: 0 };
    group.count++;
    group.bytes += shape.reduce((size, extent) => size * extent, dtype === 'bool' ? 1 : 4);
    groups.set(name, group);
    at = end;
  }
  const sorted = [...groups].sort(([, a], [, b]) => b.bytes - a.bytes);
  const lines = sorted.slice(0, kMostLines).map(([name, group]) => {
    return `${group.count > 1 ? `${group.count} x ` : ''}${name} (${group.bytes} bytes)`;
  });
  return lines.join(', ') + (sorted.length > kMostLines ? ', ...' : '');
}
