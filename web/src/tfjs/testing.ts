// The parts of TensorFlow.js's jasmine_util that packages use in their specs, for any test runner with describe().
import * as tf from '../index.js';
import { KernelBackend } from './backends.js';
import { ENGINE } from './engine.js';
import { setBackend } from './registry.js';

type Hook = (run: () => unknown) => void;
type Runner = { describe: (name: string, declare: () => void) => void } & Record<
  'beforeAll' | 'beforeEach' | 'afterEach',
  Hook
>;
type Flags = Record<string, number | boolean | string>;

/** An environment for specs: a backend and flags. */
export interface TestEnv {
  /** Name in the titles of specs. */
  name: string;
  /** Name of the backend. */
  backendName: string;
  /** Flags that are set before the specs. */
  flags?: Flags;
  /** True if dataSync() works on the backend. */
  isDataSync?: boolean;
}
/** Requirements of specs on an environment. */
export interface Constraints {
  /** Flags that must have these values. */
  flags?: Flags;
  /** Must return true for the environment. */
  predicate?: (testEnv: TestEnv) => boolean;
}

export const ALL_ENVS: Constraints = {};
export const NODE_ENVS: Constraints = { predicate: () => tf.env().platformName === 'node' };
export const BROWSER_ENVS: Constraints = { predicate: () => tf.env().platformName === 'browser' };
export const CHROME_ENVS: Constraints = { flags: { IS_CHROME: true } };
export const SYNC_BACKEND_ENVS: Constraints = { predicate: ({ isDataSync }) => isDataSync === true };
export const HAS_WORKER = {
  predicate: () => typeof Worker !== 'undefined' && typeof Blob !== 'undefined' && typeof URL !== 'undefined',
};
export const HAS_NODE_WORKER = { predicate: () => tf.env().getBool('IS_NODE') };

/** The environments that specs run in. If there are none, they run on the current backend. */
export const TEST_ENVS: TestEnv[] = [];
let isSet = false;

/** Sets the environments for good: registerTestEnv() then does nothing. */
export function setTestEnvs(testEnvs: TestEnv[]): void {
  isSet = true;
  TEST_ENVS.splice(0, TEST_ENVS.length, ...testEnvs);
}

/** Adds an environment, unless setTestEnvs() was called. */
export function registerTestEnv(testEnv: TestEnv): void {
  if (!isSet) TEST_ENVS.push(testEnv);
}

/**
 * True if an environment satisfies constraints.
 * @param env Flags of the environment.
 * @param testEnv The environment.
 * @param constraints The constraints; none by default.
 */
export function envSatisfiesConstraints(env: tf.Environment, testEnv: TestEnv, constraints?: Constraints): boolean {
  const hasFlags = Object.entries(constraints?.flags ?? {}).every(([name, value]) => env.get(name) === value);
  return hasFlags && (constraints?.predicate?.(testEnv) ?? true);
}

/**
 * Declares specs once per available environment that satisfies the constraints. Each spec runs in a new scope.
 * @param name Title of the specs.
 * @param constraints Requirements on an environment.
 * @param tests Declares the specs for an environment.
 */
export function describeWithFlags(name: string, constraints: Constraints, tests: (env: TestEnv) => void): void {
  const runner = globalThis as unknown as Runner;
  const here: TestEnv = { name: tf.getBackend(), backendName: tf.getBackend(), isDataSync: true };
  for (const { flags = {}, ...rest } of TEST_ENVS.length > 0 ? TEST_ENVS : [here]) {
    const testEnv = { ...rest, flags };
    if (tf.findBackendFactory(testEnv.backendName) === null) continue;
    const prepare = () => {
      for (const [flag, value] of Object.entries(flags)) tf.env().set(flag, value);
      tf.env().set('IS_TEST', true);
    };
    prepare();
    if (!envSatisfiesConstraints(tf.env(), testEnv, constraints)) continue;
    runner.describe(`${name} ${testEnv.name} ${JSON.stringify(flags)}`, () => {
      runner.beforeAll(async () => {
        prepare();
        await setBackend(testEnv.backendName);
      });
      runner.beforeEach(() => ENGINE.startScope());
      runner.afterEach(() => {
        ENGINE.endScope();
        tf.disposeVariables();
      });
      tests(testEnv);
    });
  }
}

type Done = (() => void) & {
  /** Makes the spec fail. */
  fail: (reason?: unknown) => void;
};
let lock: Promise<unknown> = Promise.resolve();

/**
 * Wraps a spec so that it runs when those started before have finished, for specs that share something, such as local
 * storage.
 */
export function runWithLock(spec: (done: Done) => Promise<void> | void): () => Promise<void> {
  return () => {
    const run = lock.then(
      () =>
        new Promise<void>((resolve, reject) => {
          const result = spec(Object.assign(() => resolve(), { fail: reject }));
          if (result) result.then(resolve, reject);
        }),
    );
    lock = run.catch(() => {});
    return run;
  };
}

/** A backend for specs that need any. */
export class TestKernelBackend extends KernelBackend {}
