// `node tests/conformance/csv.mjs [--seed S] [--count N]`: parses random CSV, split at random positions, with random settings
// on Tenure and on TensorFlow.js. Column names, values, batches and messages must be the same.
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import * as tf from '../../dist/index.js';
import { loadDataPeer } from './data_peer.mjs';

const { values: options } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '300' } },
});
const peer = await loadDataPeer();

const kPieces = [
  ...[',', ',', ',', ',', '"', '"', '""', '\n', '\n', '\r\n', '\r', ';', '\t', ' ', '  '],
  ...[
    'a',
    'b',
    '1',
    '-2.5',
    '1e3',
    '0x10',
    'true',
    'TRUE',
    'NaN',
    'Infinity',
    'é',
    '€',
    '😀',
    '\\',
    'constructor',
    '\0',
  ],
];
const kHeaders = [
  '',
  '',
  'a,b\n',
  'a,b,c\r\n',
  'a\n',
  '"a","b"\n',
  'a,a\n',
  'a;b\n',
  'a b\n',
  'a\tb\n',
  '\n',
  'constructor,b\n',
];
const kColumns = [
  {},
  { a: {} },
  { a: { isLabel: true } },
  { a: { dtype: 'int32' }, b: { dtype: 'bool', default: 7 } },
  { b: { required: true } },
  { a: { default: 0, isLabel: true }, b: { isLabel: true } },
  { z: {} },
  { a: { dtype: 'string' } },
  { a: { dtype: 'float32', required: true, default: '' } },
];
const kSettings = {
  hasHeader: fc.boolean(),
  columnNames: fc.constantFrom(['a', 'b'], ['a'], ['a', 'b', 'c'], ['a', 'a'], ['constructor', 'toString']),
  delimiter: fc.constantFrom(',', ';', '\t', ' ', '', null, 'ab'),
  delimWhitespace: fc.boolean(),
  columnConfigs: fc.constantFrom(...kColumns),
};
const program = fc.record({
  text: fc.tuple(fc.constantFrom(...kHeaders), fc.array(fc.constantFrom(...kPieces), { minLength: 1, maxLength: 40 })),
  settings: fc.oneof(
    fc.record(kSettings, { requiredKeys: [] }),
    // Without columnConfigs TensorFlow.js fails with a TypeError.
    fc.record({ ...kSettings, configuredColumnsOnly: fc.boolean() }, { requiredKeys: ['columnConfigs'] }),
  ),
  chunkSize: fc.constantFrom(1, 2, 3, 7, 1000),
  batch: fc.option(fc.integer({ min: 1, max: 3 })),
});

await fc.assert(
  fc.asyncProperty(program, async (asked) => {
    const before = tf.memory().numTensors;
    const mine = await play(tf, asked);
    assert.equal(tf.memory().numTensors, before);
    assert.deepEqual(mine, await play(peer, asked));
  }),
  { numRuns: Number(options.count), seed: Number(options.seed) },
);
console.log(`${options.count} tables, 0 differ`);

async function play(t, { text: [header, body], settings, chunkSize, batch }) {
  const bytes = new TextEncoder().encode(header + body.join(''));
  const values = [];
  try {
    const table = new t.data.CSVDataset(new t.data.FileDataSource(bytes, { chunkSize }), structuredClone(settings));
    values.push(await table.columnNames());
    await (batch ? table.batch(batch) : table).forEachAsync((row) => void values.push(plain(row)));
    return { values };
  } catch (error) {
    return { values, error: error.message };
  }
}

function plain(x) {
  if (x?.dataSync) return { dtype: x.dtype, shape: x.shape, values: [...x.dataSync()] };
  if (typeof x !== 'object' || x === null) return x;
  return Object.entries(x).map(([key, child]) => [key, plain(child)]);
}
