import * as tf from 'tenure';

interface Extent {
  readonly rows: number;
}

/** "10 0" where the report names the line of a tensor as it stands in this file. */
export function lines(): string {
  const extent: Extent = { rows: 2 };
  const x = tf.ones([extent.rows]);
  const report = tf.debug.report();
  x.dispose();
  // Maps of some tools know where the expression begins, those of others where the function's name does.
  return /ones at (\S*\/)?lines\.ts:10:1[36]: /.test(report) ? '10 0' : report;
}
