import { test } from 'node:test';
import { assert, leavesNothing, tf } from '../expect.mjs';

const kCount = 20000;

function statistics(values) {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance), least: Math.min(...values), most: Math.max(...values) };
}

function drawn(make) {
  return leavesNothing(() => tf.tidy(() => statistics(Array.from(make().dataSync()))));
}

test('randomUniform is uniform over its range', () => {
  const { mean, least, most } = drawn(() => tf.randomUniform([kCount], -1, 3));
  assert.ok(Math.abs(mean - 1) < 0.05);
  assert.ok(least >= -1 && most < 3 && most - least > 3.9);
});

test('randomUniformInt gives every integer of its range', () => {
  const values = tf.tidy(() => Array.from(tf.randomUniformInt([kCount], 0, 4).dataSync()));
  assert.deepEqual([...new Set(values)].sort(), [0, 1, 2, 3]);
});

test('randomNormal has its mean and deviation', () => {
  const { mean, deviation } = drawn(() => tf.randomNormal([kCount], 2, 3));
  assert.ok(Math.abs(mean - 2) < 0.1 && Math.abs(deviation - 3) < 0.1);
});

test('truncatedNormal is normal within two deviations', () => {
  const { mean, deviation, least, most } = drawn(() => tf.truncatedNormal([kCount], 1, 2));
  assert.ok(least >= -3 && least < -2.8 && most <= 5 && most > 4.8, `from ${least} to ${most}`);
  assert.ok(Math.abs(mean - 1) < 0.1, String(mean));
  // A standard normal distribution truncated at 2 has a standard deviation of 0.8796.
  assert.ok(Math.abs(deviation - 2 * 0.8796) < 0.06, String(deviation));
});

test('randomGamma has the mean and deviation of its shape and rate', () => {
  for (const alpha of [0.5, 4]) {
    const { mean, deviation, least } = drawn(() => tf.randomGamma([kCount], alpha, 2));
    assert.ok(Math.abs(mean - alpha / 2) < 0.05, String(mean));
    assert.ok(Math.abs(deviation - Math.sqrt(alpha) / 2) < 0.05, String(deviation));
    assert.ok(least >= 0);
  }
  assert.throws(() => tf.randomGamma([2], 0), /expected an alpha above 0, got 0/);
  assert.throws(() => tf.randomGamma([2], NaN), /expected an alpha above 0/);
});

test('multinomial draws outcomes with their probabilities', () => {
  const counts = (draws) => [0, 1, 2].map((outcome) => draws.filter((v) => v === outcome).length / draws.length);
  const near = (got, expected) => expected.forEach((e, i) => assert.ok(Math.abs(got[i] - e) < 0.02, String(got)));
  leavesNothing(() =>
    tf.tidy(() => {
      const drawn = tf
        .multinomial(
          [
            [0, Math.log(3), -Infinity],
            [0, 0, 0],
          ],
          kCount,
          5,
        )
        .arraySync();
      near(counts(drawn[0]), [0.25, 0.75, 0]);
      near(counts(drawn[1]), [1 / 3, 1 / 3, 1 / 3]);
      near(counts(tf.multinomial([0.5, 0, 0.5], kCount, 5, true).arraySync()), [0.5, 0, 0.5]);
    }),
  );
  leavesNothing(() => assert.throws(() => tf.multinomial([1], 2), /at least 2 outcomes, but got 1/));
});

test('dropout preserves the expected sum, with one mask along broadcast noise axes', () => {
  const { mean, least, most } = drawn(() => tf.dropout(tf.ones([kCount]), 0.75));
  assert.ok(Math.abs(mean - 1) < 0.1 && least === 0 && most === 4, String(mean));
  leavesNothing(() =>
    tf.tidy(() => {
      const rows = tf.dropout(tf.ones([8, 3]), 0.5, [null, 1], 3).arraySync();
      for (const row of rows) assert.ok(row.every((v) => v === row[0]));
      assert.throws(() => tf.dropout(tf.ones([2]), 1), /rate must be a float in the range \[0, 1\), but got 1/);
      assert.throws(() => tf.dropout(tf.ones([2]), 0.5, [-1]), /dimensions|shape/i);
    }),
  );
});

test('the same seed yields the same values, another one different values', () => {
  tf.tidy(() => {
    const draw = (seed) => tf.randomUniform([4], 0, 1, 'float32', seed).arraySync();
    assert.deepEqual(draw(7), draw(7));
    assert.deepEqual(draw('a'), draw('a'));
    assert.notDeepEqual(draw(7), draw(8));
    assert.notDeepEqual(draw(), draw());
  });
});

test('an integer seed yields the values of TensorFlow.js', () => {
  tf.tidy(() => {
    const near = (drawn, expected) =>
      expected.forEach((e, i) => assert.ok(Math.abs(drawn.dataSync()[i] - e) < 1e-6 * Math.abs(e)));
    near(tf.randomUniform([4], -1, 3, 'float32', 42), [1.73945403, 1.18529785, 2.38237333, -0.20365791]);
    near(tf.randomNormal([4], 1, 2, 'float32', 42), [4.81061888, 1.95489311, 1.89089286, 0.224283189]);
    near(tf.randomUniform([2], 0, 1, 'float32', 0), [0.5945264101, 0.8065848947]);
    near(tf.randomUniform([2], 0, 1, 'float32', 1700000000000), [0.2908572853, 0.3300310373]);
    near(tf.randomUniform([2], 0, 1, 'float32', -5000000000), [0.863237679, 0.7353201509]);
    near(tf.truncatedNormal([4], 0, 3.5, 'float32', -7), [2.69937634, 3.98951435, 5.0536108, 2.44914818]);
  });
});

test('an unsupported dtype is refused', () => {
  leavesNothing(() => {
    assert.throws(() => tf.randomNormal([2], 0, 1, 'bool'), /Unsupported data type bool/);
    assert.throws(() => tf.truncatedNormal([2], 0, 1, 'bool'), /Unsupported data type bool/);
    assert.throws(() => tf.randomUniform([-1]), /positive integers but got shape \[-1\]/);
  });
});
