/** What tests/web/ops/cases.mjs finds in a page where it looks for expect.mjs. */
export * as tf from '/tenure/dist/index.js';
