import { showMemory } from '/package/dist/memory.js';

// The address names the engine: the release build or the debug build.
const tf = await import(`/package/dist/${location.hash.slice(1)}`);
Object.assign(globalThis, { leak, element: showMemory(tf) });
globalThis.engine = tf;

export function leak(count) {
  for (let i = 0; i < count; i++) tf.zeros([256, 256]);
}
