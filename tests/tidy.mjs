// Runs clang-tidy over the sources. A file that passed is skipped until one of the inputs of its result changes: its own text
// or that of a header it includes, its command line, the checks, or clang-tidy itself.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildPreset, findFiles, root, run } from '../cpp/toolchain/use.mjs';

const quiet = { quiet: true };
const inCi = Boolean(process.env.CI);
/** The preset whose build records each source's includes. */
const kPreset = 'native-check';
/** Folder of a compilation database without precompiled headers, which would hide a missing #include. */
const kCommands = 'build/tidy';
const kBudgetMs = 15 * 60 * 1000;
const kStampAgeMs = 30 * 24 * 60 * 60 * 1000;

/** Returns every source file in CI, otherwise those that differ from the last commit or from the branch's upstream. */
function filesToTidy() {
  const all = [...findFiles('cpp', /\.cpp$/), ...findFiles('tests/cpp', /\.cpp$/)].filter(
    (file) => !file.startsWith('cpp/wasm/'),
  );
  if (inCi) return all;
  const lines = (...args) => run('git', args, quiet).split('\n').filter(Boolean);
  const changed = new Set(lines('ls-files', '--others', '--modified', '--exclude-standard', 'cpp', 'tests/cpp'));
  try {
    for (const file of lines('diff', '--name-only', 'HEAD~', 'HEAD')) changed.add(file);
  } catch {
    // A repository with one commit has nothing to compare with.
  }
  const stems = new Set([...changed].map((file) => file.replace(/\.\w+$/, '')));
  return all.filter((file) => stems.has(file.replace(/\.\w+$/, '')));
}

/** Returns the files with those that were changed last first, as time may end before all are checked. */
function newestFirst(files) {
  const changes = run('git', ['log', '--format=', '--name-only', '--', 'cpp', 'tests/cpp'], quiet).split('\n');
  const rank = new Map();
  for (const file of changes) if (file && !rank.has(file)) rank.set(file, rank.size);
  const rankOf = (file) => rank.get(file) ?? -1; // uncommitted
  return files.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Returns every file that the build, which must be up to date, read for each of its sources. */
function readIncludes() {
  const includes = new Map();
  const base = path.join(root, 'build', kPreset);
  // Each block is an object's line, followed by one line per dependency.
  for (const part of run('ninja', ['-C', base, '-t', 'deps'], quiet).split(/\n(?=\S)/)) {
    const files = [...part.matchAll(/^ {4}(.+)$/gm)].map(([, file]) => path.resolve(base, file));
    const source = files.find((file) => file.endsWith('.cpp'));
    includes.set(source, files);
  }
  return includes;
}

const digest = (parts) => createHash('sha256').update(parts.join('\0')).digest('hex');

/** Returns a function from a source file to a hash of its result's inputs; undefined for a file outside the build. */
function makeKeys() {
  const includes = readIncludes();
  const commands = new Map(
    JSON.parse(readFileSync(path.join(root, kCommands, 'compile_commands.json'), 'utf8')).map(({ file, command }) => [
      file,
      command.replaceAll(root, ''),
    ]),
  );
  const hashes = new Map();
  const hash = (file) => {
    if (!hashes.has(file)) hashes.set(file, digest([readFileSync(file)]));
    return hashes.get(file);
  };
  const configs = ['.clang-tidy', ...findFiles('cpp', /\.clang-tidy$/), ...findFiles('tests/cpp', /\.clang-tidy$/)];
  const common = [
    run(process.env.CLANG_TIDY, ['--version'], quiet),
    ...configs.flatMap((file) => [file, hash(path.join(root, file))]),
  ];
  return (source) => {
    const file = path.join(root, source);
    const files = includes.get(file);
    if (!files || !commands.has(file)) return undefined;
    return digest([...common, commands.get(file), ...files.flatMap((name) => [name.replace(root, ''), hash(name)])]);
  };
}

/** Opens the folder of stamps, one for each key that passed. All clones share it, and old stamps expire. */
function openStamps() {
  const env = run('bash', [path.join(root, 'cpp/toolchain/setup.sh'), '--print-env'], quiet).trim();
  const folder = path.join(path.dirname(env), 'tidy');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const stamp = path.join(folder, name);
    if (Date.now() - statSync(stamp).mtimeMs > kStampAgeMs) rmSync(stamp, { force: true });
  }
  return folder;
}

/** Runs clang-tidy; the native toolchain must be in the environment. */
export async function tidy() {
  await buildPreset(kPreset);
  run('cmake', ['--preset', kPreset, '-B', kCommands, '-DTENURE_PRECOMPILE=OFF'], quiet);
  const deadline = Date.now() + kBudgetMs;
  const files = newestFirst(filesToTidy());
  const stamps = openStamps();
  const keyOf = makeKeys();
  const queue = files.map((file) => ({ file, key: keyOf(file) }));
  const problems = new Set();
  let unchanged = 0;
  const worker = async () => {
    while (queue.length > 0 && Date.now() < deadline) {
      const { file, key } = queue.shift();
      const stamp = key && path.join(stamps, key);
      if (stamp && existsSync(stamp)) {
        ++unchanged;
        continue;
      }
      const { status, output } = await capture(process.env.CLANG_TIDY, ['--quiet', '-p', kCommands, file]);
      if (status === 0) {
        if (stamp) writeFileSync(stamp, '');
        continue;
      }
      // A finding in a header is repeated by every file that includes it.
      for (const problem of output.replace(/^\d+ warnings?.*\n/gm, '').split(/^(?=\/.*: (?:error|warning):)/m)) {
        problems.add(problem.trimEnd());
      }
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  const done = files.length - queue.length;
  const same = unchanged ? `, ${unchanged} of them unchanged` : '';
  // A slow machine is no failure, but unchecked files are reported.
  const left = queue.length > 0 ? `; ${queue.length} NOT CHECKED: time limit reached` : '';
  const note = `${done} of ${files.length} files${same}${left}`;
  return { note, error: problems.size > 0 ? new Error([...problems].join('\n')) : undefined };
}

function capture(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('error', (error) => resolve({ status: 1, output: String(error) }));
    child.on('close', (status) => resolve({ status, output }));
  });
}
