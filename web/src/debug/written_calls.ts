import { readCode, findOriginalPosition } from './source_map_loader.js';
import { containsLibraryCode, withoutLibraryCode } from './library_frames.js';
import { callsBack, isPublicName } from './public_names.js';
import { callAt, definesFunction, importOf, type WrittenCall } from './source_call.js';
import type { StackFrame } from './stack.js';
import { dropsTailCalls } from './stack_traits.js';

const kMaxScripts = 100;
/** Part of an error message of the package. A script that contains it is another copy of the package. */
const kEngine = 'take both from one folder of one version';
// Vite's development server serves packages from a folder `deps`.
const kPackage = /(^|\/)(tenure|@tensorflow\/tfjs[\w-]*)(\/|$)|\/deps\/(tenure|@tensorflow_tfjs)/;

/** The call at the position of a frame: in the source, if there is a source map. */
export interface SourceCall {
  /** Name of the public function that is called; undefined if none is. */
  readonly name: string | undefined;
  /** Position of the call. */
  readonly frame: StackFrame;
  /** False if the call may be of a function of the user, whose own frame was dropped. */
  readonly isProven: boolean;
}

/**
 * Returns the call at the position of a frame. `isScope` is true for the site of a scope's function, which calls back. In engines
 * that drop frames, the call is proven to be the package's by an import, or because the program defines no function of that name.
 */
export function sourceCall(frame: StackFrame, isScope: boolean): SourceCall {
  const code = readCode(frame.file);
  const written = code === undefined ? undefined : callAt(code, frame.line, frame.column);
  const generated = written ? { ...frame, line: written.line, column: written.column } : frame;
  const origin = findOriginalPosition(frame.file, generated.line, generated.column);
  const source = origin?.code === undefined ? undefined : callAt(origin.code, origin.line, origin.column);
  const shown = origin
    ? { ...frame, file: origin.source, line: source?.line ?? origin.line, column: source?.column ?? origin.column }
    : generated;
  const accepts = (call: WrittenCall | undefined) =>
    call !== undefined && isPublicName(getCalleeName(call)) && (isScope || !callsBack(getCalleeName(call)));
  const call = accepts(source) ? source : accepts(written) ? written : undefined;
  const isProven =
    !dropsTailCalls ||
    (call !== undefined && isOfPackage(call, (call === source ? origin?.code : code) ?? '', frame.file));
  return { name: call && getCalleeName(call), frame: shown, isProven };
}

function getCalleeName(call: WrittenCall): string {
  return call.chain.at(-1)!;
}

function isOfPackage(call: WrittenCall, code: string, file: string): boolean {
  const isImported = !call.isContinued && kPackage.test(importOf(code, call.chain[0]!) ?? '');
  if (isImported) return true;
  // A plain function that is not imported is the user's.
  const isMethod = call.isContinued || call.chain.length > 1;
  return isMethod && !scriptsOfProgram(file).some((script) => definesFunction(script, getCalleeName(call)));
}

/** Returns the texts of the page's scripts, without the package's code and without files of other packages. */
function scriptsOfProgram(file: string): string[] {
  const loaded =
    typeof performance === 'undefined' ? [] : performance.getEntriesByType('resource').map(({ name }) => name);
  const scripts = loaded.filter(
    (name) => /\.[mc]?[jt]sx?$/.test(name.replace(/[?#].*$/, '')) && !name.includes('/node_modules/'),
  );
  const others = scripts.filter((name) => name !== file && !containsLibraryCode(name)).slice(0, kMaxScripts);
  const texts = [...new Set(others)].map((name) => readCode(name) ?? '').filter((text) => !text.includes(kEngine));
  const inline =
    typeof document === 'undefined' ? [] : [...document.scripts].map(({ textContent }) => textContent ?? '');
  return [withoutLibraryCode(file, readCode(file) ?? ''), ...texts, ...inline];
}
