import { Op, writeEinsum } from '../../generated/ops.js';
import { call, kOmitted } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import type { Tensor } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';

const codes = (labels: string): number[] => Array.from(labels, (label) => label.charCodeAt(0));

/**
 * Computes the Einstein summation of one or two tensors: 'ij,jk->ik' is the matrix product. Throws for an equation without an
 * arrow or with an ellipsis.
 * @example
 * tf.einsum('ij,jk->ik', tf.tensor([[1, 2]]), tf.tensor([[3], [4]])); // [[11]]
 * tf.einsum('ij->ji', tf.tensor([[1, 2]])); // [[1], [2]]
 */
export function einsum(equation: string, ...tensors: (Tensor | TensorLike)[]): Tensor {
  const [inputs, out, ...more] = equation.replaceAll(/\s/g, '').split('->') as [string, string?, ...string[]];
  if (out === undefined) throw new Error('Equations without an arrow are not supported.');
  if (more.length > 0) throw new Error('Equation must contain exactly one arrow ("->").');
  assert(!inputs.includes('...'), () => 'The ellipsis notation ("...") is not supported yet.');
  const [a, b, ...others] = inputs.split(',') as [string, string?, ...string[]];
  const count = inputs.split(',').length;
  if (tensors.length !== count) throw new Error(`Expected ${count} input tensors, received ${tensors.length}`);
  if (others.length > 0) throw new Error('Support for more than 2 input tensors is not implemented yet.');
  for (const label of out) {
    assert(
      inputs.includes(label),
      () => `Output subscripts contain the label ${label} not present in the input subscripts.`,
    );
  }
  return call(Op.einsum, [tensors[0]!, b === undefined ? kOmitted : tensors[1]!], writeEinsum, {
    a: codes(a),
    b: codes(b ?? ''),
    out: codes(out),
  });
}
