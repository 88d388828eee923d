// Registered ops, in graphs and in their function libraries.
import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';
import { graph, load, node, placeholder } from './graphs.mjs';

test('registered ops run among built-in ones', async () => {
  const attr = {
    factor: { f: 3 },
    mode: { s: btoa('Loud') },
    sizes: { list: { i: ['1', '2'] } },
    T: { type: 'DT_FLOAT' },
  };
  const nodes = [
    placeholder('x'),
    node('before', 'Neg', ['x']),
    node('own', 'OurOp', ['before', 'w'], attr),
    node('y', 'Square', ['own']),
  ];
  const artifacts = graph(nodes, { weights: { w: { values: Float32Array.of(1, 2) } } });
  assert.throws(() => load(artifacts), /the op OurOp is not supported: the node "own" needs it/);
  const seen = [];
  const make = (wait) =>
    tf.registerOp('OurOp', ({ inputs: [x, w], attrs }) => {
      seen.push(attrs);
      const sum = x.mul(attrs.factor).add(w);
      return wait ? Promise.resolve(sum) : sum;
    });
  make(false);
  await leavesNothingAsync(async () => {
    const model = load(artifacts);
    const x = tf.tensor1d([1, -1]);
    tf.tidy(() => {
      for (let i = 0; i < 3; i++) assertTensor(model.predict(x), [2], [4, 25]);
      const [own, y] = model.execute(x, ['own', 'y']);
      assertTensor(own, [2], [-2, 5]);
      assertTensor(y, [2], [4, 25]);
      const g = tf.grad((x) => model.predict(x).sum())(x);
      assertTensor(g, [2], [12, -30]);
    });
    assert.deepEqual(seen[0], { factor: 3, mode: 'loud', sizes: [1, 2], T: 'float32' });
    make(true);
    assert.throws(
      () => model.predict(x),
      /The execution of the op 'OurOp' returned a promise. Please use model.executeAsync\(\) instead/,
    );
    const y = await model.executeAsync(x);
    assertTensor(y, [2], [4, 25]);
    y.dispose();
    tf.registerOp('OurOp', () => {
      throw new Error('not today');
    });
    assert.throws(() => model.predict(x), /not today/);
    await assert.rejects(model.executeAsync(x), /not today/);
    tf.registerOp('OurOp', () => 7);
    assert.throws(() => model.predict(x), /must return tensors, but returned 'Number'/);
    assert.equal(tf.getRegisteredOp('OurOp').tfOpName, 'OurOp');
    tf.deregisterOp('OurOp');
    assert.equal(tf.getRegisteredOp('OurOp'), undefined);
    assert.throws(() => model.predict(x), /Custom op OurOp is not registered/);
    x.dispose();
    model.dispose();
  });
});

test('disposing a model while a registered op runs is an error', () => {
  leavesNothing(() => {
    let model;
    tf.registerOp('Neg', ({ inputs: [x] }) => {
      model.dispose();
      return x.neg();
    });
    try {
      model = load(graph([placeholder('x'), node('y', 'Neg', ['x'])]));
    } finally {
      tf.deregisterOp('Neg');
    }
    tf.registerOp('Neg', ({ inputs: [x] }) => {
      model.dispose();
      return x.neg();
    });
    const x = tf.scalar(1);
    assert.throws(() => model.predict(x), /already disposed/);
    tf.deregisterOp('Neg');
    x.dispose();
  });
});

test('a registered op that fails ends the execution that waits for it', async () => {
  const graphOf = () =>
    graph([
      placeholder('x', [2]),
      node('a', 'Neg', ['x']),
      node('mine', 'Mine', ['a']),
      node('y', 'AddV2', ['mine', 'a']),
    ]);
  for (const [fails, words] of [
    [async () => Promise.reject(new Error('no luck')), /no luck/],
    [() => 7, /must return tensors, but returned 'Number'/],
    [({ inputs }) => inputs[0].foo(), TypeError],
  ]) {
    tf.registerOp('Mine', fails);
    await leavesNothingAsync(async () => {
      const model = load(graphOf());
      const x = tf.tensor1d([1, 2]);
      await assert.rejects(model.executeAsync({ x }), words);
      assert.throws(() => model.execute({ x }));
      tf.dispose(x);
      model.dispose();
    });
    tf.deregisterOp('Mine');
  }
});

/** Returns a library function that scales its argument in a registered op; `key` is the name of its list of nodes. */
const scaling = (name, factor, key = 'nodeDef') => ({
  signature: { name, inputArg: [{ name: 'v', type: 'DT_FLOAT' }], outputArg: [{ name: 'out', type: 'DT_FLOAT' }] },
  [key]: [node('own', 'Scale', ['v'], { factor: { f: factor } })],
  ret: { out: 'own:0' },
});

/** Keeps values below ten. */
const small = {
  signature: {
    name: 'small',
    inputArg: [{ name: 'v', type: 'DT_FLOAT' }],
    outputArg: [{ name: 'out', type: 'DT_BOOL' }],
  },
  nodeDef: [node('own', 'Below', ['v'], { limit: { f: 10 } })],
  ret: { out: 'own:0' },
};

test('registered ops see the node of their function, though other functions have nodes of the same name', async () => {
  tf.registerOp('Scale', ({ inputs: [x], attrs }) => x.mul(attrs.factor));
  tf.registerOp('Below', ({ inputs: [x], attrs }) => x.less(attrs.limit));
  const func = (name) => ({ func: { name } });
  const nodes = [
    placeholder('x', []),
    node('p', 'Placeholder', [], { dtype: { type: 'DT_BOOL' } }),
    node('own', 'Scale', ['x'], { factor: { f: 2 } }),
    node('called', 'PartitionedCall', ['own'], { f: func('threefold') }),
    node('either', 'StatelessIf', ['p', 'called'], { then_branch: func('fivefold'), else_branch: func('sevenfold') }),
    node('loop', 'StatelessWhile', ['x'], { cond: func('small'), body: func('threefold') }),
  ];
  const functions = [scaling('threefold', 3), scaling('fivefold', 5), scaling('sevenfold', 7, 'node_def'), small];
  const artifacts = graph(nodes);
  artifacts.modelTopology.library = { function: functions };
  try {
    await leavesNothingAsync(async () => {
      const model = load(artifacts);
      const x = tf.scalar(1);
      for (const [p, expected] of [
        [true, 30],
        [false, 42],
      ]) {
        const given = { x, p: tf.scalar(p, 'bool') };
        const results = [
          model.execute(given, ['own', 'called', 'either']),
          await model.executeAsync(given, ['own', 'called', 'either']),
        ];
        for (const [own, called, either] of results) {
          assertTensor(own, [], [2]);
          assertTensor(called, [], [6]);
          assertTensor(either, [], [expected]);
        }
        const loop = model.execute({ x }, 'loop');
        assertTensor(loop, [], [27]);
        tf.dispose([results, given.p, loop]);
      }
      x.dispose();
      model.dispose();
    });
  } finally {
    tf.deregisterOp('Scale');
    tf.deregisterOp('Below');
  }
});
