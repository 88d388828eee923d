// Writes ONNX model files: the messages of onnx.proto3 that nodes, tensors and graphs need, in protobuf's wire format.

const kVarint = 0;
const kBytes = 2;
const kFixed32 = 5;
/** The numbers of element types by their names. */
export const kElementTypes = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
  uint4: 21,
  int4: 22,
};
const kExternal = 1;
const kAttribute = { float: 1, int: 2, string: 3, tensor: 4, graph: 5, floats: 6, ints: 7, strings: 8 };
const kIrVersion = 8;
const kOpset = 17;

function varint(value) {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return Uint8Array.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}

function concat(parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
const tag = (field, type) => varint((field << 3) | type);
const int = (field, value) => concat([tag(field, kVarint), varint(value)]);
const float = (field, value) => concat([tag(field, kFixed32), new Uint8Array(Float32Array.of(value).buffer)]);
const bytes = (field, content) => concat([tag(field, kBytes), varint(content.length), content]);
const string = (field, text) => bytes(field, new TextEncoder().encode(text));
const message = (field, parts) => bytes(field, concat(parts));

/** Returns the element type of a tensor: `type` if it has one; else float32 for a Float32Array, int64 for plain integers. */
const typeOf = ({ type, values }) => type ?? (values instanceof Float32Array ? 'float32' : 'int64');

/**
 * Returns a constant: `values` is a typed array of the tensor's type, or a plain array of integers (int64: axes and shapes).
 * With `external`, they are in another file: `external` is its path, or { location, offset, length } as texts.
 */
function tensorProto(name, tensor) {
  const { values, shape, external } = tensor;
  if (external) {
    const entries = Object.entries(typeof external === 'string' ? { location: external } : external);
    const dims = shape.map((length) => int(1, length));
    return [
      ...dims,
      int(2, kElementTypes[tensor.type ?? 'float32']),
      string(8, name),
      ...entries.map(([key, value]) => message(13, [string(1, key), string(2, value)])),
      int(14, kExternal),
    ];
  }
  const raw = Array.isArray(values) ? BigInt64Array.from(values, BigInt) : values;
  return [
    ...shape.map((length) => int(1, length)),
    int(2, kElementTypes[typeOf(tensor)]),
    string(8, name),
    bytes(9, new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength)),
  ];
}

/**
 * Returns an attribute: integers become INT; floats are written as { float: 0.5 } or { floats: [0.5] }, tensors as
 * { tensor: { type, shape, values } }, graphs as { graph: { nodes, constants, inputs, outputs } }.
 */
function attributeProto(name, value) {
  const typed = (type, ...parts) => [string(1, name), ...parts, int(20, kAttribute[type])];
  if (typeof value === 'string') return typed('string', string(4, value));
  if (typeof value === 'number') return typed('int', int(3, value));
  if (value.tensor) return typed('tensor', message(5, tensorProto('', value.tensor)));
  if (value.graph) return typed('graph', message(6, graphProto(value.graph)));
  if (value.floats) return typed('floats', ...value.floats.map((number) => float(7, number)));
  if (!Array.isArray(value)) return typed('float', float(2, value.float));
  if (typeof value[0] === 'string') return typed('strings', ...value.map((text) => string(9, text)));
  return typed('ints', ...value.map((number) => int(8, number)));
}

function nodeProto({ op, inputs, outputs, attributes = {}, domain }) {
  return [
    ...inputs.map((name) => string(1, name)),
    ...outputs.map((name) => string(2, name)),
    string(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeProto(name, value))),
    ...(domain ? [string(7, domain)] : []),
  ];
}

/** Numbers of the fields of TypeProto. */
const kContainers = { sequence: 4, optional: 9 };

/** Returns an input or output; one of the type '' states none. */
function valueInfo({ name, shape, type = 'float32', container = '' }) {
  const dims = (shape ?? []).map((length) =>
    message(1, [typeof length === 'string' ? string(2, length) : int(1, length)]),
  );
  const parts = [...(type ? [int(1, kElementTypes[type])] : []), ...(shape ? [message(2, dims)] : [])];
  const containers = container.split(' ').filter((word) => word in kContainers);
  const whole = containers.reduceRight(
    (inner, word) => [message(kContainers[word], [message(1, inner)])],
    [message(1, parts)],
  );
  return [string(1, name), message(2, whole)];
}

function graphProto({ nodes, constants = {}, inputs = [], outputs }) {
  return [
    ...nodes.map((node) => message(1, nodeProto(node))),
    string(2, 'bench'),
    ...Object.entries(constants).map(([name, tensor]) => message(5, tensorProto(name, tensor))),
    ...inputs.map((info) => message(11, valueInfo(info))),
    ...outputs.map((info) => message(12, valueInfo(info))),
  ];
}

/**
 * Returns the bytes of a model: nodes in order, constants by name, and inputs and outputs, each { name, shape, type }: float32
 * unless there is a type, of any shape if it is left out. `container` is 'sequence', 'optional' or both, from the outside in, for
 * values that are no tensors. An extent may be a name. `opsets` has the version of each domain.
 */
export function onnxModel({
  nodes,
  constants = {},
  input,
  inputs = [input],
  output,
  outputs = [output],
  opsets = { '': kOpset },
}) {
  const graph = graphProto({ nodes, constants, inputs, outputs });
  const versions = Object.entries(opsets).map(([domain, version]) => message(8, [string(1, domain), int(2, version)]));
  return concat([int(1, kIrVersion), message(7, graph), ...versions]);
}
