import * as tf from 'tenure';
import wasm from './tenure.wasm';
import { program } from './program.mjs';

// Workers compile no bytes: the module comes with the script.
const ready = tf.init({ wasmBinary: wasm });

export default {
  async fetch() {
    await ready;
    const result = JSON.stringify([await program()]);
    return new Response(`<!doctype html><title>Worker</title><div id="result">${result}</div>`, {
      headers: { 'Content-Type': 'text/html' },
    });
  },
};
