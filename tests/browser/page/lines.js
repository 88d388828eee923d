/** Returns the debug build's record of a live tensor, and of one that a scope lost at an await. */
export async function lines(tf) {
  const warnings = [];
  console.warn = (message) => warnings.push(message);
  tf.ones([8, 8]);
  await tf.scopeAsync('frame', async () => {
    tf.zeros([2]);
    await Promise.resolve();
    tf.eye(3);
  });
  return { alive: tf.debug.snapshot().tensors.map(({ op, site }) => [op, site]), warnings };
}
