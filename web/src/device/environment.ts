import { checkValues } from '../debug/ledger.js';
import { isNode } from '../runtime/node_builtins.js';
import { isLoaded, wasm, whenLoaded } from '../runtime/runtime.js';
import { getThreadsCount } from '../runtime/threads.js';
import { usesRelaxedSimd } from '../runtime/relaxed_simd.js';
import { platform, replacePlatform, type Platform } from '../runtime/platform.js';
import { isPromise } from '../util/checks.js';

type Global = {
  /** Address of the page. */
  location?: {
    /** Query of the address, which may set flags. */
    search?: string;
  };
};
type Flag = number | boolean | string;
type Evaluate = () => Flag | Promise<Flag>;
interface Entry {
  evaluate: Evaluate;
  hook?: ((value: Flag) => void) | undefined;
}

/**
 * Registry of flags, the settings that programs may read and write. A flag has the value that was set, or else the one
 * in the page's address (`?tfjsflags=DEBUG:true,...`), or else the result of its evaluation function, called on first
 * use.
 * @example
 * tf.env().registerFlag('MY_FLAG', () => 1);
 * tf.env().getNumber('MY_FLAG'); // 1
 * tf.env().set('MY_FLAG', 2);
 * tf.env().getNumber('MY_FLAG'); // 2
 */
export class Environment {
  /** 'node', 'browser', or the name passed to setPlatform(). */
  platformName: string = isNode ? 'node' : 'browser';
  private flags = toNullPrototype({});
  /** Evaluation function and hook of each flag, by name. */
  readonly flagRegistry = Object.create(null) as Record<string, Entry>;

  readonly #global: Global | undefined;

  constructor(global?: Global) {
    this.#global = global;
  }

  /** The global object. A getter, so that enumerating the exports does not walk `window`. */
  get global(): Global | undefined {
    return this.#global;
  }

  /** Functions that differ between environments, such as fetch(). */
  get platform(): Platform {
    return platform();
  }
  /** Replaces the platform's functions, and sets its name. */
  setPlatform(platformName: string, platform: Platform): void {
    this.platformName = platformName;
    replacePlatform(platform);
  }

  /**
   * Registers a flag. A value in the page's address is set at once.
   * @param flagName Name of the flag.
   * @param evaluationFn Returns the flag's value if none was set, or a promise of it.
   * @param setHook Called with each value that is set.
   */
  registerFlag(flagName: string, evaluationFn: Evaluate, setHook?: (value: Flag) => void): void {
    this.flagRegistry[flagName] = { evaluate: evaluationFn, hook: setHook };
    const inUrl = this.urlFlags()[flagName];
    if (inUrl !== undefined) this.set(flagName, inUrl);
  }

  /**
   * Resolves to the value of a flag, whose evaluation function may return a promise. Rejects for a flag that was
   * neither registered nor set.
   */
  async getAsync(flagName: string): Promise<Flag> {
    return (this.flags[flagName] ??= await this.evaluate(flagName));
  }

  /**
   * Returns the value of a flag. Throws if it was neither registered nor set, or if its evaluation function returns a
   * promise.
   */
  get(flagName: string): Flag {
    const known = this.flags[flagName];
    if (known !== undefined) return known;
    const value = this.evaluate(flagName);
    if (isPromise(value)) {
      throw new Error(`Flag ${flagName} cannot be synchronously evaluated. Please use getAsync() instead.`);
    }
    return (this.flags[flagName] = value);
  }
  /** Returns the value of a boolean flag. */
  getBool(flagName: string): boolean {
    return this.get(flagName) as boolean;
  }
  /** Returns the value of a flag that is a number. */
  getNumber(flagName: string): number {
    return this.get(flagName) as number;
  }
  /** Returns the value of a flag that is a string. */
  getString(flagName: string): string {
    return this.get(flagName) as string;
  }
  /** Returns the values that were set or evaluated so far, by name. */
  getFlags(): Record<string, Flag> {
    return this.flags;
  }
  /** The values that were set or evaluated so far, by name. */
  get features(): Record<string, Flag> {
    return this.flags;
  }

  /** Sets a flag and calls its hook. Flags of TensorFlow.js's backends that have no effect here are stored, too. */
  set(flagName: string, value: Flag): void {
    this.flags[flagName] = value;
    this.flagRegistry[flagName]?.hook?.(value);
  }
  /** Replaces all values by `flags`, without calling hooks. */
  setFlags(flags: Record<string, Flag>): void {
    this.flags = toNullPrototype(flags);
  }
  /** Removes all values except those in the page's address. */
  reset(): void {
    this.flags = this.urlFlags();
  }

  private evaluate(flagName: string): Flag | Promise<Flag> {
    const entry = this.flagRegistry[flagName];
    if (!entry) throw new Error(`Cannot evaluate flag '${flagName}': no evaluation function found.`);
    return entry.evaluate();
  }

  private urlFlags(): Record<string, Flag> {
    const search = this.#global?.location?.search;
    const given = search ? new URLSearchParams(search).get('tfjsflags') : undefined;
    const pairs = given ? given.split(',').map((pair) => pair.split(':') as [string, string?]) : [];
    return toNullPrototype(Object.fromEntries(pairs.map(([name, value = '']) => [name, parseFlag(value)])));
  }
}

/** Returns flags as an object without a prototype, so that names of Object.prototype are not found in it. */
function toNullPrototype(flags: Record<string, Flag>): Record<string, Flag> {
  return Object.assign(Object.create(null) as Record<string, Flag>, flags);
}

function parseFlag(text: string): Flag {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  return String(Number(lower)) === lower ? Number(lower) : text;
}

/**
 * True in a page, or a worker of one.
 * @example
 * tf.device_util.isBrowser(); // false: in Node
 */
export function isBrowser(): boolean {
  return (typeof window !== 'undefined' && Boolean(window.document)) || 'WorkerGlobalScope' in globalThis;
}

function matchesBrowser(browser: RegExp, vendor: RegExp): boolean {
  return (
    typeof navigator !== 'undefined' && browser.test(navigator.userAgent ?? '') && vendor.test(navigator.vendor ?? '')
  );
}

/**
 * The global environment.
 * @example
 * tf.ENV === tf.env(); // true
 */
export const ENV = new Environment(globalThis);

let minElementsForDevice: number | undefined;
let minLazyElements: number | undefined;
const kFlags: Record<string, Evaluate> = {
  DEBUG: () => false,
  PROD: () => false,
  IS_TEST: () => false,
  IS_BROWSER: isBrowser,
  IS_NODE: () => isNode,
  IS_CHROME: () => matchesBrowser(/Chrome/, /Google Inc/),
  IS_SAFARI: () => matchesBrowser(/Safari/, /Apple/),
  TENSORLIKE_CHECK_SHAPE_CONSISTENCY: () => ENV.getBool('DEBUG'),
  CHECK_COMPUTATION_FOR_ERRORS: () => ENV.getBool('DEBUG'),
  DEPRECATION_WARNINGS_ENABLED: () => true,
  WRAP_TO_IMAGEBITMAP: () => false,
  CANVAS2D_WILL_READ_FREQUENTLY_FOR_GPU: () => false,
  USE_SETTIMEOUTCUSTOM: () => false,
  HAS_WEBGL: () => typeof WebGL2RenderingContext !== 'undefined',
  WEBGL_VERSION: () => 2,
  KEEP_INTERMEDIATE_TENSORS: () => false,
  WASM_HAS_SIMD_SUPPORT: () => true,
  WASM_HAS_RELAXED_SIMD_SUPPORT: () => usesRelaxedSimd(),
  WASM_HAS_MULTITHREAD_SUPPORT: () => getThreadsCount() > 1,
  WEBGL_CPU_FORWARD: () => true,
  WEBGL_FORCE_F16_TEXTURES: () => false,
  WEBGL_CPU_HANDOFF_SIZE_THRESHOLD: () => minElementsForDevice ?? wasm.minElementsForDevice(),
  WASM_LAZY_SIZE_THRESHOLD: () => minLazyElements ?? wasm._tn_min_lazy_elements(-1),
};

/**
 * Hooks that apply a flag to the engine when it is set. With 'webgl', ops of fewer elements than
 * WEBGL_CPU_HANDOFF_SIZE_THRESHOLD, and models for which the CPU needs less time than a round trip to the GPU, run on
 * the CPU unless WEBGL_CPU_FORWARD is false. WEBGL_FORCE_F16_TEXTURES stores floats on the GPU as float16: half the
 * memory, less precise; this is automatic on GPUs that cannot render to float32. Results of elementwise ops on float32
 * with at least WASM_LAZY_SIZE_THRESHOLD elements, on 'wasm' those of cheap ops and on 'webgpu' all, are deferred until
 * they are read, so that a chain of ops passes over memory once; Infinity disables this. In the debug build, DEBUG
 * searches every result for NaN and infinite values.
 */
const kHooks: Record<string, (value: Flag) => void> = {
  DEBUG: (value) => {
    if (__DEBUG__) checkValues(Boolean(value));
  },
  WEBGL_CPU_FORWARD: applyHandoffThreshold,
  WEBGL_CPU_HANDOFF_SIZE_THRESHOLD: applyHandoffThreshold,
  WASM_LAZY_SIZE_THRESHOLD: (value) => {
    if (isLoaded()) wasm._tn_min_lazy_elements(Number(value));
  },
  WEBGL_FORCE_F16_TEXTURES: (value) => {
    if (isLoaded()) wasm.glPreferHalf(Boolean(value));
  },
};
for (const [name, evaluate] of Object.entries(kFlags)) ENV.registerFlag(name, evaluate, kHooks[name]);
whenLoaded(() => {
  minElementsForDevice = wasm.minElementsForDevice();
  minLazyElements = wasm._tn_min_lazy_elements(-1);
  for (const [name, value] of Object.entries(ENV.getFlags())) kHooks[name]?.(value);
});

function applyHandoffThreshold(): void {
  if (!isLoaded()) return;
  const threshold = ENV.getNumber('WEBGL_CPU_HANDOFF_SIZE_THRESHOLD');
  wasm.setMinElementsForDevice(ENV.getBool('WEBGL_CPU_FORWARD') ? threshold : 0);
}

/**
 * Returns the global environment.
 * @example
 * tf.env().getBool('IS_NODE'); // true
 */
export function env(): Environment {
  return ENV;
}

/**
 * Replaces the platform's functions, and sets its name.
 * @example
 * const { platform } = tf.env();
 * tf.setPlatform('mine', { ...platform, now: () => 42 });
 * tf.util.now(); // 42
 * tf.setPlatform('node', platform);
 */
export function setPlatform(platformName: string, platform: Platform): void {
  ENV.setPlatform(platformName, platform);
}

/**
 * Sets the flag PROD. It has no other effect: a release build has no checks to leave out.
 * @example
 * tf.enableProdMode();
 * tf.env().getBool('PROD'); // true
 * tf.env().set('PROD', false);
 */
export function enableProdMode(): void {
  ENV.set('PROD', true);
}

/**
 * Sets the flag DEBUG. In the debug build, `tenure/debug`, every further result is searched for NaN and infinite
 * values, and the op and the line of code that produced them are reported. Other builds only warn that they do not
 * search.
 * @example
 * tf.enableDebugMode();
 * tf.env().getBool('DEBUG'); // true
 * tf.env().set('DEBUG', false);
 */
export function enableDebugMode(): void {
  ENV.set('DEBUG', true);
  if (!__DEBUG__) console.warn("tf.enableDebugMode(): only the debug build, 'tenure/debug', checks results for NaN.");
}

/**
 * Disables the warnings of deprecationWarn().
 * @example
 * tf.disableDeprecationWarnings(); // 'TensorFlow.js deprecation warnings have been disabled.'
 * tf.deprecationWarn('Use add() instead.'); // undefined: it says nothing
 * tf.env().set('DEPRECATION_WARNINGS_ENABLED', true);
 */
export function disableDeprecationWarnings(): void {
  ENV.set('DEPRECATION_WARNINGS_ENABLED', false);
  console.warn('TensorFlow.js deprecation warnings have been disabled.');
}

/**
 * Warns on the console that a feature is deprecated, unless such warnings are disabled.
 * @example
 * tf.deprecationWarn('Use add() instead.'); // 'Use add() instead. You can disable deprecation warnings with tf.disableDeprecationWarnings().'
 */
export function deprecationWarn(msg: string): void {
  if (!ENV.getBool('DEPRECATION_WARNINGS_ENABLED')) return;
  console.warn(`${msg} You can disable deprecation warnings with tf.disableDeprecationWarnings().`);
}
