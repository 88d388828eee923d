import { test } from 'node:test';
import { assert, leavesNothing, tf } from '../expect.mjs';

const count = () => tf.memory().numTensors;

test('a list owns its tensors, whatever scope they were made in', () => {
  leavesNothing(() => {
    const list = tf.tidy(() => {
      const made = new tf.TensorList();
      made.push(tf.scalar(1).add(1));
      made.push(tf.scalar(3));
      return made;
    });
    assert.equal(count(), 2);
    assert.deepEqual(
      [...list].map((x) => x.arraySync()),
      [2, 3],
    );
    assert.equal(list.at(-1).arraySync(), 3);
    assert.equal(list.at(2), undefined);
    tf.tidy(() => void list.at(0).add(1));
    assert.equal(list.length, 2);
    list.dispose();
    list.dispose();
    assert.ok(list.isDisposed);
    assert.throws(() => tf.tidy(() => list.push(tf.scalar(1))), {
      message: '[push] this TensorList is already disposed.',
    });
    tf.dispose(list);
  });
});

test('a list also owns tensors made outside all scopes', () => {
  leavesNothing(() => {
    const x = tf.scalar(1);
    const list = new tf.TensorList([x, tf.scalar(2)]);
    assert.equal(list.at(0), x);
    tf.keep(x);
    const scope = tf.scope();
    scope.attach(x);
    scope.close();
    assert.equal(x.isDisposed, false);
    list.clear();
    assert.equal(list.length, 0);
    assert.ok(x.isDisposed);
  });
});

test('one tensor in two holders has two owners, each with a handle', () => {
  leavesNothing(() => {
    const x = tf.tensor([1, 2]);
    const first = new tf.TensorList([x, x]);
    const second = new tf.TensorMap([['x', x]]);
    const variable = tf.tidy(() => tf.variable(tf.tensor([3, 4])));
    second.set('v', variable);
    assert.equal(tf.memory().numDataBuffers, 2);
    first.dispose();
    tf.tidy(() => variable.assign(tf.tensor([5, 6])));
    assert.deepEqual(second.get('x').arraySync(), [1, 2]);
    assert.deepEqual(second.get('v').arraySync(), [3, 4]);
    second.dispose();
    variable.dispose();
  });
});

test('set() frees the tensor that it replaces, unless it is the same', () => {
  leavesNothing(() => {
    const list = new tf.TensorList([tf.scalar(1)]);
    const old = list.at(0);
    list.set(0, old);
    assert.equal(old.isDisposed, false);
    list.set(0, tf.scalar(2));
    assert.ok(old.isDisposed);
    assert.throws(() => list.set(1, list.at(0)), { message: '[set] index 1 is out of range for a list of 1' });

    const map = new tf.TensorMap();
    map.set('h', tf.scalar(1));
    for (let i = 0; i < 10; i++)
      map.set(
        'h',
        tf.tidy(() => map.get('h').mul(2)),
      );
    map.set('h', map.get('h'));
    assert.equal(map.get('h').arraySync(), 1024);
    assert.equal(count(), 2);
    tf.dispose([list, map]);
  });
});

test('pop() and take() give tensors to the scope or to the caller', () => {
  leavesNothing(() => {
    const list = new tf.TensorList([tf.scalar(1), tf.scalar(2)]);
    const map = new tf.TensorMap([['a', tf.scalar(3)]]);
    const scope = tf.scope();
    const popped = scope.run(() => list.pop());
    const taken = map.take('a');
    assert.deepEqual([popped.arraySync(), taken.arraySync(), list.length, map.size], [2, 3, 1, 0]);
    scope.close();
    assert.deepEqual([popped.isDisposed, taken.isDisposed], [true, false]);
    assert.equal(map.take('a'), undefined);
    tf.dispose([list, map, taken]);
    assert.equal(new tf.TensorList().pop(), undefined);
  });
});

test('a map lists its keys', () => {
  leavesNothing(() => {
    const map = new tf.TensorMap([
      ['a', tf.scalar(1)],
      ['b', tf.scalar(2)],
    ]);
    assert.deepEqual([map.has('a'), map.has('c'), map.size, [...map.keys()]], [true, false, 2, ['a', 'b']]);
    assert.deepEqual(
      [...map].map(([key, x]) => [key, x.arraySync()]),
      [
        ['a', 1],
        ['b', 2],
      ],
    );
    assert.deepEqual([map.delete('a'), map.delete('a'), map.get('a')], [true, false, undefined]);
    map[Symbol.dispose]();
  });
});

test('a disposed tensor is refused, and a holder that cannot be filled takes no tensors', () => {
  leavesNothing(() => {
    const gone = tf.scalar(1);
    gone.dispose();
    const map = new tf.TensorMap();
    const [a, b] = [tf.scalar(2), tf.scalar(3)];
    assert.throws(() => map.set('x', gone), { name: 'DisposedError', message: /\[set\] Tensor is disposed/ });
    assert.equal(map.size, 0);
    assert.throws(() => new tf.TensorList([a, gone]), { name: 'DisposedError' });
    assert.throws(
      () =>
        new tf.TensorMap([
          ['b', b],
          ['gone', gone],
        ]),
      { name: 'DisposedError' },
    );
    const memory = new tf.ReplayMemory(2);
    const fine = tf.scalar(3);
    assert.throws(() => memory.push({ fine, gone }), { name: 'DisposedError', message: /\[push\]/ });
    fine.dispose();
    assert.deepEqual([memory.length, a.isDisposed, b.isDisposed], [0, false, false]);
    tf.dispose([a, b]);
  });
});

test('a replay memory with aliased states frees each tensor with its last slot', () => {
  leavesNothing(() => {
    const memory = new tf.ReplayMemory(10, { seed: 1 });
    let state = tf.tensor([0, 0]);
    for (let step = 1; step <= 100; step++) {
      const nextState = tf.tidy(() => state.add(1));
      memory.push({ state, action: step % 2, nextState, done: false });
      state.dispose();
      state = nextState;
      assert.equal(count(), 1 + 2 * Math.min(step, 10));
      assert.equal(tf.memory().numDataBuffers, 1 + Math.min(step, 10));
    }
    for (const step of memory.sample(10)) {
      const [before] = step.state.arraySync();
      assert.deepEqual(step.nextState.arraySync(), [before + 1, before + 1]);
      assert.equal(step.done, false);
      assert.ok(before >= 90);
    }
    memory.dispose();
    assert.equal(memory.length, 0);
    assert.throws(() => memory.sample(0), { message: '[sample] this ReplayMemory is already disposed.' });
    state.dispose();
  });
});

test('samples are distinct and uniform, and determined by the seed', () => {
  leavesNothing(() => {
    const draw = (seed) => {
      const memory = new tf.ReplayMemory(20, { seed });
      for (let i = 0; i < 20; i++) memory.push({ i });
      return Array.from({ length: 2000 }, () => memory.sample(5).map(({ i }) => i));
    };
    const samples = draw(7);
    assert.deepEqual(draw(7), samples);
    assert.notDeepEqual(draw(8), samples);
    assert.ok(samples.every((sample) => new Set(sample).size === 5));
    const often = new Array(20).fill(0);
    for (const i of samples.flat()) often[i]++;
    // 500 expected of each; five standard deviations of the binomial are 97.
    assert.ok(
      often.every((times) => Math.abs(times - 500) < 97),
      String(often),
    );
    const memory = new tf.ReplayMemory(3);
    assert.throws(() => memory.sample(1), { message: '[sample] cannot draw 1 different steps of 0' });
    for (const bad of [0, -1, 1.5, '3']) assert.throws(() => new tf.ReplayMemory(bad), /positive integer/);
  });
});

test('a step may contain nested tensors, but not where they would be lost', () => {
  leavesNothing(() => {
    const memory = new tf.ReplayMemory(1);
    const x = tf.scalar(1);
    memory.push({ views: [x, { deep: x }], note: 'n', when: new Date(0) });
    const [step] = memory.sample(1);
    assert.notEqual(step.views[0], x);
    assert.equal(count(), 3);
    assert.throws(() => memory.push({ a: x, lost: new Map([['x', x]]) }), /plain objects and arrays/);
    assert.equal(count(), 3);
    assert.equal(step.views[1].deep.arraySync(), 1);
    memory.clear();
    assert.equal(memory.length, 0);
    tf.dispose([memory, x]);
  });
});

test('values that are no tensors are refused', () => {
  leavesNothing(() => {
    const list = new tf.TensorList();
    const map = new tf.TensorMap();
    for (const stranger of [5, undefined, null, {}, [1]]) {
      assert.throws(() => list.push(stranger), /Argument 'x' passed to 'push' must be a Tensor/);
      assert.throws(() => map.set('x', stranger), /Argument 'x' passed to 'set' must be a Tensor/);
    }
    list.push(tf.scalar(1));
    assert.throws(() => list.set(0, 5), /Argument 'x' passed to 'set' must be a Tensor/);
    tf.dispose([list, map]);
  });
});

test('a list or map that cannot be created takes no tensors', () => {
  leavesNothing(() => {
    const x = tf.scalar(1);
    const gone = tf.scalar(2);
    gone.dispose();
    const failing = function* () {
      yield x;
      throw new Error('no more');
    };
    assert.throws(() => new tf.TensorList([x, gone]), tf.DisposedError);
    assert.throws(() => new tf.TensorList([x, 5]), /must be a Tensor/);
    assert.throws(() => new tf.TensorList(failing()), { message: 'no more' });
    assert.throws(
      () =>
        new tf.TensorMap([
          ['x', x],
          ['gone', gone],
        ]),
      tf.DisposedError,
    );
    assert.throws(() => new tf.TensorMap([['x', x], undefined]), TypeError);
    assert.equal(x.arraySync(), 1);
    tf.tidy(() => {
      const inner = tf.scalar(3);
      assert.throws(() => new tf.TensorList([inner, gone]), tf.DisposedError);
    });
    assert.equal(tf.memory().numTensors, 1);
    const twice = new tf.TensorList([x, x]);
    assert.equal(tf.memory().numTensors, 2);
    twice.dispose();
  });
});

test('a replay memory that is disposed during a push takes no tensors', () => {
  leavesNothing(() => {
    const memory = new tf.ReplayMemory(2);
    const x = tf.scalar(1);
    const step = {
      x,
      get reward() {
        memory.dispose();
        return 1;
      },
    };
    assert.throws(() => memory.push(step), { message: '[push] this ReplayMemory is already disposed.' });
    x.dispose();
  });
});
