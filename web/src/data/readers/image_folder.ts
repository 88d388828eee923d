import { reshape } from '../../ops/view.js';
import { resizeBilinear } from '../../ops/resize.js';
import { tidy } from '../../owner/scope.js';
import { builtIn } from '../../runtime/built_in.js';
import type { Tensor3D } from '../../tensor/tensor.js';
import { Dataset, OpenedDataset } from '../dataset.js';
import type { Pipeline, Stage } from '../pipeline.js';
import { ArraySource } from '../stages/source.js';

/** Makes an image of [height, width, channels] of a file's bytes, as tf.node.decodeImage does. */
export type ImageDecoder = (bytes: Uint8Array, channels: number) => Tensor3D;

/** How imageFolder() reads. */
export interface ImageFolderOptions {
  /** [height, width] of what is given. */
  size: readonly [number, number];
  /** The folders with images, whose places are their labels; all folders there are, by their names, by default. */
  labels?: readonly string[];
  /** 3 by default. */
  channels?: 1 | 3 | 4;
  /** Reads a file; tf.node.decodeImage by default. */
  decode?: ImageDecoder;
}

/** An image as float32[height, width, channels] from 0 to 255, and the place of its folder among the labels. */
export interface LabelledImage {
  xs: Tensor3D;
  ys: number;
}

interface Found {
  readonly file: string;
  readonly label: number;
}

let usualDecoder: ImageDecoder | undefined;

/** Said once, by the build that can read images. */
export function decodeImagesBy(decode: ImageDecoder): void {
  usualDecoder = decode;
}

const kImages = /\.(png|jpe?g)$/i;

/** The images in the folders of a folder, read and resized as they are asked for. */
export class ImageFolderDataset extends Dataset<LabelledImage> {
  override readonly size: number;
  /** The folders' names, by their labels. */
  readonly classNames: readonly string[];
  readonly #files: readonly Found[];
  readonly #options: ImageFolderOptions & { decode: ImageDecoder };

  /** @internal */
  constructor(folder: string, options: ImageFolderOptions) {
    super();
    const fs = builtIn('node:fs');
    const path = builtIn('node:path');
    if (!fs || !path) throw new Error('[imageFolder] there are no folders here: it is for Node');
    const decode = options?.decode ?? usualDecoder;
    if (typeof decode !== 'function') throw new Error('[imageFolder] expected {decode}, such as tf.node.decodeImage');
    const namesIn = (name: string) => fs.readdirSync(name, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const folders = namesIn(folder).filter((entry) => entry.isDirectory()).map(({ name }) => name);
    this.classNames = options.labels ?? folders;
    const missing = this.classNames.find((name) => !folders.includes(name));
    if (missing !== undefined) throw new Error(`[imageFolder] ${folder} has no folder '${missing}'; it has ${folders.join(', ') || 'none'}`);
    this.#files = this.classNames.flatMap((name, label) =>
      namesIn(path.join(folder, name))
        .filter((entry) => entry.isFile() && kImages.test(entry.name))
        .map((entry) => ({ file: path.join(folder, name, entry.name), label })),
    );
    this.#options = { ...options, decode };
    this.size = this.#files.length;
  }

  /** @internal */
  override open(pipeline: Pipeline): Promise<Stage<LabelledImage>> {
    const files = new OpenedDataset((one) => new ArraySource(one, this.#files), this.size);
    return files.mapAsync((found) => this.#read(found)).open(pipeline);
  }

  async #read({ file, label }: Found): Promise<LabelledImage> {
    try {
      const bytes = await builtIn('node:fs')!.promises.readFile(file);
      return { xs: this.#imageOf(bytes), ys: label };
    } catch (error) {
      throw new Error(`[imageFolder] ${file}: ${(error as Error).message}`, { cause: error });
    }
  }

  #imageOf(bytes: Uint8Array): Tensor3D {
    const { decode, channels = 3, size } = this.#options;
    return tidy(() => {
      // Resized even where it has the size: all are float32 then.
      const resized = resizeBilinear(decode(bytes, channels), [size[0], size[1]]);
      return reshape(resized, [size[0], size[1], channels]);
    });
  }
}

/** The PNG and JPEG files in the folders of a folder, each with the number of its folder. In Node. */
export function imageFolder(folder: string, options: ImageFolderOptions): ImageFolderDataset {
  return new ImageFolderDataset(folder, options);
}
