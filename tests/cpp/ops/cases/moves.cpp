#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cases/moved.h"

namespace tenure::cases {
namespace {

void add_views(Table& table) {
  const auto rounds = [](DType to) {
    return to == DType::kFloat32 ? nullptr
                                 : "passes a gradient on, as TensorFlow.js does, whatever is rounded";
  };
  for (const DType dtype : moves::kDTypes) {
    const Input x = of_type(dtype, {2, 1, 3});
    table.add(Op::identity, {x});
    table.add(Op::reshape, {x}, ToShapeAttrs{{3, -1}});
    table.add(Op::expand_dims, {x}, AxisAttrs{-2});
    table.add(Op::squeeze, {x}, AxesAttrs{{1}});
    table.add(Op::fill_like, {x}, FillLikeAttrs{3});
    for (const DType to : moves::kDTypes) {
      table.add(Op::cast, {of_type(dtype, {7, 9})}, CastAttrs{to}, {.skip_gradients = rounds(to)});
    }
  }
  const double inf = std::numeric_limits<double>::infinity();
  for (const DType to : moves::kDTypes) {
    table.add(Op::cast, {given({10}, {1.9, -1.9, 3e9, -3e9, inf, -inf, NAN, 0.0, -0.0, 1e-9})}, CastAttrs{to},
              {.skip_gradients = "not finite"});
  }
  table.add(Op::cast, {complexes({2, 2})}, CastAttrs{DType::kFloat32});
  table.add(Op::cast, {floats({2, 2})}, CastAttrs{DType::kComplex64});
}

void add_transposed(Table& table, const Shape& shape, const Dims& given) {
  Dims perm = given;
  if (perm.empty())
    for (int i = 0; i < shape.rank; ++i) perm.push_back(shape.rank - 1 - i);
  Shape out;
  for (const int axis : perm) out.push_back(shape[axis]);
  add_moved(table, Op::transpose, shape, PermutationAttrs{given}, out, [=](const Dims& index) {
    Dims from = index;
    for (int i = 0; i < perm.size(); ++i) from[perm[i]] = index[i];
    return from;
  });
}

void add_transpose(Table& table) {
  for (const auto& [shape, perm] : std::initializer_list<std::pair<Shape, Dims>>{
           {{}, {}},
           {{5}, {}},
           {{3, 5}, {}},
           {{2, 3, 4}, {}},
           {{2, 0, 3}, {}},
           {{4, 8}, {1, 0}},
           {{12, 7}, {1, 0}},
           {{7, 12}, {1, 0}},
           {{64, 36}, {1, 0}},
           {{2, 3, 5}, {2, 0, 1}},
           {{2, 4, 8}, {0, 2, 1}},
           {{2, 5, 6, 8}, {0, 2, 1, 3}},
           {{2, 4, 4, 3}, {0, 3, 1, 2}},
           {{2, 8, 4, 4}, {0, 2, 3, 1}},
           {{2, 3, 4, 5, 2, 3}, {5, 3, 1, 4, 2, 0}},
           {{2, 1, 2, 3, 1, 2, 2, 2}, {7, 6, 5, 4, 3, 2, 1, 0}},
           {{36, 3, 40}, {2, 1, 0}},
           {{3, 5, 36, 40}, {0, 3, 1, 2}},
           {{2, 36, 3, 40}, {3, 0, 2, 1}},
           {{300, 401}, {1, 0}},
           {{1024, 600}, {1, 0}},
       }) {
    add_transposed(table, shape, perm);
  }
  int perm[] = {0, 1, 2, 3};
  do {
    add_transposed(table, {3, 5, 2, 4}, Dims(perm));
  } while (std::next_permutation(std::begin(perm), std::end(perm)));
  // Sizes around the block size of the CPU's kernel.
  for (const std::int32_t rows : {1, 3, 4, 5, 16, 17, 33}) {
    for (const std::int32_t columns : {1, 2, 4, 7, 15, 32, 35})
      add_transposed(table, {rows, columns}, {1, 0});
  }
}

void add_reverse(Table& table) {
  const auto add = [&](const Shape& shape, const Dims& axes) {
    add_moved(table, Op::reverse, shape, AxesAttrs{axes}, shape, [=](const Dims& index) {
      Dims from = index;
      for (int i = 0; i < shape.rank; ++i) {
        const bool turns = axes.empty() || axes.contains(i) || axes.contains(i - shape.rank);
        if (turns) from[i] = shape[i] - 1 - index[i];
      }
      return from;
    });
  };
  for (const Dims& axes : {Dims{}, Dims{0}, Dims{1}, Dims{2}, Dims{-1}, Dims{0, 1}, Dims{1, 2}, Dims{0, 2},
                           Dims{-3, 1}, Dims{0, 0}}) {
    for (const Shape& shape : {Shape{1, 1, 1}, Shape{2, 3, 4}, Shape{3, 1, 17}, Shape{5, 16, 2}})
      add(shape, axes);
  }
  add({}, {});
  add({5}, {});
  add({8}, {0});
  add({0, 2}, {});
  add({2, 5, 6, 4}, {1, -2});
  add({2, 5, 6, 3}, {2, 3});
  add({2, 3, 2, 3, 2, 3}, {0, 2, 5});
}

void add_tile(Table& table) {
  for (const auto& [in, reps] : std::initializer_list<std::pair<Shape, Dims>>{
           {{}, {}},
           {{3}, {1}},
           {{5}, {3}},
           {{8}, {3}},
           {{1}, {5001}},
           {{5000}, {9}},
           {{2, 3}, {0, 2}},
           {{0, 3}, {5, 2}},
           {{3, 4}, {2, 1}},
           {{3, 4}, {2, 3}},
           {{3, 5}, {1, 2}},
           {{1, 7}, {6, 1}},
           {{7, 1}, {1, 8}},
           {{4, 1}, {1, 70}},
           {{2, 3, 2}, {2, 1, 3}},
           {{2, 1, 3}, {1, 4, 1}},
           {{1, 1, 1}, {2, 3, 4}},
           {{2, 3, 4}, {2, 2, 2}},
           {{2, 2, 2, 2}, {1, 3, 1, 2}},
           {{2, 3, 2, 3, 2, 3}, {2, 2, 2, 2, 2, 2}},
           {{2, 3, 2, 3, 2, 3}, {3, 1, 2, 1, 2, 2}},
           {{100, 30}, {3, 11}},
           {{13, 37}, {2, 3}},
       }) {
    const Shape shape = in;
    Shape out = shape;
    for (int i = 0; i < out.rank; ++i) out[i] *= reps[i];
    add_moved(table, Op::tile, shape, TileAttrs{reps}, out, [=](const Dims& index) {
      Dims from = index;
      for (int i = 0; i < from.size(); ++i) from[i] %= shape[i];
      return from;
    });
  }
}

Shape padded(const Shape& in, const Dims& before, const Dims& after) {
  Shape shape = in;
  for (int i = 0; i < shape.size(); ++i) shape[i] += before[i] + after[i];
  return shape;
}

struct Pads {
  Shape in;
  Dims before;
  Dims after;
};

void add_pad(Table& table) {
  for (const Pads& c : std::initializer_list<Pads>{
           {{3}, {2}, {1}},
           {{5}, {0}, {0}},
           {{8}, {4}, {4}},
           {{2, 3}, {1, 0}, {0, 2}},
           {{3, 4}, {1, 0}, {2, 0}},
           {{3, 4}, {0, 1}, {0, 3}},
           {{2, 3, 4}, {0, 1, 0}, {1, 1, 0}},
           {{1, 5, 5, 3}, {0, 1, 1, 0}, {0, 1, 1, 0}},
           {{2, 5, 6, 3}, {0, 1, 2, 0}, {0, 2, 1, 0}},
           {{2, 5, 6, 4}, {0, 1, 2, 0}, {0, 2, 1, 0}},
           {{2, 5, 6, 4}, {0, 1, 2, 4}, {0, 2, 1, 8}},
           {{2, 1, 2, 1, 2}, {1, 0, 1, 0, 1}, {0, 1, 0, 1, 0}},
           {{2, 3, 1, 2, 2, 3}, {1, 0, 2, 1, 0, 1}, {0, 1, 1, 1, 0, 2}},
           {{100, 120, 3}, {3, 5, 0}, {4, 6, 1}},
           {{0, 2}, {1, 1}, {1, 1}},
           {{2, 0}, {0, 0}, {0, 3}},
       }) {
    const Source source = [c](const Dims& index) -> std::optional<Dims> {
      Dims from = index;
      for (int i = 0; i < from.size(); ++i) {
        from[i] -= c.before[i];
        if (from[i] < 0 || from[i] >= c.in[i]) return std::nullopt;
      }
      return from;
    };
    for (const DType dtype : moves::kDTypes) {
      for (const float value : {0.0F, -2.75F}) {
        const double constant = dtype == DType::kBool    ? value != 0
                                : dtype == DType::kInt32 ? std::trunc(value)
                                                         : value;
        table.add(Op::pad, {of_type(dtype, c.in)}, PadAttrs{c.before, c.after, value},
                  {.reference = moved(padded(c.in, c.before, c.after), source, constant)});
      }
    }
  }
}

void add_mirror_pad(Table& table) {
  for (const Pads& c : std::initializer_list<Pads>{
           {{3}, {2}, {2}},
           {{4}, {1}, {3}},
           {{5}, {2}, {4}},
           {{8}, {4}, {4}},
           {{1, 3}, {0, 0}, {0, 0}},
           {{3, 4}, {2, 0}, {0, 3}},
           {{3, 4}, {1, 3}, {2, 0}},
           {{2, 3, 2}, {1, 2, 1}, {1, 2, 1}},
           {{2, 4, 3}, {1, 1, 0}, {0, 2, 0}},
           {{2, 5, 6, 3}, {0, 1, 2, 0}, {0, 2, 1, 0}},
           {{2, 5, 6, 4}, {0, 4, 2, 0}, {0, 2, 5, 0}},
           {{2, 3, 2, 2, 2, 3}, {1, 0, 1, 1, 0, 2}, {0, 2, 1, 1, 0, 2}},
       }) {
    for (const int symmetric : {0, 1}) {
      add_moved(table, Op::mirror_pad, c.in, MirrorPadAttrs{c.before, c.after, symmetric},
                padded(c.in, c.before, c.after), [=](const Dims& index) {
                  Dims from = index;
                  for (int i = 0; i < from.size(); ++i) {
                    from[i] -= c.before[i];
                    if (from[i] < 0) from[i] = -from[i] - symmetric;
                    if (from[i] >= c.in[i]) from[i] = 2 * c.in[i] - 2 + symmetric - from[i];
                  }
                  return from;
                });
    }
  }
}

void add_slice(Table& table) {
  struct Box {
    Shape in;
    Dims begin;
    Dims size;
  };
  for (const Box& c : std::initializer_list<Box>{
           {{10}, {3}, {5}},
           {{16}, {4}, {8}},
           {{16}, {5}, {8}},
           {{16}, {6}, {8}},
           {{16}, {7}, {8}},
           {{5}, {5}, {0}},
           {{5}, {}, {}},
           {{4, 5}, {1}, {2}},
           {{4, 5}, {1, 2}, {3, 2}},
           {{4, 16}, {1, 8}, {2, 8}},
           {{4, 16}, {1, 3}, {2, 12}},
           {{4, 15}, {1, 3}, {3, 12}},
           {{4, 15}, {0, 1}, {4, 7}},
           {{3, 4, 5}, {1, 0, 2}, {2, 4, 3}},
           {{3, 4, 5}, {0, 1}, {3, 0}},
           {{2, 5, 6, 8}, {0, 1, 2, 4}, {2, 3, 3, 4}},
           {{2, 5, 6, 3}, {1, 1, 2, 0}, {1, 3, 3, 3}},
           {{300, 401}, {17, 29}, {250, 300}},
           {{33}, {3}, {27}},
           {{30, 41}, {7, 3}, {11, 19}},
           {{3, 20, 37}, {1, 2, 4}, {2, 17, 33}},
           {{2, 3, 2, 3, 2, 3}, {0, 1, 0, 1, 0, 1}, {2, 2, 1, 2, 2, 2}},
       }) {
    Shape out = c.in;
    for (int i = 0; i < c.size.size(); ++i) out[i] = c.size[i];
    add_moved(table, Op::slice, c.in, SliceAttrs{c.begin, c.size}, out, [=](const Dims& index) {
      Dims from = index;
      for (int i = 0; i < c.begin.size(); ++i) from[i] += c.begin[i];
      return from;
    });
  }
}

void add_strided_slice(Table& table) {
  for (const std::int32_t outer : {1, 2, -1, -3}) {
    for (const std::int32_t inner : {1, 2, 5, -1, -2}) {
      StridedSliceAttrs attrs = {.begin = {0, 0, 0}, .end = {0, 0, 0}, .strides = {outer, 1, inner}};
      attrs.begin_mask = attrs.end_mask = 7;
      const auto count = [](std::int32_t extent, std::int32_t stride) {
        return (extent - 1) / std::abs(stride) + 1;
      };
      const auto from = [](std::int32_t i, std::int32_t extent, std::int32_t stride) {
        return stride > 0 ? i * stride : extent - 1 + i * stride;
      };
      add_moved(table, Op::strided_slice, {4, 5, 6}, attrs, {count(4, outer), 5, count(6, inner)},
                [=](const Dims& index) {
                  return Dims{from(index[0], 4, outer), index[1], from(index[2], 6, inner)};
                });
    }
  }
  struct Steps {
    Shape in;
    StridedSliceAttrs attrs;
  };
  for (const Steps& c : std::initializer_list<Steps>{
           {{20}, {.begin = {1}, .end = {20}, .strides = {3}}},
           {{20}, {.begin = {19}, .end = {1}, .strides = {-2}}},
           {{9, 10}, {.begin = {1, 8}, .end = {9, 0}, .strides = {3, -1}}},
           {{9, 16}, {.begin = {0, 0}, .end = {9, 16}, .strides = {2, 1}}},
           {{4, 64}, {.begin = {0, 0}, .end = {4, 64}, .strides = {1, 4}}},
           {{4, 64}, {.begin = {3, 2}, .end = {0, 64}, .strides = {-1, 8}}},
           {{3, 8, 8, 5}, {.begin = {0, 1, 0, 4}, .end = {3, 8, 8, 0}, .strides = {1, 2, 3, -1}}},
           {{4, 3, 2}, {.begin = {3, 0, 1}, .end = {0, 3, 2}, .strides = {-2, 2, 1}, .shrink_axis_mask = 4}},
           {{3, 6, 4},
            {.begin = {1, 0, 0},
             .end = {2, 0, 5},
             .strides = {1, 1, 2},
             .new_axis_mask = 2,
             .shrink_axis_mask = 1}},
       }) {
    for (const DType dtype : moves::kDTypes) table.add(Op::strided_slice, {of_type(dtype, c.in)}, c.attrs);
  }
}

}  // namespace

void add_broadcasts(Table& table) {
  for (const DType dtype : moves::kDTypes) {
    table.add(Op::broadcast_to, {of_type(dtype, {2, 1})}, ToShapeAttrs{{3, 2, 4}});
    table.add(Op::broadcast_to, {of_type(dtype, {2, 3})}, ToShapeAttrs{{2, 3}});
    for (const bool rows : {false, true})
      table.add(Op::meshgrid, {of_type(dtype, {3}), of_type(dtype, {2})}, MeshGridAttrs{rows});
  }
  table.add(Op::broadcast_to, {words({1, 2}, {"x", "y"})}, ToShapeAttrs{{2, 2}});
}

void add_moves(Table& table) {
  add_broadcasts(table);
  add_views(table);
  add_transpose(table);
  add_reverse(table);
  add_tile(table);
  add_pad(table);
  add_mirror_pad(table);
  add_slice(table);
  add_strided_slice(table);
}

}  // namespace tenure::cases
