// Finds the four leaks of watcher.mjs, with the debug build: `npm run build && node examples/leak_hunt/main.mjs`.
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as tf from 'tenure/debug';
import { Watcher } from './watcher.mjs';

const kFrames = 50;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const watcher = new Watcher();
await watch(1);
const before = tf.debug.snapshot();
await watch(kFrames);
const after = tf.debug.snapshot();

// Unreachable objects are reported when the garbage is collected.
for (let turn = 0; turn < 3; turn++) {
  collectGarbage();
  await setTimeout(0);
}

console.log(tf.debug.report({ by: 'site' }));
console.log(`\nEach of ${kFrames} frames leaves behind, on the average:`);
const counts = {};
for (const { op, site } of tf.debug.diff(before, after).added) {
  counts[`${op} at ${site}`] = (counts[`${op} at ${site}`] ?? 0) + 1;
}
for (const [origin, count] of Object.entries(counts)) console.log(`  ${count / kFrames} x ${origin}`);

async function watch(frames) {
  for (let frame = 0; frame < frames; frame++) {
    await watcher.see(Float32Array.from({ length: 64 * 64 * 3 }, (_, i) => Math.sin(i * frame)));
  }
}
