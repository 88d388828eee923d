// Helpers of build and test scripts: the toolchain's environment, the npm packages, and running commands.
// Imports Node's own modules only, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Maximum length of a command in an error message; commands may name all files. */
const kLongCall = 200;

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns a file's modification time in milliseconds, or 0 if it does not exist. */
export const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Returns the files under a folder of the repository whose paths match, as sorted paths relative to the root. */
export function findFiles(folder, pattern) {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => pattern.test(name) && !name.includes('node_modules/'))
    .sort();
}

/**
 * Runs a command in the repository's root and returns its output. With `quiet` the output is captured and becomes part of the
 * error. Throws if the exit status is not 0.
 */
export function run(command, args, { quiet = false, env } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (result.error) throw result.error;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  if (result.status !== 0) {
    const end = result.signal ?? `exit ${result.status}`;
    const call = [command, ...args].join(' ');
    throw new Error(`${call.length > kLongCall ? `${call.slice(0, kLongCall)} ...` : call}: ${end}\n${output}`);
  }
  return output;
}

/** Sets the toolchain up (part: 'native', 'wasm', 'browser', 'onnx', 'webgpu', or the first two) and adds its variables to this process. */
export function useToolchain(part) {
  run('bash', setupCommand(part));
  readEnvironment();
}

function setupCommand(part) {
  return [path.join(root, 'cpp/toolchain/setup.sh'), ...(part ? [`--${part}`] : [])];
}

function readEnvironment() {
  const file = run('bash', [...setupCommand(), '--print-env'], { quiet: true }).trim();
  for (const [, name, value] of readFileSync(file, 'utf8').matchAll(/^export (\w+)='(.*)'$/gm)) {
    process.env[name] = value;
  }
}

/** Runs useToolchain() and usePackages() in parallel. */
export async function prepare(part) {
  const setUp = new Promise((resolve, reject) => {
    const child = spawn('bash', setupCommand(part), { cwd: root, stdio: 'inherit' });
    child
      .on('error', reject)
      .on('close', (status) =>
        status === 0 ? resolve() : reject(new Error(`cpp/toolchain/setup.sh: exit ${status}`)),
      );
  });
  // Started before this call, which blocks, the toolchain's setup runs meanwhile.
  usePackages();
  await setUp;
  readEnvironment();
}

/** Installs the npm packages if they are missing or older than the lock file. */
export function usePackages() {
  installPackages('.');
}

/** Installs the npm packages of a folder of tests as usePackages() does, without running their scripts. */
export function useTestPackages(folder, ...flags) {
  installPackages(folder, '--ignore-scripts', ...flags);
}

function installPackages(folder, ...flags) {
  const at = (file) => path.join(root, folder, file);
  if (modified(at('node_modules/.package-lock.json')) >= modified(at('package-lock.json'))) return;
  run('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...flags], { quiet: true });
}

/**
 * Builds a preset, or `targets` of it; configures it first if it is new or its inputs have changed. Returns the build's output.
 * `progress` reports the number of compiled files now and then: to a function, or to the terminal if true.
 */
export async function buildPreset(preset, { progress = false, targets = [] } = {}) {
  const ninja = modified(path.join(root, 'build', preset, 'build.ninja'));
  const part = preset.startsWith('wasm') ? 'wasm' : 'native';
  const file = run('bash', [...setupCommand(), '--print-env'], { quiet: true }).trim();
  const inputs = [path.join(root, 'CMakePresets.json'), path.join(path.dirname(file), `env.${part}.sh`)];
  if (!inputs.every((input) => ninja > modified(input))) {
    run('cmake', ['--preset', preset, ...(ninja ? ['--fresh'] : [])], { quiet: true });
  }
  const args = ['--build', '--preset', preset, ...(targets.length > 0 ? ['--target', ...targets] : [])];
  const child = spawn('cmake', args, { cwd: root, env: { ...process.env, NINJA_STATUS: '[%f/%t] ' } });
  const show = progress === true ? progressOf(preset) : (done, all) => progress && progress(`${done} of ${all} files`);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      for (const [, done, all] of text.matchAll(/^\[(\d+)\/(\d+)\] /gm)) show(Number(done), Number(all));
    });
  }
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (status !== 0) throw new Error(`cmake ${args.join(' ')}: exit ${status}\n${output}`);
  return output;
}

/**
 * Returns a function that prints "wasm-release: 12 of 180 files, 9 s": on a terminal in place, elsewhere a line every ten
 * seconds.
 */
function progressOf(preset) {
  const start = Date.now();
  let printed = start;
  return (done, all) => {
    const seconds = ((Date.now() - start) / 1000).toFixed(0);
    const line = `${preset}: ${done} of ${all} files, ${seconds} s`;
    if (process.stdout.isTTY) {
      process.stdout.write(`\r${line}${done === all ? '\n' : ''}`);
    } else if (Date.now() - printed >= 10_000 || (done === all && all > 10)) {
      printed = Date.now();
      console.log(line);
    }
  };
}
