// tf.serialization: classes that can be saved as a name and a configuration.
import { assert } from './checks.js';

/** Value in a configuration. */
export type ConfigDictValue = boolean | number | string | null | ConfigDictArray | ConfigDict;
/** Configuration of an object: JSON values by name. */
export interface ConfigDict {
  [key: string]: ConfigDictValue;
}
/** Array in a configuration. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface ConfigDictArray extends Array<ConfigDictValue> {}

/** Function that creates an object from its class and configuration. */
export type FromConfigMethod<T extends Serializable> = (cls: SerializableConstructor<T>, config: ConfigDict) => T;
/** Class whose objects can be created from their configuration. */
export interface SerializableConstructor<T extends Serializable> {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  new (...args: any[]): T;
  /** Name of the class in configurations. */
  className: string;
  /** Creates an object from a configuration. */
  fromConfig: FromConfigMethod<T>;
}

/**
 * Base class of objects that can be saved as a class name and a configuration.
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
  /** Returns the name of the class in files. */
  getClassName(): string {
    return (this.constructor as SerializableConstructor<Serializable>).className;
  }
  /** Returns the configuration from which fromConfig() creates the object: JSON values by name. */
  abstract getConfig(): ConfigDict;
  /** Creates an object from its class and configuration. */
  static fromConfig<T extends Serializable>(cls: SerializableConstructor<T>, config: ConfigDict): T {
    return new cls(config);
  }
}

type Registered = [SerializableConstructor<Serializable>, FromConfigMethod<Serializable>];

/**
 * Registry of serializable classes.
 * @example
 * 'SGD' in tf.serialization.SerializationMap.getMap().classNameMap; // true
 */
export class SerializationMap {
  private static readonly instance = new SerializationMap();
  /** Classes and their fromConfig() functions, by class name. */
  readonly classNameMap = Object.create(null) as Record<string, Registered>;

  /** Returns the only instance. */
  static getMap(): SerializationMap {
    return SerializationMap.instance;
  }
  /** Registers a class under its className. */
  static register<T extends Serializable>(cls: SerializableConstructor<T>): void {
    SerializationMap.instance.classNameMap[cls.className] = [cls, cls.fromConfig] as unknown as Registered;
  }
}

const registeredNames = new Map<unknown, string>();

/**
 * Registers a class, so that files which name it can be loaded, and returns it. Throws if it has no static className.
 * @param cls Class to register.
 * @param pkg Package of the registered name.
 * @param name Name within the package: the className by default.
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
  const { className } = cls;
  assert(
    className !== undefined && className !== null,
    () => 'Class being registered does not have the static className property defined.',
  );
  assert(typeof className === 'string', () => `className is required to be a string, but got type ${typeof className}`);
  assert(className !== '', () => 'Class being registered has an empty-string as its className, which is disallowed.');
  SerializationMap.register(cls);
  registeredNames.set(cls, `${pkg}>${name}`);
  return cls;
}

/**
 * Returns `package>name` of a registered class, and the className of any other.
 * @example
 * tf.serialization.getRegisteredName(tf.SGDOptimizer); // 'Custom>SGD'
 */
export function getRegisteredName<T extends Serializable>(cls: SerializableConstructor<T>): string {
  return registeredNames.get(cls) ?? cls.className;
}
