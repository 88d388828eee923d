// Paths of the weight files that a model's file names. They must be within its folder, as the file may come from anybody.
import type * as nodePathModule from 'node:path';
import { nodeBuiltin } from '../runtime/node_builtins.js';
import { pathFromFileUrl } from '../util/file_url.js';
import type { LoadOptions } from './types.js';

const kAllowOutside = 'to read them, load it with {allowWeightsOutsideFolder: true}';

/**
 * Resolves to the path of a weight file of a model. Rejects if the file, or the target of its links, is outside of the
 * folder of the model's file, or of `weightPathPrefix`, unless `allowWeightsOutsideFolder` is set.
 * @param name Name of the weight file in the model's file.
 * @param file Path of the model's file, such as model.json.
 * @param options Options of loading the model.
 * @param remedy What the error says that a program can do about a file outside.
 */
export async function weightPath(
  name: unknown,
  file: string,
  options: LoadOptions,
  remedy = kAllowOutside,
): Promise<string> {
  const path = nodeBuiltin('node:path')!;
  const fs = nodeBuiltin('node:fs')!.promises;
  const { weightPathPrefix } = options;
  const folder = path.resolve(weightPathPrefix === undefined ? path.dirname(file) : pathFromFileUrl(weightPathPrefix));
  const found = path.resolve(folder, checkedName(name, file));
  if (options.allowWeightsOutsideFolder) return found;
  if (!isWithin(path, folder, found)) throw outside(name, file, folder, remedy);
  const target = await fs.realpath(found).catch(() => undefined);
  // A missing file is reported when it is read.
  if (target === undefined) return found;
  // If the model's file itself is a link, as in the caches of model hubs, files beside its target belong to it.
  const folders = [folder, ...(weightPathPrefix === undefined ? [path.dirname(await fs.realpath(file))] : [])];
  for (const one of folders) {
    if (isWithin(path, await fs.realpath(one), target)) return target;
  }
  throw outside(name, file, folder, remedy, ` (a link to ${target})`);
}

/**
 * Returns the address of a weight file of a model at a URL. Throws if it is outside of the folder of `prefix`, unless
 * `allowWeightsOutsideFolder` is set.
 * @param name Name of the weight file in the manifest.
 * @param origin URL of model.json, for messages.
 * @param prefix Prefix of the address.
 * @param options Options of loading the model.
 */
export function weightAddress(name: unknown, origin: string, prefix: string, options: LoadOptions): string {
  const address = prefix + checkedName(name, origin);
  if (!options.allowWeightsOutsideFolder && escapesFolder(name as string, prefix))
    throw outside(name, origin, prefix || '(that of the page)', kAllowOutside);
  return address;
}

function checkedName(name: unknown, origin: string): string {
  if (typeof name === 'string') return name;
  throw new Error(`${origin} names weights by ${JSON.stringify(name)}: expected the name of a file`);
}

function isWithin(path: typeof nodePathModule, folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/**
 * True if a name, parsed as URLs are, leads to another host than its prefix, or out of the folder that the prefix ends
 * in.
 */
function escapesFolder(name: string, prefix: string): boolean {
  const steps = normalizeUrl(name).split(/[?#]/)[0]!.split('/');
  if (prefix === '' && steps[0] === '' && steps.length > 1) return true;
  let depth = 0;
  for (const step of steps) {
    const letters = step.replace(/%2e/gi, '.');
    if (letters === '..') depth--;
    else if (letters !== '.' && letters !== '') depth++;
    if (depth < 0) return true;
  }
  return getHost(prefix) !== getHost(prefix + name);
}

/**
 * Normalizes an address as URL parsers do: without tabs, line ends and leading blanks, and with slashes for
 * backslashes.
 */
function normalizeUrl(url: string): string {
  return url
    .replace(/[\t\n\r]/g, '')
    .replace(/^[\0- ]+/, '')
    .replaceAll('\\', '/');
}

/** Returns the scheme and host of an address, which may be relative to the page; undefined if it cannot be parsed. */
function getHost(address: string): string | undefined {
  try {
    const { protocol, host } = new URL(address, 'http://page.invalid/');
    return `${protocol}//${host}`;
  } catch {
    return undefined;
  }
}

function outside(name: unknown, origin: string, folder: string, remedy: string, hint = ''): Error {
  return new Error(
    `${origin} names weights at ${JSON.stringify(name)}${hint}, outside of its folder ${folder}: ${remedy}`,
  );
}
