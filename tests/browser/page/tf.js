/** Stands in for expect.mjs, which tests/web/ops/cases.mjs imports. */
export * as tf from '/tenure/dist/index.js';
