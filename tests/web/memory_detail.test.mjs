import { test } from 'node:test';
import { assert, iris, tf } from './expect.mjs';

const kParts = ['tensorBytes', 'views', 'pinned', 'tape', 'weights', 'scratch', 'cpuPool'];

/** The detail, after a check that its parts are all there is. */
function detail() {
  const { detail } = tf.memory();
  const sum = kParts.reduce((bytes, part) => bytes + detail[part], 0);
  assert.equal(sum, detail.heapUsed);
  assert.ok(detail.heapUsed <= detail.heapCommitted);
  for (const [part, bytes] of Object.entries(detail)) assert.ok(bytes >= 0, `${part}: ${bytes}`);
  return detail;
}

test('memory().detail has its parts, and without a model nothing is working memory', () => {
  const parts = detail();
  assert.deepEqual(Object.keys(parts), [
    'heapCommitted',
    'heapUsed',
    ...kParts,
    'gpuPool',
    'gpuTextures',
    'peakBytes',
    'scopes',
  ]);
  assert.deepEqual([parts.tensorBytes, parts.views, parts.weights, parts.scratch], [0, 0, 0, 0]);
});

test('a buffer is a tensor’s own or shared, and counts once', () => {
  const x = tf.ones([1000]);
  const alone = detail();
  assert.ok(alone.tensorBytes >= 4000 && alone.tensorBytes < 6000, String(alone.tensorBytes));
  const y = x.reshape([10, 100]);
  const z = x.clone();
  const shared = detail();
  assert.deepEqual([shared.tensorBytes, shared.views], [0, alone.tensorBytes]);
  assert.equal(tf.memory().numBytes, 12000);
  tf.dispose([x, y]);
  assert.deepEqual([detail().tensorBytes, detail().views], [alone.tensorBytes, 0]);
  z.dispose();
  assert.deepEqual([detail().tensorBytes, detail().views], [0, 0]);
});

test('what is freed is pooled until it is trimmed', () => {
  const before = detail();
  tf.tidy(() => void [tf.ones([5000]), tf.ones([600]), tf.ones([70])]);
  assert.ok(detail().cpuPool > before.cpuPool || before.cpuPool > 20000);
  tf.trim();
  assert.equal(detail().cpuPool, 0);
});

test('variables, scopes, holders and a model with plans all add up', async () => {
  tf.trim();
  const before = detail();
  const variable = tf.tidy(() => tf.variable(tf.ones([100])));
  const list = new tf.TensorList();
  list.push(tf.ones([10]));
  const scope = tf.scope('open');
  scope.run(() => tf.ones([5]));
  const held = detail();
  assert.equal(held.scopes, before.scopes + 1);
  assert.ok(held.tensorBytes >= before.tensorBytes + 460);

  const model = await tf.loadLayersModel(iris);
  assert.ok(detail().weights >= 83 * 4);
  const loaded = detail();
  const outputs = [1, 2, 30].map((batch) => tf.tidy(() => model.predict(tf.ones([batch, 4]))));
  const planned = detail();
  assert.ok(planned.scratch > loaded.scratch);
  assert.ok(planned.tensorBytes > loaded.tensorBytes);
  tf.trim();
  assert.deepEqual([detail().scratch, detail().weights], [loaded.scratch, loaded.weights]);
  tf.dispose([outputs, model, variable, list]);
  scope.close();
  tf.trim();
  assert.deepEqual(parts(detail()), parts(before));
});

/** Without what only ever grows. */
function parts({ heapUsed, tensorBytes, views, weights, scratch, scopes }) {
  return { heapUsed, tensorBytes, views, weights, scratch, scopes };
}

test('after a trim a model predicts what it predicted', async () => {
  const model = await tf.loadLayersModel(iris);
  const x = tf.tensor2d([[5.1, 3.5, 1.4, 0.2]]);
  const predict = () => tf.tidy(() => [...model.predict(x).dataSync()]);
  const expected = predict();
  for (let i = 0; i < 3; i++) {
    tf.trim();
    assert.deepEqual(predict(), expected);
  }
  tf.dispose([model, x]);
});
