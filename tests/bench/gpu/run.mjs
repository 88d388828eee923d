// In the pack: finds the GPU, runs the tests and benchmarks on it, and writes results/results.json and results/results.md.
// `./run.sh [--quick] [--out FOLDER]`; --quick is a rehearsal whose figures mean nothing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, findings } from './report.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const quick = process.argv.includes('--quick');
const outAt = process.argv.indexOf('--out');
const out = outAt > 0 ? path.resolve(process.argv[outAt + 1]) : path.join(here, 'results');
/** Sections of WebGL, of which WebGPU has those that both have. */
const kSections = ['bounds', 'ops', 'models', 'thresholds'];
const kWebgpuSections = ['bounds', 'ops', 'models'];
/** Time limits in seconds: for everything, and for one section. */
const kTotal = 290;
const kLimit = { device: 15, tests: 50, bounds: 20, ops: 45, models: 40, thresholds: 40, node: 40 };
const lib = path.join(here, 'lib');
const start = Date.now();

/** Folders that EGL's loader searches for drivers. */
const kVendorFolders = ['/etc/glvnd/egl_vendor.d', '/usr/share/glvnd/egl_vendor.d'];

function main() {
  mkdirSync(out, { recursive: true });
  const egl = findEgl();
  if (!egl) {
    console.error(
      `No OpenGL ES 3 context is to be had on this machine. What there is: ${path.join(out, 'no_device.json')}`,
    );
    process.exitCode = 1;
    return;
  }
  const result = {
    card: egl.rows.find(({ kind }) => kind === 'device').renderer,
    date: new Date().toISOString(),
    quick,
    machine: {
      cpu: os.cpus()[0]?.model,
      threads: os.cpus().length,
      memory: os.totalmem(),
      system: systemName(),
      driver: driverName(),
    },
    egl: egl.name,
    rows: egl.rows,
    incomplete: [],
  };
  console.log(`${result.card}, through ${egl.name}`);
  for (const section of kSections) runSection(section, egl.env, [], result, 'WebGL');
  result.webgpu = runWebgpu(result.incomplete);
  if (result.webgpu) result.webgpu.node = runNode(result.webgpu.env, result.incomplete);
  result.tests = runTests('gl', egl.env);
  if (result.webgpu) result.webgpu.tests = runTests('webgpu', result.webgpu.env);
  delete result.webgpu?.env;
  result.findings = findings(result.rows);
  result.seconds = Number(elapsed());
  writeFileSync(path.join(out, 'results.json'), `${JSON.stringify(result, null, 1)}\n`);
  writeFileSync(path.join(out, 'results.md'), describe(result));
  console.log(`${path.join(out, 'results.json')} and results.md`);
  const failed = result.tests.failed + (result.webgpu?.tests.failed ?? 0);
  if (failed > 0 || result.incomplete.length > 0) process.exitCode = 1;
}

/** Runs a section and adds its rows, and what ended it, to a result. */
function runSection(section, env, options, { rows: all, incomplete }, name) {
  const { rows, error } = bench(section, env, options);
  all.push(...rows);
  if (error) incomplete.push({ section: `${section} of ${name}`, error });
  console.log(`${section} of ${name}: ${rows.length} rows${error ? `, ${error}` : ''} (${elapsed()} s)`);
}

/** Runs the sections of WebGPU. Returns its card, rows and environment; undefined if there is no adapter. */
function runWebgpu(incomplete) {
  const found = findWebgpu();
  if (!found) {
    console.log('WebGPU has no adapter');
    return undefined;
  }
  const card = found.rows.find(({ kind }) => kind === 'device').renderer;
  console.log(`${card}, through ${found.name}`);
  const result = { card, through: found.name, env: found.env, rows: found.rows, incomplete };
  for (const section of kWebgpuSections) runSection(section, found.env, ['--webgpu'], result, 'WebGPU');
  return result;
}

/** Measures the npm package in Node, on the adapter of WebGPU. Returns the rows. */
function runNode(env, incomplete) {
  // This process's libraries, because Node may need the C++ library among them.
  const libraries = { ...env, LD_LIBRARY_PATH: [lib, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') };
  const { rows, error } = parseRows(
    execute('node', [path.join(here, 'node_bench.mjs'), ...(quick ? ['--quick'] : [])], libraries, kLimit.node),
  );
  if (error) incomplete.push({ section: 'WebGPU in Node', error });
  console.log(`WebGPU in Node: ${rows.length} rows${error ? `, ${error}` : ''} (${elapsed()} s)`);
  return rows;
}

/**
 * Returns the environment of a device that renders on hardware, or else of any device. It tries the machine's own EGL first,
 * then the pack's loader, then the pack's loader with its own declaration of NVIDIA's driver, which containers often lack.
 */
function findEgl() {
  const own = ownEnvironment();
  const packed = { ...own, LD_LIBRARY_PATH: [lib, own.LD_LIBRARY_PATH].filter(Boolean).join(':') };
  const ways = [
    { name: "the machine's EGL", env: own },
    { name: "the pack's EGL loader", env: packed },
    {
      name: "the pack's EGL loader and libEGL_nvidia",
      env: { ...packed, __EGL_VENDOR_LIBRARY_FILENAMES: path.join(here, 'nvidia.json') },
    },
  ];
  const tried = [];
  const renderer = findDevice(ways, [], tried);
  if (!renderer) {
    const about = {
      tried,
      vendors: vendorFiles(),
      driver: driverName(),
      devices: list('/dev').filter((name) => /^(nvidia|dri|kfd)/.test(name)),
    };
    writeFileSync(path.join(out, 'no_device.json'), `${JSON.stringify(about, null, 1)}\n`);
  }
  return renderer;
}

/** Returns the environment of a WebGPU adapter on hardware, or else of any: by Dawn, through the pack's loader of Vulkan. */
function findWebgpu() {
  const env = {
    ...ownEnvironment(),
    TENURE_DAWN: path.join(lib, 'libdawn.so'),
    TENURE_VULKAN: path.join(lib, 'libvulkan.so.1'),
  };
  const nvidia = { ...env, VK_ICD_FILENAMES: path.join(here, 'nvidia_vulkan.json') };
  const ways = [
    { name: "Dawn, and the machine's Vulkan drivers", env },
    { name: 'Dawn and libGLX_nvidia', env: nvidia },
  ];
  return findDevice(ways, ['--webgpu'], []);
}

/** Returns the first environment whose device is hardware, or else the first that has a device. Appends all to `tried`. */
function findDevice(ways, options, tried) {
  let software;
  for (const { name, env } of ways) {
    const { rows, error } = bench('device', env, options);
    tried.push({ name, error, rows });
    const device = rows.find(({ kind }) => kind === 'device');
    if (device && !device.named_software) return { name, env, rows };
    if (device) software ??= { name, env, rows };
  }
  return software;
}

/** Returns this process's environment without the library that is for Node only. */
function ownEnvironment() {
  const own = { ...process.env };
  if (own.LD_LIBRARY_PATH?.startsWith(path.join(here, 'lib/c++'))) delete own.LD_LIBRARY_PATH;
  return own;
}

/** Runs a section; rows printed before a crash or the time limit count. */
function bench(section, env, options = []) {
  const args = [section, '--models', path.join(here, 'models'), ...options, ...(quick ? ['--quick'] : [])];
  return parseRows(execute('tenure_gpu_bench', args, env, kLimit[section]));
}

/** Returns the rows among the lines that a program printed, and its error. */
function parseRows({ stdout, error }) {
  const rows = [];
  for (const line of stdout.split('\n')) {
    try {
      if (line.startsWith('{')) rows.push(JSON.parse(line));
    } catch {
      // A row that was cut off.
    }
  }
  return { rows, error };
}

/** Runs the engine's own tests of a GPU backend; of WebGL with the kernels that the benchmarks chose for the device. */
function runTests(backend, env) {
  const few = { gl: '[gl][context]', webgpu: '[webgpu][device]' };
  const { stdout, error } = execute(
    'tenure_tests',
    [quick ? few[backend] : `[${backend}]`],
    { ...env, TENURE_GL_TUNING: 'measured' },
    kLimit.tests,
  );
  writeFileSync(path.join(out, `tests_${backend}.txt`), stdout);
  const all = /All tests passed \(.*in (\d+) test case/.exec(stdout)?.[1];
  const mixed = (word) => Number(/test cases:.*/.exec(stdout)?.[0].match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
  const counts = all
    ? { passed: Number(all), failed: 0, skipped: 0 }
    : { passed: mixed('passed'), failed: mixed('failed'), skipped: mixed('skipped') };
  // A crash before the summary has no counts, and is a failure all the same.
  if (error && !all) counts.failed ||= 1;
  console.log(
    `tests of ${backend}: ${counts.passed} passed, ${counts.failed} failed${error ? `, ${error}` : ''} (${elapsed()} s)`,
  );
  return { ...counts, error };
}

function execute(program, args, env, limit) {
  const left = kTotal - (Date.now() - start) / 1e3;
  if (left < 1) return { stdout: '', error: 'no time was left' };
  const timeout = 1e3 * Math.min(limit, left);
  const result = spawnSync(path.join(here, 'bin', program), args, {
    env,
    encoding: 'utf8',
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
  });
  const words = result.stderr?.trim().split('\n').slice(-3).join(' ');
  if (result.error?.code === 'ETIMEDOUT')
    return { stdout: result.stdout ?? '', error: `cut off after ${(timeout / 1e3).toFixed(0)} s` };
  if (result.error) return { stdout: result.stdout ?? '', error: result.error.message };
  if (result.status !== 0)
    return { stdout: result.stdout, error: `${result.signal ?? `exit ${result.status}`} ${words}`.trim() };
  return { stdout: result.stdout };
}

const elapsed = () => ((Date.now() - start) / 1e3).toFixed(1);

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function vendorFiles() {
  return kVendorFolders.flatMap((folder) => list(folder).map((name) => path.join(folder, name)));
}

function systemName() {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    return os.type();
  }
}

/** Returns the name in NVIDIA's kernel module, if there is one. */
function driverName() {
  try {
    return readFileSync('/proc/driver/nvidia/version', 'utf8').split('\n')[0];
  } catch {
    return undefined;
  }
}

main();
