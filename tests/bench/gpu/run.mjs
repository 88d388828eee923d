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
const kSections = ['bounds', 'ops', 'models', 'thresholds'];
/** Time limits in seconds: for everything, and for one section. */
const kTotal = 285;
const kLimit = { device: 20, tests: 90, bounds: 30, ops: 75, models: 60, thresholds: 75 };
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
  result.tests = runTests(egl.env);
  for (const section of kSections) {
    const { rows, error } = bench(section, egl.env);
    result.rows.push(...rows);
    if (error) result.incomplete.push({ section, error });
    console.log(`${section}: ${rows.length} rows${error ? `, ${error}` : ''} (${elapsed()} s)`);
  }
  result.findings = findings(result.rows);
  result.seconds = Number(elapsed());
  writeFileSync(path.join(out, 'results.json'), `${JSON.stringify(result, null, 1)}\n`);
  writeFileSync(path.join(out, 'results.md'), describe(result));
  console.log(`${path.join(out, 'results.json')} and results.md`);
  if (result.tests.failed > 0 || result.incomplete.length > 0) process.exitCode = 1;
}

/**
 * Returns the environment of a device that renders on hardware, or else of any device. It tries the machine's own EGL first,
 * then the pack's loader, then the pack's loader with its own declaration of NVIDIA's driver, which containers often lack.
 */
function findEgl() {
  const own = { ...process.env };
  // This library is for Node only.
  if (own.LD_LIBRARY_PATH?.startsWith(path.join(here, 'lib/c++'))) delete own.LD_LIBRARY_PATH;
  const lib = path.join(here, 'lib');
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
  let renderer;
  for (const { name, env } of ways) {
    const { rows, error } = bench('device', env);
    tried.push({ name, error, rows });
    const device = rows.find(({ kind }) => kind === 'device');
    if (device && !device.named_software) return { name, env, rows };
    if (device) renderer ??= { name, env, rows };
  }
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

/** Runs a section; rows printed before a crash or the time limit count. */
function bench(section, env) {
  const args = [section, '--models', path.join(here, 'models'), ...(quick ? ['--quick'] : [])];
  const { stdout, error } = execute('tenure_gpu_bench', args, env, kLimit[section]);
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

/** Runs the engine's own tests of its GPU backend, with the kernels that the benchmarks chose for the device. */
function runTests(env) {
  const { stdout, error } = execute(
    'tenure_tests',
    [quick ? '[gl][context]' : '[gl]'],
    { ...env, TENURE_GL_TUNING: 'measured' },
    kLimit.tests,
  );
  writeFileSync(path.join(out, 'tests.txt'), stdout);
  const all = /All tests passed \(.*in (\d+) test case/.exec(stdout)?.[1];
  const mixed = (word) => Number(/test cases:.*/.exec(stdout)?.[0].match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0);
  const counts = all
    ? { passed: Number(all), failed: 0, skipped: 0 }
    : { passed: mixed('passed'), failed: mixed('failed'), skipped: mixed('skipped') };
  // A crash before the summary has no counts, and is a failure all the same.
  if (error && !all) counts.failed ||= 1;
  console.log(`tests: ${counts.passed} passed, ${counts.failed} failed${error ? `, ${error}` : ''} (${elapsed()} s)`);
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
