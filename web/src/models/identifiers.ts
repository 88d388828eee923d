// Names, configurations and objects that stand for initializers, regularizers, constraints, activations and layers.
import type { kActivationNames } from '../generated/ops.js';
import { SerializationMap, type ConfigDict, type SerializableConstructor } from '../train/serialization.js';
import { Constraint } from './constraints.js';
import { Initializer } from './initializers.js';
import { Regularizer } from './regularizers.js';
import { entryOf } from '../util/entries.js';

/** {className, config}, as getConfig() of what contains it has it. */
export interface ClassConfig {
  className: string;
  config: ConfigDict;
}

export type InitializerIdentifier = Initializer | ClassConfig | string;
export type RegularizerIdentifier = Regularizer | ClassConfig | string | null;
export type ConstraintIdentifier = Constraint | ClassConfig | string | null;
type ActivationWord = (typeof kActivationNames)[number] | 'softmax' | 'log_softmax';
type CamelCase<Word extends string> = Word extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<CamelCase<Rest>>}` : Word;
/** An activation's name, as files of either case have it. */
export type ActivationIdentifier = ActivationWord | CamelCase<ActivationWord>;
/** An activation's name, or an object that has it. */
export type Activation = ActivationIdentifier | ClassConfig | { getClassName(): string } | null;

/** Makes an object of a registered class. Throws, with TensorFlow.js's words, for a class that is not known. */
export function deserializeObject(identifier: ClassConfig | string, kind: string, customObjects: object = {}): unknown {
  const { className, config } = typeof identifier === 'string' ? { className: identifier, config: {} } : identifier;
  if ((className as unknown) === undefined || (config as unknown) === undefined || (config as unknown) === null) {
    throw new Error(`${kind}: Improper config format: ${JSON.stringify(identifier)}.\n'className' and 'config' must set.`);
  }
  const custom = entryOf(customObjects as Record<string, unknown>, className);
  const [cls, fromConfig] = (Array.isArray(custom) ? custom : custom ? [custom] : (SerializationMap.getMap().classNameMap[className] ?? [])) as [
    SerializableConstructor<never>?,
    ((cls: unknown, config: unknown, customObjects?: unknown) => unknown)?,
  ];
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

/** Short names begin in lower case: "glorotNormal" is GlorotNormal, "l1l2" L1L2. */
function fromName(name: string, kind: string): unknown {
  const known = SerializationMap.getMap().classNameMap;
  const className = name === 'l1l2' ? 'L1L2' : name in known ? name : upperFirst(name);
  return deserializeObject(className in known ? className : name, kind);
}

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function getInitializer(identifier: InitializerIdentifier): Initializer {
  if (identifier instanceof Initializer) return identifier;
  return (typeof identifier === 'string' ? fromName(identifier, 'initializer') : deserializeObject(identifier, 'initializer')) as Initializer;
}

export function getRegularizer(identifier: RegularizerIdentifier | undefined): Regularizer | null {
  if (isMissing(identifier) || identifier instanceof Regularizer) return identifier ?? null;
  return (typeof identifier === 'string' ? fromName(identifier, 'regularizer') : deserializeObject(identifier, 'regularizer')) as Regularizer;
}

export function getConstraint(identifier: ConstraintIdentifier | undefined): Constraint | null {
  if (isMissing(identifier) || identifier instanceof Constraint) return identifier ?? null;
  return (typeof identifier === 'string' ? fromName(identifier, 'constraint') : deserializeObject(identifier, 'constraint')) as Constraint;
}

/** {className, config} of an object, null for none. */
export function serializeObject(instance: { getClassName(): string; getConfig(): ConfigDict } | null | undefined): ClassConfig | null {
  return instance ? { className: instance.getClassName(), config: instance.getConfig() } : null;
}
