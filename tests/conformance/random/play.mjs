// Makes a call on one library, and records its outcome and the tensors that it leaves.
import { make } from './arguments.mjs';

/**
 * Returns `{result}` or `{error}`, with tensors as `{shape, dtype, values}`. `left`: the tensors that the call leaked; `hurt`:
 * its changes to its arguments, if any.
 */
export async function play(tf, call) {
  const before = tf.memory().numTensors;
  const given = [];
  const mine = new Set();
  const outcome = {};
  const keep = (made, argument) => {
    given.push([made, argument]);
    mine.add(made);
  };
  let produced;
  try {
    const args = call.args.map((one) => make(one, tf, keep));
    const steps = (call.then ?? []).map(([name, ...rest]) => [name, ...rest.map((one) => make(one, tf, keep))]);
    try {
      produced = invoke(tf, call, args);
      for (const [name, ...rest] of steps) {
        const next = produced[name](...rest);
        if (next !== undefined) {
          dispose(tf, produced);
          produced = next;
        }
      }
      if (typeof produced?.then === 'function' && call.name !== 'util.isPromise') produced = await produced;
      outcome.result = await read(tf, produced);
      if (mine.has(produced)) outcome.hurt = 'the result is an argument';
    } catch (error) {
      outcome.error = error;
    }
    for (const [made, argument] of given) {
      if (made.isDisposed) outcome.hurt = 'an argument was disposed';
      else if (!call.then && !same(await made.data(), argument.values)) outcome.hurt = 'an argument was changed';
    }
  } catch (error) {
    // Arguments that cannot be created are the generator's fault.
    outcome.error = error;
    outcome.unmade = true;
  }
  dispose(tf, produced);
  for (const [made] of given) made.dispose();
  outcome.left = tf.memory().numTensors - before;
  return outcome;
}

function invoke(tf, { path, isMethod, isProperty }, args) {
  const names = path.replace(/^\./, '').split('.');
  if (isProperty) return args[0][names[0]];
  if (isMethod) {
    const [self, ...rest] = args;
    return self[names.at(-1)](...rest);
  }
  const owner = names.slice(0, -1).reduce((object, name) => object[name], tf);
  const result = owner[names.at(-1)](...args);
  // A function that swaps in place has no other result.
  return path === 'util.swap' ? args[0] : result;
}

async function read(tf, value) {
  if (value instanceof tf.Tensor) {
    return { shape: [...value.shape], dtype: value.dtype, values: await value.data() };
  }
  if (value instanceof tf.TensorBuffer) {
    return { shape: [...value.shape], dtype: value.dtype, values: value.values, isBuffer: true };
  }
  if (Array.isArray(value)) return Promise.all(value.map((one) => read(tf, one)));
  if (value && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).map(async ([name, one]) => [name, await read(tf, one)]);
    return Object.fromEntries(await Promise.all(entries));
  }
  return value;
}

function dispose(tf, value) {
  if (value instanceof tf.Tensor) value.dispose();
  else if (Array.isArray(value)) value.forEach((one) => dispose(tf, one));
  else if (value && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    Object.values(value).forEach((one) => dispose(tf, one));
  }
}

function same(a, b) {
  return a.length === b.length && a.every((value, i) => Object.is(Number(value), Number(b[i])));
}
