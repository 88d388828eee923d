// Random nodes and graphs of ONNX in the form of op_cases.mjs: from a seed, so that they can be made again.
import { contribOps } from './random/contrib.mjs';
import { controlGraphs } from './random/control.mjs';
import { elementwiseOps } from './random/elementwise.mjs';
import { makeGraph } from './random/graphs.mjs';
import { indexingOps } from './random/indexing.mjs';
import { layerOps } from './random/layers.mjs';
import { movementOps } from './random/movement.mjs';
import { quantizedOps } from './random/quantized.mjs';
import { reductionOps } from './random/reduction.mjs';
import { OnnxRandom } from './random/values.mjs';
import { imageOps } from './random/windows.mjs';

const kOps = {
  ...elementwiseOps,
  ...movementOps,
  ...indexingOps,
  ...reductionOps,
  ...imageOps,
  ...layerOps,
  ...quantizedOps,
  ...contribOps,
  ...controlGraphs,
  graph: makeGraph,
};

const kGraphShare = 0.1;

export const randomOps = Object.keys(kOps);

/** Returns case `i` of a seed: of the op, or of any. */
export function makeRandomCase(seed, i, op) {
  const r = new OnnxRandom(seed * 1_000_003 + i);
  return kOps[op ?? (r.chance(kGraphShare) ? 'graph' : r.pick(randomOps))](r);
}
