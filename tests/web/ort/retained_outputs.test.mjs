// Outputs that stay in the engine until they are disposed.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../dist/index.js';
import { InferenceSession, Tensor } from '../../../dist/ort/index.js';
import { onnxModel } from '../../bench/onnx.mjs';
import { makePlainDecoder } from '../../onnx/plain_decoder.mjs';
import { identityModel, leavesNothing, productModel } from './models.mjs';

const preferredOutputLocation = 'gpu-buffer';
const input = (...values) => new Tensor('float32', Float32Array.from(values), [values.length / 2, 2]);

test('an output stays in the engine, is read by getData(), and freed by dispose()', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel(), { preferredOutputLocation: { y: 'gpu-buffer' } });
    const { numTensors } = tf.memory();
    const { y, s } = await session.run({ x: input(1, 1) });
    assert.deepEqual([y.location, y.type, y.dims, s.location], ['gpu-buffer', 'float32', [1, 2], 'cpu']);
    assert.equal(tf.memory().numTensors, numTensors + 1);
    assert.throws(() => y.data, /not on CPU/);
    assert.deepEqual([...(await y.getData())], [3, 0]);
    assert.deepEqual([...y.data], [3, 0]);
    y.dispose();
    assert.equal(tf.memory().numTensors, numTensors);
    const { y: again } = await session.run({ x: input(1, 1) }, ['y']);
    assert.deepEqual([...(await again.getData(true))], [3, 0]);
    assert.equal(tf.memory().numTensors, numTensors);
    // It outlives its session.
    const { y: last } = await session.run({ x: input(2, 1) });
    await session.release();
    assert.deepEqual([...(await last.getData(true))], [4, 0]);
  }));

test('an output that stays is an input of the next run, and is not copied', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel(), { preferredOutputLocation });
    let { y } = await session.run({ x: input(1, 1) }, ['y']);
    for (let i = 0; i < 3; i++) {
      const next = await session.run({ x: y }, ['y']);
      y.dispose();
      ({ y } = next);
    }
    const found = await y.getData();
    assert.deepEqual([...found], [3, 0]);
    assert.deepEqual(await session.run({ x: y }, ['y']).then(({ y: cpu }) => cpu.getData(true)), Float32Array.of(3, 0));
    y.dispose();
    await assert.rejects(session.run({ x: y }), /input "x" must be in the memory of JavaScript.*none/);
    await session.release();
  }));

test('an output without elements is an array, as in onnxruntime-web', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(identityModel('float32', ['n']), { preferredOutputLocation });
    const { y } = await session.run({ x: new Tensor('float32', [], [0]) });
    assert.deepEqual([y.location, y.dims, y.data], ['cpu', [0], new Float32Array(0)]);
    const { y: full } = await session.run({ x: new Tensor('float32', [1], [1]) });
    assert.equal(full.location, 'gpu-buffer');
    full.dispose();
    await session.release();
  }));

test('values of each type come back as they went in', () =>
  leavesNothing(async () => {
    const arrays = {
      int64: [BigInt64Array.of(1n, -2n), 'gpu-buffer'],
      int32: [Int32Array.of(1, -2), 'gpu-buffer'],
      uint8: [Uint8Array.of(1, 200), 'gpu-buffer'],
      bool: [Uint8Array.of(1, 0), 'gpu-buffer'],
      // onnxruntime-common has no tensors of these types there.
      float64: [Float64Array.of(1, -2), 'cpu'],
      int8: [Int8Array.of(1, -2), 'cpu'],
      string: [['a', 'b'], 'cpu'],
    };
    for (const [type, [data, location]] of Object.entries(arrays)) {
      const session = await InferenceSession.create(identityModel(type), { preferredOutputLocation });
      const { y } = await session.run({ x: new Tensor(type, data, [2]) });
      assert.equal(y.location, location, type);
      const { y: again } = await session.run({ x: y });
      assert.deepEqual(await again.getData(), data, type);
      again.dispose();
      y.dispose();
      await session.release();
    }
  }));

test('a value that stays must have the type and the shape of the input; preallocated outputs are filled', () =>
  leavesNothing(async () => {
    const session = await InferenceSession.create(productModel(), { preferredOutputLocation });
    const integers = await InferenceSession.create(identityModel('int32'), { preferredOutputLocation });
    const { y: wrong } = await integers.run({ x: new Tensor('int32', Int32Array.of(1, 2), [1, 2]) });
    await assert.rejects(session.run({ x: wrong }), /input "x" must have the type float32, but got int32/);
    const { y: scalar } = await integers.run({ x: new Tensor('int32', Int32Array.of(1), [1]) });
    wrong.dispose();
    scalar.dispose();
    const target = input(7, 7);
    const { y } = await session.run({ x: input(1, 2) }, { y: target });
    assert.equal(y, target);
    assert.deepEqual([...target.data], [5, 0]);
    const tooLarge = input(1, 2, 3, 4);
    // The first output stays; the second does not fit, and the first is freed.
    await assert.rejects(session.run({ x: input(1, 2) }, { y: null, s: tooLarge }), /"s" has the shape \[1,2\]/);
    await Promise.all([session.release(), integers.release()]);
  }));

test('a cache that stays takes no memory but its own, run after run', () =>
  leavesNothing(async () => {
    const file = onnxModel({
      nodes: [{ op: 'Concat', inputs: ['past', 'x'], outputs: ['present'], attributes: { axis: 0 } }],
      inputs: [
        { name: 'past', shape: ['past', 8] },
        { name: 'x', shape: [1, 8] },
      ],
      output: { name: 'present', shape: ['total', 8] },
    });
    const session = await InferenceSession.create(file, { preferredOutputLocation });
    const { numTensors } = tf.memory();
    let past = new Tensor('float32', new Float32Array(0), [0, 8]);
    for (let i = 0; i < 100; i++) {
      const { present } = await session.run({ past, x: new Tensor('float32', new Float32Array(8).fill(i), [1, 8]) });
      past.dispose();
      past = present;
      assert.equal(tf.memory().numTensors, numTensors + 1);
    }
    const data = await past.getData(true);
    assert.deepEqual([data.length, data[0], data.at(-1)], [800, 0, 99]);
    await session.release();
  }));

/** A decoder of 2 layers with 4 heads of 16 values, and the caches of its last run. */
class Decoder {
  #session;
  #caches;
  #length = 0;

  static async create(options) {
    const decoder = new Decoder();
    decoder.#session = await InferenceSession.create(makePlainDecoder(), options);
    const names = decoder.#session.inputNames.filter((name) => name.startsWith('past'));
    decoder.#caches = Object.fromEntries(names.map((name) => [name, new Tensor('float32', [], [1, 4, 0, 16])]));
    return decoder;
  }
  get caches() {
    return Object.values(this.#caches);
  }
  /** Returns the logits of a token, and the caches behind it. */
  async next(token, caches = this.#caches) {
    const ids = (values) => new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const all = Array.from({ length: this.#length + 1 }, () => 1);
    const results = await this.#session.run({ input_ids: ids([token]), attention_mask: ids(all), ...caches });
    const present = Object.keys(caches).map((name) => [name, results[name.replace('past', 'present')]]);
    return { logits: await results.logits.getData(true), caches: Object.fromEntries(present) };
  }
  async append(token) {
    const { logits, caches } = await this.next(token);
    this.#disposeCaches();
    this.#caches = caches;
    this.#length += 1;
    return logits;
  }
  #disposeCaches() {
    for (const cache of this.caches) cache.dispose();
  }
  async release() {
    this.#disposeCaches();
    await this.#session.release();
  }
}

const largestDifference = (a, b) => Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));

test('a cache of keys and values that stays is not copied, and has the values of one that does not stay', () =>
  leavesNothing(async () => {
    const before = tf.memory().detail;
    const stays = await Decoder.create({ preferredOutputLocation });
    const crosses = await Decoder.create();
    let copied = 0;
    for (let i = 0; i < 60; i++) {
      const token = (i * 7) % 50;
      let logits;
      const { kernels } = await tf.profile(async () => {
        logits = await stays.append(token);
        return [];
      });
      const copies = kernels.filter(
        ({ name, outputShapes: [shape] }) =>
          /Concat|Transpose/.test(name) && shape.length === 4 && shape.includes(i + 1),
      );
      if (i > 16) copied += copies.length;
      assert.ok(largestDifference(logits, await crosses.append(token)) < 1e-4, `token ${i}`);
    }
    assert.equal(copied, 0);
    for (const [i, cache] of stays.caches.entries()) {
      assert.deepEqual(cache.dims, [1, 4, 60, 16]);
      assert.ok(largestDifference(await cache.getData(), crosses.caches[i].data) < 1e-4);
    }
    await Promise.all([stays.release(), crosses.release()]);
    const { heapUsed, cpuPool } = tf.memory().detail;
    const grown = heapUsed - cpuPool - (before.heapUsed - before.cpuPool);
    assert.ok(grown < 4096, `${grown} bytes are left`);
  }));

test('several runs may follow from one cache that stays', () =>
  leavesNothing(async () => {
    const decoder = await Decoder.create({ preferredOutputLocation });
    for (let i = 0; i < 20; i++) await decoder.append(i);
    const read = async ({ caches }) => Promise.all(Object.values(caches).map((cache) => cache.getData(true)));
    const [first, second] = [await decoder.next(3), await decoder.next(4)];
    const again = await decoder.next(3);
    assert.deepEqual([...again.logits], [...first.logits]);
    assert.notDeepEqual([...second.logits], [...first.logits]);
    const caches = [await read(first), await read(second), await read(again)];
    assert.deepEqual(caches[2], caches[0]);
    assert.notDeepEqual(caches[1], caches[0]);
    await decoder.release();
  }));
