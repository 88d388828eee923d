// Reads .tflite files: the tables that integer_reference.mjs computes with.

/** A table of a FlatBuffer; fields are numbered as in the schema. */
class Table {
  #view;
  #at;

  constructor(view, at) {
    this.#view = view;
    this.#at = at;
  }

  #field(number) {
    const vtable = this.#at - this.#view.getInt32(this.#at, true);
    const entry = 4 + 2 * number;
    const offset = entry < this.#view.getUint16(vtable, true) ? this.#view.getUint16(vtable + entry, true) : 0;
    return offset && this.#at + offset;
  }

  #target(number) {
    const at = this.#field(number);
    return at && at + this.#view.getUint32(at, true);
  }

  number(number, kind = 'Int32', otherwise = 0) {
    const at = this.#field(number);
    return at ? this.#view[`get${kind}`](at, true) : otherwise;
  }

  table(number) {
    const at = this.#target(number);
    return at ? new Table(this.#view, at) : undefined;
  }

  list(number, size, read) {
    const at = this.#target(number);
    const count = at ? this.#view.getUint32(at, true) : 0;
    return Array.from({ length: count }, (_, i) => read(at + 4 + size * i));
  }

  ints(number) {
    return this.list(number, 4, (at) => this.#view.getInt32(at, true));
  }

  floats(number) {
    return this.list(number, 4, (at) => this.#view.getFloat32(at, true));
  }

  longs(number) {
    return this.list(number, 8, (at) => Number(this.#view.getBigInt64(at, true)));
  }

  tables(number) {
    return this.list(number, 4, (at) => new Table(this.#view, at + this.#view.getUint32(at, true)));
  }

  bytes(number) {
    const at = this.#target(number);
    return at
      ? new Uint8Array(this.#view.buffer, this.#view.byteOffset + at + 4, this.#view.getUint32(at, true))
      : new Uint8Array();
  }
}

const kArrays = { 0: Float32Array, 1: Uint16Array, 2: Int32Array, 3: Uint8Array, 9: Int8Array };

/** Returns the first graph of a file: its tensors, operators, inputs and outputs. */
export function readGraph(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const model = new Table(view, view.getUint32(0, true));
  const codes = model.tables(1).map((code) => Math.max(code.number(0, 'Int8'), code.number(3)));
  const buffers = model.tables(4).map((buffer) => buffer.bytes(0));
  const [graph] = model.tables(2);
  const tensors = graph.tables(0).map((tensor) => {
    const quantization = tensor.table(4);
    const data = buffers[tensor.number(2, 'Uint32')] ?? new Uint8Array();
    const Elements = kArrays[tensor.number(1, 'Int8')];
    return {
      shape: tensor.ints(0),
      type: tensor.number(1, 'Int8'),
      scales: quantization?.floats(2) ?? [],
      zeros: quantization?.longs(3) ?? [],
      dimension: quantization?.number(6) ?? 0,
      values: data.length > 0 ? new Elements(data.slice().buffer) : undefined,
    };
  });
  const operators = graph.tables(3).map((operator) => ({
    code: codes[operator.number(0, 'Uint32')],
    inputs: operator.ints(1),
    outputs: operator.ints(2),
    options: operator.table(4),
  }));
  return { tensors, operators, inputs: graph.ints(1), outputs: graph.ints(2) };
}
