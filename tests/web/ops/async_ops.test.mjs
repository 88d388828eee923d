import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';

const shown = (...tensors) => {
  const values = tensors.map((tensor) => tensor.arraySync());
  tf.dispose(tensors);
  return values;
};

test('whereAsync() finds true elements, and boolean masks select by them', async () => {
  await leavesNothingAsync(async () => {
    assert.deepEqual(
      shown(
        await tf.whereAsync([
          [true, false],
          [false, true],
        ]),
      ),
      [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    );
    const mask = tf.zeros([2, 3], 'bool');
    const none = await tf.whereAsync(mask);
    const whole = await tf.whereAsync(true);
    assert.deepEqual(
      [none.shape, whole.shape],
      [
        [0, 2],
        [1, 0],
      ],
    );
    tf.dispose([mask, none, whole]);
  });
  await leavesNothingAsync(async () => {
    const x = tf.tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    assert.deepEqual(shown(await tf.booleanMaskAsync(x, [true, false, true])), [
      [
        [1, 2],
        [5, 6],
      ],
    ]);
    assert.deepEqual(shown(await tf.booleanMaskAsync(x, [false, true], 1)), [[[2], [4], [6]]]);
    await assert.rejects(tf.booleanMaskAsync(x, [true]), /mask's shape must match/);
    tf.dispose(x);
  });
});

test('differences of lists, and targets among the largest', async () => {
  await leavesNothingAsync(async () => {
    assert.deepEqual(shown(...(await tf.setdiff1dAsync([1, 2, 3, 2], [2]))), [
      [1, 3],
      [0, 2],
    ]);
    await assert.rejects(tf.setdiff1dAsync([[1]], [2]), /x should be 1D tensor/);
    assert.deepEqual(
      shown(
        await tf.inTopKAsync(
          [
            [5, 5, 1],
            [1, 2, 3],
          ],
          [1, 9],
          1,
        ),
      ),
      [[0, 0]],
    );
    assert.deepEqual(
      shown(
        await tf.inTopKAsync(
          [
            [5, 5, 1],
            [1, 2, 3],
          ],
          [1, 1],
          2,
        ),
      ),
      [[1, 1]],
    );
    await assert.rejects(tf.inTopKAsync([[1, 2]], [0], 3), /'k' passed to inTopK/);
  });
});

test('functions of shapes', () => {
  leavesNothing(() => {
    assert.deepEqual(shown(tf.diag([[1, 2]])), [[[[[1, 0]], [[0, 2]]]]]);
    assert.deepEqual(shown(...tf.meshgrid([1, 2], [3, 4, 5])), [
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
      [
        [3, 3],
        [4, 4],
        [5, 5],
      ],
    ]);
    assert.deepEqual(shown(...tf.meshgrid([1, 2], [3], { indexing: 'ij' })), [
      [[1], [2]],
      [[3], [3]],
    ]);
    assert.deepEqual(shown(tf.broadcastArgs([2, 1], [3])), [[2, 3]]);
    assert.throws(() => tf.broadcastArgs([2], [3]), /could not be broadcast/);
    const x = tf.zeros([2, 3]);
    assert.equal(tf.ensureShape(x, [null, 3]), x);
    assert.throws(() => tf.ensureShape(x, [3, 3]), /EnsureShape: Shape of tensor 2,3/);
    x.dispose();
  });
});

test('a fused convolution in NCHW equals the transposed NHWC one', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const x = tf.randomNormal([2, 4, 5, 3]);
      const filter = tf.randomNormal([2, 2, 3, 4]);
      const options = { filter, strides: 1, bias: [1, 2, 3, 4], activation: 'relu' };
      const pad = [
        [0, 0],
        [1, 0],
        [0, 2],
        [0, 0],
      ];
      const expected = tf.fused.conv2d({ ...options, x, pad });
      const turned = [
        [0, 0],
        [0, 0],
        [1, 0],
        [0, 2],
      ];
      const given = tf.fused.conv2d({ ...options, x: x.transpose([0, 3, 1, 2]), pad: turned, dataFormat: 'NCHW' });
      assert.deepEqual(given.transpose([0, 2, 3, 1]).arraySync(), expected.arraySync());
    }),
  );
});

test('an integer bias is cast to float, as a tensor and as values', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const [x, filter] = [tf.tensor4d([1, -2], [1, 2, 1, 1]), tf.ones([1, 1, 1, 1])];
      for (const bias of [tf.tensor1d([3], 'int32'), new Int32Array([3]), [3], new Float32Array([3])]) {
        assert.deepEqual([...tf.fused.conv2d({ x, filter, strides: 1, pad: 'valid', bias }).dataSync()], [4, 1]);
        assert.deepEqual(tf.fused.matMul({ a: [[1]], b: [[-2]], bias }).arraySync(), [[1]]);
      }
      assert.deepEqual(tf.fused.matMul({ a: [[1]], b: [[-2]], bias: [true] }).arraySync(), [[-1]]);
    }),
  );
});

test('a null activation of a fused op means none', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const [x, filter] = [tf.tensor4d([1, -2], [1, 2, 1, 1]), tf.ones([1, 1, 1, 1])];
      const linear = { strides: 1, pad: 'valid', activation: null, bias: null, preluActivationWeights: null };
      assert.deepEqual([...tf.fused.conv2d({ ...linear, x, filter }).dataSync()], [1, -2]);
      assert.deepEqual([...tf.fused.depthwiseConv2d({ ...linear, x, filter }).dataSync()], [1, -2]);
      assert.deepEqual(tf.fused.matMul({ ...linear, a: [[1]], b: [[-2]] }).arraySync(), [[-2]]);
    }),
  );
});

test('values in place of images are cast to float if an op requires floats', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      const [images, filter] = [
        [
          [
            [true, false],
            [true, true],
          ],
        ],
        tf.ones([1, 1, 2, 1]),
      ];
      const pixels = [[new Int32Array([1, 0]), new Int32Array([1, 1])]];
      const options = { filter, strides: 1, pad: 'valid' };
      for (const x of [images, pixels]) {
        assert.deepEqual(tf.conv2d(x, filter, 1, 'valid').arraySync(), [[[1], [2]]]);
        assert.deepEqual(tf.fused.conv2d({ ...options, x }).arraySync(), [[[1], [2]]]);
        assert.deepEqual(tf.depthwiseConv2d(x, filter, 1, 'valid').arraySync(), [
          [
            [1, 0],
            [1, 1],
          ],
        ]);
        assert.deepEqual(tf.avgPool(x, [1, 2], 1, 'valid').arraySync(), [[[1, 0.5]]]);
        assert.deepEqual(tf.avgPool3d([x], [1, 1, 2], 1, 'valid').arraySync(), [[[[1, 0.5]]]]);
      }
      assert.equal(tf.maxPool(pixels, [1, 2], 1, 'valid').dtype, 'int32');
    }),
  );
});
