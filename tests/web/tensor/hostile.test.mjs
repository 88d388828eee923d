// Hostile input is measured when it is written into the engine's memory, whatever size it claims.
import { runInNewContext } from 'node:vm';
import { test } from 'node:test';
import { assert, leavesNothing, tf } from '../expect.mjs';

/** Creates tensors before and after those of `body`, and checks that they do not change. */
function betweenNeighbours(body) {
  leavesNothing(() => {
    const neighbours = Array.from({ length: 64 }, (_, i) => tf.fill([2], i));
    for (let i = 1; i < 64; i += 2) neighbours[i].dispose();
    body();
    for (let i = 0; i < 64; i += 2) assert.deepEqual([...neighbours[i].dataSync()], [i, i]);
    tf.dispose(neighbours);
  });
}

const wrongCount = (size, count) => ({
  message: new RegExp(`the tensor should have ${size} values but has ${count}$`),
});

test('a buffer whose values were replaced matches its shape, or is refused', () => {
  for (const [values, count] of [
    [new Float32Array(40), 40],
    [new Float32Array(1), 1],
    [[1, 2, 3], 3],
    [Object.defineProperty(new Float32Array(40), 'length', { value: 2 }), 40],
    [Object.defineProperty(new Float32Array(1), 'length', { value: 2 }), 1],
    [{ length: 3, 0: 1 }, 3],
  ]) {
    betweenNeighbours(() => {
      const buffer = tf.buffer([2]);
      buffer.values = values;
      assert.throws(() => buffer.toTensor(), wrongCount(2, count));
    });
  }
  betweenNeighbours(() => {
    const buffer = tf.buffer([2]);
    buffer.values = [7, 8];
    const x = buffer.toTensor();
    assert.deepEqual([...x.dataSync()], [7, 8]);
    x.dispose();
  });
});

test('a shape that changes during creation is the initial one, or is refused', () => {
  betweenNeighbours(() => {
    const shape = [2];
    const grown = tf.rand(shape, () => ((shape[0] = 40), 1));
    assert.deepEqual(grown.shape, [2]);
    grown.dispose();
    const buffer = tf.buffer([2]);
    buffer.shape[0] = 40;
    assert.throws(() => buffer.toTensor(), wrongCount(40, 2));
    buffer.shape[0] = 2.5;
    assert.throws(() => buffer.toTensor(), /./);
    buffer.shape[0] = -2;
    buffer.values = new Float32Array(2);
    assert.throws(() => buffer.toTensor(), /./);
  });
});

test('a resizable buffer that grows during creation changes nothing', () => {
  betweenNeighbours(() => {
    const memory = new ArrayBuffer(8, { maxByteLength: 400 });
    const values = new Float32Array(memory);
    const row = [{ valueOf: () => (memory.resize(400), 1) }, 2];
    assert.throws(() => tf.tensor([row, values]), /./);
    const x = tf.tensor1d(values);
    assert.deepEqual(x.shape, [100]);
    x.dispose();
  });
});

test('detached and shrunk buffers are refused, and leak nothing', () => {
  betweenNeighbours(() => {
    const detached = new Float32Array(4);
    structuredClone(detached, { transfer: [detached.buffer] });
    assert.throws(() => tf.tensor(detached, [4]), wrongCount(4, 0));
    tf.tensor1d(detached).dispose();
    const buffer = tf.buffer([4]);
    structuredClone(buffer.values, { transfer: [buffer.values.buffer] });
    assert.throws(() => buffer.toTensor(), wrongCount(4, 0));
    const big = tf.buffer([2]);
    big.values = new BigInt64Array(2);
    assert.throws(() => big.toTensor());
  });
});

test('values of another realm are accepted', () => {
  leavesNothing(() => {
    const [floats, ints, nested] = runInNewContext('[new Float32Array([1, 2]), new Int32Array([3]), [[1], [2]]]');
    for (const [given, dtype, shape] of [
      [floats, 'float32', [2]],
      [ints, 'int32', [1]],
      [nested, 'float32', [2, 1]],
    ]) {
      const x = tf.tensor(given);
      assert.equal(x.dtype, dtype);
      assert.deepEqual(x.shape, shape);
      const y = tf.add(given, x);
      assert.deepEqual(
        [...y.dataSync()],
        [...x.dataSync()].map((value) => 2 * value),
      );
      tf.dispose([x, y]);
    }
    const x = tf.tensor2d(floats, [1, 2]);
    assert.deepEqual(x.arraySync(), [[1, 2]]);
    const memory = new tf.ReplayMemory(2);
    memory.push(Object.assign(runInNewContext('({reward: 1})'), { x }));
    assert.deepEqual(memory.sample(1)[0].x.arraySync(), [[1, 2]]);
    tf.dispose([x, memory]);
  });
});

test('cyclic arrays are refused', () => {
  const circle = [];
  circle.push(circle);
  for (const make of [
    tf.tensor,
    tf.tensor1d,
    tf.tensor2d,
    tf.scalar,
    tf.relu,
    (x) => tf.add(1, x),
    (x) => tf.tensor(x, [1]),
  ]) {
    assert.throws(() => make(circle), Error);
  }
  let deep = 1;
  for (let i = 0; i < 9; i++) deep = [deep];
  assert.throws(() => tf.tensor(deep), tf.ShapeError);
});

test('the number of pixels must match width and height', () => {
  betweenNeighbours(() => {
    const data = Object.defineProperty(new Uint8Array(4), 'length', { value: 64 });
    assert.throws(() => tf.browser.fromPixels({ data, width: 4, height: 4 }), /expected 64 bytes/);
    assert.throws(() => tf.browser.fromPixels({ data: new Uint8Array(20), width: 2.5, height: 2 }), /width and height/);
  });
});

test('a tensor cannot be structured-cloned or sent, however nested', () => {
  leavesNothing(() => {
    const x = tf.tensor([1, 2]);
    const w = tf.variable([3]);
    const { port1, port2 } = new MessageChannel();
    const refused = (error) => {
      assert.equal(error.name, 'DataCloneError');
      // V8's message: other engines have no room for a reason.
      assert.match(
        error.message,
        /Symbol\(a tensor is a handle of its engine: send its values, await x\.data\(\), and its shape\) could not be cloned/,
      );
      return true;
    };
    for (const tensor of [x, w]) {
      for (const value of [tensor, [tensor], { deep: { tensor } }, new Map([['x', tensor]])]) {
        assert.throws(() => structuredClone(value), refused);
        assert.throws(() => port1.postMessage(value), refused);
      }
    }
    port1.close();
    port2.close();
    assert.deepEqual([...x.dataSync(), ...w.dataSync()], [1, 2, 3]);
    assert.equal(JSON.stringify(x), JSON.stringify({ id: x.id, shape: [2], dtype: 'float32' }));
    tf.dispose([x, w]);
  });
});
