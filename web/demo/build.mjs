// Builds the demo's page with Vite, and serves it as strictly as a page with wasm can be.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';

const at = (...parts) => path.join(root, ...parts);
const folderOf = (debug) => at('build/demo', debug ? 'debug' : 'release');

const kPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The trained model and its data set, from the example that they belong to. */
const irises = {
  name: 'irises',
  generateBundle() {
    for (const name of readdirSync(at('examples/iris')).filter((file) => !file.endsWith('.mjs'))) {
      this.emitFile({ type: 'asset', fileName: `iris/${name}`, source: readFileSync(at('examples/iris', name)) });
    }
  },
};

/** Bundles the page. For debugging it takes the debug build of the package, and leaves the code readable. */
export async function buildPage({ debug = false } = {}) {
  const { build } = await import('vite');
  const mode = debug ? 'development' : 'production';
  process.env.NODE_ENV = mode;
  await build({
    ...settings(),
    mode,
    plugins: [irises],
    build: {
      outDir: folderOf(debug),
      emptyOutDir: true,
      target: 'es2022',
      minify: !debug,
      // The wasm is in a chunk.
      chunkSizeWarningLimit: 3000,
      // A policy without data: URLs.
      assetsInlineLimit: 0,
      // A file for each module, so that the table of leaks names the one that leaks.
      rollupOptions: debug ? { output: { preserveModules: true, entryFileNames: '[name].js' } } : {},
    },
  });
}

/**
 * Serves what was built on 127.0.0.1; gives the address, and a function that ends it. With `isolated` the page may use
 * SharedArrayBuffer, and needs nothing that would forbid it.
 */
export async function servePage({ debug = false, isolated = true, port = 0 } = {}) {
  const { preview } = await import('vite');
  const isolation = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  const server = await preview({
    ...settings(),
    build: { outDir: folderOf(debug) },
    preview: {
      host: '127.0.0.1',
      port,
      headers: { 'Content-Security-Policy': kPolicy, ...(isolated ? isolation : {}) },
    },
  });
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}

function settings() {
  return { root: at('web/demo'), base: './', appType: 'mpa', configFile: false, logLevel: 'warn' };
}
