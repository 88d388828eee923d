// The example of face detection with MediaPipe's .tflite models beside the same networks as graph models.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as tf from 'tenure';
import { Detector } from '../../../examples/detection/detector.mjs';
import { FaceModels } from '../../../examples/detection/face_models.mjs';
import { modelsFolder } from '../../golden_models.mjs';

/** Greatest distance of a point from that of the other models, as a part of the face's size. Their crops are different. */
const kTolerance = 0.05;
/** Mesh points at the tip of the nose and the corners of the mouth. */
const kPoints = [1, 61, 291];

/**
 * Detects the faces of TENURE_SHARED's pictures with the graph models and with .tflite files, whose bytes `files` has by name.
 * Returns what is wrong, or undefined and a description.
 */
export async function compareFaces(files) {
  const pictures = ['portrait.jpg', 'three_people.jpg'].map((name) => path.join(modelsFolder, '../images', name));
  const missing = [path.join(modelsFolder, 'blazeface'), ...pictures].find((file) => !existsSync(file));
  if (missing) return [undefined, `skipped: there is no ${missing}`];
  const { numTensors } = tf.memory();
  const config = { face: { detector: { maxDetected: 5, minConfidence: 0.2 } } };
  const detectors = [
    new Detector(config, await FaceModels.load((name) => path.join(modelsFolder, name, 'model.json'))),
    new Detector(config, await FaceModels.loadTFLite((file) => files[file])),
  ];
  let worst = 0;
  let count = 0;
  try {
    for (const picture of pictures) {
      const [want, got] = await facesOf(detectors, picture);
      if (want.length !== got.length) return [`${path.basename(picture)}: ${got.length} faces, not ${want.length}`];
      count += got.length;
      for (const [i, face] of got.entries()) {
        const points = ({ irises, mesh }) => [...irises.map(([centre]) => centre), ...kPoints.map((k) => mesh[k])];
        const other = points(want[i]);
        for (const [k, [x, y]] of points(face).entries())
          worst = Math.max(worst, Math.hypot(x - other[k][0], y - other[k][1]) / want[i].box.size);
      }
    }
  } finally {
    for (const detector of detectors) detector.dispose();
  }
  const left = tf.memory().numTensors - numTensors;
  if (left !== 0) return [`${left} tensors are left`];
  const found = `${count} faces, ${(100 * worst).toFixed(1)} % of a face apart`;
  return worst <= kTolerance ? [undefined, found] : [found];
}

/** Returns the faces that each detector finds in a picture, from left to right. */
async function facesOf(detectors, file) {
  const picture = tf.node.decodeJpeg(readFileSync(file), 3);
  try {
    const found = [];
    for (const detector of detectors) {
      const result = await detector.detect(picture);
      found.push(result.face.toSorted((a, b) => a.box.left - b.box.left));
      result.dispose();
    }
    return found;
  } finally {
    picture.dispose();
  }
}
