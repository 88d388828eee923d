// `node tests/ecosystem/programs/run.mjs [--full] [words]`: runs the programs on Tenure and on TensorFlow.js, and compares their
// losses, other results, time, memory and the tensors that are left. --full trains longer, and writes the section of
// docs/ecosystem.md. Words select programs.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../cpp/toolchain/use.mjs';
import { usePeers } from '../../conformance/specs.mjs';
import { bundle } from '../bundle.mjs';
import { difference } from '../compare.mjs';
import { replaceSection } from '../table.mjs';
import { programs } from './programs.mjs';

/** Results may differ by a share of this: rounding errors grow with each step of training. */
const kTolerance = { tolerance: 0.02, least: 0.05 };
const kFullSize = 4;
const kTensorFlow = `
  export * from '@tensorflow/tfjs-core';
  export * from '@tensorflow/tfjs-layers';
  export * as data from '@tensorflow/tfjs-data';
  import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
  import '@tensorflow/tfjs-backend-cpu';`;

/** Runs the programs whose names contain one of `words`, or all. Returns a row for each; `error` is set if it fails. */
export async function runPrograms({ isFull = false, words = [], report = () => {} } = {}) {
  const size = isFull ? kFullSize : 1;
  usePeers();
  const outfile = path.join(root, 'build/ecosystem/programs_tfjs.cjs');
  mkdirSync(path.dirname(outfile), { recursive: true });
  await bundle(kTensorFlow, outfile, { alias: {}, from: path.join(root, 'tests/conformance') });
  const chosen = Object.keys(programs).filter(
    (name) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  return chosen.map((name) => {
    const [ours, theirs] = ['tenure', 'tfjs'].map((library) => runOne(library, name, size));
    const row = { name, what: programs[name].what, ours, theirs, error: judge(ours, theirs) };
    report(row);
    return row;
  });
}

function runOne(library, name, size) {
  const script = path.join(import.meta.dirname, 'run_one.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, library, name, size], { encoding: 'utf8' });
  return status === 0 ? JSON.parse(stdout) : { error: `${library}: ${stderr.trim() || `exit ${status}`}` };
}

/** Returns why the outcomes count as a failure, or undefined. Tensors that TensorFlow.js leaves do not count. */
export function judge(ours, theirs) {
  if (ours.error ?? theirs.error) return ours.error ?? theirs.error;
  if (ours.tensors !== 0) return `${ours.tensors} tensors are left`;
  const { losses } = ours.results;
  if (!(losses.length > 1) || losses.some((loss) => !Number.isFinite(loss))) return `losses ${losses.join(' ')}`;
  return difference(ours.results, theirs.results, { place: 'results', ...kTolerance });
}

const rounded = (value) => Number(value.toPrecision(3));

/** Returns the section of docs/ecosystem.md, with the programs that have not failed. */
export function programSection(rows) {
  const passed = rows.filter(({ error }) => !error);
  const lines = passed.map(({ name, what, ours, theirs }) => {
    const [first, last] = [ours.results.losses[0], ours.results.losses.at(-1)];
    return [
      `\`${name}\``,
      what,
      `${rounded(first)} to ${rounded(last)}`,
      `${rounded(ours.seconds)} s (${rounded(theirs.seconds)} s)`,
      `${Math.round(ours.megabytes)} MB (${Math.round(theirs.megabytes)} MB)`,
      `${ours.tensors} (${theirs.tensors})`,
    ];
  });
  const header = ['program', 'what it does', 'loss', 'time', 'memory', 'tensors left'];
  return [
    'These programs resemble those in tfjs-examples and have their names, but are our own, with synthetic data.',
    '`node tests/ecosystem/programs/run.mjs` runs each in a process of its own on Tenure and, in parentheses, on TensorFlow.js 4.22',
    'with its cpu backend, which is plain JavaScript. Both begin with the same weights; losses and predictions differ by at most 2 %,',
    'or 0.001. Time is that of the processor, of all threads; memory is the largest size of the process, less that after loading the',
    'library.',
    '',
    ...[header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const options = process.argv.slice(2);
  const words = options.filter((option) => !option.startsWith('--'));
  const isFull = options.includes('--full');
  const rows = await runPrograms({
    isFull,
    words,
    report: ({ name, ours, theirs, error }) =>
      console.log(
        error
          ? `FAIL ${name}: ${error}`
          : `ok   ${name}: ${ours.seconds.toFixed(2)} s (${theirs.seconds.toFixed(2)} s), ${ours.megabytes.toFixed(0)} MB (${theirs.megabytes.toFixed(0)} MB), ${ours.tensors} tensors left (${theirs.tensors})`,
      ),
  });
  if (rows.some(({ error }) => error)) process.exitCode = 1;
  else if (isFull && words.length === 0) replaceSection('Programs', programSection(rows));
}
