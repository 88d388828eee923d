import path from 'node:path';
import { modified, root, run, usePackages } from '../../cpp/toolchain/use.mjs';

const at = (file) => path.join(root, 'tests/bench', file);

/** Installs the peers if they are missing or older than their lock file. */
export function preparePeers() {
  usePackages();
  if (modified(at('node_modules/.package-lock.json')) >= modified(at('package-lock.json'))) return;
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  run('npm', ['ci', '--prefix', 'tests/bench', ...quiet], { quiet: true });
}
