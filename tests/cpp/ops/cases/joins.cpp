#include "ops/cases/moved.h"

namespace tenure::cases {
namespace {

void add_gather(Table& table) {
  struct Picks {
    Shape in;
    Shape indices;
    GatherAttrs attrs;
  };
  for (const Picks& c : std::initializer_list<Picks>{
           {{9}, {5}, {0, 0}},
           {{9, 4}, {3}, {0, 0}},
           {{9, 3}, {2, 3}, {0, 0}},
           {{9, 2}, {0}, {0, 0}},
           {{9, 0}, {2}, {0, 0}},
           {{9, 2, 3}, {}, {0, 0}},
           {{3, 9, 2}, {2, 2}, {1, 0}},
           {{3, 9, 8}, {2, 2}, {1, 0}},
           {{3, 4, 9}, {7}, {-1, 0}},
           {{3, 4, 9}, {3, 5}, {2, 1}},
           {{2, 9, 4}, {2}, {1, 1}},
           {{3, 2, 9, 4}, {3, 2, 5}, {2, 2}},
           {{3, 2, 9, 4}, {3, 5}, {2, -1}},
           {{9, 1000}, {30}, {0, 0}},
           {{2, 9, 2, 3}, {1, 2, 2}, {1, 0}},
       }) {
    const int axis = c.attrs.axis < 0 ? c.attrs.axis + c.in.rank : c.attrs.axis;
    const int batch = c.attrs.batch_dims < 0 ? c.attrs.batch_dims + c.indices.rank : c.attrs.batch_dims;
    const Reference reference = [=](const Tensors& in) {
      const Tensor& picks = in[1];
      Shape out;
      for (int i = 0; i < axis; ++i) out.push_back(c.in[i]);
      for (int i = batch; i < c.indices.rank; ++i) out.push_back(c.indices[i]);
      for (int i = axis + 1; i < c.in.rank; ++i) out.push_back(c.in[i]);
      const int inner = c.indices.rank - batch;
      return moved(out, [&](const Dims& index) {
        Dims within;
        for (int i = 0; i < batch; ++i) within.push_back(index[i]);
        for (int i = 0; i < inner; ++i) within.push_back(index[axis + i]);
        Dims from = index;
        for (int i = 0; i < inner; ++i) from.erase(axis);
        from.insert(axis, picks.data<std::int32_t>()[moves::position_of(picks.shape(), within)]);
        return from;
      })(in);
    };
    for (const DType dtype : moves::kDTypes) {
      table.add(Op::gather, {of_type(dtype, c.in), indices(c.indices, {0, 5, 1, 6, 2, 7, 3, 8, 4})}, c.attrs,
                {.reference = reference});
    }
  }
}

void add_where(Table& table) {
  struct Choice {
    Shape condition;
    Shape a;
    Shape b;
  };
  for (const Choice& c : std::initializer_list<Choice>{
           {{}, {}, {}},
           {{7}, {7}, {7}},
           {{9}, {}, {9}},
           {{8}, {8}, {}},
           {{}, {8}, {8}},
           {{2, 3}, {}, {}},
           {{3, 4}, {3, 1}, {4}},
           {{3, 1}, {5}, {3, 5}},
           {{3, 1}, {8}, {3, 8}},
           {{1, 4}, {3, 1}, {3, 4}},
           {{2, 1, 4}, {3, 1}, {2, 3, 4}},
           {{3}, {2, 1, 1}, {1, 4, 1}},
           {{2, 1, 2, 1, 2, 3}, {1, 3, 1, 2, 1, 1}, {3}},
           {{200, 301}, {200, 301}, {301}},
           {{0, 3}, {3}, {1, 1}},
       }) {
    const Reference reference = [](const Tensors& in) {
      const Shape out = broadcast(in[0].shape(), broadcast(in[1].shape(), in[2].shape()));
      std::vector<double> values;
      moves::for_each_index(out, [&](const Dims& index, std::size_t) {
        const auto at = [&](const Tensor& x) {
          Dims from;
          for (int i = 0; i < x.rank(); ++i)
            from.push_back(x.dim(i) == 1 ? 0 : index[index.size() - x.rank() + i]);
          return moves::number_at(x, moves::position_of(x.shape(), from));
        };
        values.push_back(at(in[0]) != 0 ? at(in[1]) : at(in[2]));
      });
      return values;
    };
    for (const DType of_a : moves::kDTypes) {
      for (const DType of_b : moves::kDTypes) {
        table.add(Op::where, {bools(c.condition), of_type(of_a, c.a), of_type(of_b, c.b)}, NoneAttrs{},
                  {.reference = reference});
      }
    }
  }
}

void add_concat(Table& table) {
  struct Parts {
    std::int32_t axis;
    std::vector<Shape> shapes;
  };
  std::vector<Parts> all = {
      {0, {{3}}},
      {0, {{3}, {5}}},
      {0, {{4}, {8}, {12}}},
      {0, {{0, 2}, {0, 2}}},
      {1, {{3, 4}, {3, 8}}},
      {1, {{3, 4}, {3, 3}, {3, 1}}},
      {-1, {{2, 3, 4, 8}, {2, 3, 4, 4}, {2, 3, 4, 16}, {2, 3, 4, 4}}},
      {2, {{2, 3, 4, 3}, {2, 3, 1, 3}, {2, 3, 2, 3}}},
      {-3, {{1, 3, 4}, {2, 3, 4}, {0, 3, 4}}},
      {1, {{5, 0}, {5, 2}, {5, 0}, {5, 7}}},
      {0, {{100, 301}, {50, 301}}},
      {5, {{1, 2, 1, 2, 3, 2}, {1, 2, 1, 2, 3, 4}}},
  };
  for (const std::size_t count : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 17U, 70U}) {
    for (const std::int32_t width : {3, 4}) {
      for (const std::int32_t axis : {0, 1})
        all.push_back({axis, std::vector<Shape>(count, Shape{2, width})});
    }
  }
  for (const Parts& c : all) {
    const int axis = c.axis < 0 ? c.axis + c.shapes[0].rank : c.axis;
    const Reference reference = [=](const Tensors& in) {
      Shape out = in[0].shape();
      out[axis] = 0;
      for (const Tensor& x : in) out[axis] += x.dim(axis);
      std::vector<double> values(out.elements());
      std::int32_t before = 0;
      for (const Tensor& x : in) {
        moves::for_each_index(x.shape(), [&](const Dims& index, std::size_t position) {
          Dims to = index;
          to[axis] += before;
          values[moves::position_of(out, to)] = moves::number_at(x, position);
        });
        before += x.dim(axis);
      }
      return values;
    };
    for (const DType dtype : moves::kDTypes) {
      std::vector<Input> inputs;
      for (const Shape& shape : c.shapes) inputs.push_back(of_type(dtype, shape));
      table.add(Op::concat, inputs, AxisAttrs{c.axis}, {.reference = reference});
    }
  }
}

void add_joined(Table& table) {
  static constexpr std::int32_t kSizes[] = {1, 0, 3, -1};
  for (const DType dtype : moves::kDTypes) {
    const Input x = of_type(dtype, {2, 5, 3});
    table.add(Op::stack, {x, x, x}, AxisAttrs{1});
    table.add(Op::unstack, {x}, AxisAttrs{-2});
    table.add(Op::split, {x}, SplitAttrs{.sizes = kSizes, .axis = 1});
  }
  for (const DType dtype : {DType::kFloat32, DType::kInt32}) {
    table.add(Op::unsorted_segment_sum, {of_type(dtype, {4, 2}), indices({4}, {1, -1, 1, 7})},
              SegmentsAttrs{.segments = 3});
    table.add(Op::unsorted_segment_sum,
              {of_type(dtype, {2, 4, 3}), indices({2, 4}, {2, 0, 2, 1, 0, 0, 1, 3})},
              SegmentsAttrs{.segments = 3, .axis = 1, .batch_dims = 1});
  }
  table.add(Op::unsorted_segment_sum, {floats({3, 4, 2}), indices({4}, {1, 0, 1, 2})},
            SegmentsAttrs{.segments = 4, .axis = 1});
}

void add_blocks(Table& table) {
  for (const DType dtype : {DType::kFloat32, DType::kInt32}) {
    table.add(Op::space_to_batch, {of_type(dtype, {1, 4, 3, 2})}, BlocksAttrs{{2, 2}, {0, 1}, {0, 0}});
    table.add(Op::space_to_batch, {of_type(dtype, {2, 4, 6, 2})}, BlocksAttrs{{2, 3}, {0, 0}, {0, 0}});
    table.add(Op::batch_to_space, {of_type(dtype, {4, 2, 2, 1})}, BlocksAttrs{{2, 2}, {1, 0}, {0, 1}});
  }
  table.add(Op::depth_to_space, {floats({1, 2, 2, 8})}, DepthToSpaceAttrs{});
  table.add(Op::depth_to_space, {floats({1, 8, 2, 2})}, DepthToSpaceAttrs{.channels_first = true});
  table.add(Op::frame, {floats({6})}, FrameAttrs{.length = 3, .step = 2, .pad_end = true, .pad_value = 4});
  table.add(Op::frame, {floats({2, 8})}, FrameAttrs{.length = 4, .step = 2});
}

}  // namespace

void add_joins(Table& table) {
  add_gather(table);
  add_where(table);
  add_concat(table);
  add_joined(table);
  add_blocks(table);
}

}  // namespace tenure::cases
