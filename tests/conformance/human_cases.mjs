// Configurations of the Human library, for Node and for pages.

export const kPictures = ['portrait.jpg', 'three_people.jpg'];
export const kSettings = {
  defaults: {},
  'deallocate: true': { deallocate: true },
  'async: false, return: true, rotation: true': { async: false, face: { detector: { return: true, rotation: true } } },
};
const kModels = {
  antispoof: 'antispoof',
  emotion: 'emotion',
  iris: 'eye-iris',
  liveness: 'liveness',
  mesh: 'facemesh',
};

/** Returns a configuration. `modelBasePath` is the folder of the models; `rest` precedes the settings. */
export function configOf(modelBasePath, { face, ...settings }, rest = {}) {
  const parts = Object.entries(kModels).map(([part, folder]) => [
    part,
    { enabled: true, modelPath: `${folder}/model.json` },
  ]);
  const off = { enabled: false };
  return {
    debug: false,
    backend: 'wasm',
    modelBasePath,
    // Each detection processes the whole picture.
    cacheSensitivity: 0,
    filter: off,
    face: {
      ...Object.fromEntries(parts),
      description: off,
      detector: { modelPath: 'blazeface/model.json', maxDetected: 5, ...face?.detector },
    },
    gesture: { enabled: true },
    body: off,
    hand: off,
    object: off,
    ...rest,
    ...settings,
  };
}

/**
 * Returns the first detection's result for each picture, {width, height, data} of three channels, and the number of tensors
 * after each detection. Throws if Human does not support something.
 */
export async function detect(human, pictures, detections) {
  await human.load();
  const wrong = human.models.validate();
  const loaded = human.models.loaded().sort().join();
  if (wrong.length > 0) throw new Error(`models ask for ops that are not there: ${JSON.stringify(wrong)}`);
  if (loaded !== 'antispoof,blazeface,emotion,facemesh,iris,liveness')
    throw new Error(`only these models are loaded: ${loaded}`);
  const found = [];
  for (const { width, height, data } of pictures) {
    const input = human.tf.tensor3d(data, [height, width, 3], 'int32');
    const tensors = [];
    let first;
    for (let i = 0; i < detections; i++) {
      const { face, gesture, error } = await human.detect(input);
      if (error) throw new Error(error);
      first ??= { face: face.map(({ tensor, ...rest }) => ({ ...rest, crop: tensor?.shape })), gesture };
      // The caller owns them.
      human.tf.dispose(face.map(({ tensor }) => tensor));
      tensors.push(human.tf.engine().memory().numTensors);
    }
    input.dispose();
    found.push({ faces: JSON.parse(JSON.stringify(first)), tensors });
  }
  return found;
}
