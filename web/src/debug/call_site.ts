import { isNode } from '../runtime/node_builtins.js';
import { findOriginalPosition } from './source_map_loader.js';
import { captureStack, isLibraryCode, captureFrameText, type Call, type EntryPoint } from './library_frames.js';
import { parseStack, formatPosition, type Frame } from './stack.js';
import { dropsTailCalls, hasNames, kLineUnknown } from './stack_traits.js';
import { sourceCall, type SourceCall } from './written_calls.js';

const kDefaultDepth = 16;
// A composite op may be called deep inside the package, for example while a model loads.
const kMaxDepth = 200;
const kMaxSites = 10_000;
// The cost of a stack grows with its frames, so it starts below the package's function and has a limit.
const canBegin = typeof Error.captureStackTrace === 'function';

/** The working directory of Node, or the origin of the page. */
const kHome = isNode ? process.cwd() : typeof location === 'object' ? location.origin : '';

/** A call site: a position in the user's code from which the package was called. */
export class Site {
  #call: SourceCall | undefined;

  /**
   * Creates a call site.
   * @param frame Frame of the call.
   * @param called Name of the package's function that was called there, as the stack has it.
   * @param isMapped True if `frame` is a position that a source map has translated to the source.
   * @param isScope True if a scope opens or ends there, false if a tensor is made there.
   * @param isIndirect True if a native function, such as Array.map(), was called there, which called the package.
   */
  constructor(
    readonly frame: Frame,
    readonly called: string,
    readonly isMapped: boolean,
    readonly isScope = false,
    readonly isIndirect = false,
  ) {}

  /**
   * "src/app.ts:41:20", or why the line is unknown. The position is in the source if there is a source map, which is read at the
   * first access.
   */
  get text(): string {
    return this.isKnown ? formatPosition(this.#source().frame, kHome) : kLineUnknown;
  }

  /** False if the frame may belong to a caller of the function that made the call, because the engine drops tail calls. */
  get isKnown(): boolean {
    return !(dropsTailCalls && this.isIndirect) && this.#source().isProven;
  }

  /** Returns a copy of this site whose line is unknown, because it is the line of another call. */
  withoutLine(): Site {
    return new Site(this.frame, this.called, this.isMapped, this.isScope, true);
  }

  /** The public function that is called there, read from the source. Undefined if it is unknown, or if stacks have names. */
  get writtenName(): string | undefined {
    return hasNames || !this.isKnown ? undefined : this.#source().name;
  }

  #source(): SourceCall {
    return (this.#call ??= hasNames ? this.#mapped() : sourceCall(this.frame, this.isScope));
  }

  #mapped(): SourceCall {
    const { file, line, column } = this.frame;
    const origin = this.isMapped ? undefined : findOriginalPosition(file, line, column);
    const frame = origin ? { name: '', file: origin.source, line: origin.line, column: origin.column } : this.frame;
    return { name: undefined, frame, isProven: true };
  }
}

let sites = new Map<string, Site>();

/**
 * Returns the site of the innermost call that is not the package's own; undefined if all are. `isScope` is true for the site of a
 * scope's function.
 */
export function captureSite(entryPoint?: EntryPoint, isScope = false): Site | undefined {
  if (entryPoint && canBegin) {
    const site = findSite(entryPoint.depth, entryPoint.below, isScope);
    if (site) return site;
  }
  return findSite(kDefaultDepth, findSite, isScope) ?? findSite(kMaxDepth, findSite, isScope);
}

function findSite(limit: number, below: EntryPoint['below'], isScope: boolean): Site | undefined {
  const calls = captureStack(limit, below);
  return typeof calls === 'string' ? findSiteInText(calls, isScope) : findSiteInCalls(calls, limit, below);
}

function findSiteInCalls(calls: readonly Call[], limit: number, below: EntryPoint['below']): Site | undefined {
  let inner: Call | undefined;
  for (const [i, call] of calls.entries()) {
    const file = call.getScriptNameOrSourceURL() ?? '';
    if (isLibraryCode(file, call.getPosition(), 0)) {
      inner = call;
    } else if (call.isEval() || isInFile(file)) {
      const called = inner?.getFunctionName() ?? '';
      // Code of eval() has no file name, or shares it with other code.
      const origin = call.isEval() ? call.getEvalOrigin() : '';
      return getCachedSite(`${file} ${call.getLineNumber()}:${call.getColumnNumber()} ${called} ${origin}`, () => {
        const frame = parseStack(`    at ${String(call)}`)[0];
        if (!frame) return undefined;
        // Vitest, tsx and Jest, and Node with --enable-source-maps, write stacks with the lines of the sources.
        const mapped = parseStack(captureFrameText(limit, below, i))[0];
        const isMapped = mapped !== undefined && !isSamePlace(mapped, frame);
        return new Site(isMapped ? mapped : frame, lastName(called), isMapped);
      });
    }
  }
  return undefined;
}

function findSiteInText(stack: string, isScope: boolean): Site | undefined {
  let called = '';
  let isIndirect = false;
  for (const text of stack.split('\n')) {
    const [frame] = parseStack(text);
    if (!frame) {
      isIndirect ||= text.includes('[native code]');
    } else if (isLibraryCode(frame.file, frame.line, frame.column)) {
      called = frame.name;
      isIndirect = false;
    } else if (isInFile(frame.file)) {
      const key = `${frame.file} ${frame.line}:${frame.column} ${called} ${isScope} ${isIndirect}`;
      return getCachedSite(key, () => new Site(frame, called, false, isScope, isIndirect));
    }
  }
  return undefined;
}

/** Returns the site of a key, made by `make` if it is new. The table is emptied once it holds kMaxSites sites. */
function getCachedSite(key: string, make: () => Site | undefined): Site | undefined {
  let site = sites.get(key);
  if (!site) {
    if (sites.size >= kMaxSites) sites = new Map<string, Site>();
    site = make();
    if (site) sites.set(key, site);
  }
  return site;
}

function isSamePlace(a: Frame, b: Frame): boolean {
  return (
    a.line === b.line && a.column === b.column && a.file.replace(/^file:\/\//, '') === b.file.replace(/^file:\/\//, '')
  );
}

function isInFile(file: string): boolean {
  return file !== '' && !/^(node|wasm):|^\[native code\]/.test(file);
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
