// The module of `tenure/engine`, driven by its Embind exports alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, Script } from 'node:vm';
import createTenure from 'tenure/engine';
import { counts, driver, thrownBy } from '../../browser/page/engine_driver.js';
import { pause } from '../common.mjs';

const read = (file) => readFileSync(new URL(`../../../${file}`, import.meta.url));
const wasmBinary = read('dist/tenure.whole.wasm');
const json = read('examples/iris/model.json').toString();
const weights = read('examples/iris/weights.bin');
const engine = await createTenure({ wasmBinary });
const kTimes = 1000;

const ones = (...shape) => engine.tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(1), shape);

/** Runs `body`, and checks that the counts are unchanged. */
async function unchanged(body) {
  const before = counts(engine);
  await body();
  assert.deepEqual(counts(engine), before);
}

test('tensors of each dtype are created and read', () =>
  unchanged(() => {
    for (const [values, dtype] of [
      [Float32Array.of(1.5, -2), 'float32'],
      [Int32Array.of(-7, 2 ** 30), 'int32'],
      [Uint8Array.of(1, 0), 'bool'],
    ]) {
      const handle = engine.tensor(values, [2, 1]);
      assert.deepEqual(engine.read(handle), { dtype, shape: [2, 1], values });
      assert.equal(engine.dispose(handle), true);
      assert.equal(engine.dispose(handle), false);
    }
    const scalar = engine.tensor(Float32Array.of(3), []);
    assert.deepEqual(engine.read(scalar), { dtype: 'float32', shape: [], values: Float32Array.of(3) });
    engine.dispose(scalar);
  }));

test('invalid handles are refused with a clear message, and leak nothing', () =>
  unchanged(() => {
    const refused = [
      [
        () => engine.tensor([1, 2], [2]),
        'TypeError',
        '[tensor] values must be a Float32Array, an Int32Array or a Uint8Array, got an array',
      ],
      [
        () => engine.tensor(Float32Array.of(1, 2), 2),
        'TypeError',
        '[tensor] shape must be an array of integers, got 2',
      ],
      [
        () => engine.tensor(Float32Array.of(1, 2), [2.5]),
        'TypeError',
        '[tensor] shape must be an array of integers, got [2.5]',
      ],
      [
        () => engine.tensor(Float32Array.of(1, 2), [-2]),
        'TypeError',
        '[tensor] shape must be an array of integers, got [-2]',
      ],
      [
        () => engine.tensor(Float32Array.of(1, 2), [3]),
        'ShapeError',
        '[tensor] shape [3] has 3 elements, and 2 values were given',
      ],
      [
        () => engine.tensor(Float32Array.of(1), new Array(20).fill(1)),
        'ShapeError',
        '[tensor] rank 20 is higher than the highest supported, 8',
      ],
      [() => engine.read(12345), 'DisposedError', 'Tensor is disposed.'],
    ];
    for (const [call, name, message] of refused) assert.throws(call, { name, message });
  }));

test('tidy() frees everything but the results of its body', () =>
  unchanged(() => {
    assert.equal(
      engine.tidy(() => void ones(2)),
      undefined,
    );
    assert.equal(
      engine.tidy(() => null),
      null,
    );
    const one = engine.tidy(() => (ones(3), ones(2)));
    assert.deepEqual(engine.read(one).shape, [2]);
    const list = engine.tidy(() => [ones(1), ones(2), (ones(3), one)]);
    assert.deepEqual(
      list.map((handle) => engine.read(handle).shape),
      [[1], [2], [2]],
    );
    assert.deepEqual(
      engine.tidy(() => []),
      [],
    );
    assert.equal(engine.memory().numTensors, counts(engine).numTensors);
    for (const handle of list) assert.equal(engine.dispose(handle), true);
  }));

test('a handle of an outer scope stays there, and a handle returned twice survives once', () =>
  unchanged(() => {
    engine.tidy(() => {
      const outer = ones(2);
      assert.equal(
        engine.tidy(() => outer),
        outer,
      );
      const [a, b] = engine.tidy(() => {
        const inner = ones(3);
        return [inner, inner];
      });
      assert.equal(a, b);
      assert.equal(engine.memory().scopes, 1);
      assert.deepEqual(engine.read(outer).shape, [2]);
      assert.deepEqual(engine.read(a).shape, [3]);
    });
  }));

test('an invalid return value of a body is a clear error, and everything is freed', () =>
  unchanged(() => {
    const wrong = (got) => [
      'TypeError',
      `[tidy] what the body returns must be a handle or an array of handles, got ${got}`,
    ];
    const bodies = [
      [() => 'text', ...wrong('a string')],
      [() => ({ a: ones(1) }), ...wrong('Object')],
      [() => 1.5, ...wrong('1.5')],
      [() => -1, ...wrong('-1')],
      [() => 0, ...wrong('0')],
      [() => NaN, ...wrong('NaN')],
      [() => 10n, ...wrong('a bigint')],
      [() => true, ...wrong('a boolean')],
      [() => [ones(1), [ones(2)]], ...wrong('an array in the array at 1')],
      [() => [ones(1), undefined], ...wrong('undefined in the array at 1')],
      [() => new Float64Array(2), ...wrong('Float64Array')],
      [
        () => new Array(200_000).fill(1),
        'Error',
        '[tidy] what the body returns: at most 131072 handles are allowed, got 200000',
      ],
      [
        async () => ones(1),
        'TypeError',
        'Cannot return a Promise inside of tidy: its scope ends before an async body goes on',
      ],
    ];
    for (const [body, name, message] of bodies)
      assert.throws(() => engine.tidy(() => (ones(4), body())), { name, message });
    const gone = ones(2);
    engine.dispose(gone);
    for (const stale of [gone, 2 ** 40 + 1]) {
      const error = {
        name: 'DisposedError',
        message: `[tidy] Tensor is disposed: the body returned ${stale}, which is not a live handle`,
      };
      assert.throws(() => engine.tidy(() => [ones(3), stale]), error);
    }
    for (const [given, got] of [
      [undefined, 'undefined'],
      [7, '7'],
      ['f', 'a string'],
      [{}, 'Object'],
    ]) {
      assert.throws(() => engine.tidy(given), { name: 'TypeError', message: `[tidy] expected a function, got ${got}` });
    }
  }));

test('an exception of a body propagates unchanged', () =>
  unchanged(() => {
    for (const value of [new Error('mine'), 'text', 0, null, undefined, Symbol.iterator]) {
      assert.deepEqual(
        thrownBy(() =>
          engine.tidy(
            () => (
              ones(2),
              engine.tidy(() => {
                throw value;
              })
            ),
          ),
        ),
        { error: value },
      );
    }
    assert.equal(
      engine.tidy(() =>
        thrownBy(() =>
          engine.tidy(() => {
            throw 1;
          }),
        )?.error === 1
          ? undefined
          : 0,
      ),
      undefined,
    );
  }));

test('a model is loaded, predicts and is deleted', () =>
  unchanged(() => {
    const { model, flower, classify } = driver(engine, json, weights);
    assert.equal(classify(), 0);
    const [scores] = model.predict([flower]);
    assert.deepEqual(engine.read(scores).shape, [1, 3]);
    engine.dispose(scores);
    assert.throws(() => model.predict('x'), {
      name: 'TypeError',
      message: '[predict] inputs must be a handle or an array of handles, got a string',
    });
    assert.throws(() => model.predict([flower, flower]), { message: /expected|inputs/ });
    assert.throws(() => model.predict(flower + 2 ** 33), { name: 'DisposedError' });
    engine.dispose(flower);
    model.delete();
  }));

test('an invalid model is refused, and leaks nothing', () =>
  unchanged(() => {
    const refused = [
      [() => engine.LayersModel.load('{', weights), Error],
      [() => engine.LayersModel.load(json, weights.subarray(0, 8)), Error],
      [
        () => engine.LayersModel.load(json, 7),
        { name: 'TypeError', message: '[load] weights must be text or bytes, got 7' },
      ],
      [
        () => engine.LayersModel.load({}, weights),
        { name: 'TypeError', message: '[load] json must be text or bytes, got Object' },
      ],
    ];
    for (const [call, error] of refused) assert.throws(call, error);
  }));

test('an engine is created under a strict policy: no code from text', () => {
  const script = read('dist/engine.js').toString();
  assert.doesNotMatch(script, /\bnew Function\b|\beval\(/);
});

const kDriver = driver(engine, json, weights);
const works = () => assert.equal(kDriver.classify(), 0);

test(`${kTimes} nested scopes`, () =>
  unchanged(() => {
    for (let i = 0; i < kTimes; i++) assert.deepEqual(kDriver.nested(), [1, 3]);
  }));

test(`${kTimes} exceptions inside scopes`, () =>
  unchanged(() => {
    for (let i = 0; i < kTimes; i++) {
      const value = i % 2 ? new Error(`throw ${i}`) : i;
      assert.equal(thrownBy(() => kDriver.throwing(value)).error, value);
    }
    works();
  }));

test(`${kTimes} stack overflows inside scopes`, () =>
  unchanged(() => {
    let ended = 0;
    for (let i = 0; i < kTimes; i++) {
      const thrown = thrownBy(() => kDriver.endStack(i % 4 === 0 ? 0 : i % 150));
      if (!thrown) continue;
      assert.ok(thrown.error instanceof RangeError, thrown.error.stack);
      ended++;
      works();
      // In the same turn.
      assert.equal(engine.memory().scopes, 0, `after ${i}`);
    }
    assert.ok(ended > kTimes / 4, `${ended} times`);
  }));

test('wherever the stack overflows in tidy(), its scope is closed in the same turn', () =>
  unchanged(() => {
    const x = ones(4);
    const dive = (depth, body) => (depth > 0 ? dive(depth - 1, body) : body());
    /** True if tidy() runs below `depth` frames, the last of which occupies `padding` words. */
    function fits(depth, padding) {
      const padded = (...words) => (words.length, engine.tidy(() => x));
      const thrown = thrownBy(() => dive(depth, () => padded(...new Array(padding).fill(0))));
      assert.ok(!thrown || thrown.error instanceof RangeError, thrown?.error.stack);
      assert.equal(engine.memory().scopes, 0, `${depth} frames and ${padding} words`);
      return !thrown;
    }
    let ended = 0;
    for (let padding = 0; padding < 48; padding++) {
      let [least, most] = [0, kDriver.deepest()];
      while (most - least > 1) {
        const middle = (least + most) >> 1;
        if (fits(middle, padding)) least = middle;
        else most = middle;
      }
      for (let depth = least; depth < least + 12; depth++) if (!fits(depth, padding)) ended++;
    }
    assert.ok(ended > 100, `${ended} times`);
    engine.dispose(x);
  }));

/** Runs a script with a time limit of 1 ms. */
function limited(code) {
  assert.throws(() => new Script(code).runInContext(context, { timeout: 1 }), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
}
const context = createContext({ spin: kDriver.spin, work: kDriver.work });

test(`${kTimes} time limits inside a body`, async () => {
  const audit = kDriver.auditor();
  let audited = 0;
  for (let i = 0; i < kTimes; i++) {
    limited(`spin(${1 + (i % 4)})`);
    // The next call works at once; leftovers of interrupted bodies are freed when the turn ends.
    works();
    await pause();
    const { now, expected, early } = audit();
    assert.deepEqual(now, expected);
    if (!early) audited++;
  }
  assert.ok(audited > kTimes / 2, `${audited} times`);
});

/** Makes an engine that a time limit may leave refusing all calls. */
async function makeOther() {
  const other = await createTenure({ wasmBinary });
  const { work, spin, classify } = driver(other, json, weights);
  const checkOther = () => assert.equal(classify(), 0);
  checkOther();
  Object.assign(context, { workOther: work, spinOther: spin });
  return { other, checkOther, before: counts(other) };
}

test(`${kTimes} time limits anywhere, also inside an op`, async () => {
  let { other, checkOther, before } = await makeOther();
  let refused = 0;
  for (let i = 0; i < kTimes; i++) {
    limited(`workOther(${i})`);
    try {
      checkOther();
    } catch (error) {
      // The interruption was irreparable: from then on every call throws this.
      assert.equal(error.name, 'InterruptedError', error.stack);
      for (const call of [() => other.memory(), () => other.tidy(() => {})])
        assert.throws(call, { name: 'InterruptedError', message: /new process/ });
      refused++;
      ({ other, checkOther, before } = await makeOther());
    }
    await pause();
    assert.deepEqual({ ...counts(other), inUse: 0 }, { ...before, inUse: 0 });
  }
  assert.ok(refused < kTimes / 50, `${refused} times`);
  // The working memory of interrupted ops is lost.
  const lost = counts(other).inUse - before.inUse;
  assert.ok(lost >= 0 && lost < 2048 * kTimes, `${lost} bytes`);
});

test('a time limit inside a body that continues: its end frees the leftovers in the same turn', () => {
  const audit = kDriver.auditor();
  for (let i = 0; i < kTimes / 10; i++) {
    const survivor = engine.tidy(() => {
      const mine = ones(2);
      limited('spin(2)');
      works();
      assert.deepEqual(engine.read(mine).shape, [2]);
      return ones(3);
    });
    assert.deepEqual(engine.read(survivor).shape, [3]);
    engine.dispose(survivor);
    const { now, expected } = audit();
    assert.deepEqual(now, expected);
  }
});

test('time limits without a turn between them end in an error, before the stack of the engine does', async () => {
  let { other, checkOther, before } = await makeOther();
  let message = '';
  for (let i = 0; i < 6000 && !message; i++) {
    try {
      new Script('spinOther(40)').runInContext(context, { timeout: 1 });
    } catch (error) {
      if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') continue;
      // On a busy machine a limit may strike inside an op, where nothing can be repaired.
      if (error.name === 'InterruptedError') ({ other, checkOther, before } = await makeOther());
      else message = error.message;
    }
  }
  assert.match(message, /nested too deep, or a time limit has ended too many of them/);
  await pause();
  checkOther();
  assert.deepEqual({ ...counts(other), inUse: 0 }, { ...before, inUse: 0 });
});
