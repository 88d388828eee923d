// Runs test files: those of Node's test runner, and those of the native tests.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildPreset, findFiles, root, run, usePackages, useToolchain } from '../cpp/toolchain/use.mjs';

const kHooks = './tests/builds/hooks.mjs';

/** Returns the test files, of either kind, whose paths below tests/ contain `text`. */
export function matchingTests(text) {
  const node = ['tests', 'eslint-plugin/tests'].flatMap((folder) => findFiles(folder, /\.test\.mjs$/));
  const native = findFiles('tests/cpp', /_test\.cpp$/);
  return [...node, ...native].filter((file) => file.includes(text));
}

/** Runs test files with their output on the terminal; returns the exit status. */
export async function runTests(files) {
  const native = files.filter((file) => file.endsWith('.cpp'));
  const node = files.filter((file) => file.endsWith('.mjs'));
  let status = 0;
  if (native.length > 0) {
    useToolchain('native');
    await buildPreset('native-check', { progress: true });
    const tags = native.map((file) => `[#${path.basename(file, '.cpp')}]`).join(',');
    status ||= await show(path.join(root, 'build/native-check/tests/cpp/tenure_tests'), ['--filenames-as-tags', tags]);
  }
  if (node.length > 0) {
    usePackages();
    status ||= await show('node', ['--import', kHooks, '--expose-gc', '--test', ...node]);
  }
  return status;
}

function show(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject).on('close', (status) => resolve(status ?? 1));
  });
}

/** Runs all of Node's test files in these folders, or these files; returns their counts. */
export function nodeTests(places, { env, imported = [] } = {}) {
  const files = places.flatMap((place) => (place.endsWith('.mjs') ? [place] : findFiles(place, /\.test\.mjs$/)));
  if (files.length === 0) throw new Error(`there are no tests in ${places}`);
  usePackages();
  const imports = [kHooks, ...imported].flatMap((file) => ['--import', file]);
  const args = [...imports, '--expose-gc', '--test', '--test-reporter=tap', ...files];
  const result = counted('node', args, { env }, (output) => {
    const number = (word) => new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1];
    return { passed: number('pass'), failed: number('fail'), skipped: number('skipped') };
  });
  const failures = result.error ? failedTests(result.error.message) : '';
  return failures ? { ...result, error: new Error(failures) } : result;
}

/** Returns TAP's reports of tests that failed themselves, not through a nested test. */
function failedTests(tap) {
  const blocks = tap.matchAll(/^( *)not ok .*\n(?:\1  ---\n[^]*?\n\1  \.\.\.\n)?/gm);
  return [...blocks]
    .map(([block]) => block)
    .filter((block) => !block.includes("failureType: 'subtestsFailed'"))
    .join('');
}

/**
 * Runs a preset's native tests in parallel shards, or those of Catch2's tags `tags`; of several strings, each in a process of its
 * own. Returns their counts.
 */
export async function nativeTests(preset, { shards = 1, tags = '', env } = {}) {
  const binary = path.join(root, 'build', preset, 'tests/cpp/tenure_tests');
  const parts = [tags]
    .flat()
    .flatMap((selected) =>
      Array.from({ length: shards }, (_, index) =>
        shard(binary, [selected, '--shard-count', String(shards), '--shard-index', String(index)].filter(Boolean), env),
      ),
    );
  return sumOf(await Promise.all(parts));
}

function shard(binary, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { cwd: root, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject).on('close', (status, signal) => {
      const all = /All tests passed \(.*in (\d+) test case/.exec(output)?.[1];
      const mixed = (word) => /test cases:.*/.exec(output)?.[0].match(new RegExp(`(\\d+) ${word}`))?.[1];
      const counts = {
        passed: Number(all ?? mixed('passed') ?? 0),
        failed: Number(mixed('failed') ?? 0),
        skipped: Number(mixed('skipped') ?? 0),
      };
      if (status === 0 && counts.passed > 0) resolve(counts);
      else
        resolve({
          ...counts,
          failed: counts.failed || 1,
          error: new Error(`${binary}: ${signal ?? `exit ${status}`}\n${output}`),
        });
    });
  });
}

/** Returns the sum of counts, with the first error. */
export function sumOf(results) {
  const sum = (name) => results.reduce((total, result) => total + (result[name] ?? 0), 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    error: results.find(({ error }) => error)?.error,
  };
}

/** Runs a test program and returns its counts, also if it fails. */
export function counted(command, args, options, read) {
  let output;
  let error;
  try {
    output = run(command, args, { ...options, quiet: true });
  } catch (failure) {
    output = failure.message;
    error = failure;
  }
  const counts = Object.fromEntries(Object.entries(read(output)).map(([name, count]) => [name, Number(count ?? 0)]));
  // A crash before the summary has no counts, and is a failure all the same.
  if (error) counts.failed ||= 1;
  else if (!counts.passed) return { ...counts, failed: 1, error: new Error(`${command} passed no test\n${output}`) };
  return { ...counts, error };
}
