import { reshape } from '../../ops/movement/reshape.js';
import { resizeBilinear } from '../../ops/image/resize.js';
import { tidy } from '../../owner/scope.js';
import { nodeBuiltin } from '../../runtime/node_builtins.js';
import type { Tensor3D } from '../../tensor/tensor.js';
import { Dataset, OpenedDataset } from '../dataset.js';
import type { Pipeline, Stage } from '../pipeline.js';
import { ArraySource } from '../stages/source.js';
import { getErrorMessage } from '../../runtime/errors.js';

/** A function that decodes a file's bytes to an image of [height, width, channels], as tf.node.decodeImage does. */
export type ImageDecoder = (bytes: Uint8Array, channels: number) => Tensor3D;

/** Options of imageFolder(). */
export interface ImageFolderOptions {
  /** [height, width] that images are resized to. */
  size: readonly [number, number];
  /** Folders with images; the index of a folder is its images' label. By default all folders, sorted by name. */
  labels?: readonly string[];
  /** Number of channels; 3 by default. */
  channels?: 1 | 3 | 4;
  /** Decodes a file; tf.node.decodeImage by default. */
  decode?: ImageDecoder;
}

/** An image, and the label of its folder. */
export interface LabelledImage {
  /** The image as float32[height, width, channels], from 0 to 255. */
  xs: Tensor3D;
  /** Index of the image's folder among the labels. */
  ys: number;
}

interface LabelledFile {
  readonly file: string;
  readonly label: number;
}

let defaultDecoder: ImageDecoder | undefined;

/** Sets the default decoder. Called once, by the build that can decode images. */
export function setDefaultDecoder(decode: ImageDecoder): void {
  defaultDecoder = decode;
}

const kImages = /\.(png|jpe?g)$/i;

/** A dataset of the images in the subfolders of a folder, which are read and resized on demand. */
export class ImageFolderDataset extends Dataset<LabelledImage> {
  /** Number of images. */
  override readonly size: number;
  /** Names of the folders, in the order of their labels. */
  readonly classNames: readonly string[];
  readonly #files: readonly LabelledFile[];
  readonly #options: ImageFolderOptions & { decode: ImageDecoder };

  /** @internal */
  constructor(folder: string, options: ImageFolderOptions) {
    super();
    const fs = nodeBuiltin('node:fs');
    const path = nodeBuiltin('node:path');
    if (!fs || !path) throw new Error('[imageFolder] there is no file system here: imageFolder() needs Node');
    const decode = options?.decode ?? defaultDecoder;
    if (typeof decode !== 'function') throw new Error('[imageFolder] expected {decode}, such as tf.node.decodeImage');
    const namesIn = (name: string) =>
      fs.readdirSync(name, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const folders = namesIn(folder)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    this.classNames = options.labels ?? folders;
    const missing = this.classNames.find((name) => !folders.includes(name));
    if (missing !== undefined)
      throw new Error(`[imageFolder] ${folder} has no folder '${missing}'; it has ${folders.join(', ') || 'none'}`);
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

  async #read({ file, label }: LabelledFile): Promise<LabelledImage> {
    try {
      const bytes = await nodeBuiltin('node:fs')!.promises.readFile(file);
      return { xs: this.#toImage(bytes), ys: label };
    } catch (error) {
      throw new Error(`[imageFolder] ${file}: ${getErrorMessage(error)}`, { cause: error });
    }
  }

  #toImage(bytes: Uint8Array): Tensor3D {
    const { decode, channels = 3, size } = this.#options;
    return tidy(() => {
      // Images that have the size already are resized, too, so that all are float32.
      const resized = resizeBilinear(decode(bytes, channels), [size[0], size[1]]);
      return reshape(resized, [size[0], size[1], channels]);
    });
  }
}

/**
 * Returns a dataset of the PNG and JPEG files in the subfolders of a folder, each with the index of its subfolder as
 * label. Throws outside of Node.
 */
export function imageFolder(folder: string, options: ImageFolderOptions): ImageFolderDataset {
  return new ImageFolderDataset(folder, options);
}
