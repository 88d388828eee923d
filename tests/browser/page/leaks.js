/**
 * Leaks one tensor in each of several ways; returns the debug build's record of each, [shape, op, site], and its report. The
 * shapes number the ways, and comments mark the lines.
 */
export async function leaks(tf) {
  const before = tf.memory().numTensors;
  const start = new Set(tf.debug.snapshot().tensors.map(({ serial }) => serial));
  const first = tf.ones([1]); // 1
  const sum = first.add([1, 2]); // 2
  const chain = tf
    .zeros([3]) // 3
    .relu(); // 3 again
  const made = makeZeros();
  const tidied = tf.tidy(() => tf.ones([5])); // 5
  const mapped = [6].map((size) => tf.ones([size])); // 6
  const agent = new Agent(tf);
  const predicted = agent.predict(7);
  const stepped = step();
  const kept = tf.tidy(() => {
    const result = tf.fill([9], 1); // 9
    return result;
  });
  const later = await new Promise((resolve) => setTimeout(() => resolve(tf.ones([10])))); // 10

  /** A function whose last act is the call. */
  function makeZeros() {
    return tf.zeros([4]); // 4
  }
  /** A function with the name of an op. */
  function step() {
    return tf.ones([8]); // 8
  }

  const tensors = tf.debug.snapshot().tensors.filter(({ serial }) => !start.has(serial));
  const found = tensors.map(({ shape, op, site }) => [shape[0], op, site]);
  const report = tf.debug.report();
  tf.dispose([first, sum, chain, made, tidied, mapped, predicted, stepped, kept, later]);
  // The chain has lost its first tensor.
  return { found, report, left: tf.memory().numTensors - before - 1 };
}

/** A class with a method of a model's name, whose last act is the call. */
class Agent {
  constructor(tf) {
    this.tf = tf;
  }
  predict(size) {
    return this.tf.ones([size]); // 7
  }
}
