// Quantized weights, which models keep as in their files until they are read.
import { test } from 'node:test';
import { assert, leavesNothing, leavesNothingAsync, tf } from '../expect.mjs';
import { graph, load, node, placeholder } from './graphs.mjs';

const kShape = [1, 1, 48, 64];
const kCount = 48 * 64;
const kFloats = 4 * kCount;
const kSlack = 4096;
const kMin = -1.5;
const kScale = 1 / 64;
const stored = { uint8: Uint8Array, uint16: Uint16Array };
const q = Array.from({ length: kCount }, (_, i) => (i * 37) % 200);
const values = Float32Array.from(q, (number) => number * kScale + kMin);

/** Returns a weight as in a file. */
const packed = (name, shape, dtype, numbers = q) => ({
  weightSpecs: [{ name, shape, dtype: 'float32', quantization: { dtype, min: kMin, scale: kScale } }],
  weightData: stored[dtype].from(numbers).buffer,
});
/** Returns the same weights as floats. */
const unpacked = (name, shape) => ({
  weightSpecs: [{ name, shape, dtype: 'float32' }],
  weightData: values.slice().buffer,
});

const list = (...numbers) => ({ list: { i: numbers.map(String) } });
const convolution = node('y', 'Conv2D', ['x', 'w'], { padding: { s: btoa('SAME') }, strides: list(1, 1, 1, 1) });
const graphOf = (weights) => load(graph([placeholder('x', [1, 8, 8, 48]), node('w', 'Const'), convolution], weights));

const dense = { units: 64, use_bias: false, name: 'dense', batch_input_shape: [null, 48] };
const layersOf = (weights) =>
  tf.loadLayersModel({
    load: async () => ({
      modelTopology: {
        class_name: 'Sequential',
        config: { name: 'm', layers: [{ class_name: 'Dense', config: dense }] },
      },
      ...weights,
    }),
  });

const weightBytes = () => tf.memory().detail.weights;

/** Checks that the parts of the memory add up. */
function checkSum() {
  const { heapUsed, tensorBytes, views, pipelines, pinned, tape, weights, scratch, cpuPool } = tf.memory().detail;
  assert.equal(heapUsed, tensorBytes + views + pipelines + pinned + tape + weights + scratch + cpuPool);
}

for (const dtype of Object.keys(stored)) {
  const bytes = stored[dtype].BYTES_PER_ELEMENT * kCount;

  test(`${dtype} filters of a graph stay quantized until they are read`, () => {
    leavesNothing(() => {
      tf.trim();
      const before = weightBytes();
      const held = () => weightBytes() - before;
      const peer = graphOf(unpacked('w', kShape));
      const x = tf.randomUniform([1, 8, 8, 48], -1, 1, 'float32', 1);
      const expected = tf.tidy(() => peer.predict(x).dataSync());
      peer.dispose();
      assert.equal(held(), 0);

      const model = graphOf(packed('w', kShape, dtype));
      assert.ok(held() < bytes + 2048, `${held()} bytes for ${bytes} that are stored`);
      checkSum();
      for (let i = 0; i < 2; i++) {
        assert.deepEqual(
          tf.tidy(() => model.predict(x).dataSync()),
          expected,
        );
        // The plan's panels are floats; the weight itself is not.
        assert.ok(held() < bytes + kFloats + kSlack, `${held()} bytes`);
        checkSum();
        tf.trim();
      }
      assert.deepEqual(model.weights.w[0].dataSync(), values);
      assert.ok(held() < kFloats + kSlack, `${held()} bytes`);
      checkSum();
      assert.deepEqual(
        tf.tidy(() => model.predict(x).dataSync()),
        expected,
      );
      model.dispose();
      x.dispose();
    });
  });

  test(`${dtype} kernels of layers stay quantized until they are read, and are saved and trained as floats`, async () => {
    await leavesNothingAsync(async () => {
      tf.trim();
      const before = weightBytes();
      const held = () => weightBytes() - before;
      const peer = await layersOf(unpacked('dense/kernel', [48, 64]));
      const x = tf.randomUniform([3, 48], -1, 1, 'float32', 1);
      const expected = tf.tidy(() => peer.predict(x).dataSync());
      peer.dispose();
      assert.equal(held(), 0);

      const model = await layersOf(packed('dense/kernel', [48, 64], dtype));
      assert.ok(held() < bytes + 2048, `${held()} bytes for ${bytes} that are stored`);
      checkSum();
      assert.deepEqual(
        tf.tidy(() => model.predict(x).dataSync()),
        expected,
      );
      assert.ok(held() < bytes + kFloats + kSlack, `${held()} bytes`);
      checkSum();
      assert.deepEqual(model.getWeights()[0].dataSync(), values);
      let saved;
      await model.save({ save: async (artifacts) => ((saved = artifacts), {}) });
      assert.deepEqual(new Float32Array(tf.io.CompositeArrayBuffer.join(saved.weightData)), values);
      model.compile({ optimizer: tf.train.sgd(0.1), loss: 'meanSquaredError' });
      const y = tf.zeros([3, 64]);
      await model.fit(x, y, { epochs: 1, batchSize: 3 });
      assert.notDeepEqual(model.getWeights()[0].dataSync(), values);
      checkSum();
      model.dispose();
      tf.dispose([x, y]);
    });
  });
}

test('filters that a plan transforms stay quantized beside the transformed copy', () => {
  leavesNothing(() => {
    tf.trim();
    const before = weightBytes();
    const held = () => weightBytes() - before;
    const count = 3 * 3 * 32 * 32;
    // Windows of 3 x 3 are multiplied as tiles of 6 x 6, for which a filter has 36 numbers instead of 9.
    const transformed = 4 * (4 * count);
    const numbers = Array.from({ length: count }, (_, i) => (i * 37) % 200);
    const nodes = [placeholder('x', [1, 24, 24, 32]), node('w', 'Const'), convolution];
    const model = load(graph(nodes, packed('w', [3, 3, 32, 32], 'uint8', numbers)));
    assert.ok(held() < count + 2048, `${held()} bytes for ${count} that are stored`);
    const x = tf.randomUniform([1, 24, 24, 32], -1, 1, 'float32', 1);
    const filter = tf.tensor(
      Float32Array.from(numbers, (number) => number * kScale + kMin),
      [3, 3, 32, 32],
    );
    const expected = tf.conv2d(x, filter, 1, 'same');
    for (let i = 0; i < 2; i++) {
      const worst = tf.tidy(() => model.predict(x).sub(expected).abs().max().dataSync()[0]);
      assert.ok(worst < 1e-3, `${worst} from what conv2d() gives`);
      // Allocation sizes are rounded up by at most an eighth.
      assert.ok(held() >= transformed && held() < count + (transformed * 9) / 8 + kSlack, `${held()} bytes`);
      checkSum();
      tf.trim();
    }
    tf.dispose([model, x, filter, expected]);
    assert.equal(held(), 0);
  });
});

test('a layout that a plan reads in every run replaces the quantized data', () => {
  leavesNothing(() => {
    tf.trim();
    const before = weightBytes();
    const nodes = [placeholder('x', kShape), node('w', 'Const'), node('y', 'Mul', ['w', 'x'])];
    const model = load(graph(nodes, packed('w', kShape, 'uint8')));
    const two = tf.fill(kShape, 2);
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(
        tf.tidy(() => model.predict(two).dataSync()),
        values.map((value) => 2 * value),
      );
      const held = weightBytes() - before;
      assert.ok(held >= kFloats && held < kFloats + kSlack, `${held} bytes`);
    }
    tf.dispose([model, two]);
  });
});

test('a graph model with quantized weights is saved as it was loaded', async () => {
  await leavesNothingAsync(async () => {
    const weights = packed('w', kShape, 'uint8');
    const model = graphOf(weights);
    let saved;
    await model.save({ save: async (artifacts) => ((saved = artifacts), {}) });
    const again = load(saved);
    assert.deepEqual(again.weights.w[0].dataSync(), values);
    tf.dispose([model, again]);
  });
});
