// Programs that predict numbers.

/** Returns the text of a CSV file. */
const csvText = (names, rows) => [names, ...rows].map((row) => row.join(',')).join('\n');

export const regression = {
  'polynomial-regression': {
    what: 'fits the coefficients of a cubic with an optimizer',
    async run(tf, { size, list, normal, take }) {
      const xs = tf.tensor1d(list(200, (i) => i / 100 - 1));
      const ys = tf.tidy(() => {
        const noise = tf.tensor1d(list(200, () => 0.05 * normal()));
        return tf.add(tf.add(tf.mul(tf.pow(xs, 3), -0.8), tf.mul(tf.square(xs), -0.2)), tf.add(tf.mul(xs, 0.9), noise));
      });
      const coefficients = tf.tidy(() => [0.1, -0.3, 0.2, 0.4].map((value) => tf.variable(tf.scalar(value))));
      const optimizer = tf.train.sgd(0.5);
      const predict = () =>
        coefficients.reduce((sum, factor, power) => tf.add(sum, tf.mul(factor, tf.pow(xs, power))), 0);
      const losses = list(150 * size, () =>
        take(optimizer.minimize(() => tf.mean(tf.square(tf.sub(predict(), ys))), true, coefficients)),
      ).flat();
      const found = coefficients.flatMap((one) => Array.from(one.dataSync()));
      optimizer.dispose();
      tf.dispose([xs, ys, coefficients]);
      return { losses, found };
    },
  },

  'boston-housing': {
    what: 'fits a network with two hidden layers to 12 normalized features',
    async run(tf, { size, list, random, normal, settle, end, take }) {
      const rows = list(400, () => list(12, () => 10 * random()));
      const prices = rows.map((row) => [row.reduce((sum, x, i) => sum + ((i % 5) - 2) * x, 22) / 10 + 0.1 * normal()]);
      const [xs, ys] = tf.tidy(() => {
        const raw = tf.tensor2d(rows);
        const { mean, variance } = tf.moments(raw, 0);
        return [raw.sub(mean).div(variance.sqrt()), tf.tensor2d(prices)];
      });
      const dense = (args) => tf.layers.dense({ units: 50, activation: 'sigmoid', ...args });
      const model = tf.sequential({
        layers: [dense({ inputShape: [12] }), dense({}), tf.layers.dense({ units: 1 })],
      });
      settle(model).compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError' });
      const args = { batchSize: 40, epochs: 10 * size, validationSplit: 0.2, shuffle: false, verbose: 0 };
      const { history } = await model.fit(xs, ys, args);
      const final = take(model.evaluate(xs, ys, { batchSize: 40 }));
      tf.dispose([xs, ys]);
      end(model);
      return { losses: history.loss, validation: history.val_loss, final };
    },
  },

  abalone: {
    what: 'trains on batches of a CSV file with a column of words',
    async run(tf, { size, list, random, normal, pick, settle, end, take, withFile }) {
      const names = ['sex', 'length', 'diameter', 'height', 'weight', 'rings'];
      const rows = list(400, () => {
        const [length, height] = [0.2 + 0.6 * random(), 0.05 + 0.2 * random()];
        const values = [length, 0.8 * length, height, 2 * length * height, 8 + 10 * length + 0.5 * normal()];
        return [pick(['M', 'F', 'I']), ...values.map((value) => value.toFixed(4))];
      });
      return withFile(csvText(names, rows), async (url) => {
        const data = tf.data
          .csv(url, { columnConfigs: { rings: { isLabel: true } } })
          .map(({ xs: { sex, ...sizes }, ys }) => ({
            xs: [...['M', 'F', 'I'].map((one) => Number(one === sex)), ...Object.values(sizes)],
            ys: [ys.rings],
          }))
          .batch(50);
        const model = tf.sequential({
          layers: [
            tf.layers.dense({ units: 50, activation: 'relu', inputShape: [7] }),
            tf.layers.dense({ units: 50, activation: 'relu' }),
            tf.layers.dense({ units: 1 }),
          ],
        });
        settle(model).compile({ optimizer: tf.train.sgd(0.001), loss: 'meanAbsoluteError' });
        const { history } = await model.fitDataset(data, { epochs: 4 * size, verbose: 0 });
        const final = take(await model.evaluateDataset(data, { verbose: 0 }));
        end(model);
        return { losses: history.loss, final };
      });
    },
  },

  'data-csv': {
    what: 'a linear model of a CSV file, with its columns scaled by their own means',
    async run(tf, { size, list, random, settle, end, withFile }) {
      const rows = list(300, () => {
        const row = list(4, () => 100 * random());
        return [...row, row[0] - 0.5 * row[1] + 0.1 * row[3] + random()].map((value) => value.toFixed(3));
      });
      return withFile(csvText(['a', 'b', 'c', 'd', 'price'], rows), async (url) => {
        const csv = tf.data.csv(url, { columnConfigs: { price: { isLabel: true } } });
        const columns = await csv.columnNames();
        const means = [0, 0, 0, 0];
        await csv.forEachAsync(({ xs }) => Object.values(xs).forEach((x, i) => (means[i] += x / rows.length)));
        const data = csv
          .map(({ xs, ys }) => ({ xs: Object.values(xs).map((x, i) => x / means[i] - 1), ys: [ys.price / 50] }))
          .batch(10);
        const model = tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [4] })] });
        settle(model).compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError' });
        const { history } = await model.fitDataset(data, { epochs: 5 * size, verbose: 0 });
        end(model);
        return { losses: history.loss, columns: columns.length, means };
      });
    },
  },
};
