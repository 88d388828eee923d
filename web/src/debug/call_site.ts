import { callsHere, isOwnCode, type Call, type Entrance } from './own_code.js';
import { parseStack, placeText, type Frame } from './stack.js';

/** A place in the user's code from which the package was called. There is one object for each place. */
export interface Site {
  /** "app.ts:41:20". */
  readonly text: string;
  /** Which of the package's functions was called there. */
  readonly called: string;
}

const kAnywhere = 16;
// A composition of ops, inside a model's loading say, may lie deep in the package.
const kGreatestDepth = 200;
// Each call on a stack costs: it is worth knowing where to begin, and where to stop.
const canBegin = typeof Error.captureStackTrace === 'function' && Array.isArray(callsHere(1));

/** The folder that Node was started in, or the page's own server. */
const kHome =
  typeof process === 'object' && process.versions?.node
    ? process.cwd()
    : typeof location === 'object'
      ? location.origin
      : '';

const bySource = new Map<string, Map<string, Site>>();

/** The innermost call that is not the package's own; undefined when all of them are. */
export function siteHere(entrance?: Entrance): Site | undefined {
  if (entrance && canBegin) {
    const site = siteOf(callsHere(entrance.depth, entrance.below) as Call[]);
    if (site) return site;
  }
  return siteIn(callsHere(kAnywhere)) ?? siteIn(callsHere(kGreatestDepth));
}

function siteIn(calls: readonly Call[] | string): Site | undefined {
  return typeof calls === 'string' ? siteInText(parseStack(calls)) : siteOf(calls);
}

function siteOf(calls: readonly Call[]): Site | undefined {
  let inner: Call | undefined;
  for (const call of calls) {
    const file = call.getScriptNameOrSourceURL() ?? '';
    const position = call.getPosition();
    if (isOwnCode(file, position, 0)) {
      inner = call;
    } else if (call.isEval() || isInFile(file)) {
      const called = inner?.getFunctionName() ?? '';
      return known(file, `${position} ${called}`, () => {
        const frame = parseStack(`    at ${String(call)}`)[0];
        return frame && { text: textOf(frame), called: nameIn(called) };
      });
    }
  }
  return undefined;
}

function siteInText(frames: readonly Frame[]): Site | undefined {
  let called = '';
  for (const frame of frames) {
    if (isOwnCode(frame.file, frame.line, frame.column)) called = frame.name;
    else if (isInFile(frame.file)) {
      const text = textOf(frame);
      return known(frame.file, `${text} ${called}`, () => ({ text, called }));
    }
  }
  return undefined;
}

function known(file: string, key: string, make: () => Site | undefined): Site | undefined {
  let sites = bySource.get(file);
  if (!sites) bySource.set(file, (sites = new Map<string, Site>()));
  let site = sites.get(key);
  if (!site) {
    site = make();
    if (site) sites.set(key, site);
  }
  return site;
}

function isInFile(file: string): boolean {
  return file !== '' && !/^(node|wasm):|^\[native code\]/.test(file);
}

function nameIn(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function textOf(frame: Frame): string {
  return placeText(frame, kHome);
}
