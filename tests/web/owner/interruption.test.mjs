// Calls interrupted inside the engine, by stack overflow or by a time limit.
import { execFileSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { test } from 'node:test';
import { assert, tf } from '../expect.mjs';
import { counts, held, pause } from '../common.mjs';

const works = () => tf.tidy(() => assert.deepEqual(tf.matMul([[1, 2]], [[3], [4]]).arraySync(), [[11]]));

test('a stack overflow rolls back the interrupted calls, however often', () => {
  const x = tf.ones([8, 8]);
  const scope = tf.scope('mine');
  const before = held(tf);
  const bodies = [
    () => tf.tidy(() => void x.matMul(x).add(1)),
    () => tf.moments(x).mean.dispose(),
    () => scope.run(() => x.add(1).dispose()),
    () =>
      tf
        .tensor2d([
          [1, 2],
          [3, 4],
        ])
        .dispose(),
    () => tf.concat([x, x, x]).dispose(),
  ];
  let deepest = 0;
  const measure = (depth) => measure((deepest = depth + 1));
  const dive = (depth, body) => (depth > 0 ? dive(depth - 1, body) : body());
  assert.throws(() => measure(0), RangeError);
  let cut = 0;
  for (let i = 0; i < 600; i++) {
    const body = bodies[i % bodies.length];
    const depth = Math.floor(deepest - i / 2);
    try {
      if (i % 2) tf.tidy(() => dive(depth, body));
      else dive(depth, body);
    } catch (error) {
      assert.ok(error instanceof RangeError, error.stack);
      cut++;
    }
    works();
  }
  assert.ok(cut > 50, `${cut} calls were cut short`);
  assert.equal(tf.memory().detail.scopes, before.scopes);
  scope.close();
  x.dispose();
});

test('nesting until the stack overflows leaves no scope open', () => {
  const before = held(tf);
  const nest = () => tf.tidy(nest);
  const inside = (scope) => scope.run(() => inside(scope));
  for (let i = 0; i < 50; i++) {
    assert.throws(nest, RangeError);
    works();
    const scope = tf.scope();
    assert.throws(() => inside(scope), RangeError);
    works();
    scope.close();
  }
  assert.deepEqual(held(tf), before);
});

test('a time limit in the first random op leaves the generator usable', () => {
  const cut = (delay) => `
    import { runInThisContext } from 'node:vm';
    globalThis.tf = await import(${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)});
    try {
      runInThisContext('{ const end = performance.now() + ${delay}; while (performance.now() < end); for (;;) tf.randomUniform([2]).dispose(); }', { timeout: 5 });
    } catch (error) {
      if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    }
    try {
      tf.randomUniform([2]).dispose();
      tf.tidy(() => void tf.initializers.glorotNormal({}).apply([2, 2]));
    } catch (error) {
      if (!(error instanceof tf.InterruptedError)) throw error;
      console.log('refused');
    }`;
  const isRefused = (delay) => {
    const args = [...process.execArgv, '--input-type=module', '-e', cut(delay)];
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).includes('refused');
  };
  // A limit that strikes while the engine changes its lists, which is rare, ends its use in the process.
  for (const delay of [0, 2, 3, 3.5, 4, 4.3, 4.6, 4.8])
    assert.ok(!isRefused(delay) || !isRefused(delay) || !isRefused(delay), `refused three times after ${delay} ms`);
});

test('the engine works after time limits, and leaks neither tensors nor scopes into the next turn', async () => {
  const before = counts(tf);
  const big = tf.ones([384, 384]);
  const small = tf.ones([8]);
  const context = createContext({ tf, big, small });
  const bodies = [
    `for (;;) tf.tidy(() => { for (let i = 0; i < 3; i++) big.matMul(big).add(1); })`,
    `tf.tidy(() => { for (;;) tf.tidy(() => small.add(1)).dispose(); })`,
    `tf.tidy(() => { for (;;); })`,
  ];
  for (let i = 0; i < 150; i++) {
    const code = bodies[i % bodies.length];
    assert.throws(() => runInContext(code, context, { timeout: 2 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    works();
    if (i % 10 === 0) await pause();
  }
  await pause();
  works();
  tf.dispose([big, small]);
  assert.deepEqual(counts(tf), before);
});

test('stale scopes are closed though scheduling that was interrupted before', async () => {
  const before = counts(tf);
  const { then } = Promise.prototype;
  // The first scope of a turn schedules the check at its end.
  Promise.prototype.then = () => {
    Promise.prototype.then = then;
    throw new RangeError('interrupted');
  };
  try {
    assert.throws(() => tf.tidy(() => {}), /interrupted/);
  } finally {
    Promise.prototype.then = then;
  }
  const context = createContext({ tf });
  const endless = `tf.tidy(() => { for (;;); })`;
  assert.throws(() => runInContext(endless, context, { timeout: 2 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
  await pause();
  works();
  assert.deepEqual(counts(tf), before);
});
