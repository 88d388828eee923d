// `node tests/ecosystem/upstream/run.mjs [words]`: runs @tensorflow/tfjs-layers, -converter and -data over Tenure and over
// @tensorflow/tfjs-core, and compares results, errors, and how many tensors each case leaves.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../../../cpp/toolchain/use.mjs';
import { usePeers } from '../../conformance/specs.mjs';
import { aliasesBut, bundle } from '../bundle.mjs';
import { difference as differenceIn } from '../compare.mjs';
import { converterCases } from './converter.mjs';
import { dataCases } from './data.mjs';
import { layerCases } from './layers.mjs';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const kProgram = `
  export * as core from '@tensorflow/tfjs-core';
  export * as layers from '@tensorflow/tfjs-layers';
  export * as converter from '@tensorflow/tfjs-converter';
  export * as data from '@tensorflow/tfjs-data';
  import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
  export * as cpu from '@tensorflow/tfjs-backend-cpu';`;

/** Gradients that TensorFlow.js does not have. */
const kMore =
  /dilation rates greater than 1 are not yet supported|gradient function not found for Conv3DBackpropInputV2/;
/** TensorFlow.js's optimizers keep up to two tensors for which Tenure has numbers. */
const kNumbers = 2;

usePeers();
mkdirSync(path.join(root, 'build/ecosystem'), { recursive: true });
const theirs = await load('tfjs', {});
const ours = await load('tenure', aliasesBut('layers', 'converter', 'data'));
const absent = missing(theirs, createRequire(import.meta.url)(path.join(root, 'dist/tfjs/node.cjs')));
if (absent.length > 0) {
  console.log(`tenure/tfjs misses ${absent.join(', ')}`);
  process.exitCode = 1;
}
for (const [kind, cases] of Object.entries({ layers: layerCases, converter: converterCases, data: dataCases })) {
  const chosen = Object.entries(cases).filter(
    ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  let differ = 0;
  for (const [name, run] of chosen) {
    const [expected, found] = [await outcome(theirs, run), await outcome(ours, run)];
    const text = difference(found, expected);
    if (!text) continue;
    differ++;
    console.log(`${name}: ${text}`);
  }
  console.log(`@tensorflow/tfjs-${kind} over Tenure: ${chosen.length} cases, ${differ} differ`);
  if (differ > 0) process.exitCode = 1;
}

/** Returns the missing exports of TensorFlow.js's packages and of the namespaces that they export. */
function missing({ core, layers, converter, data, cpu }, tf) {
  const absent = (theirs, own, place = '') =>
    Object.entries(theirs).flatMap(([name, value]) => {
      if (!(name in own)) return [place + name];
      return !place && isSpace(value) ? absent(value, own[name], `${name}.`) : [];
    });
  return [core, layers, converter, data, cpu].flatMap((theirs) => absent(theirs, tf));
}

/** True for an object of functions that is no instance of a class. */
function isSpace(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return (
    (prototype === null || prototype === Object.prototype) &&
    Object.values(value).some((inner) => typeof inner === 'function')
  );
}

async function load(name, alias) {
  const outfile = path.join(root, `build/ecosystem/upstream_${name}.cjs`);
  await bundle(kProgram, outfile, { alias, from: path.join(root, 'tests/conformance') });
  const all = createRequire(import.meta.url)(outfile);
  await all.core.setBackend('cpu');
  await all.core.ready();
  return all;
}

async function outcome({ core, layers, converter, data }, run) {
  const before = core.memory().numTensors;
  const warn = console.warn;
  console.warn = () => {};
  try {
    const result = await run(core, layers, { converter, data });
    return { result: JSON.parse(JSON.stringify(result) ?? 'null'), left: core.memory().numTensors - before };
  } catch (error) {
    return { error: `${error.message}`.split('\n')[0], stack: error.stack, left: 0 };
  } finally {
    console.warn = warn;
  }
}

/** Returns a description of the difference between two outcomes, or undefined. */
function difference(ours, theirs) {
  if (theirs.error && kMore.test(theirs.error)) return undefined;
  if (ours.error && !theirs.error) return `throws ${ours.stack}`;
  if (theirs.left - ours.left > kNumbers || ours.left > theirs.left)
    return `leaves ${ours.left} tensors, not ${theirs.left}`;
  return differenceIn({ ...ours, stack: 0, left: 0 }, { ...theirs, stack: 0, left: 0 });
}
