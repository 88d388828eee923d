import * as tf from 'tenure';
import { imageOf } from './image.mjs';

// BlazeFace takes 256 x 256 pixels, with a grid of cells of 16 pixels and 2 anchors each, and one of cells of 32 with 6.
const kDetectorSize = 256;
const kGrids = [
  { stride: 16, anchors: 2 },
  { stride: 32, anchors: 6 },
];
const kOverlap = 0.1;
/** Size of the crop relative to the box of the face. */
const kFaceScale = 1.4;
const kMeshSize = 192;
const kEyeSize = 64;
const kEyeScale = 2.3;
/** Mesh points at the corners of each eye. The iris model knows one side, and gets the other mirrored. */
const kEyes = [
  { corners: [33, 133], mirrored: false },
  { corners: [263, 362], mirrored: true },
];
/** The last of the 76 points of an eye are the iris: its centre, and four points around it. */
const kIris = 71;

export const kModelNames = ['blazeface', 'facemesh', 'eye-iris'];

/**
 * MediaPipe's face models: BlazeFace finds faces, a mesh of 468 points describes each, and irises are found in the mesh's eyes.
 */
export class FaceModels {
  #models;
  #anchors;

  constructor(models) {
    this.#models = models;
    this.#anchors = anchors();
  }

  /** Loads the models. `sourceOf` returns the source of a name: a URL, a path or an IO handler. */
  static async load(sourceOf) {
    const models = {};
    try {
      for (const name of kModelNames) models[name] = await tf.loadGraphModel(sourceOf(name));
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
    const mesh = await this.#mesh(crop);
    const eyes = kEyes.map(({ corners }) =>
      around(
        corners.map((i) => mesh[i]),
        kEyeScale,
      ),
    );
    const irises = await this.#irises(crop, eyes);
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
      const small = tf.image.resizeBilinear(image, [kDetectorSize, kDetectorSize]).mul(2).sub(1);
      const outputs = this.#models.blazeface.predict(small);
      const [fine, coarse] = [512, 384];
      const joined = (last) =>
        tf
          .concat(
            [fine, coarse].map((count) => outputs.find(({ shape }) => shape[1] === count && shape[2] === last)),
            1,
          )
          .squeeze([0]);
      const found = joined(16);
      const middles = found.slice([0, 0], [-1, 2]).add(this.#anchors);
      const halves = found.slice([0, 2], [-1, 2]).div(2);
      const corners = tf.concat([middles.sub(halves), middles.add(halves)], 1).div(kDetectorSize);
      return { boxes: corners.gather([1, 0, 3, 2], 1), scores: joined(1).sigmoid().squeeze([1]) };
    });
  }

  /** Returns 468 points in pixels of the crop. */
  async #mesh(crop) {
    const points = tf.tidy(() => this.#models.facemesh.execute(crop, 'output_mesh').reshape([-1, 3]));
    return read(points);
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
function anchors() {
  const points = kGrids.flatMap(({ stride, anchors }) => {
    const cells = kDetectorSize / stride;
    return Array.from({ length: cells * cells * anchors }, (_, i) => {
      const cell = Math.floor(i / anchors);
      return [(cell % cells) + 0.5, Math.floor(cell / cells) + 0.5].map((at) => at * stride);
    });
  });
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
