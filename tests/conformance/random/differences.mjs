// Intended differences from TensorFlow.js. Each row is one of docs/differences.md, and, where calls can meet it, the rule
// that lets them differ. `theirs`, `ours` and `why` are the sentences of the row. `of` matches the names of calls; `when(found)`
// is true if a difference is of that kind; `instead(call)` returns a call of TensorFlow.js whose outcome Tenure's must then be,
// and `check(found)` returns what must hold of the outcomes.
import { arithmetic } from './rules/arithmetic.mjs';
import { creation } from './rules/creation.mjs';
import { given } from './rules/given.mjs';
import { images } from './rules/images.mjs';
import { reductions } from './rules/reductions.mjs';
import { shapes } from './rules/shapes.mjs';
import { unmetModels, unmetOps, unmetTraining } from './rules/unmet.mjs';
import { gpu } from './rules/gpu.mjs';
import { flow, limits, repairs } from './models/repairs.mjs';

const sections = [
  ['Data types, rounding and overflow', arithmetic],
  ['Reductions, norms and matrix products', reductions],
  ['Convolution, pooling, normalization and resizing', images],
  ['Slicing, broadcasting, padding and splitting', shapes],
  ['Creating tensors', creation],
  ['Invalid and missing arguments', given],
  ['WebGL and WebGPU', gpu],
  ['Gradients and other ops', unmetOps],
  ['Layers and models', [flow, ...repairs, ...limits, ...unmetModels]],
  ['Training and evaluation', unmetTraining],
];

export const differences = sections.flatMap(([, rows]) => rows);

/** Returns the text of docs/differences.md. */
export function table() {
  const parts = sections.map(
    ([title, rows]) => `## ${title}

| TensorFlow.js | Tenure | why |
| --- | --- | --- |
${rows.map(({ theirs, ours, why }) => `| ${theirs} | ${ours} | ${why} |`).join('\n')}
`,
  );
  return `# Differences from TensorFlow.js

This page lists where results, data types, return values or errors of Tenure differ from those of TensorFlow.js 4.22. Ownership,
memory and asynchronous code are in [Migrating from TensorFlow.js](site/pages/guide/from-tensorflow.md).

The page is generated from tests/conformance/random/differences.mjs by \`node tests/conformance/random/run.mjs --table\`. Tests call
both libraries with random arguments and compare the results: apart from rounding errors, they may differ only as these rows say.
The reference is TensorFlow.js's cpu backend; a row that names no backend holds for all of Tenure's.

${parts.join('\n')}`;
}

/** Returns the rows whose rule may allow a difference. */
export function candidates(found) {
  return differences.filter(({ of, when }) => of?.test(found.call.name) && when(found));
}
