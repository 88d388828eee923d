// `npm test`: every check, one line each, with output only where something fails.
// `node tests/run.mjs native node` runs the named steps; `node tests/run.mjs --list` names them.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildPreset, findFiles, root, run, usePackages, useToolchain } from '../cpp/toolchain/use.mjs';
import { kBuilds } from './builds/all.mjs';
import { fuzz } from './fuzz/run.mjs';
import { tidy } from './tidy.mjs';

const quiet = { quiet: true };
process.env.TENURE_SHARED = path.resolve(root, process.env.TENURE_SHARED ?? '../shared');

const cppFiles = () => ['cpp', 'tests/cpp', 'tests/fuzz'].flatMap((folder) => findFiles(folder, /\.(cpp|h)$/));

const steps = {
  setup() {
    useToolchain();
    usePackages();
  },

  includes() {
    run('node', ['tests/check_includes.mjs'], quiet);
  },

  format() {
    useToolchain('native');
    const files = cppFiles();
    if (files.length > 0) run(process.env.CLANG_FORMAT, ['--dry-run', '-Werror', ...files], quiet);
  },

  types() {
    usePackages();
    run('node', ['node_modules/typescript/bin/tsc', '--noEmit'], quiet);
    run('node', ['tests/types/compare.mjs'], quiet);
  },

  lint() {
    usePackages();
    run('node', ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0'], quiet);
  },

  /** The engine's own tests and fuzz targets, natively, under AddressSanitizer and UndefinedBehaviorSanitizer. */
  async native() {
    useToolchain('native');
    await buildPreset('native-debug');
    const binary = path.join(root, 'build/native-debug/tests/cpp/tenure_tests');
    if (!existsSync(binary)) throw new Error(`there is no ${binary}`);
    const env = {
      ASAN_OPTIONS: 'detect_leaks=1:detect_stack_use_after_return=1',
      UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
    };
    fuzz({ runs: 5000, env });
    return counted(binary, [], { env }, (output) => {
      const all = /All tests passed \(.*in (\d+) test case/.exec(output)?.[1];
      const mixed = (word) => /test cases:.*/.exec(output)?.[0].match(new RegExp(`(\\d+) ${word}`))?.[1];
      return { passed: all ?? mixed('passed'), failed: mixed('failed'), skipped: mixed('skipped') };
    });
  },

  /** The installed C++ package, from a program outside this tree. */
  install() {
    run('node', ['tests/install_test.mjs'], quiet);
  },

  async tidy() {
    useToolchain('native');
    await buildPreset('native-debug');
    return tidy();
  },

  /** The npm package, and whether the generated files in the repository are what it makes. */
  package() {
    run('node', ['web/build.mjs', '--check'], quiet);
  },

  async node() {
    usePackages();
    // Several tests compare with TensorFlow.js, at the same time.
    const { usePeers } = await import('./conformance/specs.mjs');
    usePeers();
    return nodeTests(['tests/web', 'eslint-plugin/tests']);
  },

  /**
   * Some of them on each of the other builds that Node can load; all of them by `npm run environments -- "own tests"`. What
   * computes is tried with relaxed SIMD, too, whose results are as near to those that are expected as those without, and with
   * results of every size that wait to be read.
   */
  builds() {
    const all = kBuilds.map((TENURE_BUILD) => nodeTests(['tests/web/tensor'], { env: { TENURE_BUILD } }));
    all.push(nodeTests(['tests/web/ops', 'tests/web/models'], { imported: ['./tests/builds/relaxed.mjs', './tests/builds/lazy.mjs'] }));
    const sum = (name) => all.reduce((total, result) => total + (result[name] ?? 0), 0);
    return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), error: all.find(({ error }) => error)?.error };
  },

  /**
   * TensorFlow.js's own specs, of which none may fail that passed before, in Node and in Chromium, random calls, data
   * pipelines, tables and graphs beside its own, its layers, converter and data over Tenure, and the Human library, in
   * pages too.
   */
  conformance() {
    usePackages();
    run('node', ['tests/conformance/pipelines.mjs'], quiet);
    run('node', ['tests/conformance/csv.mjs'], quiet);
    run('node', ['tests/conformance/graphs.mjs'], quiet);
    run('node', ['tests/ecosystem/upstream/run.mjs'], quiet);
    run('node', ['tests/ecosystem/upstream/specs.mjs'], quiet);
    if (!missingBrowser()) {
      for (const backend of ['wasm', 'webgl']) run('node', ['tests/conformance/run.mjs', '--browser', '--backend', backend, '--check'], quiet);
      run('node', ['tests/conformance/random/run.mjs', '--browser', '--backend', 'webgl', '--count', '2000'], quiet);
    }
    const note = /^skipped: (.*)/.exec(run('node', ['tests/conformance/human.mjs', ...(missingBrowser() ? [] : ['--browser'])], quiet))?.[1];
    const specs = counted('node', ['tests/conformance/run.mjs', '--check'], {}, (output) => {
      const [, passed, broken] = /: (\d+) of \d+ specs .*(?:\n(\d+) of these passed before)?/.exec(output) ?? [];
      return { passed, failed: broken };
    });
    return { ...specs, note: note && `the Human library was not tried: ${note}` };
  },

  /** The packed package, as users get it: in pages, and its types. */
  browser() {
    const missing = missingBrowser();
    return { ...nodeTests(['tests/browser']), note: missing && `no pages, for ${missing}` };
  },

  /** The packed package with the tools that people use: bundlers, test runners, runtimes. */
  environments() {
    const missing = missingBrowser();
    if (missing) return { note: `skipped, for ${missing}` };
    run('node', ['tests/environments/run.mjs', '--quick'], quiet);
  },
};

/** Why there is no Chromium, where there is none: outside CI a machine may do without. */
function missingBrowser() {
  try {
    useToolchain('browser');
    return undefined;
  } catch (error) {
    if (process.env.CI) throw error;
    return 'there is no Chromium and it cannot be installed';
  }
}

function nodeTests(folders, { env, imported = [] } = {}) {
  const files = folders.flatMap((folder) => findFiles(folder, /\.test\.mjs$/));
  if (files.length === 0) throw new Error(`there are no tests in ${folders}`);
  usePackages();
  const imports = ['./tests/builds/hooks.mjs', ...imported].flatMap((file) => ['--import', file]);
  const args = [...imports, '--expose-gc', '--test', '--test-reporter=tap', ...files];
  const result = counted('node', args, { env }, (output) => {
    const number = (word) => new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output)?.[1];
    return { passed: number('pass'), failed: number('fail'), skipped: number('skipped') };
  });
  const failures = result.error ? failedTests(result.error.message) : '';
  return failures ? { ...result, error: new Error(failures) } : result;
}

/** What TAP says of the tests that failed themselves, not by others inside them. */
function failedTests(tap) {
  const blocks = tap.matchAll(/^( *)not ok .*\n(?:\1  ---\n[^]*?\n\1  \.\.\.\n)?/gm);
  return [...blocks].map(([block]) => block).filter((block) => !block.includes("failureType: 'subtestsFailed'")).join('');
}

/** Runs a test program and reads its counts, also when it fails. */
function counted(command, args, options, read) {
  let output;
  let error;
  try {
    output = run(command, args, { ...options, ...quiet });
  } catch (failure) {
    output = failure.message;
    error = failure;
  }
  const counts = Object.fromEntries(Object.entries(read(output)).map(([name, count]) => [name, Number(count ?? 0)]));
  // A crash before the summary has counted nothing, and is a failure all the same.
  if (error) counts.failed ||= 1;
  else if (!counts.passed) return { ...counts, failed: 1, error: new Error(`${command} passed no test\n${output}`) };
  return { ...counts, error };
}

const asked = process.argv.slice(2);
if (asked.includes('--list')) {
  console.log(Object.keys(steps).join('\n'));
  process.exit();
}
const unknown = asked.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`no such step: ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}`);
  process.exit(2);
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of asked.length > 0 ? asked : Object.keys(steps)) {
  const start = Date.now();
  let result;
  try {
    result = (await steps[name]()) ?? {};
  } catch (error) {
    result = { error };
  }
  const { passed = 0, skipped = 0, error, note } = result;
  const failed = result.failed ?? (error ? 1 : 0);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  const counts = passed || failed || skipped ? `${passed} passed, ${failed} failed` : '';
  const details = [note, counts, skipped ? `${skipped} skipped` : ''].filter(Boolean).join(', ');
  const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
  console.log(`${error ? 'FAIL' : 'ok  '} ${name.padEnd(9)} ${seconds} s  ${details}`.trimEnd());
  if (error) console.log(error.message);
}
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed > 0 ? 1 : 0;
