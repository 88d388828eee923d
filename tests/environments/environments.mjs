// The environments that the package has to support: for each, its folder, the command that runs there, and the page that
// Chromium opens.
import { kBuilds } from '../builds/all.mjs';
import { overrides, snippets } from './snippets.mjs';

const kVite = (version) => `node ../node_modules/${version}/bin/vite.js`;
const kInlineScripts = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
const kServe = '--host 127.0.0.1 --strictPort --port $PORT';

const vite = (version) => [
  {
    name: `${version}: build, and a worker`,
    folder: 'page',
    run: `${kVite(version)} build --base ./ --outDir built`,
    page: 'built/index.html',
  },
  {
    name: `${version}: development server, and a worker`,
    folder: 'page',
    serve: `${kVite(version)} ${kServe}`,
    page: '',
  },
  {
    name: `${version}: preview`,
    folder: 'page',
    run: `${kVite(version)} build --outDir built`,
    serve: `${kVite(version)} preview --outDir built ${kServe}`,
    page: '',
  },
  {
    name: `${version}: SSR`,
    folder: 'ssr',
    run: `${kVite(version)} build --ssr server.js --outDir built && node built/server.js`,
  },
  {
    name: `${version}: SSR, all in one bundle`,
    folder: 'ssr',
    files: { 'vite.config.mjs': 'export default { ssr: { noExternal: true } };' },
    run: `${kVite(version)} build --ssr server.js --outDir built && node built/server.js`,
  },
];

const node = (name, folder, file) => ({ name, folder, run: `node ${file}`, quick: true });
const esbuild = (format) =>
  `node ../node_modules/esbuild/bin/esbuild main.js --bundle --format=${format} --outfile=bundle.js`;
const kVersions = { $NODE22: 22, $NODE24: 24, $NODE26: 26 };
const nodes = Object.entries(kVersions).flatMap(([binary, version]) => [
  { name: `Node ${version}, ESM`, folder: 'node_esm', run: `${binary} main.mjs` },
  { name: `Node ${version}, require()`, folder: 'node_cjs', run: `${binary} main.cjs` },
  { name: `Node ${version}, require() and import in one program`, folder: 'node_both', run: `${binary} main.cjs` },
]);
const lines = (name, how) => ({
  name: `lines of TypeScript in the debug build: ${name}`,
  folder: 'lines',
  own: true,
  ...how,
});
const suite = (build) => ({
  name: `the package's own tests, on ${build}`,
  folder: 'node_esm',
  run: `cd "$ROOT" && TENURE_BUILD=${build} node tests/run.mjs node`,
  tests: true,
  own: true,
});
const wasmFile = (name, how) => ({
  name: `${name}: wasm in a file of its own`,
  folder: 'wasm_file',
  entry: 'tenure/no-await',
  own: true,
  ...how,
});
const alias = (name, files, how) => ({
  name: `packages for TensorFlow.js: ${name}`,
  folder: 'alias',
  own: true,
  files,
  ...how,
});
const tsc = (file, module, resolution) =>
  `node ../node_modules/typescript/bin/tsc --noEmit --strict --target es2022 --lib es2022,dom --skipLibCheck false --module ${module} --moduleResolution ${resolution} ${file} && echo 10 0`;

/**
 * `run` and `serve` are commands; `page` names a page of the folder or of the server. `quick` environments need nothing but
 * Node. The exit status of `tests` is the whole result. `entry` is the program's import in place of 'tenure'. `own`
 * environments cannot be tried with TensorFlow.js.
 */
export const environments = [
  node('Node, ESM', 'node_esm', 'main.mjs'),
  node('Node, require()', 'node_cjs', 'main.cjs'),
  node('Node, require() and import in one program', 'node_both', 'main.cjs'),
  ...nodes,
  node('Node, worker_threads', 'worker_threads', 'main.mjs'),
  { ...node('node:test', 'node_test', '--test main.test.mjs'), tests: true },
  { name: 'Jest, as it comes', folder: 'jest', run: 'node ../node_modules/jest/bin/jest.js --rootDir .', tests: true },
  {
    name: 'Jest with jsdom',
    folder: 'jest_jsdom',
    run: 'node ../node_modules/jest/bin/jest.js --rootDir . --env jsdom',
    tests: true,
  },
  { name: 'Vitest', folder: 'vitest', run: 'node ../node_modules/vitest/vitest.mjs run', tests: true },
  {
    name: 'Vitest with jsdom',
    folder: 'vitest',
    // jsdom 31 requires Node 22.
    run: '$NODE22 ../node_modules/vitest/vitest.mjs run --environment jsdom',
    tests: true,
  },
  {
    name: 'Vitest with happy-dom',
    folder: 'vitest',
    run: 'node ../node_modules/vitest/vitest.mjs run --environment happy-dom',
    tests: true,
  },
  {
    name: 'Jasmine',
    folder: 'jasmine',
    run: 'node ../node_modules/jasmine/bin/jasmine.js spec/main.spec.mjs',
    tests: true,
  },
  { name: 'Bun', folder: 'node_esm', run: '$BUN main.mjs' },
  { name: 'Bun, require()', folder: 'node_cjs', run: '$BUN main.cjs' },
  {
    name: 'Deno, with no permissions',
    folder: 'deno',
    run: '$DENO run --no-prompt --node-modules-dir=manual main.mjs',
  },
  ...['vite5', 'vite7', 'vite8'].flatMap(vite),
  {
    name: 'webpack 5, and a worker',
    folder: 'page',
    run: 'node ../node_modules/webpack/bin/webpack.js --mode production --entry ./main.js -o built && cp index.html built',
    page: 'built/index.html',
  },
  {
    name: 'Rollup',
    folder: 'single',
    run: 'node ../node_modules/rollup/dist/bin/rollup -c',
    page: 'built/bundle.html',
  },
  { name: 'esbuild', folder: 'single', run: esbuild('iife'), page: 'bundle.html' },
  {
    name: 'esbuild, "type": "commonjs"',
    folder: 'single',
    type: 'commonjs',
    run: esbuild('iife'),
    page: 'bundle.html',
  },
  {
    name: 'esbuild with conditions of its own',
    folder: 'single',
    run: `${esbuild('iife')} --conditions=custom`,
    page: 'bundle.html',
  },
  {
    name: 'esbuild for Node, in one file',
    folder: 'ssr',
    run: 'node ../node_modules/esbuild/bin/esbuild server.js --bundle --platform=node --outfile=built/server.cjs && node built/server.cjs',
  },
  {
    name: 'Parcel 2, and a worker',
    folder: 'page',
    run: 'node ../node_modules/parcel/lib/bin.js build index.html --public-url ./ --dist-dir built --no-cache --no-autoinstall --cache-dir .cache',
    page: 'built/index.html',
    // It writes an import map into the page.
    policy: kInlineScripts,
  },
  {
    name: 'Next.js 16, server and client',
    folder: 'next',
    run: 'node ../node_modules/next/dist/bin/next build',
    serve: 'node ../node_modules/next/dist/bin/next start -H 127.0.0.1 -p $PORT',
    page: '',
  },
  {
    name: 'workerd (Cloudflare Workers)',
    folder: 'workerd',
    entry: 'tenure/no-await',
    own: true,
    run: 'node ../node_modules/esbuild/bin/esbuild server.js --bundle --format=esm --external:./tenure.wasm --conditions=workerd,worker,browser --outfile=built/worker.js && cp ../node_modules/tenure/dist/tenure.whole.wasm built/tenure.wasm',
    serve: '$WORKERD serve config.capnp --socket-addr http=127.0.0.1:$PORT',
    page: '',
  },
  {
    name: 'classic script, importScripts(), service worker',
    folder: 'classic',
    page: 'script.html',
    quick: true,
    own: true,
  },
  {
    name: 'SharedWorkers, a service worker that is a module, frames, two copies in one page',
    folder: 'frames',
    page: 'frames.html',
    quick: true,
    own: true,
  },
  {
    name: 'module script with an import map',
    folder: 'import_map',
    page: 'map.html',
    // The map is inside the page.
    policy: kInlineScripts,
    quick: true,
    own: true,
  },
  { name: 'TypeScript, bundler', folder: 'typescript', run: tsc('main.ts', 'esnext', 'bundler') },
  { name: 'TypeScript, node16', folder: 'typescript', run: tsc('main.ts main.cts', 'node16', 'node16') },
  { name: 'TypeScript, nodenext', folder: 'typescript', run: tsc('main.ts main.cts', 'nodenext', 'nodenext') },
  ...['vite5', 'vite7', 'vite8'].flatMap((version) => [
    wasmFile(`${version}, build`, {
      run: `${kVite(version)} build --base ./ --outDir built`,
      page: 'built/index.html',
    }),
    wasmFile(`${version}, development server`, { serve: `${kVite(version)} ${kServe}`, page: '' }),
  ]),
  wasmFile('webpack 5', {
    run: 'node ../node_modules/webpack/bin/webpack.js --mode production --entry ./found.js -o built --output-filename bundle.js',
    page: 'built/bundle.html',
  }),
  wasmFile('Rollup', {
    run: 'node ../node_modules/rollup/dist/bin/rollup -c && cp ../node_modules/tenure/dist/tenure*.wasm built',
    page: 'built/bundle.html',
  }),
  wasmFile('esbuild', {
    run: 'node ../node_modules/esbuild/bin/esbuild esbuild.js --bundle --loader:.wasm=file --outfile=built/bundle.js',
    page: 'built/bundle.html',
  }),
  ...['vite5', 'vite7', 'vite8'].flatMap((version) => {
    const files = snippets('tfjs.mjs', 'vite.config.mjs');
    return [
      alias(`${version}, build`, files, {
        run: `${kVite(version)} build --base ./ --outDir built`,
        page: 'built/index.html',
      }),
      alias(`${version}, development server`, files, { serve: `${kVite(version)} ${kServe}`, page: '' }),
    ];
  }),
  alias('webpack 5', snippets('tfjs.mjs', 'webpack.config.mjs'), {
    run: 'node ../node_modules/webpack/bin/webpack.js -c webpack.config.mjs && cp dist/* built',
    page: 'built/bundle.html',
  }),
  alias('esbuild', snippets('tfjs.mjs', 'build.mjs'), { run: 'node build.mjs', page: 'bundle.html' }),
  alias('Jest', snippets('jest.config.cjs'), { run: 'node ../node_modules/jest/bin/jest.js --rootDir .', tests: true }),
  alias('npm overrides', overrides(), {
    run: 'npm install --ignore-scripts --no-audit --no-fund --loglevel=error > log && node main.cjs',
  }),
  lines('tsx', { run: 'node ../node_modules/tsx/dist/cli.mjs --conditions=development main.ts' }),
  lines("Node's own stripping of types", { run: '$NODE24 --conditions=development main.ts' }),
  lines('Vitest', { run: 'node ../node_modules/vitest/vitest.mjs run', tests: true }),
  ...['vite5', 'vite7', 'vite8'].map((version) =>
    lines(`${version}, development server`, { serve: `${kVite(version)} ${kServe}`, page: '' }),
  ),
  lines('esbuild, map in a file', {
    run: 'node ../node_modules/esbuild/bin/esbuild page.ts --bundle --minify --conditions=development --sourcemap --outfile=page.js && sed -i s/page.ts/page.js/ index.html',
    page: 'index.html',
  }),
  {
    name: 'publint',
    folder: 'node_esm',
    run: 'node ../node_modules/publint/src/cli.js --strict ../tenure-*.tgz | grep "All good!"',
    tests: true,
    own: true,
  },
  {
    name: 'Are the types wrong?',
    folder: 'node_esm',
    // tenure/engine and tenure/ort/register are modules only.
    run: 'node ../node_modules/@arethetypeswrong/cli/dist/index.js ../tenure-*.tgz --ignore-rules cjs-resolves-to-esm',
    tests: true,
    own: true,
  },
  {
    name: 'npm publish, without a complaint',
    folder: 'node_esm',
    // npm cannot know the publisher.
    run: 'npm publish --dry-run ../tenure-*.tgz > log 2>&1 && ! grep "npm warn publish" log | grep -v "logged in"',
    tests: true,
    own: true,
  },
  ...kBuilds.map(suite),
];
