// Paths of file:// addresses, which are text behind the scheme and no URLs: TensorFlow.js reads and writes them so in Node.
import { builtIn } from '../runtime/built_in.js';

const kScheme = 'file://';

/** The path that follows file://, letter by letter, or a name without a scheme as it is. */
export function pathOfFileUrl(name: string): string {
  if (!name.startsWith(kScheme)) return name;
  const path = name.slice(kScheme.length);
  // Windows has a slash before a drive's letter in URLs, and none in paths.
  return builtIn('node:path')?.sep === '\\' ? path.replace(/^\/(?=[A-Za-z]:)/, '') : path;
}

/**
 * The path of a file that is to be read: what follows file://, and where there is no such file, but one by the name that a URL
 * would have, that one, as programs also pass `new URL('./model.json', import.meta.url).href`.
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
