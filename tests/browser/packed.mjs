import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root, run } from '../../cpp/toolchain/use.mjs';

const kInstalls = path.join(root, 'build/packed');

/**
 * Creates a user's project in a folder outside the repository: copies of folders under new names, and the package, which npm
 * installs from a tarball of the last build.
 */
export function projectOf(folders) {
  const project = mkdtempSync(path.join(os.tmpdir(), 'tenure-project-'));
  process.on('exit', () => rmSync(project, { recursive: true, force: true }));
  cpSync(installed(), project, { recursive: true });
  for (const [folder, name] of Object.entries(folders)) {
    cpSync(path.join(root, folder), path.join(project, name), { recursive: true });
  }
  return project;
}

/** Returns a folder into which npm has installed the package. There is one for each build, which all tests share. */
function installed() {
  const folder = path.join(kInstalls, buildId());
  if (existsSync(folder)) return folder;
  rmSync(kInstalls, { recursive: true, force: true });
  mkdirSync(kInstalls, { recursive: true });
  // Another process may install the same package concurrently.
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'tenure-install-'));
  try {
    install(temporary);
    cpSync(temporary, `${folder}.${process.pid}`, { recursive: true });
    renameSync(`${folder}.${process.pid}`, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

/** Installs into a folder outside the repository, so that npm finds no package.json above it. */
function install(folder) {
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  // The package is already built: npm's scripts would build it again.
  const npm = (...args) => run('npm', [...args, '--ignore-scripts', '--loglevel=error'], { quiet: true });
  npm('pack', '--pack-destination', folder);
  const tarball = path.join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
  npm('install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, tarball);
  rmSync(tarball);
}

/** Returns a hash of the tarball's sources: texts, and the names, sizes and times of the files in dist. */
function buildId() {
  const hash = createHash('sha256');
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md']) hash.update(readFileSync(path.join(root, name)));
  const dist = path.join(root, 'dist');
  for (const name of readdirSync(dist, { recursive: true }).sort()) {
    const { size, mtimeMs } = statSync(path.join(dist, name));
    hash.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
