import type { io } from 'tenure';

export const kModelNames: readonly string[];
export const kTFLiteFiles: Readonly<Record<'blazeface' | 'facemesh', string>>;

export class FaceModels {
  static load(sourceOf: (name: string) => io.IOHandler | string): Promise<FaceModels>;
  static loadTFLite(sourceOf: (file: string) => string | Uint8Array): Promise<FaceModels>;
  dispose(): void;
}
