// Cases of ops on strings.
import { tf } from '../../expect.mjs';

export const textCases = [
  ['raggedRange', () => tf.raggedRange([0, 5], [3, 6], [1, 1]).rtDenseValues, [4], [0, 1, 2, 5]],
];
