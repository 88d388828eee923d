// Sequences: text generation, sums in digits, and a time series, as in TensorFlow.js's tutorials.
import { test } from 'node:test';
import { makeRandom } from '../../../../examples/random.mjs';
import './chance.mjs';
import { assert, leavesNothingAsync, tf } from '../../expect.mjs';

const glorot = (seed) => tf.initializers.glorotNormal({ seed });
const orthogonal = (seed) => tf.initializers.orthogonal({ seed });

const kText = 'the cat sat on the mat. the rat sat on the cat. '.repeat(6);
const kLength = 10;

test('an LSTM generates text', () =>
  leavesNothingAsync(async () => {
    const characters = [...new Set(kText)];
    const indices = Array.from(kText, (character) => characters.indexOf(character));
    const begins = Array.from({ length: kText.length - kLength - 1 }, (_, i) => i);
    const xsBuffer = new tf.TensorBuffer([begins.length, kLength, characters.length]);
    const ysBuffer = new tf.TensorBuffer([begins.length, characters.length]);
    begins.forEach((begin, i) => {
      for (let j = 0; j < kLength; ++j) xsBuffer.set(1, i, j, indices[begin + j]);
      ysBuffer.set(1, i, indices[begin + kLength]);
    });
    const [xs, ys] = [xsBuffer.toTensor(), ysBuffer.toTensor()];

    const model = tf.sequential();
    model.add(
      tf.layers.lstm({
        units: 32,
        inputShape: [kLength, characters.length],
        kernelInitializer: glorot(1),
        recurrentInitializer: orthogonal(2),
      }),
    );
    model.add(tf.layers.dense({ units: characters.length, activation: 'softmax', kernelInitializer: glorot(3) }));
    model.compile({ optimizer: tf.train.rmsprop(0.01), loss: 'categoricalCrossentropy' });
    const batches = [];
    for (let i = 0; i < 25; ++i) {
      const { history } = await model.fit(xs, ys, {
        epochs: 1,
        batchSize: 32,
        validationSplit: 0.0625,
        verbose: 0,
        callbacks: { onBatchEnd: async (batch, logs) => void batches.push(logs.loss) },
      });
      assert.equal(history.val_loss.length, 1);
    }
    assert.ok(batches.at(-1) < 0.2 * batches[0], `${batches[0]} to ${batches.at(-1)}`);

    const sample = (probabilities, temperature) =>
      tf.tidy(() => {
        const logits = tf.div(tf.log(probabilities), Math.max(temperature, 1e-6));
        return tf.multinomial(logits, 1, 7, false).dataSync()[0];
      });
    let sentence = indices.slice(0, kLength);
    let written = '';
    while (written.length < 30) {
      const input = new tf.TensorBuffer([1, kLength, characters.length]);
      sentence.forEach((index, i) => input.set(1, 0, i, index));
      const tensor = input.toTensor();
      const output = model.predict(tensor);
      const probabilities = tf.tidy(() => output.squeeze());
      const winner = sample(probabilities, 0.05);
      tf.dispose([tensor, output, probabilities]);
      written += characters[winner];
      sentence = [...sentence.slice(1), winner];
    }
    assert.equal(written.slice(0, 8), kText.slice(kLength, kLength + 8));
    for (const word of written.split(/[ .]+/).slice(0, -1)) assert.ok(kText.includes(word), written);
    tf.dispose([xs, ys]);
    model.optimizer.dispose();
    model.dispose();
  }));

test('sums of digits, from one sequence to another', () =>
  leavesNothingAsync(async () => {
    const kCharacters = '0123456789+ ';
    const encode = (text) => Array.from(text, (character) => kCharacters.indexOf(character));
    const sums = [];
    for (let a = 0; a < 5; a++) for (let b = 0; b < 5; b++) sums.push([`${a}+${b}`, String(a + b).padEnd(1)]);
    const oneHot = (texts) =>
      tf.tidy(() => tf.oneHot(tf.tensor2d(texts.map(encode), undefined, 'int32'), kCharacters.length).toFloat());
    const [xs, ys] = [oneHot(sums.map(([question]) => question)), oneHot(sums.map(([, answer]) => answer))];
    const model = tf.sequential();
    model.add(
      tf.layers.simpleRNN({
        units: 32,
        kernelInitializer: glorot(1),
        recurrentInitializer: orthogonal(2),
        inputShape: [3, kCharacters.length],
      }),
    );
    model.add(tf.layers.repeatVector({ n: 1 }));
    model.add(
      tf.layers.gru({
        units: 32,
        kernelInitializer: glorot(3),
        recurrentInitializer: orthogonal(4),
        returnSequences: true,
      }),
    );
    model.add(
      tf.layers.timeDistributed({
        layer: tf.layers.dense({ units: kCharacters.length, kernelInitializer: glorot(5) }),
      }),
    );
    model.add(tf.layers.activation({ activation: 'softmax' }));
    model.compile({ loss: 'categoricalCrossentropy', optimizer: tf.train.adam(0.02), metrics: ['accuracy'] });
    const { history } = await model.fit(xs, ys, { epochs: 60, batchSize: 5, verbose: 0 });
    assert.ok(history.acc.at(-1) > 0.9, `accuracy ${history.acc.at(-1)}`);
    tf.dispose([xs, ys]);
    model.optimizer.dispose();
    model.dispose();
  }));

test('a series of numbers from a generator, by a GRU', () =>
  leavesNothingAsync(async () => {
    const kBack = 12;
    const random = makeRandom(9);
    const series = Array.from({ length: 400 }, (_, i) => Math.sin(i / 4) + 0.1 * random());
    function* batches() {
      for (let begin = 0; begin + 32 + kBack < series.length; begin += 16) {
        const rows = Array.from({ length: 32 }, (_, i) => series.slice(begin + i, begin + i + kBack).map((x) => [x]));
        const next = rows.map((_, i) => [series[begin + i + kBack]]);
        yield { xs: tf.tensor3d(rows), ys: tf.tensor2d(next) };
      }
    }
    const dataset = tf.data.generator(batches);
    const model = tf.sequential({
      layers: [
        tf.layers.gru({
          units: 8,
          inputShape: [kBack, 1],
          kernelInitializer: glorot(1),
          recurrentInitializer: orthogonal(2),
          dropout: 0,
          recurrentDropout: 0,
        }),
        tf.layers.dense({ units: 1, kernelInitializer: glorot(3) }),
      ],
    });
    model.compile({ loss: 'meanAbsoluteError', optimizer: 'rmsprop' });
    const { history } = await model.fitDataset(dataset, {
      batchesPerEpoch: 22,
      epochs: 1,
      verbose: 0,
      validationData: dataset,
      validationBatches: 2,
    });
    assert.equal(history.val_loss.length, 1);
    const more = await model.fitDataset(dataset, { epochs: 8, verbose: 0 });
    assert.ok(more.history.loss.at(-1) < 0.5 * history.loss[0], `${history.loss[0]} to ${more.history.loss.at(-1)}`);
    model.dispose();
  }));
