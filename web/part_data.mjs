// Moves data that only a part's functions read, and those of parts that need it, such as their strings and tables, from the
// engine's data into the part's own, which is placed at the same addresses when the part is linked.
import { dataOf, withData } from './wasm_file.mjs';

/**
 * Maximum distance before an object of an address in code, because compilers fold index offsets into it. Strings have a smaller
 * one.
 */
const kSlack = 128;
const kTextSlack = 8;
const kLongText = 16;
/** Names of ops of TensorFlow Lite: tables refer to them, code does not. */
const kOpName = /^[A-Z0-9]+_[A-Z0-9_]*$/;
/** Strings of the C++ library for programs that end by an exception, and of its functions that the engine does not call. */
const kUnused = /uncaught|terminat|exception|virtual function|no random numbers/;
/** Maximum run of zeros inside a segment: a further segment costs more. */
const kGap = 8;
/** The C library's tables of doubles, whose halves may look like addresses. */
const kNumbers = /\/libc\.a\(\w*(?:_data|rem_pio2_large)\.o\)/;
/** The C++ library's tables of powers of 10, some of which look like addresses, too. */
const kPowers = /__pow10_(?:32|64|128)E$/;

/**
 * Returns the sections of the engine and of its parts with their data. A module is `{ sections, text }`, the second as wasm-dis
 * prints it; `map` is the linker's, whose entries move as a whole. `needsOf` returns the names of the parts that are loaded
 * before a part runs.
 */
export function distribute(engine, parts, map, needsOf) {
  const memory = new Memory(dataOf(engine.sections));
  const entries = entriesOf(map, memory);
  const usedBy = (module) => reached(module, entries, memory);
  const byEngine = usedBy(engine);
  const byParts = Object.entries(parts).map(([name, module]) => [name, usedBy(module)]);

  checkReached(entries, [byEngine, ...byParts.map(([, used]) => used)], memory);

  const moved = new Map(Object.keys(parts).map((name) => [name, []]));
  for (const entry of entries) {
    const users = byParts.filter(([, used]) => used.has(entry));
    if (users.length === 0 || byEngine.has(entry) || !users.every(([, used]) => isSure(entry, used, memory))) continue;
    // One of the parts that use it, or else a part that all of these need.
    const owner = [...users.map(([name]) => name), ...moved.keys()].find((name) =>
      users.every(([other]) => other === name || needsOf(other).includes(name)),
    );
    if (owner) moved.get(owner).push(entry);
  }
  const placed = Object.entries(parts).map(([name, { sections }]) => [
    name,
    withData(sections, memory.take(moved.get(name))),
  ]);
  return { engine: withData(engine.sections, memory.rest()), parts: Object.fromEntries(placed) };
}

/** True if an entry may move. Short strings are shared by many places, and stay, but for names of ops. */
function isSure(entry, used, memory) {
  if (!entry.isText || entry.end - entry.start > kLongText) return true;
  const text = memory.of(entry).toString('latin1').replace(/\0$/, '');
  return used.get(entry) === 'data' && kOpName.test(text);
}

/**
 * Throws if nothing refers to a string. Binaryen would then have replaced its address by one relative to another string, and the
 * parts that use it could not be found.
 */
function checkReached(entries, reachedBy, memory) {
  for (const entry of entries) {
    if (!entry.isText || entry.end - entry.start <= kLongText || reachedBy.some((used) => used.has(entry))) continue;
    const text = memory.of(entry).toString();
    if (!kUnused.test(text)) throw new Error(`no code refers to the address of the string ${JSON.stringify(text)}`);
  }
}

/** Returns the entries that a module's code can reach, and how: by addresses in 'code', or in the 'data' that it reaches. */
function reached({ text }, entries, memory) {
  const found = new Map();
  const open = [];
  const note = (address, by) => {
    for (const entry of near(entries, address, by === 'code')) {
      // Only code refers to tables of numbers: other data that has their addresses are numbers, too, and so are powers of 2
      // and their neighbours.
      const isNumber = by === 'data' || (isNearPowerOfTwo(address) && address !== entry.start);
      if (found.has(entry) || (entry.isNumbers && isNumber)) continue;
      found.set(entry, by);
      open.push(entry);
    }
  };
  const code = text.replace(/^ \((?:data|elem) .*$/gm, '');
  const addresses = new Set(
    Array.from(code.matchAll(/i32\.const (\d+)|offset=(\d+)/g), ([, constant, offset]) => Number(constant ?? offset)),
  );
  for (const address of addresses) note(address, 'code');
  while (open.length > 0) {
    const entry = open.pop();
    if (!entry.isNumbers) for (const address of memory.words(entry)) note(address, 'data');
  }
  return found;
}

const isNearPowerOfTwo = (number) => [number - 1, number, number + 1].some((one) => (one & (one - 1)) === 0);

/**
 * Returns the entries, sorted by address, that an address may refer to: the one that contains it, and one that begins soon
 * after it.
 */
function near(entries, address, hasSlack) {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].end < address) low = middle + 1;
    else high = middle;
  }
  const found = [];
  for (; low < entries.length && entries[low].start - kSlack <= address; low++) {
    const { start, end, slack } = entries[low];
    const isInside = start <= address && (address < end || entries[low + 1]?.start !== end);
    if (isInside || (hasSlack && address < start && start - slack <= address)) found.push(entries[low]);
  }
  return found;
}

/** Returns the linker's entries: objects, and strings, which it merged. */
function entriesOf(map, memory) {
  const entries = [];
  const lines = map
    .slice(map.search(/^ +- +[0-9a-f]+ +[0-9a-f]+ DATA$/m))
    .matchAll(/^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) {9}(\S.*):\((\S+)\)$/gm);
  for (const [, address, length, file, section] of lines) {
    const [start, end] = [parseInt(address, 16), parseInt(address, 16) + parseInt(length, 16)];
    if (file === '<internal>') entries.push(...memory.texts(start, end));
    // The C library's tables are indexed from 0.
    else {
      const isNumbers = kNumbers.test(file) || kPowers.test(section);
      entries.push({ start, end, slack: /\/libc\.a\(/.test(file) ? 0 : kSlack, isNumbers });
    }
  }
  return entries.sort((a, b) => a.start - b.start);
}

/** The initial memory of a module. */
class Memory {
  constructor(pieces) {
    this.start = Math.min(...pieces.map(({ address }) => address));
    this.bytes = Buffer.alloc(Math.max(...pieces.map(({ address, bytes }) => address + bytes.length)) - this.start);
    for (const { address, bytes } of pieces) bytes.copy(this.bytes, address - this.start);
    this.original = Buffer.from(this.bytes);
  }
  of({ start, end }) {
    return this.bytes.subarray(start - this.start, end - this.start);
  }
  /** Returns the aligned words, some of which are addresses. */
  words({ start, end }) {
    const first = (start + 3) & ~3;
    const count = Math.max(0, (Math.min(end, this.start + this.bytes.length) - first) >> 2);
    return Array.from({ length: count }, (_, i) => this.bytes.readUInt32LE(first - this.start + 4 * i));
  }
  /** Returns the consecutive strings. */
  texts(start, end) {
    const found = [];
    while (start < end) {
      const zero = this.bytes.indexOf(0, start - this.start);
      const next = zero < 0 ? end : Math.min(end, zero + this.start + 1);
      found.push({ start, end: next, slack: kTextSlack, isText: true });
      start = next;
    }
    return found;
  }
  /** Removes the entries' bytes, and returns them as segments. */
  take(entries) {
    const other = Buffer.alloc(this.bytes.length);
    for (const entry of entries) {
      this.of(entry).copy(other, entry.start - this.start);
      this.of(entry).fill(0);
    }
    // A segment must not write zeros over the data of other modules.
    return piecesOf(other, this.start, (from, to) => this.original.subarray(from, to).every((byte) => byte === 0));
  }
  rest() {
    return piecesOf(this.bytes, this.start, () => true);
  }
}

/**
 * Returns segments without long runs of zeros, which memory begins with. A segment contains a short run only if `canContain(from,
 * to)` is true for its indices.
 */
function piecesOf(bytes, start, canContain) {
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] === 0) {
      at++;
      continue;
    }
    let end = at + 1;
    for (let next = end; next < bytes.length && next - end < kGap; next++) {
      if (bytes[next] === 0) continue;
      if (!canContain(end, next)) break;
      end = next + 1;
    }
    pieces.push({ address: start + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return pieces;
}
