// Shared code of the programs: random numbers and weights that are the same with both libraries, and synthetic data.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A 5 x 7 font of the digits 0 to 9: one number for each row. */
const kDigits = [
  [14, 17, 19, 21, 25, 17, 14],
  [4, 12, 4, 4, 4, 4, 14],
  [14, 17, 1, 2, 4, 8, 31],
  [31, 2, 4, 2, 1, 17, 14],
  [2, 6, 10, 18, 31, 2, 2],
  [31, 16, 30, 1, 1, 17, 14],
  [6, 8, 16, 30, 17, 17, 14],
  [31, 1, 2, 4, 8, 8, 8],
  [14, 17, 17, 14, 17, 17, 14],
  [14, 17, 17, 15, 1, 2, 12],
];

/** Returns the helpers of a program. `size` multiplies the number of examples or epochs: 1 is the quick form. */
export function makeKit(tf, size) {
  const random = mulberry32(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const list = (count, make) => Array.from({ length: count }, (_, i) => make(i));
  return {
    size,
    random,
    normal,
    list,
    pick: (items) => items[Math.floor(random() * items.length)],

    /** Sets the kernels of a model to values that do not depend on the library. Biases keep their initial values. */
    settle(model) {
      const initial = model.getWeights();
      const values = initial.map((weight) => {
        if (weight.rank < 2) return weight;
        const [fanIn, fanOut] = [weight.size / weight.shape.at(-1), weight.shape.at(-1)];
        const limit = Math.sqrt(6 / (fanIn + fanOut));
        return tf.tensor(
          list(weight.size, () => limit * (2 * random() - 1)),
          weight.shape,
        );
      });
      model.setWeights(values);
      tf.dispose(values.filter((value, i) => value !== initial[i]));
      return model;
    },

    /** Disposes a compiled model and its optimizer, which belongs to the caller if it was given as an object. */
    end(model) {
      const { optimizer } = model;
      model.dispose();
      optimizer.dispose();
    },

    /** Calls `use` with the URL of a file, which is removed afterwards. */
    async withFile(text, use) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'tenure-program-'));
      try {
        writeFileSync(path.join(folder, 'data.csv'), text);
        return await use(`file://${folder}/data.csv`);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },

    /** Returns noisy pictures of digits as xs [count, side, side, 1] and ys [count, 10]. */
    digits(count, side) {
      const labels = list(count, (i) => i % 10);
      const scale = Math.floor(side / 7);
      const pictures = labels.map((label) => {
        const [left, top] = [0, 0].map(() => Math.floor(random() * (side - 7 * scale + 1)));
        return list(side * side, (i) => {
          const [x, y] = [Math.floor(((i % side) - left) / scale), Math.floor((Math.floor(i / side) - top) / scale)];
          const isInk = x >= 0 && x < 5 && y >= 0 && y < 7 && ((kDigits[label][y] >> (4 - x)) & 1) === 1;
          return (isInk ? 0.8 : 0) + 0.2 * random();
        });
      });
      return tf.tidy(() => ({
        xs: tf.tensor(pictures.flat(), [count, side, side, 1]),
        ys: tf.oneHot(tf.tensor1d(labels, 'int32'), 10).cast('float32'),
        labels,
      }));
    },

    /** Returns the values of a tensor, and frees it. */
    take(tensor) {
      const values = Array.from(tensor.dataSync());
      tensor.dispose();
      return values;
    },
  };
}

/** Returns a generator of numbers in [0, 1) from a 32-bit state (Mulberry32). */
function mulberry32(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
