// Cases of ops on images.
import { tf } from '../../expect.mjs';
import { image, ones } from './inputs.mjs';

export const imageCases = [
  ['image.resizeBilinear', () => tf.image.resizeBilinear([[[0], [2]]], [1, 4]), [1, 4, 1], [0, 1, 2, 2]],
  ['image.resizeNearestNeighbor', () => tf.image.resizeNearestNeighbor([[[0], [2]]], [1, 4]), [1, 4, 1], [0, 0, 2, 2]],
  [
    'image.cropAndResize',
    () => tf.image.cropAndResize(image(), [[0, 0, 1, 1]], [0], [2, 2]),
    [1, 2, 2, 1],
    [1, 3, 7, 9],
  ],
  [
    'image.cropAndResize',
    () => tf.image.cropAndResize(image(), [[0, 0.25, 0, NaN]], [0], [1, 1], 'nearest', 9),
    [1, 1, 1, 1],
    [9],
  ],
  [
    'image.transform',
    () => tf.image.transform(image(), [[1, 0, 1, 0, 1, 0, 0, 0]]),
    [1, 3, 3, 1],
    [2, 3, 0, 5, 6, 0, 8, 9, 0],
  ],
  [
    'image.transform',
    () => tf.image.transform(image(), [[1, 0, 1.5, 0, 1, 0, 0, 0]], 'bilinear', 'nearest', 0, [1, 2]),
    [1, 1, 2, 1],
    [2.5, 3],
  ],
  [
    'image.rotateWithOffset',
    () => tf.image.rotateWithOffset(image(), Math.PI / 2),
    [1, 3, 3, 1],
    [0, 0, 0, 3, 6, 9, 2, 5, 8],
  ],
  [
    'image.rotateWithOffset',
    () => tf.image.rotateWithOffset(ones(1, 1, 2, 4), Math.PI, [1, 2, 3], [0, 0]),
    [1, 1, 2, 4],
    [1, 1, 1, 1, 1, 2, 3, 255],
  ],
  ['image.threshold', () => tf.image.threshold([[[10], [200]]]), [1, 2, 1], [0, 255], 'int32'],
  ['image.threshold', () => tf.image.threshold([[[10], [20]]], 'otsu', true), [1, 2, 1], [255, 0], 'int32'],
  ['image.flipLeftRight', () => tf.image.flipLeftRight(image()), [1, 3, 3, 1], [3, 2, 1, 6, 5, 4, 9, 8, 7]],
  ['image.grayscaleToRGB', () => tf.image.grayscaleToRGB([[[1], [2]]]), [1, 2, 3], [1, 1, 1, 2, 2, 2]],
  ['image.rgbToGrayscale', () => tf.image.rgbToGrayscale([[[100, 100, 100]]]), [1, 1, 1], [99.99]],
  [
    'image.nonMaxSuppression',
    () =>
      tf.image.nonMaxSuppression(
        [
          [0, 0, 1, 1],
          [0, 0, 1, 1.1],
          [2, 2, 3, 3],
        ],
        [0.5, 0.9, 0.3],
        3,
      ),
    [2],
    [1, 2],
    'int32',
  ],
];
