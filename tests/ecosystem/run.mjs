// `npm run ecosystem [-- words]`: tests packages written for TensorFlow.js on Tenure, by an alias: the names that they miss,
// whether they can be imported, and their results compared with TensorFlow.js's. A run of all of them also runs packages written for
// ONNX Runtime, and writes docs/ecosystem.md.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root, run } from '../../cpp/toolchain/use.mjs';
import { modelsFolder } from '../golden_models.mjs';
import { aliasesBut, at, bundle, useEcosystem } from './bundle.mjs';
import { difference } from './compare.mjs';
import { missingNames } from './names.mjs';
import { programs } from './ort/programs.mjs';
import { packages } from './packages.mjs';
import { programSection, runPrograms } from './programs/run.mjs';
import { artifactsOf } from './stand_in.mjs';
import { writeTable } from './table.mjs';

const words = process.argv.slice(2);
const folder = path.join(root, 'build/ecosystem');
const require = createRequire(import.meta.url);
const served = new Map();
mkdirSync(folder, { recursive: true });
useEcosystem();
serveFiles();
// TensorFlow.js prints a greeting in Node, and some packages print what they load.
const say = console.log;
for (const name of ['log', 'warn', 'info']) console[name] = () => {};

const rows = [];
for (const [name, tried] of Object.entries(packages)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const row = { name, ...tried, version: versionOf(name), ...(await result(name, tried)) };
  rows.push(row);
  say(`${row.error ? 'FAIL' : 'ok  '} ${name} ${row.version}: ${row.error ?? row.found}`);
}
const ownPrograms = await runPrograms({ isFull: true, words });
for (const { name, error } of ownPrograms) say(`${error ? 'FAIL' : 'ok  '} ${name}${error ? `: ${error}` : ''}`);
if (words.length === 0) writeTable(rows, upstream(), programSection(ownPrograms), onOrt());
process.exitCode = [...rows, ...ownPrograms].some(({ error }) => error) ? 1 : 0;

async function result(name, { run: tried, models = [], entry = `export * from '${name}';`, inside }) {
  if (inside) return { found: 'has TensorFlow.js inside' };
  try {
    const { missing } = await missingNames(entry);
    if (missing.length > 0) return { error: `misses ${missing.join(', ')}` };
    const ours = await load(name, entry, aliasesBut(), 'tenure');
    if (!tried) return { found: 'is imported' };
    const absent = ['../images', ...models]
      .map((model) => path.join(modelsFolder, model))
      .find((file) => !existsSync(file));
    if (absent) return { found: 'is imported' };
    const theirs = await load(name, entry, {}, 'tfjs');
    const [expected, before] = [await outcome(theirs, tried), ours.tf.memory().numTensors];
    const found = await outcome(ours, tried);
    if (found.error) return { error: found.error.stack };
    if (expected.error) return { error: `TensorFlow.js throws ${expected.error.stack}` };
    const differs = difference(found.result, expected.result);
    if (differs) return { error: differs };
    return { found: 'runs', left: [ours.tf.memory().numTensors - before, expected.left] };
  } catch (error) {
    return { error: error.stack };
  }
}

/** Returns the package and its `tf`, bundled with its imports. */
async function load(name, entry, alias, engine) {
  const outfile = path.join(folder, `${name.replace(/\W+/g, '_')}_${engine}.cjs`);
  const more =
    engine === 'tfjs'
      ? "import '@tensorflow/tfjs-backend-cpu'; import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';"
      : '';
  await bundle(
    `${more} export * as tf from '@tensorflow/tfjs'; ${entry.replace('export *', 'export * as it')}`,
    outfile,
    { alias },
  );
  // A new engine for each package: TensorFlow.js shares one among all of its copies.
  delete globalThis._tfengine;
  delete globalThis._tfGlobals;
  const loaded = require(outfile);
  await loaded.tf.setBackend('cpu');
  await loaded.tf.ready();
  return { tf: loaded.tf, it: loaded.it ?? loaded };
}

async function outcome({ tf, it }, tried) {
  const before = tf.memory().numTensors;
  try {
    const result = JSON.parse(JSON.stringify(await tried(it, tf, { standIn, serve })));
    return { result, left: tf.memory().numTensors - before };
  } catch (error) {
    return { error };
  }
}

/** Returns how many cases of TensorFlow.js's own packages pass over Tenure. */
function upstream() {
  const cases = run('node', [at('upstream/run.mjs')], { quiet: true });
  const specs = run('node', [at('upstream/specs.mjs')], { quiet: true });
  return Array.from(cases.matchAll(/^(\S+) over Tenure: (\d+) cases/gm), ([, name, count]) => {
    const [, all, passed] = new RegExp(`^${name}: \\d+ specs, (\\d+) pass .*, of them (\\d+)`, 'm').exec(specs);
    return { name, count, all, passed, version: '4.22.0' };
  });
}

/** Runs the packages written for ONNX Runtime. Returns those whose results agree. */
function onOrt() {
  const output = run('node', [at('ort/run.mjs')], { quiet: true });
  return Array.from(output.matchAll(/^ok   (\S+) (\S+)$/gm), ([, name, version]) => {
    const { what } = Object.values(programs).find((program) => program.name === name);
    return { name, version, what };
  });
}

function versionOf(name) {
  return JSON.parse(readFileSync(at('package.json'), 'utf8')).dependencies[name];
}

/** Serves a body, and returns its address. */
function serve(name, body) {
  served.set(`http://made/${name}`, body);
  return `http://made/${name}`;
}

/** Returns the address of a graph whose outputs have these shapes, with values that depend on the mean of its input. */
function standIn(name, inputs, outputs) {
  for (const [file, body] of Object.entries(artifactsOf(inputs, outputs))) serve(`${name}/${file}`, body);
  return `http://made/${name}/model.json`;
}

/** Serves files locally; nothing is fetched from elsewhere. */
function serveFiles() {
  const folders = { 'http://models/': `${modelsFolder}/`, 'http://packages/': `${at('node_modules')}/` };
  globalThis.fetch = async (resource) => {
    const url = String(resource?.url ?? resource);
    const [start] = Object.keys(folders).filter((prefix) => url.startsWith(prefix));
    const body = served.get(url) ?? (start && readFileSync(folders[start] + url.slice(start.length)));
    if (!body) throw new Error(`nothing is fetched here: ${url}`);
    return new Response(body, {
      headers: { 'Content-Type': url.endsWith('.json') ? 'application/json' : 'application/octet-stream' },
    });
  };
}
