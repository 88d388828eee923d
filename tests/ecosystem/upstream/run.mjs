// `node tests/ecosystem/upstream/run.mjs [words]`: @tensorflow/tfjs-layers, -converter and -data over Tenure, each case
// beside the same packages over @tensorflow/tfjs-core: results, errors, and how many tensors are left.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from '../../../cpp/toolchain/use.mjs';
import { aliasesBut, bundle, useEcosystem } from '../bundle.mjs';
import { converterCases } from './converter.mjs';
import { dataCases } from './data.mjs';
import { layerCases } from './layers.mjs';

const words = process.argv.slice(2);
const kProgram = `
  export * as core from '@tensorflow/tfjs-core';
  export * as layers from '@tensorflow/tfjs-layers';
  export * as converter from '@tensorflow/tfjs-converter';
  export * as data from '@tensorflow/tfjs-data';
  import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
  import '@tensorflow/tfjs-backend-cpu';`;

useEcosystem();
mkdirSync(path.join(root, 'build/ecosystem'), { recursive: true });
const theirs = await load('tfjs', {});
const ours = await load('tenure', aliasesBut('layers', 'converter', 'data'));
const cases = Object.entries({ ...layerCases, ...converterCases, ...dataCases });
let count = 0;
let differ = 0;
for (const [name, run] of cases) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  count++;
  const [expected, found] = [await outcome(theirs, run), await outcome(ours, run)];
  const words_ = difference(found, expected, '');
  if (!words_) continue;
  differ++;
  console.log(`${name}: ${words_}`);
}
console.log(`${count} cases of @tensorflow/tfjs-layers, -converter and -data over Tenure, ${differ} differ`);
process.exitCode = differ > 0 ? 1 : 0;

async function load(name, alias) {
  const outfile = path.join(root, `build/ecosystem/upstream_${name}.cjs`);
  await bundle(kProgram, outfile, { alias });
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
    return { result: JSON.parse(JSON.stringify(result) ?? 'null', revived), left: core.memory().numTensors - before };
  } catch (error) {
    return { error: `${error.message}`.split('\n')[0], stack: error.stack, left: 0 };
  } finally {
    console.warn = warn;
  }
}

function revived(_key, value) {
  return value;
}

/** What differs, in words; names that count on (`dense_Dense1`) may have counted to elsewhere. */
function difference(ours, theirs, place) {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    return Math.abs(ours - theirs) <= 1e-3 * Math.max(1, Math.abs(theirs)) ? undefined : `${place} is ${ours}, not ${theirs}`;
  }
  if (theirs === null || typeof theirs !== 'object' || ours === null || typeof ours !== 'object') {
    return ours === theirs ? undefined : `${place} is ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`;
  }
  if (!place && ours.error && !theirs.error) return `throws ${ours.stack}`;
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const found = key === 'stack' ? undefined : difference(ours[key], theirs[key], `${place}.${key}`);
    if (found) return found;
  }
  return undefined;
}
