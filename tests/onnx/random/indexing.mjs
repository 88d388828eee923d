// Random nodes of ops that select or replace elements by indices.
import { axisAttribute, kAny, kNumbers, int64s, node, range, sizeOf, tensor, withoutEnd } from './values.mjs';

const kMoved = [...kAny, 'string'];

/** Returns indices into an extent, negative ones too. */
const indices = (r, shape, extent, type = r.pick(['int32', 'int64']), low = -extent) =>
  r.mayFix(
    tensor(
      type,
      shape,
      range(sizeOf(shape)).map(() => r.int(low, extent - 1)),
    ),
    0.4,
  );

/** Gathers numbers and bools. onnxruntime-web returns some elements of text as ''. */
function gather(r) {
  const shape = r.dims(1, 4, 5, 0);
  const axis = r.int(0, shape.length - 1);
  const x = r.mayFix(r.tensor(r.pick(kAny), shape));
  const at = indices(r, r.dims(0, 2, 4), shape[axis]);
  return node('Gather', r.version(11), [x, at], { axis: axisAttribute(r, axis, shape.length, 0) });
}

function gatherElements(r) {
  const shape = r.dims(1, 4, 5, 0);
  const axis = r.int(0, shape.length - 1);
  const wanted = shape.map((extent, i) => (i === axis ? r.int(0, 6) : r.int(1, extent)));
  const x = r.mayFix(r.tensor(r.pick(kMoved), shape));
  return node('GatherElements', r.version(11), [x, indices(r, wanted, shape[axis])], {
    axis: axisAttribute(r, axis, shape.length, 0),
  });
}

/** Returns a tensor of indices whose last axis addresses `depth` axes of `shape` from `first` on. */
function ndIndices(r, shape, first, depth, outer, isUnique = false) {
  const seen = new Set();
  const rows = range(sizeOf(outer)).map(() => {
    for (;;) {
      const row = range(depth).map((i) => r.int(isUnique ? 0 : -shape[first + i], shape[first + i] - 1));
      if (!isUnique || !seen.has(row.join())) {
        seen.add(row.join());
        return row;
      }
    }
  });
  return r.mayFix(int64s(rows.flat(), [...outer, depth]), 0.4);
}

function gatherNd(r) {
  const shape = r.dims(1, 4, 5, 0);
  const version = r.version(11);
  const batches = version >= 12 && shape.length > 1 ? r.int(0, Math.min(2, shape.length - 1)) : 0;
  const depth = r.int(1, shape.length - batches);
  const outer = [...shape.slice(0, batches), ...r.dims(0, 2, 3, 0)];
  const attributes = version >= 12 ? { batch_dims: batches === 0 ? r.maybe(0) : batches } : {};
  return node(
    'GatherND',
    version,
    [r.mayFix(r.tensor(r.pick(kMoved), shape)), ndIndices(r, shape, batches, depth, outer)],
    attributes,
  );
}

const reductions = (r, version) =>
  version >= 18
    ? r.pick(['none', 'add', 'mul', 'max', 'min'])
    : version >= 16
      ? r.pick(['none', 'add', 'mul'])
      : undefined;

function scatterElements(r) {
  const version = r.version(11);
  const reduction = reductions(r, version);
  const type = r.pick(reduction === undefined || reduction === 'none' ? kMoved : kNumbers);
  const shape = r.dims(1, 4, 5, 0);
  const axis = r.int(0, shape.length - 1);
  const isUnique = reduction === undefined || reduction === 'none';
  const wanted = shape.map((extent) => r.int(1, extent));
  const stride = sizeOf(wanted.slice(axis + 1));
  // Without a reduction, an element is written once.
  const order = r.shuffled(range(shape[axis]));
  const values = range(sizeOf(wanted)).map((i) =>
    isUnique
      ? order[Math.floor(i / stride) % wanted[axis]] - (r.chance(0.2) ? shape[axis] : 0)
      : r.int(-shape[axis], shape[axis] - 1),
  );
  const at = r.mayFix(tensor(r.pick(['int32', 'int64']), wanted, values), 0.4);
  const inputs = [r.mayFix(r.tensor(type, shape)), at, r.mayFix(r.tensor(type, wanted))];
  const op = version < 16 && r.chance(0.2) ? 'Scatter' : 'ScatterElements';
  return node(op, op === 'Scatter' ? r.int(9, 10) : version, inputs, {
    axis: axisAttribute(r, axis, shape.length, 0),
    reduction: op === 'Scatter' || reduction === 'none' ? undefined : reduction,
  });
}

function scatterNd(r) {
  const version = r.version(11);
  const reduction = reductions(r, version);
  const isUnique = reduction === undefined || reduction === 'none';
  const type = r.pick(isUnique ? kMoved : kNumbers);
  const shape = r.dims(1, 4, 5, 0);
  const depth = r.int(1, shape.length);
  const count = r.int(1, Math.min(4, sizeOf(shape.slice(0, depth))));
  const outer = r.pick([[count], [count, 1], [1, count]]);
  const at = ndIndices(r, shape, 0, depth, outer, isUnique);
  const updates = r.mayFix(r.tensor(type, [...outer, ...shape.slice(depth)]));
  return node('ScatterND', version, [r.mayFix(r.tensor(type, shape)), at, updates], {
    reduction: isUnique ? undefined : reduction,
  });
}

/** Bounds of slices that stand for an end of the axis, for each type. */
const kEnds = {
  int32: [2n ** 31n - 1n, -(2n ** 31n)],
  int64: [2n ** 63n - 1n, -(2n ** 63n), 2n ** 31n - 1n, -(2n ** 31n)],
};

function slice(r) {
  const shape = r.dims(1, 4, 6);
  const version = r.version(7);
  const isOld = version < 10;
  const axes = r
    .axes(shape.length, r.int(1, shape.length))
    .map((axis) => (isOld && axis < 0 ? axis + shape.length : axis));
  const type = r.pick(['int64', 'int64', 'int32']);
  const steps = axes.map(() => (isOld ? 1 : r.pick([1, 1, 2, 3, -1, -2, -7])));
  const bound = (ends) => (axis) => {
    const extent = shape.at(axis);
    return r.chance(0.2) && !isOld ? r.pick(ends) : r.int(-extent - 2, extent + 2);
  };
  const starts = axes.map(bound(kEnds[type]));
  // onnxruntime takes the highest number as the end of negative steps, too.
  const isLow = (end) => end < 0;
  const ends = axes.map((axis, i) => bound(steps[i] < 0 ? kEnds[type].filter(isLow) : kEnds[type])(axis));
  const x = r.mayFix(r.tensor(r.pick(kMoved), shape));
  if (isOld) return node('Slice', version, [x], { starts, ends, axes });
  const list = (values) => r.mayFix(tensor(type, [values.length], values.map(String)), 0.6);
  // Without axes, the first ones are sliced.
  if (axes.every((axis, i) => axis === i) && r.chance(0.5))
    return node('Slice', version, [x, list(starts), list(ends), null, list(steps)]);
  const inputs = [x, list(starts), list(ends), list(axes)];
  return node('Slice', version, steps.every((step) => step === 1) ? inputs : [...inputs, list(steps)]);
}

function compress(r) {
  const shape = r.dims(1, 3);
  const axis = r.chance(0.6) ? r.int(0, shape.length - 1) : undefined;
  const extent = axis === undefined ? sizeOf(shape) : shape[axis];
  const condition = r.mayFix(r.tensor('bool', [r.int(0, extent)]));
  return node('Compress', r.version(11), [r.mayFix(r.tensor(r.pick(kMoved), shape)), condition], {
    axis: axis === undefined ? undefined : axisAttribute(r, axis, shape.length),
  });
}

const nonZero = (r) =>
  node(
    'NonZero',
    r.version(9),
    [
      r.mayFix(
        r.tensor(r.pick(['float32', 'int32', 'int64', 'bool', 'uint8']), r.dims(), { low: 0, high: 2, isWhole: true }),
      ),
    ],
    {},
    { types: ['int64'] },
  );

function reverseSequence(r) {
  const shape = r.dims(2, 4, 5, 0);
  const time = r.int(0, 1);
  const lengths = r.mayFix(int64s(range(shape[1 - time]).map(() => r.int(1, shape[time]))));
  const attributes = time === 0 && r.chance(0.5) ? {} : { time_axis: time, batch_axis: 1 - time };
  return node('ReverseSequence', r.version(10), [r.mayFix(r.tensor(r.pick(kMoved), shape)), lengths], attributes);
}

function oneHot(r) {
  const depth = r.int(1, 5);
  const shape = r.dims(0, 3);
  const type = r.pick(['int64', 'int32', 'float32']);
  // Indices beyond the depth give rows of the first value.
  const at = r.mayFix(
    tensor(
      type,
      shape,
      range(sizeOf(shape)).map(() => r.int(-depth - 1, depth)),
    ),
  );
  const depthInput = r.mayFix(tensor(r.pick(['int64', 'int32', 'float32']), r.pick([[], [1]]), [depth]), 0.7);
  const valueType = r.pick(['float32', 'int32', 'int64', 'string']);
  const values = r.mayFix(r.tensor(valueType, [2], { low: -5, high: 5 }));
  return node(
    'OneHot',
    r.version(11),
    [at, depthInput, values],
    { axis: r.maybe(r.int(-shape.length - 1, shape.length)) },
    { types: [valueType] },
  );
}

function unique(r) {
  const shape = r.dims(1, 3, 5, 0);
  const type = r.pick(['float32', 'float64', 'int64', 'int8', 'string']);
  const axis = r.chance(0.6) ? r.axis(shape.length) : undefined;
  const outputs = r.int(1, 4);
  const x = r.mayFix(r.tensor(type, shape, { low: -1, high: 1, isWhole: true }));
  return node(
    'Unique',
    r.version(11),
    [x],
    { axis, sorted: r.maybe(r.int(0, 1)) },
    { outputs, types: [type, 'int64', 'int64', 'int64'] },
  );
}

function tensorScatter(r) {
  const rank = r.int(2, 4);
  const shape = range(rank).map(() => r.int(1, 4));
  const axis = r.int(1, rank - 1);
  const mode = r.pick(['linear', 'circular']);
  shape[axis] = r.int(2, 6);
  const count = r.int(1, shape[axis]);
  const starts = range(shape[0]).map(() => r.int(0, mode === 'linear' ? shape[axis] - count : shape[axis] - 1));
  const type = r.pick(['float32', 'int32', 'float64', 'int64']);
  const inputs = [
    r.tensor(type, shape),
    r.tensor(type, shape.with(axis, count)),
    r.chance(0.8) ? r.mayFix(int64s(starts)) : null,
  ];
  return node('TensorScatter', r.version(24), withoutEnd(inputs), {
    axis: axis === rank - 2 ? r.maybe(axis) : r.chance(0.3) ? axis - rank : axis,
    mode: mode === 'linear' ? r.maybe(mode) : mode,
  });
}

export const indexingOps = {
  Compress: compress,
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
  NonZero: nonZero,
  OneHot: oneHot,
  ReverseSequence: reverseSequence,
  ScatterElements: scatterElements,
  ScatterND: scatterNd,
  Slice: slice,
  TensorScatter: tensorScatter,
  Unique: unique,
};
