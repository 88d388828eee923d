import { test } from 'node:test';
import { assert, leavesNothing, tf } from '../expect.mjs';

/** The output of TensorFlow.js 4.22, line for line. */
const printed = [
  ['a scalar', () => tf.scalar(0.5), ['Tensor', '    0.5']],
  ['a bool', () => tf.scalar(true), ['Tensor', '    true']],
  ['a vector', () => tf.tensor1d([1, 2, 3]), ['Tensor', '    [1, 2, 3]']],
  ['seven decimals', () => tf.tensor1d([1 / 3, -0, 1e-9, NaN]), ['Tensor', '    [0.3333333, 0, 0, NaN]']],
  ['nothing', () => tf.tensor1d([]), ['Tensor', '    []']],
  ['a long vector', () => tf.range(0, 25), ['Tensor', '    [0, 1, 2, ..., 22, 23, 24]']],
  [
    'columns in line',
    () =>
      tf.tensor2d([
        [1, 22.5],
        [333, 4],
      ]),
    ['Tensor', '    [[1  , 22.5],', '     [333, 4   ]]'],
  ],
  ['one row', () => tf.tensor2d([[1, 2]]), ['Tensor', '     [[1, 2],]']],
  [
    'bools',
    () =>
      tf.tensor2d([
        [true, false],
        [false, true],
      ]),
    ['Tensor', '    [[true , false],', '     [false, true ]]'],
  ],
  [
    'a cube',
    () => tf.range(0, 8).reshape([2, 2, 2]),
    ['Tensor', '    [[[0, 1],', '      [2, 3]],', '', '     [[4, 5],', '      [6, 7]]]'],
  ],
  [
    'many rows',
    () => tf.range(0, 25).reshape([25, 1]),
    ['Tensor', '    [[0 ],', '     [1 ],', '     [2 ],', '     ...,', '     [22],', '     [23],', '     [24]]'],
  ],
];

for (const [what, make, lines] of printed) {
  test(`prints ${what}`, () => {
    leavesNothing(() => tf.tidy(() => assert.equal(make().toString(), lines.join('\n'))));
  });
}

test('print(true) begins with dtype, rank and shape', (context) => {
  const log = context.mock.method(console, 'log', () => {});
  leavesNothing(() =>
    tf.tidy(() => {
      tf.tensor2d(
        [
          [1, 2],
          [3, 4],
        ],
        [2, 2],
        'int32',
      ).print(true);
      tf.print(tf.scalar(1));
    }),
  );
  assert.deepEqual(
    log.mock.calls.map((call) => call.arguments),
    [['Tensor\n  dtype: int32\n  rank: 2\n  shape: [2,2]\n  values:\n    [[1, 2],\n     [3, 4]]'], ['Tensor\n    1']],
  );
});
