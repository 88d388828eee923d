// tf.serialization: classes that can be saved as a name and a configuration.
import { assert } from '../util/checks.js';

/** What a configuration may hold. */
export type ConfigDictValue = boolean | number | string | null | ConfigDictArray | ConfigDict;
/** A configuration: fields by name, as JSON has them. */
export interface ConfigDict {
  [key: string]: ConfigDictValue;
}
/** A list in a configuration. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface ConfigDictArray extends Array<ConfigDictValue> {}

/** Makes an object of a class and its configuration. */
export type FromConfigMethod<T extends Serializable> = (cls: SerializableConstructor<T>, config: ConfigDict) => T;
/** A class whose objects can be made of their configuration. */
export interface SerializableConstructor<T extends Serializable> {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  new (...args: any[]): T;
  className: string;
  fromConfig: FromConfigMethod<T>;
}

/**
 * What getConfig() describes well enough to be made again.
 * @example
 * class Scale extends tf.serialization.Serializable {
 *   static className = 'Scale';
 *   constructor({ factor }) { super(); this.factor = factor; }
 *   getConfig() { return { factor: this.factor }; }
 * }
 * new Scale({ factor: 2 }).getConfig(); // { factor: 2 }
 * new Scale({ factor: 2 }).getClassName(); // 'Scale'
 */
export abstract class Serializable {
  /** The name that a model file gives the class. */
  getClassName(): string {
    return (this.constructor as SerializableConstructor<Serializable>).className;
  }
  /** What describes it: fields as JSON has them. */
  abstract getConfig(): ConfigDict;
  /** An object of a class and its configuration. */
  static fromConfig<T extends Serializable>(cls: SerializableConstructor<T>, config: ConfigDict): T {
    return new cls(config);
  }
}

type Registered = [SerializableConstructor<Serializable>, FromConfigMethod<Serializable>];

/**
 * The classes that are known, by name.
 * @example
 * 'SGD' in tf.serialization.SerializationMap.getMap().classNameMap; // true
 */
export class SerializationMap {
  private static readonly instance = new SerializationMap();
  /** Classes and how to make their objects, by name. */
  readonly classNameMap = Object.create(null) as Record<string, Registered>;

  /** The one map. */
  static getMap(): SerializationMap {
    return SerializationMap.instance;
  }
  /** Makes a class known under its className. */
  static register<T extends Serializable>(cls: SerializableConstructor<T>): void {
    SerializationMap.instance.classNameMap[cls.className] = [cls, cls.fromConfig] as unknown as Registered;
  }
}

const registeredNames = new Map<unknown, string>();

/**
 * Makes a class known, so that what names it can be loaded. Throws when it has no static className.
 * @example
 * class Tripled extends tf.layers.Layer {
 *   static className = 'Tripled';
 *   call(inputs) { return tf.mul(inputs[0] ?? inputs, 3); }
 * }
 * tf.serialization.registerClass(Tripled); // files that name it can be loaded
 * new Tripled().apply(tf.tensor([[1, 2]])); // [[3, 6]]
 */
export function registerClass<T extends Serializable>(
  cls: SerializableConstructor<T>,
  pkg = 'Custom',
  name = cls.className,
): SerializableConstructor<T> {
  const { className } = cls as { className?: unknown };
  assert(
    className !== undefined && className !== null,
    () => 'Class being registered does not have the static className property defined.',
  );
  assert(
    typeof className === 'string',
    () => `className is required to be a string, but got type ${typeof className}`,
  );
  assert(className !== '', () => 'Class being registered has an empty-string as its className, which is disallowed.');
  SerializationMap.register(cls);
  registeredNames.set(cls, `${pkg}>${name}`);
  return cls;
}

/**
 * `package>name` of a class that is known, else its className.
 * @example
 * tf.serialization.getRegisteredName(tf.SGDOptimizer); // 'Custom>SGD'
 */
export function getRegisteredName<T extends Serializable>(cls: SerializableConstructor<T>): string {
  return registeredNames.get(cls) ?? cls.className;
}
