import { checkValues } from '../debug/ledger.js';
import { isNode } from '../runtime/built_in.js';
import { isLoaded, wasm, whenLoaded } from '../runtime/runtime.js';
import { getThreadsCount } from '../runtime/threads.js';
import { variant } from '../runtime/variants.js';
import { platform, replacePlatform, type Platform } from '../runtime/platform.js';
import { isPromise } from '../util/checks.js';

type Global = { location?: { search?: string } };
type Flag = number | boolean | string;
type Evaluate = () => Flag | Promise<Flag>;
interface Entry {
  evaluate: Evaluate;
  hook?: ((value: Flag) => void) | undefined;
}

/**
 * The settings that programs may read and write: a flag has the value that was set, or that the page's address gives
 * (`?tfjsflags=DEBUG:true,...`), or else what its function gives when it is first asked for.
 * @example
 * tf.env().registerFlag('MY_FLAG', () => 1);
 * tf.env().getNumber('MY_FLAG'); // 1
 * tf.env().set('MY_FLAG', 2);
 * tf.env().getNumber('MY_FLAG'); // 2
 */
export class Environment {
  /** 'node' or 'browser', unless a program says another. */
  platformName: string = isNode ? 'node' : 'browser';
  private flags = named({});
  /** What is known of each flag. */
  readonly flagRegistry = Object.create(null) as Record<string, Entry>;

  readonly #global: Global | undefined;

  constructor(global?: Global) {
    this.#global = global;
  }

  /** No property of its own: programs that go through all that they import would go through all of the page. */
  get global(): Global | undefined {
    return this.#global;
  }

  /** What differs between the places that a program runs in. */
  get platform(): Platform {
    return platform();
  }
  /** Puts other functions in the place of the platform's. */
  setPlatform(platformName: string, platform: Platform): void {
    this.platformName = platformName;
    replacePlatform(platform);
  }

  /** Makes a flag known, whose value a function gives, and what is to happen when it is set. */
  registerFlag(flagName: string, evaluationFn: Evaluate, setHook?: (value: Flag) => void): void {
    this.flagRegistry[flagName] = { evaluate: evaluationFn, hook: setHook };
    const inUrl = this.urlFlags()[flagName];
    if (inUrl !== undefined) this.set(flagName, inUrl);
  }

  /** The value of a flag whose function may give a promise. */
  async getAsync(flagName: string): Promise<Flag> {
    return (this.flags[flagName] ??= await this.evaluate(flagName));
  }

  /** Throws for a flag that nobody knows. */
  get(flagName: string): Flag {
    const known = this.flags[flagName];
    if (known !== undefined) return known;
    const value = this.evaluate(flagName);
    if (isPromise(value)) {
      throw new Error(`Flag ${flagName} cannot be synchronously evaluated. Please use getAsync() instead.`);
    }
    return (this.flags[flagName] = value);
  }
  /** get() of a flag that is true or false. */
  getBool(flagName: string): boolean {
    return this.get(flagName) as boolean;
  }
  /** get() of a flag that is a number. */
  getNumber(flagName: string): number {
    return this.get(flagName) as number;
  }
  /** get() of a flag that is a string. */
  getString(flagName: string): string {
    return this.get(flagName) as string;
  }
  /** The values that are known so far, by name. */
  getFlags(): Record<string, Flag> {
    return this.flags;
  }
  /** The same. */
  get features(): Record<string, Flag> {
    return this.flags;
  }

  /** Flags of TensorFlow.js's backends that mean nothing here can be set, and are kept. */
  set(flagName: string, value: Flag): void {
    this.flags[flagName] = value;
    this.flagRegistry[flagName]?.hook?.(value);
  }
  /** Forgets all values, and sets these. */
  setFlags(flags: Record<string, Flag>): void {
    this.flags = named(flags);
  }
  /** Forgets what was set, but for what the page's address says. */
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
    return named(Object.fromEntries(pairs.map(([name, value = '']) => [name, flagOf(value)])));
  }
}

/** Flags of these names alone, and not those of every object. */
function named(flags: Record<string, Flag>): Record<string, Flag> {
  return Object.assign(Object.create(null) as Record<string, Flag>, flags);
}

function flagOf(text: string): Flag {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  return String(Number(lower)) === lower ? Number(lower) : text;
}

/**
 * Whether this is a page, or a worker of one.
 * @example
 * tf.device_util.isBrowser(); // false: in Node
 */
export function isBrowser(): boolean {
  return (typeof window !== 'undefined' && Boolean(window.document)) || 'WorkerGlobalScope' in globalThis;
}

function isMadeBy(browser: RegExp, vendor: RegExp): boolean {
  return typeof navigator !== 'undefined' && browser.test(navigator.userAgent ?? '') && vendor.test(navigator.vendor ?? '');
}

/**
 * The one environment.
 * @example
 * tf.ENV === tf.env(); // true
 */
export const ENV = new Environment(globalThis);

let leastForDevice: number | undefined;
let leastLazy: number | undefined;
const kFlags: Record<string, Evaluate> = {
  DEBUG: () => false,
  PROD: () => false,
  IS_TEST: () => false,
  IS_BROWSER: isBrowser,
  IS_NODE: () => isNode,
  IS_CHROME: () => isMadeBy(/Chrome/, /Google Inc/),
  IS_SAFARI: () => isMadeBy(/Safari/, /Apple/),
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
  WASM_HAS_RELAXED_SIMD_SUPPORT: () => variant().includes('relaxed'),
  WASM_HAS_MULTITHREAD_SUPPORT: () => getThreadsCount() > 1,
  WEBGL_CPU_FORWARD: () => true,
  WEBGL_FORCE_F16_TEXTURES: () => false,
  WEBGL_CPU_HANDOFF_SIZE_THRESHOLD: () => leastForDevice ?? wasm.leastForDevice(),
  WASM_LAZY_SIZE_THRESHOLD: () => leastLazy ?? wasm._tn_least_lazy(-1),
};

/**
 * What the engine does when a flag is set. With 'webgl', ops of fewer elements than WEBGL_CPU_HANDOFF_SIZE_THRESHOLD, and
 * models for which the CPU needs less time than a round trip, run on the CPU unless WEBGL_CPU_FORWARD is false.
 * WEBGL_FORCE_F16_TEXTURES keeps floats on the GPU in half the memory, and less precise, as happens by itself where a
 * GPU cannot draw into float32. With 'wasm', the results of cheap elementwise ops on float32 wait to be read where they have
 * at least WASM_LAZY_SIZE_THRESHOLD elements, so that ops that follow one another go over memory once; Infinity ends that.
 * DEBUG searches every result for NaN and infinite values, in the debug build.
 */
const kHooks: Record<string, (value: Flag) => void> = {
  DEBUG: (value) => {
    if (__DEBUG__) checkValues(Boolean(value));
  },
  WEBGL_CPU_FORWARD: placeSmallWork,
  WEBGL_CPU_HANDOFF_SIZE_THRESHOLD: placeSmallWork,
  WASM_LAZY_SIZE_THRESHOLD: (value) => {
    if (isLoaded()) wasm._tn_least_lazy(Number(value));
  },
  WEBGL_FORCE_F16_TEXTURES: (value) => {
    if (isLoaded()) wasm.glPreferHalf(Boolean(value));
  },
};
for (const [name, evaluate] of Object.entries(kFlags)) ENV.registerFlag(name, evaluate, kHooks[name]);
whenLoaded(() => {
  leastForDevice = wasm.leastForDevice();
  leastLazy = wasm._tn_least_lazy(-1);
  for (const [name, value] of Object.entries(ENV.getFlags())) kHooks[name]?.(value);
});

function placeSmallWork(): void {
  if (!isLoaded()) return;
  const threshold = ENV.getNumber('WEBGL_CPU_HANDOFF_SIZE_THRESHOLD');
  wasm.setLeastForDevice(ENV.getBool('WEBGL_CPU_FORWARD') ? threshold : 0);
}

/**
 * The one environment.
 * @example
 * tf.env().getBool('IS_NODE'); // true
 */
export function env(): Environment {
  return ENV;
}

/**
 * Puts other functions in the place of the platform's.
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
 * Does nothing else: a release build has no checks to leave out.
 * @example
 * tf.enableProdMode();
 * tf.env().getBool('PROD'); // true
 * tf.env().set('PROD', false);
 */
export function enableProdMode(): void {
  ENV.set('PROD', true);
}

/**
 * In the debug build, `tenure/debug`: from now on every result is searched for NaN and infinite values, and the op and the
 * place that made them are reported. Elsewhere it does nothing but set the flag.
 * @example
 * tf.enableDebugMode();
 * tf.env().getBool('DEBUG'); // true
 * tf.env().set('DEBUG', false);
 */
export function enableDebugMode(): void {
  ENV.set('DEBUG', true);
  if (!__DEBUG__) console.warn("tf.enableDebugMode(): results are searched for NaN in the debug build, 'tenure/debug', alone.");
}

/**
 * No more deprecationWarn().
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
 * Warns of what will not be there for ever.
 * @example
 * tf.deprecationWarn('Use add() instead.'); // 'Use add() instead. You can disable deprecation warnings with tf.disableDeprecationWarnings().'
 */
export function deprecationWarn(msg: string): void {
  if (!ENV.getBool('DEPRECATION_WARNINGS_ENABLED')) return;
  console.warn(`${msg} You can disable deprecation warnings with tf.disableDeprecationWarnings().`);
}
