// Random nodes of ops of images: convolutions, pools, and resampling.
import { floats, int64s, isFloat, node, range, tensor, withoutEnd } from './values.mjs';

const reachOf = (kernel, dilation) => (kernel - 1) * dilation + 1;

/**
 * Returns windows and the extents of an image that they fit: kernel, extents, and the attributes of strides, dilations and pads.
 */
function windows(r, rank, { maxKernel = 3, canDilate = true, maxPad = (kernel) => kernel } = {}) {
  const each = (make) => range(rank).map(make);
  const kernel = each(() => r.int(1, maxKernel));
  const strides = r.maybe(each(() => r.int(1, 3)));
  const dilations = canDilate && r.chance(0.4) ? each(() => r.int(1, 3)) : undefined;
  // With SAME pads, onnxruntime shifts the windows that are smaller than their strides.
  const isSmall = kernel.some((extent, i) => reachOf(extent, dilations?.[i] ?? 1) < (strides?.[i] ?? 1));
  const mode = r.pick(['NOTSET', 'NOTSET', 'NOTSET', 'VALID', ...(isSmall ? [] : ['SAME_UPPER', 'SAME_LOWER'])]);
  const extents = each((i) => reachOf(kernel[i], dilations?.[i] ?? 1) + r.int(0, 5));
  const pads =
    mode === 'NOTSET' && r.chance(0.6)
      ? range(2 * rank).map((i) => r.int(0, Math.max(0, maxPad(kernel[i % rank], dilations?.[i % rank] ?? 1))))
      : undefined;
  return {
    kernel,
    extents,
    attributes: { strides, dilations, pads, auto_pad: mode === 'NOTSET' ? r.maybe(mode, 0.2) : mode },
  };
}

/** Dilations with SAME pads are left out: onnxruntime ignores them in pools. */
const withoutSameDilations = (attributes) =>
  attributes.auto_pad?.startsWith('SAME') ? { ...attributes, dilations: undefined } : attributes;

const kRanks = [1, 2, 2, 2, 3];

function conv(r) {
  const rank = r.pick(kRanks);
  const { kernel, extents, attributes } = windows(r, rank);
  const group = r.pick([1, 1, 1, 2, 3]);
  const depth = r.int(1, 3);
  const filters = group * r.int(1, 3);
  const type = r.pick(['float32', 'float32', 'float32', 'float16']);
  const inputs = [
    r.mayFix(r.tensor(type, [r.int(1, 2), group * depth, ...extents]), 0.1),
    r.mayFix(r.tensor(type, [filters, depth, ...kernel]), 0.6),
  ];
  if (r.chance(0.6)) inputs.push(r.mayFix(r.tensor(type, [filters]), 0.6));
  return node('Conv', r.version(7), inputs, {
    ...attributes,
    group: group === 1 ? r.maybe(1) : group,
    kernel_shape: r.maybe(kernel),
  });
}

function convTranspose(r) {
  const rank = r.pick(kRanks);
  const { kernel, extents, attributes } = windows(r, rank, { maxPad: (k) => k - 1 });
  const group = r.pick([1, 1, 2]);
  const filters = r.int(1, 3);
  const channels = group * r.int(1, 3);
  const strides = attributes.strides ?? range(rank).map(() => 1);
  const dilations = attributes.dilations ?? range(rank).map(() => 1);
  const padding = r.chance(0.4) ? strides.map((stride, i) => r.int(0, Math.max(stride, dilations[i]) - 1)) : undefined;
  if (r.chance(0.2)) {
    attributes.pads = undefined;
    const whole = extents.map(
      (extent, i) => strides[i] * (extent - 1) + reachOf(kernel[i], dilations[i]) + (padding?.[i] ?? 0),
    );
    attributes.output_shape = whole.map((extent) => Math.max(1, extent - r.int(0, 2)));
    if (attributes.auto_pad === 'VALID') attributes.auto_pad = undefined;
  }
  const inputs = [
    r.tensor('float32', [r.int(1, 2), channels, ...extents]),
    r.mayFix(r.tensor('float32', [channels, filters, ...kernel]), 0.6),
  ];
  if (r.chance(0.6)) inputs.push(r.mayFix(r.tensor('float32', [filters * group]), 0.6));
  return node('ConvTranspose', r.version(7), inputs, {
    ...attributes,
    output_padding: padding,
    group: group === 1 ? r.maybe(1) : group,
    kernel_shape: r.maybe(kernel),
  });
}

function maxPool(r) {
  const version = r.version(8);
  const rank = r.pick(kRanks);
  const { kernel, extents, attributes } = windows(r, rank, {
    canDilate: version >= 10,
    maxPad: (k, d) => Math.min(k - 1, reachOf(k, d) - 1),
  });
  const outputs = r.int(1, 2);
  const type = r.pick(
    version >= 12 && outputs === 1 ? ['float32', 'float32', 'float64', 'int8', 'uint8'] : ['float32', 'float64'],
  );
  const isWhole = r.chance(0.5);
  return node(
    'MaxPool',
    version,
    [r.mayFix(r.tensor(type, [r.int(1, 2), r.int(1, 3), ...extents], { isWhole, low: -3, high: 3 }), 0.1)],
    {
      ...withoutSameDilations(attributes),
      kernel_shape: kernel,
      ceil_mode: version >= 10 ? r.maybe(r.int(0, 1)) : undefined,
      storage_order: r.maybe(r.int(0, 1), 0.3),
    },
    { outputs, types: [type, 'int64'] },
  );
}

function averagePool(r) {
  const version = r.version(7);
  const rank = r.pick(kRanks);
  const { kernel, extents, attributes } = windows(r, rank, { canDilate: version >= 19, maxPad: (k) => k - 1 });
  const x = r.mayFix(r.tensor(r.pick(['float32', 'float32', 'float64']), [r.int(1, 2), r.int(1, 3), ...extents]), 0.1);
  return node('AveragePool', version, [x], {
    ...withoutSameDilations(attributes),
    kernel_shape: kernel,
    ceil_mode: version >= 10 ? r.maybe(r.int(0, 1)) : undefined,
    count_include_pad: r.maybe(r.int(0, 1)),
  });
}

function lpPool(r) {
  const version = r.version(7);
  const rank = r.pick(kRanks);
  const { kernel, extents, attributes } = windows(r, rank, { canDilate: version >= 18, maxPad: (k) => k - 1 });
  return node('LpPool', version, [r.tensor('float32', [r.int(1, 2), r.int(1, 3), ...extents])], {
    ...withoutSameDilations(attributes),
    kernel_shape: kernel,
    ceil_mode: version >= 18 ? r.maybe(r.int(0, 1)) : undefined,
    p: r.maybe(r.int(1, 3)),
  });
}

const globalPool =
  (op, attributes = () => ({})) =>
  (r) =>
    node(
      op,
      r.version(7),
      [
        r.mayFix(
          r.tensor(r.pick(['float32', 'float32', 'float64', 'float16']), [
            r.int(1, 2),
            r.int(1, 3),
            ...r.dims(1, 3, 5, 0),
          ]),
        ),
      ],
      attributes(r),
    );

function maxUnpool(r) {
  const kernel = [r.int(1, 3), r.int(1, 3)];
  const extents = [r.int(1, 3), r.int(1, 3)];
  const out = extents.map((extent, i) => extent * kernel[i]);
  const channels = r.int(1, 2);
  const planes = range(channels * extents[0] * extents[1]).map(() => r.float(-3, 3));
  const size = out[0] * out[1];
  const positions = range(channels).flatMap((c) =>
    r
      .shuffled(range(size))
      .slice(0, extents[0] * extents[1])
      .map((at) => c * size + at),
  );
  const inputs = [floats(planes, [1, channels, ...extents]), r.mayFix(int64s(positions, [1, channels, ...extents]))];
  return node('MaxUnpool', r.version(9), inputs, { kernel_shape: kernel, strides: kernel });
}

function resize(r) {
  const version = r.version(10);
  const mode = r.pick(version < 11 ? ['nearest', 'linear'] : ['nearest', 'linear', 'cubic']);
  const rank = mode === 'cubic' ? 4 : mode === 'nearest' ? r.int(1, 5) : r.pick([2, 3, 4, 4, 5]);
  const shape = range(rank).map((i) => (i < 2 && rank > 3 ? r.int(1, 2) : r.int(1, 6)));
  const spatial = rank <= 3 ? range(rank) : range(rank).slice(2);
  const type = r.pick(
    mode === 'nearest' ? ['float32', 'float32', 'int32', 'uint8'] : ['float32', 'float32', 'uint8', 'int32'],
  );
  const x = r.mayFix(r.tensor(type, shape, { low: -20, high: 20 }), 0.1);
  // Integers are truncated, so that roundings become whole units.
  const more = { units: isFloat(type) || mode === 'nearest' ? 0 : 1 };
  const attributes = { mode: mode === 'nearest' ? r.maybe(mode) : mode };
  let listed = range(rank);
  if (version >= 18 && r.chance(0.4)) {
    listed = r.shuffled(spatial);
    attributes.axes = listed.map((axis) => (r.chance(0.3) ? axis - rank : axis));
  }
  if (version < 11) {
    const scales = listed.map((axis) => (spatial.includes(axis) ? r.pick([1, 2, 0.5, 1.5, 3, 0.7]) : 1));
    return node('Resize', version, [x, r.mayFix(floats(scales), 0.8)], attributes, more);
  }
  const coordinates = r.pick([
    'half_pixel',
    'pytorch_half_pixel',
    'align_corners',
    'asymmetric',
    ...(version < 13 ? ['tf_half_pixel_for_nn'] : []),
    ...(version >= 19 ? ['half_pixel_symmetric'] : []),
    ...(mode === 'nearest' ? [] : ['tf_crop_and_resize']),
  ]);
  attributes.coordinate_transformation_mode = coordinates === 'half_pixel' ? r.maybe(coordinates) : coordinates;
  if (mode === 'nearest')
    attributes.nearest_mode = r.maybe(r.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']));
  if (mode === 'cubic')
    Object.assign(attributes, { cubic_coeff_a: r.maybe({ float: -0.5 }), exclude_outside: r.maybe(r.int(0, 1)) });
  if (version >= 18 && mode !== 'nearest' && coordinates !== 'tf_crop_and_resize' && isFloat(type))
    attributes.antialias = r.maybe(1, 0.3);
  let roi = version < 13 ? tensor('float32', [0], []) : null;
  if (coordinates === 'tf_crop_and_resize') {
    const low = listed.map((axis) => (spatial.includes(axis) ? r.float(-0.2, 0.4) : 0));
    const high = listed.map((axis) => (spatial.includes(axis) ? r.float(0.6, 1.2) : 1));
    roi = floats([...low, ...high]);
    attributes.extrapolation_value = r.maybe({ float: 7 });
  }
  // onnxruntime ignores regions where it resizes by scales, or to the same size.
  if (r.chance(0.5) || coordinates === 'tf_crop_and_resize') {
    const isCropped = coordinates === 'tf_crop_and_resize';
    const extent = (axis) => (isCropped ? shape[axis] + r.int(1, 3) : r.int(1, 9));
    const sizes = listed.map((axis) => (spatial.includes(axis) ? extent(axis) : shape[axis]));
    if (version >= 18 && attributes.axes)
      attributes.keep_aspect_ratio_policy = r.maybe(r.pick(['stretch', 'not_larger', 'not_smaller']), 0.4);
    return node(
      'Resize',
      version,
      [x, roi && r.mayFix(roi, 0.8), version < 13 ? r.mayFix(floats([]), 0.9) : null, r.list(sizes)],
      attributes,
      more,
    );
  }
  // onnxruntime aligns the corners of rounded sizes.
  const factors = coordinates === 'align_corners' ? [1, 2, 3] : [1, 2, 0.5, 1.5, 3, 0.7, 2.3];
  const scales = listed.map((axis) => (spatial.includes(axis) ? r.pick(factors) : 1));
  return node('Resize', version, [x, roi && r.mayFix(roi, 0.8), r.mayFix(floats(scales), 0.8)], attributes, more);
}

function upsample(r) {
  const mode = r.pick(['nearest', 'linear']);
  const shape = [r.int(1, 2), r.int(1, 2), r.int(1, 5), r.int(1, 5)];
  const scales = [1, 1, r.pick([1, 2, 1.5, 3]), r.pick([1, 2, 2.5])];
  const x = r.tensor('float32', shape);
  return r.chance(0.5)
    ? node('Upsample', r.int(7, 8), [x], { mode: r.maybe(mode), scales: { floats: scales } })
    : node('Upsample', 9, [x, r.mayFix(floats(scales), 0.8)], { mode });
}

function gridSample(r) {
  const version = r.version(16);
  const rank = version >= 20 && r.chance(0.3) ? 3 : 2;
  const names = version >= 20 ? ['linear', 'nearest', 'cubic'] : ['bilinear', 'nearest', 'bicubic'];
  const mode = r.pick(rank === 3 ? names.slice(0, 2) : names);
  const batch = r.int(1, 2);
  const x = r.tensor('float32', [batch, r.int(1, 3), ...range(rank).map(() => r.int(1, 5))]);
  const grid = r.tensor('float32', [batch, ...range(rank).map(() => r.int(1, 4)), rank], { low: -1.6, high: 1.6 });
  return node('GridSample', version, [x, r.mayFix(grid)], {
    mode: r.maybe(mode, 0.8),
    padding_mode: r.maybe(r.pick(['zeros', 'border', 'reflection'])),
    align_corners: r.maybe(r.int(0, 1)),
  });
}

function affineGrid(r) {
  const rank = r.int(2, 3);
  const batch = r.int(1, 2);
  const theta = r.tensor('float32', [batch, rank, rank + 1]);
  return node('AffineGrid', r.version(20), [theta, r.list([batch, 2, ...range(rank).map(() => r.int(2, 4))])], {
    align_corners: r.maybe(r.int(0, 1)),
  });
}

function roiAlign(r) {
  const version = r.version(10);
  const count = r.int(1, 4);
  const batch = r.int(1, 2);
  const regions = range(count).flatMap(() => [r.float(-1, 4), r.float(-1, 4), r.float(4, 9), r.float(4, 9)]);
  const inputs = [
    r.tensor('float32', [batch, r.int(1, 3), r.int(4, 8), r.int(4, 8)]),
    floats(regions, [count, 4]),
    r.mayFix(int64s(range(count).map(() => r.int(0, batch - 1)))),
  ];
  return node('RoiAlign', version, inputs, {
    mode: r.maybe(r.pick(['avg', 'max'])),
    output_height: r.maybe(r.int(1, 3)),
    output_width: r.maybe(r.int(1, 3)),
    sampling_ratio: r.maybe(r.int(0, 3)),
    spatial_scale: r.maybe({ float: r.pick([1, 0.5]) }),
    coordinate_transformation_mode: version >= 16 ? r.maybe(r.pick(['half_pixel', 'output_half_pixel'])) : undefined,
  });
}

function nonMaxSuppression(r) {
  const [batch, classes, count] = [r.int(1, 2), r.int(1, 3), r.int(1, 7)];
  const boxes = range(batch * count).flatMap(() => [
    r.float(0, 1),
    r.float(0, 1),
    r.float(0.3, 1.6),
    r.float(0.3, 1.6),
  ]);
  const scores = r.tensor('float32', [batch, classes, count], { low: 0, high: 1 });
  const options = [
    r.chance(0.8) ? r.mayFix(int64s([r.int(0, 4)], r.pick([[], [1]]))) : null,
    r.chance(0.7) ? r.mayFix(floats([r.float(0, 1)], r.pick([[], [1]]))) : null,
    r.chance(0.5) ? r.mayFix(floats([r.float(0, 1)], r.pick([[], [1]]))) : null,
  ];
  const inputs = [floats(boxes, [batch, count, 4]), scores, ...options];
  return node(
    'NonMaxSuppression',
    r.version(10),
    withoutEnd(inputs),
    { center_point_box: r.maybe(r.int(0, 1)) },
    { types: ['int64'] },
  );
}

function deformConv(r) {
  const { kernel, extents, attributes } = windows(r, 2);
  delete attributes.auto_pad;
  const strides = attributes.strides ?? [1, 1];
  const dilations = attributes.dilations ?? [1, 1];
  const pads = attributes.pads ?? [0, 0, 0, 0];
  const out = extents.map(
    (extent, i) => Math.floor((extent + pads[i] + pads[i + 2] - reachOf(kernel[i], dilations[i])) / strides[i]) + 1,
  );
  const [group, offsets] = [r.int(1, 2), r.int(1, 2)];
  const channels = 2 * r.int(1, 2);
  const filters = group * r.int(1, 2);
  const batch = r.int(1, 2);
  const count = offsets * kernel[0] * kernel[1];
  const inputs = [
    r.tensor('float32', [batch, channels, ...extents]),
    r.mayFix(r.tensor('float32', [filters, channels / group, ...kernel]), 0.6),
    r.tensor('float32', [batch, 2 * count, ...out], { low: -1.5, high: 1.5 }),
    r.chance(0.5) ? r.tensor('float32', [filters]) : null,
    r.chance(0.5) ? r.tensor('float32', [batch, count, ...out]) : null,
  ];
  return node('DeformConv', r.version(19), withoutEnd(inputs), {
    ...attributes,
    group,
    offset_group: offsets,
    kernel_shape: r.maybe(kernel),
  });
}

function columnsToImages(r) {
  const rank = r.int(1, 3);
  // onnxruntime misplaces the columns of dilated windows of other ranks.
  const { kernel, extents, attributes } = windows(r, rank, { canDilate: rank === 2 });
  delete attributes.auto_pad;
  const each = (list, i, otherwise) => list?.[i] ?? otherwise;
  const blocks = extents.map(
    (extent, i) =>
      Math.floor(
        (extent +
          each(attributes.pads, i, 0) +
          each(attributes.pads, i + rank, 0) -
          reachOf(kernel[i], each(attributes.dilations, i, 1))) /
          each(attributes.strides, i, 1),
      ) + 1,
  );
  const product = (list) => list.reduce((a, b) => a * b, 1);
  const x = r.tensor('float32', [r.int(1, 2), r.int(1, 3) * product(kernel), product(blocks)]);
  return node('Col2Im', r.version(18), [x, r.list(extents), r.list(kernel)], attributes);
}

export const imageOps = {
  AffineGrid: affineGrid,
  AveragePool: averagePool,
  Col2Im: columnsToImages,
  Conv: conv,
  ConvTranspose: convTranspose,
  DeformConv: deformConv,
  GlobalAveragePool: globalPool('GlobalAveragePool'),
  GlobalLpPool: globalPool('GlobalLpPool', (r) => ({ p: r.maybe(r.int(1, 3)) })),
  GlobalMaxPool: globalPool('GlobalMaxPool'),
  GridSample: gridSample,
  LpPool: lpPool,
  MaxPool: maxPool,
  MaxUnpool: maxUnpool,
  NonMaxSuppression: nonMaxSuppression,
  Resize: resize,
  RoiAlign: roiAlign,
  Upsample: upsample,
};
