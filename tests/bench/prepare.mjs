import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { root, run, usePackages } from '../../cpp/toolchain/use.mjs';
import { findFiles } from '../files.mjs';

const modified = (file) => (existsSync(path.join(root, file)) ? statSync(path.join(root, file)).mtimeMs : 0);

/** Builds the release package when a source file is newer than it. */
export function preparePackage() {
  const sources = [...findFiles('cpp', /\.\w+$/), ...findFiles('web/src', /\.ts$/)];
  // The bundle is made last, and always written.
  const built = modified('dist/index.js');
  if (sources.some((file) => modified(file) > built)) run('node', ['web/build.mjs', '--release-only'], { quiet: true });
}

/** Installs the peers, when they are missing or older than their lock file. */
export function preparePeers() {
  usePackages();
  if (modified('tests/bench/node_modules/.package-lock.json') >= modified('tests/bench/package-lock.json')) return;
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  run('npm', ['ci', '--prefix', 'tests/bench', ...quiet], { quiet: true });
}
