// Runs a bundle of specs: `node player.mjs BUNDLE OUTPUT tenure|tfjs [GREP]`.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import '../../conformance/environment.js';

const [bundle, output, core, grep] = process.argv.slice(2);
const jasmine = createRequire(new URL('../../conformance/', import.meta.url))('jasmine-core').boot();
const require = createRequire(import.meta.url);
const cores = { tenure: '../../../dist/tfjs/node.cjs', tfjs: '../../../build/ecosystem/specs/tfjs.cjs' };
globalThis.tenure = settable(require(cores[core]));
await globalThis.tenure.ready();
await globalThis.tenure.setBackend('cpu');
const { it, fit } = globalThis;
Object.assign(globalThis, { it: withoutDone(it), fit: withoutDone(fit) });
require(bundle);
const specs = await globalThis.conformance.run(jasmine.getEnv(), grep);
writeFileSync(output, JSON.stringify(specs));

/** Returns a mutable copy: specs install spies on functions of the core and of its namespaces, such as `fused.conv2d`. */
function settable(core) {
  const isSpace = (value) =>
    typeof value === 'object' &&
    value &&
    !Array.isArray(value) &&
    [null, Object.prototype].includes(Object.getPrototypeOf(value));
  return Object.fromEntries(Object.entries(core).map(([name, value]) => [name, isSpace(value) ? { ...value } : value]));
}

/** Removes `done` from async specs: current Jasmine refuses specs that use both. */
function withoutDone(declare) {
  return (name, spec, ...rest) => {
    const wrapped = () =>
      new Promise((resolve, reject) => {
        const done = Object.assign(resolve, { fail: (error) => reject(error ?? new Error('fail() was called')) });
        Promise.resolve(spec(done)).catch(reject);
      });
    return declare(name, spec?.length > 0 ? wrapped : spec, ...rest);
  };
}
