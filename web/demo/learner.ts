import * as tf from 'tenure';
import { drawDigits } from '../../examples/digits/digits.mjs';
import { makeReader } from '../../examples/digits/reader.mjs';

/** A training step. */
export interface Lesson {
  readonly step: number;
  readonly loss: number;
  /** Live tensors of the whole engine. */
  readonly tensors: number;
}

const kSide = 28;
const kBatch = 32;
/** Steps between two evaluations. */
const kSteps = 10;
const kUnseen = 100;
/** The number of digits that the page shows. */
const kShown = 10;
const kSeed = 1000;
/** Maximum number of recorded steps; half of them are then dropped. */
const kMaxLessons = 4000;

/** Trains a network to read digits that are drawn on the fly. */
export class Learner {
  readonly lessons: Lesson[] = [];
  /** The accuracy on unseen digits. */
  share: number | undefined;
  /** The predictions for some unseen digits, in words. */
  words = '';
  readonly unseen = drawDigits(kUnseen, 1);
  readonly #onStep: () => void;
  readonly #onError: (error: unknown) => void;
  #model: tf.Sequential | undefined;
  #steps = 0;
  #wanted = false;
  #ended = Promise.resolve();

  constructor(onStep: () => void, onError: (error: unknown) => void) {
    this.#onStep = onStep;
    this.#onError = onError;
  }

  get isRunning(): boolean {
    return this.#wanted;
  }

  /** Starts or resumes training. */
  start(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#ended = this.#learn().catch((error: unknown) => {
      this.#wanted = false;
      this.#onStep();
      this.#onError(error);
    });
  }
  /** Stops; resolves when no step is running. The training's progress stays. */
  async stop(): Promise<void> {
    this.#wanted = false;
    if (this.#model) this.#model.stopTraining = true;
    await this.#ended;
  }
  /** Stops, and disposes everything. */
  async dispose(): Promise<void> {
    await this.stop();
    this.#forget();
    this.lessons.length = this.#steps = 0;
    this.share = undefined;
    this.words = '';
  }

  #forget(): void {
    this.#model?.dispose();
    this.#model = undefined;
  }

  async #learn(): Promise<void> {
    while (this.#wanted) {
      this.#model ??= makeReader(tf);
      try {
        await this.#course(this.#model);
        this.#examine(this.#model);
      } catch (error) {
        if (!(error instanceof tf.ContextLostError)) throw error;
        this.#forget();
        this.words = 'Its weights went with the GPU context: it begins anew.';
        this.#onStep();
      }
    }
  }

  async #course(model: tf.Sequential): Promise<void> {
    await model.fitDataset(
      tf.data.generator(() => this.#batches()),
      {
        epochs: 1,
        batchesPerEpoch: kSteps,
        verbose: 0,
        yieldEvery: 'batch',
        callbacks: { onBatchEnd: (_, logs) => this.#note(logs!.loss!) },
      },
    );
  }

  *#batches(): Generator<{ xs: tf.Tensor; ys: tf.Tensor }> {
    for (let i = 0; i < kSteps; i++) yield toTensors(drawDigits(kBatch, kSeed + this.#steps));
  }

  #note(loss: number): void {
    if (this.lessons.length === kMaxLessons)
      this.lessons.splice(0, kMaxLessons, ...this.lessons.filter((_, i) => i % 2 === 1));
    this.lessons.push({ step: ++this.#steps, loss, tensors: tf.memory().numTensors });
    this.#onStep();
  }

  #examine(model: tf.Sequential): void {
    const { labels } = this.unseen;
    const guesses = tf.tidy(() => (model.predict(toTensors(this.unseen).xs) as tf.Tensor).argMax(-1).dataSync());
    this.share = labels.filter((label, i) => label === guesses[i]).length / labels.length;
    this.words = `It reads ${Array.from(guesses.slice(0, kShown)).join(' ')}.`;
    this.#onStep();
  }
}

/** Draws the first of the unseen digits side by side. */
export function showDigits(canvas: HTMLCanvasElement, images: Float32Array): void {
  canvas.width = kShown * kSide;
  canvas.height = kSide;
  const context = canvas.getContext('2d')!;
  for (let digit = 0; digit < kShown; digit++) {
    const picture = context.createImageData(kSide, kSide);
    images.subarray(digit * kSide * kSide, (digit + 1) * kSide * kSide).forEach((ink, i) => {
      picture.data.fill(Math.round(255 * ink), 4 * i, 4 * i + 3);
      picture.data[4 * i + 3] = 255;
    });
    context.putImageData(picture, digit * kSide, 0);
  }
}

function toTensors({ images, labels }: { images: Float32Array; labels: Uint8Array }): { xs: tf.Tensor; ys: tf.Tensor } {
  return {
    xs: tf.tensor4d(images, [labels.length, kSide, kSide, 1]),
    ys: tf.tidy(() => tf.oneHot(tf.tensor1d(labels, 'int32'), 10)),
  };
}
