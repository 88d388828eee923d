// `node tests/fuzz/run.mjs [--seconds N] [--only NAME]`: runs each fuzz target of the native debug build. Findings are written
// to build/native-debug/tests/fuzz.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root, run } from '../../cpp/toolchain/use.mjs';

const corpus = path.join(root, 'tests/fuzz/corpus');
const built = path.join(root, 'build/native-debug/tests/fuzz');

/**
 * Runs each target from its corpus: for a number of inputs, always the same ones, or for some seconds, continuing from the
 * findings of earlier calls. Throws for a finding. Without libFuzzer nothing is built or run.
 */
export function fuzz({ runs, seconds, only = '', env }) {
  for (const name of readdirSync(corpus).filter((target) => target.includes(only))) {
    const binary = path.join(built, `fuzz_${name}`);
    if (!existsSync(binary)) continue;
    const found = path.join(built, 'found', name);
    if (runs) rmSync(found, { recursive: true, force: true });
    mkdirSync(found, { recursive: true });
    const length = runs ? [`-runs=${runs}`, '-seed=1'] : [`-max_total_time=${seconds}`];
    const options = [
      ...length,
      '-max_len=4096',
      '-timeout=25',
      '-rss_limit_mb=2048',
      '-print_final_stats=1',
      `-artifact_prefix=${built}/${name}-`,
    ];
    const output = run(binary, [...options, found, path.join(corpus, name)], { quiet: true, env });
    if (seconds) console.log(`${name}: ${/number_of_executed_units: (\d+)/.exec(output)[1]} inputs, nothing found`);
  }
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } } });
  fuzz({ seconds: Number(values.seconds), only: values.only });
}
