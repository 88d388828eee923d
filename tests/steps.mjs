// The checks of run.mjs, in starting order. `set` names their audience: 'test' for each commit, 'ci' for each change that
// lands, 'all' for a release. A step starts `after` other steps of its set, and occupies `cores` of the machine, by default
// one. If a step that `isNeeded` fails, no further step starts.
import path from 'node:path';
import { buildPreset, findFiles, prepare, root, run, usePackages, useToolchain } from '../cpp/toolchain/use.mjs';
import { kBuilds } from './builds/all.mjs';
import { fuzz } from './fuzz/run.mjs';
import { checkCases } from './onnx/run.mjs';
import { counted, nativeTests, nodeTests, sumOf } from './test_files.mjs';
import { tidy } from './tidy.mjs';

const quiet = { quiet: true };
process.env.TENURE_SHARED = path.resolve(root, process.env.TENURE_SHARED ?? '../shared');

const kSanitized = {
  ASAN_OPTIONS: 'detect_leaks=1:detect_stack_use_after_return=1',
  UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
};

const kQuickTests = /^tests\/web\/(?!examples\/).*\.test\.mjs$/;

const node = (...args) => run('node', args, quiet);

export const steps = {
  setup: {
    set: 'test',
    cores: 2,
    isNeeded: true,
    async run() {
      await prepare();
      const { usePeers } = await import('./conformance/specs.mjs');
      usePeers();
      const missing = [missingBrowser() && 'no Chromium', missingWebgpu() && 'no WebGPU'].filter(Boolean);
      return { note: missing.join(', ') };
    },
  },

  /** Builds the package as `npm start` does, and its debug build. */
  build: { set: 'test', after: ['setup'], cores: 2, isNeeded: true, run: () => void node('web/build.mjs', '--quick') },

  compile: {
    set: 'test',
    after: ['setup'],
    cores: 2,
    run(report) {
      useToolchain('native');
      return built('native-check', report);
    },
  },

  /** Runs the package's tests, except slow ones that rarely fail, which are steps of the set 'ci'. */
  node: {
    set: 'test',
    after: ['build'],
    run() {
      missingWebgpu();
      return nodeTests(findFiles('tests/web', kQuickTests));
    },
  },

  /** Runs the native tests, those of WebGPU on a software renderer. */
  native: {
    set: 'test',
    after: ['compile'],
    run() {
      missingWebgpu();
      return nativeTests('native-check');
    },
  },

  includes: { set: 'test', after: ['setup'], run: () => void node('tests/check_includes.mjs') },

  commits: { set: 'test', run: () => void node('tests/check_commits.mjs') },

  format: { set: 'test', after: ['setup'], run: () => void node('tests/format.mjs', '--check') },

  types: {
    set: 'test',
    after: ['setup'],
    run() {
      node('node_modules/typescript/bin/tsc', '--noEmit');
      node('tests/types/compare.mjs');
      node('tests/types/api.mjs');
    },
  },

  lint: {
    set: 'test',
    after: ['setup'],
    run() {
      node('tests/check_names.mjs');
      node('node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0');
    },
  },

  /** Runs TensorFlow.js's own specs; fails if one fails that passed before. */
  specs: {
    set: 'test',
    after: ['build'],
    run: () =>
      counted('node', ['tests/conformance/run.mjs', '--check'], {}, (output) => {
        const [, passed, broken] = /: (\d+) of \d+ specs .*(?:\n(\d+) of these passed before)?/.exec(output) ?? [];
        return { passed, failed: broken };
      }),
  },

  page: { set: 'test', after: ['build'], run: () => inBrowser(() => nodeTests(['tests/browser/page.test.mjs'])) },

  /** Checks that clang is called as em++ would call it. */
  toolchain: { set: 'test', after: ['build'], run: () => nodeTests(['tests/toolchain.test.mjs']) },

  'compile-asan': {
    set: 'ci',
    cores: 2,
    run(report) {
      useToolchain('native');
      return built('native-debug', report);
    },
  },

  /** Builds the npm package, and checks the generated files in the repository. */
  package: { set: 'ci', cores: 2, isNeeded: true, run: () => void node('web/build.mjs', '--check') },

  /** Runs the native tests under AddressSanitizer and UndefinedBehaviorSanitizer. */
  asan: {
    set: 'ci',
    after: ['compile-asan'],
    cores: 2,
    run: () => nativeTests('native-debug', { shards: 2, tags: '~[webgpu]', env: kSanitized }),
  },

  /**
   * Runs WebGPU's native tests under the sanitizers, in two processes that share few pipelines, since a software renderer spends
   * most of the time compiling them: products, convolutions and gradients in one, everything else in the other.
   */
  'asan-webgpu': {
    set: 'ci',
    after: ['compile-asan'],
    cores: 2,
    run() {
      missingWebgpu();
      return nativeTests('native-debug', {
        tags: ['[webgpu][activation],[webgpu][gradient]', '[webgpu]~[activation]~[gradient]'],
        env: kSanitized,
      });
    },
  },

  /** Runs ONNX's own node tests natively. */
  onnx: { set: 'ci', run: checkCases },

  fuzz: { set: 'ci', after: ['compile-asan'], run: () => fuzz({ runs: 5000, env: kSanitized }) },

  tidy: {
    set: 'ci',
    cores: 2,
    run() {
      useToolchain('native');
      return tidy();
    },
  },

  /** Installs the C++ package, and uses it in a program outside this tree. */
  install: { set: 'ci', cores: 2, run: () => void node('tests/install_test.mjs') },

  /**
   * Runs some of Node's tests on each build that Node can load; `npm run environments -- "own tests"` runs all of them. Tests
   * of computations also run with relaxed SIMD, within the same tolerances, and with results of every size deferred until they
   * are read.
   */
  builds: {
    set: 'ci',
    after: ['package'],
    run() {
      const all = kBuilds.map((TENURE_BUILD) => nodeTests(['tests/web/tensor'], { env: { TENURE_BUILD } }));
      all.push(
        nodeTests(['tests/web/ops', 'tests/web/models'], {
          imported: ['./tests/builds/relaxed.mjs', './tests/builds/lazy.mjs'],
        }),
      );
      all.push(nodeTests(['tests/web/runtime', 'tests/web/debug', 'tests/web/owner']));
      // Only these builds have tf.node, and the messages of the debug build.
      for (const TENURE_BUILD of ['node.js', 'debug/node.cjs'])
        all.push(nodeTests(['tests/web/docs/examples.test.mjs'], { env: { TENURE_BUILD } }));
      return sumOf(all);
    },
  },

  examples: { set: 'ci', after: ['package'], run: () => nodeTests(['tests/web/examples']) },

  'eslint-plugin': { set: 'ci', run: () => nodeTests(['eslint-plugin/tests']) },

  /**
   * Compares random calls, data pipelines, tables and graphs with TensorFlow.js, and runs its layers, converter and data over
   * Tenure.
   */
  conformance: {
    set: 'ci',
    after: ['package'],
    run() {
      node('tests/conformance/pipelines.mjs');
      node('tests/conformance/csv.mjs');
      node('tests/conformance/graphs.mjs');
      node('tests/ecosystem/upstream/run.mjs');
      node('tests/ecosystem/upstream/specs.mjs');
    },
  },

  /** Trains small programs of the kind of tfjs-examples, and compares their losses with TensorFlow.js. */
  programs: { set: 'ci', after: ['package'], run: () => void node('tests/ecosystem/programs/run.mjs') },

  'specs-pages': {
    set: 'ci',
    after: ['package'],
    run: () =>
      inBrowser(() => {
        for (const backend of ['wasm', 'webgl', 'webgpu'])
          node('tests/conformance/run.mjs', '--browser', '--backend', backend, '--check');
        for (const backend of ['webgl', 'webgpu'])
          node('tests/conformance/random/run.mjs', '--browser', '--backend', backend, '--count', '2000');
      }),
  },

  human: {
    set: 'ci',
    after: ['package'],
    run: () => runHuman(...(missingBrowser() ? [] : ['--browser'])),
  },

  /** Tests the packed package as users get it: in pages, and its types. */
  browser: {
    set: 'ci',
    after: ['package'],
    run() {
      const missing = missingBrowser();
      return { ...nodeTests(['tests/browser']), note: missing && `pages skipped: ${missing}` };
    },
  },

  /** Tests the packed package and the demo in Firefox, WebKitGTK and Chromium 102. */
  browsers: {
    set: 'ci',
    after: ['package', 'browser'],
    run: () => inBrowser(() => void node('tests/browser/other_browsers.mjs')),
  },

  /** Tests the packed package with bundlers, test runners and runtimes. */
  environments: {
    set: 'ci',
    after: ['package'],
    run: () => inBrowser(() => void node('tests/environments/run.mjs', '--quick')),
  },

  ecosystem: { set: 'all', cores: 2, run: () => void node('tests/ecosystem/run.mjs') },

  /** Compares models of npm packages, and nodes that ONNX's own tests lack, with onnxruntime-web. */
  'onnx-models': { set: 'all', after: ['package'], run: () => void node('tests/onnx/models.mjs') },

  /** Compares models of npm packages, and nodes, with LiteRT.js. */
  'tflite-models': { set: 'all', after: ['package'], run: () => void node('tests/tflite/models.mjs') },

  'environments-all': { set: 'all', cores: 2, run: () => void node('tests/environments/run.mjs') },

  'fuzz-long': { set: 'all', run: () => fuzz({ seconds: 300, env: kSanitized }) },

  /** Makes the folder that carries the engine's benchmarks to a machine with a GPU, and runs it on a software renderer. */
  'gpu-pack': { set: 'all', run: () => nodeTests(['tests/bench/gpu/pack.test.mjs']) },

  'random-calls': {
    set: 'all',
    run() {
      node('tests/conformance/random/run.mjs', '--count', '20000');
      node('tests/conformance/random/run.mjs', '--browser', '--count', '10000');
    },
  },

  /** Runs the Human library on WebGPU: a software renderer compiles the kernels of its models for a minute. */
  'human-webgpu': {
    set: 'all',
    after: ['package'],
    run: () => inBrowser(() => runHuman('--browser', '--backend', 'webgpu', '--detections', '1', '--on-gpu', '2')),
  },

  /** Runs the tests of WebGPU in a page with all models, instead of a few. */
  'webgpu-models': {
    set: 'all',
    after: ['package'],
    run: () => inBrowser(() => nodeTests(['tests/browser/webgpu.test.mjs'], { env: { TENURE_WEBGPU_MODELS: 'all' } })),
  },
};

async function built(preset, report) {
  await buildPreset(preset, { progress: report });
}

/** Runs the Human library. Returns a note that says why it was skipped, if it was. */
function runHuman(...options) {
  const reason = /^skipped: (.*)/.exec(node('tests/conformance/human.mjs', ...options))?.[1];
  return { note: reason && `the Human library was skipped: ${reason}` };
}

/** Runs a check in pages. Outside CI it is skipped, with a note, if there is no Chromium. */
function inBrowser(check) {
  const missing = missingBrowser();
  return missing ? { note: `skipped: ${missing}` } : check();
}

/** Sets Dawn up, for tests that are skipped without. Returns why it is missing. Throws in CI, where it is required. */
function missingWebgpu() {
  try {
    useToolchain('webgpu');
    return undefined;
  } catch (error) {
    if (process.env.CI) throw error;
    return 'Dawn is missing and cannot be installed';
  }
}

/** Returns why there is no Chromium, or undefined if there is one. Throws in CI, where one is required. */
function missingBrowser() {
  try {
    useToolchain('browser');
    usePackages();
    return undefined;
  } catch (error) {
    if (process.env.CI) throw error;
    return 'Chromium is missing and cannot be installed';
  }
}
