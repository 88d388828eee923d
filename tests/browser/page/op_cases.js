import { cases } from '/web/ops/cases.mjs';
import { isClose } from './common.mjs';

const kTolerance = 2e-5;

/** Calls each op; returns the failures. */
export function runCases(tf) {
  return cases.map((row, i) => runCase(tf, row, i)).filter(Boolean);
}

/** Returns a description of the failure, or undefined. */
function runCase(tf, [name, call, shape, values, dtype = 'float32'], row) {
  try {
    return tf.tidy(() => {
      const actual = call();
      const got = { dtype: actual.dtype, shape: actual.shape, values: Array.from(actual.dataSync()) };
      const fits =
        got.dtype === dtype &&
        String(got.shape) === String(shape) &&
        got.values.length === values.length &&
        got.values.every((value, i) => isClose(value, Number(values[i]), kTolerance));
      return fits
        ? undefined
        : `${name}, row ${row}: ${JSON.stringify(got)} is not ${JSON.stringify(values.map(Number))}`;
    });
  } catch (error) {
    return `${name}, row ${row}: ${error.stack}`;
  }
}
