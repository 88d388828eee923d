// Writes FlatBuffers: tables, vectors and strings, each before the objects that it points to
// (https://flatbuffers.dev/internals).

const kDataAlignment = 16;
const kFirstSlot = 4;

export const int8 = (value) => ({ size: 1, put: (view, at) => view.setInt8(at, value) });
export const int32 = (value) => ({ size: 4, put: (view, at) => view.setInt32(at, value, true) });
export const float32 = (value) => ({ size: 4, put: (view, at) => view.setFloat32(at, value, true) });
/** Returns a field or an element that is an offset to another node. */
const reference = (node) => ({ size: 4, node });

/** Returns a table given its slots: numbers as above, other nodes, or undefined for defaults. */
export const table =
  (...slots) =>
  (writer) => {
    const fields = slots.map((slot) => (typeof slot === 'function' ? reference(slot) : slot));
    // Larger fields first, so that all are aligned to their sizes.
    const order = [...fields.keys()].filter((i) => fields[i]).sort((a, b) => fields[b].size - fields[a].size);
    const places = fields.map(() => 0);
    let size = 4;
    for (const i of order) {
      places[i] = size;
      size += fields[i].size;
    }
    const isWide = fields.some((field) => field?.size === 8);
    writer.align(isWide ? 8 : 4, kFirstSlot + 2 * fields.length + (isWide ? 4 : 0));
    const vtable = writer.reserve(kFirstSlot + 2 * fields.length);
    [kFirstSlot + 2 * fields.length, size, ...places].forEach((value, i) =>
      writer.view.setUint16(vtable + 2 * i, value, true),
    );
    const start = writer.reserve(size);
    writer.view.setInt32(start, start - vtable, true);
    for (const i of order) writer.put(fields[i], start + places[i]);
    return start;
  };

export const ints = (values) => (writer) => vector(writer, values.map(int32));
export const nodes = (children) => (writer) => vector(writer, children.map(reference));
export const text = (string) => data(new TextEncoder().encode(`${string}\0`), string.length, 1);
/** Returns the bytes of a typed array. */
export const bytes = (array) =>
  data(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), array.byteLength, kDataAlignment);

function vector(writer, elements) {
  writer.align(4);
  const start = writer.reserve(4 + 4 * elements.length);
  writer.view.setUint32(start, elements.length, true);
  elements.forEach((element, i) => writer.put(element, start + 4 + 4 * i));
  return start;
}

const data = (content, length, alignment) => (writer) => {
  writer.align(Math.max(alignment, 4), 4);
  const start = writer.reserve(4 + content.length);
  writer.view.setUint32(start, length, true);
  writer.bytes.set(content, start + 4);
  return start;
};

/** Returns a file with a four-letter identifier and a root table. */
export function flatbuffer(identifier, root) {
  const writer = new Writer();
  writer.reserve(8);
  writer.bytes.set(new TextEncoder().encode(identifier), 4);
  writer.put(reference(root), 0);
  writer.flush();
  return writer.bytes.slice(0, writer.end);
}

class Writer {
  bytes = new Uint8Array(1 << 16);
  view = new DataView(this.bytes.buffer);
  end = 0;
  #waiting = [];

  /** Pads so that the byte `ahead` bytes later is aligned. */
  align(alignment, ahead = 0) {
    this.reserve((alignment - ((this.end + ahead) % alignment)) % alignment);
  }

  reserve(size) {
    const start = this.end;
    this.end += size;
    if (this.end > this.bytes.length) {
      const larger = new Uint8Array(2 * this.end);
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return start;
  }

  put({ put, node }, at) {
    if (put) put(this.view, at);
    else this.#waiting.push({ node, at });
  }

  flush() {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const start = next.node(this);
      this.view.setUint32(next.at, start - next.at, true);
    }
  }
}
