// The entry `tenure/memory`. It imports no engine: it observes the one that the page passes to it.
export { TenureMemory, showMemory } from './element.js';
export type { Reading, Watched } from './watched.js';
