// Fails if an include in cpp/ or an import in web/src violates the allowed directions between folders, or if files of web/src
// form a cycle, type imports included. Lists (*.def) are data that every layer expands. cpp/'s umbrella header and web/src's
// top-level files are outside the layers.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findFiles, root } from '../cpp/toolchain/use.mjs';

const kCpp = {
  core: [],
  shape_util: ['core'],
  shader_util: ['core'],
  ops: ['core', 'shape_util'],
  cpu: ['core', 'shape_util'],
  gl: ['core', 'shape_util', 'shader_util'],
  webgpu: ['core', 'shape_util', 'shader_util'],
  owner: ['core'],
  model: ['core', 'shape_util', 'ops'],
  import: ['core', 'shape_util', 'ops', 'model'],
  wasm: ['core', 'ops', 'cpu', 'gl', 'webgpu', 'owner', 'model', 'import'],
};

// Generated files are the engine's boundary, and belong to runtime.
const kRuntime = ['runtime', 'generated'];
const kTensor = [...kRuntime, 'util', 'debug', 'tensor'];
const kOps = [...kTensor, 'owner', 'ops', 'io'];
const kWeb = {
  generated: [...kRuntime, 'util'],
  runtime: kRuntime,
  // How each build gets its wasm: outside the package, which knows none of them.
  entries: [...kRuntime, 'the top', 'node', 'data'],
  util: ['runtime', 'util'],
  debug: [...kRuntime, 'util'],
  // It accesses the engine through the page, and imports only the formatting of sizes.
  memory_element: ['debug'],
  tensor: kTensor,
  owner: [...kTensor, 'owner'],
  device: [...kTensor, 'owner'],
  io: kTensor,
  ops: kOps,
  // Training knows models by the interface in train/trainable_model.ts.
  train: [...kOps, 'device'],
  models: [...kOps, 'device', 'train'],
  data: [...kOps, 'device'],
  node: [...kTensor, 'data', 'train', 'models'],
  // Around the package, like other packages: an import from inside would be duplicated in its bundle.
  tfjs: ['the top'],
  litert: ['the top'],
  ort: ['the top'],
};

const read = (file) => readFileSync(path.join(root, file), 'utf8');
const wrong = [];

/** Reports a file that includes from a folder that its own may not. */
function checkFolder(allowed, file, line, from, to, target) {
  if (to === undefined || to === from || allowed[from].includes(to)) return;
  wrong.push(`${file}:${line}: ${from} may not include "${target}"`);
}

/**
 * Reports a difference between the files that read TENURE_DEBUG and those that cpp/CMakeLists.txt compiles for the debug
 * engine.
 */
function checkDebugSources() {
  const reads = (file) => /TENURE_DEBUG|"core\/run\/fault_injection\.h"|"owner\/ledger\.h"/.test(read(file));
  const readers = findFiles('cpp', /\.(cpp|h)$/).filter(reads);
  const headers = readers.filter(
    (file) => file.endsWith('.h') && !/core\/run\/fault_injection\.h|owner\/ledger\.h/.test(file),
  );
  for (const file of headers)
    wrong.push(`${file}: a header may not read TENURE_DEBUG, core/run/fault_injection.h or owner/ledger.h`);
  const listed = [...read('cpp/CMakeLists.txt').matchAll(/^ {2}set\((?:small_)?debug ([^)]*)\)/gm)].flatMap(
    ([, files]) => files.trim().split(/\s+/),
  );
  const known = new Set([
    ...listed.map((file) => `cpp/${file}`),
    'cpp/wasm/calls/ops.cpp',
    'cpp/wasm/calls/ledger.cpp',
  ]);
  for (const file of readers.filter((name) => name.endsWith('.cpp'))) {
    if (!known.delete(file))
      wrong.push(`${file}: reads TENURE_DEBUG, and is not among the debug build's sources in cpp/CMakeLists.txt`);
  }
  for (const file of known)
    wrong.push(`${file}: is among the debug build's sources in cpp/CMakeLists.txt, and does not read TENURE_DEBUG`);
}

checkDebugSources();
for (const file of findFiles('cpp', /\.(cpp|h|def)$/)) {
  const [, folder] = file.split('/');
  if (!(folder in kCpp)) continue;
  for (const [index, line] of read(file).split('\n').entries()) {
    const target = /^\s*#\s*include\s+"([^"]+)"/.exec(line)?.[1];
    if (target && !target.endsWith('.def')) checkFolder(kCpp, file, index + 1, folder, target.split('/')[0], target);
  }
}

const imports = new Map();
for (const file of findFiles('web/src', /(?<!\.d)\.ts$/)) {
  const code = read(file);
  const targets = [...code.matchAll(/^(?:import|export)\b[^;']*?from '(\.[^']+)';$/gm)].map((match) => ({
    line: code.slice(0, match.index).split('\n').length,
    target: path.posix.join(path.posix.dirname(file), match[1]).replace(/\.js$/, '.ts'),
  }));
  imports.set(
    file,
    targets.map(({ target }) => target),
  );
  const from = folderIn(file);
  if (from === undefined) continue;
  if (!(from in kWeb)) wrong.push(`${file}: tests/check_includes.mjs does not know the folder ${from}`);
  else
    for (const { line, target } of targets) checkFolder(kWeb, file, line, from, folderIn(target) ?? 'the top', target);
}
wrong.push(...circles());

function folderIn(file) {
  const [, , folder, name] = file.split('/');
  return name === undefined ? undefined : folder;
}

/** Returns the first cycle that each file closes, as text. */
function circles() {
  const found = [];
  const done = new Set();
  const visit = (file, above) => {
    const start = above.indexOf(file);
    if (start >= 0) found.push(`a circle of imports: ${[...above.slice(start), file].join(' -> ')}`);
    if (start >= 0 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...above, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
