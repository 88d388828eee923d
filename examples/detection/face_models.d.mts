import type { io } from 'tenure';

export const kModelNames: readonly string[];

export class FaceModels {
  static load(sourceOf: (name: string) => io.IOHandler | string): Promise<FaceModels>;
  dispose(): void;
}
