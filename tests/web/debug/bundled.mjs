// Runs a program in a bundle, as tests of call sites do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../../../cpp/toolchain/use.mjs';

/** Bundles a program, with the files of `alias` in the place of packages, for Node. Returns what it prints. */
export async function runBundled(program, alias) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bundled-'));
  try {
    writeFileSync(path.join(folder, 'program.mjs'), program);
    const outfile = path.join(folder, 'bundle.mjs');
    await build({
      entryPoints: [path.join(folder, 'program.mjs')],
      bundle: true,
      outfile,
      platform: 'node',
      format: 'esm',
      sourcemap: true,
      alias: Object.fromEntries(Object.entries(alias).map(([name, file]) => [name, path.join(root, file)])),
    });
    const { stdout, stderr, status } = spawnSync(process.execPath, [outfile], { encoding: 'utf8', cwd: folder });
    assert.equal(status, 0, stderr);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
