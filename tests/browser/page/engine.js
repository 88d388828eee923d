// The engine's module, without the package's TypeScript.
import createTenure from '/tenure/dist/engine.js';
import { counts, driver, thrownBy } from './engine_driver.js';
import { show } from './show.js';

const kTimes = 1000;
const fetched = (name) => fetch(`/iris/${name}`);
const engine = await createTenure();
const before = counts(engine);
const given = driver(
  engine,
  await (await fetched('model.json')).text(),
  await (await fetched('weights.bin')).arrayBuffer(),
);

/** Repeats `body`; returns the counts before and after. */
function repeated(body) {
  const start = counts(engine);
  for (let i = 0; i < kTimes; i++) body(i);
  return { start, end: counts(engine) };
}

let ended = 0;
const found = {
  nested: repeated(() => given.nested()),
  throwing: repeated((i) => {
    const value = i % 2 ? new Error(`throw ${i}`) : i;
    const thrown = thrownBy(() => given.throwing(value));
    if (thrown?.error !== value) throw new Error(`threw ${thrown?.error}`);
  }),
  stack: repeated((i) => {
    const thrown = thrownBy(() => given.endStack(i % 4 === 0 ? 0 : i % 150));
    if (thrown && !(thrown.error instanceof RangeError)) throw thrown.error;
    if (thrown) ended++;
    if (given.classify() !== 0) throw new Error('the engine does not work after the stack has ended');
  }),
};

/** Called by the test, which interrupts such calls with a time limit. */
Object.assign(globalThis, {
  spin: given.spin,
  audit: given.auditor(),
  classify: given.classify,
  /** Returns the counts after the model's disposal, and those before. */
  finish() {
    given.model.delete();
    engine.dispose(given.flower);
    return { before, after: counts(engine) };
  },
});
show({ ...found, ended });
