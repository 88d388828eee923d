import { held } from './common.mjs';

/** Number of pixels that are altered, however large the image. */
const kAltered = 20;
/** Number of values that a canvas is filled with, so that none of the altered pixels is in the rows below. */
const kWords = 65_536;

/** Makes canvases return altered pixels, as browsers do that protect their users against fingerprinting. */
export function alterCanvases() {
  const { prototype } = OffscreenCanvasRenderingContext2D;
  const { getImageData } = prototype;
  prototype.getImageData = function (...args) {
    const image = getImageData.apply(this, args);
    const stride = image.data.length / 4 / kAltered;
    // Red, the lowest bit. Of many rows, none in the last.
    for (let i = 0.5; i < kAltered; i++) image.data[4 * Math.floor(i * stride)] ^= 1;
    return image;
  };
}

/** Computes on the GPU, and reads the result at once and after an await. Returns the number of wrong values, or the error. */
export async function readAtOnce(tf) {
  const chosen = await tf.setBackend('webgpu');
  tf.env().set('WEBGL_CPU_FORWARD', false);
  const before = held(tf);
  const words = Int32Array.from({ length: kWords }, (_, i) => Math.imul(i + 1, 2_654_435_761));
  const x = tf.tensor(words, [words.length], 'int32');
  const y = tf.neg(x);
  const countWrong = (values) => words.filter((word, i) => values[i] !== (-word | 0)).length;
  let atOnce;
  try {
    atOnce = countWrong(y.dataSync());
  } catch ({ message }) {
    atOnce = message;
  }
  const later = countWrong(await y.data());
  tf.dispose([x, y]);
  return { chosen, isIsolated: globalThis.crossOriginIsolated, atOnce, later, before, after: held(tf) };
}
