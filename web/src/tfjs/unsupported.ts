/**
 * Returns a function that throws when it is called, not when it is imported. The error names it and says what to do
 * instead.
 */
export function unsupported(name: string, instead: string): (...args: unknown[]) => never {
  return () => {
    throw new Error(`[${name}] is part of the backends of TensorFlow.js, which Tenure does not have: ${instead}`);
  };
}

const kOps = 'call the op of tf that it implements';

/** Returns an object of functions that throw when they are called. `names` are separated by blanks. */
export function allUnsupported(
  space: string,
  names: string,
  instead = kOps,
): Record<string, (...args: unknown[]) => never> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, unsupported(`${space}.${name}`, instead)]),
  );
}

/** Adds methods that throw when they are called to a class. `names` are separated by blanks. */
export function addUnsupportedMethods(type: { name: string; prototype: object }, names: string, instead: string): void {
  for (const [name, value] of Object.entries(allUnsupported(type.name, names, instead))) {
    Object.defineProperty(type.prototype, name, { value, writable: true, configurable: true });
  }
}
