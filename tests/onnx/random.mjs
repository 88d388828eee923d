// `node tests/onnx/random.mjs [--seed N] [--count N] [--first N] [--verbose] [OP]`: compares random nodes and small graphs with
// onnxruntime-web: those of the op, or of all. Needs the built package.
import { parseArgs } from 'node:util';
import { usePackages } from '../../cpp/toolchain/use.mjs';
import { fromHalves } from '../bench/halves.mjs';
import { makeModel } from './node_model.mjs';
import { prepareModels } from './prepare.mjs';
import { makeRandomCase, randomOps } from './random_cases.mjs';

const kTolerances = { float32: 1e-4, float64: 1e-4, float16: 4e-3 };
/** Differences that do not count, as onnxruntime approximates functions. */
const kSmallest = 1e-6;
/** Integers of 64 bits are computed as int32: results beyond it are errors. */
const kBeyondInt32 = /beyond int32|computed as int32/;

const kWebOptions = { executionProviders: ['wasm'], graphOptimizationLevel: 'disabled', logSeverityLevel: 4 };

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

/** Returns how an output differs from the expected one, or undefined. Integers may differ by `units`. */
function findDifference(got, want, { tolerance, units = 0 }) {
  if (got.type !== want.type) return `has the type ${got.type}, expected ${want.type}`;
  if (got.dims.join() !== want.dims.join()) return `has the shape [${got.dims}], expected [${want.dims}]`;
  if (got.type === 'string') {
    const at = want.data.findIndex((text, i) => got.data[i] !== text);
    return at < 0 ? undefined : `at ${at} is "${got.data[at]}", expected "${want.data[at]}"`;
  }
  const [found, expected] = [toNumbers(got), toNumbers(want)];
  const finite = expected.filter(Number.isFinite).map(Math.abs);
  const greatest = finite.reduce((a, b) => Math.max(a, b), 0);
  const floor = got.type.startsWith('float') ? kSmallest : 0;
  const share = tolerance ?? kTolerances[got.type] ?? 0;
  const at = expected.findIndex((value, i) => {
    if (Object.is(found[i], value) || found[i] === value) return false;
    return !(Math.abs(found[i] - value) <= Math.max(units, share * (Math.abs(value) + 0.1 * greatest) + floor));
  });
  return at < 0 ? undefined : `at ${at} of ${expected.length} is ${found[at]}, expected ${expected[at]}`;
}

/** Returns how a case ends: its kind, and why it does not agree. Without Tenure, `own`, it is only computed by onnxruntime. */
async function runCase(own, web, one) {
  const model = makeModel(one);
  const want = await compute(web, kWebOptions, model);
  if (!own) return want.error ? { kind: 'refused by onnxruntime', why: want.error } : { kind: 'agrees' };
  const got = await compute(own, {}, model);
  if (got.error && want.error) return { kind: 'refused by both', why: `${want.error}\n    ${got.error}` };
  if (want.error) return { kind: 'refused by onnxruntime', why: want.error };
  if (got.error) return { kind: kBeyondInt32.test(got.error) ? 'beyond int32' : 'refused', why: got.error };
  for (const name of model.names) {
    const difference = findDifference(got.results[name], want.results[name], one);
    if (difference) return { kind: 'differs', why: `${name} ${difference}` };
  }
  return { kind: 'agrees' };
}

function describeTensor(one) {
  if (!one) return '-';
  const values = one.values.length <= 8 ? `{${Array.from(one.values)}}` : '';
  return `${one.isConstant ? 'constant ' : ''}${one.type}[${one.shape}]${values}`;
}

/** Returns a description of a case. */
export function describe({ op, domain, version, nodes, inputs, attributes, outputs }) {
  const list = nodes?.map((one) => [one.op, one.inputs.join(), one.outputs.join(), one.attributes]);
  const what = list ? JSON.stringify(list) : `${domain ? `${domain}.` : ''}${op}`;
  const options = attributes ? ` ${JSON.stringify(attributes)}` : '';
  return `${what}-${version} (${inputs.map(describeTensor).join(', ')})${options} -> ${outputs}`;
}

/** Runs `count` cases, of one op or of all. Returns the counts by kind; calls `report` with each result and case. */
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

async function main() {
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
  web.env.logLevel = 'fatal';
  const own = values.peer ? undefined : await import('../../dist/ort/inlined.js');
  const [op] = positionals;
  if (op && !randomOps.includes(op)) throw new Error(`there are no random cases of ${op}`);
  const counts = await runRandomCases(own, web, {
    seed: Number(values.seed),
    first: Number(values.first),
    count: Number(values.count),
    op,
    report(result, one, i) {
      if (isFailure(result) || (values.verbose && result.kind !== 'agrees'))
        console.log(`${i} ${result.kind}: ${describe(one)}\n    ${result.why}`);
    },
  });
  console.log(counts);
  process.exit(counts.differs || counts.refused ? 1 : 0);
}

if (import.meta.filename === process.argv[1]) await main();
