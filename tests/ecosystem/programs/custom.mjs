// Programs with layers, losses and training loops of their own.

export const custom = {
  'custom-layer': {
    what: 'a layer in JavaScript, in a model that is saved and loaded',
    async run(tf, { size, digits, settle, end, take }) {
      /** Normalizes each row, and returns its positive part beside its negative part. */
      class Antirectifier extends tf.layers.Layer {
        static className = 'Antirectifier';
        computeOutputShape([batch, features]) {
          return [batch, 2 * features];
        }
        call(inputs) {
          return tf.tidy(() => {
            const [x] = [inputs].flat();
            const centered = x.sub(x.mean(-1, true));
            return tf.concat([centered.relu(), centered.neg().relu()], -1);
          });
        }
      }
      tf.serialization.registerClass(Antirectifier);
      const { xs, ys } = digits(100, 14);
      const model = tf.sequential({
        layers: [
          tf.layers.flatten({ inputShape: [14, 14, 1] }),
          tf.layers.dense({ units: 32 }),
          new Antirectifier(),
          tf.layers.dense({ units: 10, activation: 'softmax' }),
        ],
      });
      settle(model).compile({ optimizer: tf.train.momentum(0.05, 0.9), loss: 'categoricalCrossentropy' });
      const { history } = await model.fit(xs, ys, { epochs: 5 * size, batchSize: 20, shuffle: false, verbose: 0 });
      let saved;
      await model.save(
        tf.io.withSaveHandler(async (artifacts) => {
          saved = artifacts;
          return { modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } };
        }),
      );
      const loaded = await tf.loadLayersModel(tf.io.fromMemory(saved));
      const scores = take(tf.tidy(() => loaded.predict(xs.slice([0, 0, 0, 0], [4, -1, -1, -1]))));
      tf.dispose([xs, ys]);
      end(model);
      loaded.dispose();
      return { losses: history.loss, scores };
    },
  },

  'fashion-mnist-vae': {
    what: 'a variational autoencoder: a sampling layer, and a loss of its own',
    async run(tf, { size, digits, list, normal, settle, take }) {
      const [pixels, hidden, latent, count] = [196, 64, 2, 80];
      const { xs: pictures, ys } = digits(count, 14);
      const xs = pictures.reshape([count, pixels]);
      tf.dispose([pictures, ys]);
      const noise = tf.tensor2d(list(count * latent, normal), [count, latent]);

      /** Draws from a normal distribution: the mean plus the noise times the deviation. */
      class Sample extends tf.layers.Layer {
        static className = 'Sample';
        computeOutputShape([shape]) {
          return shape;
        }
        call([mean, logVariance, drawn]) {
          return tf.tidy(() => mean.add(logVariance.div(2).exp().mul(drawn)));
        }
      }
      const l = tf.layers;
      const [input, drawn] = [tf.input({ shape: [pixels] }), tf.input({ shape: [latent] })];
      const encoded = l.dense({ units: hidden, activation: 'relu' }).apply(input);
      const [mean, logVariance] = [0, 1].map(() => l.dense({ units: latent }).apply(encoded));
      const outputs = [mean, logVariance, new Sample().apply([mean, logVariance, drawn])];
      const encoder = settle(tf.model({ inputs: [input, drawn], outputs }));
      const decoder = settle(
        tf.sequential({
          layers: [
            l.dense({ units: hidden, activation: 'relu', inputShape: [latent] }),
            l.dense({ units: pixels, activation: 'sigmoid' }),
          ],
        }),
      );
      const optimizer = tf.train.adam(0.002);
      const step = (start) =>
        optimizer.minimize(() => {
          const [x, z] = [xs.slice([start, 0], [20, -1]), noise.slice([start, 0], [20, -1])];
          const [mu, log, sampled] = encoder.apply([x, z], { training: true });
          const reconstruction = tf.losses.meanSquaredError(x, decoder.apply(sampled, { training: true })).mul(pixels);
          const divergence = log.add(1).sub(mu.square()).sub(log.exp()).sum(-1).mean().mul(-0.5);
          return reconstruction.add(divergence);
        }, true);
      const losses = list(16 * size, (i) => take(step((20 * i) % count))).flat();
      const generated = take(tf.tidy(() => decoder.predict(tf.tensor2d([[0.5, -0.5]]))));
      optimizer.dispose();
      encoder.dispose();
      decoder.dispose();
      tf.dispose([xs, noise]);
      return { losses, generated };
    },
  },

  'cart-pole': {
    what: 'a policy gradient: gradients that are collected over games, weighted, and applied',
    async run(tf, { size, list, random, settle }) {
      const policy = settle(
        tf.sequential({
          layers: [tf.layers.dense({ units: 8, activation: 'elu', inputShape: [4] }), tf.layers.dense({ units: 1 })],
        }),
      );
      const optimizer = tf.train.adam(0.05);
      /** Moves the cart by a force, for 20 ms (Barto, Sutton and Anderson, 1983). */
      const move = ([x, dx, angle, da], force) => {
        const push = (force + 0.05 * da * da * Math.sin(angle)) / 1.1;
        const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
        const turn = (9.8 * sine - cosine * push) / (0.5 * (4 / 3 - (0.1 * cosine * cosine) / 1.1));
        const ddx = push - (0.05 * turn * cosine) / 1.1;
        return [x + 0.02 * dx, dx + 0.02 * ddx, angle + 0.02 * da, da + 0.02 * turn];
      };
      const losses = [];
      const play = () => {
        const steps = [];
        for (let state = list(4, () => 0.1 * random() - 0.05); steps.length < 60; ) {
          let left;
          const { value, grads } = tf.variableGrads(() => {
            const logit = policy.predict(tf.tensor2d([state]));
            left = Number(random() < logit.sigmoid().dataSync()[0]);
            return tf.losses.sigmoidCrossEntropy(tf.tensor2d([[left]]), logit);
          });
          losses.push(value.dataSync()[0]);
          value.dispose();
          steps.push(grads);
          state = move(state, left === 1 ? 10 : -10);
          if (Math.abs(state[0]) > 2.4 || Math.abs(state[2]) > 0.2) break;
        }
        return steps;
      };
      const lengths = [];
      for (let round = 0; round < 2 * size; round++) {
        const games = list(4, play);
        lengths.push(...games.map((steps) => steps.length));
        const rewards = games.map((steps) => steps.map((_, i) => (1 - 0.95 ** (steps.length - i)) / 0.05));
        const mean = rewards.flat().reduce((a, b) => a + b) / rewards.flat().length;
        const weighted = tf.tidy(() => {
          const sums = {};
          for (const name of Object.keys(games[0][0])) {
            const terms = games.flatMap((steps, g) => steps.map((grads, i) => grads[name].mul(rewards[g][i] - mean)));
            sums[name] = tf.addN(terms).div(terms.length);
          }
          return sums;
        });
        optimizer.applyGradients(weighted);
        tf.dispose([weighted, games]);
      }
      optimizer.dispose();
      policy.dispose();
      return { losses, lengths };
    },
  },

  'snake-dqn': {
    what: 'deep Q-learning: two convolutional networks, a replay memory and batch normalization',
    async run(tf, { size, list, random, settle, take }) {
      const [side, actions, batch] = [6, 4, 16];
      const moves = [
        [0, 1],
        [1, 0],
        [0, -1],
        [-1, 0],
      ];
      const place = () => list(2, () => Math.floor(side * random()));
      const network = () =>
        settle(
          tf.sequential({
            layers: [
              tf.layers.conv2d({ filters: 8, kernelSize: 3, activation: 'relu', inputShape: [side, side, 2] }),
              tf.layers.batchNormalization(),
              tf.layers.conv2d({ filters: 16, kernelSize: 3, activation: 'relu' }),
              tf.layers.flatten(),
              tf.layers.dense({ units: 32, activation: 'relu' }),
              tf.layers.dense({ units: actions }),
            ],
          }),
        );
      const [online, target] = [network(), network()];
      // Weights have another order in a model that is not trainable.
      const copy = () => {
        target.trainable = true;
        target.setWeights(online.getWeights());
        target.trainable = false;
      };
      copy();
      const boards = (states) =>
        tf.tidy(() => {
          const buffer = tf.buffer([states.length, side, side, 2]);
          states.forEach(({ head, fruit }, i) => {
            buffer.set(1, i, ...head, 0);
            buffer.set(1, i, ...fruit, 1);
          });
          return buffer.toTensor();
        });
      const act = ({ head, fruit }, action) => {
        const next = head.map((at, i) => at + moves[action][i]);
        if (next.some((at) => at < 0 || at >= side)) return { reward: -1, isDone: true, next: { head, fruit } };
        const isEaten = String(next) === String(fruit);
        return { reward: isEaten ? 1 : -0.02, isDone: false, next: { head: next, fruit: isEaten ? place() : fruit } };
      };
      const memory = [];
      let state = { head: place(), fruit: place() };
      const step = () => {
        const action = Math.floor(actions * random());
        const result = act(state, action);
        memory.push({ state, action, ...result });
        state = result.isDone ? { head: place(), fruit: place() } : result.next;
      };
      list(100, step);
      const optimizer = tf.train.adam(0.001);
      const train = () =>
        tf.tidy(() => {
          const replayed = list(batch, () => memory[Math.floor(memory.length * random())]);
          const loss = () => {
            const chosen = tf.oneHot(
              tf.tensor1d(
                replayed.map(({ action }) => action),
                'int32',
              ),
              actions,
            );
            const values = online.apply(boards(replayed.map((one) => one.state)), { training: true });
            const best = target.predict(boards(replayed.map(({ next }) => next))).max(-1);
            const goes = tf.tensor1d(replayed.map(({ isDone }) => Number(!isDone)));
            const wanted = tf.tensor1d(replayed.map(({ reward }) => reward)).add(best.mul(goes).mul(0.95));
            return tf.losses.meanSquaredError(wanted, values.mul(chosen).sum(-1));
          };
          const { value, grads } = tf.variableGrads(loss);
          optimizer.applyGradients(grads);
          return value.dataSync()[0];
        });
      const losses = list(15 * size, (i) => {
        step();
        if (i % 10 === 9) copy();
        return train();
      });
      const values = take(tf.tidy(() => online.predict(boards([memory[0].state]))));
      optimizer.dispose();
      online.dispose();
      target.dispose();
      return { losses, values };
    },
  },
};
