// The pages that each browser opens, and their expected results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';

const kTolerance = 2e-3;
const kLineUnknown = 'line unknown: Safari drops frames of tail calls';
const kEntries = [
  'index.js',
  'no_await.js',
  'inlined.js',
  'tenure.min.js',
  'tenure.single.min.js',
  'debug/index.js',
  'debug/no_await.js',
  'debug/inlined.js',
];
const kCurrent = ['Firefox', 'WebKitGTK', 'Chromium'];
const kAll = ['Firefox', 'WebKitGTK', 'Chromium 102', 'Chromium'];

/** Footnotes of the table, for rows that name them in `notes`. */
export const browserNotes = {
  tailCalls:
    'JavaScriptCore, the engine of WebKitGTK and Safari, drops the stack frame of a function that ends with a call (a tail call). A ' +
    'tensor that is created by such a call is reported as "line unknown: Safari drops frames of tail calls", with the name of the op. ' +
    'In a minified bundle without a source map, any tensor may be reported so.',
  syncCompilation:
    'Before Chrome 115 the main thread compiles at most 4 KB synchronously: builds with their wasm inside need `await tf.ready()`, and ' +
    'in the others `ready()` waits for all parts of the engine.',
  webgl:
    'WebKitGTK has WebGL2 in a `<canvas>` but not in an OffscreenCanvas, so workers have no WebGL2. It hides the name of the renderer; the ' +
    'engine measures its speed instead, and below 100 GFLOP/s a page uses the CPU by default. Chromium 102 was not tested with WebGL2 and the demo.',
  sharedMemory:
    'WebKitGTK has no SharedArrayBuffer by default. In the other rows JSC_useSharedArrayBuffer=1 enables it, as in Safari.',
};

/**
 * `page` is a path in the folder of pages, `demo` in that of the demo. `check` gets the page's result, the browser's name and
 * whether the page is isolated. A page whose script contains the wasm, `isInlined`, waits for ready() in browsers that need it.
 */
export const kRows = [
  ...kEntries.map((entry) => ({ name: `\`dist/${entry}\``, page: `build.html?build=${entry}`, check: assertWorks })),
  {
    name: '`tenure` in a bundle of Vite, with a worker',
    page: 'built/production/index.html',
    check: assertBothWork,
    isInlined: true,
    notes: ['syncCompilation'],
  },
  {
    name: '`tenure` in a development bundle of Vite, with a worker',
    page: 'built/development/index.html',
    check: assertBothWork,
    isInlined: true,
    notes: ['syncCompilation'],
  },
  {
    name: '`tenure/tfjs` in a bundle of Vite',
    page: 'built/production/tfjs.html',
    check: assertWorks,
    isInlined: true,
    notes: ['syncCompilation'],
  },
  { name: 'parts of the engine, called at once', page: 'parts.html', check: assertParts, notes: ['syncCompilation'] },
  { name: 'threads', page: 'threads.html', check: assertThreads },
  { name: 'saved models', page: 'saving.html', check: assertSaved },
  { name: 'a leak hunt, unbundled', page: 'plain_leaks.html', check: assertLeaks, notes: ['tailCalls'] },
  {
    name: 'a leak hunt, minified with a source map',
    page: 'built/mapped/leaks_page.html',
    check: assertMappedLeaks,
    isInlined: true,
    notes: ['tailCalls', 'syncCompilation'],
  },
  {
    name: 'a leak hunt, minified without a source map',
    page: 'built/production/leaks_page.html',
    check: assertMinifiedLeaks,
    isInlined: true,
    notes: ['tailCalls', 'syncCompilation'],
  },
  { name: 'WebGL2', page: 'webgl_brief.html', check: assertWebgl, browsers: kCurrent, notes: ['webgl'] },
  { name: 'the demo', demo: 'index.html', check: assertDemo, browsers: kCurrent },
  { name: "the demo's training", demo: 'training.html', check: assertTraining, browsers: kCurrent },
  {
    name: 'the demo, with the language C',
    demo: 'index.html',
    check: assertDemo,
    browsers: ['WebKitGTK'],
    launch: { language: 'C' },
    isolations: [false],
  },
  {
    name: '`dist/index.js`, isolated without SharedArrayBuffer',
    page: 'build.html?build=index.js',
    check: assertWorks,
    browsers: ['WebKitGTK'],
    launch: { threads: false },
    notes: ['sharedMemory'],
    isolations: [true],
  },
];
for (const row of kRows) row.browsers ??= kAll;

/** Checks that the demo names the line that leaks, that the mend makes both programs flat, and what the experiments show. */
function assertDemo({ leak, mend, outcomes: [scope, disposed, memory] }) {
  const lineOf = (file, text) =>
    readFileSync(path.join(root, 'web/demo', file), 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;
  assert.deepEqual(leak, {
    named: `tracker.ts:${lineOf('tracker.ts', '= gray.squaredDifference(last)')}`,
    tensors: [1, 1],
  });
  assert.deepEqual(mend, [0, 0]);
  assert.match(scope, /2 lines leak\. In scopeAsync, none does\.$/);
  const line = lineOf('mistakes.ts', 'image.dispose()');
  assert.match(disposed, new RegExp(`^DisposedError: .*mistakes\\.ts:${line - 1}:.*mistakes\\.ts:${line}:\\d+$`));
  assert.match(memory, /^OutOfMemoryError: .*out of memory/);
}

function assertTraining({ first, last }) {
  assert.ok(last < first, `the loss went from ${first} to ${last}`);
}

function assertWorks({ ops, irises }) {
  assert.deepEqual(ops, {
    values: [
      [2, 3],
      [4, 5],
    ],
    error: 'DisposedError',
    before: ops.before,
    after: ops.before,
  });
  assert.equal(irises.accuracy, 147 / 150);
  assert.deepEqual(
    irises.leaking,
    irises.leaking.map((_, turn) => irises.start + turn + 1),
  );
  assert.deepEqual(irises.after, irises.before);
}

function assertBothWork({ page, worker }) {
  assertWorks(page);
  assertWorks(worker);
}

function assertParts({ sum, gradient, layer, left, graph }) {
  assert.deepEqual([sum, gradient, left], [[54], [2, 4, 6, 8], 0]);
  assert.match(layer, /field "units" must be a positive integer, got -4/);
  assert.match(graph, /the model's topology has no nodes/);
}

function assertThreads(
  { isolated, threads, differ, sameGradients, isSame, drawn, message, pixels, grown, left, end },
  { isolated: asked },
) {
  assert.deepEqual(
    { isolated, differ, sameGradients, isSame, drawn, pixels, grown, left, end },
    {
      isolated: asked,
      differ: 0,
      sameGradients: true,
      isSame: true,
      drawn: [true, true],
      pixels: [255, 0, 0, 0, 255, 0],
      grown: 2,
      left: 0,
      end: 1,
    },
  );
  assert.equal(threads, asked ? 3 : 1);
  assert.match(message, /reshape/);
}

function assertSaved({ expected, found, left, before, after }) {
  for (const one of Object.values(found)) assert.deepEqual(one, { iterations: 3, numbers: expected });
  assert.deepEqual([left, after], [[], before]);
}

/** Numbers of leaks.js whose calls are tail calls, so that WebKit has dropped the frame. */
const kTailCalls = new Set([4, 5, 6, 7, 8]);
/** Minifiers turn `const result = call(); return result;` into another tail call. */
const kMinifiedTailCalls = new Set([...kTailCalls, 9]);
const kNames = { 1: 'ones', 2: 'add', 4: 'zeros', 5: 'ones', 6: 'ones', 7: 'ones', 8: 'ones', 9: 'fill', 10: 'ones' };

/** Checks that each leak is reported with its function and line or, in WebKit, without a line rather than with a wrong one. */
function assertLeaks({ found, report, left }, { browser }, tailCalls = kTailCalls) {
  const lines = readFileSync(path.join(root, 'tests/browser/page/leaks.js'), 'utf8').split('\n');
  const lineOf = (comment) => lines.findIndex((line) => line.endsWith(`// ${comment}`)) + 1;
  for (const [i, [number, op, site]] of found.entries()) {
    const isUnknown = browser === 'WebKitGTK' && tailCalls.has(number);
    if (isUnknown) {
      assert.deepEqual([op, site], ['fill', kLineUnknown], `leak ${number}`);
      continue;
    }
    const isRelu = number === 3 && found[i - 1]?.[0] === 3;
    assert.equal(op, number === 3 ? (isRelu ? 'relu' : 'zeros') : kNames[number], `leak ${number}`);
    assert.match(site, new RegExp(`(^|/)leaks\\.js:${lineOf(isRelu ? '3 again' : number)}:\\d+$`), `leak ${number}`);
  }
  assert.equal(found.length, 11);
  assert.doesNotMatch(report, /not sampled/);
  assert.equal(left, 0);
}

function assertMappedLeaks(found, where) {
  assertLeaks(found, where, kMinifiedTailCalls);
}

/** Checks the report of a minified bundle without a source map: lines are the bundle's, names the engine's. */
function assertMinifiedLeaks({ found, report, left }, { browser }) {
  for (const [number, op, site] of found) {
    assert.match(op, /^(ones|zeros|fill|add|relu)$/, `leak ${number}`);
    if (browser === 'WebKitGTK' && kMinifiedTailCalls.has(number)) assert.equal(site, kLineUnknown);
    else assert.match(site, /\.js:\d+:\d+$|^line unknown: /);
  }
  assert.equal(found.length, 11);
  assert.doesNotMatch(report, /not sampled/);
  assert.equal(left, 0);
}

function assertWebgl({ byDefault, chosen, ops, models, reads, pixels, contextLoss, before, after }) {
  assert.equal(byDefault, 'wasm', 'a software renderer is no reason to leave the CPU');
  assert.deepEqual([chosen, ops], [true, []]);
  for (const { name, worst } of models) assert.ok(worst <= kTolerance, `${name} differs by ${worst}`);
  assert.deepEqual(reads, { onGpu: true, first: 4, last: 4, again: 9, int: 2 ** 24 + 1 });
  for (const [name, [, values]] of Object.entries(pixels.got)) {
    assert.deepEqual(
      values,
      pixels.bytes.filter((_, i) => i % 4 < Number(name.at(-1))),
      name,
    );
  }
  for (const [name, [, , bytes]] of Object.entries(pixels.drawn)) assert.deepEqual(bytes, pixels.bytes, name);
  assert.deepEqual([contextLoss.events, contextLoss.onGpu], [['lost', 'restored'], true]);
  assert.ok(
    contextLoss.after.every((p) => Math.abs(p - contextLoss.before) < 1e-5),
    String(contextLoss.after),
  );
  assert.deepEqual(after, before);
}
