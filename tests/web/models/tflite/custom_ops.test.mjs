// The custom ops of TensorFlow Lite and MediaPipe that the engine has, compared with computations in JavaScript.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as tf from '../../../../dist/index.js';
import { randomFloats } from '../../../bench/random.mjs';
import { flexbuffer } from '../../../tflite/flexbuffer.mjs';
import { oneNode } from '../../../tflite/writer.mjs';

const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);
const tensor = (shape, seed, low = -1, high = 1) => ({
  shape,
  values: Array.from(randomFloats(sizeOf(shape), seed, low, high)),
});

/** Returns the values of the outputs of a custom op. */
async function run(custom, customOptions, inputs, outputs, version = 1) {
  const before = tf.memory().numTensors;
  const model = await tf.loadTFLiteModel(oneNode({ custom, version, customOptions, inputs, outputs }));
  const results = tf.tidy(() => {
    const given = inputs.filter(({ isConstant }) => !isConstant);
    const found = model.predict(given.map(({ values, shape }) => tf.tensor(values, shape)));
    return [found].flat().map((one) => ({ shape: one.shape, values: Array.from(one.dataSync()) }));
  });
  model.dispose();
  assert.equal(tf.memory().numTensors, before);
  return results;
}

function assertClose(got, want, tolerance = 1e-5) {
  assert.equal(got.length, want.length);
  got.forEach((value, i) => assert.ok(Math.abs(value - want[i]) <= tolerance, `${value} at ${i}, expected ${want[i]}`));
}

const ints = (...values) => new Uint8Array(Int32Array.from(values).buffer);

test('Convolution2DTransposeBias', async () => {
  const x = tensor([1, 3, 3, 2], 1);
  const filter = tensor([4, 2, 2, 2], 2);
  const bias = tensor([4], 3);
  const [y] = await run(
    'Convolution2DTransposeBias',
    ints(2, 2, 2),
    [x, { ...filter, isConstant: true }, { ...bias, isConstant: true }],
    [{ shape: [1, 6, 6, 4] }],
  );
  const want = tf.tidy(() => {
    const weights = tf.transpose(tf.tensor(filter.values, filter.shape), [1, 2, 0, 3]);
    const images = tf.tensor(x.values, x.shape);
    return tf.add(tf.conv2dTranspose(images, weights, [1, 6, 6, 4], 2, 'valid'), bias.values).dataSync();
  });
  assertClose(y.values, want);
});

test('MaxPoolingWithArgmax2D and MaxUnpooling2D', async () => {
  const x = { shape: [1, 2, 4, 1], values: [1, 5, 3, 4, 2, 0, 9, 8] };
  const options = ints(1, 2, 2, 2, 2);
  const half = { shape: [1, 1, 2, 1] };
  const [values, positions] = await run('MaxPoolingWithArgmax2D', options, [x], [half, half]);
  assert.deepEqual(values.values, [5, 9]);
  assert.deepEqual(positions.values.map(Math.floor), [1, 2]);
  const [y] = await run('MaxUnpooling2D', options, [values, positions], [{ shape: [1, 2, 4, 1] }]);
  assert.deepEqual(y, { shape: [1, 2, 4, 1], values: [0, 5, 0, 0, 0, 0, 9, 0] });
});

const kMatrix = [0.8, -0.3, 0, 1.5, 0.2, 0.9, 0, 0.7, 0, 0, 1, 0, 0, 0, 0, 1];

test('TransformLandmarks', async () => {
  const landmarks = tensor([1, 5, 3], 1, 0, 9);
  const [y] = await run(
    'TransformLandmarks',
    flexbuffer({ dimensions: 3 }),
    [landmarks, { shape: [1, 4, 4], values: kMatrix }],
    [{ shape: [1, 5, 3] }],
    2,
  );
  const at = (i, k) => landmarks.values[3 * i + k];
  const want = Array.from({ length: 5 }, (_, i) => [
    0.8 * at(i, 0) - 0.3 * at(i, 1) + 1.5,
    0.2 * at(i, 0) + 0.9 * at(i, 1) + 0.7,
    at(i, 2),
  ]);
  assertClose(y.values, want.flat());
});

test('TransformTensorBilinear', async () => {
  const x = tensor([1, 6, 7, 2], 1);
  const [y] = await run(
    'TransformTensorBilinear',
    flexbuffer({ output_height: 4, output_width: 5 }),
    [x, { shape: [1, 4, 4], values: kMatrix }],
    [{ shape: [1, 4, 5, 2] }],
    2,
  );
  const want = [];
  let outside = 0;
  for (let i = 0; i < 4; ++i)
    for (let j = 0; j < 5; ++j) {
      const column = 0.8 * (j + 0.5) - 0.3 * (i + 0.5) + 1.5 - 0.5;
      const row = 0.2 * (j + 0.5) + 0.9 * (i + 0.5) + 0.7 - 0.5;
      const [left, top] = [Math.floor(column), Math.floor(row)];
      const isOutside = column < 0 || column > 6 || row < 0 || row > 5;
      outside += isOutside;
      for (let c = 0; c < 2; ++c) {
        const pixel = (a, b) => (a > 5 || b > 6 ? 0 : x.values[(a * 7 + b) * 2 + c]);
        const between = (a) => pixel(a, left) + (column - left) * (pixel(a, left + 1) - pixel(a, left));
        want.push(isOutside ? 0 : between(top) + (row - top) * (between(top + 1) - between(top)));
      }
    }
  assert.ok(outside < 20);
  assertClose(y.values, want, 1e-4);
});

test('Landmarks2TransformMatrix', async () => {
  const landmarks = tensor([1, 6, 3], 4, 0, 100);
  const options = {
    subset_idxs: [0, 2, 3, 5],
    left_rotation_idx: 1,
    right_rotation_idx: 4,
    target_rotation_radians: 0.25,
    output_height: 32,
    output_width: 16,
    scale_x: 1.5,
    scale_y: 1.25,
  };
  const [y] = await run('Landmarks2TransformMatrix', flexbuffer(options), [landmarks], [{ shape: [1, 4, 4] }], 2);
  const point = (i) => [landmarks.values[3 * i], landmarks.values[3 * i + 1]];
  const [[ax, ay], [bx, by]] = [point(1), point(4)];
  const angle = 0.25 - Math.atan2(by - ay, bx - ax);
  const turn = ([px, py], by) => [px * Math.cos(by) - py * Math.sin(by), px * Math.sin(by) + py * Math.cos(by)];
  const turned = options.subset_idxs.map((i) => turn(point(i), angle));
  const range = (k) => [Math.min(...turned.map((p) => p[k])), Math.max(...turned.map((p) => p[k]))];
  const [[left, right], [top, bottom]] = [range(0), range(1)];
  const center = turn([(left + right) / 2, (top + bottom) / 2], -angle);
  const scale = [(1.5 * (right - left)) / 16, (1.25 * (bottom - top)) / 32];
  const place = (px, py) => {
    const [qx, qy] = turn([(px - 8) * scale[0], (py - 16) * scale[1]], -angle);
    return [qx + center[0], qy + center[1]];
  };
  const apply = (px, py) =>
    [0, 1].map((row) => y.values[4 * row] * px + y.values[4 * row + 1] * py + y.values[4 * row + 3]);
  for (const [px, py] of [
    [0, 0],
    [16, 0],
    [3, 32],
  ])
    assertClose(apply(px, py), place(px, py), 1e-3);
  assert.deepEqual(y.values.slice(8), [0, 0, 1, 0, 0, 0, 0, 1]);
});

test('TFLite_Detection_PostProcess', async () => {
  const kOptions = {
    max_detections: 3,
    max_classes_per_detection: 1,
    detections_per_class: 10,
    num_classes: 2,
    nms_score_threshold: 0.25,
    nms_iou_threshold: 0.5,
    y_scale: 10,
    x_scale: 10,
    h_scale: 5,
    w_scale: 5,
  };
  const anchors = { shape: [3, 4], values: [0.5, 0.5, 1, 1, 0.5, 0.5, 1, 1, 10, 10, 2, 2], isConstant: true };
  // The second box overlaps the first one; the third is far away.
  const boxes = { shape: [1, 3, 4], values: [0, 0, 0, 0, 0.5, 0, 0, 0, 0, 5, 0, 0] };
  const scores = { shape: [1, 3, 3], values: [0, 0.9, 0.1, 0, 0.2, 0.8, 0, 0.1, 0.5] };
  const outputs = [{ shape: [1, 3, 4] }, { shape: [1, 3] }, { shape: [1, 3] }, { shape: [1] }];
  const detect = (use_regular_nms) =>
    run(
      'TFLite_Detection_PostProcess',
      flexbuffer({ ...kOptions, use_regular_nms }),
      [boxes, scores, anchors],
      outputs,
    );
  const [corners, classes, found, count] = await detect(0);
  assertClose(corners.values, [0, 0, 1, 1, 9, 10, 11, 12, 0, 0, 0, 0]);
  assertClose(classes.values, [0, 1, 0]);
  assertClose(found.values, [0.9, 0.5, 0]);
  assert.deepEqual(count.values, [2]);
  // Boxes of different classes do not suppress each other.
  const [, regular, best, number] = await detect(1);
  assertClose(regular.values, [0, 1, 1]);
  assertClose(best.values, [0.9, 0.8, 0.5]);
  assert.deepEqual(number.values, [3]);
});

test('options that are cut short or no map are errors', async () => {
  const options = flexbuffer({ output_height: 4, output_width: 5 });
  const before = tf.memory().numTensors;
  for (let length = 0; length < options.length; ++length) {
    const inputs = [tensor([1, 6, 7, 2], 1), { shape: [1, 4, 4], values: kMatrix }];
    const node = { custom: 'TransformTensorBilinear', version: 2, inputs, outputs: [{ shape: [1, 4, 5, 2] }] };
    const model = await tf.loadTFLiteModel(oneNode({ ...node, customOptions: options.subarray(0, length) }));
    const predict = () =>
      tf.tidy(() => void model.predict(inputs.map(({ values, shape }) => tf.tensor(values, shape))));
    assert.throws(predict, /TransformTensorBilinear|bytes|options/);
    model.dispose();
  }
  assert.equal(tf.memory().numTensors, before);
});
