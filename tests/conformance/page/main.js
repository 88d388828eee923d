// Runs the bundle of specs in a page, and shows the results.
const show = (result) => (document.querySelector('#result').textContent = JSON.stringify(result));

async function run() {
  const asked = new URLSearchParams(location.search);
  const backend = asked.get('backend');
  const tf = await import('/tenure/index.js');
  await import('/conformance/environment.js');
  await tf.ready();
  if (!(await tf.setBackend(backend))) throw new Error(`there is no backend ${backend} here`);
  // Runs everything on the GPU: most specs have so few elements that they would stay on the CPU.
  if (backend !== 'wasm') tf.env().set('WEBGL_CPU_FORWARD', false);
  globalThis.tenure = { ...tf };
  const { jasmineRequire } = window;
  const jasmine = jasmineRequire.core(jasmineRequire);
  Object.assign(window, { jasmine }, jasmineRequire.interface(jasmine, jasmine.getEnv()));
  await import('/bundle/specs.js');
  return globalThis.conformance.run(jasmine.getEnv(), asked.get('grep'));
}

run().then(
  (specs) => show({ specs }),
  (error) => show({ error: error.stack }),
);
