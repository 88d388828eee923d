import { test } from 'node:test';
import { assert, leavesNothing, tf } from '../expect.mjs';

const shown = (...tensors) => {
  const values = tensors.map((tensor) => tensor.arraySync());
  tf.dispose(tensors);
  return values;
};

test('the largest of each row', () => {
  leavesNothing(() => {
    const { values, indices } = tf.topk(
      [
        [1, 5, 5, NaN],
        [4, 3, 2, 1],
      ],
      2,
    );
    assert.deepEqual(shown(values, indices), [
      [
        [NaN, 5],
        [4, 3],
      ],
      [
        [3, 1],
        [0, 1],
      ],
    ]);
    const none = tf.topk([[1, 2]], 0);
    assert.deepEqual(
      [none.values.shape, none.indices.shape],
      [
        [1, 0],
        [1, 0],
      ],
    );
    tf.dispose(none);
    assert.throws(() => tf.topk([1, 2], 3), /'k' passed to topk\(\) must be <= the last dimension \(2\) but got 3/);
    assert.throws(() => tf.topk([1, 2], -1), /must be >= 0 but got -1/);
  });
});

test('unique slices along any axis', () => {
  leavesNothing(() => {
    const one = tf.unique([3, 1, 3, 2, 1]);
    assert.deepEqual(shown(one.values, one.indices), [
      [3, 1, 2],
      [0, 1, 0, 2, 1],
    ]);
    const zeros = tf.unique([-0, 0, NaN, 1, NaN]);
    assert.deepEqual(shown(zeros.values, zeros.indices), [
      [-0, NaN, 1],
      [0, 0, 1, 2, 1],
    ]);
    const words = tf.unique(['b', 'a', 'b', '']);
    assert.deepEqual(shown(words.values, words.indices), [
      ['b', 'a', ''],
      [0, 1, 0, 2],
    ]);
    const columns = tf.unique(
      [
        [1, 2, 1],
        [0, 5, 0],
      ],
      1,
    );
    assert.deepEqual(shown(columns.values, columns.indices), [
      [
        [1, 2],
        [0, 5],
      ],
      [0, 1, 0],
    ]);
  });
});

test('counts of numbers', () => {
  leavesNothing(() => {
    const x = tf.tensor(
      [
        [1, 1, 0],
        [2, 5, 2],
      ],
      [2, 3],
      'int32',
    );
    assert.deepEqual(shown(tf.denseBincount(x, [], 3)), [
      [
        [1, 2, 0],
        [0, 0, 2],
      ],
    ]);
    assert.deepEqual(shown(tf.denseBincount(x, [], 3, true)), [
      [
        [1, 1, 0],
        [0, 0, 1],
      ],
    ]);
    assert.deepEqual(
      shown(
        tf.denseBincount(
          x,
          [
            [1, 2, 3],
            [4, 5, 6],
          ],
          3,
        ),
      ),
      [
        [
          [3, 3, 0],
          [0, 0, 10],
        ],
      ],
    );
    assert.throws(() => tf.bincount([1.5], [], 2), /input dtype must be int32/);
    x.dispose();
  });
});

test('positions in sorted rows', () => {
  leavesNothing(() => {
    assert.deepEqual(shown(tf.lowerBound([1, 2, 2, 3], [2, 0, 4]), tf.upperBound([1, 2, 2, 3], [2, 0, 4])), [
      [1, 0, 4],
      [3, 0, 4],
    ]);
    assert.throws(() => tf.searchSorted([[1], [2]], [[1]]), /Leading dimension/);
  });
});

test('slices are scattered and gathered', () => {
  leavesNothing(() => {
    assert.deepEqual(
      shown(
        tf.scatterND(
          [[1], [1], [0]],
          [
            [1, 2],
            [3, 4],
            [5, 6],
          ],
          [3, 2],
        ),
      ),
      [
        [
          [5, 6],
          [4, 6],
          [0, 0],
        ],
      ],
    );
    assert.deepEqual(
      shown(
        tf.tensorScatterUpdate(
          [
            [1, 2],
            [3, 4],
          ],
          [[0, 1]],
          [9],
        ),
      ),
      [
        [
          [1, 9],
          [3, 4],
        ],
      ],
    );
    assert.deepEqual(shown(tf.sparseToDense([1, 3], 7, [4], -1)), [[-1, 7, -1, 7]]);
    assert.deepEqual(shown(tf.sparseToDense([2, 0], ['b', 'a'], [3], '-')), [['a', '-', 'b']]);
    assert.deepEqual(
      shown(
        tf.gatherND(
          [
            [1, 2],
            [3, 4],
          ],
          [[1], [0]],
        ),
      ),
      [
        [
          [3, 4],
          [1, 2],
        ],
      ],
    );
    assert.throws(
      () =>
        tf.gatherND(
          [
            [1, 2],
            [3, 4],
          ],
          [[0, 2]],
        ),
      /Invalid indices: \[0,2\] does not index into \[2,2\]/,
    );
    assert.throws(() => tf.scatterND([[-1]], [1], [3]), /Invalid indices/);
    assert.throws(() => tf.scatterND([[0]], [1, 2], [3]), /Must have updates.shape/);
  });
});
