import * as tf from 'tenure';
import type { Face } from '../../examples/detection/detector.mjs';

const kColors = { box: '#ffc800', mesh: '#00ffa0', iris: '#ff3c78' };
const kMaxCrops = 4;

/** Draws a frame, the detected faces, and their crops. */
export class FaceView {
  readonly #context: CanvasRenderingContext2D;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly crops: HTMLElement,
  ) {
    this.#context = canvas.getContext('2d')!;
  }

  /** Sets the canvas's text alternative. */
  describe(words: string): void {
    this.canvas.setAttribute('aria-label', words);
  }

  draw(frame: ImageBitmap | HTMLVideoElement, faces: Face[]): void {
    const { canvas } = this;
    const context = this.#context;
    const [width, height] =
      frame instanceof HTMLVideoElement ? [frame.videoWidth, frame.videoHeight] : [frame.width, frame.height];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    context.drawImage(frame, 0, 0);
    const dot = Math.max(1, width / 600);
    for (const { box, mesh = [], irises = [], score } of faces) {
      context.lineWidth = 2 * dot;
      context.strokeStyle = kColors.box;
      context.strokeRect(box.left, box.top, box.size, box.size);
      context.fillStyle = kColors.box;
      context.font = `${12 * dot}px system-ui, sans-serif`;
      context.fillText(score.toFixed(2), box.left + 3 * dot, box.top + 13 * dot);
      context.fillStyle = kColors.mesh;
      for (const [x, y] of mesh) context.fillRect(x - dot / 2, y - dot / 2, dot, dot);
      context.strokeStyle = kColors.iris;
      for (const [middle, ...rim] of irises) {
        if (!middle) continue;
        const radius = rim.reduce((sum, [x, y]) => sum + Math.hypot(x - middle[0], y - middle[1]), 0) / rim.length;
        context.beginPath();
        context.arc(middle[0], middle[1], radius, 0, 2 * Math.PI);
        context.stroke();
      }
    }
  }

  /** Draws the crops; the faces' result owns their tensors. */
  async drawCrops(faces: Face[]): Promise<void> {
    const shown = faces.slice(0, kMaxCrops).flatMap(({ tensor }) => (tensor ? [tensor] : []));
    while (this.crops.children.length > shown.length) this.crops.lastElementChild!.remove();
    while (this.crops.children.length < shown.length) this.crops.append(document.createElement('canvas'));
    for (const [i, crop] of shown.entries()) {
      const picture = tf.tidy(() => tf.clipByValue<tf.Tensor3D>(crop.squeeze<tf.Tensor3D>([0]), 0, 1));
      try {
        await tf.browser.toPixels(picture, this.crops.children[i] as HTMLCanvasElement);
      } finally {
        picture.dispose();
      }
    }
  }
}
