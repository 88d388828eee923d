// tf.image
export { resizeBilinear, resizeNearestNeighbor } from './resize.js';
