import type { Optimizer } from './optimizer.js';
import {
  AdadeltaOptimizer,
  AdagradOptimizer,
  AdamOptimizer,
  AdamaxOptimizer,
  MomentumOptimizer,
  RMSPropOptimizer,
  SGDOptimizer,
} from './optimizer_classes.js';
import { registerClass, type SerializableConstructor } from '../util/serialization.js';

/** Factories of optimizers, tf.train. */
export const train = {
  /**
   * Creates a stochastic gradient descent optimizer: value - learningRate * gradient.
   * @example
   * const w = tf.variable(tf.scalar(4));
   * const optimizer = tf.train.sgd(0.1);
   * optimizer.minimize(() => w.square());
   * w; // 3.2
   * tf.dispose([w, optimizer]);
   */
  sgd: (learningRate: number): SGDOptimizer => new SGDOptimizer(learningRate),
  /**
   * Creates a gradient descent optimizer with momentum: a sum of gradients that decays by the factor `momentum` at each step.
   * @param learningRate Factor of the step.
   * @param momentum Decay of the sum of gradients.
   * @param useNesterov True for Nesterov momentum.
   * @example
   * const w = tf.variable(tf.scalar(4));
   * const optimizer = tf.train.momentum(0.1, 0.5);
   * for (let i = 0; i < 2; i++) optimizer.minimize(() => w.square());
   * w; // 2.16
   * tf.dispose([w, optimizer]);
   */
  momentum: (learningRate: number, momentum: number, useNesterov = false): MomentumOptimizer =>
    new MomentumOptimizer(learningRate, momentum, useNesterov),
  /**
   * Creates an RMSProp optimizer (Tieleman and Hinton, 2012): gradients are divided by the root of their recent mean square.
   * @param learningRate Factor of the step.
   * @param decay Decay of the mean square.
   * @param momentum Decay of the sum of steps.
   * @param epsilon Constant that is added to the mean square: 1e-7 by default.
   * @param centered True to use the variance of the gradients instead of their mean square.
   * @example
   * const w = tf.variable(tf.scalar(4));
   * const optimizer = tf.train.rmsprop(0.1);
   * optimizer.minimize(() => w.square());
   * w; // 3.6838
   * tf.dispose([w, optimizer]);
   */
  rmsprop: (
    learningRate: number,
    decay = 0.9,
    momentum = 0,
    epsilon: number | null = null,
    centered = false,
  ): RMSPropOptimizer => new RMSPropOptimizer(learningRate, decay, momentum, epsilon, centered),
  /**
   * Creates an Adam optimizer (Kingma and Ba, 2014): steps of about `learningRate` along a moving mean of the gradients.
   * @param learningRate Size of the step.
   * @param beta1 Decay of the mean of the gradients.
   * @param beta2 Decay of the mean of their squares.
   * @param epsilon Constant that is added to the denominator: 1e-7 by default.
   * @example
   * const w = tf.variable(tf.scalar(4));
   * const optimizer = tf.train.adam(0.1);
   * optimizer.minimize(() => w.square());
   * w; // 3.9
   * tf.dispose([w, optimizer]); // it owns two tensors for each variable
   */
  adam: (learningRate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon: number | null = null): AdamOptimizer =>
    new AdamOptimizer(learningRate, beta1, beta2, epsilon),
  /**
   * Creates an Adadelta optimizer (Zeiler, 2012): steps scale with the ratio of recent updates to recent gradients.
   * @param learningRate Factor of the step.
   * @param rho Decay of the means of squared updates and squared gradients.
   * @param epsilon Constant that is added to both means: 1e-7 by default.
   * @example
   * const w = tf.variable(tf.scalar(4));
   * const optimizer = tf.train.adadelta(1);
   * optimizer.minimize(() => w.square());
   * w.arraySync() < 4; // true
   * tf.dispose([w, optimizer]);
   */
  adadelta: (learningRate = 0.001, rho = 0.95, epsilon: number | null = null): AdadeltaOptimizer =>
    new AdadeltaOptimizer(learningRate, rho, epsilon),
  /**
   * Creates an Adamax optimizer (Kingma and Ba, 2014): Adam with the maximum norm of recent gradients.
   * @param learningRate Size of the step.
   * @param beta1 Decay of the mean of the gradients.
   * @param beta2 Decay of the maximum norm.
   * @param epsilon Constant that is added to the denominator: 1e-7 by default.
   * @param decay Decay of the learning rate: it is divided by 1 + decay * updates.
   * @example
   * const w = tf.variable(tf.scalar(4));
   * const optimizer = tf.train.adamax(0.1);
   * optimizer.minimize(() => w.square());
   * w; // 3.9
   * tf.dispose([w, optimizer]);
   */
  adamax: (
    learningRate = 0.002,
    beta1 = 0.9,
    beta2 = 0.999,
    epsilon: number | null = null,
    decay = 0,
  ): AdamaxOptimizer => new AdamaxOptimizer(learningRate, beta1, beta2, epsilon, decay),
  /**
   * Creates an Adagrad optimizer (Duchi, Hazan and Singer, 2011): steps shrink with the sum of squared gradients.
   * @example
   * const w = tf.variable(tf.scalar(4));
   * const optimizer = tf.train.adagrad(0.1);
   * optimizer.minimize(() => w.square());
   * w; // 3.9001
   * tf.dispose([w, optimizer]);
   */
  adagrad: (learningRate: number, initialAccumulatorValue = 0.1): AdagradOptimizer =>
    new AdagradOptimizer(learningRate, initialAccumulatorValue),
};

// Configurations refer to classes by name.
for (const optimizer of [
  AdadeltaOptimizer,
  AdagradOptimizer,
  AdamOptimizer,
  AdamaxOptimizer,
  MomentumOptimizer,
  RMSPropOptimizer,
  SGDOptimizer,
] as unknown as SerializableConstructor<Optimizer>[])
  registerClass(optimizer);
