import { wasm } from './runtime.js';
import { Tensor } from './tensor.js';

export type TensorContainer = unknown;

/**
 * Runs `fn`, then frees every tensor made inside that is neither kept nor reachable from the result: through arrays,
 * objects, class instances, Map and Set. When `fn` throws, everything not kept is freed and the error goes on.
 */
export function tidy<T>(nameOrFn: string | (() => T), fn?: () => T): T {
  if (fn === undefined) {
    if (typeof nameOrFn !== 'function') throw new Error('Please provide a function to tidy()');
    fn = nameOrFn;
  } else {
    if (typeof nameOrFn !== 'string' && !((nameOrFn as unknown) instanceof String)) {
      throw new Error('When calling with two arguments, the first argument to tidy() must be a string');
    }
    if (typeof fn !== 'function') {
      throw new Error('When calling with two arguments, the 2nd argument to tidy() must be a function');
    }
  }
  const body = fn;
  let result!: T;
  let thrown: { error: unknown } | undefined;
  wasm.tidy((scope: number) => {
    // The engine's frames must not be unwound by a JavaScript exception, so it waits until they are left.
    try {
      result = body();
      if (result instanceof Promise) console.error('Cannot return a Promise inside of tidy.');
      forEachTensor(result, (tensor) => wasm._tn_hand_to_parent(tensor.id, scope));
    } catch (error) {
      thrown = { error };
    }
  });
  if (thrown) throw thrown.error;
  return result;
}

/** Visits every tensor reachable from `container`, each object once. */
export function forEachTensor(container: unknown, visit: (tensor: Tensor) => void): void {
  if (container instanceof Tensor) return visit(container);
  if (typeof container !== 'object' || container === null) return;
  walk(container, visit, new Set());
}

function walk(node: object, visit: (tensor: Tensor) => void, seen: Set<object>): void {
  if (node instanceof Tensor) return visit(node);
  if (seen.has(node) || ArrayBuffer.isView(node)) return;
  seen.add(node);
  const children: Iterable<unknown> =
    node instanceof Map ? [...node.keys(), ...node.values()] : node instanceof Set ? node : Object.values(node);
  for (const child of children) {
    if (typeof child === 'object' && child !== null) walk(child, visit, seen);
  }
}
