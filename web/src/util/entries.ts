/** Sets an entry of an object by a name from outside: "__proto__" is one like any other. */
export function setEntry(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}

/** An object's own entry of a name from outside: "constructor" is none of every object. */
export function entryOf<T>(object: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined {
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}
