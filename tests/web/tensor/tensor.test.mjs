import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, leavesNothingAsync, says, tf } from '../expect.mjs';

test('a tensor has its properties', () => {
  const x = tf.zeros([2, 3, 4], 'int32');
  assert.deepEqual([x.rank, x.size, x.strides, x.shape, x.dtype], [3, 24, [12, 4], [2, 3, 4], 'int32']);
  assert.equal(x.rankType, '3');
  assert.equal(x.dataId, x.dataId);
  assert.equal(x.isDisposed, false);
  x.dispose();
  assert.equal(x.isDisposed, true);
});

test('reading copies into the array type of the dtype', async () => {
  const f = tf.tensor([1.5, 2]);
  const i = tf.tensor([1, 2], [2], 'int32');
  const b = tf.tensor([true, false]);
  assert.ok(f.dataSync() instanceof Float32Array);
  assert.ok(i.dataSync() instanceof Int32Array);
  assert.ok(b.dataSync() instanceof Uint8Array);
  f.dataSync()[0] = 9;
  assert.deepEqual(await f.array(), [1.5, 2]);
  assert.deepEqual(Array.from(await i.bytes()), [1, 0, 0, 0, 2, 0, 0, 0]);
  assert.deepEqual(b.arraySync(), [1, 0]);
  tf.dispose([f, i, b]);
});

test('array() returns nested arrays, a number for a scalar, and an empty array without elements', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      assert.deepEqual(tf.tensor([1, 2, 3, 4], [2, 1, 2]).arraySync(), [[[1, 2]], [[3, 4]]]);
      assert.equal(tf.scalar(3).arraySync(), 3);
      assert.deepEqual(tf.zeros([0, 2]).arraySync(), []);
    }),
  );
});

test('data() is safe against a dispose before it resolves', async () => {
  await leavesNothingAsync(async () => {
    const x = tf.tensor([1, 2, 3]);
    const pending = x.data();
    x.dispose();
    tf.tensor([7, 7, 7]).dispose();
    assert.deepEqual(Array.from(await pending), [1, 2, 3]);
  });
});

test('dispose() twice is no error, and clone() outlives its source', () => {
  leavesNothing(() => {
    const x = tf.tensor([1, 2]);
    const y = x.clone();
    const { numTensors, numDataBuffers } = tf.memory();
    x.dispose();
    x.dispose();
    assert.equal(tf.memory().numTensors, numTensors - 1);
    assert.equal(tf.memory().numDataBuffers, numDataBuffers);
    assertTensor(y, [2], [1, 2]);
    y.dispose();
  });
});

test('using a disposed tensor names it, in a method and in a function', async () => {
  const alive = tf.tensor([1, 2, 3]);
  const gone = tf.tensor([1, 2, 3]);
  gone.dispose();
  const words = (op, place, name) =>
    says('DisposedError', `[${op}] Tensor is disposed: argument ${place} ('${name}'), #${gone.id} float32[3]`);
  leavesNothing(() => {
    assert.throws(() => tf.add(alive, gone), words('add', 2, 'b'));
    assert.throws(() => gone.add(alive), words('add', 1, 'a'));
    assert.throws(() => gone.mul(2), words('mul', 1, 'a'));
    assert.throws(() => tf.relu(gone), words('relu', 1, 'x'));
    assert.throws(() => tf.sum(gone), words('sum', 1, 'x'));
    assert.throws(() => tf.concat([alive, gone]), words('concat', 2, 'tensors[1]'));
    assert.throws(() => tf.conv2d([[[1]]], gone, 1, 'same'), words('conv2d', 2, 'filter'));
  });
  assert.throws(() => gone.dataSync(), says('DisposedError', /\[dataSync\] Tensor is disposed: #\d+ float32\[3\]/));
  assert.throws(() => gone.throwIfDisposed(), /Tensor is disposed/);
  await assert.rejects(gone.data(), { name: 'DisposedError' });
  alive.dispose();
});

test('a stale handle is never taken for a newer tensor', () => {
  leavesNothing(() => {
    const gone = tf.scalar(1);
    gone.dispose();
    for (let i = 0; i < 5000; i++) tf.scalar(2).dispose();
    const later = Array.from({ length: 2000 }, () => tf.scalar(2));
    assert.equal(gone.isDisposed, true);
    assert.throws(() => gone.neg(), { name: 'DisposedError' });
    tf.dispose(later);
  });
});

test('bufferSync() and buffer() read and write one by one', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const buffer = tf
        .tensor2d([
          [1, 2],
          [3, 4],
        ])
        .bufferSync();
      assert.equal(buffer.get(1, 0), 3);
      buffer.set(9, 0, 1);
      assertTensor(buffer.toTensor(), [2, 2], [1, 9, 3, 4]);
      const empty = tf.buffer([2, 3], 'int32');
      empty.set(5, 1, 2);
      assert.deepEqual([empty.locToIndex([1, 2]), empty.indexToLoc(5)], [5, [1, 2]]);
      assertTensor(empty.toTensor(), [2, 3], [0, 0, 0, 0, 0, 5], 'int32');
      assert.throws(() => empty.get(2, 0), /Requested out of range element at 2,0. {3}Buffer shape=2,3/);
      assert.throws(() => empty.set(1, 0), /number of provided coordinates \(1\) must match the rank \(2\)/);
      assert.throws(() => tf.buffer([2], 'float32', new Float32Array(3)), /Length of values '3' does not match/);
    }),
  );
});

test('methods are the functions with the tensor first', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const x = tf.tensor2d([
        [1, -2],
        [3, -4],
      ]);
      assertTensor(x.add(1).relu().sum(1), [2], [2, 4]);
      assertTensor(x.asType('int32').toFloat().flatten(), [4], [1, -2, 3, -4]);
      assertTensor(x.reshape([4]).as2D(1, 4).as3D(2, 2, 1).reshapeAs(x), [2, 2], [1, -2, 3, -4]);
      assertTensor(x.slice([0, 0], [1, 1]).asScalar(), [], [1]);
      assertTensor(x.concat([x, x], 1).max(), [], [3]);
      assertTensor(x.stack(x).argMax(-1), [2, 2], [0, 0, 0, 0], 'int32');
      assertTensor(
        x.where(
          [
            [true, false],
            [false, true],
          ],
          0,
        ),
        [2, 2],
        [1, 0, 0, -4],
      );
      assertTensor(x.toBool(), [2, 2], [1, 1, 1, 1], 'bool');
      assert.throws(() => x.asScalar(), /The array must have only 1 element./);
    }),
  );
});

test('a buffer without a dtype holds floats', () => {
  leavesNothing(() => {
    const buffer = new tf.TensorBuffer([2, 2]);
    buffer.set(1.5, 1, 0);
    const x = buffer.toTensor();
    assertTensor(x, [2, 2], [0, 0, 1.5, 0]);
    x.dispose();
  });
});
