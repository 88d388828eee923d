import * as tf from 'tenure';
import { imageOf } from './image.mjs';

// BlazeFace has a grid of 16 x 16 cells with 2 anchors each, and one of 8 x 8 cells with 6.
const kGrids = [
  { cells: 16, anchors: 2 },
  { cells: 8, anchors: 6 },
];
const kOverlap = 0.1;
/** Size of the crop relative to the box of the face. */
const kFaceScale = 1.4;
const kMeshSize = 192;
const kEyeSize = 64;
const kEyeScale = 2.3;
/**
 * Mesh points at the corners of each eye, and the output of the mesh with attention that is its iris. The iris model knows one
 * side, and gets the other mirrored.
 */
const kEyes = [
  { corners: [33, 133], mirrored: false, output: 'output_left_iris' },
  { corners: [263, 362], mirrored: true, output: 'output_right_iris' },
];
/** The last of the 76 points of an eye are the iris: its centre, and four points around it. */
const kIris = 71;

export const kModelNames = ['blazeface', 'facemesh', 'eye-iris'];
/** Files of @mediapipe/face_detection and @mediapipe/face_mesh. The mesh with attention has the irises. */
export const kTFLiteFiles = {
  blazeface: 'face_detection_short_range.tflite',
  facemesh: 'face_landmark_with_attention.tflite',
};

/**
 * MediaPipe's face models: BlazeFace finds faces, a mesh of 468 points describes each, and irises are found in the mesh's eyes.
 */
export class FaceModels {
  #models;
  #anchors;
  #detectorSize;

  constructor(models) {
    this.#models = models;
    this.#detectorSize = models.blazeface.inputs[0].shape[1];
    this.#anchors = anchors(this.#detectorSize);
  }

  /** Loads graph models. `sourceOf` returns the source of a name: a URL, a path or an IO handler. */
  static load(sourceOf) {
    return FaceModels.#load(kModelNames, (name) => tf.loadGraphModel(sourceOf(name)));
  }

  /** Loads .tflite models. `sourceOf` returns the source of a file: a URL, a path or its bytes. */
  static loadTFLite(sourceOf) {
    return FaceModels.#load(Object.keys(kTFLiteFiles), (name) => tf.loadTFLiteModel(sourceOf(kTFLiteFiles[name])));
  }

  static async #load(names, loadModel) {
    const models = {};
    try {
      for (const name of names) models[name] = await loadModel(name);
      return new FaceModels(models);
    } catch (error) {
      tf.dispose(models);
      throw error;
    }
  }

  dispose() {
    tf.dispose([this.#models, this.#anchors]);
  }

  prepare(input) {
    return imageOf(input);
  }

  /** Returns a box for each face in an image, [top, left, height, width] as fractions of the image. */
  async find(image, { maxDetected, minConfidence }) {
    const { boxes, scores } = this.#detect(image);
    const kept = tf.image.nonMaxSuppressionAsync(boxes, scores, maxDetected, kOverlap, minConfidence).then(read);
    const [places, score, box] = await Promise.all([kept, scores.data(), boxes.array()]);
    return [...places].map((i) => ({ score: score[i], box: box[i] }));
  }

  /** Returns the mesh and the irises of a face, in pixels of the image, and the crop. */
  async look(image, { score, box }) {
    const [, height, width] = image.shape;
    const region = around(
      [
        [box[1] * width, box[0] * height],
        [box[3] * width, box[2] * height],
      ],
      kFaceScale,
    );
    const crop = cutOut(image, region, kMeshSize);
    const found = await this.#mesh(crop);
    const { mesh } = found;
    const eyes = kEyes.map(({ corners }) =>
      around(
        corners.map((i) => mesh[i]),
        kEyeScale,
      ),
    );
    const irises = found.irises ?? (await this.#irises(crop, eyes));
    const toImage = ([x, y, z = 0]) => [
      region.left + (x * region.size) / kMeshSize,
      region.top + (y * region.size) / kMeshSize,
      z,
    ];
    return {
      score,
      box: region,
      mesh: mesh.map(toImage),
      irises: irises.map((iris) => iris.map(toImage)),
      tensor: crop,
    };
  }

  #detect(image) {
    return tf.tidy(() => {
      const size = this.#detectorSize;
      const small = tf.image.resizeBilinear(image, [size, size]).mul(2).sub(1);
      const outputs = this.#models.blazeface.predict(small);
      // An output for each grid, the finer one first, or one for both.
      const joined = (last) => {
        const grids = outputs.filter(({ shape }) => shape[2] === last).sort((a, b) => b.shape[1] - a.shape[1]);
        return tf.concat(grids, 1).squeeze([0]);
      };
      const found = joined(16);
      const middles = found.slice([0, 0], [-1, 2]).add(this.#anchors);
      const halves = found.slice([0, 2], [-1, 2]).div(2);
      const corners = tf.concat([middles.sub(halves), middles.add(halves)], 1).div(size);
      return { boxes: corners.gather([1, 0, 3, 2], 1), scores: joined(1).sigmoid().squeeze([1]) };
    });
  }

  /** Returns 468 points in pixels of the crop, and the points of each iris if the model finds them, too. */
  async #mesh(crop) {
    const { facemesh } = this.#models;
    const hasIrises = kEyes.every(({ output }) => facemesh.outputNodes.includes(output));
    const names = [
      facemesh.outputNodes.find((name) => name.startsWith('output_mesh')),
      ...(hasIrises ? kEyes.map(({ output }) => output) : []),
    ];
    const [points, ...eyes] = tf.tidy(() =>
      [facemesh.execute(crop, names)].flat().map((output, i) => output.reshape([-1, i === 0 ? 3 : 2])),
    );
    const [mesh, ...irises] = await Promise.all([points, ...eyes].map(read));
    return { mesh, irises: hasIrises ? irises : undefined };
  }

  /** Returns the points of the iris in each eye's crop. */
  async #irises(crop, eyes) {
    const points = tf.tidy(() => {
      const pictures = eyes.map((eye, i) =>
        kEyes[i].mirrored ? cutOut(crop, eye, kEyeSize).reverse(2) : cutOut(crop, eye, kEyeSize),
      );
      const found = this.#models['eye-iris'].execute(tf.concat(pictures)).reshape([eyes.length, -1, 3]);
      return found.slice([0, kIris, 0], [-1, -1, 2]).div(kEyeSize);
    });
    const irises = await read(points);
    return irises.map((iris, i) =>
      iris.map(([x, y]) => [
        eyes[i].left + (kEyes[i].mirrored ? 1 - x : x) * eyes[i].size,
        eyes[i].top + y * eyes[i].size,
      ]),
    );
  }
}

/** Reads and disposes a tensor: after an await, no scope of a page would free it. */
async function read(tensor) {
  try {
    return await tensor.array();
  } finally {
    tensor.dispose();
  }
}

/** Returns the centres of the anchor boxes, in the detector's pixels. */
function anchors(size) {
  const points = kGrids.flatMap(({ cells, anchors }) =>
    Array.from({ length: cells * cells * anchors }, (_, i) => {
      const cell = Math.floor(i / anchors);
      return [(cell % cells) + 0.5, Math.floor(cell / cells) + 0.5].map((at) => (at * size) / cells);
    }),
  );
  return tf.tensor2d(points);
}

/** Returns the square around two points, enlarged by `scale`. */
function around([[x0, y0], [x1, y1]], scale) {
  const size = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) * scale;
  return { left: (x0 + x1 - size) / 2, top: (y0 + y1 - size) / 2, size };
}

/** Crops a square of an image and resizes it; pixels beyond the image are black. */
function cutOut(image, { left, top, size }, pixels) {
  const [, height, width] = image.shape;
  const box = [top / height, left / width, (top + size) / height, (left + size) / width];
  return tf.image.cropAndResize(image, [box], [0], [pixels, pixels]);
}
