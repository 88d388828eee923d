// Builds the demo's pages with Vite, and serves them under the strictest policy that allows wasm.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { modified, root, run } from '../../cpp/toolchain/use.mjs';
import { pageParts } from './page_parts.mjs';

const at = (...parts) => path.join(root, ...parts);
/** The default output folder of the pages. */
const kDemoFolder = at('build/demo');

/** The content security policy of the served pages. */
export const kDemoPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The programs that the first page shows and runs. */
const kPrograms = ['tracker.ts', 'mistakes.ts'];

/** Copies the programs' sources, which pages link to. */
const copies = {
  name: 'copies',
  generateBundle() {
    for (const name of kPrograms) {
      this.emitFile({ type: 'asset', fileName: `source/${name}.txt`, source: readFileSync(at('web/demo', name)) });
    }
  },
};

/** Keeps start.ts's side-effect imports: package.json declares files of this package free of side effects. */
const programs = {
  name: 'programs',
  transform: (code, file) =>
    /web\/demo\/(main|training|detection)\.ts$/.test(file) ? { code, map: null, moduleSideEffects: true } : undefined,
};

/** Bundles the pages into `folder`; `docs` is the relative path to the documentation. */
export async function buildPage({ folder = kDemoFolder, docs } = {}) {
  const { build } = await import('vite');
  // An import of 'tenure' must resolve to the release build.
  process.env.NODE_ENV = 'production';
  const pages = readdirSync(at('web/demo')).filter((name) => name.endsWith('.html'));
  const hasPeer = preparePeer();
  await build({
    ...settings(),
    mode: 'production',
    plugins: [copies, programs, pageParts({ pages, docs })],
    resolve: hasPeer ? {} : { alias: [{ find: /\/peer\.mjs$/, replacement: at('web/demo/peer/missing.mjs') }] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // The debug build's report names lines of the sources.
      sourcemap: true,
      // A chunk contains the wasm.
      chunkSizeWarningLimit: 6000,
      // The policy has no data: URLs.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: pages.map((name) => at('web/demo', name)),
        // A report reads the source map of the file that it cites, so that file should be small.
        output: { codeSplitting: { groups: [{ name: 'programs', test: /web\/demo\/(tracker|mistakes)\.ts$/ }] } },
      },
    },
  });
}

/**
 * Serves the pages built into `folder` on 127.0.0.1; returns the address, and a function that stops the server. With `isolated` the page may
 * use SharedArrayBuffer.
 */
export async function servePage({ folder = kDemoFolder, isolated = true, port = 0 } = {}) {
  const { preview } = await import('vite');
  const isolation = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  const server = await preview({
    ...settings(),
    build: { outDir: folder },
    preview: {
      host: '127.0.0.1',
      port,
      headers: { 'Content-Security-Policy': kDemoPolicy, ...(isolated ? isolation : {}) },
    },
  });
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}

/** Installs TensorFlow.js for the comparison; returns false if it cannot be installed. */
function preparePeer() {
  if (modified(at('web/demo/peer/node_modules/.package-lock.json')) < modified(at('web/demo/peer/package-lock.json'))) {
    try {
      run(
        'npm',
        ['ci', '--prefix', 'web/demo/peer', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
        { quiet: true },
      );
    } catch (error) {
      console.warn(`the demo is built without TensorFlow.js: ${error.message.split('\n')[0]}`);
    }
  }
  return existsSync(at('web/demo/peer/node_modules/@tensorflow/tfjs-core'));
}

function settings() {
  return { root: at('web/demo'), base: './', appType: 'mpa', configFile: false, logLevel: 'warn' };
}
