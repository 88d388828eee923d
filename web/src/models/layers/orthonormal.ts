import { div, mul, sub } from '../../ops/math/binary.js';
import { concat } from '../../ops/movement/concat.js';
import { sum } from '../../ops/math/reduce.js';
import { slice } from '../../ops/movement/slice.js';
import { sqrt, square } from '../../ops/math/unary.js';
import { matMul } from '../../ops/math/matmul.js';
import { tidy } from '../../owner/scope.js';
import type { Tensor2D } from '../../tensor/tensor.js';

/** Returns the rows made orthonormal by the Gram-Schmidt process; each is projected twice, for accuracy. */
export function orthonormalRows(x: Tensor2D): Tensor2D {
  const [rows, columns] = x.shape;
  let done: Tensor2D | undefined;
  for (let i = 0; i < rows; i++) {
    const row = slice(x, [i, 0], [1, columns]);
    const next: Tensor2D = tidy(() => {
      let left = row;
      for (let pass = 0; done && pass < 2; pass++) left = sub(left, matMul(matMul(left, done, false, true), done));
      const unit = div<Tensor2D>(left, sqrt(sum(square(left))));
      return done ? concat([done, unit]) : mul(unit, 1);
    });
    done?.dispose();
    row.dispose();
    done = next;
  }
  return done!;
}
