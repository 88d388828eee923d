// Writes ONNX model files: the few messages of onnx.proto3 that a feed-forward graph needs, in protobuf's wire format.

const kVarint = 0;
const kBytes = 2;
const kFixed32 = 5;
const kFloat = 1;
const kInt64 = 7;
const kAttribute = { float: 1, int: 2, string: 3, ints: 7, strings: 8 };
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

/** Returns a constant: `values` is a Float32Array, or a plain array of integers (int64: axes and shapes). */
function tensorProto(name, { values, shape }) {
  const floats = values instanceof Float32Array;
  const raw = floats ? values : BigInt64Array.from(values, BigInt);
  return [
    ...shape.map((length) => int(1, length)),
    int(2, floats ? kFloat : kInt64),
    string(8, name),
    bytes(9, new Uint8Array(raw.buffer, raw.byteOffset, raw.byteLength)),
  ];
}

/** Returns an attribute: integers become INT; a float is written as { float: 0.5 }. */
function attributeProto(name, value) {
  const typed = (type, ...parts) => [string(1, name), ...parts, int(20, kAttribute[type])];
  if (typeof value === 'string') return typed('string', string(4, value));
  if (typeof value === 'number') return typed('int', int(3, value));
  if (!Array.isArray(value)) return typed('float', float(2, value.float));
  if (typeof value[0] === 'string') return typed('strings', ...value.map((text) => string(9, text)));
  return typed('ints', ...value.map((number) => int(8, number)));
}

function nodeProto({ op, inputs, outputs, attributes = {} }) {
  return [
    ...inputs.map((name) => string(1, name)),
    ...outputs.map((name) => string(2, name)),
    string(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeProto(name, value))),
  ];
}

function valueInfo(name, shape) {
  const dims = shape.map((length) => message(1, [int(1, length)]));
  return [string(1, name), message(2, [message(1, [int(1, kFloat), message(2, dims)])])];
}

/** Returns the bytes of a model: nodes in order, constants by name, and one float input and output, each { name, shape }. */
export function onnxModel({ nodes, constants = {}, input, output }) {
  const graph = [
    ...nodes.map((node) => message(1, nodeProto(node))),
    string(2, 'bench'),
    ...Object.entries(constants).map(([name, tensor]) => message(5, tensorProto(name, tensor))),
    message(11, valueInfo(input.name, input.shape)),
    message(12, [string(1, output.name), message(2, [message(1, [int(1, kFloat)])])]),
  ];
  return concat([int(1, kIrVersion), message(7, graph), message(8, [string(1, ''), int(2, kOpset)])]);
}
