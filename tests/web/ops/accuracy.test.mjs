// docs/accuracy.md, whose table for wasm holds on every machine with the same arithmetic.
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { measure } from '../../conformance/accuracy/measure.mjs';
import { assert, tf } from '../expect.mjs';

test('no function exceeds the errors in the table', async () => {
  await tf.ready();
  const arithmetic = tf.env().get('WASM_HAS_RELAXED_SIMD_SUPPORT') ? 'wasm-relaxed' : 'wasm';
  const file = new URL(`../../conformance/results/accuracy-${arithmetic}.json`, import.meta.url);
  const known = JSON.parse(readFileSync(file, 'utf8'));
  const found = measure(tf);
  assert.deepEqual(Object.keys(found), Object.keys(known));
  for (const [name, { ulps, at }] of Object.entries(found)) {
    assert.ok(
      ulps <= known[name].ulps,
      `${name} is ${ulps} units of the last place off at ${at}, and was ${known[name].ulps}`,
    );
  }
});
