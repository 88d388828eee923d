// Programs that read and write texts.

/** Returns texts as one-hot rows, [texts, length, characters]. */
function oneHot(tf, texts, characters) {
  return tf.tidy(() => {
    const indices = texts.map((text) => Array.from(text, (character) => characters.indexOf(character)));
    return tf.oneHot(tf.tensor2d(indices, [texts.length, texts[0].length], 'int32'), characters.length).cast('float32');
  });
}

export const sequences = {
  'addition-rnn': {
    what: 'sums of numbers, digit by digit: two recurrent layers and a repeatVector',
    async run(tf, { size, list, random, settle, end, take }) {
      const characters = '0123456789+ ';
      const pairs = list(256, () => [0, 0].map(() => Math.floor(100 * random())));
      const xs = oneHot(
        tf,
        pairs.map(([a, b]) => `${a}+${b}`.padEnd(5)),
        characters,
      );
      const ys = oneHot(
        tf,
        pairs.map(([a, b]) => `${a + b}`.padEnd(3)),
        characters,
      );
      const model = tf.sequential({
        layers: [
          tf.layers.simpleRNN({ units: 32, inputShape: [5, characters.length] }),
          tf.layers.repeatVector({ n: 3 }),
          tf.layers.gru({ units: 32, returnSequences: true }),
          tf.layers.timeDistributed({ layer: tf.layers.dense({ units: characters.length }) }),
          tf.layers.activation({ activation: 'softmax' }),
        ],
      });
      settle(model).compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
      const { history } = await model.fit(xs, ys, { epochs: 4 * size, batchSize: 64, shuffle: false, verbose: 0 });
      const scores = take(tf.tidy(() => model.predict(xs.slice([0, 0, 0], [4, -1, -1]))));
      tf.dispose([xs, ys]);
      end(model);
      return { losses: history.loss, scores };
    },
  },

  'lstm-text': {
    what: 'the next character of a text, which it then writes character by character',
    async run(tf, { size, list, settle, end, take }) {
      const text = 'the owner of a tensor frees it; the holder of a model frees the model. '.repeat(8);
      const characters = [...new Set(text)].join('');
      const length = 20;
      const starts = list(192, (i) => (i * 7) % (text.length - length - 1));
      const xs = oneHot(
        tf,
        starts.map((start) => text.slice(start, start + length)),
        characters,
      );
      const ys = tf.tidy(() =>
        oneHot(
          tf,
          starts.map((start) => text[start + length]),
          characters,
        ).squeeze([1]),
      );
      const model = tf.sequential({
        layers: [
          tf.layers.lstm({ units: 32, inputShape: [length, characters.length] }),
          tf.layers.dense({ units: characters.length, activation: 'softmax' }),
        ],
      });
      settle(model).compile({ optimizer: tf.train.adam(0.005), loss: 'categoricalCrossentropy' });
      const { history } = await model.fit(xs, ys, { epochs: 3 * size, batchSize: 64, shuffle: false, verbose: 0 });
      let written = text.slice(0, length);
      for (let i = 0; i < 10; i++) {
        written += tf.tidy(() => {
          const logits = model
            .predict(oneHot(tf, [written.slice(-length)], characters))
            .log()
            .squeeze();
          // A draw at a low temperature is tried too, though not compared: it is random.
          tf.multinomial(logits.div(0.5), 1);
          return characters[logits.argMax().dataSync()[0]];
        });
      }
      // Not the text: which of two nearly equal scores is the larger may depend on the library.
      const scores = take(tf.tidy(() => model.predict(xs.slice([0, 0, 0], [4, -1, -1]))));
      tf.dispose([xs, ys]);
      end(model);
      return { losses: history.loss, scores, written: written.length };
    },
  },

  'date-conversion': {
    what: 'dates to another format: two LSTMs with attention, and a custom layer',
    async run(tf, { size, list, random, settle, end, take }) {
      const [inVocabulary, outVocabulary, inLength, outLength, units] = ['0123456789/ ', '0123456789-^', 10, 10, 24];
      const two = (number) => String(number).padStart(2, '0');
      const dates = list(128, () => [2, 1, 1].map((_, i) => Math.floor([60, 12, 28][i] * random()) + [1990, 1, 1][i]));
      const indices = (texts, vocabulary) =>
        tf.tensor2d(texts.map((text) => Array.from(text, (one) => vocabulary.indexOf(one))));
      const targets = dates.map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`);
      const encoded = indices(
        dates.map(([year, month, day]) => `${two(day)}/${two(month)}/${year}`),
        inVocabulary,
      );
      const shifted = indices(
        targets.map((text) => `^${text.slice(0, -1)}`),
        outVocabulary,
      );
      const ys = oneHot(tf, targets, outVocabulary);

      /** Takes the last time step. */
      class LastStep extends tf.layers.Layer {
        static className = 'LastStep';
        computeOutputShape([batch, , features]) {
          return [batch, features];
        }
        call(inputs) {
          const [x] = [inputs].flat();
          return tf.tidy(() => x.gather([x.shape[1] - 1], 1).squeeze([1]));
        }
      }
      const l = tf.layers;
      const [encoderInput, decoderInput] = [tf.input({ shape: [inLength] }), tf.input({ shape: [outLength] })];
      const embed = (inputDim, inputLength, x) => l.embedding({ inputDim, outputDim: units, inputLength }).apply(x);
      const encoder = l
        .lstm({ units, returnSequences: true })
        .apply(embed(inVocabulary.length, inLength, encoderInput));
      const last = new LastStep().apply(encoder);
      const decoder = l
        .lstm({ units, returnSequences: true })
        .apply(embed(outVocabulary.length, outLength, decoderInput), { initialState: [last, last] });
      const attention = l
        .activation({ activation: 'softmax' })
        .apply(l.dot({ axes: [2, 2] }).apply([decoder, encoder]));
      const context = l.dot({ axes: [2, 1] }).apply([attention, encoder]);
      const joined = l.concatenate().apply([context, decoder]);
      const each = (x, units_, activation) =>
        l.timeDistributed({ layer: l.dense({ units: units_, activation }) }).apply(x);
      const outputs = each(each(joined, units, 'tanh'), outVocabulary.length, 'softmax');
      const model = tf.model({ inputs: [encoderInput, decoderInput], outputs });
      settle(model).compile({ optimizer: tf.train.adam(0.01), loss: 'categoricalCrossentropy' });
      const args = { epochs: 3 * size, batchSize: 32, shuffle: false, verbose: 0 };
      const { history } = await model.fit([encoded, shifted], ys, args);
      const scores = take(tf.tidy(() => model.predict([encoded, shifted]).slice([0, 0, 0], [2, -1, -1])));
      tf.dispose([encoded, shifted, ys]);
      end(model);
      return { losses: history.loss, scores };
    },
  },
};
