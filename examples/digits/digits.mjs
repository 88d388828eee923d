import { makeRandom } from '../random.mjs';

const kSize = 28;
/** Range of half a stroke's width, in pixels; and the width of its faded edge. */
const kThickness = [0.7, 1.5];
const kFade = 0.9;

/** Returns points of an ellipse's arc; 0 degrees is to the right, 90 down. */
function arc(x, y, width, height, from, to) {
  const count = Math.ceil(Math.abs(to - from) / 30);
  return Array.from({ length: count + 1 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / count) * Math.PI) / 180;
    return [x + width * Math.cos(angle), y + height * Math.sin(angle)];
  });
}

/** The strokes of each digit, in a unit square whose y axis points down. */
const kStrokes = [
  [arc(0.5, 0.5, 0.38, 0.48, 0, 360)],
  [
    [
      [0.28, 0.25],
      [0.55, 0.02],
      [0.55, 0.98],
    ],
  ],
  [[...arc(0.5, 0.3, 0.36, 0.28, 190, 400), [0.1, 0.98], [0.9, 0.98]]],
  [arc(0.45, 0.28, 0.35, 0.26, 200, 450), arc(0.45, 0.74, 0.4, 0.24, 270, 510)],
  [
    [
      [0.68, 0.98],
      [0.68, 0.02],
      [0.1, 0.66],
      [0.92, 0.66],
    ],
  ],
  [[[0.85, 0.02], [0.2, 0.02], [0.18, 0.45], ...arc(0.45, 0.68, 0.4, 0.3, 230, 500)]],
  [[...arc(0.75, 0.66, 0.61, 0.64, 270, 180), ...arc(0.5, 0.68, 0.36, 0.3, 180, 540)]],
  [
    [
      [0.1, 0.02],
      [0.9, 0.02],
      [0.42, 0.98],
    ],
  ],
  [arc(0.5, 0.26, 0.3, 0.24, 0, 360), arc(0.5, 0.74, 0.38, 0.25, 0, 360)],
  [[...arc(0.5, 0.3, 0.34, 0.28, 0, 360), [0.74, 0.98]]],
];

/**
 * Draws handwritten-looking digits with random shift, rotation, slant and thickness. Returns `count` pictures of 28 x 28
 * numbers from 0 to 1, concatenated, and the labels 0 to 9.
 */
export function drawDigits(count, seed = 1) {
  const random = makeRandom(seed);
  const images = new Float32Array(count * kSize * kSize);
  const labels = Uint8Array.from({ length: count }, () => Math.floor(10 * random()));
  labels.forEach((digit, i) => drawDigit(images.subarray(i * kSize * kSize, (i + 1) * kSize * kSize), digit, random));
  return { images, labels };
}

function drawDigit(image, digit, random) {
  const between = (least, most) => least + (most - least) * random();
  const place = makePlace(between);
  const half = between(...kThickness);
  const lines = kStrokes[digit].flatMap((points) => {
    const placed = points.map(place);
    return placed.slice(1).map((end, i) => [placed[i], end]);
  });
  for (let y = 0; y < kSize; y++) {
    for (let x = 0; x < kSize; x++) {
      const distance = Math.min(...lines.map(([from, to]) => distanceTo(x, y, from, to)));
      const ink = Math.min(1, Math.max(0, 1 - (distance - half) / kFade));
      image[y * kSize + x] = Math.min(1, Math.max(0, ink + between(-0.1, 0.1)));
    }
  }
}

/** Returns a random map from the unit square to a picture. */
function makePlace(between) {
  const [width, height] = [between(10, 15), between(16, 20)];
  const [centerX, centerY] = [kSize / 2 + between(-2.5, 2.5), kSize / 2 + between(-2.5, 2.5)];
  const [slant, turn] = [between(-0.25, 0.25), between(-0.2, 0.2)];
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return ([x, y]) => {
    const [down, right] = [height * (y - 0.5), width * (x - 0.5) - slant * height * (y - 0.5)];
    return [centerX + cos * right - sin * down, centerY + sin * right + cos * down];
  };
}

/** Returns the distance of a point from a line segment. */
function distanceTo(x, y, [fromX, fromY], [toX, toY]) {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const length = alongX ** 2 + alongY ** 2 || 1;
  const part = Math.min(1, Math.max(0, ((x - fromX) * alongX + (y - fromY) * alongY) / length));
  return Math.hypot(x - fromX - part * alongX, y - fromY - part * alongY);
}
