import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findFiles, modified, root, run } from '../cpp/toolchain/use.mjs';

const isNewerThan = (time) => (file) => modified(path.join(root, file)) > time;

/** Builds the package, with `debug` its debug build too, if it is missing or older than its sources. */
export function ensurePackage({ debug = false, quiet = false } = {}) {
  const sources = [...findFiles('cpp', /\.\w+$/), ...findFiles('web/src', /\.ts$/), 'web/build.mjs'];
  // The bundle is written last, and always.
  const built = modified(path.join(root, debug ? 'dist/debug/index.js' : 'dist/index.js'));
  if (!sources.some(isNewerThan(built)) && !isQuick()) return;
  run('node', ['web/build.mjs', ...(debug ? [] : ['--release-only'])], { quiet });
}

/** True if dist/ holds the build of `npm start` and `npm test`, which is slower than the published one. */
function isQuick() {
  const file = path.join(root, 'dist/provenance.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).quick;
}
