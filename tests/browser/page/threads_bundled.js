// Threads of a bundle, in a page that allows them.
import * as tf from 'tenure';
import { show } from './show.js';

tf.setThreadsCount(2);
await tf.startThreads();
const sum = tf.tidy(() =>
  tf
    .ones([300, 300])
    .matMul(tf.ones([300, 300]))
    .sum()
    .arraySync(),
);
show({ threads: tf.getThreadsCount(), sum });
