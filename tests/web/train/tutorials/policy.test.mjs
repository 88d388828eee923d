// Policy networks that alternate between acting and training, as in TensorFlow.js's reinforcement learning examples.
import { test } from 'node:test';
import { CartPole } from '../../../../examples/replay_memory/cart_pole.mjs';
import { makeRandom } from '../../../../examples/random.mjs';
import './chance.mjs';
import { assert, leavesNothingAsync, tf } from '../../expect.mjs';

test('action values by deep Q-learning', () =>
  leavesNothingAsync(async () => {
    const online = tf.sequential({
      layers: [tf.layers.dense({ units: 16, inputShape: [4], activation: 'relu' }), tf.layers.dense({ units: 2 })],
    });
    const optimizer = tf.train.adam(0.01);
    const states = tf.tensor2d(
      Array.from({ length: 32 }, (_, i) => Math.sin(3 * i)),
      [8, 4],
    );
    const actions = tf.tidy(() => tf.oneHot(tf.tensor1d([0, 1, 0, 1, 1, 0, 1, 0], 'int32'), 2).toFloat());
    const wanted = tf.tensor1d([1, -1, 0.5, 2, 0, 1, -2, 0.3]);
    const lossOf = () => {
      const values = online.apply(states, { training: true }).mul(actions).sum(-1);
      return tf.losses.meanSquaredError(wanted, values);
    };
    const losses = [];
    for (let i = 0; i < 120; i++) {
      tf.tidy(
        () =>
          void online
            .predict(states.slice([i % 8, 0], [1, 4]))
            .argMax(-1)
            .dataSync(),
      );
      const { value, grads } = tf.variableGrads(
        lossOf,
        online.trainableWeights.map((weight) => weight.read()),
      );
      optimizer.applyGradients(grads);
      losses.push(value.dataSync()[0]);
      tf.dispose([value, grads]);
    }
    assert.ok(losses.at(-1) < 0.2 * losses[0], `${losses[0]} to ${losses.at(-1)}`);
    tf.dispose([states, actions, wanted]);
    optimizer.dispose();
    online.dispose();
  }));

test('a policy by policy gradients', () =>
  leavesNothingAsync(async () => {
    const random = makeRandom(4);
    const world = new CartPole(random);
    const policy = tf.sequential({
      layers: [
        tf.layers.dense({
          units: 8,
          activation: 'elu',
          inputShape: [4],
          kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }),
        }),
        tf.layers.dense({ units: 1, kernelInitializer: tf.initializers.glorotNormal({ seed: 2 }) }),
      ],
    });
    const optimizer = tf.train.adam(0.05);

    /** Plays games; returns the gradients that make each step's action likelier, and the mean number of steps. */
    const play = (games) => {
      const gradients = [];
      let count = 0;
      for (let game = 0; game < games; game++) {
        let state = world.reset();
        const ofGame = [];
        for (let step = 0; step < 200; step++) {
          const { grads, action } = tf.tidy(() => {
            const input = tf.tensor2d([state]);
            let action;
            const { grads } = tf.variableGrads(() => {
              const logits = policy.predict(input);
              const left = tf.sigmoid(logits).dataSync()[0];
              action = random() < left ? 0 : 1;
              return tf.losses.sigmoidCrossEntropy(tf.tensor2d([[1 - action]]), logits).asScalar();
            });
            return { grads, action };
          });
          ofGame.push(grads);
          count++;
          const { observation, done } = world.step(action);
          state = observation;
          if (done) break;
        }
        gradients.push(ofGame);
      }
      return { gradients, mean: count / games };
    };
    /** Applies the gradients of all steps, each weighted by its discounted return. */
    const learn = (gradients) => {
      const returns = gradients.map((ofGame) => {
        let sum = 0;
        return ofGame.map(() => (sum = 1 + 0.95 * sum)).reverse();
      });
      const all = returns.flat();
      const mean = all.reduce((a, b) => a + b, 0) / all.length;
      const deviation = Math.sqrt(all.reduce((a, b) => a + (b - mean) ** 2, 0) / all.length);
      tf.tidy(() => {
        const sums = {};
        for (const name of Object.keys(gradients[0][0])) {
          const weighted = gradients.flatMap((ofGame, i) =>
            ofGame.map((grads, j) => grads[name].mul((returns[i][j] - mean) / deviation)),
          );
          sums[name] = tf.stack(weighted).mean(0);
        }
        optimizer.applyGradients(sums);
      });
      tf.dispose(gradients);
    };
    const means = [];
    for (let i = 0; i < 14; i++) {
      const { gradients, mean } = play(10);
      means.push(mean);
      learn(gradients);
    }
    assert.ok(means.at(-1) > 2.5 * means[0], String(means));
    optimizer.dispose();
    policy.dispose();
  }));
