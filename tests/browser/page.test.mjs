// The package as users get it, in pages: built by Vite, served by its development server, and without a bundler.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test, { after, before, beforeEach } from 'node:test';
import { build, createLogger, createServer } from 'vite';
import { openBrowser, served, skip, visit } from './chrome.mjs';
import { projectOf } from './packed.mjs';

let project;
let browser;

before(async () => {
  if (skip) return;
  project = projectOf({
    'tests/browser/page': '.',
    'tests/web/common.mjs': 'common.mjs',
    'examples/iris': 'public/iris',
  });
  browser = await openBrowser();
});
after(() => browser?.close());
beforeEach(() => {
  // Vite reads NODE_ENV, and sets it if it is missing.
  delete process.env.NODE_ENV;
  complaints.length = 0;
});

test('a page and its worker, built by Vite', { skip }, async () => {
  const { folder, sources } = await bundle('index.html');
  assert.ok(sources.includes(packaged('dist/production.js')), sources.join('\n'));
  const { page, worker } = await served(browser, { '/': folder }, '/index.html');
  assertWorks(page);
  assertWorks(worker);
});

test('a bundle for development takes the debug build', { skip }, async () => {
  const { folder, sources } = await bundle('index.html', 'development');
  assert.ok(sources.includes(packaged('dist/debug/chosen/inlined.js')), sources.join('\n'));
  const { page, worker } = await served(browser, { '/': folder }, '/index.html');
  assertWorks(page);
  assertWorks(worker);
});

test('a bundle of named imports keeps the methods of tensors', { skip }, async () => {
  const { folder } = await bundle('named.html');
  assert.deepEqual(await served(browser, { '/': folder }, '/named.html'), [2, 4, 6]);
});

test('a page built by Vite starts threads under a strict content security policy', { skip }, async () => {
  const { folder } = await bundle('threads_bundled.html');
  const found = await served(browser, { '/': folder }, '/threads_bundled.html', { isolated: true });
  assert.deepEqual(found, { threads: 2, sum: 300 ** 3 });
});

test("Vite's development server", { skip }, async () => {
  process.env.NODE_ENV = 'development';
  const server = await createServer({ ...settings(), server: { host: '127.0.0.1', port: 0 } });
  try {
    await server.listen();
    const { page, worker } = await visit(browser, new URL('index.html', server.resolvedUrls.local[0]));
    const { optimized } = server.environments.client.depsOptimizer.metadata;
    assert.equal(optimized.tenure.src, packaged('dist/debug/chosen/inlined.js'));
    assertWorks(page);
    assertWorks(worker);
  } finally {
    await server.close();
  }
  assert.deepEqual(complaints, []);
});

test('a page without a bundler', { skip }, async () => {
  const folders = { '/': project, '/iris/': path.join(project, 'public/iris'), '/tenure/': packaged('') };
  assertWorks(await served(browser, folders, '/plain.html'));
});

const kBuilds = [
  'index.js',
  'no_await.js',
  'inlined.js',
  'tenure.min.js',
  'tenure.single.min.js',
  'debug/index.js',
  'debug/no_await.js',
  'debug/inlined.js',
];
for (const build of kBuilds) {
  test(`${build} without a bundler, under a strict content security policy`, { skip }, async () => {
    const folders = { '/': project, '/iris/': path.join(project, 'public/iris'), '/tenure/': packaged('') };
    assertWorks(await served(browser, folders, `/build.html?build=${build}`));
  });
}

test(
  'the debug build names lines of pages: unbundled, served by Vite, and bundled into one file',
  { skip },
  async () => {
    assertNamesLines(await served(browser, { '/': project, '/tenure/': packaged('') }, '/plain_debug.html'), project);

    const server = await createServer({ ...settings(), server: { host: '127.0.0.1', port: 0 } });
    try {
      await server.listen();
      assertNamesLines(await visit(browser, new URL('debug.html', server.resolvedUrls.local[0])), project);
    } finally {
      await server.close();
    }

    const { folder } = await bundle('debug.html', 'development');
    assertNamesLines(await served(browser, { '/': folder }, '/debug.html'), folder);
  },
);

const packaged = (file) => path.join(project, 'node_modules/tenure', file);

/** Vite's warnings. */
const complaints = [];

function settings() {
  const customLogger = createLogger('warn');
  // The duration of its plugins depends on the machine.
  customLogger.warn = customLogger.error = (message) => /PLUGIN_TIMINGS/.test(message) || complaints.push(message);
  return { root: project, configFile: false, customLogger, logLevel: 'warn', worker: { format: 'es' } };
}

/** Builds one page; returns the folder and its source files. */
async function bundle(entry, environment = 'production') {
  process.env.NODE_ENV = environment;
  const folder = path.join(project, 'built', environment, entry);
  const { output } = await build({
    ...settings(),
    mode: environment,
    // The chunk contains the wasm.
    build: {
      outDir: folder,
      target: 'es2022',
      chunkSizeWarningLimit: 4000,
      rollupOptions: { input: path.join(project, entry) },
    },
  });
  assert.deepEqual(complaints, []);
  return { folder, sources: output.flatMap((chunk) => chunk.moduleIds ?? []) };
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
  assert.equal(ops.before.numTensors, 0);

  const { accuracy, start, leaking, underTidy, withDispose, before, after } = irises;
  assert.equal(accuracy, 147 / 150);
  assert.equal(start, 4 + 150);
  assert.deepEqual(
    leaking,
    leaking.map((_, turn) => start + turn + 1),
  );
  assert.deepEqual(new Set([...underTidy, ...withDispose]), new Set([start + 150]));
  assert.deepEqual(after, before);
}

/** Checks, in the files below `folder`, that the reported positions are those of the calls. */
function assertNamesLines({ alive, warnings }, folder) {
  const calls = alive.map(([op, site]) => {
    const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(site);
    const text = readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      [line - 1].slice(column - 1);
    // A bundler may have renamed the function, and removed spaces.
    return `${op}${/^[\w$]+(\([^)]*\))/.exec(text)?.[1].replaceAll(' ', '')}`;
  });
  assert.deepEqual(calls, ['ones([8,8])', 'eye(3)']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /made by eye at .* is in no scope, while scope "frame" is open/);
}
