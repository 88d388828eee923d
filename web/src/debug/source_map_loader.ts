import { Decoder } from '../runtime/text_coding.js';
import { nodeBuiltin } from '../runtime/node_builtins.js';
import { SourceMap, type OriginalPosition } from './source_map.js';
import { hasNames } from './stack_traits.js';

const kMaxFiles = 200;

/** A file of the program. Its text is kept only in engines whose stacks have no function names. */
interface ProgramFile {
  readonly map: SourceMap | undefined;
  readonly code: string | undefined;
}

const files = new Map<string, ProgramFile>();

/** Returns the source position of a position in a file of the program; undefined if no source map has it. */
export function findOriginalPosition(file: string, line: number, column: number): OriginalPosition | undefined {
  return getFile(file).map?.originOf(line, column);
}

/** Returns the text of a file of the program, in engines whose stacks have no function names. Undefined if it is unreadable. */
export function readCode(file: string): string | undefined {
  return getFile(file).code;
}

function getFile(file: string): ProgramFile {
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
    const code = readTextSync(url);
    return { map: loadSourceMap(url, code ?? ''), code: hasNames ? undefined : code };
  } catch {
    return { map: undefined, code: undefined };
  }
}

function loadSourceMap(url: string, code: string): SourceMap | undefined {
  try {
    const at = code.lastIndexOf('sourceMappingURL=');
    const link =
      at > 0 && /[#@]\s*$/.test(code.slice(at - 3, at)) ? /=([^\s'"*]+)/.exec(code.slice(at))?.[1] : undefined;
    if (!link) return undefined;
    const place = new URL(link, url).href;
    const text = readTextSync(place);
    return text === undefined ? undefined : new SourceMap(text, place.startsWith('data:') ? url : place, !hasNames);
  } catch {
    // Without a valid map, positions are those of the file itself.
    return undefined;
  }
}

/** Returns the text at a URL. Synchronous, because reports are. Returns undefined for a URL or status that it cannot use. */
function readTextSync(url: string): string | undefined {
  if (url.startsWith('data:')) return decodeDataUrl(url);
  if (url.startsWith('file:')) {
    return nodeBuiltin('node:fs')?.readFileSync(new URL(url), 'utf8');
  }
  if (typeof XMLHttpRequest === 'undefined' || !/^(https?|blob):/.test(url)) return undefined;
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  request.send();
  return request.status === 200 ? request.responseText : undefined;
}

function decodeDataUrl(url: string): string {
  const [, isBase64, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url)!;
  if (!isBase64) return decodeURIComponent(data!);
  return new Decoder().decode(Uint8Array.from(atob(data!), (character) => character.charCodeAt(0)));
}
