// `node tests/onnx/run.mjs [--check | --write] [TEXT]`: runs ONNX's own backend tests (package libonnx-testdata of Debian 13)
// natively, those whose names contain the text, and prints the failures by reason. With --check it fails unless exactly the cases
// of misses.txt fail; --write updates that list.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildPreset, root, run, useToolchain } from '../../cpp/toolchain/use.mjs';

const kList = path.join(root, 'tests/onnx/misses.txt');
/** Folders of cases: single nodes, and models that PyTorch exported or that test a feature of the format. */
const kGroups = ['node', 'pytorch-converted', 'pytorch-operator', 'simple'];
/** Cases whose results are random: they agree by chance only. */
const kRandom = /test_bernoulli|test_training_dropout(_default)?(_mask)?$/;
const kHeader =
  '# Cases of ONNX 1.17 that do not pass, with the reason. Written by `node tests/onnx/run.mjs --write`.\n';

/** Returns the folder with the cases, or undefined if Debian's package cannot be installed. */
function findData() {
  try {
    useToolchain('onnx');
  } catch (error) {
    if (process.env.CI) throw error;
  }
  return process.env.ONNX_TEST_DATA;
}

/** Runs the cases whose names contain `text`. Returns the results by name: 'passed', or the reason of the failure. */
export async function runCases(data, text = '') {
  useToolchain('native');
  await buildPreset('native-check', { targets: ['onnx_cases'] });
  const cases = kGroups
    .flatMap((group) => readdirSync(path.join(data, group)).map((name) => path.join(group, name)))
    .filter((name) => name.includes(text));
  const output = run(
    path.join(root, 'build/native-check/tests/onnx/onnx_cases'),
    cases.sort().map((name) => path.join(data, name)),
    { quiet: true },
  );
  return new Map(
    output
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([name, result]) => [name, kRandom.test(name) && !isError(result) ? 'its results are random' : result]),
  );
}

/** True for a result of a case that has not computed anything. */
const isError = (result) => result !== 'passed' && !result.startsWith('differs: ');

/** Returns the cases that are known not to pass. */
function readMisses() {
  const lines = existsSync(kList) ? readFileSync(kList, 'utf8').split('\n') : [];
  return new Map(lines.filter((line) => line && !line.startsWith('#')).map((line) => line.split('\t')));
}

/** Returns a reason without what is particular to a case, such as the name of a node. */
const reasonOf = (result) =>
  result.replace(/the node "[^"]*" \((\w+)\): /, '$1: ').replace(/ \(in the node "[^"]*", op (\w+)\)/, ' ($1)');

/** Checks the results against the list of misses. Returns the counts; throws if a case is worse or better than listed. */
export async function checkCases() {
  const data = findData();
  if (!data) return { note: 'skipped: libonnx-testdata cannot be downloaded' };
  const results = await runCases(data);
  const misses = readMisses();
  const worse = [...results].filter(([name, result]) => result !== 'passed' && !misses.has(name));
  const better = [...misses.keys()].filter((name) => results.get(name) === 'passed');
  if (worse.length + better.length > 0) {
    throw new Error(
      [
        ...worse.map(([name, result]) => `${name} passed before: ${result}`),
        ...better.map((name) => `${name} passes now: remove it from tests/onnx/misses.txt`),
      ].join('\n'),
    );
  }
  return { passed: results.size - misses.size };
}

function print(results) {
  const failed = [...results].filter(([, result]) => result !== 'passed');
  const reasons = new Map();
  for (const [name, result] of failed) {
    const reason = reasonOf(result).replace(/ at \d+ is .*/, '');
    reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  }
  for (const [reason, names] of [...reasons].sort(([, a], [, b]) => b.length - a.length))
    console.log(`${String(names.length).padStart(4)} ${reason} (${names[0]})`);
  console.log(`${results.size - failed.length} of ${results.size} cases pass`);
}

if (import.meta.filename === process.argv[1]) {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean' }, write: { type: 'boolean' } },
    allowPositionals: true,
  });
  if (values.check) {
    console.log(await checkCases());
  } else {
    const data = findData();
    if (!data) throw new Error("there are no ONNX test cases: Debian's package libonnx-testdata cannot be downloaded");
    const results = await runCases(data, positionals[0]);
    print(results);
    const misses = [...results].filter(([, result]) => result !== 'passed');
    if (values.write && !positionals[0])
      writeFileSync(kList, kHeader + misses.map(([name, result]) => `${name}\t${reasonOf(result)}\n`).join(''));
  }
}
