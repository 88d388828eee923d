import * as tf from 'tenure';
import type { Tensor2D } from 'tenure';

const x: Tensor2D = tf.tensor2d([[1, 2]]);
export const y: tf.Tensor = tf.tidy(() => x.add(1));
