import { builtIn } from '../runtime/built_in.js';
import { SourceMap, type Origin } from './source_map.js';
import { hasNames } from './stack_traits.js';

const kMaxFiles = 200;

/** A file that runs. Its text is kept only where stacks do not tell what was called. */
interface ProgramFile {
  readonly map: SourceMap | undefined;
  readonly code: string | undefined;
}

const files = new Map<string, ProgramFile>();

/** Where a place of a file that runs comes from, if the file or one beside it has a source map that says so. */
export function originIn(file: string, line: number, column: number): Origin | undefined {
  return fileOf(file).map?.originOf(line, column);
}

/** The text of a file that runs, in engines whose stacks do not tell what was called. Undefined where it cannot be read. */
export function codeOf(file: string): string | undefined {
  return fileOf(file).code;
}

function fileOf(file: string): ProgramFile {
  let found = files.get(file);
  if (!found) {
    if (files.size >= kMaxFiles) files.clear();
    files.set(file, (found = readFile(file)));
  }
  return found;
}

function readFile(file: string): ProgramFile {
  try {
    const url = /^[a-z][\w+.-]+:/i.test(file) ? file : `file://${file.replaceAll('\\', '/').replace(/^(?!\/)/, '/')}`;
    const code = read(url);
    return { map: mapFor(url, code ?? ''), code: hasNames ? undefined : code };
  } catch {
    return { map: undefined, code: undefined };
  }
}

function mapFor(url: string, code: string): SourceMap | undefined {
  try {
    const at = code.lastIndexOf('sourceMappingURL=');
    const link = at > 0 && /[#@]\s*$/.test(code.slice(at - 3, at)) ? /=([^\s'"*]+)/.exec(code.slice(at))?.[1] : undefined;
    if (!link) return undefined;
    const place = new URL(link, url).href;
    const text = read(place);
    return text === undefined ? undefined : new SourceMap(text, place.startsWith('data:') ? url : place, !hasNames);
  } catch {
    // Without a map, or with a broken one, lines are those of the file itself.
    return undefined;
  }
}

/** The text at a URL, had at once: a report does not wait. */
function read(url: string): string | undefined {
  if (url.startsWith('data:')) return dataIn(url);
  if (url.startsWith('file:')) {
    return builtIn('node:fs')?.readFileSync(new URL(url), 'utf8');
  }
  if (typeof XMLHttpRequest === 'undefined' || !/^(https?|blob):/.test(url)) return undefined;
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.send();
  return request.status === 200 ? request.responseText : undefined;
}

function dataIn(url: string): string {
  const [, isBase64, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url)!;
  if (!isBase64) return decodeURIComponent(data!);
  return new TextDecoder().decode(Uint8Array.from(atob(data!), (character) => character.charCodeAt(0)));
}
