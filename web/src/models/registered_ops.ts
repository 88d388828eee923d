import type { Tensor } from '../tensor/tensor.js';
import type { DataType } from '../runtime/types.js';

/** What an attribute of a node may be. */
export type AttributeValue = boolean | number | string | number[] | string[] | boolean[] | undefined | null;

/** A node of a graph as a registered op sees it. */
export interface GraphNode {
  inputs: Tensor[];
  attrs: Record<string, AttributeValue>;
}
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

/** Lets a function run the nodes of an op in graph models that are loaded from now on, in the place of the engine's own. */
export function registerOp(name: string, opFunc: OpExecutor): void {
  registered.set(name, { tfOpName: name, category: 'custom', inputs: [], attrs: [], customExecutor: opFunc });
}

export function getRegisteredOp(name: string): OpMapper | undefined {
  return registered.get(name);
}

export function deregisterOp(name: string): void {
  registered.delete(name);
}

export function registeredNames(): string[] {
  return [...registered.keys()];
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

/** Base64, or bytes; in lower case, as TensorFlow.js has it. */
function textOf(value: string | number[]): string {
  return (Array.isArray(value) ? String.fromCharCode(...value) : atob(value)).toLowerCase();
}

/** Attributes as a file has them as values of JavaScript. */
export function attributesOf(raw: Record<string, RawValue> = {}): Record<string, AttributeValue> {
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
