// Dropout layers in training.
import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

const { layers } = tf;
const kFactories = { dropout: layers.dropout, alphaDropout: layers.alphaDropout };

/** Returns the rows of the layer's output in training, for ones of [rows, columns]. */
function trained(layer, shape) {
  return tf.tidy(() => layer.apply(tf.ones(shape), { training: true }).arraySync());
}

for (const [name, make] of Object.entries(kFactories)) {
  test(`${name} drops the elements along an axis together if noiseShape is 1 there`, () =>
    leavesNothing(() => {
      for (const noiseShape of [
        [200, 1],
        [null, 1],
      ]) {
        const rows = trained(make({ rate: 0.5, noiseShape }), [200, 3]);
        assert.ok(rows.every((row) => row.every((value) => value === row[0])));
        const values = new Set(rows.map(([value]) => value));
        assert.equal(values.size, 2, [...values].join());
      }
      const single = trained(make({ rate: 0.5 }), [200, 3]);
      assert.ok(!single.every((row) => row.every((value) => value === row[0])));
    }));

  test(`${name} refuses a noiseShape that does not broadcast to the input`, () =>
    leavesNothing(() => {
      assert.throws(() => trained(make({ rate: 0.5, noiseShape: [1] }), [4, 3]), /must have as many dimensions/);
      assert.throws(
        () => trained(make({ rate: 0.5, noiseShape: [4, 1] }), [1, 3]),
        /noise_shape \[4,1\] must broadcast/,
      );
    }));
}

test('alphaDropout keeps mean and variance, and trains with a noiseShape', () =>
  leavesNothingAsync(async () => {
    const x = tf.randomNormal([20000, 1], 0, 1, 'float32', 5);
    const y = tf.tidy(() => layers.alphaDropout({ rate: 0.3 }).apply(x, { training: true }));
    const [mean, variance] = tf.tidy(() => Object.values(tf.moments(y)).map((one) => one.dataSync()[0]));
    assert.ok(Math.abs(mean) < 0.05 && Math.abs(variance - 1) < 0.05, `${mean}, ${variance}`);
    const model = tf.sequential({
      layers: [
        layers.dense({ units: 2, inputShape: [1], activation: 'selu' }),
        layers.alphaDropout({ rate: 0.3, noiseShape: [null, 1] }),
        layers.dense({ units: 1 }),
      ],
    });
    model.compile({ loss: 'meanSquaredError', optimizer: 'sgd' });
    const { history } = await model.fit(x, x, { epochs: 2, batchSize: 1000, verbose: 0 });
    assert.ok(history.loss[1] < history.loss[0]);
    tf.dispose([x, y, model]);
  }));
