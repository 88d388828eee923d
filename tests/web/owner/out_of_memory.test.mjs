// Out of memory: the package as built, but with a smaller limit of its heap.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../../cpp/toolchain/use.mjs';
import { assert } from '../expect.mjs';
import { held } from '../common.mjs';

const folder = path.join(root, 'build/out_of_memory');
const kMaxHeapBytes = 24 * 2 ** 20;
let copies = 0;
after(() => rmSync(folder, { recursive: true, force: true }));

/** Builds a copy of the package whose heap grows to at most `most` bytes. */
async function smallPackage(from, most = kMaxHeapBytes) {
  const to = path.join(folder, String(copies++));
  mkdirSync(to, { recursive: true });
  for (const { name } of readdirSync(path.join(root, from), { withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )) {
    cpSync(path.join(root, from, name), path.join(to, name));
  }
  const limited = readdirSync(to)
    .filter((name) => /^(?:index|shared-.*)\.js$/.test(name))
    .map((name) => ({
      file: path.join(to, name),
      parts: readFileSync(path.join(to, name), 'utf8').split('4294901760'),
    }))
    .filter(({ parts }) => parts.length > 1);
  // The entry has the limit itself, or imports the file that has it.
  assert.ok(limited.length > 0 && limited.every(({ parts }) => parts.length === 2), 'a script has the limit once');
  for (const { file, parts } of limited) writeFileSync(file, parts.join(String(most)));
  return import(pathToFileURL(path.join(to, 'index.js')).href);
}

/** Allocates all memory: large blocks first, then smaller and smaller ones. */
function fillUp(tf) {
  const taken = [];
  for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 4)) {
    try {
      for (;;) taken.push(tf.zeros([size]));
    } catch (error) {
      assert.ok(error instanceof tf.OutOfMemoryError, error.stack);
    }
  }
  return taken;
}

const layers = Array.from({ length: 200 }, (_, i) => ({
  class_name: 'Activation',
  config: { name: `${'n'.repeat(1000)}${i}`, activation: 'relu', ...(i === 0 && { batch_input_shape: [null, 4] }) },
}));
const chain = { modelTopology: { class_name: 'Sequential', config: { name: 'chain', layers } } };
const huge = { modelTopology: { ...chain.modelTopology, padding: 'x'.repeat(2 * kMaxHeapBytes) } };

/** Calls of a program that is out of memory; each may throw, and only an out-of-memory error. */
const attempts = (tf, model, x) => [
  () => tf.zeros([1000]),
  () => tf.tensor1d(new Float32Array(1e6)),
  () =>
    tf.tensor([
      [1, 2],
      [3, 4],
    ]),
  () => x.add(1),
  () => tf.add(x, x),
  () => x.matMul(x, false, true),
  () => tf.concat(Array.from({ length: 500 }, () => x)),
  () => tf.tidy(() => void tf.split(tf.range(0, 1000), 1000)),
  () => x.toString(),
  () => x.dataSync(),
  () => tf.variable(x),
  () => tf.tidy(() => x.mul(2).add(1)),
  () => tf.scope('a'.repeat(200)).close(),
  () => tf.engine().startScope() ?? tf.engine().endScope(),
  () => new tf.TensorList([x.clone(), x.clone()]),
  () => model.predict(x),
  () => model.summary(80, undefined, () => {}),
  () => tf.memory(),
  () => tf.browser.fromPixels({ data: new Uint8Array(4 * 300 * 300), width: 300, height: 300 }),
  () => tf.loadLayersModel({ load: () => Promise.resolve(chain) }),
  () => tf.loadLayersModel({ load: () => Promise.resolve(huge) }),
  () =>
    tf.loadLayersModel({ load: () => Promise.resolve({ ...chain, weightData: new ArrayBuffer(2 * kMaxHeapBytes) }) }),
];

for (const from of ['dist', 'dist/debug']) {
  test(`${from}: out of memory, every call throws OutOfMemoryError, and the engine recovers`, async () => {
    const tf = await smallPackage(from);
    const model = await tf.loadLayersModel({ load: () => Promise.resolve(chain) });
    const x = tf.ones([1, 4]);
    tf.dispose(model.predict(x));
    const before = held(tf);
    for (const leave of [0, 1, 100]) {
      const taken = fillUp(tf);
      for (const one of taken.splice(0, leave)) one.dispose();
      for (const attempt of attempts(tf, model, x)) {
        try {
          tf.dispose(await attempt());
        } catch (error) {
          assert.ok(error instanceof tf.OutOfMemoryError, `${attempt}: ${error.stack}`);
          assert.match(error.message, /out of memory/, `${attempt}`);
        }
        assert.deepEqual([...x.dataSync()], [1, 1, 1, 1], `${attempt}`);
      }
      for (const one of taken) assert.ok(one.dataSync().every((value) => value === 0));
      tf.dispose(taken);
      tf.disposeVariables();
      tf.tidy(() => assert.deepEqual([...model.predict(x.add(1)).dataSync()], [2, 2, 2, 2]));
      tf.tidy(() =>
        assert.ok(
          tf
            .zeros([2 ** 22])
            .dataSync()
            .every((value) => value === 0),
        ),
      );
      const { heapUsed, ...now } = held(tf);
      const { heapUsed: was, ...then } = before;
      assert.deepEqual(now, then);
      assert.ok(heapUsed <= was, `${heapUsed} bytes, ${was} before`);
    }
  });
}
