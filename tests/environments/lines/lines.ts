import * as tf from 'tenure';

interface Extent {
  readonly rows: number;
}

/** Returns "10 0" if the report names the line of a tensor in this source file. */
export function lines(): string {
  const extent: Extent = { rows: 2 };
  const x = tf.ones([extent.rows]);
  const report = tf.debug.report();
  x.dispose();
  // Source maps of some tools point to the beginning of the expression, others to the function's name.
  return /ones at (\S*\/)?lines\.ts:10:1[36]: /.test(report) ? '10 0' : report;
}
