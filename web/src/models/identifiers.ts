// Identifiers of initializers, regularizers, constraints, activations and layers: names, configurations or objects.
import type { kActivationNames } from '../generated/ops.js';
import { SerializationMap, type ConfigDict } from '../util/serialization.js';
import { Constraint } from './layers/constraints.js';
import { Initializer } from './layers/initializers.js';
import { Regularizer } from './layers/regularizers.js';
import { getEntry } from '../util/entries.js';

/** Class name and configuration of an object, as getConfig() of its container has it. */
export interface ClassConfig {
  /** Name of the class. */
  className: string;
  /** Configuration: the arguments of the constructor. */
  config: ConfigDict;
}

export type InitializerIdentifier = Initializer | ClassConfig | string;
export type RegularizerIdentifier = Regularizer | ClassConfig | string | null;
export type ConstraintIdentifier = Constraint | ClassConfig | string | null;
type ActivationWord = (typeof kActivationNames)[number] | 'softmax' | 'log_softmax';
type CamelCase<Word extends string> = Word extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Word;
/** Name of an activation, in snake_case or camelCase. */
export type ActivationIdentifier = ActivationWord | CamelCase<ActivationWord>;
/** Name of an activation, or an object with that class name; null is 'linear'. */
export type Activation = ActivationIdentifier | ClassConfig | { getClassName(): string } | null;

/** Creates an object, of the type that the caller declares, of a custom or registered class. Throws, with TensorFlow.js's messages, if the class is unknown. */
export function deserializeObject<T = unknown>(
  identifier: ClassConfig | string,
  kind: string,
  customObjects: object = {},
): T {
  const { className, config } = typeof identifier === 'string' ? { className: identifier, config: {} } : identifier;
  if (className === undefined || config === undefined || config === null) {
    throw new Error(
      `${kind}: Improper config format: ${JSON.stringify(identifier)}.\n'className' and 'config' must set.`,
    );
  }
  const custom = getEntry(customObjects as Record<string, unknown>, className);
  const [cls, fromConfig] = (
    Array.isArray(custom) ? custom : custom ? [custom] : (SerializationMap.getMap().classNameMap[className] ?? [])
  ) as [(new (config: unknown) => T)?, ((cls: unknown, config: unknown, customObjects?: unknown) => T)?];
  if (!cls) throw unknownClass(kind, className);
  return fromConfig ? fromConfig(cls, config, customObjects) : new cls(config);
}

export function unknownClass(kind: string, className: string): Error {
  return new Error(
    `Unknown ${kind}: ${className}. This may be due to one of the following reasons:\n` +
      `1. The ${kind} is defined in Python, in which case it needs to be ported to TensorFlow.js or your JavaScript code.\n` +
      `2. The custom ${kind} is defined in JavaScript, but is not registered properly with tf.serialization.registerClass().`,
  );
}

const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Creates an object from a class name or a short name in lower camel case: "glorotNormal" is GlorotNormal, "l1l2" L1L2. */
function fromName<T>(name: string, kind: string): T {
  const known = SerializationMap.getMap().classNameMap;
  const className = name === 'l1l2' ? 'L1L2' : name in known ? name : upperFirst(name);
  return deserializeObject(className in known ? className : name, kind);
}

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function getInitializer(identifier: InitializerIdentifier): Initializer {
  if (identifier instanceof Initializer) return identifier;
  return typeof identifier === 'string'
    ? fromName(identifier, 'initializer')
    : deserializeObject(identifier, 'initializer');
}

export function getRegularizer(identifier: RegularizerIdentifier | undefined): Regularizer | null {
  if (isMissing(identifier) || identifier instanceof Regularizer) return identifier ?? null;
  return typeof identifier === 'string'
    ? fromName(identifier, 'regularizer')
    : deserializeObject(identifier, 'regularizer');
}

export function getConstraint(identifier: ConstraintIdentifier | undefined): Constraint | null {
  if (isMissing(identifier) || identifier instanceof Constraint) return identifier ?? null;
  return typeof identifier === 'string'
    ? fromName(identifier, 'constraint')
    : deserializeObject(identifier, 'constraint');
}

/** Returns the class name and configuration of an object; null for null or undefined. */
export function serializeObject(
  instance: { getClassName(): string; getConfig(): ConfigDict } | null | undefined,
): ClassConfig | null {
  return instance ? { className: instance.getClassName(), config: instance.getConfig() } : null;
}
