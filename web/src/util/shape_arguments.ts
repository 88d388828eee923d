/**
 * Throws TypeError unless `list`, a shape or another list of extents, is an array or a typed array. `name` is the
 * argument's name in the message.
 */
export function assertIsArray(list: unknown, name: string): void {
  if (Array.isArray(list) || ArrayBuffer.isView(list)) return;
  const hint = typeof list === 'number' ? ` (for one dimension, pass [${list}])` : '';
  throw new TypeError(`expected ${name} to be an array of integers, got ${String(list)}${hint}`);
}
