// Names as TensorFlow.js gives them to layers, models, symbolic tensors and weights.

const uids = new Map<string, number>();

/** The prefix and a number that it had not yet: "dense_Dense" becomes "dense_Dense1". */
export function getUid(prefix: string): string {
  const next = (uids.get(prefix) ?? 0) + 1;
  uids.set(prefix, next);
  return `${prefix}${next}`;
}

const scopes: string[] = [];

/** Names that are made in `fn` begin with this one and a slash. */
export function nameScope<T>(name: string, fn: () => T): T {
  scopes.push(name);
  try {
    return fn();
  } finally {
    scopes.pop();
  }
}

const kValid = /^[A-Za-z0-9][-A-Za-z0-9._/]*$/;

/** The name behind those of the scopes. Throws for one with characters that no name may have. */
export function scopedName(name: string): string {
  if (!kValid.test(name)) throw new Error(`Not a valid tensor name: '${name}'`);
  return [...scopes, name].join('/');
}

/** How often a name was given, and how many bear it or one with a number behind it. */
interface NameUse {
  given: number;
  bearers: number;
}

const uses = new Map<string, NameUse>();

/** The name itself, or where it was given before, with a number. To be released when what bears it is gone. */
export function uniqueName(name: string): string {
  const before = useName(name);
  if (before === 0) return name;
  const unique = `${name}_${before}`;
  useName(unique);
  return unique;
}

/** Forgets a name that uniqueName() gave for another: names that nobody bears begin anew. */
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
/** A number for a symbolic tensor or a weight. */
export function nextTensorId(): number {
  return nextId++;
}
