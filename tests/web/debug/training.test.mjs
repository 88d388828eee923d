// Leaks in user code for training, each reported with its line.
import { test } from 'node:test';
import { assert, held, placesIn, tf, warningsOf } from './expect.mjs';

const place = placesIn(import.meta.url);
const kept = [];

class Leaking extends tf.layers.Layer {
  static className = 'LeakingForTraining';
  call(inputs) {
    kept.push(tf.keep(tf.ones([3]))); // in a layer
    return [inputs].flat()[0].mul(2);
  }
  computeOutputShape(shape) {
    return shape;
  }
}

function loss(yTrue, yPred) {
  kept.push(tf.keep(tf.zeros([2]))); // in a loss
  return tf.losses.meanSquaredError(yTrue, yPred);
}

function metric(yTrue, yPred) {
  kept.push(tf.keep(tf.eye(2))); // in a metric
  return yPred.sub(yTrue).mean();
}

test('leaks in layers, losses, metrics and callbacks are reported, and optimizer slots are not', async (context) => {
  const before = held(tf);
  const model = tf.sequential({
    layers: [tf.layers.dense({ units: 3, inputShape: [3] }), new Leaking({}), tf.layers.dense({ units: 1 })],
  });
  const [x, y] = [tf.ones([8, 3]), tf.ones([8, 1])];
  const optimizer = tf.train.adam(0.01);
  const warnings = await warningsOf(context, async () => {
    model.compile({ optimizer, loss, metrics: [metric] });
    await model.fit(x, y, {
      epochs: 2,
      batchSize: 4,
      verbose: 0,
      callbacks: { onEpochEnd: (epoch, { loss }) => void kept.push(tf.scalar(loss)) },
    }); // fit
  });
  const sites = tf.debug.snapshot().tensors.map(({ op, site }) => `${op} at ${site}`);
  const made = {
    [`ones at ${place('ones([3])')}`]: 4,
    [`zeros at ${place('zeros([2])')}`]: 4,
    [`eye at ${place('eye(2)')}`]: 4,
    [`scalar at ${place('scalar(loss)')}`]: 2,
    [`fit at ${place('await model.fit(')}`]: 8,
  };
  for (const [site, count] of Object.entries(made))
    assert.equal(sites.filter((one) => one === site).length, count, [site, ...sites].join('\n'));
  for (const where of [place('ones([3])'), place('zeros([2])'), place('eye(2)')]) {
    assert.ok(
      warnings.some((line) => line.includes(where) && /was kept and not returned/.test(line)),
      warnings.join('\n'),
    );
  }
  tf.dispose([kept, model, x, y]);
  optimizer.dispose();
  assert.deepEqual(held(tf), before);
});
