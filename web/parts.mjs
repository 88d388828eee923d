// Splits the release build's wasm, so that a page first loads what most programs run. Functions of other parts are called
// through the table: until a part is loaded, its slots hold functions of runtime/lazy_modules.ts, which load it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFiles, root, run } from '../cpp/toolchain/use.mjs';
import { distribute } from './part_data.mjs';
import { kParts, needsOf } from './part_list.mjs';
import { sectionsOf, uncallable, withExports, withImportedMemory, withImports } from './wasm_file.mjs';

/**
 * Functions that stay in the primary module wherever they are defined: those that run at the start, Embind's callers, which
 * JavaScript keeps, and functions that all programs call.
 */
const kAlwaysPrimary =
  /^_GLOBAL__sub_I|EmBindInit|embind_init|^_ZN10emscripten|tn_on_device|tn_pixels|set_backend_by_name|set_min_elements_for_device/;
const kDestructor = /D[012]Ev$/;
/**
 * Rows of importers and kernels, and the functions that return an importer's rows. Other functions in the table, such as virtual
 * ones, may stand for functions of other sources too, because Binaryen keeps one of all that have the same code.
 */
const kRow = /(?:(?:8executor4Call|10KernelArgs)E|_rowsEv)(?:_\d+)?$/;
const kFeatures = [
  'simd',
  'relaxed-simd',
  'threads',
  'exception-handling',
  'nontrapping-float-to-int',
  'bulk-memory',
  'sign-ext',
  'mutable-globals',
  'multivalue',
].map((name) => `--enable-${name}`);

/**
 * Returns the sections of an engine's files, linked from a preset's objects, by file name: the whole engine without relaxed
 * SIMD, the primary module, and the parts.
 */
export function split(preset, linked, engine) {
  const folder = path.join(root, linked, 'parts', engine);
  mkdirSync(folder, { recursive: true });
  const at = (name) => path.join(folder, name);
  const sources = definedIn(preset);
  const built = path.join(root, linked, `${engine}.wasm`);
  const callers = callersIn(built, at('whole.wat'));

  let rest = built;
  let whole = built;
  const names = [];
  const needing = {};
  for (const [part, pattern] of Object.entries(kParts)) {
    const moved = movedTo(pattern, functionsOf(rest), sources, callers, new Set(needing[part]));
    if (pattern.isOptional && moved.length === 0) continue;
    for (const other of needsOf(part)) needing[other] = [...(needing[other] ?? []), ...moved];
    if (moved.length === 0) throw new Error(`${preset} has no function of the part "${part}"`);
    writeFileSync(at(`${part}.txt`), moved.join('\n'));
    const left = at(`without_${part}.wasm`);
    binaryen('wasm-split', [
      rest,
      `--split-funcs=@${at(`${part}.txt`)}`,
      `--placeholder-namespace=${part}`,
      '--import-namespace=engine',
      `--export-prefix=${part}:`,
      '-g',
      '-o1',
      left,
      '-o2',
      at(`${part}.wasm`),
    ]);
    rest = left;
    names.push(part);
    if (pattern.isOptional) {
      const alone = withoutPlaceholders(left, at('without_placeholders.wasm'), () => true);
      whole = withoutExports(alone, at('whole.wasm'), `${part}:`);
    }
  }

  // Kernels with relaxed SIMD are called only after they were loaded, and rows of importers only by code of their parts, unlike
  // places that wasm-split adds. The first name is the segment's, and place 0 of the table is empty. Removed at the end, as
  // wasm-split would use the places.
  const places = [...callers.inTable];
  const isUnused = (part, place) =>
    kParts[part].isOptional || (kParts[part].hasRows && place < places.length && kRow.test(places[place]));
  rest = withoutPlaceholders(rest, at('without_unused.wasm'), isUnused);

  const moduleOf = (file) => {
    binaryen('wasm-dis', [file, '-o', at('text.wat')]);
    return { sections: sectionsOf(readFileSync(file)), text: readFileSync(at('text.wat'), 'utf8') };
  };
  const modules = Object.fromEntries(names.map((part) => [part, moduleOf(at(`${part}.wasm`))]));
  const map = readFileSync(path.join(root, linked, `${engine}.map`), 'utf8');
  // In Node the kernels with relaxed SIMD are loaded alone.
  const shared = distribute(moduleOf(rest), modules, map, (part) => (kParts[part].isOptional ? [] : needsOf(part)));
  const first = withShortExports(shared.engine);
  const [problem] = uncallable(first.sections);
  if (problem)
    throw new Error(`JavaScript cannot call a function of vectors: place ${problem[1]} of the part "${problem[0]}"`);
  const partFile = (part) => {
    return withImports(shared.parts[part], (from, name) => [from, from === 'engine' ? first.shortened(name) : name]);
  };
  return {
    'tenure.whole.wasm': sectionsOf(readFileSync(whole)),
    'tenure.wasm': withImportedMemory(withImports(first.sections, shortPlaceholder)),
    ...Object.fromEntries(names.map((part) => [`tenure.${part}.wasm`, withImportedMemory(partFile(part))])),
  };
}

/**
 * Returns a short name of the placeholder of a part's function: the number of the part's file, from 1, and the place in the
 * table, both in base 36. There are 1,400 of them, whose names would be 2 % of the first download.
 */
function shortPlaceholder(from, name) {
  if (!(from in kParts)) return [from, name];
  return [Object.keys(kParts).indexOf(from) + 1, Number(name)].map((number) => number.toString(36));
}

/**
 * Returns the functions of a part: those whose definitions are all in its sources. Functions without a source of their own,
 * such as template instances, stay if others call them, because the linker keeps one of all that have the same code. Of
 * the others, `needing` are the functions of a part that is loaded only with this one.
 */
function movedTo({ sources, names }, functions, definitions, { callers, inTable, isFixed }, needing) {
  const isIn = (name) => {
    if (kAlwaysPrimary.test(name)) return false;
    const found = definitions(name);
    return names?.test(name) || Boolean(sources && found?.every(({ file }) => sources.test(file)));
  };
  const moved = new Set(functions.filter(isIn));
  const isShared = (name) => {
    if (definitions(name)?.some(({ kind }) => kind === 'T')) return false;
    return (
      (inTable.has(name) && kDestructor.test(name)) ||
      [...(callers.get(name) ?? [])].some((caller) => !moved.has(caller) && !needing.has(caller))
    );
  };
  untilStable(moved, () => {
    for (const name of moved) if (!names?.test(name) && isShared(name)) moved.delete(name);
  });
  // Functions with no other callers move too, including those of libraries.
  untilStable(moved, () => {
    for (const name of functions) {
      const calling = [...(callers.get(name) ?? [])];
      const isOpen = inTable.has(name) || isFixed.has(name) || kAlwaysPrimary.test(name);
      if (
        !isOpen &&
        calling.length > 0 &&
        calling.every((caller) => caller === name || moved.has(caller) || needing.has(caller))
      )
        moved.add(name);
    }
  });
  return [...moved];
}

/**
 * Writes a split module without the placeholders for which `isUnused(part, place)` is true, and returns the file. Their places
 * in the table stay empty until the part is loaded.
 */
function withoutPlaceholders(from, to, isUnused) {
  const text = `${to}.wat`;
  binaryen('wasm-dis', [from, '-o', text]);
  const unused = new Set();
  const lines = readFileSync(text, 'utf8')
    .split('\n')
    .filter((line) => {
      const [, part, place] = /^ \(import "(\w+)" "(\d+)" \(func /.exec(line) ?? [];
      if (!part || !isUnused(part, Number(place))) return true;
      unused.add(`$placeholder_${place}`);
      return false;
    })
    .map((line) => (line.startsWith(' (elem ') ? elementsWithout(line, unused) : line));
  writeFileSync(text, lines.join('\n'));
  binaryen('wasm-opt', [text, '-g', '-o', to]);
  return to;
}

/** Returns a segment of functions without some of them, as several segments. */
function elementsWithout(segment, unused) {
  const [, start, list] = /^ \(elem \S+ \(i32\.const (\d+)\) (.*)\)$/.exec(segment);
  const runs = [];
  list.split(' ').forEach((name, i) => {
    if (unused.has(name)) return;
    const last = runs.at(-1);
    if (last?.end === i) last.names.push(name);
    else runs.push({ at: Number(start) + i, names: [name], end: i });
    runs.at(-1).end = i + 1;
  });
  return runs.map(({ at, names }) => ` (elem (i32.const ${at}) ${names.join(' ')})`).join('\n');
}

/** Writes a module without the exports that begin with `prefix`, and without what only they use; returns the file. */
function withoutExports(from, to, prefix) {
  const text = `${to}.wat`;
  binaryen('wasm-dis', [from, '-o', text]);
  const lines = readFileSync(text, 'utf8').split('\n');
  writeFileSync(text, lines.filter((line) => !line.startsWith(` (export "${prefix}`)).join('\n'));
  binaryen('wasm-opt', [text, '--remove-unused-module-elements', '-g', '-o', to]);
  return to;
}

function untilStable(set, change) {
  for (let before = -1; before !== set.size; ) {
    before = set.size;
    change();
  }
}

/** Returns the callers of each function by name; the functions in the table; and those imported or exported. */
function callersIn(file, text) {
  binaryen('wasm-dis', [file, '-o', text]);
  const callers = new Map();
  const inTable = new Set();
  const isFixed = new Set();
  let caller;
  for (const line of readFileSync(text, 'utf8').split('\n')) {
    caller = /^ \(func \$(\S+)/.exec(line)?.[1] ?? caller;
    if (/^ \(elem /.test(line)) for (const [, name] of line.matchAll(/ \$([^\s)]+)/g)) inTable.add(name);
    if (/^ \((?:im|ex)port /.test(line)) for (const [, name] of line.matchAll(/\(func \$([^\s)]+)/g)) isFixed.add(name);
    for (const [, name] of line.matchAll(/\((?:return_)?call \$([^\s)]+)/g))
      callers.set(name, (callers.get(name) ?? new Set()).add(caller));
  }
  return { callers, inTable, isFixed };
}

/** Shortens the names of exports for the parts. */
function withShortExports(sections) {
  const names = new Map();
  const shortened = (name) => {
    if (!/^\w+:/.test(name)) return name;
    if (!names.has(name)) names.set(name, `$${names.size.toString(36)}`);
    return names.get(name);
  };
  return { sections: withExports(sections, shortened), shortened };
}

/** Returns a function from a function's name to its definitions. Binaryen numbers repeated names of one module. */
function definedIn(preset) {
  // A build folder keeps the objects of sources that have been moved or deleted.
  const objects = findFiles(`build/${preset}/cpp`, /\.cpp\.o$/).filter((object) =>
    existsSync(path.join(root, sourceOf(object))),
  );
  const files = new Map();
  for (const [, file, kind, name] of emscripten('emnm', ['-A', '--defined-only', ...objects]).matchAll(
    /^(\S+?)\.o: ?\S* ([TtWw]) (.*)$/gm,
  )) {
    const definition = { file: sourceOf(file), kind };
    files.set(name, [...(files.get(name) ?? []), definition]);
  }
  return (name) => files.get(name) ?? files.get(name.replace(/_\d+$/, ''));
}

/** Returns the path of the source that an object is compiled from, with or without the object's ".o". */
function sourceOf(object) {
  return object.replace(/^build\/[^/]*\/|CMakeFiles\/\w+\.dir\/|\.o$/g, '');
}

function functionsOf(file) {
  const lines = binaryen('wasm-opt', [file, '--print-function-map', '-o', '/dev/null']).matchAll(/^\d+:(.+)$/gm);
  return Array.from(lines, ([, name]) => name);
}

function binaryen(tool, args) {
  const folder = emscripten('em-config', ['BINARYEN_ROOT']).trim();
  return run(path.join(folder, 'bin', tool), [...kFeatures, '--disable-reference-types', ...args], { quiet: true });
}

function emscripten(tool, args) {
  return run(path.join(path.dirname(process.env.EMCC), tool), args, { quiet: true });
}
