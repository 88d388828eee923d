// Paths in file:// addresses. As in TensorFlow.js for Node, they are the plain text after the scheme, not encoded URLs.
import { nodeBuiltin } from '../runtime/node_builtins.js';

const kScheme = 'file://';

/** Returns the path after file:// as it is, not decoded, or `name` itself if it does not begin with file://. */
export function pathFromFileUrl(name: string): string {
  if (!name.startsWith(kScheme)) return name;
  const path = name.slice(kScheme.length);
  // On Windows, URLs have a slash before a drive letter, and paths have none.
  return nodeBuiltin('node:path')?.sep === '\\' ? path.replace(/^\/(?=[A-Za-z]:)/, '') : path;
}

/**
 * Returns the path of a file to read: the text after file:// or, if only that exists, the same text decoded as a URL.
 * Programs also pass `new URL('./model.json', import.meta.url).href`, which is encoded.
 */
export function findExistingPath(name: string): string {
  const path = pathFromFileUrl(name);
  const decoded = path === name ? undefined : decodePath(path);
  const fs = nodeBuiltin('node:fs');
  if (decoded === undefined || decoded === path || !fs) return path;
  return !fs.existsSync(path) && fs.existsSync(decoded) ? decoded : path;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
