import { staticRegexReplace } from '../ops/string.js';
import type { Tensor } from '../tensor/tensor.js';
import type { DataType } from '../runtime/types.js';
import { decodeString } from '../util/numbers.js';

/** What an attribute of a node may be. */
export type AttributeValue = boolean | number | string | number[] | string[] | boolean[] | undefined | null;

/** A node of a graph as a registered op sees it. */
export interface GraphNode {
  inputs: Tensor[];
  attrs: Record<string, AttributeValue>;
}
/** What registerOp() takes: the results of a node, of its inputs and attributes. */
export type OpExecutor = (node: GraphNode) => Tensor | Tensor[] | Promise<Tensor | Tensor[]>;

/** What is known of a registered op. */
export interface OpMapper {
  tfOpName: string;
  category: string;
  inputs: [];
  attrs: [];
  customExecutor: OpExecutor;
}

const registered = new Map<string, OpMapper>();

/**
 * Lets a function run the nodes of an op in graph models that are loaded from now on, in the place of the engine's own. What
 * it makes goes with the call of the model. In a page an async function makes tensors before its first await, or owns them.
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
 * The op that registerOp() knows by a name, if there is one.
 * @example
 * tf.getRegisteredOp('Triple'); // undefined
 */
export function getRegisteredOp(name: string): OpMapper | undefined {
  return registered.get(name);
}

/**
 * Forgets an op of registerOp(), for graph models that are loaded from now on.
 * @example
 * tf.registerOp('Triple', ({ inputs }) => tf.mul(inputs[0], 3));
 * tf.deregisterOp('Triple');
 * tf.getRegisteredOp('Triple'); // undefined
 */
export function deregisterOp(name: string): void {
  registered.delete(name);
}

/** What runs a node outside the engine. */
type Execute = (inputs: Tensor[], attr: RawAttributes | undefined) => ReturnType<OpExecutor>;

/** Ops that are computed here, as they need what only JavaScript has. */
const kOwn: Record<string, Execute> = {
  StaticRegexReplace: ([input], attr) => {
    const text = (name: string) => wordsOf(attr?.[name]?.s ?? '');
    return staticRegexReplace(input!, text('pattern'), rewriteOf(text('rewrite')), attr?.['replace_global']?.b ?? true);
  },
};

/** The ops that stop a run of the engine. */
export function outsideOps(): string[] {
  return [...registered.keys(), ...Object.keys(kOwn)];
}

export function executorOf(op: string): Execute | undefined {
  const custom = registered.get(op)?.customExecutor;
  if (custom) return (inputs, attr) => custom({ inputs, attrs: attributesOf(attr) });
  return Object.hasOwn(kOwn, op) ? kOwn[op] : undefined;
}

/** A rewrite of TensorFlow's, where \\1 is the first group and \\0 all that was found, as JavaScript has it. */
function rewriteOf(rewrite: string): string {
  return rewrite.replace(/\$/g, '$$$$').replace(/\\(\d|\\)/g, (_, group: string) => (group === '\\' ? group : group === '0' ? '$&' : `$${group}`));
}

interface RawShape {
  unknownRank?: boolean;
  dim?: { size: number | string }[];
}
interface RawValue {
  s?: string | number[];
  i?: number | string;
  f?: number;
  b?: boolean;
  type?: string | number;
  shape?: RawShape;
  func?: { name: string };
  list?: { s?: (string | number[])[]; i?: (number | string)[]; f?: number[]; b?: boolean[]; type?: (string | number)[]; shape?: RawShape[] };
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

const typeOf = (type: string | number) => kTypes[typeof type === 'number' ? kTypeNumbers[type]! : type] ?? null;
const shapeOf = ({ unknownRank, dim }: RawShape) => (unknownRank ? undefined : (dim ?? []).map(({ size }) => Number(size)));

export type RawAttributes = Record<string, RawValue>;

/** Base64, or bytes. */
function wordsOf(value: string | number[]): string {
  return decodeString(Array.isArray(value) ? Uint8Array.from(value) : Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0)));
}

/** In lower case, as TensorFlow.js has it. */
function textOf(value: string | number[]): string {
  return wordsOf(value).toLowerCase();
}

/** Attributes as a file has them as values of JavaScript. */
export function attributesOf(raw: RawAttributes = {}): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, valueOf(value)]));
}

function valueOf({ s, i, f, b, type, shape, func, list }: RawValue): AttributeValue {
  if (i !== undefined || f !== undefined) return Number(i ?? f);
  if (s !== undefined) return textOf(s);
  if (b !== undefined) return b;
  if (shape !== undefined) return shapeOf(shape);
  if (type !== undefined) return typeOf(type);
  if (func !== undefined) return func.name;
  if (list?.i ?? list?.f) return (list?.i ?? list?.f)!.map(Number);
  if (list?.s) return list.s.map(textOf);
  if (list?.b) return list.b;
  if (list?.type) return list.type.map(typeOf) as string[];
  if (list?.shape) return list.shape.map(shapeOf) as unknown as number[];
  return undefined;
}
