import * as tf from 'tenure';
import { Detector, type Result } from '../../examples/detection/detector.mjs';
import { FaceModels, kModelNames } from '../../examples/detection/face_models.mjs';
import { FaceView } from './face_view.js';
import { count } from './format.js';
import { FrameSource } from './frame_source.js';
import { byId, chosenText, complain, say, setText } from './page.js';

const kShownTimes = 30;

declare global {
  /** The page's state, for tests. */
  var tenureDetection: { faces: Result['face']; frames: number; tensors: number[] };
}

const seen = (globalThis.tenureDetection = { faces: [] as Result['face'], frames: 0, tensors: [] as number[] });
const source = new FrameSource();
const view = new FaceView(byId<HTMLCanvasElement>('view'), byId('crops'));
const times: number[] = [];
let detector: Detector | undefined;
/** The frame in progress. */
let frame = Promise.resolve();

await tf.ready();
const backend = byId<HTMLSelectElement>('backend');
backend.value = tf.getBackend();
if (!tf.engine().registryFactory['webgpu']) {
  backend.querySelector<HTMLOptionElement>('[value=webgpu]')!.disabled = true;
  setText('backend-hint', 'This browser has no WebGPU.');
}
on('load', 'click', () =>
  load((name) => `${byId<HTMLInputElement>('address').value.replace(/\/?$/, '/')}${name}/model.json`),
);
on('folder', 'change', () => load(filesOf(byId<HTMLInputElement>('folder').files)));
on('picture', 'change', () => show(byId<HTMLInputElement>('picture').files?.[0]));
on('camera', 'click', async () => {
  await source.openCamera();
  forget();
  return 'The camera runs.';
});
on('stop', 'click', () => {
  source.close();
  return 'It has stopped.';
});
on('dispose', 'click', async () => {
  await dispose();
  return `Everything is disposed: tf.memory().numTensors is ${count(tf.memory().numTensors)}.`;
});
on('backend', 'change', async () => {
  const name = chosenText(backend);
  const isThere = await tf.setBackend(backend.value);
  backend.value = tf.getBackend();
  forget();
  return isThere ? `It computes on ${name}.` : `There is no ${name} here. It computes on ${chosenText(backend)}.`;
});
document.querySelector('main')!.inert = false;
void run();
await load((name) => `./models/${name}/model.json`).then(say, () => {
  say('There are no models beside this page. Say in which folder blazeface, facemesh and eye-iris are.');
});

/** Runs an event's action, and shows its result. */
function on(id: string, event: string, act: () => string | Promise<string>): void {
  byId(id).addEventListener(event, () => {
    Promise.resolve().then(act).then(say, complain);
  });
}

async function load(sourceOf: (name: string) => tf.io.IOHandler | string): Promise<string> {
  const models = await FaceModels.load(sourceOf);
  await frame;
  detector?.dispose();
  // The calls own the results: each is disposed when it has been drawn.
  detector = new Detector({ face: { detector: { maxDetected: 5, minConfidence: 0.2, return: true } } }, models);
  forget();
  return source.isOpen ? 'The models are loaded.' : 'The models are loaded. Start the camera, or choose a picture.';
}

/** Returns the model files of a chosen folder. */
function filesOf(list: FileList | null): (name: string) => tf.io.IOHandler {
  const files = [...(list ?? [])];
  return (name) => {
    const own = files.filter((file) => file.webkitRelativePath.split('/').at(-2) === name);
    const json = own.find((file) => file.name === 'model.json');
    if (!json) throw new Error(`The folder has no ${name}/model.json; it must have ${kModelNames.join(', ')}.`);
    return tf.io.browserFiles([json, ...own.filter((file) => !file.name.endsWith('.json'))]);
  };
}

async function show(picture: File | undefined): Promise<string> {
  if (!picture) return 'No picture was chosen.';
  await source.openPicture(picture);
  forget();
  return `It looks at ${picture.name}, again and again.`;
}

/** Detects faces in the source's frames as long as it is open. */
async function run(): Promise<never> {
  while (true) {
    if (detector && source.isOpen) {
      frame = detect(detector).catch((error: unknown) => {
        source.close();
        complain(error);
      });
      await frame;
    }
    await new Promise(requestAnimationFrame);
  }
}

async function detect(by: Detector): Promise<void> {
  const begin = performance.now();
  const picture = source.frame();
  const pixels = tf.browser.fromPixels(picture);
  try {
    const result = await by.detect(pixels);
    try {
      // Meanwhile the source may have been closed, or changed.
      if (!source.isOpen || source.frame() !== picture) return;
      times.push(performance.now() - begin);
      view.draw(picture, result.face);
      await view.drawCrops(result.face);
      seen.faces = result.face.map(({ tensor: _, ...face }) => face);
    } finally {
      result.dispose();
    }
  } finally {
    pixels.dispose();
  }
  showNumbers();
}

function showNumbers(): void {
  const { numTensors } = tf.memory();
  seen.frames++;
  seen.tensors.push(numTensors);
  times.splice(0, times.length - kShownTimes);
  seen.tensors.splice(0, seen.tensors.length - 1000);
  setText('tensors', count(numTensors));
  setText('most', count(Math.max(...seen.tensors)));
  setText('time', ([...times].sort((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(1));
  setText('frames', count(seen.frames));
  const faces = seen.faces.length === 1 ? 'One face' : `${seen.faces.length} faces`;
  setText('found', `${faces}. Each has its box, its mesh and its irises.`);
  view.describe(faces);
}

/** Discards measurements of other models, another picture or another backend. */
function forget(): void {
  times.length = seen.tensors.length = 0;
  seen.frames = 0;
}

async function dispose(): Promise<void> {
  source.close();
  await frame;
  detector?.dispose();
  detector = undefined;
  tf.trim();
  setText('tensors', count(tf.memory().numTensors));
}
