/** Sets an own entry of an object by a name from outside, for which "__proto__" is a key like any other. */
export function setEntry(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Returns the own entry of an object for a name from outside. Inherited names such as "constructor" are undefined. */
export function getEntry<T>(object: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}
