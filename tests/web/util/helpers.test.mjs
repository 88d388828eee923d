// tf.slice_util and tf.backend_util behave as TensorFlow.js's for any arguments.
import { test } from 'node:test';
import fc from 'fast-check';
import { loadPeer } from '../../conformance/random/peer.mjs';
import { assert, tf } from '../expect.mjs';

const count = (min, max) => fc.integer({ min, max });
const list = (item, length) => fc.array(item, { minLength: length, maxLength: length });
const shaped = (make) => count(1, 4).chain((rank) => make(rank));
const mask = count(0, 15);
const axes = (rank) => fc.uniqueArray(count(0, rank - 1), { minLength: 1, maxLength: rank });
const floats = fc.array(fc.float({ noNaN: true }), { maxLength: 6 }).map((values) => Float32Array.from(values));
const pairs = fc
  .array(fc.float({ noNaN: true }), { maxLength: 6 })
  .map((values) => Float32Array.from([...values, ...values]));

const sliced = (rank) =>
  fc.tuple(
    mask,
    list(count(-5, 5), rank),
    list(fc.constantFrom(-2, -1, 1, 2), rank),
    list(count(1, 5), rank),
    count(0, rank - 1),
    mask,
  );

const calls = {
  'slice_util.assertParamsValid': shaped((rank) =>
    fc.tuple(
      list(count(1, 5), rank).map((shape) => ({ shape })),
      list(count(0, 3), rank),
      list(count(0, 3), rank),
    ),
  ),
  'slice_util.maskToAxes': fc.tuple(count(0, 70)),
  'slice_util.computeOutShape': shaped((rank) =>
    fc.tuple(list(count(0, 3), rank), list(count(3, 9), rank), list(count(1, 3), rank)),
  ),
  'slice_util.startForAxis': shaped(sliced),
  'slice_util.stopForAxis': shaped(sliced),
  'slice_util.stridesForAxis': shaped((rank) => fc.tuple(list(count(1, 3), rank), count(0, rank), mask)),
  'slice_util.isSliceContinous': shaped((rank) =>
    fc.tuple(list(count(1, 3), rank), list(count(0, 1), rank), list(count(1, 3), rank)),
  ),
  'slice_util.computeFlatOffset': shaped((rank) => fc.tuple(list(count(0, 3), rank), list(count(1, 9), rank - 1))),
  'slice_util.parseSliceParams': shaped((rank) =>
    fc.tuple(
      list(count(1, 5), rank).map((shape) => ({ shape })),
      fc.oneof(count(-1, 2), list(count(0, 2), rank), list(count(0, 2), rank - 1)),
      fc.oneof(fc.constant(undefined), count(-2, 2), list(count(-1, 2), rank), list(count(0, 2), rank - 1)),
    ),
  ),
  'backend_util.axesAreInnerMostDims': shaped((rank) => fc.tuple(axes(rank), fc.constant(rank))),
  'backend_util.assertAxesAreInnerMostDims': shaped((rank) =>
    fc.tuple(fc.constant('it'), axes(rank), fc.constant(rank)),
  ),
  'backend_util.combineLocations': shaped((rank) =>
    axes(rank).chain((axes) =>
      fc.tuple(list(count(0, 5), rank - axes.length), list(count(0, 5), axes.length), fc.constant(axes)),
    ),
  ),
  'backend_util.computeOutAndReduceShapes': shaped((rank) => fc.tuple(list(count(1, 5), rank), axes(rank))),
  'backend_util.expandShapeToKeepDim': shaped((rank) =>
    axes(rank).chain((axes) => fc.tuple(list(count(1, 5), rank - axes.length), fc.constant(axes))),
  ),
  'backend_util.getAxesPermutation': shaped((rank) => fc.tuple(axes(rank), fc.constant(rank))),
  'backend_util.getUndoAxesPermutation': fc.tuple(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })),
  'backend_util.getInnerMostAxes': fc.tuple(count(0, 2), count(2, 4)),
  'backend_util.assertParamsConsistent': shaped((rank) => fc.tuple(list(list(count(1, 2), rank), 2), count(-1, rank))),
  'backend_util.computeOutShape': shaped((rank) => fc.tuple(list(list(count(1, 2), rank), 3), count(0, rank - 1))),
  'backend_util.computeOptimalWindowSize': fc.tuple(count(1, 200)),
  'backend_util.getImageCenter': fc.tuple(fc.oneof(count(0, 3), list(count(0, 3), 2)), count(1, 9), count(1, 9)),
  'backend_util.mergeRealAndImagArrays': fc.tuple(floats, floats),
  'backend_util.splitRealAndImagArrays': fc.tuple(pairs),
  'backend_util.getComplexWithIndex': fc.tuple(pairs, count(0, 2)),
  'backend_util.getReductionAxes': shaped((rank) => fc.tuple(list(count(1, 2), rank), list(count(1, 2), rank))),
};

const run = (library, name, args) => {
  const [space, member] = name.split('.');
  try {
    return { value: library[space][member](...structuredClone(args)) };
  } catch ({ message }) {
    return { message };
  }
};

test('the helpers of kernels', async () => {
  const peer = await loadPeer();
  for (const [name, args] of Object.entries(calls)) {
    const same = fc.property(args, (given) => assert.deepEqual(run(tf, name, given), run(peer, name, given), name));
    fc.assert(same, { seed: 1, numRuns: 200 });
  }
});

test('strings and their bytes', () => {
  const bytes = tf.backend_util.fromStringArrayToUint8(['a', 'ü']);
  assert.deepEqual(bytes, [Uint8Array.of(97), Uint8Array.of(195, 188)]);
  assert.deepEqual(tf.backend_util.fromUint8ToStringArray(bytes), ['a', 'ü']);
  const data = new Float32Array(4);
  tf.backend_util.assignToTypedArray(data, 3, 4, 1);
  assert.deepEqual([...data], [0, 0, 3, 4]);
});
