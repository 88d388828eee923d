// The element types of inputs and outputs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { InferenceSession, Tensor } from '../../../dist/ort/index.js';
import { onnxModel } from '../../bench/onnx.mjs';
import { identityModel, leavesNothing } from './models.mjs';

const kMin = -(2n ** 31n);
const kMax = 2n ** 31n - 1n;
const values = {
  float32: Float32Array.of(1.5, -2, Infinity),
  float64: Float64Array.of(1.5, -2, 0.25),
  float16: Uint16Array.of(0x3e00, 0xc000, 0x7c00),
  int8: Int8Array.of(1, -128, 127),
  uint8: Uint8Array.of(1, 254, 255),
  int16: Int16Array.of(1, -32768, 32767),
  uint16: Uint16Array.of(1, 65534, 65535),
  int32: Int32Array.of(1, -(2 ** 31), 2 ** 31 - 1),
  uint32: Uint32Array.of(1, 2 ** 31, 2 ** 32 - 1),
  int64: BigInt64Array.of(1n, kMin, kMax),
  uint64: BigUint64Array.of(1n, 2n, kMax),
  bool: Uint8Array.of(1, 0, 1),
  string: ['a', '', 'ü'],
};

/** Runs a model with one input and output, and releases it. */
async function runOnce(file, x) {
  const session = await InferenceSession.create(file);
  try {
    return (await session.run({ x })).y;
  } finally {
    await session.release();
  }
}

for (const [type, data] of Object.entries(values)) {
  test(`${type}: values, type and array are kept, also in a preallocated output`, () =>
    leavesNothing(async () => {
      const session = await InferenceSession.create(identityModel(type, ['rows', 'columns']));
      const x = new Tensor(type, data, [1, 3]);
      const { y } = await session.run({ x });
      assert.deepEqual([y.type, y.dims, y.data], [type, [1, 3], x.data]);
      assert.notEqual(y.data, x.data);
      const kept = new Tensor(type, new x.data.constructor(3).fill(x.data[1]), [1, 3]);
      await session.run({ x }, { y: kept });
      assert.deepEqual(kept.data, x.data);
      assert.deepEqual(session.inputMetadata, [{ name: 'x', isTensor: true, type, shape: ['rows', 'columns'] }]);
      assert.equal(session.outputMetadata[0].type, type);
      await session.release();
    }));
}

test('an output without a type has the one that follows from its node, or that of its values', () =>
  leavesNothing(async () => {
    for (const [op, type, result] of [
      ['Neg', 'int64', 'int64'],
      ['Shape', 'float32', 'int64'],
      ['Abs', 'int32', 'int32'],
      ['Identity', 'uint8', 'uint8'],
      ['Identity', 'bool', 'bool'],
      ['Identity', 'string', 'string'],
      ['IsNaN', 'float32', 'bool'],
    ]) {
      const file = onnxModel({
        nodes: [{ op, inputs: ['x'], outputs: ['y'] }],
        inputs: [{ name: 'x', type }],
        outputs: [{ name: 'y', type: '' }],
      });
      const x = new Tensor(type, values[type].slice(0, 1), [1]);
      const y = await runOnce(file, x);
      assert.deepEqual([y.type, y.dims], [result, [1]], op);
      assert.equal(y.data.constructor, values[result].constructor);
      const session = await InferenceSession.create(file, { preferredOutputLocation: 'gpu-buffer' });
      const { y: kept } = await session.run({ x });
      assert.deepEqual([kept.type, await kept.getData()], [result, y.data]);
      kept.dispose();
      await session.release();
    }
  }));

for (const [type, bytes, elements] of [
  ['int4', [0x8f, 0x07], [-1, -8, 7]],
  ['uint4', [0x8f, 0x07], [15, 8, 7]],
]) {
  test(`${type}: a byte of an array has two elements`, () =>
    leavesNothing(async () => {
      const x = new Tensor(type, Uint8Array.from(bytes), [3]);
      const same = await runOnce(identityModel(type), x);
      assert.deepEqual([same.type, same.dims, same.data], [type, [3], x.data]);
      const file = onnxModel({
        nodes: [{ op: 'Cast', inputs: ['x'], outputs: ['y'], attributes: { to: 6 } }],
        inputs: [{ name: 'x', type, shape: [3] }],
        outputs: [{ name: 'y', type: 'int32' }],
        opsets: { '': 21 },
      });
      assert.deepEqual((await runOnce(file, x)).data, Int32Array.from(elements));
    }));
}

for (const [type, data, element] of [
  ['int64', BigInt64Array.of(0n, kMax + 1n), '1 is 2147483648'],
  ['int64', BigInt64Array.of(kMin - 1n), '0 is -2147483649'],
  ['int64', BigInt64Array.of(2n ** 32n), '0 is 4294967296'],
  ['uint64', BigUint64Array.of(2n ** 64n - 1n), '0 is 18446744073709551615'],
]) {
  test(`${type}: element ${element} is beyond int32, and refused by the name of the input`, () =>
    leavesNothing(() =>
      assert.rejects(runOnce(identityModel(type), new Tensor(type, data)), {
        name: 'RangeError',
        message: `[InferenceSession.run] The input "x" of type ${type}: its element ${element}, which is beyond int32, in which Tenure computes integers.`,
      }),
    ));
}

/** Returns a model of an input x and an output y of one type. `constants` are inputs of its nodes. */
const typedModel = (type, nodes, constants, result = type) =>
  onnxModel({
    nodes,
    constants,
    inputs: [{ name: 'x', type, shape: ['n'] }],
    outputs: [{ name: 'y', type: result }],
    opsets: { '': 18 },
  });

test('scattered sums of int64 beyond int32 are refused by the name of the node, those of int32 wrap around', () =>
  leavesNothing(async () => {
    const sums = (type, values) =>
      typedModel(
        type,
        [{ op: 'ScatterElements', inputs: ['x', 'at', 'updates'], outputs: ['y'], attributes: { reduction: 'add' } }],
        {
          at: { values: [0, 0], shape: [2] },
          updates: { type, values, shape: [2] },
        },
      );
    const long = sums('int64', BigInt64Array.of(2n, -1n));
    assert.deepEqual((await runOnce(long, new Tensor('int64', [kMax - 1n, 5n]))).data, BigInt64Array.of(kMax, 5n));
    await assert.rejects(
      runOnce(long, new Tensor('int64', [kMax, 5n])),
      /computed as int32, which cannot hold .* \(in the node "y"/,
    );
    const int = sums('int32', Int32Array.of(2, -1));
    const y = await runOnce(int, new Tensor('int32', [2 ** 31 - 1, 5]));
    assert.deepEqual(y.data, Int32Array.of(-(2 ** 31), 5));
  }));

test('a cast of a constant beyond int32 to int64 is refused by the name of the node in every run', () =>
  leavesNothing(async () => {
    const file = typedModel(
      'int64',
      [
        { op: 'Mul', inputs: ['c', 'c'], outputs: ['square'] },
        { op: 'Cast', inputs: ['square'], outputs: ['long'], attributes: { to: 7 } },
        { op: 'Max', inputs: ['x', 'long'], outputs: ['y'] },
      ],
      { c: { values: Float32Array.of(1e5), shape: [1] } },
    );
    const session = await InferenceSession.create(file);
    for (let run = 0; run < 3; run++) {
      await assert.rejects(
        session.run({ x: new Tensor('int64', [1n]) }),
        /which cannot hold 1e\+?10|which cannot hold 10000000000.*"long"/,
      );
    }
    await session.release();
  }));

test('uint32 keeps all bits, is compared, and is refused where numbers beyond int32 would be divided', () =>
  leavesNothing(async () => {
    const mask = { mask: { type: 'uint32', values: Uint32Array.of(0xf0000001), shape: [1] } };
    const node = (op) => [{ op, inputs: ['x', 'mask'], outputs: ['y'] }];
    const x = new Tensor('uint32', [0x70000001]);
    assert.deepEqual((await runOnce(typedModel('uint32', node('Add'), mask), x)).data, Uint32Array.of(0x60000002));
    assert.deepEqual(
      (await runOnce(typedModel('uint32', node('BitwiseOr'), mask), x)).data,
      Uint32Array.of(0xf0000001),
    );
    assert.deepEqual((await runOnce(typedModel('uint32', node('Less'), mask, 'bool'), x)).data, Uint8Array.of(1));
    await assert.rejects(runOnce(typedModel('uint32', node('Div'), mask), x), /cannot hold .*in the node "y"/);
    const high = new Tensor('uint32', [0xf0000003]);
    assert.deepEqual((await runOnce(typedModel('uint32', node('Sub'), mask), high)).data, Uint32Array.of(2));
    assert.deepEqual((await runOnce(typedModel('uint32', node('Max'), mask), high)).data, Uint32Array.of(0xf0000003));
  }));

test('an input that JavaScript sees as another type is refused', () =>
  leavesNothing(async () => {
    const x = new Tensor('bool', [true, false]);
    await assert.rejects(runOnce(identityModel('uint8'), x), /must have the type uint8, but got bool/);
  }));

test('a scalar accepts a vector of one element, as onnxruntime-web does', () =>
  leavesNothing(async () => {
    const y = await runOnce(identityModel('int64', []), new Tensor('int64', [16000n]));
    assert.deepEqual([y.dims, y.data], [[], BigInt64Array.of(16000n)]);
    await assert.rejects(
      runOnce(identityModel('int64', []), new Tensor('int64', [1n, 2n])),
      /shape \[\], but got \[2\]/,
    );
  }));

test('an output that the model computes in another type has its declared one', () =>
  leavesNothing(async () => {
    const file = onnxModel({
      nodes: [{ op: 'Cast', inputs: ['x'], outputs: ['y'], attributes: { to: 7 } }],
      inputs: [{ name: 'x', shape: [2] }],
      outputs: [{ name: 'y', type: 'int64' }],
    });
    const y = await runOnce(file, new Tensor(Float32Array.of(1.5, -3)));
    assert.deepEqual(y.data, BigInt64Array.of(1n, -3n));
  }));

test('float16 outputs round to nearest, ties to even, and keep every value of float16', () =>
  leavesNothing(async () => {
    const file = onnxModel({
      nodes: [{ op: 'Cast', inputs: ['x'], outputs: ['y'], attributes: { to: 10 } }],
      inputs: [{ name: 'x', shape: ['n'] }],
      outputs: [{ name: 'y', type: 'float16' }],
    });
    const floats = [
      65519.99,
      65520,
      -1e9,
      2 ** -24,
      2 ** -25,
      2 ** -25 * 1.01,
      3 * 2 ** -25,
      1 + 2 ** -11,
      1 + 3 * 2 ** -11,
      -0,
      NaN,
    ];
    const y = await runOnce(file, new Tensor(Float32Array.from(floats)));
    const bits = Array.from(new Uint16Array(y.data.buffer), (word) => word.toString(16));
    assert.deepEqual(bits, ['7bff', '7c00', 'fc00', '1', '0', '1', '2', '3c00', '3c02', '8000', '7e00']);
    // All but the payloads of NaN.
    const every = Uint16Array.from({ length: 1 << 16 }, (_, i) => i).filter((word) => (word & 0x7fff) <= 0x7c00);
    const same = await runOnce(identityModel('float16'), new Tensor('float16', every, [every.length]));
    assert.deepEqual(new Uint16Array(same.data.buffer), every);
  }));
