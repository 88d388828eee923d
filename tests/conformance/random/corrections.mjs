// Predicates and transformations of calls for the rules of differences.mjs, such as calls as TensorFlow.js would need them.
import { TensorArgument, arrayOf, elements, mapTensors, tensorsOf } from './arguments.mjs';

export const kOfNothing = {
  max: [-Infinity, -2147483648, 0],
  min: [Infinity, 2147483647, 1],
  mean: [],
  all: [1],
  any: [0],
  logSumExp: [-Infinity],
  moments: [],
  norm: [0, Infinity, -Infinity, 2147483647, -2147483648],
};

export function firstOf(result) {
  return [...(result.values ?? result.mean.values)];
}

const depthOf = (x) => (Array.isArray(x) ? 1 + depthOf(x[0]) : 0);

export function namesTwice({ args: [x, ...others] }) {
  const rank = x.rankShown ?? depthOf(x);
  return others.some(
    (axes) => Array.isArray(axes) && new Set(axes.map((one) => (one < 0 ? one + rank : one))).size < axes.length,
  );
}

export function hasListOfOne({ args, name }) {
  const given = name.startsWith('fused.') ? [args[0].strides, args[0].dilations] : args;
  return given.some((one) => Array.isArray(one) && one.length === 1 && typeof one[0] === 'number');
}

/** The smallest normal float32. */
const kMinNormal = 2 ** -126;

export function isSubnormal(value) {
  return value !== 0 && Math.abs(value) < kMinNormal;
}

export function hasSubnormals({ args }) {
  return tensorsOf(args).some(({ values }) => values.some(isSubnormal));
}

/** Returns the call with subnormals flushed to 0, as a GPU may do, and with a tolerance for such results. */
export function withoutSubnormals({ args, tolerance }) {
  const flushed = (one) => one.with({ values: one.values.map((value) => (isSubnormal(value) ? value * 0 : value)) });
  return {
    args: mapTensors(args, flushed),
    tolerance: { ...tolerance, absolute: Math.max(tolerance.absolute ?? 0, kMinNormal) },
  };
}

/** Returns a transformation of calls that casts tensors of the types `from` to `type`. */
export function as(type, from) {
  return (call) => ({
    args: mapTensors(call.args, (one) =>
      from.includes(typeOf(one)) ? one.with({ dtype: type, values: arrayOf(type, one.values), form: 'tensor' }) : one,
    ),
  });
}

/** Returns the dtype that a library infers for values; untyped numbers are float32. */
function typeOf({ dtype, form }) {
  if (form === 'typed' || form === 'rows') return dtype === 'float32' ? 'float32' : 'int32';
  if ((form === 'nested' || form === 'number') && dtype === 'int32') return 'float32';
  return dtype;
}

export function isBeyondFloat({ dtype, values }) {
  return dtype === 'int32' && values.some((value) => Math.fround(value) !== value);
}

/** Returns the position of the padding among the arguments. */
export function padOf({ name }) {
  return /conv2dTranspose|separableConv2d/.test(name) ? 4 : 3;
}

/** Returns the call with the same padding, explicit for each dimension. */
export function withExplicitPads(call) {
  const explicit = (pad) => (isFirst) => {
    const rows = call.name === 'conv1d' ? [0, 0] : [pad, pad];
    return isFirst ? [[0, 0], [0, 0], rows, [pad, pad]] : [[0, 0], rows, [pad, pad], [0, 0]];
  };
  if (call.name.startsWith('fused.')) {
    const [options] = call.args;
    return { args: [{ ...options, pad: explicit(options.pad)(options.dataFormat === 'NCHW') }] };
  }
  const at = padOf(call);
  return { args: call.args.with(at, explicit(call.args[at])(call.args[4] === 'NCHW')) };
}

/** Returns the call with the channels last, and its result transposed back. */
export function withChannelsLast(call) {
  const isFused = call.name.startsWith('fused.');
  const given = isFused ? call.args[0] : { x: call.args[0], pad: call.args[3] };
  const image = given.x.with({ shape: given.x.shape.slice(0, given.x.rankShown) });
  const single = image.rank === 3;
  const x = turned(image, single ? [1, 2, 0] : [0, 2, 3, 1]);
  const side = Array.isArray(given.pad)
    ? [...given.pad.slice(2), [0, 0]]
    : [
        [given.pad, given.pad],
        [given.pad, given.pad],
        [0, 0],
      ];
  const pad = typeof given.pad === 'string' ? given.pad : [[0, 0], ...side];
  const weights = given.preluActivationWeights;
  const back = [['transpose', single ? [2, 0, 1] : [0, 3, 1, 2]]];
  if (!isFused) return { args: [x, call.args[1], call.args[2], pad, 'NHWC', ...call.args.slice(5)], then: back };
  const changed = { ...given, x, pad, dataFormat: 'NHWC' };
  if (weights) changed.preluActivationWeights = weights.rank === 3 ? turned(weights, [1, 2, 0]) : weights;
  return { args: [changed], then: back };
}

/** Returns a tensor with its dimensions permuted. */
function turned(one, perm) {
  const shape = perm.map((i) => one.shape[i]);
  const strides = one.shape.map((_, i) => elements(one.shape.slice(i + 1)));
  return one.with({
    shape,
    values: one.values.map((_, at) => one.values[place(at, shape, (loc, i) => loc * strides[perm[i]])]),
    form: 'tensor',
  });
}

/** Returns a product with both operands broadcast to all batches of the result. */
export function withWholeBatches(call) {
  const isFused = call.name.startsWith('fused.');
  const [a, b] = isFused ? [call.args[0].a, call.args[0].b] : call.args;
  if (!(a instanceof TensorArgument && b instanceof TensorArgument)) return call;
  const rank = Math.max(a.rank, b.rank);
  const wide = (one) => [...new Array(rank - one.rank).fill(1), ...one.shape];
  const batch = wide(a)
    .slice(0, -2)
    .map((extent, i) => (extent === 1 ? wide(b)[i] : extent));
  const whole = (one) => {
    const from = wide(one);
    const shape = [...batch, ...one.shape.slice(-2)];
    const strides = from.map((extent, i) => (extent === 1 ? 0 : elements(from.slice(i + 1))));
    const values = Array.from(
      { length: elements(shape) },
      (_, at) => one.values[place(at, shape, (loc, i) => loc * strides[i])],
    );
    return new TensorArgument(arrayOf(typeOf(one), values), shape, typeOf(one), 'tensor');
  };
  return {
    args: isFused ? [{ ...call.args[0], a: whole(a), b: whole(b) }] : [whole(a), whole(b), ...call.args.slice(2)],
  };
}

/** Returns the sum of `step(location, dimension)` over the coordinates of the element at `at`. */
function place(at, shape, step) {
  let sum = 0;
  for (let i = shape.length - 1; i >= 0; i--) {
    sum += step(at % shape[i], i);
    at = Math.floor(at / shape[i]);
  }
  return sum;
}
