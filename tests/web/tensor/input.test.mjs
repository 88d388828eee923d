import { test } from 'node:test';
import { assert, assertTensor, leavesNothing, tf } from '../expect.mjs';

/** TensorFlow.js's messages for invalid arguments, and the number of tensors that the row makes itself, if any. */
const refused = [
  [() => tf.add(null, 1), "Argument 'a' passed to 'add' must be a Tensor or TensorLike, but got 'null'"],
  [() => tf.add(1, undefined), "Argument 'b' passed to 'add' must be a Tensor or TensorLike, but got 'null'"],
  [() => tf.add(1, {}), "Argument 'b' passed to 'add' must be a Tensor or TensorLike, but got 'Object'"],
  [() => tf.relu(new Map()), "Argument 'x' passed to 'relu' must be a Tensor or TensorLike, but got 'Map'"],
  [() => tf.add('a', 1), "Argument 'a' passed to 'add' must be numeric tensor, but got string tensor"],
  [() => tf.matMul([[1]], null), "Argument 'b' passed to 'matMul' must be a Tensor or TensorLike, but got 'null'"],
  [
    () => tf.concat([[1], null]),
    "Argument 'tensors[1]' passed to 'concat' must be a Tensor or TensorLike, but got 'null'",
  ],
  [() => tf.stack(3), 'Argument tensors passed to stack must be a `Tensor[]` or `TensorLike[]`'],
  [() => tf.concat([]), 'Pass at least one tensor to concat'],
  [() => tf.stack([]), 'Pass at least one tensor to tf.stack'],
  [() => tf.addN([]), 'Must pass at least one tensor to tf.addN(), but got 0'],
  [() => tf.addN([[1], [1, 2]]), '[addN] All tensors passed to tf.addN() must have the same shape'],
  [
    () => tf.logicalAnd(tf.scalar(1), true),
    "Argument 'a' passed to 'logicalAnd' must be bool tensor, but got float32 tensor",
    1,
  ],
  [() => tf.any(tf.scalar(1)), "Argument 'x' passed to 'any' must be bool tensor, but got float32 tensor", 1],
  [
    () => tf.where(tf.scalar(1), 1, 2),
    "Argument 'condition' passed to 'where' must be bool tensor, but got float32 tensor",
    1,
  ],
  [
    () => tf.gather([1], tf.scalar(0)),
    "Argument 'indices' passed to 'gather' must be int32 tensor, but got float32 tensor",
    1,
  ],
  [
    () => tf.oneHot(tf.tensor1d([0]), 2),
    "Argument 'indices' passed to 'oneHot' must be int32 tensor, but got float32 tensor",
    1,
  ],
  [() => tf.oneHot([0], 1), 'Error in oneHot: depth must be >=2, but it is 1'],
  [
    () =>
      tf.tensor([
        [1, 2],
        [3, 4, 5],
      ]),
    'Element arr[1] should have 2 elements, but has 3 elements',
  ],
  [() => tf.tensor([[1, 2], 3]), 'Element arr[1] is a primitive, but should be an array/TypedArray of 2 elements'],
  [() => tf.add([1, [2]], 1), 'Element arr[1] should be a primitive, but is an array of 1 elements'],
  [
    () =>
      tf.tensor([
        [[1], [2]],
        [[3], [[4]]],
      ]),
    'Element arr[1][1][0] should be a primitive, but is an array of 1 elements',
  ],
  [() => tf.tensor([1, 2, 3], [2, 2]), 'Based on the provided shape, [2,2], the tensor should have 4 values but has 3'],
  [
    () =>
      tf.tensor(
        [
          [1, 2],
          [3, 4],
        ],
        [4],
      ),
    'Error creating a new Tensor. Inferred shape (2,2) does not match the provided shape (4). ',
  ],
  [() => tf.tensor([1], [-1]), 'Tensor must have a shape comprised of positive integers but got shape [-1].'],
  [() => tf.zeros([1.5]), 'Tensor must have a shape comprised of positive integers but got shape [1.5].'],
  [() => tf.zeros([2 ** 32 + 1]), 'a shape holds at most 2^31 - 1 elements, got [4294967297]'],
  [() => tf.reshape([1], [2 ** 32 + 1]), "Argument 'shape' must be an integer of 32 bits, but got 4294967297"],
  [() => tf.expandDims([1], 0.5), "Argument 'axis' must be an integer of 32 bits, but got 0.5"],
  [() => tf.argMax([1], '0'), "Argument 'axis' must be an integer of 32 bits, but got '0'"],
  [() => tf.sum([1], 2 ** 32), "Argument 'axis' must be an integer of 32 bits, but got 4294967296"],
  [() => tf.transpose([[1]], [0, NaN]), "Argument 'perm' must be an integer of 32 bits, but got NaN"],
  [() => tf.tile([1], '3'), "Argument 'reps' must be a list of integers, but got 3"],
  [() => tf.split([1, 2, 3], [1, 2.5]), 'The sum of sizes must match the size of the axis dimension.'],
  [() => tf.split([1, 2, 3], [0.5, 2.5]), "Argument 'sizes' must be an integer of 32 bits, but got 0.5"],
  [() => tf.pad([1], [[2 ** 32 + 1, 0]]), "Argument 'paddings' must be an integer of 32 bits, but got 4294967297"],
  [() => tf.conv2d([[[1]]], [[[[1]]]], 1.5, 'same'), "Argument 'strides' must be an integer of 32 bits, but got 1.5"],
  [
    () => tf.conv2d([[[1]]], [[[[1]]]], 1, 'same', 'NHWC', 2 ** 32),
    "Argument 'dilations' must be an integer of 32 bits, but got 4294967296",
  ],
  [
    () => tf.conv2d([[[1]]], [[[[1]]]], 1, 'same', 'NHXC'),
    'Error in conv2d: got dataFormat of NHXC but only NHWC and NCHW is currently supported.',
  ],
  [
    () => tf.separableConv2d([[[1]]], [[[[1]]]], [[[[1]]]], 1, 'same', 1, 'NHXC'),
    'Error in separableConv2d: got dataFormat of NHXC but only NHWC is currently supported.',
  ],
  [() => tf.conv2d([[[1]]], [[[[1]]]], 1, 1, 'NHWC', 1, 'up'), 'Unknown roundingMode up'],
  [
    () => tf.maxPool([[[1]]], 1, 1, [[0, 0], [0, 2], [2], [0, 0]]),
    'Unknown padding parameter: [[0,0],[0,2],[2],[0,0]]',
  ],
  [
    () => tf.maxPool([[[1]]], 1, [1, undefined], 'same'),
    "Argument 'strides' must be an integer of 32 bits, but got undefined",
  ],
  [() => tf.reshape([1], undefined), "Argument 'shape' must be a list of integers, but got undefined"],
  [() => tf.buffer([]).set(9, 4, 1), 'The number of provided coordinates (2) must match the rank (0)'],
  [() => tf.maxPool([[[1]]], [1, '1'], 1, 'valid'), "Argument 'filterSize' must be an integer of 32 bits, but got '1'"],
  [
    () => tf.stridedSlice([1, 2], [0], [2], [1], 2 ** 33),
    "Argument 'beginMask' must be an integer of 32 bits, but got 8589934592",
  ],
  [
    () => tf.tensor(null),
    'values passed to tensor(values) must be a number/boolean/string or an array of numbers/booleans/strings, or a TypedArray',
  ],
  [() => tf.tensor1d(null), 'The input to the tensor constructor must be a non-null value.'],
  [() => tf.tensor1d([[1]]), 'tensor1d() requires values to be a flat/TypedArray'],
  [() => tf.tensor2d([1, 2]), 'tensor2d() requires shape to be provided when `values` are a flat/TypedArray'],
  [() => tf.tensor2d([[[1]]]), 'tensor2d() requires values to be number[][] or flat/TypedArray'],
  [() => tf.tensor3d([1], [1]), 'tensor3d() requires shape to have three numbers'],
  [() => tf.tensor6d([1]), 'tensor6d() requires shape to be provided when `values` are a flat array'],
  [() => tf.scalar([1]), 'Error creating a new Scalar: value must be a primitive (number|boolean|string)'],
  [() => tf.cast([1], 'float64'), 'Failed to cast to unknown dtype float64'],
  [() => tf.cast([1], 'string'), 'Only strings can be casted to strings'],
  [() => tf.clipByValue([1], 2, 1), 'Error in clip: min (2) must be less than or equal to max (1).'],
  [
    () => tf.softmax([[1]], 0),
    'Softmax along a non-last dimension is not yet supported. Logits was rank 2 and dim was 0',
  ],
  [
    () => tf.logSoftmax([[1]], 0),
    'Log Softmax along a non-last dimension is not yet supported. Logits was rank 2 and axis was 0',
  ],
  [() => tf.sum([1], 0.5), 'All values in axis param must be integers but got axis 0.5'],
  [() => tf.split([1, 2, 3], 2), 'Number of splits must evenly divide the axis.'],
  [() => tf.split([1, 2, 3], [1, 1]), 'The sum of sizes must match the size of the axis dimension.'],
  [() => tf.tile([[1]], [1]), 'Error in transpose: rank of input 2 must match length of reps 1.'],
  [() => tf.broadcastTo([1, 2], [3]), '[broadcastTo] a tensor of shape [2] cannot be broadcast to [3]'],
  [() => tf.reverse1d([[1]]), 'Error in reverse1D: x must be rank 1 but got rank 2.'],
  [() => tf.slice1d([[1]], 0, 1), 'slice1d expects a rank-1 tensor, but got a rank-2 tensor'],
  [() => tf.range(0, 1, 0), 'Cannot have a step of zero'],
  [() => tf.range(0, 3, '1'), "Argument 'step' passed to 'range' must be a number, but got '1'"],
  [() => tf.linspace(0, 1, 0), 'The number of values should be positive.'],
  [
    () => tf.outerProduct([[1]], [1]),
    '[outerProduct] Error in outerProduct: inputs must be rank 1, but got ranks 2 and 1.',
  ],
  [() => tf.conv1d([[1]], [[1]], 1, 'same'), '[conv1d] Error in conv1d: filter must be rank 3, but got rank 2.'],
  [
    () => tf.conv2d([[[1]]], [[[[1]]]], 1, 'same', 'NHWC', 1, 'ceil'),
    'Error in conv2d: pad must be an integer when using dimRoundingMode ceil but got pad same.',
  ],
  [() => tf.conv2d([[[1]]], [[[[1]]]], 1, 'odd'), 'Unknown padding parameter: odd'],
  [() => tf.batchNorm2d([1], [1], [1]), 'Error in batchNorm2D: x must be rank 2 but got rank 1.'],
  [() => tf.image.resizeBilinear([[1]], [2, 2]), 'Error in resizeBilinear: x must be rank 3 or 4, but got rank 2.'],
  [() => tf.image.resizeBilinear([[[1]]], [2]), 'Error in resizeBilinear: new shape must 2D, but got shape 2.'],
];

for (const [call, message, made = 0] of refused) {
  test(message, () => {
    leavesNothing(() => {
      tf.engine().startScope();
      try {
        const before = tf.memory().numTensors;
        assert.throws(call, { message });
        assert.equal(tf.memory().numTensors - before, made);
      } finally {
        tf.engine().endScope();
      }
    });
  });
}

test('a failing kernel or shape check frees the given values', () => {
  leavesNothing(() => {
    assert.throws(() => tf.add([1, 2, 3], [1, 2]), { name: 'ShapeError' });
    assert.throws(() => tf.matMul([[1, 2]], [[1, 2]]), /inner shapes \(2\) and \(1\)/);
    assert.throws(() => tf.concat([[[1]], [1]]), { name: 'ShapeError' });
    assert.throws(() => tf.conv2d([[[1]]], [[[[1], [2]]]], 1, 'same'), /depth of input \(1\)/);
    assert.throws(() => tf.fused.conv2d({ x: [[[1]]], filter: [[[[1]]]], strides: 1, pad: 'same', bias: [1, 2] }));
    assert.throws(() => tf.moments([1], 3));
    assert.throws(() => tf.logSumExp([1], 3));
    assert.throws(() => tf.reshape([1, 2], [3]), /Size\(2\) must match the product of shape 3/);
  });
});

test('values may take a tensor’s place, and are freed, also outside tidy', () => {
  const outcomes = [
    () => tf.add([1, 2], 3),
    () => tf.tensor([1, 2]).mul(2),
    () => tf.relu(new Float32Array([1, -1])),
    () => tf.matMul([[1]], [[2]]),
    () => tf.concat([[1], [2]]),
    () => tf.conv2d([[[1]]], [[[[2]]]], 1, 'same'),
    () => tf.where([true], [1], [2]),
    () => tf.moments([1, 2]).mean,
    () => tf.batchNorm([[1]], [0], [1]),
  ];
  const expected = [1, 2, 1, 1, 1, 1, 1, 2, 1];
  outcomes.forEach((call, i) => {
    leavesNothing(() => {
      tf.engine().startScope();
      const before = tf.memory().numTensors;
      call();
      assert.equal(tf.memory().numTensors - before, expected[i], String(call));
      tf.engine().endScope();
    });
  });
});

test('typed arrays and booleans determine the dtype', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      assertTensor(tf.tensor(new Uint8Array([1, 2])), [2], [1, 2], 'int32');
      assertTensor(tf.tensor(new Uint8ClampedArray([1, 300])), [2], [1, 255], 'int32');
      assertTensor(tf.tensor([new Float32Array([1, 2]), new Float32Array([3, 4])]), [2, 2], [1, 2, 3, 4]);
      assertTensor(tf.tensor([true, false]), [2], [1, 0], 'bool');
      assertTensor(tf.tensor([0, 2, -0.2], [3], 'bool'), [3], [0, 1, 0], 'bool');
      assertTensor(tf.tensor([1.9, -1.9], [2], 'int32'), [2], [1, -1], 'int32');
      assertTensor(tf.scalar(2.9, 'int32'), [], [2], 'int32');
      assertTensor(tf.logicalAnd([1, 0], [true, true]), [2], [1, 0], 'bool');
      assertTensor(tf.gather([5, 6], [1]), [1], [6]);
    }),
  );
});

test('a tensor keeps its own copy of a typed array', () => {
  leavesNothing(() => {
    const values = new Float32Array([1, 2]);
    const x = tf.tensor(values);
    values[0] = 9;
    assertTensor(x, [2], [1, 2]);
    x.dispose();
  });
});

test('strings and complex numbers are created from their parts', () => {
  leavesNothing(() => {
    assert.throws(() => tf.tensor([1], [1], 'complex64'), /Please use tf.complex\(real, imag\)/);
    assert.throws(() => tf.tensor(['a', 1]), /expected strings, or Uint8Arrays of their bytes, got number/);
    assert.throws(() => tf.tensor(['a', null]), /got null/);
    assert.throws(() => tf.tensor([1], [1], 'string'), /got number/);
    assert.throws(() => tf.tensor(['a'], [2]), /should have 2 values but has 1/);
    assert.throws(() => tf.zeros([2], 'string'), /cannot be made of numbers|strings/);
  });
});

test('valid arguments at the limits are accepted', () => {
  leavesNothing(() =>
    tf.tidy(() => {
      assertTensor(tf.zeros(2), [2], [0, 0]);
      assertTensor(tf.ones(2, 'int32'), [2], [1, 1], 'int32');
      assertTensor(tf.squeeze([[1, 2]], 0), [2], [1, 2]);
      assertTensor(tf.tensor1d([1]).broadcastTo([0]), [0], []);
      assertTensor(tf.fused.matMul({ a: [[1]], b: [[2]], bias: tf.tensor1d([3], 'int32') }), [1, 1], [5]);
      const many = Array.from({ length: 3000 }, (_, i) => tf.scalar(i));
      const stacked = tf.stack(many);
      assert.deepEqual(stacked.shape, [3000]);
      assert.equal(
        tf
          .concat(many.map((x) => x.reshape([1])))
          .sub(stacked)
          .abs()
          .sum()
          .dataSync()[0],
        0,
      );
      const rows = tf.unstack(tf.range(0, 20_000).reshape([10_000, 2]));
      assert.equal(rows.length, 10_000);
      assertTensor(rows[9999], [2], [19_998, 19_999]);
    }),
  );
});
