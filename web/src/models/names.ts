// TensorFlow.js's rules for the names of layers, models, symbolic tensors and weights.

const uids = new Map<string, number>();

/** Returns the prefix followed by its next number, from 1: "dense_Dense" becomes "dense_Dense1". */
export function getUid(prefix: string): string {
  const next = (uids.get(prefix) ?? 0) + 1;
  uids.set(prefix, next);
  return `${prefix}${next}`;
}

const scopes: string[] = [];

/** Runs `fn` and prefixes the names created in it with this name and a slash. */
export function nameScope<T>(name: string, fn: () => T): T {
  scopes.push(name);
  try {
    return fn();
  } finally {
    scopes.pop();
  }
}

const kValid = /^[A-Za-z0-9][-A-Za-z0-9._/]*$/;

/** Returns a name prefixed with the open name scopes. Throws if it has a character that is not allowed. */
export function scopedName(name: string): string {
  if (!kValid.test(name)) throw new Error(`Not a valid tensor name: '${name}'`);
  return [...scopes, name].join('/');
}

/** Use counts of a name: its requests so far, and the objects that now have it or a numbered form of it. */
interface NameUse {
  given: number;
  bearers: number;
}

const uses = new Map<string, NameUse>();

/** Returns the name, with a numeric suffix if it is in use. The caller releases it with releaseName() once it is unused. */
export function uniqueName(name: string): string {
  const before = useName(name);
  if (before === 0) return name;
  const unique = `${name}_${before}`;
  useName(unique);
  return unique;
}

/** Releases a name that uniqueName(`name`) returned. Numbering restarts once no object has the name. */
export function releaseName(name: string, unique: string): void {
  for (const each of new Set([name, unique])) {
    const use = uses.get(each);
    if (use && --use.bearers === 0) uses.delete(each);
  }
}

function useName(name: string): number {
  const use = uses.get(name) ?? { given: 0, bearers: 0 };
  uses.set(name, use);
  use.bearers++;
  return use.given++;
}

let nextId = 0;
/** Returns a new id for a symbolic tensor or a weight. */
export function nextTensorId(): number {
  return nextId++;
}
