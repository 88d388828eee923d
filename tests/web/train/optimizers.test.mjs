import { test } from 'node:test';
import { held } from '../common.mjs';
import { assert, assertClose, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

const { sqrt, abs, max } = Math;

/** Each optimizer's update of a value w by its gradient g, with its state in s; in float64. */
const kReferences = [
  ['sgd', () => tf.train.sgd(0.1), (w, g) => w - 0.1 * g],
  ['momentum', () => tf.train.momentum(0.1, 0.5), (w, g, s) => w - 0.1 * (s.a = 0.5 * s.a + g)],
  ['nesterov', () => tf.train.momentum(0.1, 0.5, true), (w, g, s) => w - 0.1 * (g + 0.5 * (s.a = 0.5 * s.a + g))],
  ['adagrad', () => tf.train.adagrad(0.1, 0.2), (w, g, s) => w - (0.1 * g) / sqrt((s.a += g * g) + 1e-7), { a: 0.2 }],
  [
    'adadelta',
    () => tf.train.adadelta(0.5, 0.9),
    (w, g, s) => {
      const update = (sqrt(s.b + 1e-7) / sqrt(s.a + 1e-7)) * g;
      s.a = 0.9 * s.a + 0.1 * g * g;
      s.b = 0.9 * s.b + 0.1 * update * update;
      return w - 0.5 * update;
    },
  ],
  [
    'adam',
    () => tf.train.adam(0.1, 0.8, 0.9),
    (w, g, s, t) => {
      s.a = 0.8 * s.a + 0.2 * g;
      s.b = 0.9 * s.b + 0.1 * g * g;
      return w - (0.1 * (s.a / (1 - 0.8 ** t))) / (sqrt(s.b / (1 - 0.9 ** t)) + 1e-7);
    },
  ],
  [
    'adamax',
    () => tf.train.adamax(0.1, 0.8, 0.9, undefined, 0.5),
    (w, g, s, t) => {
      s.a = 0.8 * s.a + 0.2 * g;
      s.b = max(0.9 * s.b, abs(g));
      return w - ((0.1 / (1 + 0.5 * (t - 1)) / (1 - 0.8 ** t)) * s.a) / (s.b + 1e-7);
    },
  ],
  [
    'rmsprop',
    () => tf.train.rmsprop(0.1, 0.8, 0.5),
    (w, g, s) => {
      s.a = 0.8 * s.a + 0.2 * g * g;
      return w - (s.b = 0.5 * s.b + (0.1 * g) / sqrt(s.a + 1e-7));
    },
  ],
  [
    'centered rmsprop',
    () => tf.train.rmsprop(0.1, 0.8, 0.5, undefined, true),
    (w, g, s) => {
      s.a = 0.8 * s.a + 0.2 * g * g;
      s.c = 0.8 * s.c + 0.2 * g;
      return w - (s.b = 0.5 * s.b + (0.1 * g) / sqrt(max(0, s.a - s.c * s.c) + 1e-7));
    },
  ],
];

for (const [name, make, step, initial] of kReferences) {
  test(`${name} follows its formula, and frees its slots`, () => {
    leavesNothing(() => {
      // More than one SIMD vector, and a remainder.
      const begin = [1, -2, 3, -0.5, 0.25, 7, -8];
      const x = tf.variable(begin);
      const optimizer = make();
      const slots = begin.map(() => ({ a: 0, b: 0, c: 0, ...initial }));
      let expected = begin;
      for (let t = 1; t <= 4; t++) {
        assert.equal(
          optimizer.minimize(() => x.square().sum()),
          null,
        );
        expected = expected.map((w, i) => step(w, 2 * w, slots[i], t));
        assertClose(Array.from(x.dataSync()), expected, 1e-5);
      }
      assert.equal(optimizer.iterations, 4);
      const copy = optimizer.constructor.fromConfig(optimizer.constructor, optimizer.getConfig());
      assert.deepEqual(copy.getConfig(), optimizer.getConfig());
      tf.dispose([copy, optimizer]);
      x.dispose();
    });
  });
}

test('the momentum counts as a tensor, as in TensorFlow.js, until the optimizer is disposed', () => {
  leavesNothing(() => {
    const before = tf.memory().numTensors;
    const optimizer = tf.tidy(() => tf.train.momentum(0.1, 0.5));
    assert.equal(tf.memory().numTensors, before + 1);
    optimizer.dispose();
    assert.equal(tf.memory().numTensors, before);
  });
});

test('an update writes in place, unless the buffer is shared', () => {
  leavesNothing(() => {
    const x = tf.variable(new Float32Array(1000).fill(1));
    const optimizer = tf.train.adam(0.1);
    const f = () => x.square().sum();
    optimizer.minimize(f);
    const { detail: before } = tf.memory();
    const copy = x.clone();
    const kept = Array.from(copy.dataSync());
    assert.equal(tf.memory().detail.heapUsed, before.heapUsed);
    optimizer.minimize(f);
    assert.deepEqual(Array.from(copy.dataSync()), kept, 'a clone keeps its value');
    assert.notDeepEqual(Array.from(x.dataSync()), kept);
    copy.dispose();
    optimizer.minimize(f);
    tf.dispose([x, optimizer]);
  });
});

test('gradients propagate through an update inside a gradient', () => {
  leavesNothing(() => {
    const x = tf.variable(3);
    const optimizer = tf.train.sgd(0.1);
    const ten = tf.scalar(10);
    const { value, grads } = tf.variableGrads(() => {
      const y = x.square();
      optimizer.applyGradients({ [x.name]: ten });
      return y.add(x);
    });
    assert.equal(x.dataSync()[0], 2);
    assert.equal(value.dataSync()[0], 11);
    assert.equal(grads[x.name].dataSync()[0], 7);
    tf.dispose([x, optimizer, value, grads, ten]);
  });
});

test('a gradient of the wrong shape changes nothing', () => {
  leavesNothing(() => {
    const x = tf.variable([1, 2], true, 'unmoved');
    const optimizer = tf.train.adam(0.1);
    const wrong = tf.tensor([1, 2, 3]);
    assert.throws(
      () => optimizer.applyGradients({ unmoved: wrong }),
      /variable of shape \[2\] cannot be moved by a gradient of shape \[3\]/,
    );
    assert.throws(() => optimizer.applyGradients({ nobody: wrong }), /no variable with the name 'nobody'/);
    assertClose(Array.from(x.dataSync()), [1, 2]);
    tf.dispose([x, optimizer, wrong]);
  });
});

test('weights of an optimizer can be set on another, which continues identically', async () => {
  await leavesNothingAsync(async () => {
    const [x, y] = [tf.variable([2, 4]), tf.variable([2, 4])];
    const [first, second] = [tf.train.adam(0.1), tf.train.adam(0.1)];
    first.minimize(() => x.square().sum());
    y.assign(x);
    const weights = await first.getWeights();
    assert.deepEqual(
      weights.map(({ name }) => name),
      ['iter', `${x.name}/m`, `${x.name}/v`],
    );
    await second.setWeights(weights);
    weights[0].tensor.dispose();
    assert.equal(second.iterations, 1);
    for (let i = 0; i < 3; i++) {
      first.minimize(() => x.square().sum());
      second.minimize(() => y.square().sum());
    }
    assertClose(Array.from(y.dataSync()), Array.from(x.dataSync()), 1e-5);
    tf.dispose([x, y]);
    first.dispose();
    second.dispose();
  });
});

test('optimizer weights with any number of updates are accepted', async () => {
  const kinds = [(beta) => tf.train.adam(0.1, 0.9, beta), (beta) => tf.train.adamax(0.1, beta, 0.999)];
  await leavesNothingAsync(async () => {
    for (const make of kinds) {
      for (const beta of [0, 0.5, 0.999, 1 - 2 ** -24, -0.999, -2]) {
        for (const updates of [-1, 2 ** 31 - 1, 1e15, 1e300, Infinity, NaN]) {
          const optimizer = make(beta);
          const tensor = tf.scalar(updates, 'float32');
          await optimizer.setWeights([{ name: 'iter', tensor }]);
          tensor.dispose();
          const x = tf.variable([1]);
          optimizer.minimize(() => x.square().sum());
          if (updates > 0 && updates < 1e30 && Math.abs(beta) < 0.9999)
            assert.ok(Number.isFinite(x.dataSync()[0]), `${beta} after ${updates}: ${x}`);
          tf.dispose([x, optimizer]);
        }
      }
    }
  });
});

test('optimizers are created by name', () => {
  const map = tf.serialization.SerializationMap.getMap().classNameMap;
  for (const name of ['SGD', 'Momentum', 'Adagrad', 'Adadelta', 'Adam', 'Adamax', 'RMSProp'])
    assert.ok(map[name], name);
});

test('the slots of a variable are freed when it is disposed', () => {
  for (const make of [() => tf.train.adam(0.1), () => tf.train.momentum(0.1, 0.5), () => tf.train.rmsprop(0.1)]) {
    leavesNothing(() => {
      const optimizer = make();
      const step = () => {
        const image = tf.variable(new Float32Array(64).fill(1));
        optimizer.minimize(() => image.square().sum(), false, [image]);
        image.dispose();
      };
      step();
      const before = held(tf);
      for (let i = 0; i < 20; i++) step();
      assert.deepEqual(held(tf), before);
      optimizer.dispose();
    });
  }
});

test('variables keep their slots when others are disposed', async () => {
  await leavesNothingAsync(async () => {
    const optimizer = tf.train.momentum(0.1, 0.5);
    const [a, b, c] = [1, 2, 3].map((value) => tf.variable(value));
    const step = (...variables) =>
      optimizer.minimize(() => tf.addN(variables.map((x) => x.square())), false, variables);
    step(a, b, c);
    b.dispose();
    const d = tf.variable(4);
    step(a, c, d);
    // For value x, without and with the momentum of a first step.
    const first = (x) => x - 0.1 * 2 * x;
    const second = (x) => first(x) - 0.1 * (0.5 * 2 * x + 2 * first(x));
    assertClose(
      [a, c, d].map((x) => x.dataSync()[0]),
      [second(1), second(3), first(4)],
    );
    const weights = await optimizer.getWeights();
    assert.deepEqual(
      weights.map(({ name }) => name),
      ['iter', ...[a, c, d].map(({ name }) => `${name}/momentum`)],
    );
    weights[0].tensor.dispose();
    tf.dispose([a, optimizer, c, d]);
  });
});

test('a variable with the name of a disposed one starts with new slots', () => {
  leavesNothing(() => {
    const optimizer = tf.train.momentum(0.1, 0.5);
    for (let i = 0; i < 2; i++) {
      const x = tf.variable(1, true, 'reborn');
      optimizer.minimize(() => x.square(), false, [x]);
      assertClose([x.dataSync()[0]], [0.8]);
      tf.disposeVariables();
    }
    tf.dispose(optimizer);
  });
});
