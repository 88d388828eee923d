import { isNode } from '../runtime/built_in.js';
import { originIn } from './map_file.js';
import { callsHere, isOwnCode, textHere, type Call, type Entrance } from './own_code.js';
import { parseStack, placeText, type Frame } from './stack.js';
import { dropsTailCalls, hasNames, kLineUnknown } from './stack_traits.js';
import { sourceCall, type SourceCall } from './written_calls.js';

const kAnywhere = 16;
// A composition of ops, inside a model's loading say, may lie deep in the package.
const kGreatestDepth = 200;
const kMostSites = 10_000;
// Each call on a stack costs: it is worth knowing where to begin, and where to stop.
const canBegin = typeof Error.captureStackTrace === 'function';

/** The folder that Node was started in, or the page's own server. */
const kHome = isNode ? process.cwd() : typeof location === 'object' ? location.origin : '';

/** A place in the user's code from which the package was called. */
export class Site {
  #call: SourceCall | undefined;

  constructor(
    readonly frame: Frame,
    /** Which of the package's functions was called there, in engines whose stacks tell it. */
    readonly called: string,
    readonly isMapped: boolean,
    /** True for the place where a scope opens or ends, rather than one where a tensor is made. */
    readonly isScope = false,
    /** True where a function of the engine, such as Array.map(), was called there, which called the package. */
    readonly isIndirect = false,
  ) {}

  /**
   * "src/app.ts:41:20": in the source, if there is a source map, which is read when a text is first asked for. Or why the line
   * is unknown.
   */
  get text(): string {
    return this.isKnown ? placeText(this.#source().frame, kHome) : kLineUnknown;
  }

  /** False where the frame may be that of a caller of the function that made the call. */
  get isKnown(): boolean {
    return !(dropsTailCalls && this.isIndirect) && this.#source().isProven;
  }

  /** The same place, of which it is known that its line is that of another call. */
  withoutLine(): Site {
    return new Site(this.frame, this.called, this.isMapped, this.isScope, true);
  }

  /** The public function that is called there, read from the source where stacks do not tell it. Undefined if it is unknown. */
  get writtenName(): string | undefined {
    return hasNames || !this.isKnown ? undefined : this.#source().name;
  }

  #source(): SourceCall {
    return (this.#call ??= hasNames ? this.#mapped() : sourceCall(this.frame, this.isScope));
  }

  #mapped(): SourceCall {
    const { file, line, column } = this.frame;
    const origin = this.isMapped ? undefined : originIn(file, line, column);
    const frame = origin ? { name: '', file: origin.source, line: origin.line, column: origin.column } : this.frame;
    return { name: undefined, frame, isProven: true };
  }
}

let sites = new Map<string, Site>();

/** The innermost call that is not the package's own, of a scope's function with `isScope`; undefined when all of them are. */
export function siteHere(entrance?: Entrance, isScope = false): Site | undefined {
  if (entrance && canBegin) {
    const site = siteIn(entrance.depth, entrance.below, isScope);
    if (site) return site;
  }
  return siteIn(kAnywhere, siteIn, isScope) ?? siteIn(kGreatestDepth, siteIn, isScope);
}

function siteIn(limit: number, below: Entrance['below'], isScope: boolean): Site | undefined {
  const calls = callsHere(limit, below);
  return typeof calls === 'string' ? siteInText(calls, isScope) : siteOf(calls, limit, below);
}

function siteOf(calls: readonly Call[], limit: number, below: Entrance['below']): Site | undefined {
  let inner: Call | undefined;
  for (const [i, call] of calls.entries()) {
    const file = call.getScriptNameOrSourceURL() ?? '';
    if (isOwnCode(file, call.getPosition(), 0)) {
      inner = call;
    } else if (call.isEval() || isInFile(file)) {
      const called = inner?.getFunctionName() ?? '';
      // What eval() runs has no file of its own, or shares its name with others.
      const origin = call.isEval() ? call.getEvalOrigin() : '';
      return known(`${file} ${call.getLineNumber()}:${call.getColumnNumber()} ${called} ${origin}`, () => {
        const frame = parseStack(`    at ${String(call)}`)[0];
        if (!frame) return undefined;
        // Vitest, tsx, Jest and Node itself, where they are asked to, write stacks with the lines of the sources.
        const mapped = parseStack(textHere(limit, below, i))[0];
        const isMapped = mapped !== undefined && !isSamePlace(mapped, frame);
        return new Site(isMapped ? mapped : frame, nameIn(called), isMapped);
      });
    }
  }
  return undefined;
}

function siteInText(stack: string, isScope: boolean): Site | undefined {
  let called = '';
  let isIndirect = false;
  for (const text of stack.split('\n')) {
    const [frame] = parseStack(text);
    if (!frame) {
      isIndirect ||= text.includes('[native code]');
    } else if (isOwnCode(frame.file, frame.line, frame.column)) {
      called = frame.name;
      isIndirect = false;
    } else if (isInFile(frame.file)) {
      const key = `${frame.file} ${frame.line}:${frame.column} ${called} ${isScope} ${isIndirect}`;
      return known(key, () => new Site(frame, called, false, isScope, isIndirect));
    }
  }
  return undefined;
}

/** There is one object for each place, but for programs that have endlessly many. */
function known(key: string, make: () => Site | undefined): Site | undefined {
  let site = sites.get(key);
  if (!site) {
    if (sites.size >= kMostSites) sites = new Map<string, Site>();
    site = make();
    if (site) sites.set(key, site);
  }
  return site;
}

function isSamePlace(a: Frame, b: Frame): boolean {
  return a.line === b.line && a.column === b.column && a.file.replace(/^file:\/\//, '') === b.file.replace(/^file:\/\//, '');
}

function isInFile(file: string): boolean {
  return file !== '' && !/^(node|wasm):|^\[native code\]/.test(file);
}

function nameIn(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
