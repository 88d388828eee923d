// Measures the accuracy of WebGL's functions, and shows it.
import { measure } from '/conformance/accuracy/measure.mjs';

const show = (result) => (document.querySelector('#result').textContent = JSON.stringify(result));

async function run() {
  const tf = await import('/tenure/index.js');
  await tf.ready();
  if (!(await tf.setBackend('webgl'))) throw new Error('there is no WebGL here');
  return measure(tf);
}

run().then(show, (error) => show({ error: error.stack }));
