// fit()'s progress display in a terminal, and its silence elsewhere.
import { afterEach, beforeEach, test } from 'node:test';
import { assert, tf } from '../expect.mjs';

const kEnd = '\u001b[K\n';
const { stderr } = process;
const { isTTY, columns } = stderr;
let written;
let write;

beforeEach(() => {
  written = [];
  write = stderr.write;
  stderr.write = (text) => written.push(text) > 0;
  Object.assign(stderr, { isTTY: true, columns: 200 });
});
afterEach(() => Object.assign(stderr, { write, isTTY, columns }));

/** Trains a line with ten samples in batches of four. */
async function train(args, dataset) {
  const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' })] });
  model.compile({ optimizer: tf.train.sgd(0), loss: 'meanSquaredError', metrics: ['mae'] });
  const x = tf.ones([10, 1]);
  const y = tf.zeros([10, 1]);
  try {
    await (dataset ? model.fitDataset(dataset, args) : model.fit(x, y, { batchSize: 4, ...args }));
  } finally {
    tf.dispose([x, y, model]);
  }
}

test('a bar for each epoch, with its numbers', async () => {
  await train({ epochs: 3, initialEpoch: 1, validationSplit: 0.2 });
  const bar = String.raw`\r2/2 \[={30}\] - [\d.]+s [\d.]+ms/step - val_loss: 1\.000 - val_mae: 1\.000 - loss: 1\.000 - mae: 1\.000`;
  const lines = written.filter((text) => text.endsWith('\n'));
  assert.deepEqual([lines[0], lines[2]], ['Epoch 2/3\n', 'Epoch 3/3\n']);
  for (const line of [lines[1], lines[3]]) {
    assert.match(line, new RegExp(`^${bar}`));
    assert.ok(line.endsWith(kEnd));
  }
  assert.equal(lines.length, 4);
});

test('the bar fits the terminal, and is indeterminate if the total is unknown', async () => {
  stderr.columns = 30;
  await train({});
  assert.ok(written.at(-1).length - kEnd.length - 1 < 30);
  stderr.columns = 200;
  function* batches() {
    for (let i = 0; i < 3; i++) yield { xs: tf.ones([2, 1]), ys: tf.zeros([2, 1]) };
  }
  await train({ epochs: 1 }, tf.data.generator(batches));
  assert.match(written.at(-1), /^\r3 - [\d.]+s [\d.]+ms\/step - loss: 1\.000 - mae: 1\.000/);
});

test('nothing is written without a terminal, or if disabled', async () => {
  await train({ verbose: 0 });
  stderr.isTTY = false;
  await train({ verbose: 1 });
  assert.deepEqual(written, []);
});

test('the progress within an epoch is shown, with running means', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => (now += 60));
  await train({ yieldEvery: 'never' });
  const line = written.find((text) => text.startsWith('\r2/3'));
  assert.match(line, /^\r2\/3 \[={20}>\.{9}\] - loss: 1\.000 - mae: 1\.000\u001b\[K$/);
});
