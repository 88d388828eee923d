import { test } from 'node:test';
import { assert, iris, tf } from './expect.mjs';

const kParts = ['tensorBytes', 'views', 'pipelines', 'pinned', 'tape', 'weights', 'scratch', 'cpuPool'];
const kNoPlans = { scratch: 0 };

/** Returns the checked detail. Working memory is the remainder after all other parts, so it reveals what these omit. */
function detail({ scratch } = {}) {
  const { detail } = tf.memory();
  const sum = kParts.reduce((bytes, part) => bytes + detail[part], 0);
  assert.equal(sum, detail.heapUsed);
  if (scratch !== undefined) assert.equal(detail.scratch, scratch);
  assert.ok(detail.heapUsed <= detail.heapCommitted);
  for (const [part, bytes] of Object.entries(detail)) assert.ok(bytes >= 0, `${part}: ${bytes}`);
  return detail;
}

test('memory().detail has its parts, and no working memory without a model', () => {
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

test('a buffer is exclusive or shared, and counts once', () => {
  const x = tf.ones([1000]);
  const alone = detail(kNoPlans);
  assert.ok(alone.tensorBytes >= 4000 && alone.tensorBytes < 6000, String(alone.tensorBytes));
  const y = x.reshape([10, 100]);
  const z = x.clone();
  const shared = detail(kNoPlans);
  assert.deepEqual([shared.tensorBytes, shared.views], [0, alone.tensorBytes]);
  assert.equal(tf.memory().numBytes, 12000);
  tf.dispose([x, y]);
  assert.deepEqual(parts(detail(kNoPlans)), parts(alone));
  z.dispose();
  const { tensorBytes, views } = detail(kNoPlans);
  assert.deepEqual([tensorBytes, views], [0, 0]);
});

test('deferred ops use no working memory, however long their chain', () => {
  tf.tidy(() => {
    let x = tf.ones([1 << 19]);
    detail(kNoPlans);
    for (let i = 0; i < 20; i++) {
      x = i % 3 === 0 ? x.mul(2) : i % 3 === 1 ? x.add(tf.ones([1 << 19])) : x.relu();
      detail(kNoPlans);
    }
    x.slice([0], [1]).dataSync();
    detail(kNoPlans);
  });
  detail(kNoPlans);
  const one = tf.ones([1 << 19]);
  const three = tf.scalar(3);
  const waits = one.mul(three);
  three.dispose();
  one.dispose();
  detail(kNoPlans);
  waits.dispose();
  detail(kNoPlans);
});

test('freed memory is pooled until a trim', () => {
  tf.trim();
  assert.equal(detail(kNoPlans).cpuPool, 0);
  let bytes;
  tf.tidy(() => {
    for (const size of [5000, 600, 70]) tf.ones([size]);
    bytes = detail(kNoPlans).tensorBytes;
  });
  assert.ok(bytes >= 4 * 5670, String(bytes));
  assert.equal(detail(kNoPlans).cpuPool, bytes);
  tf.trim();
  assert.deepEqual([detail(kNoPlans).cpuPool, detail().heapUsed], [0, 0]);
});

test('variables, scopes, holders and a model with plans all add up', async () => {
  tf.trim();
  const before = detail(kNoPlans);
  const variable = tf.tidy(() => tf.variable(tf.ones([100])));
  const list = new tf.TensorList();
  list.push(tf.ones([10]));
  const scope = tf.scope('open');
  scope.run(() => tf.ones([5]));
  const held = detail(kNoPlans);
  assert.equal(held.scopes, before.scopes + 1);
  assert.ok(held.tensorBytes >= before.tensorBytes + 460);

  const model = await tf.loadLayersModel(iris);
  // Frees the plan that loading has made.
  tf.trim();
  const loaded = detail();
  assert.ok(loaded.weights >= 83 * 4);
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

/** Returns the parts without those that only ever grow. */
function parts({ heapUsed, tensorBytes, views, weights, scratch, scopes }) {
  return { heapUsed, tensorBytes, views, weights, scratch, scopes };
}

test('a model predicts the same after a trim', async () => {
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
