export * from './buffers.js';
export * from './http.js';
export * from './memory.js';
export type * from './types.js';
