// TensorBoard event files of tf.node, read back field by field.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assert, leavesNothing, tf, withFolder } from './common.mjs';

const kFileName = /^events\.out\.tfevents\.\d{10}\..+\.\d+\.\d+\.v2$/;

/** Fields of a protocol buffers message by their numbers, each a list: varints as numbers, others as bytes. */
function fieldsOf(bytes) {
  const fields = {};
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  };
  const take = (length) => {
    assert.ok(at + length <= bytes.length, 'a field is longer than its message');
    return bytes.slice(at, (at += length));
  };
  while (at < bytes.length) {
    const tag = varint();
    const read = { 0: varint, 1: () => take(8), 2: () => take(varint()), 5: () => take(4) }[tag & 7];
    (fields[tag >> 3] ??= []).push(read());
  }
  return fields;
}

const text = (bytes) => Buffer.from(bytes).toString('utf8');
const float = ([bytes]) => new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
const doubles = (bytes) => Array.from(new Float64Array(bytes.slice().buffer));

/** SummaryMetadata of a value. */
function metadataOf(bytes) {
  const {
    1: [plugin],
    3: description,
    4: [dataClass],
    ...others
  } = fieldsOf(bytes);
  assert.deepEqual(others, {});
  return { plugin: text(fieldsOf(plugin)[1][0]), dataClass, ...(description && { description: text(description[0]) }) };
}

/** The value of an event's summary: {tag, value} or {tag, shape, buckets}, or {tag, tensor} of a scalar, with metadata. */
function valueOf(summary) {
  const {
    1: [bytes, ...more],
  } = fieldsOf(summary);
  assert.equal(more.length, 0);
  const {
    1: [tag],
    2: simple,
    8: tensor,
    9: metadata,
    ...others
  } = fieldsOf(bytes);
  assert.deepEqual(others, {});
  const found = { tag: text(tag), ...(metadata && { metadata: metadataOf(metadata[0]) }) };
  if (simple) return { ...found, value: float(simple) };
  const {
    1: [dtype],
    2: [shape],
    4: [content],
  } = fieldsOf(tensor[0]);
  if (shape.length === 0) {
    assert.equal(dtype, 1, 'of DT_FLOAT');
    return { ...found, tensor: float([content]) };
  }
  assert.equal(dtype, 2, 'of DT_DOUBLE');
  const sizes = fieldsOf(shape)[2].map((dim) => fieldsOf(dim)[1][0]);
  return { ...found, shape: sizes, buckets: doubles(content) };
}

/** The events of the only file in a folder, behind its version: each with its step. The checksums are verified. */
async function eventsIn(folder) {
  const files = readdirSync(folder);
  assert.equal(files.length, 1, files.join());
  assert.match(files[0], kFileName);
  const records = await tf.data.tfRecord(path.join(folder, files[0]), { as: 'bytes' }).toArray();
  const now = Date.now() / 1000;
  return records
    .map((record, i) => {
      const {
        1: [seconds],
        2: step,
        3: version,
        5: summary,
        ...others
      } = fieldsOf(record);
      assert.deepEqual(others, {});
      const [time] = doubles(seconds);
      assert.ok(time <= now && time > now - 60, `a time of ${time}`);
      if (i === 0) assert.deepEqual([step, text(version[0]), summary], [undefined, 'brain.Event:2', undefined]);
      return i === 0 ? undefined : { step: step[0], ...valueOf(summary[0]) };
    })
    .slice(1);
}

test('scalars are written as TensorBoard reads them', () =>
  leavesNothing(() =>
    withFolder(async (folder) => {
      const logdir = path.join(folder, 'deep/run');
      const writer = tf.node.summaryFileWriter(logdir);
      assert.equal(tf.node.summaryFileWriter(`${folder}/deep/../deep/run`), writer);
      assert.deepEqual(await eventsIn(logdir), [], 'the file is there before the first event');
      const half = tf.scalar(0.5);
      writer.scalar('loss/train', half, 0);
      writer.scalar('größe', 300, 2 ** 40, 'what **is** measured');
      writer.scalar('down', -Infinity, -1);
      half.dispose();
      assert.deepEqual(await eventsIn(logdir), [], 'events wait');
      writer.flush();
      const metadata = { plugin: 'scalars', dataClass: 1, description: 'what **is** measured' };
      assert.deepEqual(await eventsIn(logdir), [
        { step: 0, tag: 'loss/train', value: 0.5 },
        { step: 2 ** 40, tag: 'größe', tensor: 300, metadata },
        { step: -1, tag: 'down', value: -Infinity },
      ]);
      assert.throws(() => writer.scalar('a', 1, 0.5), /step is expected to be an integer, but is instead 0.5/);
      assert.throws(() => tf.tidy(() => writer.scalar('a', tf.tensor([1]), 0)), /rank 0, got shape \[1\]/);
      assert.throws(() => writer.scalar('a', '1', 0), /expected a tensor, got string/);
      assert.throws(
        () => tf.tidy(() => writer.scalar('a', tf.scalar('1'), 0)),
        /expected real numbers, got dtype string/,
      );
      assert.throws(() => tf.node.summaryFileWriter(''), /Invalid logdir: . Expected a non-empty string for logdir/);
    }),
  ));

test('histograms are written as TensorBoard reads them', () =>
  leavesNothing(() =>
    withFolder(async (logdir) => {
      const writer = tf.node.summaryFileWriter(logdir);
      tf.tidy(() => {
        writer.histogram(
          'four',
          tf.tensor2d([
            [0, 1, 1],
            [2, 3, 4],
          ]),
          7,
          4,
          'of what',
        );
        writer.histogram('equal', tf.tensor([3, 3], [2], 'int32'), 8);
        writer.histogram('none', tf.zeros([0]), 9);
        writer.histogram('wild', tf.tensor([NaN, 1, Infinity, 2]), 10, 2);
        writer.histogram('default', tf.linspace(-1, 1, 1000), 11);
        assert.throws(() => writer.histogram('a', tf.ones([1]), 0, 0), /buckets must be a positive integer, but got 0/);
        assert.throws(
          () => writer.histogram('a', tf.ones([1]), 0, 1.5),
          /buckets must be a positive integer, but got 1.5/,
        );
        assert.throws(() => writer.histogram('a', [1], 0), /expected a tensor/);
      });
      writer.flush();
      const events = await eventsIn(logdir);
      const { shape, buckets } = events.pop();
      const metadata = { plugin: 'histograms', dataClass: 2 };
      assert.deepEqual(events, [
        {
          step: 7,
          tag: 'four',
          metadata: { ...metadata, description: 'of what' },
          shape: [4, 3],
          buckets: [0, 1, 1, 1, 2, 2, 2, 3, 1, 3, 4, 2],
        },
        { step: 8, tag: 'equal', metadata, shape: [1, 3], buckets: [2.5, 3.5, 2] },
        { step: 9, tag: 'none', metadata, shape: [0, 3], buckets: [] },
        { step: 10, tag: 'wild', metadata, shape: [2, 3], buckets: [1, 1.5, 1, 1.5, 2, 1] },
      ]);
      assert.deepEqual(shape, [30, 3]);
      assert.deepEqual([buckets[0], buckets.at(-2)], [-1, 1]);
      const counts = buckets.filter((_, i) => i % 3 === 2);
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        1000,
      );
      assert.ok(
        counts.every((count) => count > 30 && count < 37),
        String(counts),
      );
    }),
  ));

test('events are written when the queue is full, after a time, and at the end of the process', () =>
  withFolder(async (folder) => {
    const run = (name) => path.join(folder, name);
    const short = tf.node.summaryFileWriter(run('short'), 1);
    short.scalar('a', 1, 0);
    assert.equal((await eventsIn(run('short'))).length, 0);
    short.scalar('a', 1, 1);
    assert.equal((await eventsIn(run('short'))).length, 2);
    const quick = tf.node.summaryFileWriter(run('quick'), 10, 1);
    quick.scalar('a', 1, 0);
    // The writer does not keep the process alive, so that this timer has to.
    for (let i = 0; i < 200 && (await eventsIn(run('quick'))).length === 0; i++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal((await eventsIn(run('quick'))).length, 1);
    const module = JSON.stringify(fileURLToPath(new URL('../../../dist/node.cjs', import.meta.url)));
    const program = `const tf = require(${module}); tf.node.summaryFileWriter(${JSON.stringify(run('ended'))}).scalar('a', 1, 5);`;
    execFileSync(process.execPath, ['-e', program]);
    assert.deepEqual(await eventsIn(run('ended')), [{ step: 5, tag: 'a', value: 1 }]);
    // A file that was removed in the meantime is begun again.
    rmSync(run('short'), { recursive: true });
    short.scalar('b', 2, 3);
    short.flush();
    assert.deepEqual(await eventsIn(run('short')), [{ step: 3, tag: 'b', value: 2 }]);
    assert.throws(
      () => tf.node.summaryFileWriter(path.join(run('short'), readdirSync(run('short'))[0], 'below')),
      /ENOTDIR|EEXIST/,
    );
  }));

test('fit() writes losses, metrics and weights', () =>
  leavesNothing(() =>
    withFolder(async (folder) => {
      const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2], name: 'tensorboard' })] });
      model.compile({ optimizer: 'sgd', loss: 'meanSquaredError', metrics: ['mae'] });
      const [xs, ys] = [tf.ones([4, 2]), tf.ones([4, 1])];
      const options = { batchSize: 2, verbose: 0, validationData: [xs, ys] };
      const { history } = await model.fit(xs, ys, {
        ...options,
        epochs: 3,
        callbacks: tf.node.tensorBoard(path.join(folder, 'epochs'), { histogramFreq: 2 }),
      });
      await model.fit(xs, ys, {
        ...options,
        epochs: 1,
        callbacks: [tf.node.tensorBoard(path.join(folder, 'batches'), { updateFreq: 'batch' })],
      });
      tf.dispose([xs, ys, model, model.optimizer]);

      const losses = (prefix) =>
        [0, 1, 2].flatMap((i) => [
          { step: i + 1, tag: 'epoch_loss', value: Math.fround(history[`${prefix}loss`][i]) },
          { step: i + 1, tag: 'epoch_mae', value: Math.fround(history[`${prefix}mae`][i]) },
        ]);
      const order = (a, b) => a.step - b.step || (a.tag < b.tag ? -1 : 1);
      assert.deepEqual((await eventsIn(path.join(folder, 'epochs/val'))).sort(order), losses('val_'));
      const train = await eventsIn(path.join(folder, 'epochs/train'));
      assert.deepEqual(train.filter(({ value }) => value !== undefined).sort(order), losses(''));
      const histograms = train.filter(({ shape }) => shape);
      assert.deepEqual(
        histograms.map(({ step, tag }) => [step, tag]),
        [0, 2].flatMap((step) => ['kernel', 'bias'].map((name) => [step, `tensorboard/${name}`])),
      );
      const count = ({ buckets }) => buckets.filter((_, i) => i % 3 === 2).reduce((sum, each) => sum + each);
      assert.deepEqual(histograms.map(count), [2, 1, 2, 1]);
      const batches = await eventsIn(path.join(folder, 'batches/train'));
      assert.deepEqual(
        batches.filter(({ tag }) => tag.endsWith('loss')).map(({ step, tag }) => [step, tag]),
        [
          [1, 'batch_loss'],
          [2, 'batch_loss'],
          [1, 'epoch_loss'],
        ],
      );

      assert.throws(
        () => tf.node.tensorBoard(folder, { updateFreq: 'never' }),
        /Expected updateFreq to be 'batch' or 'epoch', but got never/,
      );
      assert.throws(
        () => tf.node.tensorBoard(folder, { histogramFreq: 0.5 }),
        /Expected histogramFreq to be a positive integer, but got 0.5/,
      );
      assert.ok(tf.node.tensorBoard() instanceof tf.Callback);
    }),
  ));

test('what needs TensorFlow itself says what to do', async () => {
  const message = (name) => new RegExp(`^Error: \\[${name}\\] .*tensorflowjs_converter.*tf\\.loadGraphModel\\(\\)`);
  await assert.rejects(tf.node.loadSavedModel('folder', ['serve'], 'serving_default'), message('loadSavedModel'));
  await assert.rejects(tf.node.getMetaGraphsFromSavedModel('folder'), message('getMetaGraphsFromSavedModel'));
  assert.throws(() => tf.node.getNumOfSavedModels(), message('getNumOfSavedModels'));
  assert.throws(() => new tf.node.TFSavedModel(), message('TFSavedModel'));
});
