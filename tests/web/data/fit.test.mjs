// Models that are trained and evaluated on datasets, without leaks, however the training ends.
import { test } from 'node:test';
import { assert, leavesNothingAsync, pause, tf } from '../expect.mjs';

const batches = () =>
  tf.data
    .generator(function* () {
      for (let i = 0; i < 24; i++) yield { xs: tf.tensor1d([i / 24, 1]), ys: tf.tensor1d([i / 12]) };
    })
    .mapAsync(async ({ xs, ys }) => ({ xs: xs.mul(1), ys }), { parallel: 4 })
    .shuffle(8, 'seed')
    .batch(5)
    .prefetch({ elements: 3, maxBytes: 500 });

function makeModel() {
  const model = tf.tidy(() =>
    tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [2], kernelInitializer: 'zeros' })] }),
  );
  model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  return model;
}

test('fitDataset() and evaluateDataset() leak nothing of the pipelines', () =>
  leavesNothingAsync(async () => {
    const model = makeModel();
    const cached = batches().cache();
    const { history } = await model.fitDataset(cached, { epochs: 20, validationData: batches() });
    assert.ok(history.loss.at(-1) < history.loss[0] / 2, `${history.loss[0]} ${history.loss.at(-1)}`);
    tf.dispose(await model.evaluateDataset(batches(), { batches: 2 }));
    await assert.rejects(
      model.fitDataset(batches(), {
        epochs: 1,
        callbacks: {
          onBatchEnd: (batch) => {
            if (batch === 1) throw new Error('stop');
          },
        },
      }),
      /stop/,
    );
    await pause();
    tf.dispose([cached, model, model.optimizer]);
  }));
