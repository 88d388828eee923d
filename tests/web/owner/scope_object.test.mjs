import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, pause, says, tf } from '../expect.mjs';

test('a scope owns what is made in its run(), before and after', () => {
  leavesNothing(() => {
    const scope = tf.scope('frame');
    const x = scope.run(() => tf.tensor([1, 2, 3]));
    const y = scope.run(() => tf.tidy(() => x.square().add(1)));
    const outside = x.add(1);
    assert.deepEqual([scope.name, scope.numTensors, scope.numBytes], ['frame', 2, 24]);
    scope.close();
    assert.deepEqual([x.isDisposed, y.isDisposed, outside.isDisposed, scope.closed], [true, true, false, true]);
    assert.equal(scope.numTensors, 0);
    scope.close();
    outside.dispose();
  });
});

test('interleaved scopes never touch each other’s tensors', async () => {
  await leavesNothingAsync(async () => {
    const work = async (name) => {
      const scope = tf.scope(name);
      const mine = [];
      for (let i = 0; i < 3; i++) {
        mine.push(scope.run(() => tf.scalar(i)));
        await pause();
      }
      assert.equal(scope.numTensors, 3);
      assert.ok(mine.every((x) => !x.isDisposed));
      scope.close();
      assert.ok(mine.every((x) => x.isDisposed));
    };
    await Promise.all(['a', 'b', 'c'].map(work));
  });
});

test('run() leaves the scope when its function throws', () => {
  leavesNothing(() => {
    const scope = tf.scope();
    assert.throws(
      () =>
        scope.run(() =>
          scope.child().run(() => {
            throw new Error('mine');
          }),
        ),
      /mine/,
    );
    const x = tf.scalar(1);
    scope.close();
    assert.equal(x.isDisposed, false);
    x.dispose();
  });
});

test('attach, detach and ret move tensors; a variable stays its own', () => {
  leavesNothing(() => {
    const scope = tf.scope();
    const inner = scope.child('inner');
    const [a, b, c] = [tf.scalar(1), tf.scalar(2), tf.scalar(3)];
    const variable = tf.tidy(() => tf.variable(tf.scalar(4)));
    assert.equal(inner.attach(a), a);
    inner.attach({ list: [b, c], variable });
    inner.detach([b]);
    inner.ret(new Set([c]));
    assert.deepEqual([inner.numTensors, scope.numTensors], [1, 2]);
    inner.close();
    assert.deepEqual(
      [a, b, c, variable].map((x) => x.isDisposed),
      [true, false, false, false],
    );
    scope.close();
    assert.deepEqual(
      [b, c, variable].map((x) => x.isDisposed),
      [false, true, false],
    );
    tf.dispose([b, variable]);
  });
});

test('a borrowed tensor outlives its owner’s dispose(), and never moves', () => {
  leavesNothing(() => {
    const scope = tf.scope('borrower', { onExit: 'throw' });
    const x = tf.tensor([1, 2]);
    const borrowed = scope.borrow(x);
    x.dispose();
    assert.deepEqual(borrowed.arraySync(), [1, 2]);
    scope.close();
    assert.ok(borrowed.isDisposed);
  });
});

test('a capped scope accepts no tensors; its children work, and results pass through it', () => {
  leavesNothing(() => {
    const model = tf.scope('model');
    const table = model.run(() => tf.ones([4, 2]));
    model.cap();
    for (let batch = 0; batch < 100; batch++) {
      const scope = model.child('batch');
      const result = scope.ret(scope.run(() => table.gather([1, 2]).add(table.slice(0, 2))));
      scope.close();
      assert.equal(result.isDisposed, false);
      result.dispose();
      assert.equal(model.numTensors, 1);
    }
    const outside = tf.scalar(1);
    const capped = /scope 'model' is capped/;
    assert.throws(() => model.run(() => table.add(1)), capped);
    assert.throws(() => model.run(() => tf.tidy(() => table.add(1))), capped);
    assert.throws(() => model.attach(outside), capped);
    assert.throws(() => model.borrow(outside), capped);
    tf.dispose(outside);
    model.close();
  });
});

test('closing a scope over live tensors reports, warns or throws as configured', (context) => {
  const warn = context.mock.method(console, 'warn', () => {});
  const tensors = '2 x float32[2,3] (48 bytes), bool[5] (5 bytes)';
  const words = `scope 'frame' closed with 3 tensors still alive (53 bytes): ${tensors}`;
  leavesNothing(() => {
    for (const onExit of ['dispose', 'report', 'throw']) {
      const scope = tf.scope('frame', { onExit });
      const kept = scope.run(() => [...[1, 2].map(() => tf.ones([2, 3])), tf.zeros([5], 'bool'), tf.scalar(1)].pop());
      scope.detach(kept);
      kept.dispose();
      if (onExit === 'throw') assert.throws(() => scope.close(), says('LeakError', words));
      else scope.close();
      assert.equal(scope.closed, true);
      if (onExit === 'report')
        says('LeakError', words)({ name: 'LeakError', message: warn.mock.calls[0].arguments[0] });
      const clean = tf.scope('clean', { onExit });
      clean.ret(clean.run(() => tf.scalar(1))).dispose();
      clean.close();
    }
  });
  assert.equal(warn.mock.callCount(), 1);
});

test('dump() shows the tree', () => {
  leavesNothing(() => {
    const scope = tf.scope('détection');
    const child = scope.child('faces');
    child.run(() => tf.ones([2, 2]));
    child.cap();
    assert.equal(scope.dump(), 'détection: 0 tensors, 0 bytes\n  faces (capped): 1 tensors, 16 bytes\n');
    scope.close();
  });
});

test('using a closed scope is an error, also one that its parent or a tidy closed', () => {
  leavesNothing(() => {
    const parent = tf.scope('parent');
    const scopes = [parent.child('child'), tf.tidy(() => [tf.scope('in tidy')])[0]];
    parent.close();
    const x = tf.scalar(1);
    for (const scope of scopes) {
      for (const use of ['run', 'attach', 'detach', 'ret', 'borrow', 'cap', 'child', 'dump']) {
        const argument = use === 'run' ? () => tf.scalar(2) : use === 'child' ? 'name' : x;
        assert.throws(() => scope[use](argument), { message: `[${use}] scope '${scope.name}' is closed` });
      }
    }
    x.dispose();
  });
});

test('disposed tensors cannot be moved', () => {
  leavesNothing(() => {
    const scope = tf.scope();
    const gone = tf.scalar(1);
    gone.dispose();
    for (const use of ['attach', 'detach', 'ret', 'borrow']) {
      assert.throws(() => scope[use](gone), { name: 'DisposedError', message: new RegExp(`\\[${use}\\]`) });
    }
    scope.close();
  });
});

test('using closes a scope, and await using waits for what runs in it', async () => {
  await leavesNothingAsync(async () => {
    const scope = tf.scope();
    scope.run(() => tf.scalar(1));
    scope[Symbol.dispose]();
    assert.ok(scope.closed);

    const patient = tf.scope();
    let x;
    patient.run(async () => {
      await pause();
      x = patient.run(() => tf.scalar(1));
    });
    await patient[Symbol.asyncDispose]();
    assert.ok(x.isDisposed);
  });
});

test('run() returns to the scope around one that was closed meanwhile', () => {
  leavesNothing(() => {
    const scope = tf.tidy(() => {
      const scope = tf.scope();
      scope.run(() => {
        scope.run(() => scope.close());
        tf.zeros([1]);
      });
      tf.zeros([2]);
      return scope;
    });
    assert.ok(scope.closed);
  });
});

test('a borrowed handle moves like any other tensor, and its owner never does', async () => {
  await leavesNothingAsync(async () => {
    const x = tf.tensor([1, 2]);
    const around = tf.scope('around');
    const scope = around.child('borrower', { onExit: 'throw' });
    const [kept, detached, returned, attached, held, stays] = Array.from({ length: 6 }, () => scope.borrow(x));
    tf.keep(kept);
    scope.detach(detached);
    scope.ret(returned);
    around.attach(attached);
    const list = new tf.TensorList([held]);
    scope.close();
    assert.ok(stays.isDisposed);
    for (const moved of [kept, detached, returned, attached, held]) assert.deepEqual(moved.arraySync(), [1, 2]);
    around.close();
    assert.deepEqual(
      [kept, detached, returned, attached, held, x].map((each) => each.isDisposed),
      [false, false, true, true, false, false],
    );
    const result = await tf.scopeAsync(async (own) => own.borrow(x));
    assert.deepEqual(result.arraySync(), [1, 2]);
    tf.dispose([kept, detached, list, result, x]);
  });
});

test('a scope retains nothing of a borrowed handle once that is disposed', () => {
  const x = tf.scalar(1);
  const scope = tf.scope();
  const borrow = (times) => {
    for (let i = 0; i < times; i++) scope.borrow(x).dispose();
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  // A debug build keeps some records of disposed tensors.
  borrow(30_000);
  const before = borrow(1000);
  const grown = borrow(100_000) - before;
  assert.ok(grown < 2e6, `${grown} bytes`);
  scope.close();
  x.dispose();
});

test('forty thousand nested scopes are dumped and closed', () => {
  leavesNothing(() => {
    const root = tf.scope('root');
    let at = root;
    for (let i = 0; i < 40_000; i++) {
      at = at.child();
      if (i % 100 === 0) at.run(() => tf.scalar(i));
    }
    assert.equal(root.dump().split('\n').length, 40_002);
    assert.equal(root.numTensors, 400);
    root.close();
    assert.ok(at.closed);
  });
});
