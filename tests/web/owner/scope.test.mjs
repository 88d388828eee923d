import { transform } from 'esbuild';
import { test } from 'node:test';
import { assert, assertTensor, isDebug, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

/** Returns how many tensors `body` leaves. */
function leaves(body) {
  const before = tf.memory().numTensors;
  const result = body();
  return { count: tf.memory().numTensors - before, result };
}

test('tidy frees the intermediates between its inputs and its result', () => {
  const x = tf.tensor([1, 2, 3]);
  const { count, result } = leaves(() => tf.tidy(() => x.square().add(1).sqrt()));
  assert.equal(count, 1);
  assert.equal(x.isDisposed, false);
  tf.dispose([x, result]);
});

test('tidy keeps every tensor reachable from its result', () => {
  class Holder {
    constructor() {
      this.tensor = tf.scalar(1);
    }
  }
  const results = {
    array: () => [tf.scalar(1), [tf.scalar(2)]],
    object: () => ({ a: tf.scalar(1), b: { c: tf.scalar(2), d: null } }),
    instance: () => [new Holder(), tf.scalar(2)],
    map: () =>
      new Map([
        ['a', tf.scalar(1)],
        [tf.scalar(2), 3],
      ]),
    set: () => new Set([tf.scalar(1), { deep: tf.scalar(2) }]),
    inherited: () => [Object.create({ a: tf.scalar(1) }), tf.scalar(2)],
    twice: () => [tf.scalar(1), tf.scalar(2)].flatMap((x) => [x, x]),
    cycle: () => {
      const node = { a: tf.scalar(1), b: tf.scalar(2) };
      node.self = node;
      return node;
    },
  };
  for (const [name, make] of Object.entries(results)) {
    leavesNothing(() => {
      const { count, result } = leaves(() =>
        tf.tidy(() => {
          tf.scalar(7).add(1);
          return make();
        }),
      );
      assert.equal(count, 2, name);
      tf.dispose(result);
    });
  }
});

test('tidy frees everything if the function throws, and propagates the error', () => {
  leavesNothing(() => {
    const error = new Error('mine');
    assert.throws(
      () =>
        tf.tidy(() => {
          tf.scalar(1).add(2);
          tf.tidy(() => tf.scalar(3));
          throw error;
        }),
      error,
    );
  });
});

test('a scope left open by an exception ends with the one around it', () => {
  leavesNothing(() => {
    assert.throws(() =>
      tf.tidy(() => {
        tf.engine().startScope();
        tf.scalar(1);
        throw new Error('mine');
      }),
    );
  });
});

test('a getter that throws leaks nothing', () => {
  leavesNothing(() => {
    const broken = () => ({
      first: tf.scalar(1),
      get second() {
        throw new Error('mine');
      },
    });
    assert.throws(() => tf.tidy(broken), /mine/);
    assert.throws(
      () =>
        tf.keep({
          get a() {
            throw new Error('mine');
          },
        }),
      /mine/,
    );
  });
});

test('inner scopes free their own, and their results belong to the outer one', () => {
  leavesNothing(() => {
    const result = tf.tidy(() => {
      const inner = tf.tidy('named', () => tf.scalar(1).add(1));
      const { count } = leaves(() => tf.tidy(() => tf.scalar(5).neg()).dispose());
      assert.equal(count, 0);
      return inner.mul(2);
    });
    assertTensor(result, [], [4]);
    result.dispose();
  });
});

test('tensors made outside a tidy survive it, returned or not', () => {
  leavesNothing(() => {
    const x = tf.scalar(1);
    tf.tidy(() => void x.add(1));
    assert.equal(
      tf.tidy(() => x),
      x,
    );
    assert.equal(x.isDisposed, false);
    x.dispose();
  });
});

test('keep() takes tensors out of their scope, in containers too', () => {
  leavesNothing(() => {
    let kept;
    tf.tidy(() => {
      tf.tidy(() => {
        kept = [tf.keep(tf.scalar(1)), tf.keep({ t: tf.scalar(2) }).t, ...tf.keep(new Set([tf.scalar(3)]))];
        tf.scalar(4);
      });
    });
    assert.deepEqual(
      kept.map((x) => x.arraySync()),
      [1, 2, 3],
    );
    tf.dispose(kept);
  });
});

test('tensor.kept can be read and set', () => {
  leavesNothing(() => {
    const [kept, told, mere] = tf.tidy(() => {
      const told = tf.scalar(2);
      told.kept = true;
      return [tf.keep(tf.scalar(1)), told, tf.scalar(3)];
    });
    assert.deepEqual([kept.kept, told.kept, mere.kept], [true, true, false]);
    kept.kept = false;
    assert.equal(kept.kept, false);
    tf.tidy(() => assert.equal(kept.isDisposed, false));
    tf.dispose([kept, told, mere]);
  });
});

test('keep() of a disposed tensor throws', () => {
  leavesNothing(() => {
    const gone = tf.scalar(1);
    gone.dispose();
    assert.throws(() => tf.keep({ gone }), { name: 'DisposedError', message: /\[keep\] Tensor is disposed/ });
  });
});

test('dispose() accepts any container, and values without tensors', () => {
  leavesNothing(() => {
    const one = tf.scalar(1);
    tf.dispose([one, { a: tf.scalar(2), b: [tf.scalar(3)] }, new Map([[1, tf.scalar(4)]]), new Set([tf.scalar(5)])]);
    tf.dispose(one);
    for (const nothing of [null, undefined, 3, 'text', [], {}, new Float32Array(4)]) tf.dispose(nothing);
  });
});

test('tidy has TensorFlow.js’s messages', (context) => {
  const error = context.mock.method(console, 'error', () => {});
  leavesNothing(() => {
    assert.throws(() => tf.tidy('name'), { message: 'Please provide a function to tidy()' });
    assert.throws(() => tf.tidy(1, () => 1), {
      message: 'When calling with two arguments, the first argument to tidy() must be a string',
    });
    assert.throws(() => tf.tidy('name', 1), {
      message: 'When calling with two arguments, the 2nd argument to tidy() must be a function',
    });
    const returnPromise = () => tf.tidy(() => Promise.resolve());
    if (isDebug)
      assert.throws(returnPromise, /^Error: Cannot return a Promise inside of tidy\. .*use scopeAsync\(\)\.$/);
    else returnPromise();
  });
  const told = error.mock.calls.map((call) => call.arguments);
  assert.deepEqual(told, isDebug ? [] : [['Cannot return a Promise inside of tidy.']]);
});

test('engine() opens and closes scopes by hand', () => {
  leavesNothing(() => {
    tf.engine().startScope();
    tf.scalar(1);
    const result = tf.scalar(2);
    tf.engine().endScope(result);
    assert.equal(result.isDisposed, false);
    result.dispose();
  });
});

test('using disposes at the end of a block, also when it throws', async () => {
  // Node 20 has the symbols, but not the syntax.
  const program = `
    export function tensor(tf, note) {
      using x = tf.scalar(1);
      note(x);
      throw new Error('mine');
    }
    export function scope(tf, note) {
      using inside = tf.scope();
      note(inside.run(() => tf.scalar(2)));
    }
    export async function patient(tf, note) {
      await using inside = tf.scope();
      note(inside.run(() => tf.scalar(3)));
    }`;
  const { code } = await transform(program, { target: 'es2022' });
  const { tensor, scope, patient } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  await leavesNothingAsync(async () => {
    const seen = [];
    const note = (x) => seen.push([x, x.isDisposed]);
    assert.throws(() => tensor(tf, note), /mine/);
    scope(tf, note);
    await patient(tf, note);
    assert.deepEqual(
      seen.map(([x, early]) => [early, x.isDisposed]),
      Array(3).fill([false, true]),
    );
  });
});
