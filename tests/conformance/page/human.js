// Runs the Human library's build for pages on Tenure; shows its results with each of the settings.
import { configOf, detect, kSettings } from '/conformance/human_cases.mjs';
import { Human } from '/human/human.js';

const asked = new URLSearchParams(location.search);

async function pictureAt(url) {
  const sizes = new Uint32Array(await (await fetch(`${url}.size.bin`)).arrayBuffer());
  return {
    width: sizes[0],
    height: sizes[1],
    data: new Uint8Array(await (await fetch(`${url}.rgb.bin`)).arrayBuffer()),
  };
}

async function run() {
  const pictures = await Promise.all(asked.getAll('picture').map((name) => pictureAt(`/pictures/${name}`)));
  const found = {};
  for (const [name, settings] of Object.entries(kSettings)) {
    const human = new Human(configOf(`${location.origin}/models/`, settings, { backend: asked.get('backend') }));
    found[name] = await detect(human, pictures, Number(asked.get('detections')));
    if (human.tf.getBackend() !== asked.get('backend')) throw new Error(`it ran on ${human.tf.getBackend()}`);
  }
  return found;
}

const result = document.getElementById('result');
run().then(
  (found) => (result.textContent = JSON.stringify({ found })),
  (error) => (result.textContent = JSON.stringify({ error: `${error.stack}` })),
);
