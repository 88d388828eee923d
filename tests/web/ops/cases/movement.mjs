// Cases of ops that create, move, join and select elements.
import { tf } from '../../expect.mjs';
import { x, m, int, image, pairs } from './inputs.mjs';

export const movementCases = [
  ['clone', () => tf.clone(m), [2, 3], m.flat()],
  ['reshape', () => tf.reshape(m, [3, -1]), [3, 2], m.flat()],
  ['expandDims', () => tf.expandDims(x, -1), [4, 1], x],
  ['squeeze', () => tf.squeeze([[[1], [2]]]), [2], [1, 2]],
  ['squeeze', () => tf.squeeze([[[1], [2]]], [0]), [2, 1], [1, 2]],
  ['broadcastTo', () => tf.broadcastTo([1, 2], [2, 2]), [2, 2], [1, 2, 1, 2]],
  ['transpose', () => tf.transpose(m), [3, 2], [1, 4, -2, 5, 3, -6]],
  ['transpose', () => tf.transpose([[[1, 2]]], [2, 0, 1]), [2, 1, 1], [1, 2]],
  ['fill', () => tf.fill([2], 7, 'int32'), [2], [7, 7], 'int32'],
  ['zeros', () => tf.zeros([2, 1]), [2, 1], [0, 0]],
  ['ones', () => tf.ones([2], 'bool'), [2], [1, 1], 'bool'],
  ['zerosLike', () => tf.zerosLike(int([3])), [1], [0], 'int32'],
  ['onesLike', () => tf.onesLike([[3, 4]]), [1, 2], [1, 1]],
  ['range', () => tf.range(0, 1, 0.25), [4], [0, 0.25, 0.5, 0.75]],
  ['range', () => tf.range(3, 0, 1, 'int32'), [3], [3, 2, 1], 'int32'],
  ['range', () => tf.range(16777217, 16777220, 1, 'int32'), [3], [16777217, 16777218, 16777219], 'int32'],
  ['range', () => tf.range(2 ** 31 - 1, 2 ** 31 - 4, -1, 'int32'), [3], [2147483647, 2147483646, 2147483645], 'int32'],
  ['range', () => tf.range(0, 2, 0.5, 'int32'), [4], [0, 0, 1, 1], 'int32'],
  ['range', () => tf.range(0, 3, -1), [0], []],
  ['linspace', () => tf.linspace(0, 1, 3), [3], [0, 0.5, 1]],
  ['diag', () => tf.diag([1, 2, 3]), [3, 3], [1, 0, 0, 0, 2, 0, 0, 0, 3]],
  ['meshgrid', () => tf.meshgrid([1, 2, 3], [4, 5])[0], [2, 3], [1, 2, 3, 1, 2, 3]],
  ['meshgrid', () => tf.meshgrid([1, 2, 3], [4, 5], { indexing: 'ij' })[1], [3, 2], [4, 5, 4, 5, 4, 5]],
  ['eye', () => tf.eye(2, 3), [2, 3], [1, 0, 0, 0, 1, 0]],
  ['eye', () => tf.eye(1, 2, [2, 1], 'int32'), [2, 1, 1, 2], [1, 0, 1, 0], 'int32'],
  ['oneHot', () => tf.oneHot([1, 0], 3, 5, -1), [2, 3], [-1, 5, -1, 5, -1, -1], 'int32'],
  ['concat', () => tf.concat([m, m], 1), [2, 6], [1, -2, 3, 1, -2, 3, 4, 5, -6, 4, 5, -6]],
  ['concat1d', () => tf.concat1d([[1], [2, 3]]), [3], [1, 2, 3]],
  ['concat2d', () => tf.concat2d([[[1]], [[2]]], 0), [2, 1], [1, 2]],
  ['concat3d', () => tf.concat3d([[[[1]]], [[[2]]]], 2), [1, 1, 2], [1, 2]],
  ['concat4d', () => tf.concat4d([[[[[1]]]], [[[[2]]]]], 3), [1, 1, 1, 2], [1, 2]],
  [
    'stack',
    () =>
      tf.stack(
        [
          [1, 2],
          [3, 4],
        ],
        1,
      ),
    [2, 2],
    [1, 3, 2, 4],
  ],
  ['unstack', () => tf.unstack(m, 1)[2], [2], [3, -6]],
  ['split', () => tf.split(m, 3, 1)[1], [2, 1], [-2, 5]],
  ['split', () => tf.split(x, [1, -1])[1], [3], [-2, 0.5, 3]],
  ['split', () => tf.split(tf.range(0, 24).reshape([2, 12]), 12, 1)[11], [2, 1], [11, 23]],
  ['slice', () => tf.slice(m, [0, 1], [-1, 2]), [2, 2], [-2, 3, 5, -6]],
  ['slice', () => tf.slice(x, 1, 2), [2], [-2, 0.5]],
  ['slice1d', () => tf.slice1d(x, 1, 2), [2], [-2, 0.5]],
  ['slice2d', () => tf.slice2d(m, [1, 0], [1, 2]), [1, 2], [4, 5]],
  ['slice3d', () => tf.slice3d([[[1, 2]]], [0, 0, 1], [1, 1, 1]), [1, 1, 1], [2]],
  ['slice4d', () => tf.slice4d([[[[1, 2]]]], [0, 0, 0, 1], [1, 1, 1, 1]), [1, 1, 1, 1], [2]],
  ['stridedSlice', () => tf.stridedSlice(m, [1, 2], [-3, -4], [-1, -2]), [2, 2], [-6, 4, 3, 1]],
  ['stridedSlice', () => tf.stridedSlice(m, [1, 0], [2, 3], [1, 1], 0, 0, 0, 0, 1), [3], [4, 5, -6]],
  ['gather', () => tf.gather(m, [2, 0], 1), [2, 2], [3, 1, -6, 4]],
  ['gather', () => tf.gather(m, [[0], [2]], 1, 1), [2, 1], [1, -6]],
  [
    'unsortedSegmentSum',
    () =>
      tf.unsortedSegmentSum(
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        [1, -1, 1],
        2,
      ),
    [2, 2],
    [0, 0, 6, 8],
  ],
  ['tile', () => tf.tile([[1, 2]], [2, 2]), [2, 4], [1, 2, 1, 2, 1, 2, 1, 2]],
  ['pad', () => tf.pad([1, 2], [[1, 2]], 9), [5], [9, 1, 2, 9, 9]],
  ['pad1d', () => tf.pad1d([1], [1, 0]), [2], [0, 1]],
  [
    'pad2d',
    () =>
      tf.pad2d(
        [[1]],
        [
          [1, 0],
          [0, 1],
        ],
      ),
    [2, 2],
    [0, 0, 1, 0],
  ],
  [
    'pad3d',
    () =>
      tf.pad3d(
        [[[1]]],
        [
          [0, 0],
          [0, 0],
          [1, 0],
        ],
      ),
    [1, 1, 2],
    [0, 1],
  ],
  [
    'pad4d',
    () =>
      tf.pad4d(
        [[[[1]]]],
        [
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 1],
        ],
      ),
    [1, 1, 1, 2],
    [1, 0],
  ],
  ['mirrorPad', () => tf.mirrorPad([1, 2, 3], [[2, 1]], 'reflect'), [6], [3, 2, 1, 2, 3, 2]],
  ['mirrorPad', () => tf.mirrorPad([1, 2, 3], [[2, 1]], 'symmetric'), [6], [2, 1, 1, 2, 3, 3]],
  ['reverse', () => tf.reverse(m, 1), [2, 3], [3, -2, 1, -6, 5, 4]],
  ['reverse', () => tf.reverse(m, []), [2, 3], [1, -2, 3, 4, 5, -6]],
  ['reverse4d', () => tf.reverse4d([[[[1, 2]]]], []), [1, 1, 1, 2], [1, 2]],
  ['reverse1d', () => tf.reverse1d(x), [4], [3, 0.5, -2, 1]],
  ['reverse2d', () => tf.reverse2d([[1, 2]]), [1, 2], [2, 1]],
  ['reverse3d', () => tf.reverse3d([[[1, 2]]], -1), [1, 1, 2], [2, 1]],
  ['reverse4d', () => tf.reverse4d([[[[1, 2]]]], [3]), [1, 1, 1, 2], [2, 1]],
  ['where', () => tf.where([true, false], [1, 2], 9), [2], [1, 9]],
  ['gatherND', () => tf.gatherND(m, [[1], [0]]), [2, 3], [4, 5, -6, 1, -2, 3]],
  [
    'scatterND',
    () =>
      tf.scatterND(
        [[1], [1], [0]],
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        [3, 2],
      ),
    [3, 2],
    [5, 6, 4, 6, 0, 0],
  ],
  [
    'tensorScatterUpdate',
    () =>
      tf.tensorScatterUpdate(
        [
          [1, 2],
          [3, 4],
        ],
        [[0, 1]],
        [9],
      ),
    [2, 2],
    [1, 9, 3, 4],
  ],
  ['sparseToDense', () => tf.sparseToDense([1, 3], 7, [4], -1), [4], [-1, 7, -1, 7]],
  ['spaceToBatchND', () => tf.spaceToBatchND([[[1], [2]]], [2], [[0, 0]]), [2, 1, 1], [1, 2]],
  [
    'spaceToBatchND',
    () =>
      tf.spaceToBatchND(
        image(),
        [2, 2],
        [
          [1, 0],
          [0, 1],
        ],
      ),
    [4, 2, 2, 1],
    [0, 0, 4, 6, 0, 0, 5, 0, 1, 3, 7, 9, 2, 0, 8, 0],
  ],
  [
    'batchToSpaceND',
    () =>
      tf.batchToSpaceND(
        [
          [[1], [2]],
          [[3], [4]],
        ],
        [2],
        [[1, 0]],
      ),
    [1, 3, 1],
    [3, 2, 4],
  ],
  ['depthToSpace', () => tf.depthToSpace([[[[1, 2, 3, 4]]]], 2), [1, 2, 2, 1], [1, 2, 3, 4]],
  ['zerosLike', () => tf.zerosLike(tf.tensor1d([1, 2], 'bool')), [2], [0, 0], 'bool'],
  ['sparse.sparseSegmentSum', () => tf.sparse.sparseSegmentSum(pairs(), [0, 1, 2], [0, 0, 1]), [2, 2], [4, 6, 5, 6]],
  ['sparse.sparseSegmentMean', () => tf.sparse.sparseSegmentMean(pairs(), [0, 1, 2], [0, 0, 1]), [2, 2], [2, 3, 5, 6]],
];
