import { staticRegexReplace } from '../../ops/text/string.js';
import type { Tensor } from '../../tensor/tensor.js';
import type { DataType } from '../../runtime/types.js';
import { decodeString } from '../../util/numbers.js';

/** Value of a node's attribute. */
export type AttributeValue = boolean | number | string | number[] | string[] | boolean[] | undefined | null;

/** Node of a graph, as registered ops receive it. */
export interface GraphNode {
  /** Inputs of the node. */
  inputs: Tensor[];
  /** Attributes of the node, by name. */
  attrs: Record<string, AttributeValue>;
}
/** Function of registerOp() that computes the outputs of a node. */
export type OpExecutor = (node: GraphNode) => Tensor | Tensor[] | Promise<Tensor | Tensor[]>;

/** Description of a registered op. */
export interface OpMapper {
  /** Name of the op. */
  tfOpName: string;
  /** Always 'custom'. */
  category: string;
  /** Always empty. */
  inputs: [];
  /** Always empty. */
  attrs: [];
  /** Function that computes the outputs of a node. */
  customExecutor: OpExecutor;
}

const registered = new Map<string, OpMapper>();

/**
 * Registers a function that runs the nodes of an op, instead of the engine, in graph models that are loaded afterwards. The
 * scope of the model's call frees the tensors that it creates. In a page, an async function has to create tensors before its
 * first await, or to own them.
 * @example
 * tf.registerOp('Triple', ({ inputs }) => tf.mul(inputs[0], 3));
 * const node = (name, op, input = []) => ({ name, op, input, attr: { dtype: { type: 'DT_FLOAT' } } });
 * const modelTopology = { node: [node('x', 'Placeholder'), node('y', 'Triple', ['x'])] };
 * const model = await tf.loadGraphModel({ load: async () => ({ modelTopology, weightSpecs: [], weightData: new ArrayBuffer(0) }) });
 * await model.executeAsync(tf.tensor([1, 2])); // [3, 6]
 * model.dispose();
 * tf.deregisterOp('Triple');
 */
export function registerOp(name: string, opFunc: OpExecutor): void {
  registered.set(name, { tfOpName: name, category: 'custom', inputs: [], attrs: [], customExecutor: opFunc });
}

/**
 * Returns the op that was registered by registerOp() under a name, or undefined.
 * @example
 * tf.getRegisteredOp('Triple'); // undefined
 */
export function getRegisteredOp(name: string): OpMapper | undefined {
  return registered.get(name);
}

/**
 * Removes an op registered by registerOp(), for graph models that are loaded afterwards.
 * @example
 * tf.registerOp('Triple', ({ inputs }) => tf.mul(inputs[0], 3));
 * tf.deregisterOp('Triple');
 * tf.getRegisteredOp('Triple'); // undefined
 */
export function deregisterOp(name: string): void {
  registered.delete(name);
}

/** Function that runs a node outside the engine. */
type Execute = (inputs: Tensor[], attr: RawAttributes | undefined) => ReturnType<OpExecutor>;

/** Built-in ops that run outside the engine because they use JavaScript's regular expressions. */
const kBuiltInHostOps: Record<string, Execute> = {
  StaticRegexReplace: ([input], attr) => {
    const text = (name: string) => decodeText(attr?.[name]?.s ?? '');
    return staticRegexReplace(
      input!,
      text('pattern'),
      toJsReplacement(text('rewrite')),
      attr?.['replace_global']?.b ?? true,
    );
  },
};

/** Returns the names of the ops that run outside the engine: a run of the engine is suspended at them. */
export function getHostOps(): string[] {
  return [...registered.keys(), ...Object.keys(kBuiltInHostOps)];
}

export function getExecutor(op: string): Execute | undefined {
  const custom = registered.get(op)?.customExecutor;
  if (custom) return (inputs, attr) => custom({ inputs, attrs: parseAttributes(attr) });
  return Object.hasOwn(kBuiltInHostOps, op) ? kBuiltInHostOps[op] : undefined;
}

/** Converts TensorFlow's rewrite string, where \\1 is the first group and \\0 the whole match, to JavaScript's. */
function toJsReplacement(rewrite: string): string {
  return rewrite
    .replace(/\$/g, '$$$$')
    .replace(/\\(\d|\\)/g, (_, group: string) => (group === '\\' ? group : group === '0' ? '$&' : `$${group}`));
}

/** Shape in a GraphDef, a TensorShapeProto. */
interface RawShape {
  /** True if the number of dimensions is unknown. */
  unknownRank?: boolean;
  /** Dimensions. */
  dim?: {
    /** Extent; -1 if it is unknown. */
    size: number | string;
  }[];
}
/** Value of an attribute in a GraphDef, an AttrValue: one of the fields is set. */
interface RawValue {
  /** String: base64 or bytes. */
  s?: string | number[];
  /** Integer. */
  i?: number | string;
  /** Float. */
  f?: number;
  /** Boolean. */
  b?: boolean;
  /** Element type: its name, such as "DT_FLOAT", or its number. */
  type?: string | number;
  /** Shape. */
  shape?: RawShape;
  /** Function of the library. */
  func?: {
    /** Name of the function. */
    name: string;
  };
  /** List of values: one of the fields is set. */
  list?: {
    /** Strings: base64 or bytes. */
    s?: (string | number[])[];
    /** Integers. */
    i?: (number | string)[];
    /** Floats. */
    f?: number[];
    /** Booleans. */
    b?: boolean[];
    /** Element types, as names or numbers. */
    type?: (string | number)[];
    /** Shapes. */
    shape?: RawShape[];
  };
}

const kTypes: Record<string, DataType> = {
  DT_FLOAT: 'float32',
  DT_DOUBLE: 'float32',
  DT_HALF: 'float32',
  DT_INT32: 'int32',
  DT_INT64: 'int32',
  DT_INT8: 'int32',
  DT_UINT8: 'int32',
  DT_BOOL: 'bool',
  DT_STRING: 'string',
  DT_COMPLEX64: 'complex64',
};
const kTypeNumbers: Record<number, string> = {
  1: 'DT_FLOAT',
  2: 'DT_DOUBLE',
  3: 'DT_INT32',
  4: 'DT_UINT8',
  6: 'DT_INT8',
  7: 'DT_STRING',
  8: 'DT_COMPLEX64',
  9: 'DT_INT64',
  10: 'DT_BOOL',
  19: 'DT_HALF',
};

const parseDataType = (type: string | number) => kTypes[typeof type === 'number' ? kTypeNumbers[type]! : type] ?? null;
const parseShape = ({ unknownRank, dim }: RawShape) =>
  unknownRank ? undefined : (dim ?? []).map(({ size }) => Number(size));

export type RawAttributes = Record<string, RawValue>;

/** Decodes a string attribute, which is base64 or an array of bytes. */
function decodeText(value: string | number[]): string {
  return decodeString(
    Array.isArray(value) ? Uint8Array.from(value) : Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0)),
  );
}

/** Decodes a string attribute in lower case, as TensorFlow.js does. */
function decodeLowerCaseText(value: string | number[]): string {
  return decodeText(value).toLowerCase();
}

/** Converts the attributes of a GraphDef's node to JavaScript values. */
export function parseAttributes(raw: RawAttributes = {}): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, parseAttribute(value)]));
}

function parseAttribute({ s, i, f, b, type, shape, func, list }: RawValue): AttributeValue {
  if (i !== undefined || f !== undefined) return Number(i ?? f);
  if (s !== undefined) return decodeLowerCaseText(s);
  if (b !== undefined) return b;
  if (shape !== undefined) return parseShape(shape);
  if (type !== undefined) return parseDataType(type);
  if (func !== undefined) return func.name;
  if (list?.i ?? list?.f) return (list?.i ?? list?.f)!.map(Number);
  if (list?.s) return list.s.map(decodeLowerCaseText);
  if (list?.b) return list.b;
  if (list?.type) return list.type.map(parseDataType) as string[];
  if (list?.shape) return list.shape.map(parseShape) as unknown as number[];
  return undefined;
}
