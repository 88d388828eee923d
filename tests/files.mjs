import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../cpp/toolchain/use.mjs';

/** Files under a folder of the repository whose path matches, as sorted paths from the root. */
export function findFiles(folder, pattern) {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, name))
    .filter((name) => pattern.test(name) && !name.includes('node_modules/'))
    .sort();
}
