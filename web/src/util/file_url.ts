// Paths in file:// addresses. As in TensorFlow.js for Node, they are the plain text after the scheme, not encoded URLs.
import { builtIn } from '../runtime/built_in.js';

const kScheme = 'file://';

/** Returns the path after file:// as it is, not decoded, or `name` itself if it does not begin with file://. */
export function pathOfFileUrl(name: string): string {
  if (!name.startsWith(kScheme)) return name;
  const path = name.slice(kScheme.length);
  // On Windows, URLs have a slash before a drive letter, and paths have none.
  return builtIn('node:path')?.sep === '\\' ? path.replace(/^\/(?=[A-Za-z]:)/, '') : path;
}

/**
 * Returns the path of a file to read: the text after file:// or, if only that exists, the same text decoded as a URL.
 * Programs also pass `new URL('./model.json', import.meta.url).href`, which is encoded.
 */
export function pathOfExistingFile(name: string): string {
  const path = pathOfFileUrl(name);
  const decoded = path === name ? undefined : decodedPath(path);
  const fs = builtIn('node:fs');
  if (decoded === undefined || decoded === path || !fs) return path;
  return !fs.existsSync(path) && fs.existsSync(decoded) ? decoded : path;
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
