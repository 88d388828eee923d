// Programs that predict classes.

export const classification = {
  iris: {
    what: 'three species of flowers by four sizes, with a confusion matrix',
    async run(tf, { size, list, normal, settle, end, take }) {
      const species = list(150, (i) => i % 3);
      const rows = species.map((one) => [5 + one, 3, 1.5 + 2 * one, 0.2 + one].map((mean) => mean + 0.4 * normal()));
      const labels = tf.tensor1d(species, 'int32');
      const xs = tf.tensor2d(rows);
      const ys = tf.oneHot(labels, 3);
      const model = tf.sequential({
        layers: [
          tf.layers.dense({ units: 10, activation: 'sigmoid', inputShape: [4] }),
          tf.layers.dense({ units: 3, activation: 'softmax' }),
        ],
      });
      settle(model).compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const { history } = await model.fit(xs, ys, {
        epochs: 20 * size,
        validationData: [xs, ys],
        shuffle: false,
        verbose: 0,
      });
      const matrix = tf.tidy(() => tf.math.confusionMatrix(labels, model.predict(xs).argMax(-1), 3));
      const counts = take(matrix);
      tf.dispose([labels, xs, ys]);
      end(model);
      return { losses: history.loss, accuracy: history.acc ?? history.accuracy, counts };
    },
  },

  baseball: {
    what: 'seven kinds of pitches from a generator, with callbacks for each batch',
    async run(tf, { size, list, normal, settle, end, take }) {
      const kinds = 7;
      const pitches = list(700, (i) => ({
        xs: list(8, (k) => Math.sin((i % kinds) + k) + 0.2 * normal()),
        ys: list(kinds, (kind) => Number(kind === i % kinds)),
      }));
      const data = tf.data
        .generator(function* () {
          yield* pitches;
        })
        .map(({ xs, ys }) => ({ xs: tf.tensor1d(xs), ys: tf.tensor1d(ys) }))
        .batch(50);
      const dense = (units, args) => tf.layers.dense({ units, activation: 'relu', ...args });
      const model = tf.sequential({
        layers: [dense(250, { inputShape: [8] }), dense(175), dense(150), dense(kinds, { activation: 'softmax' })],
      });
      settle(model).compile({ optimizer: tf.train.adam(), loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const losses = [];
      const callbacks = { onBatchEnd: (_, { loss }) => void losses.push(loss) };
      await model.fitDataset(data, { epochs: 2 * size, callbacks, verbose: 0 });
      const guesses = tf.tidy(() => model.predict(tf.tensor2d(pitches.slice(0, 70).map(({ xs }) => xs))).argMax(-1));
      const right = take(guesses).filter((guess, i) => guess === i % kinds).length;
      end(model);
      return { losses, right };
    },
  },

  'mnist-node': {
    what: 'a convolutional network on pictures of digits',
    async run(tf, { size, digits, settle, end, take }) {
      const { xs, ys } = digits(100, 28);
      const conv = (filters, args) => tf.layers.conv2d({ filters, kernelSize: 3, activation: 'relu', ...args });
      const model = tf.sequential({
        layers: [
          conv(8, { inputShape: [28, 28, 1] }),
          conv(8),
          tf.layers.maxPooling2d({ poolSize: 2 }),
          conv(16),
          tf.layers.maxPooling2d({ poolSize: 2 }),
          tf.layers.flatten(),
          tf.layers.dense({ units: 64, activation: 'relu' }),
          tf.layers.dense({ units: 10, activation: 'softmax' }),
        ],
      });
      settle(model).compile({ optimizer: 'rmsprop', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const losses = [];
      const callbacks = { onBatchEnd: (_, { loss }) => void losses.push(loss) };
      await model.fit(xs, ys, { epochs: 2 * size, batchSize: 20, shuffle: false, callbacks, verbose: 0 });
      const [loss] = model.evaluate(xs, ys, { batchSize: 50 }).map(take);
      tf.dispose([xs, ys]);
      end(model);
      return { losses, loss };
    },
  },

  sentiment: {
    what: 'texts of words: an embedding, a convolution and an LSTM',
    async run(tf, { size, list, random, settle, end, take }) {
      const [words, length] = [500, 40];
      // The words below 20 are kind, and those from 20 to 39 are not.
      const labels = list(128, (i) => i % 2);
      const texts = labels.map((label) => {
        const text = list(20 + Math.floor(30 * random()), () =>
          Math.floor(random() < 0.2 ? 20 * (label + random()) : 40 + (words - 40) * random()),
        );
        return list(length, (i) => text[text.length - length + i] ?? 0);
      });
      const [xs, ys] = [tf.tensor2d(texts, [128, length], 'int32'), tf.tensor2d(labels, [128, 1])];
      const model = tf.sequential({
        layers: [
          tf.layers.embedding({ inputDim: words, outputDim: 16, inputLength: length }),
          tf.layers.conv1d({ filters: 16, kernelSize: 5, activation: 'relu' }),
          tf.layers.maxPooling1d({ poolSize: 2, strides: 2 }),
          tf.layers.lstm({ units: 16 }),
          tf.layers.dense({ units: 1, activation: 'sigmoid' }),
        ],
      });
      settle(model).compile({ optimizer: tf.train.adam(0.01), loss: 'binaryCrossentropy', metrics: ['accuracy'] });
      const args = { epochs: 3 * size, batchSize: 32, validationSplit: 0.25, shuffle: false, verbose: 0 };
      const { history } = await model.fit(xs, ys, args);
      const scores = take(tf.tidy(() => model.predict(xs.slice([0, 0], [8, length]))));
      tf.dispose([xs, ys]);
      end(model);
      return { losses: history.loss, validation: history.val_loss, scores };
    },
  },
};
