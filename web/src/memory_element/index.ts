// `tenure/memory`, an entry of its own, which knows an engine only by what the page gives it.
export { TenureMemory, showMemory } from './element.js';
export type { Reading, Watched } from './watched.js';
