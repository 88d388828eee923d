import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root, run } from '../../cpp/toolchain/use.mjs';

/**
 * A user's project in a folder outside the repository: copies of folders, each under its new name, and the package,
 * installed by npm from a tarball of what was built last.
 */
export function projectOf(folders) {
  const project = mkdtempSync(path.join(os.tmpdir(), 'tenure-project-'));
  process.on('exit', () => rmSync(project, { recursive: true, force: true }));
  for (const [folder, name] of Object.entries(folders)) {
    cpSync(path.join(root, folder), path.join(project, name), { recursive: true });
  }
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));

  // The build before was a step of its own: scripts would repeat it.
  const npm = (...args) => run('npm', [...args, '--ignore-scripts', '--loglevel=error'], { quiet: true });
  npm('pack', '--pack-destination', project);
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'));
  npm('install', '--offline', '--no-audit', '--no-fund', '--prefix', project, path.join(project, tarball));
  return project;
}
