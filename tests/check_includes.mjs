// Fails when an #include goes against the one direction that cpp/ allows:
// core <- geometry <- ops <- model, geometry <- cpu, geometry <- gl, core <- owner, and wasm on top of all.
// Op tables (*.def) are data that every layer expands, and the umbrella header sits outside the layers.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findFiles, root } from '../cpp/toolchain/use.mjs';

const kMayInclude = {
  core: [],
  geometry: ['core'],
  ops: ['core', 'geometry'],
  cpu: ['core', 'geometry'],
  gl: ['core', 'geometry'],
  owner: ['core'],
  model: ['core', 'geometry', 'ops'],
  wasm: ['core', 'ops', 'cpu', 'gl', 'owner', 'model'],
};

const wrong = [];
for (const file of findFiles('cpp', /\.(cpp|h|def)$/)) {
  const [, folder] = file.split('/');
  const allowed = kMayInclude[folder];
  if (!allowed) continue;
  readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .forEach((line, index) => {
      const target = /^\s*#\s*include\s+"([^"]+)"/.exec(line)?.[1];
      const [layer] = target?.split('/') ?? [];
      if (!target || target.endsWith('.def') || layer === folder || allowed.includes(layer)) return;
      wrong.push(`${file}:${index + 1}: ${folder} may not include "${target}"`);
    });
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
