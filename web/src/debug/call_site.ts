import { nodeProcess } from '../runtime/node_builtins.js';
import { findOriginalPosition } from './source_map_loader.js';
import {
  type Call,
  captureFrameText,
  captureStack,
  containsLibraryCode,
  type EntryPoint,
  isAdapterCode,
  isLibraryCode,
} from './library_frames.js';
import { parseStack, formatPosition, type StackFrame } from './stack.js';
import { dropsTailCalls, hasNames, kLineUnknown } from './stack_traits.js';
import { sourceCall, type SourceCall } from './written_calls.js';

const kDefaultDepth = 16;
// A composite op may be called deep inside the package, for example while a model loads.
const kMaxDepth = 200;
const kMaxSites = 10_000;
const kMaxColumns = 2 ** 26;
/** Frames that include the user's in most calls. */
const kNearDepth = 8;

/** The working directory of Node, or the origin of the page. */
const kHome = nodeProcess?.cwd() ?? (typeof location === 'object' ? location.origin : '');

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
    readonly frame: StackFrame,
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

// By file, then by line and column. Code of the same position may call several functions, and eval() several programs.
let sites = new Map<string, Map<number, CachedSite[]>>();
let siteCount = 0;
let textSites = new Map<string, Site>();

interface CachedSite {
  readonly site: Site;
  readonly evalOrigin: string | undefined;
}

/**
 * Returns the site of the innermost call that is not the package's own; undefined if all are. Begins below `below` if that is
 * given. `isScope` is true for the site of a scope's function.
 */
export function captureSite(isScope = false, below?: EntryPoint): Site | undefined {
  return getSite(captureStack(kNearDepth, below), isScope);
}

/** True if code of the user has called the package in the current job, not by an await of its promise. Begins below `below`. */
export function isCalledByUser(below?: EntryPoint): boolean {
  const calls = captureStack(kMaxDepth, below);
  // Stacks that are text do not tell in all engines.
  if (typeof calls === 'string') return true;
  const end = calls.findIndex((call) => call.isAsync());
  return findUserCall(end < 0 ? calls : calls.slice(0, end)).index >= 0;
}

/** Returns the site of the innermost of some calls that is not the package's own. If all are, it takes more frames. */
export function getSite(calls: Call[] | string, isScope = false): Site | undefined {
  const site = typeof calls === 'string' ? findSiteInText(calls, isScope) : findCachedSite(calls);
  return site ?? findSite(kDefaultDepth, isScope) ?? findSite(kMaxDepth, isScope);
}

function findSite(limit: number, isScope: boolean): Site | undefined {
  const calls = captureStack(limit, findSite);
  return typeof calls === 'string' ? findSiteInText(calls, isScope) : findSiteInCalls(calls, limit);
}

/** Returns the site of the user's innermost call if it has been found before. Keep it fast: debug builds call it for each op. */
function findCachedSite(calls: readonly Call[]): Site | undefined {
  const { index, inner } = findUserCall(calls);
  const call = calls[index];
  const cached = call && sites.get(call.getScriptNameOrSourceURL() ?? '')?.get(getPositionKey(call));
  return cached && findSiteOf(cached, call, inner);
}

/** Returns the index of the innermost call that is not the package's own, and the package's call before it. */
function findUserCall(calls: readonly Call[]): { index: number; inner: Call | undefined } {
  let inner: Call | undefined;
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index]!;
    const file = call.getScriptNameOrSourceURL() ?? '';
    if (isLibraryCall(call, file)) inner = call;
    else if (isInFile(file) || call.isEval()) return { index, inner };
  }
  return { index: -1, inner };
}

function findSiteOf(cached: readonly CachedSite[], call: Call, inner: Call | undefined): Site | undefined {
  const called = getName(inner);
  const evalOrigin = call.isEval() ? call.getEvalOrigin() : undefined;
  for (const each of cached) {
    if (each.site.called === called && each.evalOrigin === evalOrigin) return each.site;
  }
  return undefined;
}

function findSiteInCalls(calls: readonly Call[], limit: number): Site | undefined {
  const known = findCachedSite(calls);
  if (known) return known;
  const { index, inner } = findUserCall(calls);
  const call = calls[index];
  const frame = call && parseStack(`    at ${String(call)}`)[0];
  if (!frame) return undefined;
  // Vitest, tsx and Jest, and Node with --enable-source-maps, write stacks with the lines of the sources.
  const mapped = parseStack(captureFrameText(limit, findSite, index))[0];
  const isMapped = mapped !== undefined && !isSamePlace(mapped, frame);
  const site = new Site(isMapped ? mapped : frame, getName(inner), isMapped);
  // Code of eval() has no file name, or shares it with other code.
  addToCache(call, { site, evalOrigin: call.isEval() ? call.getEvalOrigin() : undefined });
  return site;
}

function getName(call: Call | undefined): string {
  return lastName(call?.getFunctionName() ?? '');
}

function isLibraryCall(call: Call, file: string): boolean {
  const isOwn = containsLibraryCode(file) ? isLibraryCode(file, call.getPosition(), 0) : isAdapterCode(file);
  return isOwn || createsModel(call);
}

/** Functions of adapters that create models, as stacks write them. A bundler may have renamed their classes. */
const kCreatesModel = /\b_?(?:InferenceSession\d*\.create|LiteRt\d*\.loadAndCompile|CompiledModel\d*\.load)\b/;

/** True for functions of adapters and onnxruntime-common that create models, also where a bundler has merged files. */
function createsModel(call: Call): boolean {
  const name = call.getFunctionName();
  if (name === 'createInferenceSessionHandler') return true;
  return (name === 'create' || name === 'load' || name === 'loadAndCompile') && kCreatesModel.test(String(call));
}

/** Returns the line and the column of a call as one number. Scripts of one name, whose lines begin at different ones, differ. */
function getPositionKey(call: Call): number {
  return (call.getLineNumber() ?? 0) * kMaxColumns + (call.getColumnNumber() ?? 0);
}

/** Adds a site to the cache. The cache is emptied once it holds kMaxSites sites. */
function addToCache(call: Call, cached: CachedSite): void {
  if (siteCount >= kMaxSites) {
    sites = new Map();
    siteCount = 0;
  }
  siteCount++;
  const file = call.getScriptNameOrSourceURL() ?? '';
  let inFile = sites.get(file);
  if (!inFile) sites.set(file, (inFile = new Map<number, CachedSite[]>()));
  const key = getPositionKey(call);
  const atPosition = inFile.get(key);
  if (atPosition) atPosition.push(cached);
  else inFile.set(key, [cached]);
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
function getCachedSite(key: string, make: () => Site): Site {
  let site = textSites.get(key);
  if (!site) {
    if (textSites.size >= kMaxSites) textSites = new Map<string, Site>();
    textSites.set(key, (site = make()));
  }
  return site;
}

function isSamePlace(a: StackFrame, b: StackFrame): boolean {
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
