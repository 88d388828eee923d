// Where Tenure is not to do as TensorFlow.js does: each row is one of docs/differences.md, and, where calls can meet it,
// the rule that lets them differ. `of` are the names of calls; `when(found)` says whether a difference is of that kind;
// `instead(call)` is a call of TensorFlow.js whose outcome Tenure's must then be, and `check(found)` what must hold of
// the outcomes.
import { arithmetic } from './rules/arithmetic.mjs';
import { creation } from './rules/creation.mjs';
import { given } from './rules/given.mjs';
import { images } from './rules/images.mjs';
import { reductions } from './rules/reductions.mjs';
import { shapes } from './rules/shapes.mjs';
import { webgl } from './rules/webgl.mjs';
import { flow, limits, repairs, unmet } from './models/repairs.mjs';

export const differences = [
  ...arithmetic,
  ...reductions,
  ...images,
  ...shapes,
  ...creation,
  ...given,
  ...webgl,
  // Of models.
  flow,
  ...repairs,
  ...limits,
  ...unmet,
];

/** docs/differences.md. */
export function table() {
  const rows = differences.map(({ theirs, ours }) => `| ${theirs} | ${ours} |`);
  return `# Where results differ from TensorFlow.js

Generated from tests/conformance/random/differences.mjs, whose rules are all that random calls on both libraries may
differ by: \`node tests/conformance/random/run.mjs --table\`. What differs about ownership is in
[Coming from TensorFlow.js](site/pages/guide/from-tensorflow.md).

| where TensorFlow.js | Tenure |
| --- | --- |
${rows.join('\n')}
`;
}

/** The rows whose rule may allow a difference. */
export function candidates(found) {
  return differences.filter(({ of, when }) => of?.test(found.call.name) && when(found));
}
