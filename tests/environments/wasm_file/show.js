import * as tf from 'tenure/no-await';
import { program } from './program.mjs';

/** Runs the program with the wasm at this address, and shows whether it was fetched. */
export function show(wasm) {
  if (wasm) tf.setWasmPath(wasm);
  tf.ready()
    .then(program)
    .then((own) => {
      const fetched = performance
        .getEntriesByType('resource')
        .filter(({ name, initiatorType }) => /\.wasm/.test(name) && initiatorType === 'fetch').length;
      document.body.id = 'result';
      document.body.textContent = JSON.stringify([fetched === 1 ? own : `${fetched} files of wasm`]);
    });
}
