// Functions at the limits of their ranges, alone and beside numbers that take another code path.
import test from 'node:test';
import { assert, tf } from '../expect.mjs';

const kSpecial = [
  NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  2,
  -3,
  1e-40,
  -1e-40,
  1e-20,
  88.9,
  -89.3,
  90,
  3e19,
  -3e38,
  70000,
  0.99999994,
];
const kUsual = [0.3, 0.3, 0.3];
const kFunctions = ['tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'asinh', 'acosh', 'atanh', 'log1p', 'expm1'];
// Tolerance at float32 precision; results may be flushed to 0 below its smallest number.
const kUlps = 4;

/** Checks that a float32 function is within its tolerance; -0 differs from 0 if the exact result is one of them. */
function assertNear(actual, exact, about) {
  const expected = Math.fround(exact);
  if (Number.isNaN(expected) || !Number.isFinite(expected) || expected === 0)
    assert.ok(Object.is(actual, expected), `${about} is ${actual}, not ${expected}`);
  else
    assert.ok(
      Math.abs(actual - expected) <= kUlps * Math.max(2 ** -149, Math.abs(expected) * 2 ** -23),
      `${about} is ${actual}, not ${expected}`,
    );
}

function values(call, ...operands) {
  return tf.tidy(() => call(...operands.map((operand) => tf.tensor1d(operand))).dataSync());
}

for (const name of kFunctions) {
  test(`${name} of special values`, async () => {
    await tf.ready();
    for (const special of kSpecial) {
      const x = Math.fround(special);
      for (const given of [[x], [x, x, x, x], [x, ...kUsual]]) {
        const [y] = values(tf[name], given);
        assertNear(y, Math[name](x), `${name}(${x}) in ${given.length}`);
      }
    }
  });
}

/** JavaScript's own functions, in float32. */
const kOfTwo = {
  pow: (x, y) => x ** y,
  atan2: (y, x) => Math.atan2(y, x),
  mod: (x, y) => {
    const rest = x % y;
    return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest;
  },
};
for (const [name, exact] of Object.entries(kOfTwo)) {
  test(`${name} of special values`, async () => {
    await tf.ready();
    const numbers = kSpecial.map(Math.fround);
    for (const x of numbers) {
      for (const y of numbers) {
        for (const beside of [[], kUsual]) {
          const [z] = values(tf[name], [x, ...beside], [y, ...beside]);
          assertNear(z, exact(x, y), `${name}(${x}, ${y})`);
        }
      }
    }
  });
}

test('pow of negative bases has the sign of an odd exponent', async () => {
  await tf.ready();
  const [x, y] = [
    [-2, -2, -1.5, -3],
    [3, 2, -3, 16777215],
  ];
  const found = values(tf.pow, x, y);
  x.forEach((base, i) => assertNear(found[i], base ** y[i], `pow(${base}, ${y[i]})`));
});
