// Loads the build of the package that the page's address names, as a module or as a classic script.
import { irises } from './irises.js';
import { ops } from './ops.js';
import { show } from './show.js';

const address = `/tenure/dist/${new URLSearchParams(location.search).get('build')}`;
const tf = address.endsWith('.min.js') ? await fromScript(address) : await import(address);
await tf.ready();
show({ ops: await ops(tf), irises: await irises(tf) });

function fromScript(src) {
  const script = Object.assign(document.createElement('script'), { src });
  document.body.append(script);
  return new Promise((resolve, reject) => {
    script.onload = () => resolve(globalThis.tf);
    script.onerror = () => reject(new Error(`no ${src}`));
  });
}
