// `node tests/conformance/pipelines.mjs [--seed S] [--count N]`: runs random data pipelines on Tenure and on TensorFlow.js.
// Their values must be the same, shuffles included, and Tenure's must leave no tensors.
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import * as tf from '../../dist/index.js';
import { loadDataPeer } from './data_peer.mjs';

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '300' } },
});
const peer = await loadDataPeer();

const count = (min, max) => fc.integer({ min, max });
const sources = {
  numbers: (t, n) => t.data.array(upTo(n)),
  arrays: (t, n) => t.data.array(upTo(n).map((i) => [i, i + 1])),
  objects: (t, n) => t.data.array(upTo(n).map((i) => ({ x: [i, 2 * i], y: { z: i } }))),
  generated: (t, n) =>
    t.data.generator(function* () {
      for (const i of upTo(n)) yield { x: t.tensor1d([i, i * i]), y: i };
    }),
  lines: (t, n) =>
    csv(
      t,
      `a,b,"c"\n${upTo(n)
        .map((i) => `${i},${i % 3 ? 'x' : ''},"q,""${i}"`)
        .join('\r\n')}`,
      {},
    ),
  labelled: (t, n) =>
    csv(
      t,
      upTo(n)
        .map((i) => `${i / 2};true;${i % 2}`)
        .join('\n'),
      {
        hasHeader: false,
        columnNames: ['a', 'b', 'c'],
        delimiter: ';',
        columnConfigs: { a: { dtype: 'int32' }, b: { dtype: 'bool' }, c: { isLabel: true } },
      },
    ),
};
const stage = fc.record({
  kind: fc.constantFrom(
    'take',
    'skip',
    'repeat',
    'shuffle',
    'prefetch',
    'filter',
    'map',
    'mapAsync',
    'concatenate',
    'zip',
  ),
  n: count(0, 9),
  seed: count(1, 99),
});

/** Applies a stage, with its number within the bounds that TensorFlow.js accepts. */
function apply(t, dataset, { kind, n, seed }, again) {
  switch (kind) {
    case 'take':
    case 'skip':
      return dataset[kind](n);
    case 'repeat':
      return dataset.repeat(n % 4);
    case 'shuffle':
      return dataset.shuffle(n + 1, String(seed), n % 2 === 0);
    case 'prefetch':
      return dataset.prefetch(n + 1);
    case 'filter':
      return dataset.filter((x) => Math.round(total(x)) % (2 + (n % 3)) === 0);
    case 'map':
      return dataset.map((x) => ({ a: x, b: t.scalar(total(x)) }));
    case 'mapAsync':
      return dataset.mapAsync(async (x) => {
        await null;
        return { total: total(x), x };
      });
    case 'concatenate':
      return dataset.concatenate(again());
    default:
      return t.data.zip({ left: dataset, right: [again()] });
  }
}

async function play(t, { source, size, stages, batch, smallLast }) {
  const again = () => sources[source](t, size);
  let dataset = again();
  for (const one of stages) dataset = apply(t, dataset, one, again);
  if (batch) dataset = dataset.batch(batch, smallLast);
  const values = [];
  try {
    await dataset.forEachAsync((value) => void values.push(plain(value)));
  } catch (error) {
    return { error: error.message };
  }
  return { values };
}

const program = fc.record({
  source: fc.constantFrom(...Object.keys(sources)),
  size: count(0, 9),
  stages: fc.array(stage, { maxLength: 5 }),
  batch: fc.option(count(1, 4)),
  smallLast: fc.boolean(),
});
await fc.assert(
  fc.asyncProperty(program, async (asked) => {
    const held = () => [tf.memory().numTensors, tf.memory().numBytes, tf.memory().detail.scopes];
    const before = held();
    const mine = await play(tf, asked);
    assert.deepEqual(held(), before);
    const theirs = await play(peer, asked);
    // TensorFlow.js makes tensors of NaN from these.
    if (/must have the same structure|an array of objects cannot become a tensor/.test(mine.error)) return;
    if (mine.error && theirs.error) return;
    assert.deepEqual(mine, theirs);
  }),
  { numRuns: Number(options.count), seed: Number(options.seed) },
);
console.log(`${options.count} pipelines, 0 differ`);

function upTo(n) {
  return Array.from({ length: n }, (_, i) => i);
}

function csv(t, text, config) {
  const bytes = new TextEncoder().encode(text);
  // TensorFlow.js reads the buffer behind the bytes, and cannot decode empty bytes.
  return new t.data.CSVDataset(new t.data.FileDataSource(bytes), { ...config });
}

function total(x) {
  if (typeof x === 'number') return x;
  if (x?.dataSync) return x.dataSync().reduce((sum, value) => sum + value, 0);
  return typeof x === 'object' && x ? Object.values(x).reduce((sum, child) => sum + total(child), 0) : 0;
}

function plain(x) {
  if (x?.dataSync) return { dtype: x.dtype, shape: x.shape, values: [...x.dataSync()] };
  if (Array.isArray(x)) return x.map(plain);
  if (typeof x !== 'object' || x === null) return x;
  return Object.fromEntries(Object.entries(x).map(([key, child]) => [key, plain(child)]));
}
