// Random nodes that move elements, and those of images.
import { kEight, list, plain, range, sizeOf } from './random_values.mjs';
import { int32, int8, ints } from './writer.mjs';

/** Returns a case of an op that moves elements of x, and keeps their scale. */
function moving(name, code, x, rest, run, options = {}) {
  return {
    name: `${name} of ${x.type}`,
    code,
    inputs: [x, ...rest],
    output: { type: x.type, quantization: x.quantization },
    run,
    ...options,
  };
}

const moves = {
  PAD: (r, x) => {
    const pads = x.shape.map(() => [r.int(0, 2), r.int(0, 2)]);
    return moving('PAD', 34, x, [plain([pads.length, 2], pads.flat())], (tf, a) => tf.pad(a, pads));
  },
  PADV2: (r, x) => {
    const pads = x.shape.map(() => [r.int(0, 2), r.int(0, 2)]);
    const value = r.fixed([1], x.type, x.quantization);
    return moving('PADV2', 60, x, [plain([pads.length, 2], pads.flat()), value], (tf, a) =>
      tf.pad(a, pads, value.values[0]),
    );
  },
  MIRROR_PAD: (r, x) => {
    const isSymmetric = r.chance(0.5);
    const pads = x.shape.map((extent) => [0, 1].map(() => r.int(0, isSymmetric ? extent : extent - 1)));
    return moving(
      'MIRROR_PAD',
      100,
      x,
      [plain([pads.length, 2], pads.flat())],
      (tf, a) => tf.mirrorPad(a, pads, isSymmetric ? 'symmetric' : 'reflect'),
      { type: 77, options: [int8(isSymmetric ? 1 : 0)] },
    );
  },
  TRANSPOSE: (r, x) => {
    const order = r.shuffled(range(x.shape.length));
    return moving('TRANSPOSE', 39, x, [list(order)], (tf, a) => tf.transpose(a, order));
  },
  RESHAPE: (r, x) => {
    const shape = r.pick([[-1], [1, -1, 1], [x.shape[0], -1]]);
    return moving('RESHAPE', 22, x, [list(shape)], (tf, a) => tf.reshape(a, shape), {
      type: 17,
      options: [ints(shape)],
    });
  },
  STRIDED_SLICE: (r, x) => {
    const begin = x.shape.map((extent) => r.int(0, extent - 1));
    const strides = x.shape.map(() => r.pick([1, 1, 2, -1]));
    const end = begin.map((from, i) =>
      strides[i] > 0 ? r.int(from + 1, x.shape[i]) : r.int(-x.shape[i] - 1, from - x.shape[i] - 1),
    );
    const masks = [r.int(0, 15), r.int(0, 15), 0, 0, r.chance(0.3) ? r.int(0, 15) : 0];
    for (let i = 0; i < x.shape.length; ++i) {
      const bit = 1 << i;
      if (masks[4] & bit && strides[i] < 0) masks[4] &= ~bit;
      if (masks[4] & bit) for (const k of [0, 1]) masks[k] &= ~bit;
      if (strides[i] < 0) masks[0] &= ~bit;
    }
    const bits = (1 << x.shape.length) - 1;
    const [b, e, , , s] = masks.map((mask) => mask & bits);
    return moving(
      'STRIDED_SLICE',
      45,
      x,
      [begin, end, strides].map(list),
      (tf, a) => tf.stridedSlice(a, begin, end, strides, b, e, 0, 0, s),
      { type: 32, options: [b, e, 0, 0, s].map(int32) },
    );
  },
  SLICE: (r, x) => {
    const begin = x.shape.map((extent) => r.int(0, extent - 1));
    const size = x.shape.map((extent, i) => (r.chance(0.3) ? -1 : r.int(1, extent - begin[i])));
    return moving('SLICE', 65, x, [begin, size].map(list), (tf, a) => tf.slice(a, begin, size));
  },
  TILE: (r, x) => {
    const counts = x.shape.map(() => r.int(1, 2));
    return moving('TILE', 69, x, [list(counts)], (tf, a) => tf.tile(a, counts));
  },
  REVERSE_V2: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    return moving('REVERSE_V2', 105, x, [list([axis])], (tf, a) => tf.reverse(a, axis));
  },
  GATHER: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    const indices = range(r.int(1, 4)).map(() => r.int(0, x.shape[axis] - 1));
    return moving(
      'GATHER',
      36,
      x,
      [list(indices)],
      (tf, a) => tf.gather(a, tf.tensor(indices, undefined, 'int32'), axis),
      {
        type: 23,
        options: [int32(axis)],
      },
    );
  },
  EXPAND_DIMS: (r, x) => {
    const axis = r.int(-1, x.shape.length);
    return moving('EXPAND_DIMS', 70, x, [list([axis])], (tf, a) => tf.expandDims(a, axis));
  },
  PACK: (r, x) => {
    const axis = r.int(0, x.shape.length);
    const others = range(r.int(0, 2)).map(() => r.input(x.shape, x.type, x.quantization));
    return moving('PACK', 83, x, others, (tf, ...all) => tf.stack(all, axis), {
      type: 59,
      options: [int32(1 + others.length), int32(axis)],
    });
  },
  CONCATENATION: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    const isSame = x.type !== 'uint8' || r.chance(0.5);
    const others = range(r.int(1, 3)).map(() =>
      r.input(
        x.shape.map((extent, i) => (i === axis ? r.int(1, 4) : extent)),
        x.type,
        isSame ? x.quantization : undefined,
      ),
    );
    return moving('CONCATENATION', 2, x, others, (tf, ...all) => tf.concat(all, axis), {
      type: 10,
      options: [int32(axis - (r.chance(0.3) ? x.shape.length : 0)), int8(0)],
    });
  },
  SELECT_V2: (r, x) => {
    const condition = plain(
      x.shape,
      range(sizeOf(x.shape)).map(() => r.int(0, 1)),
      'bool',
    );
    return {
      ...moving('SELECT_V2', 123, x, [], (tf, holds, a, b) => tf.where(holds, a, b)),
      inputs: [condition, x, r.input(x.shape, x.type, x.quantization)],
    };
  },
  SPLIT: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    const count = x.shape[axis];
    return {
      ...moving('SPLIT', 49, x, [], (tf, _, a) => tf.split(a, count, axis), { type: 35, options: [int32(count)] }),
      inputs: [plain([], [axis]), x],
    };
  },
  UNPACK: (r, x) => {
    const axis = r.int(0, x.shape.length - 1);
    return moving('UNPACK', 88, x, [], (tf, a) => tf.unstack(a, axis), {
      type: 64,
      options: [int32(x.shape[axis]), int32(axis)],
    });
  },
  BROADCAST_TO: (r, x) => {
    const shape = [r.int(1, 3), ...x.shape.map((extent) => (extent === 1 ? r.int(1, 3) : extent))];
    return moving('BROADCAST_TO', 130, x, [list(shape)], (tf, a) => tf.broadcastTo(a, shape));
  },
};

export function movement(r) {
  const shape = r.shape(1, 4);
  return r.pick(Object.values(moves))(r, r.input(shape, r.pick([...kEight, 'int16'])));
}

export function image(r) {
  const type = r.pick(kEight);
  const block = r.int(2, 3);
  const [height, width] = [r.int(1, 4), r.int(1, 4)];
  const x = (shape) => r.input(shape, type);
  const resize = (name, code, op, isBilinear) => {
    const size = [r.int(1, 9), r.int(1, 9)];
    const [align, half] = r.pick([
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
    return moving(
      name,
      code,
      x([r.int(1, 2), height, width, r.int(1, 4)]),
      [list(size)],
      (tf, a) => tf.image[op](a, size, align === 1, half === 1),
      {
        type: isBilinear ? 15 : 74,
        options: [...(isBilinear ? [undefined, undefined] : []), int8(align), int8(half)],
        name: `${name} of ${type} with align_corners ${align}, half_pixel_centers ${half}`,
      },
    );
  };
  return r.pick([
    () => resize('RESIZE_BILINEAR', 23, 'resizeBilinear', true),
    () => resize('RESIZE_NEAREST_NEIGHBOR', 97, 'resizeNearestNeighbor', false),
    () =>
      moving(
        'SPACE_TO_DEPTH',
        26,
        x([1, height * block, width * block, 3]),
        [],
        (tf, a) =>
          tf.reshape(tf.transpose(tf.reshape(a, [1, height, block, width, block, 3]), [0, 1, 3, 2, 4, 5]), [
            1,
            height,
            width,
            block * block * 3,
          ]),
        { type: 19, options: [int32(block)] },
      ),
    () =>
      moving('DEPTH_TO_SPACE', 5, x([1, height, width, 2 * block * block]), [], (tf, a) => tf.depthToSpace(a, block), {
        type: 94,
        options: [int32(block)],
      }),
    () => {
      const pads = [height, width].map((extent) => [0, (block - (extent % block)) % block]);
      return moving(
        'SPACE_TO_BATCH_ND',
        38,
        x([1, height, width, 2]),
        [list([block, block]), plain([2, 2], pads.flat())],
        (tf, a) => tf.spaceToBatchND(a, [block, block], pads),
      );
    },
    () =>
      moving(
        'BATCH_TO_SPACE_ND',
        37,
        x([block * block, height, width, 2]),
        [list([block, block]), plain([2, 2], [0, 0, 0, 0])],
        (tf, a) =>
          tf.batchToSpaceND(
            a,
            [block, block],
            [
              [0, 0],
              [0, 0],
            ],
          ),
      ),
  ])();
}
