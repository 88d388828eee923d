import { tidy } from '../owner/scope.js';

/** Suffix of the names of custom ops. */
export const OP_SCOPE_SUFFIX = '__op';

/**
 * Converts `{ name: function }` to an op: each call runs the function in a tidy(), which frees its intermediate tensors. Throws
 * unless the object has exactly one key.
 * @example
 * const twice = tf.op({ twice: (x) => tf.add(x, x) });
 * twice([1, 2]); // [2, 4]
 */
export function op<T extends (...args: never[]) => unknown>(f: Record<string, T>): T {
  const keys = Object.keys(f);
  if (keys.length !== 1) {
    throw new Error(
      'Please provide an object with a single key (operation name) mapping to a function. ' +
        `Got an object with ${keys.length} keys.`,
    );
  }
  const [key] = keys as [string];
  const name = key.replace(/_$/, '') + OP_SCOPE_SUFFIX;
  const run = (...args: never[]) => tidy(name, () => f[key]!(...args));
  Object.defineProperty(run, 'name', { value: name, configurable: true });
  return run as T;
}
