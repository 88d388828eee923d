// Lists the public names of TensorFlow.js that the package does not have: exports, members of its namespaces (`io.http`),
// methods (`Tensor.abs`) and static members of its classes.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';
import { absent } from './reasons.mjs';

const kMethods = 'tests/conformance/node_modules/@tensorflow/tfjs-core/dist/public/chained_ops';

/**
 * Returns `{ missing, kernels }`: names with the reason why they are missing, undefined without one; and the number of
 * constants that name kernels.
 */
export async function missingNames() {
  const [theirs, ours] = await Promise.all([import('@tensorflow/tfjs-core'), import('../../dist/index.js')]);
  const exported = Object.keys(theirs).filter((name) => name !== 'default');
  const missing = exported.flatMap((name) => missingOf(name, theirs[name], ours[name]));
  missing.push(
    ...chainedMethods()
      .filter((name) => !(name in ours.Tensor.prototype))
      .map((name) => `Tensor.${name}`),
  );
  const isKernel = (name) => typeof theirs[name] === 'string';
  return {
    missing: missing
      .filter((name) => !isKernel(name))
      .sort()
      .map((name) => ({ name, reason: reasonOf(name) })),
    kernels: missing.filter(isKernel).length,
  };
}

function reasonOf(name) {
  return absent.find(({ names }) => names.includes(name))?.reason;
}

function missingOf(name, theirs, ours) {
  if (ours === undefined) return [name];
  if (typeof theirs !== 'object' && typeof theirs !== 'function') return [];
  const known = [...membersOf(theirs), ...membersOf(theirs.prototype)];
  return known
    .filter((member) => !(member in ours) && !(member in (ours.prototype ?? {})))
    .map((member) => `${name}.${member}`);
}

/** Returns the members of an object, inherited ones included, except those of every function and object. */
function membersOf(object) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  for (const name of ['length', 'name', 'prototype', 'arguments', 'caller', 'default']) names.delete(name);
  return names;
}

/** Returns the tensor methods that TensorFlow.js installs when all of it is imported, a file each. */
function chainedMethods() {
  const folder = path.join(root, kMethods);
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  return files.flatMap((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8');
    return Array.from(source.matchAll(/prototype\.(\w+) =/g), ([, name]) => name);
  });
}
