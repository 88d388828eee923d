// The fields of a class of layers and their values: the constructor's arguments, which getConfig() returns.
import type { Shape } from '../../runtime/types.js';
import { layerRows } from '../../generated/layers.js';
import type { ConfigDict } from '../../util/serialization.js';
import { getConstraint, getInitializer, getRegularizer, serializeObject, type Activation } from '../identifiers.js';
import { parseJson } from '../../util/json.js';

/**
 * Kind of a field, which says how its value is converted: 'n' an array of sizes, 'a' an activation, 'i' an initializer,
 * 'r' a regularizer, 'c' a constraint, 'l' a layer, 'u' a value that getConfig() omits if undefined; undefined: unconverted.
 */
type Kind = 'n' | 'a' | 'i' | 'r' | 'c' | 'l' | 'u' | undefined;

interface Field {
  name: string;
  kind: Kind;
  /** Number of sizes that one number is expanded to, for kind 'n'. */
  count: number;
  isRequired: boolean;
  initial: unknown;
}

const known = new Map<string, Field[]>();

export function isEngineClass(className: string): boolean {
  return Object.hasOwn(layerRows, className);
}

function getFields(className: string): Field[] {
  let fields = known.get(className);
  if (!fields) known.set(className, (fields = (layerRows[className] ?? '').split(' ').filter(Boolean).map(parseField)));
  return fields;
}

function parseField(text: string): Field {
  const [, name, kind, count, end, initial] = /^(\w+)(?::([a-z])(\d?))?(!|=(.*))?$/.exec(text)!;
  return {
    name: name!,
    kind: kind as Kind,
    count: Number(count),
    isRequired: end === '!',
    initial: initial && parseInitial(initial),
  };
}

function parseInitial(text: string): unknown {
  return /^(-?[\d.]+|true|false|null)$/.test(text) ? parseJson<unknown>(text) : text;
}

export type FieldValues = Record<string, unknown>;

/**
 * Returns the values of all fields, from the arguments and the defaults. `nest` creates nested layers. Throws if a required
 * field is missing or a value is invalid; with `isFile` such values are kept as they are, as the engine has checked them and
 * they may name initializers that only Keras has.
 */
export function readFields(
  className: string,
  args: FieldValues,
  nest: (given: unknown) => unknown,
  isFile: boolean,
): FieldValues {
  const values: FieldValues = {};
  for (const { name, kind, count, isRequired, initial } of getFields(className)) {
    const given = args[name] ?? undefined;
    if (given === undefined && isRequired && !isFile)
      throw new Error(`The \`${name}\` of a layer of class ${className} is missing.`);
    try {
      values[name] =
        given === undefined
          ? convertValue(kind, count, initial, values, nest)
          : convertValue(kind, count, given, {}, nest);
    } catch (error) {
      if (!isFile) throw error;
      values[name] = given;
    }
  }
  return values;
}

/** Defines a getter of the layer for each field, as in TensorFlow.js, except for activations, which are objects there. */
export function defineFieldGetters(layer: { name: string }, className: string, values: FieldValues): void {
  for (const { name, kind } of getFields(className)) {
    if (kind !== 'a' && !(name in layer))
      Object.defineProperty(layer, name, {
        get: () => values[name],
        set: readonlySetter(layer, name),
        configurable: true,
      });
  }
}

/** Returns a setter that throws TypeError, as the engine's layer is already created from the fields. */
export function readonlySetter({ name }: { name: string }, field: string): () => never {
  return () => {
    throw new TypeError(
      `The '${field}' of layer "${name}" cannot be changed: create another layer with its getConfig().`,
    );
  };
}

function convertValue(
  kind: Kind,
  count: number,
  value: unknown,
  others: FieldValues,
  nest: (given: unknown) => unknown,
): unknown {
  switch (kind) {
    case 'n':
      if (typeof value === 'string') return others[value];
      return typeof value === 'number' ? new Array<number>(count).fill(value) : value;
    case 'a':
      return activationName(value as Activation);
    case 'i':
      return getInitializer(value as string);
    case 'r':
      return getRegularizer(value as string | undefined);
    case 'c':
      return getConstraint(value as string | undefined);
    case 'l':
      return nest(value);
    default:
      return value;
  }
}

function activationName(activation: Activation): string {
  if (activation === null || typeof activation === 'string') return activation ?? 'linear';
  return 'getClassName' in activation ? activation.getClassName() : activation.className;
}

/** Returns the values of the fields in the form of getConfig(), with objects serialized. */
export function serializeFields(className: string, values: FieldValues): ConfigDict {
  const config: FieldValues = {};
  for (const { name, kind } of getFields(className)) {
    const value = values[name];
    if (kind === 'u' && value === undefined) continue;
    config[name] = kind && 'ircl'.includes(kind) ? serialized(value) : value;
  }
  return config as ConfigDict;
}

function serialized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(serialized);
  const isObject = typeof value === 'object' && value !== null && 'getConfig' in value;
  return isObject ? serializeObject(value as never) : (value ?? null);
}

/** Returns the arguments with those fields normalized that TensorFlow.js normalizes. */
export function normalizeArgs(className: string, args: FieldValues): FieldValues {
  const pairs = (value: unknown) => {
    if (!Array.isArray(value))
      return [
        [value, value],
        [value, value],
      ];
    return (value as unknown[]).map((side) => (Array.isArray(side) ? (side as unknown[]) : [side, side]));
  };
  switch (className) {
    case 'ZeroPadding2D':
      return { ...args, padding: pairs(args['padding'] ?? 1) };
    case 'Cropping2D':
      return { ...args, cropping: pairs(args['cropping']) };
    case 'Reshape':
      return {
        ...args,
        targetShape: (args['targetShape'] as Shape).map((extent) => (extent === null || extent < 0 ? null : extent)),
      };
    default:
      return args;
  }
}
