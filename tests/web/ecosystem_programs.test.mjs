// Tests the checks of the programs in tests/ecosystem/programs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { judge } from '../ecosystem/programs/run.mjs';

const outcome = (losses, { tensors = 0, ...others } = {}) => ({ results: { losses, ...others }, tensors });

test('programs fail by their losses, results, tensors and errors', () => {
  const good = outcome([1, 0.5], { scores: [0.2, 0.8] });
  const close = outcome([1.01, 0.503], { scores: [0.2, 0.8], tensors: 3 });
  assert.equal(judge(good, close), undefined);
  assert.match(judge(good, outcome([1, 0.48], { scores: [0.2, 0.8] })), /^results\.losses\.1 is 0\.5, not 0\.48$/);
  assert.match(judge(good, outcome([1, 0.5], { scores: [0.2] })), /^results\.scores\.1 is 0\.8, not undefined$/);
  assert.equal(judge(close, good), '3 tensors are left');
  assert.equal(judge({ error: 'tenure: it threw' }, good), 'tenure: it threw');
  assert.equal(judge(good, { error: 'tfjs: it threw' }), 'tfjs: it threw');
  for (const losses of [[], [1], [1, null], [NaN, 1]]) assert.match(judge(outcome(losses), good), /^losses /);
});
