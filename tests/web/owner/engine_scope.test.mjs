import { test } from 'node:test';
import { AsyncResource } from 'node:async_hooks';
import { assert, leavesNothing, leavesNothingAsync, pause, tf } from '../expect.mjs';

const engine = tf.engine();

test('a scope of startScope() follows the awaits of the code that opened it', async () => {
  await leavesNothingAsync(async () => {
    for (let i = 0; i < 100; i++) {
      engine.startScope();
      const x = tf.scalar(i);
      await pause();
      const y = x.add(1);
      await pause();
      engine.endScope(y);
      assert.deepEqual([x.isDisposed, y.isDisposed], [true, false]);
      y.dispose();
    }
  });
});

test('concurrent tasks with scopes of their own do not affect each other', async () => {
  await leavesNothingAsync(async () => {
    const task = async (turns) => {
      engine.startScope();
      let x = tf.scalar(0);
      for (let i = 0; i < turns; i++) {
        await pause();
        x = tf.tidy(() => x.add(1));
      }
      assert.equal(x.dataSync()[0], turns);
      engine.endScope();
      assert.ok(x.isDisposed);
    };
    await Promise.all([3, 1, 5, 2].map(task));
    const scoped = (turns) => tf.scopeAsync(() => task(turns));
    await Promise.all([scoped(3), task(2), scoped(1), scoped(4), task(1)]);
  });
});

test('scopeAsync() follows its awaits inside and beside a startScope()', async () => {
  await leavesNothingAsync(async () => {
    engine.startScope();
    const made = [];
    const work = async (scope) => {
      for (let i = 0; i < 10; i++) {
        made.push(tf.scalar(i));
        assert.equal(scope.numTensors, i + 1);
        await pause();
      }
      return made.at(-1).clone();
    };
    const result = await tf.scopeAsync(work);
    assert.ok(made.every((x) => x.isDisposed));
    const late = tf.scopeAsync(async (scope) => {
      const x = tf.scalar(1);
      await pause();
      assert.throws(() => engine.endScope(), /there is no scope here that startScope\(\) opened/);
      assert.equal(x.isDisposed, false);
      tf.scalar(2);
      assert.equal(scope.numTensors, 2);
    });
    engine.endScope();
    assert.ok(result.isDisposed);
    await late;
  });
});

test('an unended scope is closed by the tidy() around it, and run() leaves it', async () => {
  await leavesNothingAsync(async () => {
    const scope = tf.scope();
    const [inRun, after] = tf.tidy(() => {
      engine.startScope();
      return [scope.run(() => (engine.startScope(), tf.scalar(1))), tf.scalar(2)];
    });
    assert.equal(scope.numTensors, 1);
    assert.equal(after.isDisposed, false);
    await pause();
    const mine = tf.scalar(3);
    scope.close();
    assert.deepEqual([inRun.isDisposed, mine.isDisposed], [true, false]);
    tf.dispose([after, mine]);
  });
});

test('scopes of a test runner’s before and after hooks surround the test', async () => {
  await leavesNothingAsync(async () => {
    // Test runners do so, each call in an async context of its own.
    const call = (body) => new AsyncResource('call').runInAsyncScope(body);
    await call(async () => engine.startScope());
    let x;
    await call(async () => {
      await pause();
      x = tf.scalar(1);
      await tf.scopeAsync(async () => void tf.scalar(2));
    });
    assert.equal(x.isDisposed, false);
    await call(async () => engine.endScope());
    assert.ok(x.isDisposed);
  });
});

test('endScope() ends the scope if its result cannot be handed over, and throws without a scope', () => {
  leavesNothing(() => {
    assert.throws(() => engine.endScope(), /no scope here/);
    assert.throws(() => tf.tidy(() => engine.endScope()), /no scope here/);
    const scope = tf.scope('full');
    scope.cap();
    scope.run(() => {
      engine.startScope();
      const x = tf.scalar(1);
      assert.throws(() => engine.endScope(x), /scope 'full' is capped/);
      assert.ok(x.isDisposed);
      engine.startScope();
      assert.throws(
        () =>
          engine.endScope({
            get x() {
              throw new Error('mine');
            },
          }),
        /mine/,
      );
      assert.throws(() => engine.endScope(), /no scope here/);
    });
    scope.close();
  });
});

test('ten thousand nested scopes are ended one by one', () => {
  leavesNothing(() => {
    for (let i = 0; i < 10_000; i++) {
      engine.startScope();
      tf.scalar(i);
    }
    for (let i = 0; i < 10_000; i++) engine.endScope();
  });
});
