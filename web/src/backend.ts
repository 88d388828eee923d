import { checkValues } from './debug/ledger.js';

const kBackends = ['wasm', 'cpu'];
let current = 'wasm';

/** Chooses where ops run: 'wasm', which is called 'cpu' too. Rejects for a backend that does not exist. */
export function setBackend(backendName: string): Promise<boolean> {
  if (!kBackends.includes(backendName)) {
    return Promise.reject(new Error(`Backend name '${backendName}' not found in registry`));
  }
  current = backendName;
  return Promise.resolve(true);
}

/** The name of the backend. */
export function getBackend(): string {
  return current;
}

/** Resolves when ops can run. */
export function ready(): Promise<void> {
  return Promise.resolve();
}

/** The backend's numbers: what TensorFlow.js's programs ask it for. */
export function backend(): { epsilon(): number; floatPrecision(): 16 | 32 } {
  return { epsilon: () => 1e-7, floatPrecision: () => 32 };
}

type Flag = number | boolean | string;
const flags = new Map<string, Flag>([
  ['DEBUG', false],
  ['PROD', false],
  ['IS_BROWSER', typeof window !== 'undefined' && typeof window.document !== 'undefined'],
  ['IS_NODE', typeof process !== 'undefined' && typeof process.versions?.node !== 'undefined'],
]);

/** The settings that programs may read and write; none of them changes a result. */
export interface Environment {
  /** Throws for a flag that nobody has set. */
  get(flag: string): Flag;
  getBool(flag: string): boolean;
  getNumber(flag: string): number;
  set(flag: string, value: Flag): void;
  getFlags(): Record<string, Flag>;
}

const environment: Environment = {
  get(flag) {
    const value = flags.get(flag);
    if (value === undefined) throw new Error(`Cannot evaluate flag '${flag}': no evaluation function found.`);
    return value;
  },
  getBool: (flag) => environment.get(flag) as boolean,
  getNumber: (flag) => environment.get(flag) as number,
  set: (flag, value) => void flags.set(flag, value),
  getFlags: () => Object.fromEntries(flags),
};

/** The one environment. */
export function env(): Environment {
  return environment;
}

/** Does nothing: a release build has no checks to leave out. */
export function enableProdMode(): void {
  flags.set('PROD', true);
}

/**
 * In the debug build, `tenure/debug`: from now on every result is searched for NaN and infinite values, and the op and the
 * place that made them are reported. Elsewhere it does nothing but set the flag.
 */
export function enableDebugMode(): void {
  if (__DEBUG__) checkValues(true);
  flags.set('DEBUG', true);
}

/** Resolves before the page paints again; in Node, after what is waiting now. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame === 'undefined') setTimeout(resolve, 0);
    else requestAnimationFrame(() => resolve());
  });
}
