import { test } from 'node:test';
import { assert, leavesNothingAsync, tf } from '../expect.mjs';

const spec = (name, shape, dtype, quantization) => ({ name, shape, dtype, ...(quantization && { quantization }) });
const shown = (tensors) => Object.fromEntries(Object.entries(tensors).map(([name, t]) => [name, t.arraySync()]));

test('weights are encoded and decoded', async () => {
  await leavesNothingAsync(async () => {
    const tensors = {
      a: tf.tensor2d([
        [1, 2.5],
        [3, -4],
      ]),
      b: tf.tensor1d([true, false, true], 'bool'),
      c: tf.scalar(-7, 'int32'),
      none: tf.zeros([0, 3]),
    };
    const { data, specs } = await tf.io.encodeWeights(tensors, 'model');
    assert.equal(data.byteLength, 16 + 3 + 4);
    assert.deepEqual(specs[1], { name: 'b', shape: [3], dtype: 'bool', group: 'model' });
    const decoded = tf.io.decodeWeights([data.slice(0, 5), data.slice(5)], specs);
    assert.deepEqual(shown(decoded), shown(tensors));
    assert.equal(decoded.c.dtype, 'int32');
    tf.dispose([tensors, decoded]);
  });
});

test('quantized weights are decoded', async () => {
  await leavesNothingAsync(async () => {
    const bytes = new Uint8Array([0, 255, 7, 0x00, 0x3c, 0x00, 0xfc, 0x01, 0x00]);
    const decoded = tf.io.decodeWeights(bytes.buffer, [
      spec('a', [2], 'float32', { dtype: 'uint8', scale: 0.5, min: -1 }),
      spec('b', [1], 'int32', { dtype: 'uint8', scale: 1.4, min: 1 }),
      spec('c', [3], 'float32', { dtype: 'float16' }),
    ]);
    assert.deepEqual(shown(decoded), { a: [-1, 126.5], b: [11], c: [1, -Infinity, 2 ** -24] });
    tf.dispose(decoded);
  });
});

test('invalid weights leak nothing', async () => {
  await leavesNothingAsync(async () => {
    const two = [spec('good', [1], 'float32'), spec('bad', [2], 'float32')];
    assert.throws(
      () => tf.io.decodeWeights(new ArrayBuffer(8), two),
      /Weight 'bad' of shape \[2\] ends 4 bytes behind/,
    );
    for (const [entry, message] of [
      [spec('w', [1], 'float64'), /Unsupported dtype in weight 'w': float64/],
      [spec('w', [1], 'toString'), /Unsupported dtype in weight 'w'/],
      [spec('w', [-1], 'float32'), /positive integers/],
      [spec('w', [1], 'float32', { dtype: 'uint4' }), /unknown quantization dtype uint4/],
      [spec('w', [1], 'float32', { dtype: 'uint8' }), /doesn't have corresponding metadata min and scale/],
      [spec('w', [1], 'bool', { dtype: 'uint8', scale: 1, min: 0 }), /Unsupported dtype in weight 'w': bool/],
      [spec('w', [1], 'int32', { dtype: 'float16' }), /only supports weights of type float32 not int32/],
    ]) {
      assert.throws(() => tf.io.decodeWeights(new ArrayBuffer(8), [spec('first', [1], 'float32'), entry]), message);
    }
  });
});

test('weights are read from a stream with chunks of any size', async () => {
  await leavesNothingAsync(async () => {
    const values = Float32Array.from({ length: 10 }, (_, i) => i / 4);
    const specs = [spec('a', [3], 'float32'), spec('b', [], 'float32'), spec('c', [2, 3], 'float32')];
    const streamOf = (size, end = 40) => {
      let at = 0;
      return new ReadableStream({
        pull(controller) {
          if (at >= end) return controller.close();
          controller.enqueue(new Uint8Array(values.buffer.slice(at, Math.min(end, (at += size)))));
        },
      });
    };
    for (const size of [1, 7, 12, 40]) {
      const decoded = await tf.io.decodeWeightsStream(streamOf(size), specs);
      assert.deepEqual(shown(decoded), {
        a: [0, 0.25, 0.5],
        b: 0.75,
        c: [
          [1, 1.25, 1.5],
          [1.75, 2, 2.25],
        ],
      });
      tf.dispose(decoded);
    }
    await assert.rejects(tf.io.decodeWeightsStream(streamOf(9, 30), specs), /10 bytes are still expected/);
  });
});

test('named weights are loaded from the groups that contain them', async () => {
  await leavesNothingAsync(async () => {
    const manifest = [
      { paths: ['one'], weights: [spec('a', [1], 'float32'), spec('b', [1], 'float32')] },
      { paths: ['two', 'three'], weights: [spec('c', [2], 'float32')] },
    ];
    const files = { one: [1, 2], two: [3], three: [4] };
    const asked = [];
    const load = tf.io.weightsLoaderFactory(async (urls) => {
      asked.push(...urls);
      return urls.map((url) => new Float32Array(files[url.slice(2)]).buffer);
    });
    const b = await load(manifest, './', ['b']);
    assert.deepEqual([shown(b), asked], [{ b: [2] }, ['./one']]);
    const all = await load(manifest, '.');
    assert.deepEqual(shown(all), { a: [1], b: [2], c: [3, 4] });
    await assert.rejects(load(manifest, './', ['b', 'x', 'y']), /Could not find weights in manifest with names: x, y/);
    tf.dispose([b, all]);
  });
});

test('a buffer of several parts reads as one', () => {
  const parts = [new Uint8Array([0, 1, 2]), new Uint8Array([]), new Uint8Array([3, 4]), new Uint8Array([5])];
  const bytes = new tf.io.CompositeArrayBuffer(parts.map(({ buffer }) => buffer));
  const slice = (...range) => [...new Uint8Array(bytes.slice(...range))];
  assert.equal(bytes.byteLength, 6);
  assert.deepEqual(slice(), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(slice(2, 4), [2, 3]);
  assert.deepEqual(slice(-3, 1), [0]);
  assert.deepEqual(slice(4, 100), [4, 5]);
  assert.deepEqual(slice(4, 2), []);
  assert.deepEqual(slice(NaN, 2), [0, 1]);
  assert.deepEqual(slice(0, NaN), []);
  assert.deepEqual([...new Uint8Array(tf.io.concatenateArrayBuffers(parts.map((p) => p.buffer)))], [0, 1, 2, 3, 4, 5]);
});
