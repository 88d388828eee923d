// `node tests/onnx/random.mjs [--seed N] [--count N] [--first N] [--verbose] [OP]`: compares random nodes and small graphs with
// onnxruntime-web: those of the op, or of all. Needs the built package.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, usePackages } from '../../cpp/toolchain/use.mjs';
import { fromHalves } from '../bench/halves.mjs';
import { makeModel } from './node_model.mjs';
import { prepareModels } from './prepare.mjs';
import { makeRandomCase, randomOps } from './random_cases.mjs';

const kTolerances = { float32: 1e-4, float64: 1e-4, float16: 4e-3 };
/** Sums of int64 beyond int32 are errors. */
const kBeyondInt32 = /beyond int32|int32 (does not|cannot) hold/;

const kOptions = {
  web: { executionProviders: ['wasm'], graphOptimizationLevel: 'disabled', logSeverityLevel: 4 },
  own: { executionProviders: ['wasm'] },
};

/** Returns the outputs of a model by name, or an error. */
async function compute(ort, options, { bytes, names, feeds }) {
  let session;
  try {
    session = await ort.InferenceSession.create(bytes, options);
    const tensors = Object.entries(feeds).map(([name, { type, values, shape }]) => [
      name,
      new ort.Tensor(type, values, shape),
    ]);
    return { results: await session.run(Object.fromEntries(tensors), names) };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  } finally {
    await session?.release();
  }
}

const toNumbers = ({ type, data }) =>
  type === 'float16' && data instanceof Uint16Array ? fromHalves(data) : Array.from(data, Number);

/** Returns how an output differs from the expected one, or undefined. */
function findDifference(got, want, { tolerance, units = 0 }) {
  if (got.type !== want.type) return `has the type ${got.type}, expected ${want.type}`;
  if (got.dims.join() !== want.dims.join()) return `has the shape [${got.dims}], expected [${want.dims}]`;
  if (got.type === 'string')
    return got.data.join('\n') === want.data.join('\n')
      ? undefined
      : `is ${JSON.stringify(got.data)}, expected ${JSON.stringify(want.data)}`;
  const [found, expected] = [toNumbers(got), toNumbers(want)];
  const greatest = expected.reduce(
    (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    0,
  );
  const share = tolerance ?? kTolerances[got.type] ?? 0;
  const at = expected.findIndex((value, i) => {
    if (Object.is(found[i], value) || found[i] === value) return false;
    return !(Math.abs(found[i] - value) <= Math.max(units, share * (Math.abs(value) + 0.1 * greatest)));
  });
  return at < 0 ? undefined : `at ${at} of ${expected.length} is ${found[at]}, expected ${expected[at]}`;
}

/** Returns what a random case does: 'agrees', 'refused by both' or `onnxruntime`, or a difference. */
export async function runCase(own, web, one) {
  const model = makeModel(one);
  const want = await compute(web, kOptions.web, model);
  const got = own ? await compute(own, kOptions.own, model) : want.error ? { results: {} } : want;
  if (got.error && want.error) return { kind: 'refused by both', why: `${want.error}\n    ${got.error}` };
  if (want.error) return { kind: 'refused by onnxruntime', why: want.error };
  if (got.error) return { kind: kBeyondInt32.test(got.error) ? 'beyond int32' : 'refused', why: got.error };
  for (const name of model.names) {
    const difference = findDifference(got.results[name], want.results[name], one);
    if (difference) return { kind: 'differs', why: `${name} ${difference}` };
  }
  return { kind: 'agrees' };
}

/** Returns a description of a case. */
export function describe({ op, domain, version, nodes, inputs, attributes, outputs }) {
  const texts = inputs.map((one) =>
    one
      ? `${one.isConstant ? 'constant ' : ''}${one.type}[${one.shape}]${one.values.length <= 8 ? `{${Array.from(one.values)}}` : ''}`
      : '-',
  );
  const used = Object.fromEntries(Object.entries(attributes ?? {}).filter(([, value]) => value !== undefined));
  const what = nodes
    ? JSON.stringify(nodes.map((one) => [one.op, one.inputs.join(), one.outputs.join(), one.attributes]))
    : `${domain ? `${domain}.` : ''}${op}`;
  return `${what}-${version} (${texts.join(', ')}) ${JSON.stringify(used, (_, value) => (typeof value === 'bigint' ? String(value) : value))} -> ${outputs}`;
}

/** Runs `count` cases. Returns the counts by kind; calls `report` with those that differ. */
export async function runRandomCases(own, web, { seed = 1, first = 0, count, op, report }) {
  const counts = {};
  for (let i = first; i < first + count; ++i) {
    const one = makeRandomCase(seed, i, op);
    const result = await runCase(own, web, one);
    counts[result.kind] = (counts[result.kind] ?? 0) + 1;
    report(result, one, i);
  }
  return counts;
}

export const isFailure = ({ kind }) => kind === 'differs' || kind === 'refused';

if (import.meta.filename === process.argv[1]) {
  const { values, positionals } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '1000' },
      first: { type: 'string', default: '0' },
      verbose: { type: 'boolean' },
      peer: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  usePackages();
  prepareModels();
  const web = await import('onnxruntime-web');
  web.env.wasm.numThreads = 1;
  web.env.logLevel = 'error';
  const own = values.peer ? undefined : await import(path.join(root, 'dist/ort/inlined.js'));
  const kinds = {};
  let failures = 0;
  const [op] = positionals;
  if (op && !randomOps.includes(op)) throw new Error(`there are no random cases of ${op}`);
  const counts = await runRandomCases(own, web, {
    seed: Number(values.seed),
    first: Number(values.first),
    count: Number(values.count),
    op,
    report(result, one, i) {
      const name = one.op ?? 'graph';
      if (isFailure(result)) ++failures;
      if (isFailure(result) || (values.verbose && result.kind !== 'agrees'))
        console.log(`${i} ${result.kind}: ${describe(one)}\n    ${result.why}`);
      (((kinds[name] ??= {})[result.kind] ??= 0), ++kinds[name][result.kind]);
    },
  });
  for (const [name, found] of Object.entries(kinds).sort())
    if (!found.agrees || found.agrees < 0.7 * Object.values(found).reduce((a, b) => a + b)) console.log(name, found);
  console.log(counts);
  process.exit(failures > 0 ? 1 : 0);
}
