// The file of `npm run bench -- --browser --continue FILE`, which keeps results of a run that may be interrupted.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../cpp/toolchain/use.mjs';

/** Returns a hash of the build in dist/. */
export function hashBuild() {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'dist/provenance.json')))
    .digest('hex');
}

/**
 * Returns the rows that a file has, by `get(work)`, and adds rows to it by `add(row)`. Throws if the file has rows of another build
 * or with other settings.
 */
export function openResults(file, settings) {
  const { settings: found = {}, rows } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { settings, rows: [] };
  for (const [name, value] of Object.entries(settings)) {
    if (found[name] !== value)
      throw new Error(`${file} has results with ${name} ${found[name]}, expected ${value}: continue into another file`);
  }
  return {
    get: (work) => rows.find((row) => row.work === work),
    add(row) {
      rows.push(row);
      writeFileSync(file, `${JSON.stringify({ settings, rows }, null, 2)}\n`);
    },
  };
}
