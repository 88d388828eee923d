// Reads and rewrites WebAssembly files: sections, and the names of imports and exports.
const kHeader = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const kCustom = 0;
const kType = 1;
const kImport = 2;
const kMemories = 5;
const kExport = 7;
const kData = 11;
const kDataCount = 12;
const kFunction = 0;
const kTable = 1;
/** Limits of a table of functions with a minimum of 0. */
const kAnyTable = Buffer.from([kTable, 0x70, 0, 0]);
const kMemory = 2;
/** Flag of a memory with a maximum; and its size. */
const kHasMaximum = 1;
const kMaxPages = 65536;
const kI32Const = 0x41;
const kEnd = 0x0b;
const kV128 = 0x7b;

/** Returns the sections of a module in order: an id and a body. Custom sections are left out: they do not affect execution. */
export function sectionsOf(wasm) {
  const sections = [];
  for (const reader = new Reader(wasm, kHeader.length); !reader.atEnd; ) {
    const id = reader.byte();
    const body = reader.bytes(reader.number());
    if (id !== kCustom) sections.push({ id, body });
  }
  return sections;
}

/** Returns a file of these sections. */
export function fileOf(sections) {
  return Buffer.concat([
    kHeader,
    ...sections.flatMap(({ id, body }) => [Buffer.from([id]), number(body.length), body]),
  ]);
}

/** Returns a section that engines skip, and scripts find by name. */
export function customSection(name, content) {
  return { id: kCustom, body: Buffer.concat([text(name), Buffer.from(content)]) };
}

/** Returns a file without the names of its functions. */
export function withoutNames(wasm) {
  const kept = [kHeader];
  for (const reader = new Reader(wasm, kHeader.length); !reader.atEnd; ) {
    let isNames;
    const section = reader.rest(() => {
      const id = reader.byte();
      const body = reader.bytes(reader.number());
      isNames = id === kCustom && new Reader(body).text() === 'name';
    });
    if (!isNames) kept.push(section);
  }
  return Buffer.concat(kept);
}

/**
 * Returns the sections with renamed imports: `rename(module, name)` returns both anew. Imported tables may have any length.
 */
export function withImports(sections, rename) {
  return replaced(sections, kImport, (reader) => {
    const from = reader.text();
    const name = reader.text();
    const type = reader.rest(() => reader.importType());
    return [...rename(from, name).map(text), type[0] === kTable ? kAnyTable : type];
  });
}

/**
 * Returns the sections with renamed exports, sorted by what they export: `rename(name)` returns the new name. Neighbours with
 * consecutive names and indices compress to less.
 */
export function withExports(sections, rename) {
  const entries = [];
  replaced(sections, kExport, (reader) => {
    entries.push({ name: reader.text(), kind: reader.byte(), index: reader.number() });
    return [];
  });
  entries.sort((a, b) => a.kind - b.kind || a.index - b.index);
  const pieces = entries.map(({ name, kind, index }) => [text(rename(name)), Buffer.from([kind]), number(index)]);
  const body = Buffer.concat([number(entries.length), ...pieces.flat()]);
  return sections.map((section) => (section.id === kExport ? { id: kExport, body } : section));
}

/** Returns a module's data segments. */
export function dataOf(sections) {
  const pieces = [];
  replaced(sections, kData, (reader) => {
    if (reader.number() !== 0) throw new Error('data that is not set up at the start');
    pieces.push({ address: reader.constant(), bytes: reader.bytes(reader.number()) });
    return [];
  });
  return pieces;
}

/** Returns the sections with other data segments. */
export function withData(sections, pieces) {
  const entries = pieces.map(({ address, bytes }) =>
    Buffer.concat([Buffer.from([0, kI32Const]), signed(address), Buffer.from([kEnd]), number(bytes.length), bytes]),
  );
  const others = sections.filter(({ id }) => id !== kData && id !== kDataCount);
  if (pieces.length === 0) return others;
  return [...others, { id: kData, body: Buffer.concat([number(entries.length), ...entries]) }];
}

/**
 * Returns the sections of a module whose memory JavaScript makes: an own memory becomes the import 'memory' of 'host'. The
 * import of a memory becomes the first one, so that web/src/runtime/wasm_module.ts finds its flags. The initial contents, a
 * number of pages and data segments, are in a section 'memory', because only the first of several threads writes them.
 */
export function withImportedMemory(sections) {
  const own = sections.find(({ id }) => id === kMemories);
  const pages = own && new Reader(own.body.subarray(1)).importLimits()[0];
  const words = (...values) => Buffer.from(Uint32Array.from(values).buffer);
  const pieces = dataOf(sections).flatMap(({ address, bytes }) => [words(address, bytes.length), bytes]);
  const others = sections.filter(({ id }) => ![kMemories, kData, kDataCount].includes(id));
  return [
    ...withMemoryFirst(others, own && { from: 'host', name: 'memory', pages }),
    customSection('memory', Buffer.concat([words(pages ?? 0), ...pieces])),
  ];
}

/** Returns the sections with the import of a memory before the others; with `added`, that memory is imported too. */
function withMemoryFirst(sections, added) {
  return sections.map(({ id, body }) => {
    if (id !== kImport) return { id, body };
    const reader = new Reader(body);
    const count = reader.number();
    const others = [];
    let memory = added;
    for (let i = 0; i < count; i++) {
      const [from, name] = [reader.text(), reader.text()];
      const type = reader.rest(() => reader.importType());
      if (type[0] === kMemory) memory = { from, name, pages: new Reader(type.subarray(1)).importLimits()[0] };
      else others.push(text(from), text(name), type);
    }
    const limits = memory && [Buffer.from([kMemory, kHasMaximum]), number(memory.pages), number(kMaxPages)];
    const first = memory ? [text(memory.from), text(memory.name), ...limits] : [];
    return { id, body: Buffer.concat([number(count + (added ? 1 : 0)), ...first, ...others]) };
  });
}

/** Returns the imported functions that JavaScript cannot call, as [module, name]: those with vectors in their signatures. */
export function uncallable(sections) {
  const types = signatures(sections);
  const found = [];
  replaced(sections, kImport, (reader) => {
    const names = [reader.text(), reader.text()];
    const { kind, type } = reader.importType();
    if (kind === kFunction && types[type].includes(kV128)) found.push(names);
    return [];
  });
  return found;
}

function signatures(sections) {
  const reader = new Reader(sections.find(({ id }) => id === kType).body);
  return Array.from({ length: reader.number() }, () => {
    reader.byte();
    return [...reader.bytes(reader.number()), ...reader.bytes(reader.number())];
  });
}

/** Returns the sections with each entry of one of them replaced by `entry`, which returns pieces. */
function replaced(sections, wanted, entry) {
  return sections.map(({ id, body }) => {
    if (id !== wanted) return { id, body };
    const reader = new Reader(body);
    const count = reader.number();
    return { id, body: Buffer.concat([number(count), ...Array.from({ length: count }, () => entry(reader)).flat()]) };
  });
}

class Reader {
  constructor(bytes, at = 0) {
    this.from = Buffer.from(bytes);
    this.at = at;
  }
  get atEnd() {
    return this.at >= this.from.length;
  }
  byte() {
    return this.from[this.at++];
  }
  bytes(length) {
    return this.from.subarray(this.at, (this.at += length));
  }
  /** Reads an unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  /** Reads a constant expression that is an address. */
  constant() {
    if (this.byte() !== kI32Const) throw new Error('an address that is no constant');
    const value = this.number();
    if (this.byte() !== kEnd) throw new Error('an address that is no constant');
    return value;
  }
  text() {
    return this.bytes(this.number()).toString();
  }
  /**
   * Reads the description that follows the two names of an import: a function's type, or that of a table, memory, global or
   * tag.
   */
  importType() {
    const kind = this.byte();
    if (kind === kFunction) return { kind, type: this.number() };
    if (kind === kTable) this.byte();
    if (kind === kTable || kind === kMemory) this.importLimits();
    else this.bytes(2);
    return { kind };
  }
  /** Reads the minimum and, if present, the maximum of a table or a memory. */
  importLimits() {
    return this.byte() & 1 ? [this.number(), this.number()] : [this.number()];
  }
  /** Returns the bytes that `read` consumes. */
  rest(read) {
    const start = this.at;
    read();
    return this.from.subarray(start, this.at);
  }
}

function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 | 128);
  return Buffer.from([...bytes, value]);
}

/** Encodes a non-negative number as signed LEB128. */
function signed(value) {
  const bytes = [];
  for (; value > 63; value = Math.floor(value / 128)) bytes.push(value % 128 | 128);
  return Buffer.from([...bytes, value]);
}

function text(value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
}
