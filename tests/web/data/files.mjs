// Writers of the file formats that tf.data reads, from the formats' specifications.

/** Returns a .npy file: numpy.lib.format. `write` is the name of DataView's method. */
export function npyFile(descr, shape, write, values, { version = 1, fortran = false } = {}) {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  let header = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${tuple}), }`;
  const before = version === 1 ? 10 : 12;
  header = `${header.padEnd(Math.ceil((before + header.length + 1) / 64) * 64 - before - 1)}\n`;
  const bytes = /\d+/.exec(write)[0] / 8;
  const file = new Uint8Array(before + header.length + values.length * bytes);
  const view = new DataView(file.buffer);
  file.set([0x93, ...new TextEncoder().encode('NUMPY'), version, 0]);
  if (version === 1) view.setUint16(8, header.length, true);
  else view.setUint32(8, header.length, true);
  file.set(new TextEncoder().encode(header), before);
  values.forEach((value, i) => view[`set${write}`](before + header.length + i * bytes, value, descr[0] !== '>'));
  return file;
}

/** Returns the CRC-32C, computed bit by bit and masked as in TFRecord. */
function maskedCrc(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Returns a TFRecord file as TensorFlow writes it. */
export function tfRecordFile(records) {
  return concat(
    records.flatMap((record) => {
      const head = new Uint8Array(12);
      const view = new DataView(head.buffer);
      view.setBigUint64(0, BigInt(record.length), true);
      view.setUint32(8, maskedCrc(head.subarray(0, 8)), true);
      const end = new Uint8Array(4);
      new DataView(end.buffer).setUint32(0, maskedCrc(record), true);
      return [head, record, end];
    }),
  );
}

/** Returns a serialized tf.train.Example: lists of bytes, Float32Array for floats, lists of integers. */
export function example(features, { packed = true } = {}) {
  const entries = Object.entries(features).map(([name, values]) => {
    const isFloat = values instanceof Float32Array;
    const kind = isFloat ? 2 : values[0] instanceof Uint8Array ? 1 : 3;
    return field(
      1,
      concat([field(1, new TextEncoder().encode(name)), field(2, field(kind, listOf(kind, [...values], packed)))]),
    );
  });
  return field(1, concat(entries));
}

function listOf(kind, values, packed) {
  if (kind === 1) return concat(values.map((value) => field(1, value)));
  const encode = (value) =>
    kind === 2 ? new Uint8Array(Float32Array.of(value).buffer) : varint(BigInt.asUintN(64, BigInt(value)));
  if (packed) return field(1, concat(values.map(encode)));
  return concat(values.flatMap((value) => [varint(BigInt(8 + (kind === 2 ? 5 : 0))), encode(value)]));
}

function field(number, bytes) {
  return concat([varint(BigInt(number * 8 + 2)), varint(BigInt(bytes.length)), bytes]);
}

function varint(value) {
  const bytes = [];
  do {
    bytes.push(Number(value & 127n) | (value > 127n ? 128 : 0));
    value >>= 7n;
  } while (value > 0n);
  return Uint8Array.from(bytes);
}

function concat(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
