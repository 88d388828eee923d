import { Holder } from '../owner/scope.js';
import { getClassName } from '../runtime/wasm_bytes.js';
import { Tensor } from '../tensor/tensor.js';
import { setEntry } from '../util/entries.js';
import { isTypedArray, sizeInBytes } from '../util/values.js';

/** Result of visiting a node of an element: its replacement, or 'children' to visit its children. */
export type Visit = { readonly value: unknown } | 'children';

/** Classes of objects that are more than their entries, and so leaves of an element. */
const kLeafClasses = [Tensor, Holder, Promise, ArrayBuffer, Map, Set, Date, RegExp];

/** True if a value is a container whose entries are part of the element: an array, or an object that is its entries. */
export function isIterable(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return !kLeafClasses.some((one) => value instanceof one);
}

/** True if values like this one become a tensor when they are batched. */
export function canTensorify(value: unknown): boolean {
  if (value === null || value === undefined || Array.isArray(value) || value instanceof Tensor) return true;
  return isTypedArray(value) || (typeof value !== 'object' && typeof value !== 'function');
}

/**
 * Returns a copy of nested arrays and objects in which `visit` replaces nodes. A node that occurs twice is replaced
 * once. Throws for circular references.
 */
export function deepMap(root: unknown, visit: (node: unknown) => Visit): unknown {
  const seen = new Map<unknown, unknown>();
  const ancestors = new Set<unknown>();
  const map = (node: unknown): unknown => {
    if (node === null || node === undefined) return null;
    if (typeof Blob === 'function' && node instanceof Blob) return node.slice();
    if (ancestors.has(node)) throw new Error('Circular references are not supported.');
    if (seen.has(node)) return seen.get(node);
    const visited = visit(node);
    if (visited !== 'children') {
      seen.set(node, visited.value);
      return visited.value;
    }
    ancestors.add(node);
    const copy = isCollection(node) ? mapCollection(node, map) : mapEntries(node as Record<string, unknown>, map);
    ancestors.delete(node);
    return copy;
  };
  return map(root);
}

/** Returns a copy of a value in which `replace` replaces each tensor. */
export function mapTensors<T>(value: T, replace: (tensor: Tensor) => unknown): T {
  return deepMap(value, (node) => {
    if (node instanceof Tensor) return { value: replace(node as Tensor) };
    return isIterable(node) || isCollection(node) ? 'children' : { value: node };
  }) as T;
}

/** Returns the value with copies of its typed arrays and ArrayBuffers; its tensors are the same. */
export function copyTypedArrays<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  return deepMap(value, (node) => {
    if (ArrayBuffer.isView(node)) return { value: copyView(node) };
    if (node instanceof ArrayBuffer) return { value: node.slice(0) };
    return isIterable(node) || isCollection(node) ? 'children' : { value: node };
  }) as T;
}

/** Copies a typed array or DataView, with only the bytes that it shows. Chrome has structuredClone() only since 98. */
function copyView(view: ArrayBufferView): ArrayBufferView {
  const { buffer } = new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
  const View = Reflect.get(globalThis, getClassName(view)) as new (bytes: ArrayBuffer) => ArrayBufferView;
  return new View(buffer);
}

/**
 * Combines values of the same structure into one. `zip` gets the values at one position, and returns their replacement,
 * or 'children' to visit their children. Throws if the structures differ or are circular.
 */
export function deepZip(rows: readonly unknown[], zip: (rows: readonly unknown[]) => Visit): unknown {
  const ancestors = new Set<unknown>();
  const visit = (column: readonly unknown[]): unknown => {
    const [first] = column;
    if (ancestors.has(first)) throw new Error('Circular references are not supported.');
    const zipped = zip(column);
    if (zipped !== 'children') return zipped.value;
    if (!isIterable(first)) throw new Error(`Can't recurse into non-iterable type: ${String(first)}`);
    ancestors.add(first);
    const result = mapEntries(first, (_, key) => visit(column.map((row, i) => getChild(row, key, i))), false);
    ancestors.delete(first);
    return result;
  };
  return visit(rows);
}

function getChild(row: unknown, key: string, place: number): unknown {
  if (isIterable(row) && key in row) return row[key];
  throw new Error(`elements must have the same structure: element ${place} has no '${key}', which the first one has`);
}

function mapEntries(
  node: Record<string, unknown>,
  map: (child: unknown, key: string) => unknown,
  keepsClass = true,
): unknown {
  const copy = (Array.isArray(node) ? [] : {}) as Record<string, unknown>;
  for (const key in node) setEntry(copy, key, map(node[key], key));
  return keepsClass && !Array.isArray(node) ? Object.setPrototypeOf(copy, Object.getPrototypeOf(node) as object) : copy;
}

type Collection = Map<unknown, unknown> | Set<unknown>;

function isCollection(node: unknown): node is Collection {
  return node instanceof Map || node instanceof Set;
}

function mapCollection(node: Collection, map: (child: unknown) => unknown): Collection {
  if (node instanceof Set) return new Set([...node].map(map));
  return new Map([...node].map(([key, child]) => [key, map(child)]));
}

/** Returns the total number of bytes of tensors. */
export function totalBytes(tensors: readonly Tensor[]): number {
  return tensors.reduce((sum, { dtype, shape }) => sum + sizeInBytes(shape, dtype), 0);
}
