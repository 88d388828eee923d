// Random nodes of ops that move elements, select them by indices, or create them.
import { kElementTypes } from '../../bench/onnx.mjs';
import { axisAttribute, isFloat, kAny, kNumbers, int64s, node, range, sizeOf, tensor, withoutEnd } from './values.mjs';

const kMoved = [...kAny, 'string'];

function concat(r) {
  const type = r.pick(kMoved);
  const shape = r.dims(1, 4);
  const axis = r.int(0, shape.length - 1);
  const inputs = range(r.int(1, 4)).map(() =>
    r.mayFix(r.tensor(type, shape.with(axis, r.chance(0.1) ? 0 : r.int(1, 4)))),
  );
  return node('Concat', r.version(7), inputs, { axis: r.chance(0.3) ? axis - shape.length : axis });
}

function expand(r) {
  const shape = r.dims(0, 4);
  const x = r.tensor(r.pick(kMoved), r.narrowed(shape, 0.4));
  // Extents of 1 keep those of the input.
  const wanted = shape.map((extent, i) => {
    const own = x.shape[i - shape.length + x.shape.length];
    return own === extent && r.chance(0.3) ? 1 : extent;
  });
  return node('Expand', r.version(8), [r.mayFix(x), r.list(wanted)]);
}

function flatten(r) {
  const shape = r.dims(0, 4);
  const version = r.version(9);
  const axis = version >= 11 ? r.int(-shape.length, shape.length) : r.int(0, shape.length);
  return node('Flatten', version, [r.mayFix(r.tensor(r.pick(kMoved), shape))], {
    axis: axis === 1 ? r.maybe(1) : axis,
  });
}

const unchanged = (op, since) => (r) => node(op, r.version(since), [r.mayFix(r.tensor(r.pick(kMoved), r.dims()))]);

function reshape(r) {
  const shape = r.dims(0, 4);
  const x = r.tensor(r.pick(kMoved), shape);
  const version = r.version(7);
  const isEmpty = sizeOf(shape) === 0;
  const allowsZero = version >= 14 && isEmpty;
  let wanted = r.shuffled(shape);
  if (!isEmpty) {
    if (r.chance(0.3)) wanted = [...wanted, 1];
    if (wanted.length > 1 && r.chance(0.4)) wanted = [wanted[0] * wanted[1], ...wanted.slice(2)];
    if (wanted.length === 0 && r.chance(0.5)) wanted = [1];
    wanted = wanted.map((extent, i) => (extent === shape[i] && r.chance(0.3) ? 0 : extent));
    const at = r.int(0, wanted.length - 1);
    if (wanted.length > 0 && r.chance(0.5)) wanted = wanted.with(at, -1);
  } else if (!allowsZero) {
    wanted = shape.map((extent) => (extent === 0 || r.chance(0.3) ? 0 : extent));
  }
  return node('Reshape', version, [r.mayFix(x), r.list(wanted)], { allowzero: allowsZero ? 1 : undefined });
}

function shapeOf(r) {
  const version = r.version(7);
  const attributes = version < 15 ? {} : { start: r.maybe(r.int(-6, 6), 0.5), end: r.maybe(r.int(-6, 6), 0.5) };
  return node('Shape', version, [r.mayFix(r.tensor(r.pick(kMoved), r.dims(0, 5)))], attributes, { types: ['int64'] });
}

const size = (r) => node('Size', r.version(7), [r.tensor(r.pick(kMoved), r.dims())], {}, { types: ['int64'] });

function split(r) {
  const type = r.pick(kMoved);
  const version = r.version(7);
  const shape = r.dims(1, 4, 6);
  const axis = r.int(0, shape.length - 1);
  const attributes = { axis: axisAttribute(r, axis, version >= 11 ? shape.length : 0, 0) };
  if (version < 11 && attributes.axis < 0) attributes.axis = axis;
  const outputs = r.int(1, 4);
  const types = range(outputs).map(() => type);
  if (r.chance(0.5)) {
    const sizes = range(outputs).map(() => r.int(version >= 13 ? 0 : 1, 4));
    const x = r.tensor(
      type,
      shape.with(
        axis,
        sizes.reduce((a, b) => a + b),
      ),
    );
    return version >= 13
      ? node('Split', version, [r.mayFix(x), r.list(sizes)], attributes, { outputs, types })
      : node('Split', version, [r.mayFix(x)], { ...attributes, split: sizes }, { outputs, types });
  }
  const part = r.int(1, 3);
  const rest = version >= 18 ? r.int(0, part - 1) : 0;
  const x = r.tensor(type, shape.with(axis, Math.max(part * outputs - (outputs > 1 ? rest : 0), 0)));
  if (version >= 18) attributes.num_outputs = outputs;
  return node('Split', version, [r.mayFix(x)], attributes, { outputs, types });
}

function squeeze(r) {
  const shape = r.dims(0, 3);
  const version = r.version(7);
  const axes = r.axes(shape.length + 2, 2).map((axis) => (version < 11 && axis < 0 ? axis + shape.length + 2 : axis));
  const whole = axes.map((axis) => (axis < 0 ? axis + shape.length + 2 : axis)).sort((a, b) => a - b);
  const x = [...shape];
  for (const axis of whole) x.splice(axis, 0, 1);
  const given = r.mayFix(r.tensor(r.pick(kMoved), x));
  if (r.chance(0.3)) return node('Squeeze', version, [given]);
  return version >= 13 ? node('Squeeze', version, [given, r.list(axes)]) : node('Squeeze', version, [given], { axes });
}

function unsqueeze(r) {
  const shape = r.dims(0, 3);
  const version = r.version(7);
  const rank = shape.length + r.int(1, 2);
  const axes = r.axes(rank, rank - shape.length).map((axis) => (version < 11 && axis < 0 ? axis + rank : axis));
  const given = r.mayFix(r.tensor(r.pick(kMoved), shape));
  return version >= 13
    ? node('Unsqueeze', version, [given, r.list(axes)])
    : node('Unsqueeze', version, [given], { axes });
}

function tile(r) {
  const shape = r.dims(1, 4, 4);
  const repeats = shape.map(() => (r.chance(0.05) ? 0 : r.int(1, 3)));
  return node('Tile', r.version(7), [r.mayFix(r.tensor(r.pick(kMoved), shape)), r.list(repeats)]);
}

function transpose(r) {
  const shape = r.dims(0, 5, 4);
  const perm = r.maybe(r.shuffled(range(shape.length)), shape.length === 0 ? 0 : 0.8);
  return node('Transpose', r.version(7), [r.mayFix(r.tensor(r.pick(kMoved), shape))], { perm });
}

function pad(r) {
  const version = r.version(7);
  const mode = r.pick(['constant', 'constant', 'reflect', 'edge', ...(version >= 19 ? ['wrap'] : [])]);
  const type = r.pick(version < 11 ? ['float32', 'float64'] : [...kNumbers, ...(version >= 13 ? ['bool'] : [])]);
  const shape = r.dims(1, 4, 5, mode === 'constant' ? 0.04 : 0);
  const axes = version >= 18 && r.chance(0.4) ? r.axes(shape.length, r.int(1, shape.length)) : undefined;
  const extents = axes ? axes.map((axis) => shape.at(axis)) : shape;
  const isNegative = r.chance(0.3);
  const most = (extent) => (mode === 'reflect' ? extent - 1 : mode === 'wrap' ? extent : 3);
  // Negative pads leave one element.
  const before = extents.map((extent) =>
    isNegative && mode === 'constant' && r.chance(0.4)
      ? -r.int(0, Math.max(0, extent - 1))
      : r.int(0, Math.min(3, most(extent))),
  );
  const after = extents.map((extent, i) =>
    isNegative && mode === 'constant' && before[i] >= 0 && r.chance(0.4)
      ? -r.int(0, Math.max(0, extent - 1))
      : r.int(0, Math.min(3, most(extent))),
  );
  const pads = [...before, ...after];
  const value = r.pick([0, 2, 7]);
  const x = r.mayFix(r.tensor(type, shape));
  const attributes = { mode: mode === 'constant' ? r.maybe(mode) : mode };
  if (version < 11) return node('Pad', version, [x], { ...attributes, pads, value: r.maybe({ float: value }) });
  const fill =
    mode === 'constant' && r.chance(0.6)
      ? r.mayFix(tensor(type, r.pick([[], [], [1]]), [type === 'bool' ? 1 : value]))
      : null;
  const inputs = [
    x,
    r.list(pads),
    fill,
    axes ? r.mayFix(tensor(r.pick(['int32', 'int64']), [axes.length], axes), 0.7) : null,
  ];
  return node('Pad', version, withoutEnd(inputs), attributes);
}

function depthToSpace(r) {
  const blocksize = r.int(1, 3);
  const shape = [r.int(1, 2), blocksize ** 2 * r.int(1, 2), r.int(1, 3), r.int(1, 3)];
  return node('DepthToSpace', r.version(11), [r.mayFix(r.tensor(r.pick(['float32', 'float64', 'uint8']), shape))], {
    blocksize,
    mode: r.maybe(r.pick(['DCR', 'CRD'])),
  });
}

function spaceToDepth(r) {
  const blocksize = r.int(1, 3);
  const shape = [r.int(1, 2), r.int(1, 3), blocksize * r.int(1, 2), blocksize * r.int(1, 2)];
  return node('SpaceToDepth', r.version(7), [r.mayFix(r.tensor(r.pick(['float32', 'float64']), shape))], { blocksize });
}

function eyeLike(r) {
  const type = r.pick(['float32', 'float64', 'int32', 'int64']);
  const to = r.maybe(r.pick(['float32', 'int32', 'int64', 'float64']), 0.5);
  const x = r.tensor(type, [r.int(1, 5), r.int(1, 5)]);
  return node(
    'EyeLike',
    r.version(9),
    [x],
    { dtype: to && kElementTypes[to], k: r.maybe(r.int(-5, 5)) },
    { types: [to ?? type] },
  );
}

function numbers(r) {
  const type = r.pick(['float32', 'float64', 'int32', 'int64', 'int16']);
  const step = isFloat(type) ? r.pick([0.5, -0.5, 1, 2.25]) : r.pick([1, -1, 2, -3, 7]);
  const start = isFloat(type) ? r.int(-10, 10) / 4 : r.int(-10, 10);
  const limit = start + (r.chance(0.15) ? -1 : 1) * Math.sign(step) * r.int(0, 9) + (isFloat(type) ? 0.125 : 0);
  return node(
    'Range',
    r.version(11),
    [start, limit, step].map((value) => r.mayFix(tensor(type, [], [value]))),
  );
}

function triangle(r) {
  const type = r.pick(['float32', 'float64', 'int64', 'bool']);
  const inputs = [r.mayFix(r.tensor(type, r.dims(2, 4, 5)))];
  if (r.chance(0.7)) inputs.push(r.mayFix(int64s([r.int(-6, 6)], [])));
  return node('Trilu', r.version(14), inputs, { upper: r.maybe(r.int(0, 1)) });
}

function constantOfShape(r) {
  const type = r.pick(kAny);
  const value = r.maybe({ tensor: r.tensor(type, [1]) }, 0.8);
  return node('ConstantOfShape', r.version(9), [r.list(r.dims())], { value }, { types: [value ? type : 'float32'] });
}

function center(r) {
  const shape = r.dims(1, 4, 6, 0);
  const version = r.version(18);
  const axes = r.chance(0.6) ? r.axes(shape.length, r.int(1, shape.length)) : undefined;
  const wanted = (axes ?? shape).map(() => r.int(1, 7));
  return node(
    'CenterCropPad',
    version,
    [r.mayFix(r.tensor(r.pick(['float32', 'int32', 'int64']), shape)), r.list(wanted)],
    { axes },
  );
}

export const movementOps = {
  CenterCropPad: center,
  Concat: concat,
  ConstantOfShape: constantOfShape,
  DepthToSpace: depthToSpace,
  Expand: expand,
  EyeLike: eyeLike,
  Flatten: flatten,
  Identity: unchanged('Identity', 7),
  Pad: pad,
  Range: numbers,
  Reshape: reshape,
  Shape: shapeOf,
  Size: size,
  SpaceToDepth: spaceToDepth,
  Split: split,
  Squeeze: squeeze,
  Tile: tile,
  Transpose: transpose,
  Trilu: triangle,
  Unsqueeze: unsqueeze,
};
