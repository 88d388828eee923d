import path from 'node:path';
import { build } from 'vite';
import { root } from '../../cpp/toolchain/use.mjs';
import { kDemoPolicy, buildPage } from '../../web/demo/build.mjs';
import { modelsFolder } from '../golden_models.mjs';
import { projectOf } from './packed.mjs';

/** Builds the sites of the rows: for each server its folders, and the demo's policy. */
export async function prepareSites(rows) {
  const project = projectOf({
    'tests/browser/page': '.',
    'tests/web/common.mjs': 'common.mjs',
    'examples/iris': 'iris',
  });
  const needs = (part) => rows.some(({ page }) => page?.includes(part));
  if (needs('built/production')) await bundle(project, 'production', ['index.html', 'tfjs.html', 'leaks_page.html']);
  if (needs('built/mapped')) await bundle(project, 'mapped', ['leaks_page.html'], { sourcemap: true });
  if (needs('built/development')) await bundle(project, 'development', ['index.html']);
  const pages = {
    folders: {
      '/': project,
      '/tenure/': path.join(project, 'node_modules/tenure'),
      '/models/': modelsFolder,
      '/web/ops/': path.join(root, 'tests/web/ops'),
      '/web/expect.mjs': path.join(project, 'tf.js'),
    },
  };
  if (rows.every(({ page }) => page)) return { pages };
  // In a folder of its own: tests in Chromium build the demo at the same time.
  const folder = path.join(root, 'build/demo_matrix');
  await buildPage({ folder });
  return { pages, demo: { folders: { '/': folder }, policy: kDemoPolicy } };
}

/** Bundles pages into the folder `built/NAME` of the project. */
async function bundle(project, name, pages, options = {}) {
  const mode = name === 'development' ? name : 'production';
  // Vite chooses the package's build by NODE_ENV.
  process.env.NODE_ENV = mode;
  await build({
    root: project,
    mode,
    base: './',
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      outDir: path.join(project, 'built', name),
      chunkSizeWarningLimit: 8000,
      rollupOptions: { input: pages.map((page) => path.join(project, page)) },
      ...options,
    },
  });
  delete process.env.NODE_ENV;
}
