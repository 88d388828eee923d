// `node tests/bench/gpu/pack.mjs [--preset native-release] [--out build/gpu-pack] [--level 9]`: makes the folder OUT/tenure-gpu
// and OUT/tenure-gpu.tar.gz, which measure a GPU on a machine with nothing but its driver. README.md beside this file explains
// their use.
import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { root, run, useToolchain } from '../../../cpp/toolchain/use.mjs';
import { ensurePackage } from '../../../web/ensure_package.mjs';
import { writeModels } from './models.mjs';

const kMegabyte = 1e6;
const kMaxBytes = 60 * kMegabyte;
/** glibc's version in Debian 12. */
const kMaxGlibc = [2, 36];
/** Files beside this one that are copied unchanged. */
const kFiles = ['run.sh', 'run.mjs', 'report.mjs', 'node_bench.mjs', 'nvidia.json', 'nvidia_vulkan.json', 'README.md'];
/** The loader of EGL and GLES; it finds drivers by itself. */
const kLoader = ['libEGL.so.1', 'libGLESv2.so.2', 'libGLdispatch.so.0'];
const kLibraryFolders = ['/usr/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib'];
/** For Node only, on a machine that has none. */
const kCxx = ['libstdc++.so.6', 'libgcc_s.so.1'];

const { values: options } = parseArgs({
  options: {
    preset: { type: 'string', default: 'native-release' },
    out: { type: 'string', default: path.join(root, 'build/gpu-pack') },
    level: { type: 'string', default: '9' },
  },
});
const out = path.resolve(options.out);
const folder = path.join(out, 'tenure-gpu');

if (process.platform !== 'linux' || process.arch !== 'x64')
  throw new Error(`the pack is made on x86-64 Linux, not on ${process.platform} ${process.arch}`);
const programs = build(options.preset);
rmSync(folder, { recursive: true, force: true });
for (const name of ['bin', 'lib/c++', 'models']) mkdirSync(path.join(folder, name), { recursive: true });
for (const program of [...programs, process.execPath]) copyProgram(program);
for (const name of kLoader) copyLibrary(name, 'lib');
for (const name of kCxx) copyLibrary(name, 'lib/c++');
copyWebgpu();
copyPackage();
for (const name of kFiles) copyFileSync(path.join(root, 'tests/bench/gpu', name), path.join(folder, name));
const missing = writeModels(path.join(folder, 'models'));
writeFileSync(
  path.join(folder, 'version.json'),
  `${JSON.stringify({ commit: commit(), preset: options.preset, node: process.version, missing })}\n`,
);
checkGlibc();
const bytes = await compress();
console.log(
  `${path.join(out, 'tenure-gpu.tar.gz')}: ${(bytes / kMegabyte).toFixed(1)} MB${missing.length > 0 ? `, without ${missing.join(', ')}` : ''}`,
);

/** Builds the benchmarks and the tests; returns their paths. */
function build(preset) {
  useToolchain('native');
  if (!existsSync(path.join(root, 'build', preset, 'build.ninja'))) run('cmake', ['--preset', preset], { quiet: true });
  run('cmake', ['--build', '--preset', preset, '--target', 'tenure_gpu_bench', 'tenure_tests'], { quiet: true });
  return ['tests/bench/gpu/tenure_gpu_bench', 'tests/cpp/tenure_tests'].map((file) =>
    path.join(root, 'build', preset, file),
  );
}

/** Copies a program without its symbols, which are more than half of it. */
function copyProgram(file) {
  const target = path.join(
    folder,
    'bin',
    path.basename(file) === path.basename(process.execPath) ? 'node' : path.basename(file),
  );
  copyFileSync(realpathSync(file), target);
  const strip = ['llvm-strip-19', 'llvm-strip', 'strip'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (strip) run(strip, ['--strip-all', target], { quiet: true });
}

function copyLibrary(name, into) {
  const found = kLibraryFolders.map((at) => path.join(at, name)).find((file) => existsSync(file));
  if (!found)
    throw new Error(`there is no ${name} here for the pack to take along: please install libegl1 and libgles2`);
  copyFileSync(realpathSync(found), path.join(folder, into, name));
}

/** Copies Dawn, and Vulkan's loader, which finds drivers by itself. */
function copyWebgpu() {
  useToolchain('webgpu');
  const { TENURE_DAWN: dawn, TENURE_VULKAN: loader } = process.env;
  copyFileSync(realpathSync(dawn), path.join(folder, 'lib/libdawn.so'));
  copyFileSync(realpathSync(loader), path.join(folder, 'lib/libvulkan.so.1'));
}

/** Copies what require('tenure') loads, and Dawn's module for Node. */
function copyPackage() {
  ensurePackage({ quiet: true });
  const dist = path.join(root, 'dist');
  const isNeeded = (name) => /^(?:node|shared-\w+)\.cjs$|\.wasm$/.test(name) && !name.startsWith('tenure.whole.');
  mkdirSync(path.join(folder, 'tenure'));
  for (const name of readdirSync(dist).filter(isNeeded))
    copyFileSync(path.join(dist, name), path.join(folder, 'tenure', name));
  const module = 'dist/linux-x64/dawn.node';
  mkdirSync(path.join(folder, 'webgpu', path.dirname(module)), { recursive: true });
  for (const name of ['index.js', 'package.json', 'LICENSE.md', module])
    copyFileSync(path.join(process.env.TENURE_WEBGPU, name), path.join(folder, 'webgpu', name));
}

/** Throws if a program or library needs a later glibc than the oldest target machine has. */
function checkGlibc() {
  for (const at of ['bin', 'lib', 'lib/c++', 'webgpu/dist/linux-x64']) {
    for (const name of readdirSync(path.join(folder, at))) {
      const file = path.join(folder, at, name);
      if (!statSync(file).isFile()) continue;
      const versions = [...readFileSync(file, 'latin1').matchAll(/GLIBC_(\d+)\.(\d+)/g)].map(([, major, minor]) => [
        Number(major),
        Number(minor),
      ]);
      const late = versions.find(
        ([major, minor]) => major > kMaxGlibc[0] || (major === kMaxGlibc[0] && minor > kMaxGlibc[1]),
      );
      if (late)
        throw new Error(
          `${at}/${name} asks for glibc ${late.join('.')}, and the pack is to start on ${kMaxGlibc.join('.')}: make it on Debian 12`,
        );
    }
  }
}

/** Writes the archive and returns its size. */
async function compress() {
  const archive = path.join(out, 'tenure-gpu.tar');
  run('tar', ['--owner=0', '--group=0', '--sort=name', '-C', out, '-cf', archive, 'tenure-gpu'], { quiet: true });
  await pipeline(
    createReadStream(archive),
    createGzip({ level: Number(options.level) }),
    createWriteStream(`${archive}.gz`),
  );
  rmSync(archive);
  const { size } = statSync(`${archive}.gz`);
  if (size > kMaxBytes)
    throw new Error(`${archive}.gz takes ${(size / kMegabyte).toFixed(1)} MB, more than ${kMaxBytes / kMegabyte}`);
  return size;
}

function commit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
