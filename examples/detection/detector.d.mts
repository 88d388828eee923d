import type { Tensor } from 'tenure';
import type { FaceModels } from './face_models.mjs';

/** A point in pixels of the image; mesh points have a depth. */
export type Point = [x: number, y: number, z?: number];
export interface Face {
  score: number;
  box: { left: number; top: number; size: number };
  mesh?: Point[];
  /** The centre of each iris, and four points around it. */
  irises?: Point[][];
  /** The crop of the image with the face, if `return` is true. The result owns it. */
  tensor?: Tensor;
}

export class Result {
  face: Face[];
  dispose(): void;
}

export interface DetectorConfig {
  async?: boolean;
  deallocate?: boolean;
  face?: { detector?: { maxDetected?: number; minConfidence?: number; return?: boolean } };
}

export class Detector {
  constructor(config?: DetectorConfig, backbone?: FaceModels);
  detect(input: Tensor): Promise<Result>;
  dispose(): void;
}
