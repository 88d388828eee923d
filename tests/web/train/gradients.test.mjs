import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, tf } from '../expect.mjs';

const tape = () => tf.memory().detail.tape;

test('grad() gives the gradient in the shape of x, of values and of tensors', () => {
  leavesNothing(() => {
    const slope = tf.grad((x) => x.square().mul(3));
    for (const x of [[1, 2], tf.tensor([1, 2])]) {
      const g = slope(x);
      assertTensor(g, [2], [6, 12]);
      tf.dispose([x, g]);
    }
    const weighted = slope([1, 2], [10, 0]);
    assertTensor(weighted, [2], [60, 0]);
    weighted.dispose();
  });
});

test('grads(), valueAndGrad() and valueAndGrads() give a gradient for each input, and the value', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const [a, b] = [tf.tensor([2, 3]), tf.scalar(5)];
      const [da, db] = tf.grads((x, y) => x.mul(y))([a, b]);
      assertTensor(da, [2], [5, 5]);
      assertTensor(db, [], [5]);
      // One tensor for both is one source, which no tape has recorded before.
      const same = tf.tensor([1, 2]);
      for (const gradient of tf.grads((x, y) => x.mul(y))([same, same])) assertTensor(gradient, [2], [2, 4]);
      const one = tf.valueAndGrad((x) => x.exp().sum())(b);
      assertTensor(one.value, [], [Math.exp(5)], 'float32', 1e-6);
      assertTensor(one.grad, [], [Math.exp(5)], 'float32', 1e-6);
      const { value, grads } = tf.valueAndGrads((x, y) => x.matMul(y))(
        [tf.ones([1, 2]), tf.ones([2, 1])],
        tf.tensor([[3]]),
      );
      assertTensor(value, [1, 1], [2]);
      assertTensor(grads[0], [1, 2], [3, 3]);
      assertTensor(grads[1], [2, 1], [3, 3]);
    }),
  );
});

test('higher-order gradients are right to the fourth order', () => {
  leavesNothing(() => {
    const orders = [80, 160, 240, 240];
    let f = (x) => x.pow(5);
    for (const expected of orders) {
      f = tf.grad(f);
      const g = f(2);
      assertTensor(g, [], [expected]);
      g.dispose();
    }
    tf.tidy(() => {
      const mixed = tf.grad((x) =>
        tf
          .grad((y) => x.mul(y).square())(x.clone())
          .sum(),
      );
      assertTensor(mixed(tf.tensor([1, 2])), [2], [6, 24]);
    });
  });
});

test('variableGrads() returns the gradients of trainable variables that are read', () => {
  leavesNothing(() => {
    const make = (values, trainable, name) => tf.tidy(() => tf.variable(tf.tensor(values), trainable, name));
    const [w, fixed, unread] = [make([1, 2], true, 'w'), make(3, false, 'fixed'), make(3, true, 'unread')];
    const loss = () => w.mul(fixed).square().sum();
    const all = tf.variableGrads(loss);
    assertTensor(all.value, [], [45]);
    assert.deepEqual(Object.keys(all.grads), ['w']);
    assertTensor(all.grads.w, [2], [18, 36]);
    const named = tf.variableGrads(loss, [w, fixed]);
    assert.equal(named.grads.fixed, null);
    assert.throws(() => tf.variableGrads(loss, [fixed]), /none of the 1 variables is trainable/);
    assert.throws(() => tf.variableGrads(loss, [unread]), /Cannot find a connection between any variable/);
    assert.throws(() => tf.variableGrads(() => w.square()), /must return a scalar, but it returned a rank-1 tensor/);
    tf.dispose([all, named.value, named.grads.w, w, fixed, unread]);
  });
});

test('a variable is followed through assign()', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const v = tf.variable(tf.scalar(2));
      const { value, grads } = tf.variableGrads(() => {
        v.assign(tf.scalar(5));
        return v.square();
      }, [v]);
      assertTensor(value, [], [25]);
      assertTensor(grads[v.name], [], [10]);
      v.dispose();
    }),
  );
});

test('customGrad() uses the given gradient function and its saved tensors', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const f = tf.customGrad((x, save) => {
        save([x]);
        return { value: x.square(), gradFunc: (dy, [saved]) => dy.mul(saved.abs()) };
      });
      const x = tf.tensor([-3, 2]);
      assertTensor(f(x), [2], [9, 4]);
      assertTensor(tf.grad((a) => f(a.mul(2)))(x), [2], [12, 8]);
      assertTensor(tf.grad((a) => tf.grad((b) => f(b))(a))(x), [2], [-1, 1]);
      const two = tf.customGrad((a, b) => ({ value: a.add(b), gradFunc: (dy) => [dy.mul(10), dy.mul(100)] }));
      assert.deepEqual(
        tf
          .grads(two)([x, x])
          .map((g) => [...g.dataSync()]),
        [
          [110, 110],
          [110, 110],
        ],
      );
      const same = tf.customGrad((a) => ({ value: a, gradFunc: (dy) => dy.mul(7) }));
      assertTensor(tf.grad(same)(x), [2], [7, 7]);
      const inner = tf.customGrad((a) => ({ value: tf.grad((b) => b.square())(a), gradFunc: (dy) => dy }));
      assertTensor(inner(x), [2], [-6, 4]);
    }),
  );
});

test('customGrad() refuses invalid gradients', () => {
  const x = tf.scalar(1);
  leavesNothing(() => {
    const refuses = (f, words) => assert.throws(() => tf.grad(tf.customGrad(f))(x), { message: words });
    const kWords = 'The function f passed in customGrad(f) must return an object where ';
    refuses(() => ({}), `${kWords}\`obj.value\` is a tensor`);
    refuses((a) => ({ value: a.square() }), `${kWords}\`obj.gradFunc\` is a function.`);
    refuses(
      (a) => ({ value: a.square(), gradFunc: () => [] }),
      `${kWords}\`obj.gradFunc\` is a function that returns the same number of tensors as inputs passed to f(...).`,
    );
    refuses(
      (a) => ({ value: a.square(), gradFunc: () => 3 }),
      `${kWords}\`obj.gradFunc\` is a function that returns a list of only tensors.`,
    );
    assert.throws(() => tf.grad(tf.customGrad((a) => ({ value: a.square(), gradFunc: () => tf.ones([2]) })))(x));
    assert.throws(() => tf.customGrad(() => 0)(1), /must all be tensors/);
  });
  x.dispose();
});

test('ops without a gradient throw', () => {
  const x = tf.tensor([1, 2]);
  leavesNothing(() => {
    assert.throws(() => tf.grad(3), { message: 'The f passed in grad(f) must be a function' });
    assert.throws(() => tf.grad((a) => a.less(1))(x), {
      message: 'Cannot compute gradient: gradient function not found for Less.',
    });
    for (const f of [() => x.square(), (a) => a]) {
      assert.throws(() => tf.grad(f)(1), /^Error: Cannot compute gradient of y=f\(x\) with respect to x/);
    }
    assert.throws(() => tf.grad(() => 3)(x), { message: 'The result y returned by f() must be a tensor.' });
    assert.throws(() => tf.grad((a) => a.square())(x, [1]), /Shapes 2 and 1 must match/);
    assert.throws(() => tf.valueAndGrads((a) => a)(x), /must be array of tensors/);
    assert.throws(() => tf.grads(() => x)([]), /empty list of xs/);
    tf.tidy(() => {
      assert.throws(() => tf.grads((a) => a.square())([x, tf.scalar(1)]), /Cannot compute gradient of y=f/);
    });
  });
  x.dispose();
});

test('an exception anywhere leaks no tensor, tape or gradient level', () => {
  const x = tf.tensor([1, 2]);
  leavesNothing(() => {
    const boom = () => {
      throw new Error('boom');
    };
    const ways = [
      (a) => (a.exp(), boom()),
      (a) => tf.grad((b) => (b.exp(), boom()))(a),
      tf.customGrad((a) => ({ value: a.exp(), gradFunc: boom })),
      tf.customGrad((a, save) => (save([a.exp()]), boom())),
    ];
    for (let i = 0; i < 10; i++) for (const f of ways) assert.throws(() => tf.grad(f)(x), { message: 'boom' });
    assert.equal(tape(), 0);
    tf.tidy(() => assertTensor(tf.grad((a) => a.square())(x), [2], [2, 4]));
  });
  x.dispose();
});

test('tensors saved by a tape are counted, and freed with it', () => {
  leavesNothing(() => {
    const x = tf.ones([1000]);
    let during = 0;
    const g = tf.grad((a) => {
      const y = tf.tidy(() => a.exp().exp());
      during = tape();
      return y;
    })(x);
    assert.ok(during >= 4000, `${during}`);
    assert.equal(tape(), 0);
    tf.dispose([x, g]);
  });
});
