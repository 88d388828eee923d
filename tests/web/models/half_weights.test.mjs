// Weights of float16, which models keep as in their files.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import * as tf from '../../../dist/index.js';
import { fromHalves, toHalves } from '../../bench/halves.mjs';
import { onnxModel } from '../../bench/onnx.mjs';
import { randomFloats } from '../../bench/random.mjs';
import { makePlainDecoder, plainDecoderCaches, plainDecoderInputs } from '../../onnx/plain_decoder.mjs';
import { int8, tfliteFile } from '../../tflite/writer.mjs';
import { leavesNothingAsync } from '../expect.mjs';

const kSizes = { layers: 2, heads: 4, size: 32 };
const kNearlyAll = 1.1;
const kTolerance = 1e-5;
/** Numbers of TensorFlow Lite's ops. */
const kDequantize = 6;
const kFullyConnected = 9;

const asHalves = (values) => ({ type: 'float16', values: toHalves(values) });
const asRounded = (values) => ({ values: fromHalves(toHalves(values)) });
const weightBytes = () => tf.memory().detail.weights;

/** Checks that two results are the same but for the order of sums. */
function assertNear(got, want) {
  const largest = want.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const off = want.reduce((most, value, i) => Math.max(most, Math.abs(value - got[i])), 0);
  assert.ok(off <= kTolerance * largest, `${off} of ${largest}`);
}

/** Returns the logits of a prompt and of tokens after it, one by one, each array of its own. */
function generate(model) {
  const names = ['logits', ...Object.keys(plainDecoderCaches(kSizes)).map((name) => name.replace('past', 'present'))];
  const logits = [];
  let results;
  let before = 0;
  for (const tokens of [[3, 7, 1, 4, 1, 5, 9, 2], [6], [5], [3], [5], [8]]) {
    const given = plainDecoderInputs(tokens, before, plainDecoderCaches(kSizes, results));
    before += tokens.length;
    results = tf.tidy(() => {
      const inputs = Object.entries(given).map(([name, { type, shape, values }]) => [
        name,
        type === 'int64' ? tf.tensor(Int32Array.from(values, Number), shape, 'int32') : tf.tensor(values, shape),
      ]);
      const outputs = model.execute(Object.fromEntries(inputs), names);
      return Object.fromEntries(
        names.map((name, i) => [name, { dims: outputs[i].shape, data: outputs[i].dataSync() }]),
      );
    });
    logits.push(results.logits.data);
  }
  return logits;
}

test('a decoder of float16 takes as much memory as its file, before and after it ran', () =>
  leavesNothingAsync(async () => {
    const peer = await tf.loadOnnxModel(makePlainDecoder({ ...kSizes, convert: asRounded }));
    const expected = generate(peer);
    peer.dispose();
    tf.trim();

    const file = makePlainDecoder({ ...kSizes, convert: asHalves });
    const before = weightBytes();
    const check = (when) => {
      const bytes = weightBytes() - before;
      assert.ok(bytes < kNearlyAll * file.length, `${when} it takes ${bytes} bytes, its file ${file.length}`);
    };
    const model = await tf.loadOnnxModel(file);
    check('when it is loaded,');
    const logits = generate(model);
    check('after it ran,');
    logits.forEach((values, i) => assertNear(values, expected[i]));
    model.dispose();
  }));

test('float16 in another file, at an odd offset, is read as it is', () =>
  leavesNothingAsync(async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'halves-'));
    try {
      const shape = [64, 80];
      const weights = toHalves(randomFloats(64 * 80, 1));
      const data = new Uint8Array(weights.byteLength + 1);
      data.set(new Uint8Array(weights.buffer), 1);
      writeFileSync(path.join(folder, 'data'), data);
      const modelOf = (length) =>
        onnxModel({
          nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
          constants: { w: { type: 'float16', shape, external: { location: 'data', offset: '1', length } } },
          input: { name: 'x', shape: ['rows', 64] },
          output: { name: 'y' },
        });
      const load = (length) =>
        tf.loadOnnxModel(modelOf(length), { externalData: [{ path: 'data', data: path.join(folder, 'data') }] });
      const model = await load(`${weights.byteLength}`);
      tf.tidy(() => {
        for (const rows of [1, 20]) {
          const x = tf.tensor(randomFloats(rows * 64, 2), [rows, 64]);
          const want = tf.matMul(x, tf.tensor(fromHalves(weights), shape)).dataSync();
          assertNear(model.predict(x).dataSync(), want);
        }
      });
      model.dispose();
      await assert.rejects(load(`${weights.byteLength - 1}`), /the initializer "w": it has 10239 bytes of data/);
      await assert.rejects(load(`${weights.byteLength + 1}`), /"w"/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }));

test('weights of float16 with infinities and NaNs keep them', () =>
  leavesNothingAsync(async () => {
    const values = toHalves(randomFloats(64 * 80, 1));
    values[1] = 0x7c00;
    values[2] = 0x7e00;
    const model = await tf.loadOnnxModel(
      onnxModel({
        nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
        constants: { w: { type: 'float16', shape: [64, 80], values } },
        input: { name: 'x', shape: [1, 64] },
        output: { name: 'y' },
      }),
    );
    const y = tf.tidy(() => model.predict(tf.ones([1, 64])).dataSync());
    assert.ok(Number.isFinite(y[0]));
    assert.equal(y[1], Infinity);
    assert.ok(Number.isNaN(y[2]));
    model.dispose();
  }));

test('a TensorFlow Lite model keeps weights of float16 behind DEQUANTIZE', () =>
  leavesNothingAsync(async () => {
    const shape = [80, 64];
    const weights = toHalves(randomFloats(80 * 64, 1));
    const file = tfliteFile({
      graphs: [
        {
          tensors: [
            { name: 'x', shape: [1, 64] },
            { name: 'stored', type: 'float16', shape, values: weights },
            { name: 'w', shape },
            { name: 'y', shape: [1, 80] },
          ],
          operators: [
            { code: kDequantize, inputs: [1], outputs: [2] },
            { code: kFullyConnected, type: 8, options: [int8(0)], inputs: [0, 2, -1], outputs: [3] },
          ],
          inputs: [0],
          outputs: [3],
        },
      ],
    });
    const before = weightBytes();
    const model = await tf.loadTFLiteModel(file);
    tf.tidy(() => {
      const x = tf.tensor(randomFloats(64, 2), [1, 64]);
      const want = tf.matMul(x, tf.tensor(fromHalves(weights), shape), false, true).dataSync();
      assertNear(model.predict(x).dataSync(), want);
    });
    const bytes = weightBytes() - before;
    assert.ok(bytes < kNearlyAll * file.length, `it takes ${bytes} bytes, its file ${file.length}`);
    model.dispose();
  }));
