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

const used = new Map<string, number>();

/** The name itself, or where it was given before, with a number. */
export function uniqueName(name: string): string {
  const index = used.get(name) ?? 0;
  used.set(name, index + 1);
  if (index === 0) return name;
  used.set(`${name}_${index}`, 1);
  return `${name}_${index}`;
}

let nextId = 0;
/** A number for a symbolic tensor or a weight. */
export function nextTensorId(): number {
  return nextId++;
}
