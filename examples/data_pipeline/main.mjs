// A producer of 10 MB arrays feeds a consumer ten times slower, eight at a time: with a bound in bytes the process stays small,
// without one it fills the memory. Writes bounded.svg and unbounded.svg, each with RSS and bytes ahead over time.
// `npm run build && node examples/data_pipeline/main.mjs [elements] [folder]`
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chart } from './chart.mjs';

const elements = Number(process.argv[2] ?? 1000);
const folder = path.resolve(process.argv[3] ?? 'build/data_pipeline');
const kBudget = 100e6;
const kMega = 1e6;

/** Runs the pipeline in a process of its own, so that its memory is measured alone. */
function run(settings) {
  const child = fork(fileURLToPath(new URL('pass.mjs', import.meta.url)), [JSON.stringify(settings)], {
    execArgv: process.execArgv,
  });
  let result;
  child.on('message', (message) => (result = message));
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => (result ? resolve(result) : reject(new Error(`the pass ended with code ${code}`))));
  });
}

mkdirSync(folder, { recursive: true });
// Without a bound in bytes it would read all of them ahead; the limit here is 1.3 GB.
const unboundedAhead = Math.min(elements, 128);
const passes = {
  bounded: { elements, ahead: elements, parallel: 8, maxBytes: kBudget },
  unbounded: { elements, ahead: unboundedAhead, parallel: 8 },
};
for (const [name, settings] of Object.entries(passes)) {
  const { baseline, samples, stats, left } = await run(settings);
  const peak = Math.max(...samples.map(({ rss }) => rss));
  const limit = settings.maxBytes ? 1.3 * (settings.maxBytes + baseline) : undefined;
  const file = path.join(folder, `${name}.svg`);
  writeFileSync(file, chart(`${name}: ${elements} elements of 10 MB`, samples, limit));
  console.log(
    `${name}: ${stats.elements} elements, RSS at most ${(peak / kMega).toFixed(0)} MB over a baseline of ${(baseline / kMega).toFixed(0)} MB, ` +
      `bytes ahead at most ${(stats.peakBytesAhead / kMega).toFixed(0)} MB, ${left} tensors left`,
  );
  if (limit)
    console.log(
      `  1.3 x (budget + baseline) is ${(limit / kMega).toFixed(0)} MB: ${peak <= limit ? 'kept' : 'passed'}`,
    );
  console.log(`  ${path.relative(process.cwd(), file)}`);
}
