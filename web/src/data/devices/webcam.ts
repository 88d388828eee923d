import { fromPixels } from '../../device/browser.js';
import { env } from '../../device/environment.js';
import { cast } from '../../ops/math/cast.js';
import { matMul } from '../../ops/math/matmul.js';
import { reshape } from '../../ops/movement/reshape.js';
import { tensor2d } from '../../ops/movement/tensor_creation.js';
import { runInInternalScope, keep } from '../../owner/scope.js';
import type { Tensor2D, Tensor3D } from '../../tensor/tensor.js';
import { assert } from '../../util/checks.js';
import { Capture, requestStream } from './capture.js';

/** Options of webcam(). */
export interface WebcamConfig {
  /** Direction of the camera: 'user' by default, or 'environment'. */
  facingMode?: 'user' | 'environment';
  /** Id of the camera, one of navigator.mediaDevices.enumerateDevices(). */
  deviceId?: string;
  /** Width of frames in pixels, if both are set. */
  resizeWidth?: number;
  /** Height of frames in pixels, if both are set. */
  resizeHeight?: number;
  /** True to crop that size from the centre of a frame; by default the whole frame is resized. */
  centerCrop?: boolean;
}

/** An iterator over frames of a camera: int32[height, width, 3] from 0 to 255, or float32 if they are resized. */
export class WebcamIterator extends Capture<Tensor3D> {
  /** @internal */
  protected readonly what = 'video';
  readonly #share: readonly [number, number] | undefined;
  #weights: { rows: Tensor2D; columns: Tensor2D } | undefined;

  /** @internal */
  constructor(
    stream: MediaStream,
    private readonly video: HTMLVideoElement,
    private readonly config: WebcamConfig,
  ) {
    super(stream);
    const { resizeHeight, resizeWidth, centerCrop } = config;
    const { width, height } = video;
    if (!resizeHeight || !resizeWidth || (width === resizeWidth && height === resizeHeight)) return;
    this.#share = centerCrop ? [resizeHeight / height, resizeWidth / width] : [1, 1];
  }

  /** @internal */
  protected override read(): Promise<Tensor3D> {
    return Promise.resolve(runInInternalScope(() => this.#resized(fromPixels(this.video))));
  }

  #resized(frame: Tensor3D): Tensor3D {
    if (!this.#share) return frame;
    const [height, width, channels] = frame.shape;
    const { rows, columns } = this.#weightsFor(height, width);
    const resized = matMul(rows, reshape(cast(frame, 'float32'), [height, width * channels]));
    return matMul(columns, reshape(resized, [rows.shape[0], width, channels])) as unknown as Tensor3D;
  }

  /** Returns the interpolation weights for a size of frames, which a camera may change. */
  #weightsFor(height: number, width: number): { rows: Tensor2D; columns: Tensor2D } {
    const known = this.#weights;
    if (known?.rows.shape[1] === height && known.columns.shape[1] === width) return known;
    this.release();
    const [down, across] = this.#share!;
    return (this.#weights = keep({
      rows: weights(this.config.resizeHeight!, height, down),
      columns: weights(this.config.resizeWidth!, width, across),
    }));
  }

  /** @internal */
  protected override release(): void {
    if (this.stopped) this.video.srcObject = null;
    this.#weights?.rows.dispose();
    this.#weights?.columns.dispose();
    this.#weights = undefined;
  }
}

/**
 * Opens the camera, for which the page's user is asked, and plays it in a video element, by default in a hidden one.
 * Rejects outside of pages.
 */
export async function webcam(
  webcamVideoElement?: HTMLVideoElement | null,
  config: WebcamConfig = {},
): Promise<WebcamIterator> {
  if (!env().get('IS_BROWSER')) throw new Error('tf.data.webcam is only supported in browser environment.');
  const { facingMode = 'user', deviceId, resizeWidth, resizeHeight } = config;
  let video = webcamVideoElement;
  if (!video) {
    if (!resizeWidth || !resizeHeight) {
      throw new Error(
        'Please provide webcam video element, or resizeWidth and resizeHeight to create a hidden video element.',
      );
    }
    video = document.createElement('video');
    video.width = resizeWidth;
    video.height = resizeHeight;
  }
  assert(
    facingMode === 'user' || facingMode === 'environment',
    () => `Invalid webcam facing mode: ${facingMode}. Please provide 'user' or 'environment'`,
  );
  const { width, height } = video;
  const stream = await requestStream({ video: { ...(deviceId && { deviceId }), facingMode, width, height } });
  video.srcObject = stream;
  const loaded = new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }));
  await video.play();
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await loaded;
  return new WebcamIterator(stream, video, config);
}

/**
 * Returns a [to, from] matrix that interpolates linearly between `from` values, for `to` points over the `share` in
 * their middle, as TensorFlow's CropAndResize does. Points outside have weights of 0.
 */
function weights(to: number, from: number, share: number): Tensor2D {
  const values = new Float32Array(to * from);
  const first = ((1 - share) / 2) * (from - 1);
  const step = to > 1 ? (share * (from - 1)) / (to - 1) : 0;
  for (let i = 0; i < to; i++) {
    const at = to > 1 ? first + i * step : 0.5 * (from - 1);
    if (at < 0 || at > from - 1) continue;
    const below = Math.floor(at);
    const above = Math.min(below + 1, from - 1);
    values[i * from + below]! += 1 - (at - below);
    values[i * from + above]! += at - below;
  }
  return tensor2d(values, [to, from]);
}
