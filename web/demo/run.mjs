// `npm run demo [-- --debug] [--no-isolation] [--port=4173]`: builds the page, and the package where it is missing or
// older than its sources, and serves it.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { root, run, usePackages } from '../../cpp/toolchain/use.mjs';
import { buildPage, servePage } from './build.mjs';

const kSources = ['cpp', 'web/src', 'web/build.mjs'];
const debug = process.argv.includes('--debug');
const isolated = !process.argv.includes('--no-isolation');
const port = Number(process.argv.find((argument) => argument.startsWith('--port='))?.slice('--port='.length) ?? 4173);

usePackages();
if (isStale(debug ? 'dist/debug/index.js' : 'dist/index.js')) {
  run('node', ['web/build.mjs', ...(debug ? [] : ['--release-only'])]);
}
await buildPage({ debug });
const { url } = await servePage({ debug, isolated, port });
console.log(`${url}   the ${debug ? 'debug' : 'release'} build; Ctrl+C ends it`);

function isStale(product) {
  const modified = (name) => statSync(path.join(root, name)).mtimeMs;
  if (!existsSync(path.join(root, product))) return true;
  return kSources.some((source) => filesIn(source).some((file) => modified(file) > modified(product)));
}

function filesIn(source) {
  if (!statSync(path.join(root, source)).isDirectory()) return [source];
  const entries = readdirSync(path.join(root, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)));
}
