// Reference functions in float64, which are precise enough to measure float32 by.

export const unary = {
  exp: Math.exp,
  expm1: Math.expm1,
  log: Math.log,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  rsqrt: (x) => 1 / Math.sqrt(x),
  reciprocal: (x) => 1 / x,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  erf,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  elu: (x) => (x > 0 ? x : Math.expm1(x)),
  selu: (x) => 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * Math.expm1(x)),
};

export const binary = {
  div: (x, y) => x / y,
  pow: (x, y) => x ** y,
  atan2: Math.atan2,
};

/**
 * Returns the error function: by its power series near 0, and by the continued fraction of its complement beyond (Abramowitz
 * and Stegun, 7.1).
 */
function erf(x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  if (size < 2) {
    let term = x;
    let sum = x;
    for (let n = 1; n < 60; n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = size;
  for (let k = 80; k > 0; k--) fraction = size + k / 2 / fraction;
  return Math.sign(x) * (1 - Math.exp(-x * x) / fraction / Math.sqrt(Math.PI));
}
