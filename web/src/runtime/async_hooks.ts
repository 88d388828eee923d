/** Node's module that follows awaits; undefined elsewhere. */
export const asyncHooks =
  typeof process === 'object' && process.versions?.node ? await import('node:async_hooks') : undefined;
